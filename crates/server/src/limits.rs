//! How often, how much and how many at once.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::app::App;
use crate::auth::Identity;
use crate::error::Error;

/// What clients may take. Where it is a number, zero stands for no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests a second from one address, over a while. Ten seconds' worth may come at once.
    pub requests: u32,
    /// Logins and new accounts a minute from one address.
    pub logins: u32,
    /// Logins to one account a minute, wherever from.
    pub guesses: u32,
    /// Games that one address imports in an hour.
    pub imports: u32,
    /// Chat lines a minute of one person in one game. A third of them may come at once.
    pub chat: u32,
    /// Connections at once.
    pub connections: usize,
    /// Connections at once from one address.
    pub connections_of_one: usize,
    /// How long the head of a request may take to arrive.
    pub head_within: Duration,
    /// How long its body may take after that.
    pub body_within: Duration,
    /// Bytes in the body of a request.
    pub body: usize,
    /// Whether the server stands behind a proxy that writes the client's address into `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// Addresses that may ask and connect as often as they like: a load test, a monitor, a bridge of many users.
    pub trusted: Vec<IpAddr>,
}

impl Limits {
    /// Whether a client is one of those that are not counted.
    pub(crate) fn trust(&self, client: &ClientAddr) -> bool {
        self.trusted.iter().any(|&trusted| network(trusted) == *client)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests: 50,
            logins: 20,
            guesses: 10,
            imports: 500,
            chat: 30,
            connections: 20_000,
            connections_of_one: 5_000,
            head_within: Duration::from_secs(15),
            body_within: Duration::from_secs(60),
            body: 64 * 1024,
            behind_proxy: false,
            trusted: Vec::new(),
        }
    }
}

/// How many bytes the head of a request has at most, and how many headers.
pub(crate) const HEAD_BYTES: usize = 32 * 1024;
pub(crate) const HEADERS: usize = 64;
/// How many times as many chat lines as in one game somebody may say in all.
const CHATS: u32 = 3;
/// How many replies that go on an account has at once: one for each game, and some.
const MOST_STREAMS: usize = 100;

/// Where a connection comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// An address that counts as one client: a whole network of IPv6, of which everybody has one.
pub(crate) type ClientAddr = IpAddr;

/// Counts what clients do.
pub(crate) struct Limiter {
    limits: Limits,
    requests: Option<DefaultKeyedRateLimiter<ClientAddr>>,
    logins: Option<DefaultKeyedRateLimiter<ClientAddr>>,
    guesses: Option<DefaultKeyedRateLimiter<String>>,
    imports: Option<DefaultKeyedRateLimiter<ClientAddr>>,
    /// By person and game.
    chat: Option<DefaultKeyedRateLimiter<String>>,
    /// By person; of those without an account by address, too.
    chat_of_one: Option<DefaultKeyedRateLimiter<String>>,
    /// How many replies that go on each account has.
    streams: Arc<Mutex<HashMap<String, usize>>>,
}

/// A reply that goes on, until it is dropped.
pub(crate) struct Stream {
    user: String,
    streams: Arc<Mutex<HashMap<String, usize>>>,
}

impl Drop for Stream {
    fn drop(&mut self) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = streams.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                streams.remove(&self.user);
            }
        }
    }
}

fn keyed<K: std::hash::Hash + Eq + Clone>(quota: Option<Quota>) -> Option<DefaultKeyedRateLimiter<K>> {
    quota.map(RateLimiter::keyed)
}

fn per_second(count: u32) -> Option<Quota> {
    let count = NonZeroU32::new(count)?;
    Some(Quota::per_second(count).allow_burst(count.saturating_mul(NonZeroU32::new(10)?)))
}

fn per_minute(count: u32) -> Option<Quota> {
    NonZeroU32::new(count).map(Quota::per_minute)
}

/// So many a minute, a third of which may come at once.
fn talk(count: u32) -> Option<Quota> {
    let burst = NonZeroU32::new(count.div_ceil(3))?;
    Some(Quota::per_minute(NonZeroU32::new(count)?).allow_burst(burst))
}

