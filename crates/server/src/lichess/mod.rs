//! Games, challenges and events in the shapes that clients of Lichess' API know.
//!
//! Source: [the description of that API](https://lichess.org/api), and what the client `berserk` reads of it.

pub(crate) mod challenge;
pub(crate) mod event;
pub(crate) mod export;
pub(crate) mod game;
pub(crate) mod pages;
pub(crate) mod stream;

use serde_json::{Value, json};
use warpchess_rules::VariantId;
use warpchess_rules::variants::UnknownVariant;

use crate::error::Error;
use crate::games::{Control, Speed};
use crate::perf::Perf;
use crate::store::accounts;
use crate::store::{Db, StoreError};

/// What Lichess calls the game that is the first of the registry.
const STANDARD: &str = "standard";
/// Why a game ended of which that is not known.
pub(crate) const UNKNOWN: &str = "unknown";
/// What Lichess calls the same from another beginning.
const FROM_POSITION: &str = "fromPosition";

/// What a client calls a game.
pub(crate) fn variant_key(variant: VariantId) -> &'static str {
    if variant == VariantId::default() { STANDARD } else { variant.id() }
}

/// The game that a client calls so.
pub(crate) fn variant_of(key: &str) -> Result<VariantId, Error> {
    match key {
        STANDARD | FROM_POSITION => Ok(VariantId::default()),
        _ => key.parse().map_err(|error: UnknownVariant| Error::bad("variant", error.to_string())),
    }
}

/// `{"key": …, "name": …, "short": …}`.
pub(crate) fn variant_form(variant: VariantId) -> Value {
    let key = variant_key(variant);
    let (name, short) = if key == STANDARD { ("Standard", "Std") } else { (variant.info().names[0], variant.id()) };
    json!({ "key": key, "name": name, "short": short })
}

/// `{"name": …}`, for what ratings are kept for.
pub(crate) fn perf_form(variant: VariantId, speed: Speed) -> Value {
    json!({ "name": Perf { variant, speed }.name() })
}

/// A time control as challenges have it.
pub(crate) fn time_control(control: Control) -> Value {
    match control {
        Control::Live { limit, increment } => {
            let minutes = match limit {
                15_000 => "¼".to_owned(),
                30_000 => "½".to_owned(),
                45_000 => "¾".to_owned(),
                limit if limit % 60_000 == 0 => (limit / 60_000).to_string(),
                limit => format!("{:.1}", limit as f64 / 60_000.0),
            };
            let (limit, increment) = (limit / 1000, increment / 1000);
            json!({ "type": "clock", "limit": limit, "increment": increment, "show": format!("{minutes}+{increment}") })
        }
        Control::Days { days } => json!({ "type": "correspondence", "daysPerTurn": days }),
        Control::Unlimited => json!({ "type": "unlimited" }),
    }
}

/// A game's status: its number and its name. `reason` is why it ended.
pub(crate) fn status(status: &str, reason: Option<&str>) -> (u8, &'static str) {
    match (status, reason.unwrap_or_default()) {
        ("started", _) => (20, "started"),
        ("aborted", _) => (25, "aborted"),
        (_, "checkmate") => (30, "mate"),
        (_, "resignation") => (31, "resign"),
        (_, "stalemate") => (32, "stalemate"),
        (_, "left") => (33, "timeout"),
        (_, "timeout") => (35, "outoftime"),
        (_, "kingDestroyed" | "goalReached") => (60, "variantEnd"),
        (_, UNKNOWN) => (38, "unknownFinish"),
        _ => (34, "draw"),
    }
}

/// Why games ended that a client calls so; `None` for words that are no ends.
pub(crate) fn reasons(name: &str) -> Option<&'static [&'static str]> {
    let reasons = ENDS.iter().find(|(known, _)| *known == name).map(|(_, reasons)| *reasons);
    // This server's own words are finer.
    reasons.or_else(|| {
        let own = ENDS.iter().flat_map(|(_, reasons)| reasons.iter());
        own.into_iter().find(|known| **known == name).map(std::slice::from_ref)
    })
}

/// The statuses of games that have ended, and the reasons that stand behind them.
const ENDS: [(&str, &[&str]); 8] = [
    ("mate", &["checkmate"]),
    ("resign", &["resignation"]),
    ("stalemate", &["stalemate"]),
    ("timeout", &["left"]),
    ("outoftime", &["timeout"]),
    ("variantEnd", &["kingDestroyed", "goalReached"]),
    ("unknownFinish", &[UNKNOWN]),
    (
        "draw",
        &[
            "insufficientMaterial",
            "fiftyMoves",
            "seventyFiveMoves",
            "threefoldRepetition",
            "fivefoldRepetition",
            "agreement",
        ],
    ),
];

/// The title of an account: that of a program, or none.
pub(crate) async fn title(db: &mut Db, user: Option<&str>) -> Result<Option<&'static str>, StoreError> {
    let Some(user) = user else { return Ok(None) };
    Ok(accounts::by_id(db, user).await?.is_some_and(|account| account.bot).then_some("BOT"))
}

/// Adds a field to a form, if there is something to say.
pub(crate) fn add(form: &mut Value, name: &str, value: Option<impl serde::Serialize>) {
    if let Some(value) = value {
        form[name] = json!(value);
    }
}

/// The id of a game without the four letters by which a client names its side, too.
pub(crate) fn game_id(id: &str) -> Result<&str, Error> {
    let known = crate::ids::is_game_id(id).then(|| &id[..crate::ids::GAME]);
    known.ok_or_else(|| Error { code: "no-game", ..Error::not_found(format_args!("game {}", crate::lichess::cut(id))) })
}

/// The beginning of what a client sent, to be quoted.
pub(crate) fn cut(text: &str) -> String {
    text.chars().take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess_has_two_names_and_other_games_their_own() {
        assert_eq!(variant_of("standard").unwrap(), variant_of("chess").unwrap());
        for variant in VariantId::all() {
            assert_eq!(variant_of(variant_key(variant)).unwrap(), variant);
        }
        assert_eq!(variant_of("crazyhouse").unwrap_err().field.as_deref(), Some("variant"));
    }

    #[test]
    fn a_game_is_found_by_either_form_of_its_id() {
        assert_eq!(game_id("abcd1234").unwrap(), "abcd1234");
        assert_eq!(game_id("abcd1234wxyz").unwrap(), "abcd1234");
        for id in ["", "abc", "abcd12345", "abcd/234", "ábcd1234", "abcd1234wxyz5"] {
            assert_eq!(game_id(id).unwrap_err().status.as_u16(), 404, "{id}");
        }
    }

    #[test]
    fn every_end_has_a_status_that_clients_know() {
        assert_eq!(status("started", None), (20, "started"));
        assert_eq!(status("aborted", Some("noStart")), (25, "aborted"));
        assert_eq!(status("ended", Some("checkmate")), (30, "mate"));
        assert_eq!(status("ended", Some("goalReached")), (60, "variantEnd"));
        assert_eq!(status("ended", Some("fivefoldRepetition")), (34, "draw"));
        for (name, ends) in ENDS {
            for reason in ends {
                assert_eq!(status("ended", Some(reason)).1, name, "{reason}");
            }
        }
        assert_eq!(reasons("outoftime"), Some(&["timeout"][..]));
        assert_eq!(reasons("checkmate"), Some(&["checkmate"][..]));
        assert_eq!(reasons("won"), None);
    }
}
