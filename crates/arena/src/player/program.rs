//! A program that speaks UCI.

use std::fmt::Write;
use std::time::{Duration, Instant};

use warpchess_engine::{Score, Signals};
use warpchess_rules::VariantId;
use warpchess_rules::notation::fen::excerpt;

use super::process::Process;
use super::{Answer, Fault, Player, Turn};
use crate::control::Control;
use crate::spec::Program;

/// How long a program may take to get ready.
const READY: Duration = Duration::from_secs(30);
/// How long one that oversteps its time is waited for, so that it need not be started again.
const GRACE: Duration = Duration::from_secs(2);

pub(super) struct ProgramPlayer<'a> {
    program: &'a Program,
    variant: VariantId,
    cancel: &'a Signals,
    process: Option<Process<'a>>,
}

impl<'a> ProgramPlayer<'a> {
    pub(super) fn new(program: &'a Program, variant: VariantId, cancel: &'a Signals) -> Self {
        Self { program, variant, cancel, process: None }
    }

    /// Starts it and sets its options.
    fn start(&self) -> Result<Process<'a>, Fault> {
        let mut process = Process::start(self.program, self.cancel)?;
        self.greet(&mut process).map_err(|fault| match fault {
            Fault::Died(how) => Fault::Start(format!("it ended at once: {how}")),
            fault => fault,
        })?;
        Ok(process)
    }

    fn greet(&self, process: &mut Process<'a>) -> Result<(), Fault> {
        let deadline = Instant::now() + READY;
        let silent = |what: &str| Fault::Start(format!("no '{what}' within {} s", READY.as_secs()));
        let mut offered = Vec::new();
        process.say("uci")?;
        let ready = process.until("uciok", deadline, |line| offered.extend(OptionLine::parse(line)))?;
        ready.ok_or_else(|| silent("uciok"))?;
        let option = |name: &str| offered.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let mut variant_told = false;
        for (name, value) in &self.program.options {
            let offer = option(name).ok_or_else(|| Fault::Start(format!("it has no option '{name}'")))?;
            process.say(&match value.as_str() {
                "" => format!("setoption name {}", offer.name),
                _ => format!("setoption name {} value {value}", offer.name),
            })?;
            variant_told |= name.eq_ignore_ascii_case("UCI_Variant");
        }
        let id = self.variant.id();
        match option("UCI_Variant") {
            _ if variant_told => {}
            // Rules that it is told of by a file do not stand in the list.
            Some(offer) if offer.allows(id) || !self.program.options.is_empty() => {
                process.say(&format!("setoption name {} value {id}", offer.name))?;
            }
            Some(offer) => {
                return Err(Fault::Start(format!("it does not play {id}, but {}", offer.choices.join(", "))));
            }
            None if self.variant == VariantId::default() => {}
            None => return Err(Fault::Start(format!("it does not play {id}: it has no option UCI_Variant"))),
        }
        process.say("isready")?;
        process.until("readyok", deadline, |_| ())?.ok_or_else(|| silent("readyok"))?;
        Ok(())
    }
}

impl Player for ProgramPlayer<'_> {
    fn new_game(&mut self) -> Result<(), Fault> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        process.say("ucinewgame")?;
        process.say("isready")?;
        match process.until("readyok", Instant::now() + READY, |_| ())? {
            Some(_) => {
                self.process = Some(process);
                Ok(())
            }
            None => Err(Fault::Silent(READY)),
        }
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        // After a fault it is started again by the next game.
        let Some(mut process) = self.process.take() else { return Err(Fault::Died("it was ended".into())) };
        process.say(&position(turn))?;
        // The clock runs from when the program may know.
        let began = Instant::now();
        process.say(&go(turn))?;
        let mut opinion = Opinion::default();
        let limit = turn.deadline().unwrap_or(turn.patience);
        let mut best = process.until("bestmove", began + limit, |line| opinion.hear(line))?;
        if best.is_none() {
            process.say("stop")?;
            best = process.until("bestmove", Instant::now() + GRACE, |_| ())?;
        }
        let Some((at, line)) = best else { return Err(Fault::Silent(began.elapsed())) };
        self.process = Some(process);
        Ok(Answer {
            text: line.split_whitespace().nth(1).unwrap_or_default().to_owned(),
            score: opinion.score,
            depth: opinion.depth,
            took: at.saturating_duration_since(began),
            waited: Duration::ZERO,
        })
    }
}

