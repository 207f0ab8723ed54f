//! How games come about: challenges in the lobby, by link, to somebody, and to the computer.

use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use warpchess_engine::Level;
use warpchess_rules::{Color, VariantId};

use super::control::Control;
use super::create::{self, NewGame};
use super::service::{Games, insert};
pub use super::wish::{Opponent, Wish};
use super::{computer, lobby, players};
use crate::auth::Identity;
use crate::bus;
use crate::error::Error;
use crate::ids;
use crate::store::challenges::{self, ChallengeRow, Kind, Status};
use crate::store::games::{Seat, color};
use crate::store::{Db, aborts};

/// How long challenges wait, in milliseconds.
const LIVE: i64 = 15 * 60_000;
const LINK: i64 = 24 * 60 * 60_000;
const DAYS: i64 = 14 * 24 * 60 * 60_000;
/// How many games somebody may call off within how long, in milliseconds.
const MOST_ABORTS: i64 = 5;
const ABORT_WINDOW: i64 = 15 * 60_000;
/// How many somebody may have waiting.
const MOST: usize = 20;
/// How many the lobby shows.
const SHOWN: i64 = 200;
/// Ratings that somebody may ask of an opponent.
pub(crate) const RATINGS: std::ops::RangeInclusive<i64> = 0..=4000;
/// Longest FEN, in bytes.
const LONGEST_FEN: usize = 200;

/// What came of a wish.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Made {
    /// It waits.
    Challenge(Box<Challenge>),
    /// A game with this id.
    Game(String),
}

/// A challenge as clients are told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Challenge {
    /// Its id.
    pub id: String,
    /// `open`, `link` or `user`.
    pub kind: &'static str,
    /// `open`, `accepted`, `declined`, `canceled` or `expired`.
    pub status: &'static str,
    /// The variant's id.
    pub variant: &'static str,
    /// Another beginning than the usual.
    pub fen: Option<String>,
    /// How much time.
    pub control: Control,
    /// Its class.
    pub speed: &'static str,
    /// The challenger's color.
    pub color: &'static str,
    /// Whether ratings change.
    pub rated: bool,
    /// The lowest rating of an opponent.
    pub min_rating: Option<i64>,
    /// The highest.
    pub max_rating: Option<i64>,
    /// Who challenges.
    pub by: Challenger,
    /// The account that is challenged.
    pub to: Option<String>,
    /// Why it was declined.
    pub reason: Option<String>,
    /// The game that came of it.
    pub game: Option<String>,
    /// When it was made.
    pub created_at: i64,
    /// How long it waits.
    pub expires_at: i64,
}

/// Who challenges.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Challenger {
    /// The name.
    pub name: String,
    /// The account.
    pub user: Option<String>,
    /// What it is worth.
    pub rating: Option<i64>,
    /// Whether that is known badly.
    pub provisional: bool,
}

impl From<&ChallengeRow> for Challenge {
    fn from(row: &ChallengeRow) -> Self {
        Self {
            id: row.id.clone(),
            kind: row.kind.name(),
            status: row.status.name(),
            variant: row.variant.id(),
            fen: row.initial_fen.clone(),
            control: row.control,
            speed: row.control.speed().name(),
            color: row.color.map_or("random", Color::name),
            rated: row.rated,
            min_rating: row.min_rating,
            max_rating: row.max_rating,
            by: Challenger {
                name: row.creator_name.clone(),
                user: row.creator_user.clone(),
                rating: row.creator_rating,
                provisional: row.creator_provisional,
            },
            to: row.target_user.clone(),
            reason: row.decline_reason.clone(),
            game: row.game_id.clone(),
            created_at: row.created_at,
            expires_at: row.expires_at,
        }
    }
}

/// Challenges. Clones are handles to the same.
#[derive(Clone)]
pub struct Challenges {
    pub(super) games: Games,
    /// Who is connected to this node.
    pub(super) players: lobby::Players,
    /// When this node began.
    pub(super) began_at: i64,
}

