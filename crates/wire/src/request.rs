//! What can be asked, and the answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use warpchess_rules::notation::pgn::{self, Tags};
use warpchess_rules::notation::{san, uci};
use warpchess_rules::{Game, VariantId};

use crate::error::{Error, Field};
use crate::memory::Memory;
use crate::premove::premoves;
#[cfg(feature = "engine")]
use crate::search::{Analyse, Analysis, Found, Search};
use crate::setup::{Judged, Setup};
use crate::tree::{FirstGame, Tree};
use crate::view::{GameView, LegalMove, Named};
use crate::why::{Tried, Why, why};

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
    View {
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// How many of its first plies are known and need not be told again in `history`.
        #[serde(default)]
        known: usize,
        /// Whether the legal moves come without their names (see `Name`), without what is null or empty, and those that
        /// are made with the same gesture together.
        #[serde(default)]
        light: bool,
    },
    /// What a legal move is called, and whether it gives check: a [`Named`].
    Name {
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// The move.
        uci: String,
    },
    /// What the side that waits may decide already: a list of [`LegalMove`], every move that can become legal at its
    /// next turn.
    Premoves(GameText),
    /// Why a piece may not go where somebody tried to take it: a [`Why`].
    Why {
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// From where to where.
        #[serde(flatten)]
        tried: Tried,
    },
    /// What a text means that a person wrote, as SAN or UCI: the move in UCI form.
    Parse {
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// The text.
        text: String,
    },
    /// The computer's move. It takes its time: ask where nobody waits.
    #[cfg(feature = "engine")]
    Search(Search),
    /// The best lines of a position, as far as some nodes show them. It takes its time, too.
    #[cfg(feature = "engine")]
    Analyse(Analyse),
    /// The game as a PGN.
    Pgn {
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// Tags: `White`, `Date`, …
        #[serde(default)]
        tags: BTreeMap<String, String>,
    },
    /// The first game of a PGN, with its variations and comments: a tree.
    ReadPgn {
        /// The PGN.
        text: String,
    },
    /// A tree as a PGN.
    WritePgn(Tree),
    /// A FEN taken to pieces, for an editor, and what is wrong with it.
    ReadSetup {
        /// The variant's id.
        variant: String,
        /// The FEN.
        fen: String,
    },
    /// A FEN put together, and what is wrong with it.
    WriteSetup {
        /// The variant's id.
        variant: String,
        /// The pieces.
        setup: Setup,
    },
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
    /// What a move is called.
    Named(Named),
    /// Moves of a later turn.
    Moves(Vec<LegalMove>),
    /// Why not.
    Why(Why),
    /// The computer's move.
    #[cfg(feature = "engine")]
    Found(Found),
    /// The best lines.
    #[cfg(feature = "engine")]
    Analysis(Analysis),
    /// A game with variations.
    Game(FirstGame),
    /// A set-up.
    Setup(Judged),
    /// A FEN, a move, a picture, a PGN.
    Text(String),
    /// A count.
    Number(u64),
}

/// Answers a request. Whatever the bytes are, the reply is JSON, and says what was wrong if anything was.
pub fn handle(request: &[u8]) -> Vec<u8> {
    handle_with(request, &mut Memory::default())
}

/// The same for one who asks again and again about a game: `memory` makes it faster, and changes no answer.
pub fn handle_with(request: &[u8], memory: &mut Memory) -> Vec<u8> {
    let request = serde_json::from_slice::<Request>(request)
        .map_err(|error| Error::new(Field::Request, format_args!("the request cannot be understood: {error}")));
    let reply = match request.and_then(|request| request.answer(memory)) {
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
    pub fn answer(self, memory: &mut Memory) -> Result<Answer, Error> {
        Ok(match self {
            Self::Variants => Answer::Variants(VariantId::all().map(|variant| variant.info().to_json()).collect()),
            Self::View { game, known, light } => {
                let game = memory.replay(&game)?;
                Answer::View(Box::new(if light { GameView::light(game, known) } else { GameView::since(game, known) }))
            }
            Self::Name { game, uci } => {
                let position = memory.replay(&game)?.position();
                let m = uci::parse(position, &uci).map_err(|error| Error::new(Field::Text, error))?;
                Answer::Named(Named::of(position, m))
            }
            Self::Premoves(game) => {
                let game = memory.replay(&game)?;
                Answer::Moves(if game.outcome().is_some() { Vec::new() } else { premoves(game.position()) })
            }
            Self::Why { game, tried } => Answer::Why(why(memory.replay(&game)?.position(), &tried)?),
            Self::Parse { game, text } => {
                let m = san::parse(memory.replay(&game)?.position(), &text)
                    .map_err(|error| Error::san(Field::Text, &error))?;
                Answer::Text(m.to_string())
            }
            #[cfg(feature = "engine")]
            Self::Search(search) => Answer::Found(search.find()?),
            #[cfg(feature = "engine")]
            Self::Analyse(analyse) => Answer::Analysis(analyse.lines()?),
            Self::Pgn { game, tags } => Answer::Text(game.pgn(tags)?),
            Self::ReadPgn { text } => Answer::Game(FirstGame::read(&text)?),
            Self::WritePgn(tree) => Answer::Text(tree.write()?),
            Self::ReadSetup { variant, fen } => Answer::Setup(Judged::read(variant_id(&variant)?, &fen)?),
            Self::WriteSetup { variant, setup } => Answer::Setup(Judged::write(variant_id(&variant)?, setup)?),
            Self::Perft { game, depth } => Answer::Number(game.replay()?.position().perft(depth)),
            Self::Svg(game) => Answer::Text(warpchess_diagram::svg::diagram(game.replay()?.position())),
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

pub(crate) fn variant_id(id: &str) -> Result<VariantId, Error> {
    id.parse().map_err(|error| Error::new(Field::Variant, error))
}

impl GameText {
    /// The game, all moves played.
    ///
    /// # Errors
    /// Names the part of the game that is at fault, and the move.
    pub fn replay(&self) -> Result<Game, Error> {
        let variant = variant_id(&self.variant)?;
        let mut game = match &self.fen {
            Some(fen) => Game::from_fen(variant, fen)?,
            None => Game::new(variant),
        };
        for (ply, text) in self.moves.iter().enumerate() {
            game.play_uci(text).map_err(|error| Error::ply(ply, text, &error))?;
        }
        Ok(game)
    }

    fn pgn(&self, tags: BTreeMap<String, String>) -> Result<String, Error> {
        let game = self.replay()?;
        let mut named = Tags::new();
        for (name, value) in tags {
            named.set(&name, value).map_err(|error| Error::new(Field::Tags, error))?;
        }
        pgn::write(&game.to_record(named)).map_err(|error| Error::new(Field::Moves, error))
    }
}
