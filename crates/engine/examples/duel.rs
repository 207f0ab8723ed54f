//! Plays two builds of this program against each other at a fixed number of nodes a move, to see whether a change helps.
//!
//! `duel serve` answers lines `VARIANT NODES FEN;MOVE MOVE …` with `MOVE VALUE`; `duel OURS THEIRS VARIANT PAIRS NODES [SEED]`
//! runs two such programs; `L3` instead of nodes is the third level, and `L4:L3` gives them different ones. Each random opening that looks level is played with both colors.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use warpchess_engine::{AnyEngine, Level, Limits, NodeClock, Options, Score, Signals, engine_for};
use warpchess_rules::{Color, VariantId};

type Failure = Box<dyn std::error::Error>;

fn number(score: Score) -> i32 {
    score.cp().unwrap_or_else(|| score.mate().map_or(0, |n| if n > 0 { 30_000 - n } else { -30_000 - n }))
}

fn serve() -> Result<(), Failure> {
    let mut seed = 0;
    let mut engine: Option<(VariantId, Box<dyn AnyEngine>)> = None;
    for line in std::io::stdin().lines() {
        let line = line?;
        if line == "new" {
            if let Some((_, engine)) = &mut engine {
                engine.clear();
            }
            continue;
        }
        let mut words = line.splitn(3, ' ');
        let (Some(variant), Some(nodes), Some(game)) = (words.next(), words.next(), words.next()) else {
            return Err(format!("bad line {line}").into());
        };
        let variant: VariantId = variant.parse()?;
        if engine.as_ref().is_none_or(|(v, _)| *v != variant) {
            engine = Some((variant, engine_for(variant, &Options { hash: 16, ..Options::default() })));
        }
        let Some((_, engine)) = &mut engine else { continue };
        let (fen, moves) = game.split_once(';').unwrap_or((game, ""));
        let moves: Vec<&str> = moves.split_whitespace().collect();
        engine.set_game(Some(fen), &moves)?;
        let clock = NodeClock { per_second: 1_000_000 };
        let found = match nodes.strip_prefix('L') {
            Some(level) => {
                seed += 1;
                Level::new(level.parse()?)?.choose(&mut **engine, None, &clock, &Signals::new(), seed)
            }
            None => engine.search(&Limits::nodes(nodes.parse()?), &clock, &Signals::new(), &mut |_| ()),
        };
        let best = found.best.map_or("-".into(), |m| m.to_string());
        println!("{best} {}", number(found.score));
    }
    Ok(())
}

struct Player {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Player {
    fn start(program: &str) -> Result<Self, Failure> {
        let mut child = Command::new(program).arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let to = child.stdin.take().ok_or("no input")?;
        let from = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Self { child, to, from })
    }
    fn ask(&mut self, line: &str) -> Result<(String, i32), Failure> {
        writeln!(self.to, "{line}")?;
        let mut answer = String::new();
        self.from.read_line(&mut answer)?;
        let (m, value) = answer.trim().split_once(' ').ok_or("no answer")?;
        Ok((m.to_owned(), value.parse()?))
    }
}

struct Random(u64);
impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

fn opening(variant: VariantId, random: &mut Random, judge: &mut Player) -> Result<String, Failure> {
    loop {
        let mut position = variant.start();
        for _ in 0..8 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
        if position.has_legal_move() {
            let fen = position.fen();
            if judge.ask(&format!("{variant} 3000 {fen};"))?.1.abs() < 100 {
                return Ok(fen);
            }
        }
    }
}

/// The result for White (1, 0.5 or 0), and how many plies it took.
fn game(variant: VariantId, nodes: [&str; 2], fen: &str, players: [&mut Player; 2]) -> Result<(f64, usize), Failure> {
    let mut position = variant.from_fen(fen)?;
    let mut moves = String::new();
    let mut keys = vec![position.hash_key()];
    let mut agreed = [0; 2];
    let mut level = 0;
    for p in &players {
        writeln!(&p.to, "new")?;
    }
    let [white, black] = players;
    for ply in 0..400 {
        if let Some(outcome) = position.outcome() {
            let score = outcome.winner.map_or(0.5, |w| if w == Color::White { 1.0 } else { 0.0 });
            return Ok((score, ply));
        }
        let key = position.hash_key();
        if position.halfmove_clock() >= 100 || keys.iter().filter(|k| **k == key).count() >= 3 {
            return Ok((0.5, ply));
        }
        let turn = position.turn();
        let player = if turn == Color::White { &mut *white } else { &mut *black };
        let nodes = nodes[turn.index()];
        let (text, value) = player.ask(&format!("{variant} {nodes} {fen};{moves}"))?;
        let m = warpchess_rules::notation::uci::parse(&*position, &text)?;
        position.play(m);
        keys.push(position.hash_key());
        moves.push_str(&text);
        moves.push(' ');
        let value = if turn == Color::White { value } else { -value };
        agreed[0] = if value > 1000 { agreed[0] + 1 } else { 0 };
        agreed[1] = if value < -1000 { agreed[1] + 1 } else { 0 };
        level = if value.abs() <= 8 && ply > 120 { level + 1 } else { 0 };
        if agreed[0] >= 6 {
            return Ok((1.0, ply));
        }
        if agreed[1] >= 6 {
            return Ok((0.0, ply));
        }
        if level >= 20 {
            return Ok((0.5, ply));
        }
    }
    Ok((0.5, 400))
}

fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10()
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "serve") {
        return serve();
    }
    let [ours, theirs, variant, pairs, nodes, rest @ ..] = &args[..] else {
        return Err("duel OURS THEIRS VARIANT PAIRS NODES [SEED]".into());
    };
    let variant: VariantId = variant.parse()?;
    let (mut a, mut b) = (Player::start(ours)?, Player::start(theirs)?);
    let mut random = Random(rest.first().map_or(Ok(1), |s| s.parse())?);
    let (ours, theirs) = nodes.split_once(':').unwrap_or((nodes, nodes));
    let mut results: Vec<f64> = Vec::new();
    let (mut wins, mut draws, mut losses, mut plies) = (0, 0, 0, 0);
    let count: usize = pairs.parse()?;
    for pair in 1..=count {
        let fen = opening(variant, &mut random, &mut b)?;
        let mut sum = 0.0;
        for swapped in [false, true] {
            let (score, length) = if swapped {
                let (score, length) = game(variant, [theirs, ours], &fen, [&mut b, &mut a])?;
                (1.0 - score, length)
            } else {
                game(variant, [ours, theirs], &fen, [&mut a, &mut b])?
            };
            plies += length;
            match score {
                1.0 => wins += 1,
                0.5 => draws += 1,
                _ => losses += 1,
            }
            sum += score;
        }
        results.push(sum / 2.0);
        if pair % 10 == 0 || pair == count {
            let n = results.len() as f64;
            let mean = results.iter().sum::<f64>() / n;
            let variance = results.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / n;
            let error = 1.96 * (variance / n).sqrt();
            println!(
                "{variant} {} games +{wins} ={draws} -{losses} score {mean:.3} elo {:+.0} [{:+.0}, {:+.0}] plies {}",
                2 * results.len(),
                elo(mean),
                elo(mean - error),
                elo(mean + error),
                plies / (2 * results.len())
            );
        }
    }
    for player in [a, b] {
        let Player { mut child, to, .. } = player;
        drop(to);
        child.wait()?;
    }
    Ok(())
}
