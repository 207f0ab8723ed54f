//! Lines of input, none of which can take the memory.

use std::io::{self, BufRead};

/// A `position` command of a game of many thousand moves fits.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// What came in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its end. Bytes that are no UTF-8 are replaced.
    Text(String),
    /// One that was too long; nothing of it was kept.
    TooLong,
    /// No more.
    End,
}

/// Reads up to the next line end.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let mut length = 0;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() && length == 0 {
            return Ok(Line::End);
        }
        let end = available.iter().position(|&b| b == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if length + part.len() <= MAX_LINE {
            bytes.extend_from_slice(part);
        }
        // The line end counts, so that an empty line is not the end of input.
        let taken = part.len() + usize::from(end.is_some());
        length += taken;
        let ended = end.is_some() || available.is_empty();
        input.consume(taken);
        if ended {
            let content = length - usize::from(end.is_some());
            return Ok(match content {
                0..=MAX_LINE => Line::Text(String::from_utf8_lossy(&bytes).into_owned()),
                _ => Line::TooLong,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        let mut input = BufReader::with_capacity(7, bytes);
        let mut lines = Vec::new();
        loop {
            match read_line(&mut input).expect("memory can be read") {
                Line::End => return lines,
                line => lines.push(line),
            }
        }
    }

    #[test]
    fn a_line_is_read_whatever_it_holds() {
        let text = |t: &str| Line::Text(t.to_owned());
        assert_eq!(
            lines(b"uci\n\nis\xffready\r\nquit"),
            [text("uci"), text(""), text("is\u{fffd}ready\r"), text("quit")]
        );
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn a_line_too_long_is_skipped_to_its_end() {
        let mut bytes = vec![b'x'; MAX_LINE + 1];
        bytes.extend(b"\nuci\n");
        bytes.extend(vec![b'y'; MAX_LINE]);
        let read = lines(&bytes);
        assert_eq!(read[..2], [Line::TooLong, Line::Text("uci".into())]);
        assert!(matches!(&read[2], Line::Text(y) if y.len() == MAX_LINE));
    }
}
