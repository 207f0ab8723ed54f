//! The page's files.

use std::borrow::Cow;

/// One file.
#[derive(Debug, Clone)]
pub struct Asset {
    /// What is in it.
    pub bytes: Cow<'static, [u8]>,
    /// The SHA-256 hash of `bytes`.
    pub hash: [u8; 32],
}

/// Where the page's files come from: the program itself, or a test's own.
pub trait Assets: Send + Sync + 'static {
    /// The file at `path`, which is relative and has no leading `/`, or `None`.
    fn file(&self, path: &str) -> Option<Asset>;
}

/// `web/dist` as it was when the program was built. Debug builds read the folder at each request instead.
#[derive(Debug, Clone, Copy)]
pub struct Embedded;

#[derive(rust_embed::RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

impl Assets for Embedded {
    fn file(&self, path: &str) -> Option<Asset> {
        let file = Dist::get(path)?;
        Some(Asset { hash: file.metadata.sha256_hash(), bytes: file.data })
    }
}
