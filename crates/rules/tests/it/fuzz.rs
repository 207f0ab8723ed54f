//! A short run of what the fuzz targets do, on texts mutilated at random but always the same.

use warpchess_rules::VariantId;
use warpchess_rules::notation::fuzz;

/// Marsaglia's xorshift, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Changes, takes away, doubles or puts in something here and there.
fn mutilate(random: &mut Random, text: &[u8], bits: &[&[u8]]) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(text.len() + 1);
        let until = (at + random.below(12)).min(text.len());
        match random.below(5) {
            0 => text.splice(at..at, random.of(bits).iter().copied()).for_each(drop),
            1 => text.splice(at..until, random.of(bits).iter().copied()).for_each(drop),
            2 => text.drain(at..until).for_each(drop),
            3 => {
                let piece = text[at..until].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, piece).for_each(drop);
            }
            _ => {
                if let Some(byte) = text.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
        }
    }
    text
}

const BITS: [&[u8]; 46] = [
    b"(",
    b")",
    b"{",
    b"}",
    b";",
    b"\n",
    b"\r\n",
    b"%",
    b"\n%",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b"$",
    b"$5",
    b"$999",
    b"!?",
    b"*",
    b"1-0",
    b"0-1 ",
    b"1.",
    b"12...",
    b" ",
    b"\t",
    b"\x0b",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    "→".as_bytes(),
    b"->",
    b"x",
    b"=",
    b"=Q",
    b"(Q)",
    b"A",
    b"B",
    b"e4",
    b"@",
    b"^",
    b"~",
    b"O-O",
    b"--",
    b"0000",
    b"[Event \"a\"]\n",
    b"[Variant \"chess\"]\n",
    b"\n\n",
];

#[test]
fn records() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let seeds: [&[u8]; 5] = [
        b"[Event \"a\"]\n[Site \"b \\\" c\"]\n\n1. e4 {x} e5 (1... c5 $1 ;z }\n (1... d5)) 2. Nf3! *\n\n[Event \"n\"]\n\n1. d4 1-0\n",
        b"1. f3 e5 2. g4 Qh4# 0-1",
        b"[FEN \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1\"]\n\n{a}1. e8(Q) ({b} 1. e8=R {c}) Kh7 1/2-1/2",
        b"{a ( b } 1.e4 ({c}) ({d} 1.d4 ({e}) d5) e5 { f } ; g",
        b"[Event \"1\"]\n[Event \"2\"]\n[Event \"3\"]",
    ];
    for _ in 0..20_000 {
        let seed = *random.of(&seeds);
        fuzz::pgn(&mutilate(&mut random, seed, &BITS));
    }
}

#[test]
fn moves() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let texts =
        ["Nf3", "exd5", "O-O", "e8=Q", "NbAd2", "Re4→xa8", "QAa4→Ba4", "N~g5", "Nb1^B", "N@e4", "Oe5=N", "a2a4"];
    for _ in 0..20_000 {
        let choices: Vec<u8> = (0..random.below(30)).map(|_| random.below(256) as u8).filter(|&b| b != b'\n').collect();
        let text = random.of(&texts).as_bytes();
        let text = mutilate(&mut random, text, &BITS);
        let data = [&[random.below(9) as u8], &choices[..], b"\n", &text].concat();
        fuzz::san(&data);
        fuzz::uci(&data);
    }
}

#[test]
fn positions() {
    let mut random = Random(0x0123_4567_89ab_cdef);
    let seeds: Vec<String> = VariantId::all().map(|v| v.start().fen()).collect();
    let bits: [&[u8]; 20] = [
        b"k", b"K", b"P", b"p", b"/", b"8", b"1", b"9", b"-", b" ", b"w", b"b", b"KQkq", b"e3", b"e6", b"[]", b"[Qq]",
        b"a4", b"|", b"65536",
    ];
    for _ in 0..5_000 {
        let seed = random.of(&seeds).as_bytes();
        fuzz::fen(&mutilate(&mut random, seed, &bits));
    }
}
