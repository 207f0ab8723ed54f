//! A browser or a program that talks to a server without a port.

use axum::Router;
use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, SET_COOKIE};
use axum::http::{Method, Request, Response};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;
use warpchess_server::limits::Limits;
use warpchess_server::{App, Config, router};

/// A server in memory.
pub(crate) async fn app(limits: Limits) -> App {
    App::start(Config { limits, ..Config::default() }).await.unwrap()
}

/// One that does not count how often it is asked.
pub(crate) async fn unlimited() -> App {
    app(Limits { requests: 0, logins: 0, guesses: 0, ..Limits::default() }).await
}

/// Keeps its cookie.
#[derive(Clone)]
pub(crate) struct Client {
    router: Router,
    pub(crate) cookie: Option<String>,
    pub(crate) token: Option<String>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: Response<()>,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
    pub(crate) fn header(&self, name: &str) -> &str {
        self.head.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }
    /// The body, when it went well.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text);
        self.json()
    }
    /// The code of a refusal.
    #[track_caller]
    pub(crate) fn refused(self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text);
        let json = self.json();
        assert!(json["error"].is_string(), "{json}");
        json["code"].as_str().unwrap().to_owned()
    }
}

impl Client {
    pub(crate) fn new(app: &App) -> Self {
        Self { router: router(app.clone()), cookie: None, token: None }
    }

    /// Somebody with a new account.
    pub(crate) async fn registered(app: &App, name: &str) -> Self {
        let mut client = Self::new(app);
        let login = serde_json::json!({ "username": name, "password": format!("password of {name}") });
        client.post("/api/register", login).await.ok();
        client
    }

    /// A program with a token of a new account.
    pub(crate) async fn with_token(app: &App, name: &str, scopes: &str) -> Self {
        let mut owner = Self::registered(app, name).await;
        let made = owner.post("/api/tokens", serde_json::json!({ "scopes": scopes })).await.ok();
        Self { cookie: None, token: Some(made["token"].as_str().unwrap().to_owned()), ..owner }
    }

    pub(crate) async fn get(&mut self, path: &str) -> Reply {
        self.send(Request::get(path), Body::empty()).await
    }

    pub(crate) async fn post(&mut self, path: &str, body: Value) -> Reply {
        self.send(Request::post(path).header(CONTENT_TYPE, "application/json"), Body::from(body.to_string())).await
    }

    pub(crate) async fn post_text(&mut self, path: &str, body: &str) -> Reply {
        self.send(Request::post(path).header(CONTENT_TYPE, "text/plain"), Body::from(body.to_owned())).await
    }

    pub(crate) async fn delete(&mut self, path: &str) -> Reply {
        self.send(Request::builder().method(Method::DELETE).uri(path), Body::empty()).await
    }

    pub(crate) async fn send(&mut self, mut request: axum::http::request::Builder, body: Body) -> Reply {
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(cookie) = &self.cookie {
            request = request.header(COOKIE, format!("warpchess={cookie}"));
        }
        let reply = self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        for set in reply.headers().get_all(SET_COOKIE) {
            let value = set.to_str().unwrap().split(';').next().unwrap().strip_prefix("warpchess=").unwrap();
            self.cookie = Some(value.to_owned()).filter(|value| !value.is_empty());
        }
        let (parts, body) = reply.into_parts();
        let status = parts.status.as_u16();
        let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        Reply { status, head: Response::from_parts(parts, ()), text }
    }
}
