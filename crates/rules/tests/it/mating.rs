//! Generators that are asked for mating moves leave no check out.

use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{MoveList, Position, VariantId};

struct Checks;

impl VariantVisitor for Checks {
    type Output = ();
    fn visit<P: Position>(self) {
        let path = format!("{}/../../vectors/{}.moves.tsv", env!("CARGO_MANIFEST_DIR"), P::INFO.id);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let (mut checks, mut saved) = (0, 0);
        for fen in text.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split('\t').next()) {
            let position = P::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
            let mut offered = MoveList::new();
            let _ = position.generate_mating(&mut offered);
            for &m in &position.legal_moves() {
                let is_check = position.after(m).in_check();
                assert!(!is_check || offered.contains(&m), "{}: the check {m:?} is left out in {fen}", P::INFO.id);
                checks += usize::from(is_check);
                saved += usize::from(!offered.contains(&m));
            }
        }
        assert!(checks > 50, "{}: {checks} checks, {saved} moves left out", P::INFO.id);
    }
}

#[test]
fn no_check_is_left_out_of_the_mating_moves() {
    for variant in VariantId::all() {
        variant.visit(Checks);
    }
}
