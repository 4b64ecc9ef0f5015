//! What the built program says, as JSON: published numbers are held against that.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::program::{fresh_folder, planner_in};

/// The JSON of a run in a folder; it has to end well.
#[track_caller]
pub(crate) fn json_in(folder: &Path, arguments: &[&str]) -> Value {
    let done = planner_in(folder, &[arguments, &["--format", "json"]].concat());
    assert_eq!(done.status, 0, "{arguments:?}\n{}", done.stderr);
    serde_json::from_str(&done.stdout).expect("the output is JSON")
}

/// The JSON of a command on a shipped spec with overrides.
#[track_caller]
pub(crate) fn shipped(command: &str, spec: &str, overrides: &[&str]) -> Value {
    let set = overrides.iter().flat_map(|text| ["--set", text]);
    let arguments: Vec<&str> = [command, spec].into_iter().chain(set).collect();
    json_in(Path::new(env!("CARGO_MANIFEST_DIR")), &arguments)
}

/// A folder with a spec as `model.toml`.
pub(crate) fn folder(name: &str, spec: &str) -> PathBuf {
    let folder = fresh_folder(name);
    std::fs::write(folder.join("model.toml"), spec).expect("the folder is this test's own");
    folder
}

/// The number at a path of keys.
#[track_caller]
pub(crate) fn number(value: &Value, path: &str) -> f64 {
    let found = path.split('.').fold(value, |value, key| match key.parse::<usize>() {
        Ok(place) => &value[place],
        Err(_) => &value[key],
    });
    found.as_f64().unwrap_or_else(|| panic!("`{path}` is no number: {found}"))
}

/// Holds a number against a published one.
#[track_caller]
pub(crate) fn close(what: &str, found: f64, published: f64, tolerance: f64) {
    let off = found / published - 1.0;
    assert!(off.abs() <= tolerance, "{what}: {found} against {published}, {:+.1} %", 100.0 * off);
}
