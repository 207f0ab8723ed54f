//! Sets of mates from games, and known compositions.

use warpchess_engine::{NodeClock, Signals};
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{Position, VariantId};
use warpchess_solver::{Keys, Options, Solution, Verdict, solve};

struct Ask<'a> {
    fen: &'a str,
    moves: u32,
    keys: Keys,
}

impl VariantVisitor for Ask<'_> {
    type Output = Solution;
    fn visit<P: Position>(self) -> Solution {
        let position = P::from_fen(self.fen).unwrap_or_else(|e| panic!("{}: {e}", self.fen));
        let options = Options { keys: self.keys, ..Options::default() };
        let clock = NodeClock { per_second: 1_000_000 };
        solve(&position, self.moves, &options, &clock, &Signals::new()).unwrap_or_else(|e| panic!("{}: {e}", self.fen))
    }
}

fn ask(variant: VariantId, fen: &str, moves: u32, keys: Keys) -> Solution {
    variant.visit(Ask { fen, moves, keys })
}

fn rows(path: &str) -> Vec<Vec<String>> {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').map(str::to_owned).collect()).collect()
}

fn names(solution: &Solution) -> Vec<String> {
    solution.keys.iter().map(|key| key.m.to_string()).collect()
}

#[test]
fn mates_in_one_to_three_have_the_length_that_was_proved_otherwise() {
    for row in rows("../engine/tests/mates.tsv") {
        let [variant, fen, moves] = &row[..] else { panic!("{row:?}") };
        let moves = moves.parse().expect("a number");
        let variant = variant.parse().expect("a game");
        let solution = ask(variant, fen, moves, Keys::Shortest);
        assert_eq!(solution.verdict, Verdict::Mate { moves, shortest: true }, "{row:?}");
        // Asked for one move more, it is a short mate; for one fewer, there is none.
        let longer = ask(variant, fen, moves + 1, Keys::Shortest);
        assert_eq!((longer.verdict, names(&longer)), (solution.verdict, names(&solution)), "{row:?}");
        if moves > 1 {
            assert_eq!(ask(variant, fen, moves - 1, Keys::First).verdict, Verdict::NoMate, "{row:?}");
        }
    }
}

#[test]
fn mates_in_three_to_five_are_proved() {
    let rows = rows("tests/mates3to5.tsv");
    assert_eq!(rows.len(), 50);
    for row in rows {
        let [variant, fen, moves, keys] = &row[..] else { panic!("{row:?}") };
        let (variant, moves) = (variant.parse().expect("a game"), moves.parse().expect("a number"));
        let keys: Vec<_> = keys.split(',').map(str::to_owned).collect();
        let first = ask(variant, fen, moves, Keys::First);
        assert_eq!(first.verdict, Verdict::Mate { moves, shortest: false }, "{row:?}");
        assert!(keys.contains(&names(&first)[0]), "{row:?}: {:?}", names(&first));
        // Looking through every other first move takes long for some of the five-movers.
        if moves < 5 {
            let all = ask(variant, fen, moves, Keys::Shortest);
            assert_eq!((all.verdict, names(&all)), (Verdict::Mate { moves, shortest: true }, keys), "{row:?}");
        }
    }
}

#[test]
fn known_compositions_have_one_key() {
    let chess = VariantId::from_name("chess").expect("a game");
    for (who, fen, moves, key) in [
        ("Paul Morphy, 1856", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
        ("Sam Loyd, Excelsior, 1861", "n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - 0 1", 5, "b2b4"),
    ] {
        let solution = ask(chess, fen, moves, Keys::All);
        assert_eq!(solution.verdict, Verdict::Mate { moves, shortest: true }, "{who}");
        assert_eq!(names(&solution), [key], "{who}");
    }
}
