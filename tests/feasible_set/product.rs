//! What the program answers to an instance.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::feasible_set::instance::{Goal, Instance};
use crate::support::program::program_path;

/// An answer.
pub(crate) enum Answer {
    /// Exit status 3: what it says.
    Infeasible(String),
    /// A design.
    Design(Box<Design>),
    /// Anything else: what it says.
    Failed(String),
}

/// A printed design.
pub(crate) struct Design {
    /// The whole result.
    pub(crate) json: Value,
}

impl Design {
    /// A number by its path.
    pub(crate) fn number(&self, path: &str) -> f64 {
        number(&self.json, path)
    }

    /// A count by its path.
    pub(crate) fn count(&self, path: &str) -> u32 {
        self.number(path).round() as u32
    }

    /// A text by its path.
    pub(crate) fn text(&self, path: &str) -> &str {
        self.json.pointer(path).and_then(Value::as_str).unwrap_or("")
    }

    /// A list by its path.
    pub(crate) fn list(&self, path: &str) -> &[Value] {
        self.json.pointer(path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// Pieces of a part, owned ones included.
    pub(crate) fn pieces(&self, part: &str) -> u32 {
        let line = self.list("/bom").iter().find(|line| line["part"].as_str() == Some(part));
        line.map_or(0, |line| number(line, "/count").round() as u32)
    }

    /// The amount of a goal.
    pub(crate) fn amount(&self, goal: Goal) -> f64 {
        self.number(match goal {
            Goal::Capex => "/cost/capex_usd",
            Goal::Power => "/cost/power_w",
            Goal::Tco => "/cost/tco_usd",
        })
    }

    /// Whether the answer is said to be the best there is.
    pub(crate) fn proven(&self) -> bool {
        self.text("/solver/status") == "optimal"
    }

    /// In words.
    pub(crate) fn words(&self) -> String {
        let tiers: Vec<String> = self
            .list("/fabric/tiers")
            .iter()
            .map(|tier| {
                let text = |key: &str| tier[key].as_str().unwrap_or("").to_owned();
                format!(
                    "{} x {} {} {}:{}",
                    tier["count"],
                    text("name"),
                    text("model"),
                    tier["down"],
                    tier["up"]
                )
            })
            .collect();
        format!(
            "{} on {} planes: {}; {} leaf-spine links; capex ${}, power {} W, {} (gap {})",
            self.text("/fabric/kind"),
            self.count("/fabric/planes"),
            tiers.join(", "),
            self.count("/fabric/leaf_spine_links"),
            self.number("/cost/capex_usd"),
            self.number("/cost/power_w"),
            self.text("/solver/status"),
            self.number("/solver/gap"),
        )
    }
}

/// A number of a JSON value by its path; NaN where there is none.
pub(crate) fn number(value: &Value, path: &str) -> f64 {
    value.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// Runs `planner design - --format json` on an instance.
pub(crate) fn answer(instance: &Instance) -> Answer {
    answer_with(instance, &[])
}

/// Runs it with further arguments.
pub(crate) fn answer_with(instance: &Instance, arguments: &[&str]) -> Answer {
    let mut child = Command::new(program_path())
        .args(["design", "-", "--format", "json"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    // A spec is smaller than a pipe holds.
    stdin.write_all(instance.toml().as_bytes()).expect("the program reads its input");
    drop(stdin);
    let done = child.wait_with_output().expect("the program was started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match done.status.code() {
        Some(0) => match serde_json::from_slice(&done.stdout) {
            Ok(json) => Answer::Design(Box::new(Design { json })),
            Err(error) => Answer::Failed(format!("{error}: {}", text(&done.stdout))),
        },
        Some(3) => Answer::Infeasible(text(&done.stderr).trim().to_owned()),
        _ => Answer::Failed(text(&done.stderr)),
    }
}
