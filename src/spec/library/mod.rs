//! The files that ship, as texts and as trees. Data lives in `presets/`, embedded at build time;
//! nothing is read from disk, and nothing is typed here.

pub(super) mod shipped_files;

pub(crate) use shipped_files::Library;

use super::document::SpecText;

/// A ready spec by its name, with or without folder and `.toml`.
#[must_use]
pub fn ready_spec(name: &str) -> Option<SpecText> {
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let file = shipped_files::spec_files().find(|file| {
        let path = file.path.trim_end_matches(".toml");
        path == name || path.rsplit('/').next() == Some(name)
    })?;
    Some(SpecText::new(file.path, file.text))
}

/// Name and text of the preset file at that position.
pub(crate) fn preset_file(index: usize) -> (&'static str, &'static str) {
    shipped_files::part_files().nth(index).map_or(("", ""), |file| (file.path, file.text))
}
