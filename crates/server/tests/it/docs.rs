//! What the documentation says of tests.

use std::path::{Path, PathBuf};

/// All Rust files of this crate, with what is in them.
fn sources() -> Vec<(PathBuf, String)> {
    let mut folders =
        vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    files
}

/// `a::b::c` is a test `c` in the file `a/b.rs` or `a/b/mod.rs`.
fn is_test(name: &str, sources: &[(PathBuf, String)]) -> bool {
    let Some((module, function)) = name.rsplit_once("::") else { return false };
    let file = module.replace("::", "/");
    sources.iter().any(|(path, text)| {
        let is_there = path.ends_with(format!("{file}.rs")) || path.ends_with(format!("{file}/mod.rs"));
        let marks = ["#[test]", "#[tokio::test]", "#[tokio::test(flavor = \"multi_thread\")]"];
        let declared = [format!("fn {function}("), format!("async fn {function}(")];
        is_there
            && text.lines().zip(text.lines().skip(1)).any(|(mark, line)| {
                marks.contains(&mark.trim()) && declared.iter().any(|start| line.trim().starts_with(start))
            })
    })
}

#[test]
fn every_line_names_tests_that_there_are() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/security.md")).unwrap();
    let sources = sources();
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---"));
    let rows: Vec<&str> = rows.filter(|line| !line.ends_with("| Test |")).collect();
    assert!(rows.len() > 30, "{}", rows.len());
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        assert_eq!(cells.len(), 3, "{row}");
        let names: Vec<&str> = cells[2].split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test: {row}");
        for name in names {
            assert!(is_test(name, &sources), "there is no test {name}: {row}");
        }
    }
}
