//! Reading what `planner explain` says as JSON.

use std::path::Path;

use serde_json::Value;

use crate::support::program::planner_in;

pub(crate) fn json(arguments: &[&str]) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let done = planner_in(root, &[arguments, &["--format", "json"]].concat());
    assert_eq!(done.status, 0, "{arguments:?}\n{}", done.stderr);
    serde_json::from_str(&done.stdout).expect("the output is JSON")
}

pub(crate) fn explained(spec: &str) -> Vec<Value> {
    explained_with(&[spec])
}

/// Of figures with a number as value.
pub(crate) fn explained_with(arguments: &[&str]) -> Vec<Value> {
    let mut all = everything(arguments);
    all.retain(|value| value["result"]["value"].is_number());
    all
}

/// Of all figures, flags and names too.
pub(crate) fn everything(arguments: &[&str]) -> Vec<Value> {
    let sheet = json(&[&["explain"], arguments].concat());
    assert_eq!(sheet["schema"], "planner/explain/1");
    sheet["quantities"].as_array().expect("quantities are a list").clone()
}

/// The value of an input by the beginning of its name.
pub(crate) fn f64(value: &Value, name: &str) -> f64 {
    let inputs = value["inputs"].as_array().expect("inputs are a list");
    let found = inputs.iter().find(|input| text(&input["name"]).starts_with(name));
    float(&found.unwrap_or_else(|| panic!("{}: no input `{name}`", value["key"]))["value"])
}

/// All inputs whose names begin so.
pub(crate) fn iterator<'a>(value: &'a Value, name: &'a str) -> impl Iterator<Item = f64> + 'a {
    let inputs = value["inputs"].as_array().expect("inputs are a list");
    let named = inputs.iter().filter(move |input| text(&input["name"]).starts_with(name));
    named.map(|input| float(&input["value"]))
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("it is a text").to_owned()
}

pub(crate) fn float(value: &Value) -> f64 {
    value.as_f64().expect("it is a number")
}

/// Printed numbers keep twelve digits; a small difference of large ones keeps fewer.
#[track_caller]
pub(crate) fn near(key: &str, found: f64, stated: f64) {
    let scale = stated.abs().max(1e-3);
    assert!((found - stated).abs() <= 1e-8 * scale, "{key}: {found} is not {stated}");
}
