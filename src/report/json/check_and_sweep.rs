//! `planner check`, `diff`, `sweep`.
//!
//! `planner check` and `planner diff` as programs read them.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::gate::{
    self, CapexChange, FactChange, Judged, LineChange, Movement, RuleOrigin, Severity,
};
use crate::report::sheet::{CheckSheet, cause_code_and_text, finding_text};
use crate::report::words::exact_number;
use crate::sweep::{Outcome, Sweep, SweepEntry, SweepRow};
use crate::units::Usd;

#[derive(Serialize)]
struct CheckJson {
    schema: &'static str,
    name: String,
    old: String,
    new: String,
    verdict: &'static str,
    unchanged: bool,
    rules: Vec<Rule>,
    change: Split,
    causes: Vec<CauseJson>,
    figures: Vec<Figure>,
    facts: Vec<Fact>,
    bom: Vec<ChangedLine>,
    price_not_found: Vec<String>,
    findings: Vec<FindingJson>,
}

/// What no rule sees.
#[derive(Serialize)]
struct FindingJson {
    code: &'static str,
    subject: String,
    text: String,
    verdict: &'static str,
}

/// A rule; values are in the unit of its key, and `null` where a result has none.
#[derive(Serialize)]
struct Rule {
    rule: String,
    key: String,
    severity: &'static str,
    origin: &'static str,
    silenced: bool,
    old: Option<f64>,
    new: Option<f64>,
    change: Option<f64>,
    verdict: &'static str,
}

/// The change of capex; `by_exchange_usd` is a part of `by_price_usd`, and `by_quantity_usd`,
/// `by_price_usd` and `other_usd` sum to it.
#[derive(Serialize)]
struct Split {
    capex_usd: f64,
    by_quantity_usd: f64,
    by_price_usd: f64,
    by_exchange_usd: f64,
    other_usd: f64,
    network_by_quantity_usd: f64,
    network_by_price_usd: f64,
    by_optimum_usd: Option<f64>,
}

#[derive(Serialize)]
struct CauseJson {
    code: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    usd: Option<f64>,
}

#[derive(Serialize)]
struct Figure {
    key: String,
    old: Option<f64>,
    new: Option<f64>,
    change: Option<f64>,
    change_share: Option<f64>,
}

#[derive(Serialize)]
struct Fact {
    key: String,
    old: String,
    new: String,
}

/// A line of the bill that changed.
#[derive(Serialize)]
struct ChangedLine {
    part: String,
    role: String,
    old_count: u64,
    new_count: u64,
    old_unit_usd: Option<f64>,
    new_unit_usd: Option<f64>,
    by_quantity_usd: f64,
    by_price_usd: f64,
    by_exchange_usd: f64,
}

/// The check as pretty JSON.
pub(in crate::report) fn check_json(sheet: &CheckSheet<'_>) -> String {
    let report = sheet.report;
    super::write(&CheckJson {
        schema: if sheet.is_diff { "planner/diff/1" } else { "planner/check/1" },
        name: report.name.clone(),
        old: sheet.old.to_owned(),
        new: sheet.new.to_owned(),
        verdict: report.verdict.name(),
        unchanged: report.is_unchanged(),
        rules: report.rules.iter().map(Rule::new).collect(),
        change: Split::new(&report.change),
        causes: report
            .causes
            .iter()
            .map(|cause| {
                let (code, text) = cause_code_and_text(cause);
                let usd = match cause {
                    gate::ChangeCause::Prices { by_price, .. } => Some(*by_price),
                    gate::ChangeCause::Exchange { by_exchange, .. } => Some(*by_exchange),
                    _ => None,
                };
                CauseJson { code, text, usd: usd.map(|usd| exact_number(usd.get())) }
            })
            .collect(),
        figures: report.figures.iter().map(Figure::new).collect(),
        facts: report.facts.iter().map(Fact::new).collect(),
        bom: report.change.lines.iter().map(ChangedLine::new).collect(),
        price_not_found: report.unpriced.clone(),
        findings: report
            .findings
            .iter()
            .map(|finding| FindingJson {
                code: finding.finding.code(),
                subject: finding.finding.subject().to_owned(),
                text: finding_text(&finding.finding),
                verdict: finding.verdict.name(),
            })
            .collect(),
    })
}

impl Rule {
    fn new(judged: &Judged) -> Self {
        Self {
            rule: judged.gate.rule.to_string(),
            key: judged.key.clone(),
            severity: match judged.gate.severity {
                Severity::Warn => "warn",
                Severity::Fail => "fail",
            },
            origin: match judged.gate.origin {
                RuleOrigin::Planner => "planner",
                RuleOrigin::Spec => "spec",
                RuleOrigin::CommandLine => "command-line",
                RuleOrigin::Policy => "policy",
            },
            silenced: judged.silenced,
            old: judged.old.map(exact_number),
            new: judged.new.map(exact_number),
            change: judged.change().map(exact_number),
            verdict: judged.verdict.name(),
        }
    }
}

