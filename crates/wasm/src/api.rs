//! Requests and replies, both JSON.

use serde::Serialize;

/// Answers one request. The reply is `{"ok": …}` or `{"error": {"message": …, "field": …}}`, whatever the bytes are.
pub fn handle(request: &[u8]) -> Vec<u8> {
    let reply = match serde_json::from_slice::<serde_json::Value>(request) {
        Ok(_) => Reply::<()>::Error("no".into()),
        Err(error) => Reply::Error(error.to_string()),
    };
    serde_json::to_vec(&reply).unwrap_or_default()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Reply<T> {
    #[allow(dead_code)]
    Ok(T),
    Error(String),
}
