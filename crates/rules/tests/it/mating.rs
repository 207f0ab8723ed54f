//! Generators that are asked for mating moves leave no check out.

use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{MoveList, Position, VariantId};

struct Checks;

/// How many checks a position has, all of them among its mating moves.
fn checks<P: Position>(position: &P) -> usize {
    let mut offered = MoveList::new();
    let _ = position.generate_mating(&mut offered);
    let mut count = 0;
    for &m in &position.legal_moves() {
        if position.after(m).in_check() {
            assert!(offered.contains(&m), "{}: the check {m:?} is left out in {}", P::INFO.id, position.fen());
            count += 1;
        }
    }
    count
}

impl VariantVisitor for Checks {
    type Output = ();
    fn visit<P: Position>(self) {
        let path = format!("{}/../../vectors/{}.moves.tsv", env!("CARGO_MANIFEST_DIR"), P::INFO.id);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let mut count = 0;
        for fen in text.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split('\t').next()) {
            let position = P::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
            count += checks(&position);
            // A few positions further on, so that there are enough checks in every game.
            count += position.legal_moves().iter().step_by(3).map(|&m| checks(&position.after(m))).sum::<usize>();
        }
        assert!(count > 300, "{}: only {count} checks", P::INFO.id);
    }
}

#[test]
fn no_check_is_left_out_of_the_mating_moves() {
    for variant in VariantId::all() {
        variant.visit(Checks);
    }
}
