//! `planner check` and `planner diff` as programs read them.

use serde::Serialize;

use super::super::number::exact_number;
use super::super::sheet::{CheckSheet, cause_code_and_text, finding_text};
use crate::gate::{
    self, CapexChange, FactChange, Judged, LineChange, Movement, RuleOrigin, Severity,
};
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

/// The change of capex; `by_exchange_usd` is a part of `by_price_usd`, and `by_quantity_usd`, `by_price_usd` and `other_usd` sum to it.
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
pub(in super::super) fn check_json(sheet: &CheckSheet<'_>) -> String {
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
