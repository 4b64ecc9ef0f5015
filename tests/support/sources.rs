//! The source files of the project, for tests of its rules.

use std::fs;
use std::path::Path;

/// One file.
pub(crate) struct Source {
    /// Path from the root of the project, with `/`.
    pub(crate) path: String,
    /// Top-level module: `report` for `src/report/number.rs`; `lib` and `main` for the roots.
    pub(crate) module: String,
    /// Its text.
    pub(crate) text: String,
}

impl Source {
    /// A file as if it stood at `path`.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let inner = path.trim_start_matches("src/").trim_end_matches(".rs");
        let module = inner.split('/').next().unwrap_or_default().to_owned();
        Self { path: path.to_owned(), module, text: text.to_owned() }
    }
}

/// Every file under `src/`, by path.
pub(crate) fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    collect(Path::new(env!("CARGO_MANIFEST_DIR")), "src", &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The code of a file: without comments, and without its unit tests, which end it.
pub(crate) fn code(text: &str) -> String {
    let tests = text.find("\n#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..tests]
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.split(" // ").next().unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n")
}

fn collect(root: &Path, folder: &str, files: &mut Vec<Source>) {
    let entries = fs::read_dir(root.join(folder)).expect("the folder is part of the project");
    for entry in entries {
        let entry = entry.expect("a folder of the project can be read");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(root, &path, files);
        } else if path.ends_with(".rs") {
            let text = fs::read_to_string(entry.path()).expect("sources are text");
            files.push(Source::new(&path, &text));
        }
    }
}
