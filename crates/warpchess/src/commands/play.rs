//! `warpchess play`.

use std::io::{self, BufRead, IsTerminal, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use warpchess_diagram::text;
use warpchess_engine::{AnyEngine, Level, Options, Signals, SystemClock, engine_for};
use warpchess_rules::notation::pgn::{Tags, write};
use warpchess_rules::notation::san;
use warpchess_rules::{Color, Game, Move, VariantId};

use crate::failure::{Failure, printable};

const HELP: &str = "\
Type a move as people write it (Nf3, Ng4→c4 or Ng4->c4, N~g5, Nb1^B, N@e4, Oe5, QAa4->, --)
or in UCI form (g1f3, f3g4c4, b1^B, N@e4, Oe4e5, a4a4, 0000). Enter alone plays the only move there is.
  moves   the legal moves          hint    what the computer would play
  undo    take back your last move board   show the board again
  fen     the position as FEN      pgn     the game as PGN
  resign  give up                  quit    leave";

/// Play against the computer in the terminal
#[derive(Args)]
pub(crate) struct Play {
    /// The game
    variant: VariantId,
    /// How strong the computer is, from 1 to 8
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=8))]
    level: u8,
    /// The position to begin with
    #[arg(long)]
    fen: Option<String>,
    /// Your side
    #[arg(long, value_enum, default_value_t = SideArg::W)]
    side: SideArg,
    /// Makes the computer's choices repeatable
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Copy, Clone, ValueEnum)]
enum SideArg {
    /// White
    W,
    /// Black
    B,
}

/// A game being played.
struct Table {
    game: Game,
    engine: Box<dyn AnyEngine>,
    level: Level,
    seed: u64,
    human: Color,
    start_fen: Option<String>,
    /// Whether somebody reads along: then there are prompts.
    watched: bool,
}

impl Play {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let game = match self.fen.as_deref() {
            None => Game::new(self.variant),
            Some(fen) => Game::from_fen(self.variant, fen)
                .map_err(|error| Failure::bad_input(format_args!("{}: {error}", self.variant)))?,
        };
        let level = Level::new(self.level).map_err(Failure::bad_input)?;
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64);
        let mut table = Table {
            engine: engine_for(self.variant, &Options::default()),
            game,
            level,
            seed: self.seed.unwrap_or_else(now),
            human: match self.side {
                SideArg::W => Color::White,
                SideArg::B => Color::Black,
            },
            start_fen: self.fen,
            watched: io::stdin().is_terminal(),
        };
        match table.play() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::failed(format_args!("the terminal is gone: {error}")))
            }
            _ => Ok(()),
        }
    }
}

impl Table {
    fn play(&mut self) -> io::Result<()> {
        let info = self.game.position().info();
        self.say(&format!("{}: {}\nType help for help.\n", info.names[0], info.summary[0]))?;
        self.board()?;
        let mut told = false;
        loop {
            if let Some(outcome) = self.game.outcome() {
                if !told {
                    self.say(&format!("{}: {}", outcome.score(), outcome.status()))?;
                    told = true;
                }
            } else {
                told = false;
                if self.game.position().turn() != self.human {
                    self.computer()?;
                    continue;
                }
            }
            let Some(line) = self.ask()? else { return Ok(()) };
            match line.as_str() {
                "quit" | "exit" | "q" => return Ok(()),
                "help" | "?" => self.say(HELP)?,
                "board" => self.board()?,
                "fen" => self.say(&self.game.position().fen())?,
                "pgn" => self.pgn()?,
                "moves" => self.moves()?,
                "undo" => self.undo()?,
                "hint" => self.hint()?,
                "resign" if self.game.outcome().is_none() => {
                    if let Err(error) = self.game.resign(self.human) {
                        self.say(&error.to_string())?;
                    }
                }
                "claim" => match self.game.claim_draw() {
                    Ok(_) => {}
                    Err(error) => self.say(&error.to_string())?,
                },
                text => self.human_move(text)?,
            }
        }
    }

