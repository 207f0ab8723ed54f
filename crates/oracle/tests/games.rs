//! Random games: what a position knows is in its FEN.

use warpchess_oracle::{State, VARIANTS};

const GAMES: u64 = 15;
const PLIES: usize = 150;

/// A small generator of numbers that look random (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

fn check_games(variant: &str, start: &str) {
    for seed in 0..GAMES {
        let mut random = Random(seed);
        let mut state = State::parse(variant, start).expect("the start");
        for _ in 0..PLIES {
            let mut moves = state.successors();
            assert!(moves.is_sorted_by(|(a, _), (b, _)| a < b), "{variant}: {}", state.fen());
            let ended = state.status().contains("mate") || state.status().contains("king");
            assert_eq!(moves.is_empty(), ended, "{variant}: {}", state.fen());
            if ended {
                break;
            }
            let (uci, next) = moves.swap_remove(random.below(moves.len()));
            let read = State::parse(variant, &next.fen());
            assert_eq!(read.as_ref(), Ok(&next), "{variant}: {} {uci}: {}", state.fen(), next.fen());
            state = next;
        }
    }
}

const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const POCKETMUTATION: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 1";
const PORTHOLE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - b4c4f4g4b5c5f5g5 0 1";
const PORTALDUEL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -- 0 1";
const TWINPORTAL: &str = "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|\
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w A KQ|kq -|- -/- 0 1";
const SPLITPORTAL: &str = "rnbq/pppp/4/4/4/4/PPPP/RNBQ|kbnr/pppp/4/4/4/4/PPPP/KBNR \
    w A -|Kk -|- -/- 0 1";

#[test]
fn chess() {
    check_games("chess", CHESS);
}

#[test]
fn teleport() {
    check_games("teleport", CHESS);
}

#[test]
fn pocketmutation() {
    check_games("pocketmutation", POCKETMUTATION);
}

#[test]
fn porthole() {
    check_games("porthole", PORTHOLE);
}

#[test]
fn portalduel() {
    check_games("portalduel", PORTALDUEL);
}

#[test]
fn twinportal() {
    check_games("twinportal", TWINPORTAL);
}

#[test]
fn splitportal() {
    check_games("splitportal", SPLITPORTAL);
}

#[test]
fn fen_of_another_game_is_an_error() {
    let starts = [
        (CHESS, &["chess", "teleport"][..]),
        (POCKETMUTATION, &["pocketmutation"]),
        (PORTHOLE, &["porthole"]),
        (PORTALDUEL, &["portalduel"]),
        (TWINPORTAL, &["twinportal"]),
        (SPLITPORTAL, &["splitportal"]),
    ];
    for (fen, games) in starts {
        for variant in VARIANTS {
            let read = State::parse(variant, fen);
            assert_eq!(read.is_ok(), games.contains(&variant), "{variant}: {fen}");
        }
    }
}

#[test]
fn damaged_fens_never_panic() {
    let mut random = Random(0);
    for fen in [CHESS, POCKETMUTATION, PORTHOLE, PORTALDUEL, TWINPORTAL, SPLITPORTAL] {
        for _ in 0..2_000 {
            let mut text: Vec<char> = fen.chars().collect();
            for _ in 0..=random.below(3) {
                let place = random.below(text.len());
                let other = fen.chars().nth(random.below(fen.len())).unwrap_or('é');
                match random.below(4) {
                    0 => text[place] = other,
                    1 => text[place] = ['é', '9', '-', 'x', ':', '4', 'b'][random.below(7)],
                    2 => text.insert(place, other),
                    _ => drop(text.remove(place)),
                }
            }
            let damaged: String = text.into_iter().collect();
            for variant in VARIANTS {
                if let Ok(state) = State::parse(variant, &damaged) {
                    let again = State::parse(variant, &state.fen());
                    assert_eq!(again.as_ref(), Ok(&state), "{variant}: {damaged}");
                    state.successors();
                    state.status();
                }
            }
        }
    }
}
