//! What holds for any text whatever, and for positions near to legal ones.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::path::PathBuf;
use std::sync::LazyLock;
use warpchess_rules::notation::{san, uci};
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{FenError, Position, VariantId};

/// The vectors' positions of every game.
static FENS: LazyLock<Vec<(VariantId, Vec<String>)>> = LazyLock::new(|| {
    let fens = |variant: VariantId| {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(format!("{variant}.moves.tsv"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let rows = text.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split('\t').next());
        (variant, rows.map(str::to_owned).collect())
    };
    VariantId::all().map(fens).collect()
});

/// A game and one of its positions.
fn position() -> impl Strategy<Value = (VariantId, String)> {
    (any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(|(game, row)| {
        let (variant, fens) = game.get(&FENS);
        (*variant, row.get(fens).clone())
    })
}

/// One change of a text.
#[derive(Clone, Debug)]
enum Edit {
    Replace(prop::sample::Index, char),
    Insert(prop::sample::Index, char),
    Delete(prop::sample::Index),
    /// Two pieces change places.
    Exchange(prop::sample::Index, prop::sample::Index),
    /// A piece becomes another.
    Piece(prop::sample::Index, char),
    Field(prop::sample::Index, String),
    FieldAway(prop::sample::Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    let letter = prop_oneof![
        8 => prop::sample::select("pnbrqkidagmuvfwxthzPNBRQKIDAGMUVFWXTHZ12345678/[]|-wABab x:".chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ];
    let piece = prop::sample::select("pnbrqPNBRQ".chars().collect::<Vec<_>>());
    let field = prop_oneof![
        "[a-h][1-8]",
        "[a-h][36]",
        "-|w|b|A|B|KQkq|K|kq",
        "([a-h][1-8]){1,4}",
        "[0-9]{1,6}",
        "[a-h][45]x?/-",
        "-/[a-h][45](:[pnbrqk])?",
        "(-|[a-h][36])\\|(-|[a-h][36])",
    ];
    prop_oneof![
        2 => (any::<prop::sample::Index>(), letter.clone()).prop_map(|(i, c)| Edit::Replace(i, c)),
        1 => (any::<prop::sample::Index>(), letter).prop_map(|(i, c)| Edit::Insert(i, c)),
        1 => any::<prop::sample::Index>().prop_map(Edit::Delete),
        8 => (any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(|(i, j)| Edit::Exchange(i, j)),
        8 => (any::<prop::sample::Index>(), piece).prop_map(|(i, c)| Edit::Piece(i, c)),
        3 => (any::<prop::sample::Index>(), field).prop_map(|(i, f)| Edit::Field(i, f)),
        1 => any::<prop::sample::Index>().prop_map(Edit::FieldAway),
    ]
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_owned();
    for edit in edits {
        let mut chars: Vec<char> = text.chars().collect();
        // The letters of the placement.
        let placement = chars.iter().position(|&c| c == ' ').unwrap_or(chars.len());
        let pieces: Vec<_> = (0..placement).filter(|&i| chars[i].is_ascii_alphabetic()).collect();
        let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
        match edit {
            Edit::Replace(i, c) if !chars.is_empty() => *i.get_mut(&mut chars) = *c,
            Edit::Insert(i, c) => chars.insert(i.index(chars.len() + 1), *c),
            Edit::Delete(i) if !chars.is_empty() => {
                chars.remove(i.index(chars.len()));
            }
            Edit::Exchange(i, j) if !pieces.is_empty() => chars.swap(*i.get(&pieces), *j.get(&pieces)),
            Edit::Piece(i, c) if !pieces.is_empty() => chars[*i.get(&pieces)] = *c,
            Edit::Field(i, field) => {
                i.get_mut(&mut fields).clone_from(field);
                chars = fields.join(" ").chars().collect();
            }
            Edit::FieldAway(i) => {
                fields.remove(i.index(fields.len()));
                chars = fields.join(" ").chars().collect();
            }
            _ => {}
        }
        text = chars.into_iter().collect();
    }
    text
}

/// Reads a text as a FEN; what it reads must be written as a FEN that means the same, and so must all that comes next.
struct Read<'a>(&'a str);

impl VariantVisitor for Read<'_> {
    type Output = Result<bool, TestCaseError>;
    fn visit<P: Position>(self) -> Self::Output {
        let position = match P::from_fen(self.0) {
            Ok(position) => position,
            Err(error) => {
                prop_assert!(!error.problem.is_empty() && error.to_string().len() < 400, "{error}");
                return Ok(false);
            }
        };
        same_after_writing(&position)?;
        for m in position.legal_moves() {
            same_after_writing(&position.after(m))?;
        }
        Ok(true)
    }
}

fn same_after_writing<P: Position>(position: &P) -> Result<(), TestCaseError> {
    let fen = position.fen();
    let again: Result<P, FenError> = P::from_fen(&fen);
    prop_assert_eq!(again.as_ref(), Ok(position), "{}", fen);
    prop_assert_eq!(again.map(|p| p.fen()), Ok(fen.clone()));
    prop_assert_eq!(position.hash_key(), position.compute_hash(), "{}", fen);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_as_a_fen_is_read_or_refused(text in any::<String>()) {
        for variant in VariantId::all() {
            variant.visit(Read(&text))?;
        }
    }

    #[test]
    fn a_fen_changed_here_and_there_is_refused_or_means_what_is_written(
        (variant, fen) in position(),
        edits in prop::collection::vec(edit(), 1..4),
    ) {
        variant.visit(Read(&edited(&fen, &edits)))?;
    }

    #[test]
    fn a_fen_fed_to_another_game_is_refused_or_means_what_is_written((_, fen) in position()) {
        for variant in VariantId::all() {
            variant.visit(Read(&fen))?;
        }
    }

    #[test]
    fn any_text_as_a_move_is_a_legal_move_or_refused(
        (variant, fen) in position(),
        text in prop_oneof![
            any::<String>(),
            "[PNBRQKIO]?[AB]?[a-h]?[1-8]?[x~^@]?[AB]?[a-h][1-8](→|->|=)?[a-h]?[1-8]?[A-Zqrbn]?[+#]?",
            "[a-h][1-8][a-h][1-8]([a-h][1-8]|[qrbn])?",
        ],
    ) {
        let position = variant.from_fen(&fen).expect("the vectors' positions are legal");
        if let Ok(m) = uci::parse(&*position, &text) {
            prop_assert!(position.is_legal(m) && m.to_string() == text, "{} in {}", text, fen);
        }
        if let Ok(m) = san::parse(&*position, &text) {
            prop_assert!(position.is_legal(m), "{} in {}", text, fen);
        }
    }
}

#[test]
fn clocks_stop_at_the_highest_value_that_can_be_read() {
    for (variant, fens) in FENS.iter() {
        for fen in fens {
            let mut fields: Vec<_> = fen.split(' ').collect();
            let clocks = fields.len() - 2;
            fields.splice(clocks.., ["9999", "9999"]);
            let read = variant.visit(Read(&fields.join(" "))).unwrap_or_else(|e| panic!("{variant}: {fen}: {e}"));
            assert!(read, "{variant}: {fen}");
        }
    }
}

/// Otherwise the properties above would say little.
#[test]
fn many_changed_fens_are_still_positions() {
    let mut runner = TestRunner::deterministic();
    let strategy = (position(), prop::collection::vec(edit(), 1..4));
    let mut read = 0;
    for _ in 0..1000 {
        let ((variant, fen), edits) = strategy.new_tree(&mut runner).expect("a value").current();
        read += usize::from(variant.visit(Read(&edited(&fen, &edits))).expect("it holds"));
    }
    assert!((100..900).contains(&read), "{read} of 1000 read");
}

#[test]
fn the_start_of_one_game_is_refused_by_another() {
    // These two write the same start.
    let alike = |variant: VariantId| matches!(variant.id(), "chess" | "teleport");
    for one in VariantId::all() {
        for other in VariantId::all().filter(|&other| other != one && !(alike(one) && alike(other))) {
            let fen = one.info().start_fen;
            assert!(other.from_fen(fen).is_err(), "{other} takes '{fen}' of {one}");
        }
    }
}
