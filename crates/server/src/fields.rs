//! What comes with a request: the fields of its body or of its query, whatever form they are written in.
//!
//! Clients of the Lichess API send some bodies as JSON and some as forms, where everything is text. Here both are the
//! same, and each field is read with a sentence that says what was expected if it is something else.

use std::fmt::Display;
use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::Error;

/// A body that is JSON of a known form.
#[derive(Debug)]
pub(crate) struct Typed<T>(pub(crate) T);

impl<S: Send + Sync, T: serde::de::DeserializeOwned> FromRequest<S> for Typed<T> {
    type Rejection = Error;
    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let kind = Kind::of(request.headers());
        let bytes = bytes(request, state).await?;
        match kind {
            Kind::Json => read(&bytes, "body").map(Self),
            Kind::Absent if bytes.is_empty() => read(&bytes, "body").map(Self),
            Kind::Form | Kind::Absent | Kind::Other => Err(unsupported("application/json")),
        }
    }
}

/// Reads JSON. What is wrong is told with the field at fault, and `whole` where that is all of it.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8], whole: &'static str) -> Result<T, Error> {
    let not_json =
        |error: &serde_json::Error| Error::bad(whole, format!("the {whole} is expected to be JSON: {error}"));
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let error = error.into_inner();
        if !error.is_data() {
            return not_json(&error);
        }
        let message = error.to_string();
        // serde names what is missing, or wrong within a choice of forms, in its sentence and not in the path.
        let named =
            ["missing field `", "field `"].iter().find_map(|words| message.strip_prefix(words)?.split_once('`'));
        let field = match (path.as_str(), named) {
            (".", None) => whole.to_owned(),
            (".", Some((name, _))) => name.to_owned(),
            (path, None) => path.to_owned(),
            (path, Some((name, _))) => format!("{path}.{name}"),
        };
        Error::bad(field, format!("the {whole} cannot be understood: {message}"))
    })?;
    reader.end().map_err(|error| not_json(&error))?;
    Ok(value)
}

/// What is wrong with a field, for those who know where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Which field.
    pub field: &'static str,
    /// What was expected.
    pub message: String,
}

impl Wrong {
    pub(crate) fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }
    /// As a refusal, of a field within another.
    pub(crate) fn within(self, outer: &str) -> Error {
        Error::bad(format!("{outer}.{}", self.field), self.message)
    }
}

impl Display for Wrong {
    // As `read` takes it to pieces again.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "field `{}`: {}", self.field, self.message)
    }
}

/// A field that has to be there.
pub(crate) fn needed<T>(field: &'static str, value: Option<T>) -> Result<T, Wrong> {
    value.ok_or_else(|| Wrong::new(field, "it is missing"))
}

/// Named values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(Map<String, Value>);

/// The fields of a body: a JSON object or a form. No body has none.
#[derive(Debug)]
pub(crate) struct Body(pub(crate) Fields);

/// The fields of a query.
#[derive(Debug)]
pub(crate) struct Asked(pub(crate) Fields);

/// The parts of the path that have names.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Error;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let path = axum::extract::Path::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(path)| Self(path)).map_err(|_| Error::bad("path", "the path cannot be read"))
    }
}

/// A body that is plain text.
#[derive(Debug)]
pub(crate) struct Text(pub(crate) String);

impl Fields {
    fn of_form(pairs: Vec<(String, String)>) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name, Value::String(value))).collect())
    }

    /// A field that is there and says something.
    fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null() && value.as_str() != Some(""))
    }

    /// A text; `None` when it is absent or empty.
    pub(crate) fn text(&self, name: &'static str) -> Result<Option<String>, Error> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(Error::bad(name, format!("'{name}' is expected to be a text"))),
        }
    }

    /// A text that has to be there.
    pub(crate) fn needed(&self, name: &'static str) -> Result<String, Error> {
        self.text(name)?.ok_or_else(|| Error::bad(name, format!("'{name}' is missing")))
    }

    /// True or false.
    pub(crate) fn flag(&self, name: &'static str) -> Result<Option<bool>, Error> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            // Python writes booleans of a query with a capital.
            Some(Value::String(text)) if matches!(text.as_str(), "true" | "True" | "1") => Ok(Some(true)),
            Some(Value::String(text)) if matches!(text.as_str(), "false" | "False" | "0") => Ok(Some(false)),
            Some(_) => Err(Error::bad(name, format!("'{name}' is expected to be true or false"))),
        }
    }

    /// A whole number.
    pub(crate) fn integer(&self, name: &'static str) -> Result<Option<i64>, Error> {
        let wrong = || Error::bad(name, format!("'{name}' is expected to be a whole number"));
        match self.value(name) {
            None => Ok(None),
            Some(Value::Number(number)) => number.as_i64().map(Some).ok_or_else(wrong),
            Some(Value::String(text)) => text.trim().parse().map(Some).map_err(|_| wrong()),
            Some(_) => Err(wrong()),
        }
    }

    /// A number, whole or not.
    pub(crate) fn number(&self, name: &'static str) -> Result<Option<f64>, Error> {
        let number = match self.value(name) {
            None => return Ok(None),
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(_) => None,
        };
        let number = number.filter(|number: &f64| number.is_finite());
        number.map(Some).ok_or_else(|| Error::bad(name, format!("'{name}' is expected to be a number")))
    }

    /// A time in milliseconds since 1970, of a year with four digits; games that were imported may be older than that.
    pub(crate) fn time(&self, name: &'static str) -> Result<Option<i64>, Error> {
        self.within(name, -62_135_596_800_000..=253_402_300_799_999)
    }

    /// A number of a range.
    pub(crate) fn within(
        &self,
        name: &'static str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<Option<i64>, Error> {
        let number = self.integer(name)?;
        if number.is_some_and(|number| !range.contains(&number)) {
            let message = format!("'{name}' is expected to be from {} to {}", range.start(), range.end());
            return Err(Error::bad(name, message));
        }
        Ok(number)
    }

    /// Whatever can be read from a text.
    pub(crate) fn parsed<T>(&self, name: &'static str) -> Result<Option<T>, Error>
    where
        T: FromStr<Err: Display>,
    {
        let text = self.text(name)?;
        text.map(|text| text.parse().map_err(|error: T::Err| Error::bad(name, error.to_string()))).transpose()
    }
}