/// A wish that was checked.
struct Checked {
    variant: VariantId,
    fen: Option<String>,
    color: Option<Color>,
}

fn check(wish: &Wish, who: &Identity) -> Result<Checked, Error> {
    let variant: VariantId = wish
        .variant
        .parse()
        .map_err(|error: warpchess_rules::variants::UnknownVariant| Error::bad("variant", error.to_string()))?;
    let fen = match wish.fen.as_deref().map(str::trim).filter(|fen| !fen.is_empty()) {
        Some(fen) if fen.len() > LONGEST_FEN => {
            return Err(Error::bad("fen", format!("a FEN has at most {LONGEST_FEN} bytes")));
        }
        Some(fen) => Some(create::check_fen(variant, fen).map_err(|why| Error::bad("fen", why))?),
        None => None,
    };
    let fen = match (wish.setup.as_deref().unwrap_or("usual"), fen) {
        ("usual", fen) => fen,
        ("random", Some(_)) => return Err(Error::bad("setup", "a beginning by chance has no FEN")),
        ("random", None) => Some(create::by_chance(variant).map_err(|why| Error::bad("setup", why))?),
        (other, _) => {
            let other: String = other.chars().take(20).collect();
            return Err(Error::bad("setup", format!("'{other}' is no set-up, expected usual or random")));
        }
    };
    let fen = fen.filter(|fen| *fen != variant.start().fen());
    wish.control.check().map_err(|why| why.within("control"))?;
    let color = match wish.color.as_deref() {
        None | Some("random") => None,
        Some(name) => Some(
            color(name)
                .ok_or_else(|| Error::bad("color", format!("'{name}' is no color, expected white, black or random")))?,
        ),
    };
    if wish.rated {
        if who.user.is_none() {
            return Err(Error::bad("rated", "rated games take an account"));
        }
        if fen.is_some() {
            return Err(Error::bad("rated", "rated games begin at the usual position"));
        }
        if matches!(wish.opponent, Opponent::Computer { .. }) {
            return Err(Error::bad("rated", "games against the computer are not rated"));
        }
        if wish.control == Control::Unlimited {
            return Err(Error::bad("rated", "rated games take a clock"));
        }
    }
    for (field, rating) in [("minRating", wish.min_rating), ("maxRating", wish.max_rating)] {
        if rating.is_some_and(|rating| !RATINGS.contains(&rating)) {
            let message = format!("'{field}' is expected to be from {} to {}", RATINGS.start(), RATINGS.end());
            return Err(Error::bad(field, message));
        }
    }
    if wish.min_rating.zip(wish.max_rating).is_some_and(|(min, max)| min > max) {
        return Err(Error::bad("minRating", "the lowest rating is above the highest"));
    }
    Ok(Checked { variant, fen, color })
}

fn seat(who: &Identity) -> Seat {
    Seat {
        user: who.user.clone(),
        session: who.user.is_none().then(|| who.session.clone()),
        name: who.name.clone(),
        ..Seat::default()
    }
}

/// White and Black, by the first one's color or by chance.
fn sides(first: Seat, second: Seat, color: Option<Color>) -> (Seat, Seat) {
    let white = match color {
        Some(color) => color == Color::White,
        None => ids::random_bytes::<1>()[0].is_multiple_of(2),
    };
    if white { (first, second) } else { (second, first) }
}

/// Has somebody wait who has called off game after game.
async fn check_aborts(db: &mut Db, who: &Identity, now: i64) -> Result<(), Error> {
    let player = bus::player_subject(who.user.as_deref(), Some(&who.session)).unwrap_or_default();
    let times = aborts::since(db, &player, now - ABORT_WINDOW, MOST_ABORTS).await?;
    match times.last() {
        Some(oldest) if times.len() as i64 >= MOST_ABORTS => {
            let seconds = ((oldest + ABORT_WINDOW - now) / 1000).max(1).unsigned_abs();
            let message = format!("you have called off {MOST_ABORTS} games lately; the next can begin in {seconds} s");
            Err(Error { code: "too-many-aborts", ..Error::too_many(seconds, message) })
        }
        _ => Ok(()),
    }
}