/// Counts one more; if it is one too many, the seconds until it would not be.
fn wait<K: std::hash::Hash + Eq + Clone>(limiter: Option<&DefaultKeyedRateLimiter<K>>, key: &K) -> Result<(), u64> {
    let Some(limiter) = limiter else { return Ok(()) };
    limiter.check_key(key).map_err(|until| until.wait_time_from(DefaultClock::default().now()).as_secs() + 1)
}

fn check<K: std::hash::Hash + Eq + Clone>(limiter: Option<&DefaultKeyedRateLimiter<K>>, key: &K) -> Result<(), Error> {
    wait(limiter, key)
        .map_err(|seconds| Error::too_many(seconds, format!("that was too often; try again in {seconds} s")))
}

impl Limiter {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            requests: keyed(per_second(limits.requests)),
            logins: keyed(per_minute(limits.logins)),
            guesses: keyed(per_minute(limits.guesses)),
            imports: keyed(NonZeroU32::new(limits.imports).map(Quota::per_hour)),
            chat: keyed(talk(limits.chat)),
            chat_of_one: keyed(talk(limits.chat.saturating_mul(CHATS))),
            streams: Arc::default(),
            limits,
        }
    }

    /// A reply that goes on, of an account.
    pub(crate) fn stream(&self, user: &str) -> Result<Stream, Error> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let count = streams.entry(user.to_owned()).or_default();
        if *count >= MOST_STREAMS {
            return Err(Error::too_many(10, format!("at most {MOST_STREAMS} streams can be followed at once")));
        }
        *count += 1;
        Ok(Stream { user: user.to_owned(), streams: Arc::clone(&self.streams) })
    }

    /// A login or a new account.
    pub(crate) fn login(&self, client: &ClientAddr) -> Result<(), Error> {
        if self.limits.trust(client) {
            return Ok(());
        }
        check(self.logins.as_ref(), client)
    }

    /// A guess at the password of an account, which need not be there.
    pub(crate) fn guess(&self, name: &str) -> Result<(), Error> {
        let id = crate::names::id(name).chars().take(*crate::names::LENGTH.end() + 1).collect();
        check(self.guesses.as_ref(), &id)
    }

    /// So many games that are imported.
    pub(crate) fn import(&self, client: &ClientAddr, games: usize) -> Result<(), Error> {
        let Some(limiter) = &self.imports else { return Ok(()) };
        let Some(games) = u32::try_from(games).ok().and_then(NonZeroU32::new) else { return Ok(()) };
        let allowed = limiter.check_key_n(client, games).map_err(|_| {
            let most = self.limits.imports;
            Error::too_many(3600, format!("an address imports at most {most} games an hour: these are more at once"))
        })?;
        allowed.map_err(|until| {
            let seconds = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            Error::too_many(seconds, format!("that are too many games for now; try again in {seconds} s"))
        })
    }

    /// A chat line of somebody in a game: if it is one too many, the seconds until it would not be. Who has no account may
    /// have another session at any time, and so is counted by address, too.
    pub(crate) fn talk(&self, who: &Identity, client: Option<&ClientAddr>, game: &str) -> Result<(), u64> {
        let person = who.user.as_deref().unwrap_or(&who.session);
        wait(self.chat_of_one.as_ref(), &person.to_owned())?;
        if let Some(client) = client.filter(|client| who.user.is_none() && !self.limits.trust(client)) {
            wait(self.chat_of_one.as_ref(), &format!("from {client}"))?;
        }
        wait(self.chat.as_ref(), &format!("{person} in {game}"))
    }

    /// Forgets clients that have been quiet for a while.
    pub(crate) fn tidy(&self) {
        if let Some(requests) = &self.requests {
            requests.retain_recent();
        }
        if let Some(logins) = &self.logins {
            logins.retain_recent();
        }
        if let Some(guesses) = &self.guesses {
            guesses.retain_recent();
        }
        if let Some(imports) = &self.imports {
            imports.retain_recent();
        }
        for chat in [&self.chat, &self.chat_of_one].into_iter().flatten() {
            chat.retain_recent();
        }
    }
}

/// How often [`Limiter::tidy`] is worth it.
pub(crate) const TIDY: Duration = Duration::from_secs(60);

