//! For whoever watches over the process.

/// `ok`, as long as the process answers.
pub(crate) async fn healthz() -> &'static str {
    "ok"
}
