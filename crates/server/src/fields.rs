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
        let bytes = bytes(request, state).await?;
        let value = serde_json::from_slice(&bytes);
        value.map(Self).map_err(|error| Error::bad("body", format!("the body cannot be understood: {error}")))
    }
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
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
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
        _ => Error::bad("body", "the body of this request cannot be read"),
    })
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.to_ascii_lowercase().starts_with("application/x-www-form-urlencoded")
}

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Error;
    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let form = is_form(request.headers());
        let bytes = bytes(request, state).await?;
        if bytes.is_empty() {
            return Ok(Self(Fields::default()));
        }
        if form {
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
            assert_eq!(error.field, Some(name));
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
