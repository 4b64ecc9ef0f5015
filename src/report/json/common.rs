//! What several results in JSON share: figures, assumptions, phases, workloads, digest.

use serde::ser::{SerializeMap, Serializer};
use serde::{Serialize, ser};
use serde_json::{Map, Value};

use crate::design::{ClusterName, PhaseReport, Plan, WorkloadPlan};
use crate::gate::Digest;
use crate::quantity::{FigureSource, section_quantities};
use crate::report::sheet::ClusterSheets;
use crate::report::words::exact_number;
use crate::units::{Amount, Usd};

/// Figures by the last word of their key.
pub(super) struct Figures(Vec<(&'static str, FigureEntry)>);

enum FigureEntry {
    One(Option<Amount>),
    /// Figures whose keys have a word in common: `null` where none is there.
    Group(Vec<(&'static str, Option<Amount>)>),
}

/// A number in the unit of its key: counts and bytes are exact, everything else keeps twelve
/// digits.
pub(super) struct Plain<'a>(pub(super) &'a Amount);

impl Figures {
    /// The figures of a section of an answer. What every design has, and this answer has not, is
    /// left out; what some designs have is `null`.
    pub(super) fn section_figures(name: &str, answer: &FigureSource<'_>) -> Self {
        let mut entries: Vec<(&'static str, FigureEntry)> = Vec::new();
        for row in section_quantities(name) {
            let value = row.read_from(answer);
            if value.is_none() && row.always {
                continue;
            }
            let word = row.key.split_once('.').map_or(row.key, |(_, word)| word);
            match (word.split_once('.'), entries.last_mut()) {
                (Some((group, word)), Some((last, FigureEntry::Group(inner))))
                    if *last == group =>
                {
                    inner.push((word, value));
                }
                (Some((group, word)), _) => {
                    entries.push((group, FigureEntry::Group(vec![(word, value)])))
                }
                (None, _) => entries.push((word, FigureEntry::One(value))),
            }
        }
        Self(entries)
    }

    /// Those before that word, and from it on.
    pub(super) fn split_before_key(mut self, word: &str) -> (Self, Self) {
        let place = self.0.iter().position(|(text, _)| *text == word).unwrap_or(self.0.len());
        let rest = self.0.split_off(place);
        (self, Self(rest))
    }
}

impl ser::Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (word, entry) in &self.0 {
            map.serialize_entry(word, entry)?;
        }
        map.end()
    }
}

impl ser::Serialize for FigureEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(value) => value.as_ref().map(Plain).serialize(serializer),
            Self::Group(group) if group.iter().all(|(_, value)| value.is_none()) => {
                serializer.serialize_none()
            }
            Self::Group(group) => {
                let mut map = serializer.serialize_map(Some(group.len()))?;
                for (word, value) in group {
                    map.serialize_entry(word, &value.as_ref().map(Plain))?;
                }
                map.end()
            }
        }
    }
}

impl ser::Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Amount::Memory(bytes) | Amount::Volume(bytes) => bytes.count().serialize(serializer),
            Amount::Count(count) => count.serialize(serializer),
            Amount::Flag(on) => on.serialize(serializer),
            Amount::Word(name) => name.serialize(serializer),
            other => exact_number(other.scalar()).serialize(serializer),
        }
    }
}

/// Something taken for granted.
#[derive(Serialize)]
pub(super) struct AssumptionJson {
    topic: String,
    text: String,
}

impl AssumptionJson {
    pub(super) fn new(assumption: &crate::scenario::Assumption) -> Self {
        Self { topic: assumption.topic.clone(), text: assumption.text.clone() }
    }
}

/// At which rate a price became US dollars.
#[derive(Serialize)]
pub(super) struct ExchangeRateJson {
    currency: String,
    usd: f64,
    date: String,
}

impl ExchangeRateJson {
    pub(super) fn new(exchange: &crate::hardware::Exchange) -> Self {
        let crate::hardware::Exchange { currency, usd, date } = exchange;
        Self { currency: currency.to_string(), usd: exact_number(*usd), date: date.clone() }
    }
}

/// A part of a run with steps of its own.
#[derive(Serialize)]
pub(super) struct PhaseJson {
    name: String,
    share_of_steps: f64,
    step_time_s: f64,
    model_flop: f64,
}

impl PhaseJson {
    pub(super) fn new(report: &PhaseReport) -> Self {
        Self {
            name: report.name.clone(),
            share_of_steps: exact_number(report.share),
            step_time_s: exact_number(report.step.get()),
            model_flop: exact_number(report.model_flops.get()),
        }
    }
}

/// One of several workloads.
#[derive(Serialize)]
pub(super) struct WorkloadJson {
    name: String,
    share: f64,
    model: Figures,
    layout: Figures,
    step: Figures,
    memory: Figures,
    traffic: Figures,
    training_days: Option<f64>,
    usd_per_million_tokens: Option<f64>,
}

impl WorkloadJson {
    pub(super) fn new(workload_plan: &WorkloadPlan, plan: &Plan) -> Self {
        let answer = FigureSource::from_workload(workload_plan, plan);
        let figures = |section| Figures::section_figures(section, &answer);
        Self {
            name: workload_plan.name.clone(),
            share: exact_number(workload_plan.share),
            model: figures("model"),
            layout: figures("layout"),
            step: figures("step"),
            memory: figures("memory"),
            traffic: figures("traffic"),
            training_days: workload_plan.training_days.map(exact_number),
            usd_per_million_tokens: plan
                .usd_per_million_tokens_of(workload_plan)
                .map(Usd::get)
                .map(exact_number),
        }
    }
}

/// The digest of a result that has none yet.
pub(super) fn result_digest(text: &str) -> String {
    // What was just written is a JSON object.
    let result: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    Digest::digest_json(&result, None).to_string()
}

/// An object with a list of what `json` writes of each: `parts`, each with the `workload` that has
/// it, or `stages`, each with its `stage` and `year`; before it `whole`, a value of all, where
/// there is one.
pub(in crate::report) fn clusters_json<T>(
    sheets: &ClusterSheets<'_, T>,
    json: impl Fn(&T) -> String,
    whole: Option<&str>,
) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let entry = |(name, sheet): &(&ClusterName, T)| {
        let name = match name {
            ClusterName::Whole => String::new(),
            ClusterName::Part(workload) => format!("\"workload\": {}, ", text(workload)),
            ClusterName::Stage { number, year } => {
                format!(
                    "\"stage\": {number}, \"year\": {}, ",
                    crate::report::words::exact_number(*year)
                )
            }
        };
        // Texts of JSON hold no line breaks, so that lines can be moved as they are.
        format!("    {{{name}\"result\": {}}}", json(sheet).trim_end().replace('\n', "\n    "))
    };
    let each: Vec<String> = sheets.each.iter().map(entry).collect();
    let list = if sheets.is_staged() { "stages" } else { "parts" };
    let name = text(sheets.name);
    let each = each.join(",\n");
    let moved = |value: &str| value.trim_end().replace('\n', "\n  ");
    let whole = whole.map_or_else(String::new, |word| format!("  \"whole\": {},\n", moved(word)));
    format!(
        "{{\n  \"schema\": \"planner/clusters/1\",\n  \"name\": {name},\n{whole}  \"{list}\": [\n{each}\n  \
         ]\n}}\n"
    )
}
