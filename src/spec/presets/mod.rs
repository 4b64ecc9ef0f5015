//! What ships with the planner: models, parts, price books, ready specs. Data lives in
//! `presets/`, embedded at build time; nothing is read from disk.

mod entry;
mod files;
mod library;

pub use entry::{Entry, PresetKind, list, show};
pub(crate) use library::Library;

use std::collections::BTreeMap;

use super::source::Source;
use crate::hardware::{Node, Switch};
use crate::workload::Framework;

/// The HB-domain products that ship, by name.
#[must_use]
pub fn nodes() -> BTreeMap<String, Node> {
    super::resolve::nodes()
}

/// The switches that ship, by name.
#[must_use]
pub fn switches() -> BTreeMap<String, Switch> {
    super::resolve::switches()
}

/// The training stacks that ship, by name.
#[must_use]
pub fn frameworks() -> BTreeMap<String, Framework> {
    super::resolve::frameworks()
}

/// A ready spec by its name, with or without folder and `.toml`.
#[must_use]
pub fn ready(name: &str) -> Option<Source> {
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let file = files::specs().find(|file| {
        let path = file.path.trim_end_matches(".toml");
        path == name || path.rsplit('/').next() == Some(name)
    })?;
    Some(Source::new(file.path, file.text))
}

/// Name and text of the preset file at that position.
pub(crate) fn file(index: usize) -> (&'static str, &'static str) {
    files::parts().nth(index).map_or(("", ""), |file| (file.path, file.text))
}