impl Split {
    fn new(change: &CapexChange) -> Self {
        let usd = |value: Usd| exact_number(value.get());
        Self {
            capex_usd: usd(change.total),
            by_quantity_usd: usd(change.by_quantity),
            by_price_usd: usd(change.by_price),
            by_exchange_usd: usd(change.by_exchange),
            other_usd: usd(change.other),
            network_by_quantity_usd: usd(change.network_by_quantity),
            network_by_price_usd: usd(change.network_by_price),
            by_optimum_usd: change.by_optimum.map(usd),
        }
    }
}

impl Figure {
    fn new(movement: &Movement) -> Self {
        Self {
            key: movement.key.clone(),
            old: movement.old.map(exact_number),
            new: movement.new.map(exact_number),
            change: movement.change().map(exact_number),
            change_share: movement.relative_change().map(exact_number),
        }
    }
}

impl Fact {
    fn new(change: &FactChange) -> Self {
        Self { key: change.key.clone(), old: change.old.clone(), new: change.new.clone() }
    }
}

impl ChangedLine {
    fn new(change: &LineChange) -> Self {
        Self {
            part: change.part.clone(),
            role: change.role.clone(),
            old_count: change.old_count,
            new_count: change.new_count,
            old_unit_usd: change.old_unit.map(|usd| exact_number(usd.get())),
            new_unit_usd: change.new_unit.map(|usd| exact_number(usd.get())),
            by_quantity_usd: exact_number(change.by_quantity.get()),
            by_price_usd: exact_number(change.by_price.get()),
            by_exchange_usd: exact_number(change.by_exchange.get()),
        }
    }
}

#[derive(Serialize)]
struct SweepJson<'a> {
    schema: &'static str,
    name: &'a str,
    planner: &'a str,
    /// Stands for the source that it was built from.
    build: &'a str,
    /// Stands for the parts and prices that ship with it.
    catalogue: &'a str,
    /// Stands for spec, overrides, part, prices and solver.
    origin: &'a str,
    axes: Vec<AxisJson<'a>>,
    shard: String,
    columns: Vec<&'a str>,
    objectives: Vec<&'a str>,
    /// Which way each objective gets better: `min` or `max`.
    senses: Vec<&'static str>,
    points: Vec<SweepPoint>,
}

#[derive(Serialize)]
struct AxisJson<'a> {
    key: &'a str,
    values: &'a [String],
}

/// A point of the grid; one without a design says why.
#[derive(Serialize)]
struct SweepPoint {
    index: usize,
    values: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impossible: Option<String>,
    on_front: bool,
}

/// The sweep as pretty JSON.
pub(in crate::report) fn sweep_json(sweep: &Sweep) -> String {
    let front = sweep.front_membership();
    super::write(&SweepJson {
        schema: "planner/sweep/1",
        name: &sweep.name,
        planner: &sweep.origin.planner,
        build: &sweep.origin.build,
        catalogue: &sweep.origin.catalogue,
        origin: &sweep.origin.question,
        axes: sweep
            .grid
            .axes()
            .iter()
            .map(|axis| AxisJson { key: &axis.key, values: &axis.values })
            .collect(),
        shard: sweep.shard.to_string(),
        columns: sweep.columns.iter().map(|column| column.key.as_str()).collect(),
        objectives: sweep
            .objectives
            .iter()
            .filter_map(|objective| sweep.columns.get(objective.column))
            .map(|column| column.key.as_str())
            .collect(),
        senses: sweep.objectives.iter().map(|objective| objective.sense.name()).collect(),
        points: sweep
            .rows
            .iter()
            .zip(front)
            .map(|(row, on_front)| sweep_point(sweep, row, on_front))
            .collect(),
    })
}

fn sweep_point(sweep: &Sweep, row: &SweepRow, on_front: bool) -> SweepPoint {
    let axes = sweep.grid.axes().iter().map(|axis| axis.key.clone());
    let values =
        axes.zip(sweep.grid.point_values(row.place)).map(|(key, value)| (key, value.into()));
    let (entries, impossible) = match &row.outcome {
        Outcome::Impossible(reason) => (None, Some(reason.clone())),
        Outcome::Design(entries) => {
            let keys = sweep.columns.iter().map(|column| column.key.clone());
            (Some(keys.zip(entries.iter().map(entry_value)).collect()), None)
        }
    };
    SweepPoint { index: row.place, values: values.collect(), entries, impossible, on_front }
}

fn entry_value(entry: &SweepEntry) -> Value {
    match entry {
        SweepEntry::Figure(figure) => exact_number(*figure).into(),
        SweepEntry::Word(word) => word.as_str().into(),
        SweepEntry::None => Value::Null,
    }
}