fn position(turn: &Turn<'_>) -> String {
    let mut text = if turn.start == turn.position.info().start_fen {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", turn.start)
    };
    if !turn.moves.is_empty() {
        text.push_str(" moves ");
        text.push_str(&turn.moves.join(" "));
    }
    text
}

fn go(turn: &Turn<'_>) -> String {
    let mut text = "go".to_owned();
    let _ = match turn.clock().control() {
        Control::MoveTime(time) => write!(text, " movetime {}", time.as_millis()),
        Control::Nodes(nodes) => write!(text, " nodes {nodes}"),
        Control::Depth(depth) => write!(text, " depth {depth}"),
        Control::Clock { .. } => {
            for (clock, side) in turn.clocks.iter().zip(['w', 'b']) {
                if let Control::Clock { increment, .. } = clock.control() {
                    let remaining = clock.remaining().unwrap_or_default().as_millis();
                    let _ = write!(text, " {side}time {remaining} {side}inc {}", increment.as_millis());
                }
            }
            turn.clock().moves_to_go().map_or(Ok(()), |moves| write!(text, " movestogo {moves}"))
        }
    };
    text
}

/// What the program has said of the position.
#[derive(Default)]
struct Opinion {
    score: Option<Score>,
    depth: Option<u32>,
}

impl Opinion {
    fn hear(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        let (mut score, mut depth) = (None, None);
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = words.next().and_then(|n| n.parse().ok()),
                // Only the best line is its opinion.
                "multipv" if words.next() != Some("1") => return,
                "score" => {
                    let kind = words.next();
                    let number = words.next().and_then(|n| n.parse().ok());
                    score = match kind {
                        Some("cp") => number.map(Score::Cp),
                        Some("mate") => number.map(Score::Mate),
                        _ => None,
                    };
                }
                "pv" | "string" => break,
                _ => {}
            }
        }
        if score.is_some() {
            self.score = score;
            self.depth = depth.or(self.depth);
        }
    }
}

/// An option that the program offers.
struct OptionLine {
    name: String,
    choices: Vec<String>,
}

impl OptionLine {
    fn parse(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("option ")?.trim_start().strip_prefix("name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let choices = rest.split(" var ").skip(1).map(|choice| excerpt(choice.trim())).collect();
        Some(Self { name: name.trim().to_owned(), choices })
    }
    fn allows(&self, choice: &str) -> bool {
        self.choices.iter().any(|c| c == choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_with_their_choices() {
        let option = OptionLine::parse("option name UCI_Variant type combo default chess var chess var teleport");
        let option = option.expect("an option");
        assert_eq!(option.name, "UCI_Variant");
        assert!(option.allows("teleport") && option.allows("chess") && !option.allows("go"));
        assert_eq!(OptionLine::parse("option name Move Overhead type spin").expect("one").name, "Move Overhead");
        assert!(OptionLine::parse("info string option name x type y").is_none());
    }

    #[test]
    fn its_opinion_is_the_best_line_it_told_last() {
        let mut opinion = Opinion::default();
        for line in [
            "info depth 3 score cp 31 nodes 4 pv e2e4",
            "info depth 4 seldepth 6 multipv 1 score mate -2 nodes 9 pv score cp 5",
            "info depth 4 multipv 2 score cp 900",
            "info depth 5 currmove e2e4",
            "info string score cp 77",
            "info score cp",
        ] {
            opinion.hear(line);
        }
        assert_eq!((opinion.score, opinion.depth), (Some(Score::Mate(-2)), Some(4)));
    }
}