    /// The next line of input, trimmed; `None` at its end.
    fn ask(&self) -> io::Result<Option<String>> {
        if self.watched {
            let position = self.game.position();
            let claim = self.game.claimable().map_or("", |_| " (you may claim a draw: claim)");
            let area =
                if position.info().alternating() { format!(" on {}", position.area().letter()) } else { String::new() };
            anstream::print!("{}. {}{area}{claim}> ", position.fullmove_number(), name(self.human));
            anstream::stdout().flush()?;
        }
        let mut line = Vec::new();
        if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
    }

    fn say(&self, text: &str) -> io::Result<()> {
        writeln!(anstream::stdout(), "{text}")
    }

    fn board(&self) -> io::Result<()> {
        self.say(&text::board(self.game.position()))
    }

    fn human_move(&mut self, text: &str) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return self.say(&format!("The game is over ({}). undo takes a move back, quit leaves.", outcome.status()));
        }
        let position = self.game.position();
        let moves = position.legal_moves();
        if text.is_empty() {
            let [only] = moves[..] else { return Ok(()) };
            return self.make(only, "You play");
        }
        match san::parse(position, text) {
            Ok(m) => self.make(m, "You play"),
            Err(error) => self.say(&printable(&error.to_string())),
        }
    }

    fn computer(&mut self) -> io::Result<()> {
        let Some(m) = self.think(self.level) else { return Ok(()) };
        self.make(m, "The computer plays")
    }

    /// What the computer would play. Never `None` while there is a legal move.
    fn think(&mut self, level: Level) -> Option<Move> {
        let moves: Vec<String> = self.game.moves().map(|m| m.to_string()).collect();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let any = self.game.position().legal_moves().first().copied();
        match self.engine.set_game(self.start_fen.as_deref(), &moves) {
            Ok(()) => {
                level.choose(&mut *self.engine, None, &SystemClock::start(), &Signals::new(), self.seed).best.or(any)
            }
            Err(_) => any,
        }
    }

    fn make(&mut self, m: Move, who: &str) -> io::Result<()> {
        let text = san::write(self.game.position(), m);
        if let Err(error) = self.game.play(m) {
            return self.say(&error.to_string());
        }
        self.say(&format!("{who} {text}\n"))?;
        self.board()
    }

    fn moves(&self) -> io::Result<()> {
        let position = self.game.position();
        let mut moves: Vec<String> = position.legal_moves().iter().map(|&m| san::write(position, m)).collect();
        moves.sort();
        self.say(&moves.join(" "))
    }

    /// Back to the human's last choice.
    fn undo(&mut self) -> io::Result<()> {
        if self.game.moves().len() == 0 && self.game.outcome().is_none() {
            return self.say("There is nothing to take back.");
        }
        while self.game.take_back().is_some() {
            if self.game.position().turn() == self.human {
                break;
            }
        }
        self.board()
    }

    fn hint(&mut self) -> io::Result<()> {
        let level = Level::new(Level::MAX - 2).unwrap_or(self.level);
        match self.think(level) {
            Some(m) => self.say(&format!("Perhaps {}", san::write(self.game.position(), m))),
            None => self.say("There is no move."),
        }
    }

    fn pgn(&self) -> io::Result<()> {
        let mut tags = Tags::new();
        let (human, computer) = match self.human {
            Color::White => ("White", "Black"),
            Color::Black => ("Black", "White"),
        };
        let level = format!("Warpchess level {}", self.level.number());
        let named = tags.set("Event", "Casual game").and_then(|()| tags.set(human, "Human"));
        let record = match named.and_then(|()| tags.set(computer, level)) {
            Ok(()) => self.game.to_record(tags),
            Err(_) => self.game.to_record(Tags::new()),
        };
        match write(&record) {
            Ok(text) => self.say(&text),
            Err(error) => self.say(&error.to_string()),
        }
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
