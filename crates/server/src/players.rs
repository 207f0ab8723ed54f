//! Players as the API tells of them, in the shape that clients of Lichess know.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::App;
use crate::games::Speed;
use crate::perf::Perf;
use crate::store::accounts::{self, Account, Tally};
use crate::store::ratings::{self, Standing};
use crate::store::{Db, StoreError};

/// A rating as it is told.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PerfForm {
    /// Rated games.
    games: i64,
    rating: i64,
    /// The deviation: how uncertain the rating is.
    rd: i64,
    /// What the last game changed.
    prog: i64,
    /// Whether it is provisional: the deviation is above 110.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    prov: bool,
}

impl PerfForm {
    pub(crate) fn of(standing: &Standing, now: i64, prog: i64) -> Self {
        let rating = standing.rating.aged(now - standing.updated_at);
        Self {
            games: standing.games(),
            rating: rating.shown(),
            rd: rating.deviation.round() as i64,
            prog,
            prov: rating.provisional(),
        }
    }
}

/// How many games.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Count {
    all: i64,
    rated: i64,
    draw: i64,
    loss: i64,
    win: i64,
    playing: i64,
}

impl From<Tally> for Count {
    fn from(tally: Tally) -> Self {
        Self {
            all: tally.all,
            rated: tally.rated,
            draw: tally.draws,
            loss: tally.losses,
            win: tally.wins,
            playing: tally.playing,
        }
    }
}

/// Who somebody is, in short.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Light {
    /// The name in lower case.
    pub(crate) id: String,
    /// As it is shown.
    pub(crate) name: String,
    /// `BOT` for a program's account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'static str>,
}

impl Light {
    pub(crate) fn of(account: &Account) -> Self {
        Self { id: account.id.clone(), name: account.name.clone(), title: title(account) }
    }
}

fn title(account: &Account) -> Option<&'static str> {
    account.bot.then_some("BOT")
}

/// All that is told of a player.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Extended {
    /// The name in lower case.
    id: String,
    /// As it is shown.
    username: String,
    /// `BOT` for a program's account.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'static str>,
    /// By game and speed: `blitz` for chess, with the game's id and `-` before it for others.
    perfs: BTreeMap<String, PerfForm>,
    /// In milliseconds since 1970.
    created_at: i64,
    /// To within ten minutes.
    seen_at: i64,
    /// Whether the account was shut out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tos_violation: bool,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<Count>,
}

/// All that is told of an account.
pub(crate) async fn extended(app: &App, db: &mut Db, account: &Account) -> Result<Extended, StoreError> {
    let tally = accounts::tally(db, &account.id).await?;
    let form = listed(app, db, account).await?;
    Ok(Extended { count: Some(tally.into()), ..form })
}

/// The same without what takes counting, for lists.
pub(crate) async fn listed(app: &App, db: &mut Db, account: &Account) -> Result<Extended, StoreError> {
    let now = app.now();
    let standings = ratings::of_user(db, &account.id).await?;
    let mut perfs: BTreeMap<String, PerfForm> =
        // Clients look for the usual ones, played or not.
        Speed::ALL.into_iter().map(|speed| (speed.name().to_owned(), PerfForm::of(&Standing::new("", "", "", now), now, 0))).collect();
    for standing in &standings {
        if let Some(perf) = perf(standing) {
            let prog = ratings::last_change(db, &account.id, &standing.variant, &standing.speed).await?;
            perfs.insert(perf.to_string(), PerfForm::of(standing, now, prog));
        }
    }
    Ok(Extended {
        id: account.id.clone(),
        username: account.name.clone(),
        title: title(account),
        perfs,
        created_at: account.created_at,
        seen_at: account.seen_at,
        tos_violation: account.banned_at.is_some(),
        url: app.url(&format!("/@/{}", account.name)),
        count: None,
    })
}

/// What a rating is for; `None` for a game that this version does not know.
pub(crate) fn perf(standing: &Standing) -> Option<Perf> {
    Some(Perf { variant: standing.variant.parse().ok()?, speed: standing.speed.parse().ok()? })
}

/// How long after it was last used an account counts as there.
pub(crate) const ONLINE: i64 = 15 * 60_000;