/// The bytes of a body, as many as are allowed.
async fn bytes<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Error> {
    Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            Error::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "the body of this request is too long")
        }
        _ if TooSlow::behind(&rejection) => Error::new(StatusCode::REQUEST_TIMEOUT, "too-slow", TooSlow.to_string()),
        _ => Error::bad("body", "the body of this request cannot be read"),
    })
}

/// A body did not arrive in time.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the body of this request took too long to arrive")]
pub(crate) struct TooSlow;

impl TooSlow {
    /// Whether it is the cause of an error.
    fn behind(error: &(dyn std::error::Error + 'static)) -> bool {
        std::iter::successors(Some(error), |error| error.source()).any(|error| error.is::<Self>())
    }
}

/// What a body says that it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    Json,
    Form,
    /// It does not say.
    Absent,
    Other,
}

impl Kind {
    fn of(headers: &HeaderMap) -> Self {
        let Some(kind) = headers.get(CONTENT_TYPE) else { return Self::Absent };
        let kind = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
        match kind.trim().to_ascii_lowercase().as_str() {
            "application/json" => Self::Json,
            "application/x-www-form-urlencoded" => Self::Form,
            // As clients of Lichess may say it.
            kind if kind.starts_with("application/") && kind.ends_with("+json") => Self::Json,
            _ => Self::Other,
        }
    }
}

fn unsupported(expected: &str) -> Error {
    let message = format!("the body is expected to be {expected}, and its Content-Type to say so");
    let error = Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", message);
    Error { field: Some("content-type".into()), ..error }
}

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Error;
    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let kind = Kind::of(request.headers());
        let bytes = bytes(request, state).await?;
        if bytes.is_empty() {
            return Ok(Self(Fields::default()));
        }
        if matches!(kind, Kind::Absent | Kind::Other) {
            return Err(unsupported("application/json or application/x-www-form-urlencoded"));
        }
        if kind == Kind::Form {
            return Ok(Self(Fields::of_form(form_urlencoded::parse(&bytes).into_owned().collect())));
        }
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(map)) => Ok(Self(Fields(map))),
            Ok(_) => Err(Error::bad("body", "the body is expected to be a JSON object or a form")),
            Err(error) => {
                Err(Error::bad("body", format!("the body is expected to be a JSON object or a form: {error}")))
            }
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Error;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let Query(pairs) =
            Query::try_from_uri(&parts.uri).map_err(|_| Error::bad("query", "the query cannot be read"))?;
        Ok(Self(Fields::of_form(pairs)))
    }
}

impl<S: Send + Sync> FromRequest<S> for Text {
    type Rejection = Error;
    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let bytes = bytes(request, state).await?;
        let text = String::from_utf8(bytes.into());
        text.map(Self).map_err(|_| Error::bad("body", "the body is expected to be text in UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    async fn read(kind: &str, body: impl Into<axum::body::Body>) -> Result<Fields, Error> {
        let request = Request::post("/").header(CONTENT_TYPE, kind).body(body.into()).unwrap();
        Body::from_request(request, &()).await.map(|Body(fields)| fields)
    }

    #[tokio::test]
    async fn a_form_and_json_say_the_same() {
        let json = json!({ "rated": true, "time": 10, "variant": "chess", "color": null });
        let json = read("application/json", json.to_string()).await.unwrap();
        let form = "rated=true&time=10&variant=chess&color=&note=a%26b+c";
        let form = read("application/x-www-form-urlencoded; charset=utf-8", form).await.unwrap();
        for fields in [json, form.clone()] {
            assert_eq!(fields.flag("rated").unwrap(), Some(true));
            assert_eq!(fields.integer("time").unwrap(), Some(10));
            assert_eq!(fields.text("variant").unwrap().as_deref(), Some("chess"));
            assert_eq!(fields.text("color").unwrap(), None);
            assert_eq!(fields.integer("absent").unwrap(), None);
        }
        assert_eq!(form.text("note").unwrap().as_deref(), Some("a&b c"));
    }

    #[tokio::test]
    async fn what_is_wrong_is_named() {
        let body = json!({ "rated": "perhaps", "time": 1.5, "level": 9, "variant": ["chess"] });
        let fields = read("application/json", body.to_string()).await.unwrap();
        let errors = [
            ("rated", fields.flag("rated").unwrap_err()),
            ("time", fields.integer("time").unwrap_err()),
            ("level", fields.within("level", 1..=8).unwrap_err()),
            ("variant", fields.text("variant").unwrap_err()),
            ("password", fields.needed("password").unwrap_err()),
        ];
        for (name, error) in errors {
            assert_eq!(error.field.as_deref(), Some(name));
            assert!(error.message.contains(name), "{}", error.message);
        }
    }

    #[tokio::test]
    async fn no_body_panics() {
        for body in ["", "[]", "{", "\"x\"", "{\"a\":{}}", "\u{0}"] {
            let _ = read("application/json", body).await;
            let _ = read("application/x-www-form-urlencoded", body).await;
        }
        assert!(read("application/json", "[]").await.is_err());
    }
}