fn gone(status: Status) -> Error {
    Error::conflict("challenge-gone", format!("the challenge is not open any more ({})", status.name()))
}

impl Challenges {
    pub(crate) fn new(games: Games) -> Self {
        let began_at = games.clock().now();
        Self { games, players: lobby::Players::default(), began_at }
    }

    /// Makes a challenge; one to the computer is accepted at once.
    ///
    /// # Errors
    /// Which part of the wish cannot be.
    pub async fn make(&self, wish: &Wish, who: &Identity) -> Result<Made, Error> {
        let Checked { variant, fen, color } = check(wish, who)?;
        if let Opponent::Computer { level } = wish.opponent {
            let level = Level::new(level).map_err(|error| Error::bad("opponent", error.to_string()))?;
            let (white, black) = sides(seat(who), computer::seat(level), color);
            let control = wish.control;
            let new = NewGame { variant, initial_fen: fen, control, rated: false, white, black, rematch_of: None };
            return Ok(Made::Game(self.games.create(new).await?));
        }
        let now = self.games.clock().now();
        let mut db = self.games.store().read().await?;
        check_aborts(&mut db, who, now).await?;
        let (kind, target_user) = match &wish.opponent {
            Opponent::Lobby => (Kind::Open, None),
            Opponent::Link | Opponent::Computer { .. } => (Kind::Link, None),
            Opponent::User { name } => {
                let user = name.trim().to_lowercase();
                if who.user.as_ref() == Some(&user) {
                    return Err(Error::bad("opponent", "you cannot challenge yourself"));
                }
                if players::account_name(&mut db, &user).await?.is_none() {
                    return Err(Error::not_found(format_args!("player {name}")));
                }
                (Kind::User, Some(user))
            }
        };
        if challenges::of_player(&mut db, who.user.as_deref(), &who.session, now).await?.len() >= MOST {
            return Err(Error::too_many(60, format!("you have {MOST} challenges waiting already")));
        }
        let shown = match &who.user {
            Some(user) => Some(players::current(&mut db, user, variant.id(), wish.control.speed(), now).await?),
            None => None,
        };
        drop(db);
        let lasts = match (wish.control.is_live(), kind) {
            (true, Kind::Open | Kind::User) => LIVE,
            (true, Kind::Link) => LINK,
            (false, _) => DAYS,
        };
        let row = ChallengeRow {
            id: ids::random(ids::GAME),
            kind,
            status: Status::Open,
            variant,
            initial_fen: fen,
            control: wish.control,
            color,
            rated: wish.rated,
            min_rating: wish.min_rating,
            max_rating: wish.max_rating,
            creator_user: who.user.clone(),
            creator_session: who.user.is_none().then(|| who.session.clone()),
            creator_name: who.name.clone(),
            creator_rating: shown.map(|shown| shown.rating),
            creator_provisional: shown.is_some_and(|shown| shown.provisional),
            target_user,
            decline_reason: None,
            game_id: None,
            created_at: now,
            expires_at: now + lasts,
        };
        let challenge = Challenge::from(&row);
        let kept = row.clone();
        let job = self.games.store().write(move |db| Box::pin(async move { challenges::insert(db, &kept).await }));
        job.await?;
        self.tell(&row, "challenge");
        Ok(Made::Challenge(Box::new(challenge)))
    }

    /// A challenge. Those to a named player are for the two of them to see.
    ///
    /// # Errors
    /// When there is none.
    pub async fn get(&self, id: &str, who: Option<&Identity>) -> Result<Challenge, Error> {
        let row = self.row(id).await?;
        let user = who.and_then(|who| who.user.as_ref());
        let theirs =
            who.is_some_and(|who| is_creator(&row, who)) || (user.is_some() && row.target_user.as_ref() == user);
        if row.kind == Kind::User && !theirs {
            return Err(Error::not_found(format_args!("challenge {id}")));
        }
        Ok(Challenge::from(&row))
    }

