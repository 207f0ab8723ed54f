//! Files that nobody but their owner may read: there are sessions and hashes of passwords in them.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::str::FromStr;

use sqlx::sqlite::SqliteConnectOptions;

/// Makes an empty file, for its owner alone.
///
/// # Errors
/// When it is there already, or cannot be made.
pub(crate) fn create_new(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Makes the file of a database, before SQLite does with the permissions that files usually have. Its logs get those of the
/// file. What goes wrong is told when the database is opened.
pub(super) fn create(url: &str) {
    let Ok(options) = SqliteConnectOptions::from_str(url) else { return };
    let path = options.get_filename();
    if create_new(path).is_err() {
        #[cfg(unix)]
        if let Ok(found) = std::fs::metadata(path)
            && std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0
        {
            tracing::warn!(path = %path.display(), "others than its owner may read the database: chmod 600 makes it private");
        }
    }
}
