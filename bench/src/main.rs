//! Move generation against cozy-chess, in one run: every row is timed in turn with cozy's own chess figure, several
//! rounds, and the median of the ratios is told. `cd bench && cargo run --release [VARIANT]`; the folder's own cargo
//! configuration asks for `target-cpu=native`, so that both sides use PEXT.
//!
//! Each row also asserts its node count: a fast wrong answer is no answer.

use std::hint::black_box;
use std::time::Instant;
use warpchess_rules::perft::{perft, perft_no_bulk};
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{Position, VariantId};

const ROUNDS: usize = 7;
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const RICH_POCKET: &str = "1uh1kb1r/pp2p2p/2n2np1/3p4/3P1I2/2N1PN2/PPP1GPPP/R1BQK2R[Ta] w - - 0 12";

struct Row {
    variant: &'static str,
    fen: Option<&'static str>,
    depth: u32,
    bulk: bool,
    nodes: Option<u64>,
    /// The cozy-chess figure to compare with: position and depth.
    cozy: (Option<&'static str>, u8, bool),
    bar: f64,
}

fn rows() -> Vec<Row> {
    let start = (None, 6, true);
    let row = |variant, fen, depth, nodes, bar| Row { variant, fen, depth, bulk: true, nodes, cozy: start, bar };
    vec![
        row("chess", None, 6, Some(119_060_324), 0.5),
        Row { cozy: (Some(KIWIPETE), 5, true), ..row("chess", Some(KIWIPETE), 5, Some(193_690_690), 0.5) },
        Row { bulk: false, cozy: (None, 5, false), ..row("chess", None, 5, Some(4_865_609), 0.7) },
        row("teleport", None, 5, Some(63_239_218), 0.35),
        row("twinportal", None, 6, Some(88_153_321), 0.20),
        row("splitportal", None, 8, Some(144_028_600), 0.20),
        row("porthole", None, 6, Some(239_741_937), 0.10),
        row("portalduel", None, 6, Some(44_644_490), 0.10),
        row("pocketmutation", Some(RICH_POCKET), 4, Some(19_312_529), 0.12),
    ]
}

fn cozy_perft(board: &cozy_chess::Board, depth: u8, bulk: bool) -> u64 {
    let mut nodes = 0;
    if depth == 0 {
        return 1;
    }
    board.generate_moves(|moves| {
        if bulk && depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += cozy_perft(&next, depth - 1, bulk);
            }
        }
        false
    });
    nodes
}

struct Count<'a>(&'a Row);

impl VariantVisitor for Count<'_> {
    type Output = u64;
    fn visit<P: Position>(self) -> u64 {
        let position = self.0.fen.map_or_else(P::start, |fen| P::from_fen(fen).expect("a legal FEN"));
        let count = if self.0.bulk { perft::<P> } else { perft_no_bulk::<P> };
        count(black_box(&position), self.0.depth)
    }
}

/// Nodes per second.
fn speed(count: impl FnOnce() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let nodes = black_box(count());
    (nodes, nodes as f64 / start.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let only = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    println!(
        "| position | nodes | million nodes/s | cozy-chess | ratio | bar |\n| --- | ---: | ---: | ---: | ---: | ---: |"
    );
    let mut missed = 0;
    for row in rows().iter().filter(|r| only.as_ref().is_none_or(|o| r.variant == o)) {
        let Ok(variant) = row.variant.parse::<VariantId>() else { continue };
        let board: cozy_chess::Board =
            row.cozy.0.map_or_else(cozy_chess::Board::default, |f| f.parse().expect("a FEN"));
        let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        let mut nodes = 0;
        for _ in 0..ROUNDS {
            let (n, a) = speed(|| variant.visit(Count(row)));
            let (_, b) = speed(|| cozy_perft(black_box(&board), row.cozy.1, row.cozy.2));
            nodes = n;
            ours.push(a / 1e6);
            theirs.push(b / 1e6);
            ratios.push(a / b);
        }
        assert!(row.nodes.is_none_or(|n| n == nodes), "{}: {nodes} nodes", row.variant);
        let ratio = median(ratios);
        missed += u32::from(ratio < row.bar);
        println!(
            "| {}{} depth {}{} | {nodes} | {:.1} | {:.1} | {ratio:.2} | {:.2} |",
            row.variant,
            if row.fen.is_some() { " (rich position)" } else { "" },
            row.depth,
            if row.bulk { "" } else { ", no bulk" },
            median(ours),
            median(theirs),
            row.bar
        );
    }
    if missed > 0 {
        println!("\n{missed} below the bar");
    }
}
