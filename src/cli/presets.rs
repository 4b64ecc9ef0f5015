//! `planner presets`: what ships, with source and date.

use clap::{Args, Subcommand};

use super::args::Options;
use super::failure::Failure;
use crate::hardware::Month;
use crate::report::{self, Doubtful, Preset};
use crate::spec::library::audit;
use crate::spec::library::entry::{self, PresetEntry, PresetKind};
use crate::spec::{self, SpecText};
use crate::workload::Parameters;

/// Arguments of `planner presets`.
#[derive(Args, Debug)]
pub(super) struct PresetsArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// All presets by kind, with source and date
    List,
    /// What of parts and prices is assumed, second-hand or more than a year old
    Audit {
        /// Month that ages are told in, as 2026-11: no clock is read
        #[arg(long, value_name = "MONTH")]
        as_of: String,
    },
    /// The text of one preset as it ships
    Show {
        /// Name of the preset
        name: String,
    },
}

/// The list, or the text of one preset.
pub(super) fn run_presets(args: &PresetsArgs, options: &Options) -> Result<String, Failure> {
    if let Some(Action::Audit { as_of }) = &args.action {
        return audit_report(as_of, options);
    }
    let found = match &args.action {
        None | Some(Action::List | Action::Audit { .. }) => shipped_presets(),
        Some(Action::Show { name }) => {
            entry::find_presets(name).into_iter().map(detailed_preset).collect()
        }
    };
    match &args.action {
        Some(Action::Show { name }) if found.is_empty() => {
            let error = anyhow::anyhow!("there is no preset `{name}`");
            Err(Failure::usage_error(error, "see `planner presets list`"))
        }
        Some(Action::Show { .. }) => {
            options.render_report(|look| report::render_preset(&found, look))
        }
        None | Some(Action::List | Action::Audit { .. }) => {
            options.render_report(|look| report::render_presets(&found, look))
        }
    }
}

/// What rests on little, as of a month.
fn audit_report(as_of: &str, options: &Options) -> Result<String, Failure> {
    let month = Month::parse(as_of).ok_or_else(|| {
        let error = anyhow::anyhow!("`{as_of}` is no month");
        Failure::usage_error(error, "write year and month, as `--as-of 2026-11`")
    })?;
    let found = audit::audit_presets(month).into_iter().map(|finding| Doubtful {
        kind: finding.kind,
        name: finding.name,
        doubts: finding.doubts.into_iter().map(audit::AuditDoubt::name).collect(),
        date: finding.date,
        note: finding.note,
    });
    let found: Vec<Doubtful> = found.collect();
    options.render_report(|look| report::render_audit(&found, &month.to_string(), look))
}

/// All that ships, as reports know it.
pub(super) fn shipped_presets() -> Vec<Preset> {
    entry::list_presets().into_iter().map(to_report_preset).collect()
}

fn to_report_preset(entry: PresetEntry) -> Preset {
    Preset {
        parameters: None,
        kind: entry.kind.name(),
        name: entry.name,
        source: entry.source,
        date: entry.date,
        text: entry.text,
    }
}

/// One of them, with what is worked out for a single one only.
fn detailed_preset(entry: PresetEntry) -> Preset {
    let is_model = entry.kind == PresetKind::Model;
    let parameters = is_model.then(|| model_parameters(&entry.name)).flatten();
    Preset { parameters, ..to_report_preset(entry) }
}

/// How large a model that ships is.
fn model_parameters(name: &str) -> Option<Parameters> {
    let source = SpecText::new(name, spec::starter_spec(name)?);
    spec::read_scenario(&source, &[])
        .ok()
        .map(|scenario| Parameters::count_parameters(&scenario.workload.model))
}
