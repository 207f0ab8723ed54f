//! Files that commands read and write: none is destroyed by another, and none is found to be unwritable after the work.
//!
//! Whatever cannot be read or written ends a command with exit code 2, before the work and after it.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The name of standard input and output where a file is asked for.
pub(crate) const STANDARD: &str = "-";

/// Links that are followed before a path is taken for a circle.
const MOST_LINKS: usize = 40;

/// The files of a command, by the arguments that name them.
#[derive(Default)]
pub(crate) struct Files<'a>(Vec<Named<'a>>);

struct Named<'a> {
    argument: &'a str,
    path: &'a Path,
    written: bool,
}

impl<'a> Files<'a> {
    /// Notes a file that is read only.
    pub(crate) fn read(self, argument: &'a str, path: Option<&'a Path>) -> Self {
        self.with(argument, path, false)
    }
    /// Notes a file that is written.
    pub(crate) fn write(self, argument: &'a str, path: Option<&'a Path>) -> Self {
        self.with(argument, path, true)
    }
    fn with(mut self, argument: &'a str, path: Option<&'a Path>, written: bool) -> Self {
        if let Some(path) = path.filter(|path| path.as_os_str() != STANDARD) {
            self.0.push(Named { argument, path, written });
        }
        self
    }

    /// Refuses one file for two purposes, however it is spelled, and files that cannot be written. Changes nothing.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        for (i, file) in self.0.iter().enumerate() {
            let other = self.0[..i].iter().find(|other| (file.written || other.written) && same(file.path, other.path));
            if let Some(other) = other {
                // Told of the one that would do the harm.
                let (one, that) = if file.written { (file, other) } else { (other, file) };
                return Err(Failure::bad_input(format_args!(
                    "{} {}: a file of its own expected, this is that of {}",
                    one.argument,
                    one.path.display(),
                    that.argument
                )));
            }
        }
        for file in self.0.iter().filter(|file| file.written) {
            probe(file.path).map_err(|error| unwritable(file.argument, file.path, &error))?;
        }
        Ok(())
    }
}

/// What is said of a file that cannot be written.
pub(crate) fn unwritable(argument: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::bad_input(format_args!("{argument} {}: cannot be written: {error}", path.display()))
}

/// Whether two paths lead to one file, through links too. Devices and pipes hold nothing that could be destroyed.
fn same(one: &Path, other: &Path) -> bool {
    let plain = |path: &Path| fs::metadata(path).map_or(true, |found| found.is_file());
    plain(one) && plain(other) && (inode(one).is_some_and(|n| inode(other) == Some(n)) || target(one) == target(other))
}

#[cfg(unix)]
fn inode(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn inode(_: &Path) -> Option<(u64, u64)> {
    None
}

/// The file that a path leads to, which need not be there.
fn target(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(link) = fs::read_link(&path) else { break };
        path = folder(&path).join(link);
    }
    let name: OsString = path.file_name().unwrap_or_default().to_owned();
    fs::canonicalize(&path).or_else(|_| fs::canonicalize(folder(&path)).map(|folder| folder.join(name))).unwrap_or(path)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Tries whether a file can be written, and leaves everything as it is.
fn probe(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        // To open a pipe would wait for its reader.
        Ok(found) if found.is_file() || found.is_dir() => OpenOptions::new().append(true).open(path).map(drop),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let target = target(path);
            if target.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            tempfile::tempfile_in(folder(&target)).map(drop)
        }
        Err(error) => Err(error),
    }
}

/// Writes a whole file so that at no time there is half of one: beside it, and then in its place.
pub(crate) fn replace(argument: &str, path: &Path, text: &str) -> Result<(), Failure> {
    replaced(path, text).map_err(|error| unwritable(argument, path, &error))
}

