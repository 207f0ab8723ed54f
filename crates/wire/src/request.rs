//! What can be asked, and the answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use warpchess_rules::notation::uci;
use warpchess_rules::{AnyPosition, VariantId};

use crate::error::{Error, Field};
use crate::view::{self, GameView, Played};

/// A game: where it began, and what was played. `fen` is absent or null for the usual beginning.
#[derive(Clone, Debug, Deserialize)]
pub struct GameText {
    /// The variant's id.
    pub variant: String,
    /// The position that the game began with.
    #[serde(default)]
    pub fen: Option<String>,
    /// The moves so far, in UCI form.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A question, with its name in `op`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase")]
pub enum Request {
    /// Which games there are, and what they are made of: a list of `VariantInfo`.
    Variants,
    /// How a game stands: a [`GameView`].
    View(GameText),
    /// How many leaves the tree of legal moves has: a number.
    Perft {
        /// The position.
        #[serde(flatten)]
        game: GameText,
        /// How many plies deep.
        depth: u32,
    },
    /// A picture of the position: an SVG document.
    Svg(GameText),
    /// A set-up by chance, in games whose set-up is open: a FEN. The same seed gives the same.
    RandomSetup {
        /// The variant's id.
        variant: String,
        /// Any number from 0 to 2^53.
        seed: u64,
    },
}

/// `{"ok": …}` or `{"error": {"message": …, "field": …}}`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Reply {
    Ok(Answer),
    Error(Error),
}

/// What a request is answered with.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// Descriptions of games.
    Variants(Vec<Value>),
    /// How a game stands.
    View(Box<GameView>),
    /// A FEN, a move, a picture, a PGN.
    Text(String),
    /// A count.
    Number(u64),
}

/// Answers a request. Whatever the bytes are, the reply is JSON, and says what was wrong if anything was.
pub fn handle(request: &[u8]) -> Vec<u8> {
    let request = serde_json::from_slice::<Request>(request)
        .map_err(|error| Error::new(Field::Request, format_args!("the request cannot be understood: {error}")));
    let reply = match request.and_then(Request::answer) {
        Ok(answer) => Reply::Ok(answer),
        Err(error) => Reply::Error(error),
    };
    // Maps with keys that are no texts would be refused, and there are none.
    serde_json::to_vec(&reply).unwrap_or_else(|_| br#"{"error":{"message":"the answer cannot be written"}}"#.to_vec())
}

impl Request {
    /// The answer.
    ///
    /// # Errors
    /// Names the part of the request that is at fault.
    pub fn answer(self) -> Result<Answer, Error> {
        Ok(match self {
            Self::Variants => Answer::Variants(VariantId::all().map(|variant| variant.info().to_json()).collect()),
            Self::View(game) => Answer::View(Box::new(game.view()?)),
            Self::Perft { game, depth } => Answer::Number(game.replay()?.position.perft(depth)),
            Self::Svg(game) => Answer::Text(warpchess_diagram::svg::diagram(&*game.replay()?.position)),
            Self::RandomSetup { variant, seed } => {
                let id = variant_id(&variant)?;
                let set_up = id.random_setup(seed).ok_or_else(|| {
                    Error::new(Field::Variant, format_args!("{} has one set-up only", id.info().names[0]))
                })?;
                Answer::Text(set_up.fen())
            }
        })
    }
}

fn variant_id(id: &str) -> Result<VariantId, Error> {
    id.parse().map_err(|error| Error::new(Field::Variant, error))
}

/// A game as far as it was played.
struct Replayed {
    start_fen: String,
    position: Box<dyn AnyPosition>,
    history: Vec<Played>,
}

impl GameText {
    fn replay(&self) -> Result<Replayed, Error> {
        let variant = variant_id(&self.variant)?;
        let mut position = match &self.fen {
            Some(fen) => variant.from_fen(fen).map_err(|error| Error::new(Field::Fen, error))?,
            None => variant.start(),
        };
        let start_fen = position.fen();
        let mut history = Vec::with_capacity(self.moves.len());
        for (ply, text) in self.moves.iter().enumerate() {
            let m = uci::parse(&*position, text)
                .map_err(|error| Error::new(Field::Moves, format_args!("move {}: {error}", ply + 1)))?;
            let (turn, fullmove) = (position.turn().name(), position.fullmove_number());
            let effects = position.play(m).into_iter().map(Into::into).collect();
            history.push(Played {
                uci: m.to_string(),
                san: m.to_string(),
                turn,
                fullmove,
                effects,
                fen: position.fen(),
            });
        }
        Ok(Replayed { start_fen, position, history })
    }

    /// How the game stands.
    ///
    /// # Errors
    /// Names the part of the game that is at fault, and the move.
    pub fn view(&self) -> Result<GameView, Error> {
        let Replayed { start_fen, position, history } = self.replay()?;
        let position = &*position;
        let moves = position.legal_moves();
        Ok(GameView {
            variant: position.info().id,
            start_fen,
            fen: position.fen(),
            turn: position.turn().name(),
            area: view::area_due(position),
            ply: history.len(),
            fullmove: position.fullmove_number(),
            men: view::men(position),
            markers: view::markers(position),
            check: view::check(position),
            legal: moves.iter().map(|&m| view::legal_move(position, m, m.to_string())).collect(),
            outcome: position.outcome().map(Into::into),
            claimable: None,
            history,
        })
    }
}
