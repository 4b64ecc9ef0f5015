//! docs/equations.md shows what algorithms do to designs: its table is what comes out.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::program::planner_in;

/// The page, and how the head of its table begins.
const PAGE: &str = "docs/equations.md";
const HEAD: &str = "| ready spec | algorithms |";

const SPECS: [&str; 3] = ["gpt3-175b-a100-1536", "llama3-405b-h100-16384", "deepseek-v3-h800-2048"];
const ALGORITHMS: [&str; 3] = ["nccl", "ring", "direct"];

fn number(plan: &Value, place: &str) -> f64 {
    plan.pointer(place).and_then(Value::as_f64).unwrap_or_else(|| panic!("no {place}"))
}

/// The design of a ready spec under the algorithms, as a line of the table.
fn row(spec: &str, by: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let set = format!("collectives.all={by}");
    let done = planner_in(root, &["design", spec, "--set", &set, "--format", "json"]);
    assert_eq!(done.status, 0, "{spec} under {by}: {}", done.stderr);
    let plan: Value = serde_json::from_str(&done.stdout).expect("JSON");
    let terabytes = |place: &str| format!("{:.1} TB", number(&plan, place) / 1e12);
    let blocked = match number(&plan, "/fabric/bisection_share") {
        share if share < 1.0 => format!(", {:.1} % of full bisection", 100.0 * share),
        _ => String::new(),
    };
    format!(
        "| {spec} | {by} | {:.2} s | {} | {} | {}, {} leaf switches{blocked} | ${:.1}M |",
        number(&plan, "/step/time_s"),
        terabytes("/traffic/bytes_by_locality/along_rail"),
        terabytes("/traffic/bytes_by_locality/across_rails"),
        plan["fabric"]["kind"].as_str().expect("a family"),
        number(&plan, "/fabric/leafs"),
        number(&plan, "/cost/capex_usd") / 1e6,
    )
}

/// Where this fails because designs were meant to change: run it once with `RENEW_README=1`, and read
/// what it wrote.
#[test]
fn the_designs_under_three_algorithms_are_those_of_the_page() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let shown = fs::read_to_string(&path).expect("there is such a page");
    let rows = SPECS.iter().flat_map(|spec| ALGORITHMS.iter().map(move |by| row(spec, by)));
    let made: Vec<String> = rows.collect();
    let mut renewed: Vec<String> = Vec::new();
    let mut lines = shown.lines();
    while let Some(line) = lines.next() {
        renewed.push(line.to_owned());
        if line.starts_with(HEAD) {
            renewed.extend(lines.next().map(str::to_owned)); // the rule below the head
            renewed.extend(made.iter().cloned());
            renewed.extend(lines.by_ref().find(|line| !line.starts_with('|')).map(str::to_owned));
        }
    }
    assert!(renewed.len() > made.len() + 2, "{PAGE} has no such table");
    let renewed = renewed.join("\n") + "\n";
    if std::env::var_os("RENEW_README").is_some() {
        fs::write(&path, &renewed).expect("the page can be written");
        return;
    }
    for (place, (old, new)) in shown.lines().zip(renewed.lines()).enumerate() {
        assert_eq!(old, new, "line {} of {PAGE} is no longer true", place + 1);
    }
    assert_eq!(shown.lines().count(), renewed.lines().count(), "{PAGE}: another length");
}