fn replaced(path: &Path, text: &str) -> io::Result<()> {
    let found = fs::metadata(path).ok();
    if found.as_ref().is_some_and(|found| !found.is_file()) {
        return OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes());
    }
    let target = target(path);
    let mut beside = tempfile::Builder::new();
    #[cfg(unix)]
    beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut beside = match beside.tempfile_in(folder(&target)) {
        Ok(beside) => beside,
        // The folder takes no new files, but this one is there.
        Err(_) if found.is_some() => return fs::write(&target, text),
        Err(error) => return Err(error),
    };
    beside.write_all(text.as_bytes())?;
    if let Some(found) = found {
        beside.as_file().set_permissions(found.permissions())?;
    }
    beside.as_file().sync_all()?;
    beside.persist(&target).map(drop).map_err(|error| error.error)
}

/// A file that grows while a command works. Nothing of what it held is lost before there is something to write.
pub(crate) struct Growing<'a> {
    argument: &'a str,
    path: &'a Path,
    file: Option<fs::File>,
}

impl<'a> Growing<'a> {
    pub(crate) const fn new(argument: &'a str, path: &'a Path) -> Self {
        Self { argument, path, file: None }
    }
    /// Writes on; the first time over what was there.
    pub(crate) fn add(&mut self, text: &str) -> Result<(), Failure> {
        let trouble = |error| unwritable(self.argument, self.path, &error);
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(fs::File::create(self.path).map_err(trouble)?),
        };
        file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(trouble)
    }
    /// Whether nothing was written yet.
    pub(crate) const fn is_new(&self) -> bool {
        self.file.is_none()
    }
}

/// The text of a file that is input and has no more than `most` bytes.
pub(crate) fn read_text(path: &Path, most: u64) -> Result<String, Failure> {
    let bad = |error: io::Error| Failure::bad_input(format_args!("cannot read '{}': {error}", path.display()));
    let mut text = String::new();
    fs::File::open(path).and_then(|file| file.take(most + 1).read_to_string(&mut text)).map_err(bad)?;
    if text.len() as u64 > most {
        return Err(Failure::bad_input(format_args!("'{}' has more than {most} bytes", path.display())));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_however_it_is_spelled() {
        let scratch = tempfile::tempdir().expect("a folder");
        let at = |name: &str| scratch.path().join(name);
        fs::write(at("a"), "text").expect("a disk");
        fs::hard_link(at("a"), at("hard")).expect("a link");
        fs::create_dir(at("b")).expect("a folder");
        for spelled in ["a", "./a", "b/../a", "hard"] {
            assert!(same(&at("a"), &at(spelled)), "{spelled}");
        }
        assert!(same(&at("new"), &at("b/../new")) && !same(&at("a"), &at("new")) && !same(&at("new"), &at("b/new")));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_also_to_what_is_not_there_and_stay_links() {
        let scratch = tempfile::tempdir().expect("a folder");
        let at = |name: &str| scratch.path().join(name);
        std::os::unix::fs::symlink("new", at("soft")).expect("a link");
        std::os::unix::fs::symlink("round", at("round")).expect("a link");
        assert!(same(&at("soft"), &at("new")) && !same(&at("soft"), &at("round")));
        replaced(&at("soft"), "one").expect("a disk");
        replaced(&at("soft"), "two").expect("a disk");
        assert_eq!(fs::read_to_string(at("new")).expect("a file"), "two");
        assert!(at("soft").is_symlink());
        assert!(!same(Path::new("/dev/null"), Path::new("/dev/null")));
    }

    #[test]
    fn to_try_a_file_changes_nothing() {
        let scratch = tempfile::tempdir().expect("a folder");
        let at = |name: &str| scratch.path().join(name);
        fs::write(at("a"), "text").expect("a disk");
        probe(&at("a")).expect("can be written");
        probe(&at("new")).expect("can be written");
        assert!(probe(&at("no/such")).is_err() && probe(scratch.path()).is_err() && probe(&at("new/")).is_err());
        assert_eq!(fs::read_to_string(at("a")).expect("a file"), "text");
        assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 1);
    }
}