    pub(super) async fn row(&self, id: &str) -> Result<ChallengeRow, Error> {
        let none = || Error::not_found(format_args!("challenge {}", id.chars().take(20).collect::<String>()));
        if !ids::is_game_id(id) {
            return Err(none());
        }
        let mut db = self.games.store().read().await?;
        challenges::by_id(&mut db, id).await?.ok_or_else(none)
    }

    /// What waits in the lobby.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lobby(&self) -> Result<Vec<Challenge>, Error> {
        let mut db = self.games.store().read().await?;
        let rows = challenges::lobby(&mut db, self.games.clock().now(), SHOWN).await?;
        Ok(rows.iter().map(Challenge::from).collect())
    }

    /// What waits that somebody has made or is asked for.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn of(&self, who: &Identity) -> Result<Vec<Challenge>, Error> {
        let mut db = self.games.store().read().await?;
        let now = self.games.clock().now();
        let rows = challenges::of_player(&mut db, who.user.as_deref(), &who.session, now).await?;
        Ok(rows.iter().map(Challenge::from).collect())
    }

    /// Accepts a challenge: the id of the game that begins.
    ///
    /// # Errors
    /// Why it cannot be accepted.
    pub async fn accept(&self, id: &str, who: &Identity) -> Result<String, Error> {
        let row = self.row(id).await?;
        let now = self.games.clock().now();
        if row.status != Status::Open {
            return Err(gone(row.status));
        }
        if row.expires_at <= now {
            return Err(gone(Status::Expired));
        }
        if is_creator(&row, who) {
            return Err(Error::conflict("own-challenge", "it is your own challenge: you cannot play yourself"));
        }
        if row.kind == Kind::User && row.target_user != who.user {
            return Err(Error::forbidden("the challenge is for somebody else"));
        }
        if row.rated && who.user.is_none() {
            return Err(Error::forbidden("rated games take an account"));
        }
        self.check_rating(&row, who).await?;
        check_aborts(&mut *self.games.store().read().await?, who, now).await?;
        let creator = Seat {
            user: row.creator_user.clone(),
            session: row.creator_session.clone(),
            name: row.creator_name.clone(),
            ..Seat::default()
        };
        let (white, black) = sides(creator, seat(who), row.color);
        let new = NewGame {
            variant: row.variant,
            initial_fen: row.initial_fen.clone(),
            control: row.control,
            rated: row.rated,
            white,
            black,
            rematch_of: None,
        };
        let id = row.id.clone();
        let live = self.games.store().write(move |db| {
            Box::pin(async move {
                let mut live = new.begin(now);
                // Clients know the game by the challenge that it comes of.
                live.row.id.clone_from(&id);
                // Two may accept at once: the second finds the game there, or the challenge gone, and its game is not kept.
                match insert(db, &mut live).await {
                    Err(error) if error.is_unique_violation() => return Err(gone(Status::Accepted)),
                    stored => stored?,
                }
                if !challenges::close(db, &id, Status::Accepted, Some(&live.row.id), None).await? {
                    return Err(gone(Status::Accepted));
                }
                Ok::<_, Error>(live)
            })
        });
        let live = live.await?;
        let mut row = row;
        row.status = Status::Accepted;
        row.game_id = Some(live.row.id.clone());
        let game = self.games.begun(live);
        self.tell(&row, "challenge-accepted");
        Ok(game)
    }

    async fn check_rating(&self, row: &ChallengeRow, who: &Identity) -> Result<(), Error> {
        if row.min_rating.is_none() && row.max_rating.is_none() {
            return Ok(());
        }
        let Some(user) = &who.user else {
            return Err(Error::forbidden("the challenge is for players with a rating: that takes an account"));
        };
        let mut db = self.games.store().read().await?;
        let now = self.games.clock().now();
        let rating = players::current(&mut db, user, row.variant.id(), row.control.speed(), now).await?.rating;
        let fits = row.min_rating.is_none_or(|min| rating >= min) && row.max_rating.is_none_or(|max| rating <= max);
        if fits {
            return Ok(());
        }
        let bound = |bound: Option<i64>| bound.map_or("any".to_owned(), |rating| rating.to_string());
        Err(Error::forbidden(format!(
            "your rating is {rating}, the challenge is for {} to {}",
            bound(row.min_rating),
            bound(row.max_rating)
        )))
    }

    /// The one challenged does not want to; `reason` is one word.
    ///
    /// # Errors
    /// When it is not theirs to say, or too late.
    pub async fn decline(&self, id: &str, who: &Identity, reason: Option<&str>) -> Result<(), Error> {
        let row = self.row(id).await?;
        if row.target_user.is_none() || row.target_user != who.user {
            return Err(Error::forbidden("the challenge is not for you to decline"));
        }
        let reason = reason.unwrap_or("generic");
        if reason.len() > 30 || !reason.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(Error::bad("reason", "a reason is one word of at most 30 letters"));
        }
        self.close(row, Status::Declined, Some(reason.to_owned()), "challenge-declined").await
    }

    /// The challenger does not want to any more.
    ///
    /// # Errors
    /// When it is not theirs to say, or too late.
    pub async fn cancel(&self, id: &str, who: &Identity) -> Result<(), Error> {
        let row = self.row(id).await?;
        if !is_creator(&row, who) {
            return Err(Error::forbidden("the challenge is not yours to cancel"));
        }
        self.close(row, Status::Canceled, None, "challenge-canceled").await
    }

    async fn close(
        &self,
        mut row: ChallengeRow,
        status: Status,
        reason: Option<String>,
        what: &str,
    ) -> Result<(), Error> {
        let (id, why) = (row.id.clone(), reason.clone());
        let job = self
            .games
            .store()
            .write(move |db| Box::pin(async move { challenges::close(db, &id, status, None, why.as_deref()).await }));
        if !job.await? {
            // Asked again it is as it was asked for: that is no fault.
            let now = self.row(&row.id).await?.status;
            return if now == status { Ok(()) } else { Err(gone(now)) };
        }
        row.status = status;
        row.decline_reason = reason;
        self.tell(&row, what);
        Ok(())
    }

    /// Ends challenges for which nobody came in time.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn expire(&self) -> Result<(), Error> {
        let rows = {
            let mut db = self.games.store().read().await?;
            challenges::expired(&mut db, self.games.clock().now(), 100).await?
        };
        for row in rows {
            self.close_if_open(row, Status::Expired).await?;
        }
        Ok(())
    }

    /// Ends a challenge, unless somebody has done so.
    pub(super) async fn close_if_open(&self, row: ChallengeRow, status: Status) -> Result<(), Error> {
        let closed = self.close(row, status, None, "challenge-canceled").await;
        closed.or_else(|error| if error.status == StatusCode::CONFLICT { Ok(()) } else { Err(error) })
    }

    /// Tells those whom it concerns.
    fn tell(&self, row: &ChallengeRow, what: &str) {
        let challenge = Challenge::from(row);
        let bus = self.games.bus();
        if row.kind == Kind::Open {
            let text = if row.status == Status::Open {
                serde_json::json!({ "t": "lobby-add", "challenge": challenge })
            } else {
                serde_json::json!({ "t": "lobby-remove", "id": row.id })
            };
            bus.publish(bus::LOBBY, text.to_string().into());
        }
        let text = serde_json::json!({ "t": what, "challenge": challenge }).to_string();
        let creator = bus::player_subject(row.creator_user.as_deref(), row.creator_session.as_deref());
        let target = bus::player_subject(row.target_user.as_deref(), None);
        for subject in [creator, target].into_iter().flatten() {
            bus.publish(&subject, text.clone().into());
        }
    }
}

fn is_creator(row: &ChallengeRow, who: &Identity) -> bool {
    match &row.creator_user {
        Some(user) => who.user.as_ref() == Some(user),
        None => row.creator_session.as_ref() == Some(&who.session),
    }
}
