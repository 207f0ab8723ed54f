//! Bytes of a text with a few of lookahead, counted by lines; the memory it takes does not depend on the text.

use std::io::{self, BufRead};

const SIZE: usize = 16 * 1024;

pub(super) struct Input<R> {
    reader: R,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    exhausted: bool,
    /// Number of the line, from 1.
    pub(super) line: u64,
    /// Whether the next byte is the first of its line.
    pub(super) at_line_start: bool,
}

impl<R: BufRead> Input<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: vec![0; SIZE].into_boxed_slice(),
            start: 0,
            end: 0,
            exhausted: false,
            line: 1,
            at_line_start: true,
        }
    }

    /// The next bytes, `n` of them unless the text ends before.
    pub(super) fn peek_many(&mut self, n: usize) -> io::Result<&[u8]> {
        debug_assert!(n <= SIZE);
        while self.end - self.start < n && !self.exhausted {
            if self.end == SIZE {
                self.buffer.copy_within(self.start.., 0);
                self.end -= self.start;
                self.start = 0;
            }
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.exhausted = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let n = n.min(self.end - self.start);
        Ok(&self.buffer[self.start..self.start + n])
    }

    /// The next byte, if there is one.
    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.start < self.end {
            return Ok(Some(self.buffer[self.start]));
        }
        Ok(self.peek_many(1)?.first().copied())
    }

    /// The byte `n` after the next.
    pub(super) fn peek_at(&mut self, n: usize) -> io::Result<Option<u8>> {
        Ok(self.peek_many(n + 1)?.get(n).copied())
    }

    /// Goes past the next byte, which must have been peeked at.
    pub(super) fn advance(&mut self) {
        debug_assert!(self.start < self.end);
        let byte = self.buffer[self.start];
        self.start += 1;
        // "\r\n" ends one line, at the "\n"; a "\r" alone ends one too.
        let ends = byte == b'\n' || byte == b'\r' && !matches!(self.peek(), Ok(Some(b'\n')));
        self.at_line_start = ends;
        self.line += u64::from(ends);
    }

    /// Takes the next byte, if there is one.
    pub(super) fn next(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        if byte.is_some() {
            self.advance();
        }
        Ok(byte)
    }

    /// Goes past bytes if they come next.
    pub(super) fn skip_if(&mut self, expected: &[u8]) -> io::Result<bool> {
        let there = self.peek_many(expected.len())? == expected;
        if there {
            (0..expected.len()).for_each(|_| self.advance());
        }
        Ok(there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    /// Gives one byte at a time, as a slow pipe does.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = buffer.len().min(1);
            self.0.read(&mut buffer[..n])
        }
    }

    #[test]
    fn every_kind_of_line_end_counts_once() {
        let mut input = Input::new(BufReader::with_capacity(1, Trickle(b"a\r\nb\rc\nd")));
        let mut seen = Vec::new();
        while let Some(byte) = input.peek().expect("readable") {
            seen.push((byte as char, input.line, input.at_line_start));
            input.advance();
        }
        let letters: Vec<_> = seen.into_iter().filter(|s| s.0.is_alphabetic()).collect();
        assert_eq!(letters, [('a', 1, true), ('b', 2, true), ('c', 3, true), ('d', 4, true)]);
    }

    #[test]
    fn lookahead_reaches_over_the_end_of_the_buffer() {
        let text: Vec<u8> = (0..3 * SIZE).map(|i| (i % 251) as u8).collect();
        let mut input = Input::new(&text[..]);
        for i in 0..text.len() {
            assert_eq!(input.peek_many(40).expect("readable"), &text[i..text.len().min(i + 40)]);
            input.advance();
        }
        assert_eq!(input.next().expect("readable"), None);
    }
}
