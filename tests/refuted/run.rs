//! A spec as the built program answers it, and what its JSON says.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::cases::drawn_cases;
use crate::support::program::planner_in;

pub(crate) use crate::support::program::Program;

/// The folder of the specs.
fn specs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/refuted/specs")
}

/// Whether specs that take long are answered too.
pub(crate) fn answers_long_specs() -> bool {
    drawn_cases(1) > 1
}

/// Runs `planner` where the specs lie.
pub(crate) fn planner(arguments: &[&str]) -> Program {
    planner_in(&specs(), arguments)
}

/// `design` of a spec with some keys changed.
pub(crate) fn design(spec: &str, changes: &[&str]) -> Program {
    let spec = format!("{spec}.toml");
    let mut arguments = vec!["design", spec.as_str(), "--format", "json"];
    arguments.extend(changes.iter().flat_map(|change| ["--set", *change]));
    planner(&arguments)
}

/// The design of a spec, which has to be proven best.
#[track_caller]
pub(crate) fn optimal(spec: &str, changes: &[&str]) -> Value {
    let run = design(spec, changes);
    assert_eq!(run.status, 0, "{spec}: {}", run.stderr);
    let design: Value = serde_json::from_str(&run.stdout).expect("the program writes JSON");
    assert_eq!(design["solver"]["status"], "optimal", "{spec}");
    design
}

/// The design of a spec that minimises cost per token: proven best, but for what other networks' goodput may
/// leave, which is at most a per cent.
#[track_caller]
pub(crate) fn proven(spec: &str, changes: &[&str]) -> Value {
    let run = design(spec, changes);
    assert_eq!(run.status, 0, "{spec}: {}", run.stderr);
    let design: Value = serde_json::from_str(&run.stdout).expect("the program writes JSON");
    let solver = &design["solver"];
    let bounded = solver["status"] == "goodput-bound" && solver["gap"].as_f64() <= Some(0.01);
    assert!(solver["status"] == "optimal" || bounded, "{spec}: {solver}");
    design
}

/// A comparison's designs: the spec's own, then the baselines.
#[track_caller]
pub(crate) fn compared(spec: &str, baselines: &[&str]) -> Vec<Value> {
    let spec = format!("{spec}.toml");
    let mut arguments = vec!["compare", spec.as_str(), "--format", "json"];
    arguments.extend(baselines.iter().flat_map(|baseline| ["--baseline", *baseline]));
    let run = planner(&arguments);
    assert_eq!(run.status, 0, "{spec}: {}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).expect("the program writes JSON");
    found["designs"].as_array().expect("a comparison has designs").clone()
}

/// A figure of a design's cost.
#[track_caller]
pub(crate) fn cost(design: &Value, key: &str) -> f64 {
    design["cost"][key].as_f64().expect("the cost has this figure")
}

/// The network in dollars.
#[track_caller]
pub(crate) fn network(design: &Value) -> f64 {
    cost(design, "network_capex_usd")
}

/// Switches in the bill: of one model, or of all.
#[track_caller]
pub(crate) fn switches(design: &Value, model: Option<&str>) -> u64 {
    let bill = design["bom"].as_array().expect("a design has a bill");
    let of_it = bill
        .iter()
        .filter(|line| line["role"] == "switch" && model.is_none_or(|model| line["part"] == model));
    of_it.map(|line| line["count"].as_u64().expect("a count is whole")).sum()
}
