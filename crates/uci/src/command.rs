//! Lines of input as commands.

use warpchess_rules::notation::fen::excerpt;

use crate::go::Go;

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Command<'a> {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    Position {
        /// `None` for the game's start.
        fen: Option<String>,
        moves: Vec<&'a str>,
    },
    Go(Go<'a>),
    Stop,
    PonderHit,
    Display,
    Quit,
    /// Nothing to do: an empty line, `debug`, `register`.
    Nothing,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error("unknown command '{0}'")]
    Unknown(String),
    #[error("setoption: 'name' expected, then the option's name, then 'value' and its value")]
    SetOption,
    #[error("position: 'startpos' or 'fen' and a FEN expected, found '{0}'")]
    Position(String),
    #[error("position: 'moves' expected after startpos, found '{0}'")]
    Moves(String),
}

/// Reads a line.
pub(crate) fn parse(line: &str) -> Result<Command<'_>, CommandError> {
    let mut words = line.split_whitespace();
    let Some(command) = words.next() else { return Ok(Command::Nothing) };
    Ok(match command {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => set_option(words)?,
        "position" => position(words)?,
        "go" => Command::Go(Go::parse(words)),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "d" => Command::Display,
        "quit" => Command::Quit,
        "debug" | "register" => Command::Nothing,
        unknown => return Err(CommandError::Unknown(excerpt(unknown))),
    })
}

/// `setoption name NAME … [value VALUE …]`; both may have blanks inside.
fn set_option<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command<'a>, CommandError> {
    if words.next() != Some("name") {
        return Err(CommandError::SetOption);
    }
    let (mut name, mut value) = (Vec::new(), Vec::new());
    let mut in_value = false;
    for word in words {
        match word {
            "value" if !in_value => in_value = true,
            _ if in_value => value.push(word),
            _ => name.push(word),
        }
    }
    if name.is_empty() {
        return Err(CommandError::SetOption);
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command<'a>, CommandError> {
    let fen = match words.next() {
        Some("startpos") => {
            if let Some(word) = words.next().filter(|&word| word != "moves") {
                return Err(CommandError::Moves(excerpt(word)));
            }
            None
        }
        Some("fen") => Some(words.by_ref().take_while(|&word| word != "moves").collect::<Vec<_>>().join(" ")),
        other => return Err(CommandError::Position(excerpt(other.unwrap_or("nothing")))),
    };
    Ok(Command::Position { fen, moves: words.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_may_have_blanks() {
        let option = |name: &str, value: &str| Ok(Command::SetOption { name: name.into(), value: value.into() });
        assert_eq!(parse("setoption name Move Overhead value 20"), option("Move Overhead", "20"));
        assert_eq!(parse(" setoption  name Clear Hash\t"), option("Clear Hash", ""));
        assert_eq!(parse("setoption name A value of value"), option("A", "of value"));
        for bad in ["setoption", "setoption Hash 3", "setoption name", "setoption name value 3"] {
            assert_eq!(parse(bad), Err(CommandError::SetOption), "{bad}");
        }
    }

    #[test]
    fn a_position_is_a_start_and_moves() {
        let at = |fen: Option<&str>, moves: &[&'static str]| {
            Ok(Command::Position { fen: fen.map(str::to_owned), moves: moves.to_vec() })
        };
        assert_eq!(parse("position startpos"), at(None, &[]));
        assert_eq!(parse("position startpos moves e2e4 e7e5"), at(None, &["e2e4", "e7e5"]));
        assert_eq!(parse("position fen 8/8 w  - moves 0000"), at(Some("8/8 w -"), &["0000"]));
        assert_eq!(parse("position fen 8/8 w"), at(Some("8/8 w"), &[]));
        assert_eq!(parse("position fen"), at(Some(""), &[]));
        assert_eq!(parse("position"), Err(CommandError::Position("nothing".into())));
        assert_eq!(parse("position start"), Err(CommandError::Position("start".into())));
        assert_eq!(parse("position startpos e2e4"), Err(CommandError::Moves("e2e4".into())));
    }

    #[test]
    fn what_is_no_command_is_named() {
        assert_eq!(parse("Stop now"), Err(CommandError::Unknown("Stop".into())));
        assert_eq!(parse("   "), Ok(Command::Nothing));
    }
}
