//! Every message that says what is wrong, by its exact text: errors as values in `library.txt`,
//! errors of commands in `commands.txt`, those of specs in `tests/spec_errors/`. `BLESS=1` writes
//! the texts anew; read the difference before you commit it. `complete.rs` fails where the source
//! can say something that no golden text holds.

mod commands;
mod complete;
mod library;

use std::fs;
use std::path::{Path, PathBuf};

/// A file beside this one.
fn beside(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages").join(name)
}

/// Holds a text against its golden file.
#[track_caller]
fn golden(name: &str, found: &str) {
    let path = beside(name);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, found).expect("a writable folder");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "{name}: `BLESS=1 cargo test --test inputs messages::`, then read the diff"
    );
}
