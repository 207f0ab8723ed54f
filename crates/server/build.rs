//! Has release builds made again when the page was: its files are part of the program. Debug builds read the folder.
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo::rerun-if-changed=../../web/dist");
        if !Path::new("../../web/dist/index.html").is_file() {
            println!(
                "cargo::warning=web/dist is not there: this server will only say how to build the page (make run)"
            );
        }
    }
}
