//! Positions with what became of them, as lines of text.

use std::fmt;
use warpchess_rules::{FenError, Position};

/// A quiet position of a game with how the game ended. As text: FEN, result and score, parted by tabs.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample<P> {
    /// The position.
    pub position: P,
    /// The game's result for White: 1, 0.5 or 0.
    pub result: f64,
    /// What a short search found it worth, for White, in hundredths of a pawn.
    pub score: i32,
}

/// A line that is no sample.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleError {
    /// Not three fields.
    #[error("'{0}', a FEN, a result and a score parted by tabs expected")]
    Fields(String),
    /// The FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The result.
    #[error("'{0}', a result for White of 1, 0.5 or 0 expected")]
    Result(String),
    /// The score.
    #[error("'{0}', a score for White from -20000 to 20000 hundredths of a pawn expected")]
    Score(String),
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

impl<P: Position> Sample<P> {
    /// Reads a line.
    ///
    /// # Errors
    /// Tells what was expected in it.
    pub fn read(line: &str) -> Result<Self, SampleError> {
        let line = line.trim_end_matches('\r');
        let [fen, result, score] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(SampleError::Fields(excerpt(line)));
        };
        let position = P::from_fen(fen)?;
        let result = match result {
            "1" => 1.0,
            "0.5" => 0.5,
            "0" => 0.0,
            _ => return Err(SampleError::Result(excerpt(result))),
        };
        let score = score.parse().ok().filter(|n| (-20_000..=20_000).contains(n));
        Ok(Self { position, result, score: score.ok_or_else(|| SampleError::Score(excerpt(line)))? })
    }
}

impl<P: Position> fmt::Display for Sample<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\t{}", self.position.fen(), self.result, self.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::variants::Chess;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_sample_written_is_read_again() {
        for result in ["1", "0.5", "0"] {
            let line = format!("{START}\t{result}\t-35");
            assert_eq!(Sample::<Chess>::read(&line).expect("a sample").to_string(), line);
        }
    }

    #[test]
    fn what_is_no_sample_is_said() {
        let refused = |line: &str| Sample::<Chess>::read(line).expect_err(line).to_string();
        assert!(refused(START).ends_with("a FEN, a result and a score parted by tabs expected"));
        assert!(refused(&format!("{START}\t1-0\t3")).starts_with("'1-0', a result"));
        assert!(refused(&format!("{START}\t1\t3.5")).contains("a score for White"));
        assert!(refused(&format!("{START}\t1\t90000")).contains("a score for White"));
        assert!(!refused("8/8 w - - 0 1\t1\t0").is_empty());
    }
}
