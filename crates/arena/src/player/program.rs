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
            let is_variant = name.eq_ignore_ascii_case("UCI_Variant");
            // Games that it is told of by another option do not stand in its list.
            if !is_variant || self.program.options.len() == 1 {
                offer.check(value).map_err(|expected| {
                    Fault::Start(format!("option '{}': '{value}' is not {expected}", offer.name))
                })?;
            }
            self.set(process, &offer.name, value, deadline)?;
            variant_told |= is_variant;
        }
        let id = self.variant.id();
        match option("UCI_Variant") {
            _ if variant_told => {}
            // Rules that it is told of by a file do not stand in the list.
            Some(offer) if offer.allows(id) || !self.program.options.is_empty() => {
                self.set(process, &offer.name, id, deadline)?;
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

    /// Sets an option and hears what the program says to it before it is ready again.
    fn set(&self, process: &mut Process<'a>, name: &str, value: &str, deadline: Instant) -> Result<(), Fault> {
        process.say(&match value {
            "" => format!("setoption name {name}"),
            _ => format!("setoption name {name} value {value}"),
        })?;
        process.say("isready")?;
        let mut complaint = None;
        let ready = process.until("readyok", deadline, |line| complaint = complaint.take().or_else(|| error(line)))?;
        if let Some(said) = complaint {
            return Err(Fault::Start(format!("option '{name}': it said '{said}'")));
        }
        ready
            .map(drop)
            .ok_or_else(|| Fault::Start(format!("option '{name}': no 'readyok' within {} s", READY.as_secs())))
    }
}

/// What a line says of an error: `info string error …`, in whatever letters.
fn error(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix("info")?.trim_start().strip_prefix("string")?.trim_start();
    let word = rest.get(..5)?;
    word.eq_ignore_ascii_case("error").then(|| excerpt(rest.trim_end()))
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
    kind: String,
    /// Bounds of a number, where they are told.
    range: [Option<i64>; 2],
    choices: Vec<String>,
}

impl OptionLine {
    fn parse(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("option ")?.trim_start().strip_prefix("name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let choices = rest.split(" var ").skip(1).map(|choice| excerpt(choice.trim())).collect();
        // A default may be any text; what comes after the first choice are choices.
        let before: Vec<&str> = rest.split(" var ").next().unwrap_or_default().split_whitespace().collect();
        let number = |key: &str| before.windows(2).find(|pair| pair[0] == key).and_then(|pair| pair[1].parse().ok());
        let kind = before.first().copied().unwrap_or_default().to_owned();
        Some(Self { name: name.trim().to_owned(), kind, range: [number("min"), number("max")], choices })
    }
    /// Whether a value is one of those that it takes; otherwise what was expected.
    fn check(&self, value: &str) -> Result<(), String> {
        let good = match self.kind.as_str() {
            "spin" => value.parse().is_ok_and(|number: i64| {
                self.range[0].is_none_or(|least| least <= number) && self.range[1].is_none_or(|most| number <= most)
            }),
            "check" => ["true", "false"].contains(&value),
            "combo" => self.choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)),
            "button" => value.is_empty(),
            _ => true,
        };
        if good { Ok(()) } else { Err(self.expected()) }
    }
    fn expected(&self) -> String {
        match (self.kind.as_str(), self.range) {
            ("spin", [Some(least), Some(most)]) => format!("a whole number from {least} to {most}"),
            ("spin", _) => "a whole number within its bounds".into(),
            ("check", _) => "true or false".into(),
            ("combo", _) => format!("one of {}", self.choices.join(", ")),
            _ => "empty, as the value of a button is".into(),
        }
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
        let check = |line: &str, value: &str| OptionLine::parse(line).expect("an option").check(value);
        let spin = "option name Hash type spin default 16 min 1 max 64";
        assert_eq!(check(spin, "64"), Ok(()));
        for value in ["0", "65", "many", "", "1.5"] {
            assert_eq!(check(spin, value), Err("a whole number from 1 to 64".into()), "{value}");
        }
        assert_eq!(check("option name Ponder type check default false", "true"), Ok(()));
        assert_eq!(check("option name Ponder type check default false", "yes"), Err("true or false".into()));
        let combo = "option name Style type combo default min max var Solid var min max";
        assert_eq!((check(combo, "solid"), check(combo, "min max")), (Ok(()), Ok(())));
        assert_eq!(check(combo, "wild"), Err("one of Solid, min max".into()));
        assert!(check("option name Clear Hash type button", "").is_ok());
        assert!(check("option name Clear Hash type button", "now").is_err());
        assert!(check("option name Book type string default <empty>", "any thing").is_ok());
        assert!(OptionLine::parse("info string option name x type y").is_none());
    }

    #[test]
    fn complaints_are_told_from_other_lines() {
        assert_eq!(error("info string error: no such book").as_deref(), Some("error: no such book"));
        assert_eq!(error("info string ERROR: no network").as_deref(), Some("ERROR: no network"));
        for line in ["info string terror", "info string", "info depth 1", "", "info string \u{fc}\u{fc}\u{fc}"] {
            assert_eq!(error(line), None, "{line}");
        }
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