/// Who sends a request.
pub(crate) fn client(limits: &Limits, extensions: &Extensions, headers: &HeaderMap) -> ClientAddr {
    let forwarded = || {
        // The last entry is the proxy's own; what stands before it anybody can have sent.
        let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        last.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
    };
    let peer = || extensions.get::<Peer>().map(|peer| peer.0.ip());
    let address = limits.behind_proxy.then(forwarded).flatten().or_else(peer);
    network(address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
}

/// The part of an address that its owner cannot change at will.
pub(crate) fn network(address: IpAddr) -> ClientAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

/// The client of a request, found by the layer below.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Client(pub(crate) ClientAddr);

/// The layer that refuses clients which ask too often.
pub(crate) async fn limit(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let limiter = app.limiter();
    let client = client(&limiter.limits, request.extensions(), request.headers());
    let counted = limiter.requests.as_ref().filter(|_| !limiter.limits.trust(&client));
    if let Err(error) = check(counted, &client) {
        metrics::counter!("warpchess_rate_limited_total").increment(1);
        return error.into_response();
    }
    if head_bytes(&request) > HEAD_BYTES {
        let message = format!("the head of this request has more than {HEAD_BYTES} bytes");
        return Error::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "head-too-large", message).into_response();
    }
    request.extensions_mut().insert(Client(client));
    next.run(request).await
}

/// How many bytes the head of a request had on its way. What reads it refuses one that is longer than its buffer only if it
/// does not come all at once.
fn head_bytes(request: &Request) -> usize {
    // "GET /path HTTP/1.1" with the end of its line, and the empty line at the end.
    let first = request.method().as_str().len() + request.uri().to_string().len() + " HTTP/1.1  ".len() + 4;
    request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len()).sum::<usize>()
        + first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addr(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn what_comes_too_often_is_refused_with_the_time_to_wait() {
        let limiter = Limiter::new(Limits { logins: 3, ..Limits::default() });
        let client = network(addr("192.0.2.1"));
        for _ in 0..3 {
            limiter.login(&client).unwrap();
        }
        let error = limiter.login(&client).unwrap_err();
        assert_eq!(error.status.as_u16(), 429);
        assert!((1..=61).contains(&error.retry_after.unwrap()), "{error:?}");
        limiter.login(&network(addr("192.0.2.2"))).unwrap();
    }

    #[test]
    fn trusted_addresses_are_not_counted() {
        let trusted = vec![addr("192.0.2.1")];
        let limiter = Limiter::new(Limits { logins: 1, trusted, ..Limits::default() });
        for _ in 0..10 {
            limiter.login(&network(addr("192.0.2.1"))).unwrap();
        }
        limiter.login(&network(addr("192.0.2.2"))).unwrap();
        assert!(limiter.login(&network(addr("192.0.2.2"))).is_err());
    }

    #[test]
    fn guesses_at_one_password_are_counted_wherever_they_come_from() {
        let limiter = Limiter::new(Limits { guesses: 2, ..Limits::default() });
        limiter.guess("Ann").unwrap();
        limiter.guess("ann").unwrap();
        assert!(limiter.guess("ANN").is_err());
        limiter.guess("bob").unwrap();
    }

    #[test]
    fn zero_is_no_limit() {
        let limiter = Limiter::new(Limits { logins: 0, ..Limits::default() });
        for _ in 0..1000 {
            limiter.login(&addr("192.0.2.1")).unwrap();
        }
    }

    #[test]
    fn a_client_cannot_change_its_address_at_will() {
        assert_eq!(network(addr("2001:db8:1:2:3::4")), network(addr("2001:db8:1:2:9999::1")));
        assert_ne!(network(addr("2001:db8:1:2::1")), network(addr("2001:db8:1:3::1")));
        assert_eq!(network(addr("::ffff:192.0.2.1")), addr("192.0.2.1"));

        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "1.1.1.1, 203.0.113.9".parse().unwrap());
        let mut extensions = Extensions::new();
        extensions.insert(Peer("192.0.2.1:4000".parse().unwrap()));
        let limits = Limits::default();
        assert_eq!(client(&limits, &extensions, &headers), addr("192.0.2.1"), "nobody stands in front");
        let limits = Limits { behind_proxy: true, ..limits };
        assert_eq!(client(&limits, &extensions, &headers), addr("203.0.113.9"));
        assert_eq!(client(&limits, &extensions, &HeaderMap::new()), addr("192.0.2.1"));
    }
}
