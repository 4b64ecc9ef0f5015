//! `planner presets`: what ships, with source and date.

use clap::{Args, Subcommand};

use super::args::Options;
use super::failure::Failure;
use crate::report::{self, Preset};
use crate::spec::presets::{self, Entry, PresetKind};
use crate::spec::{self, Source};
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
    /// The text of one preset as it ships
    Show {
        /// Name of the preset
        name: String,
    },
}

/// The list, or the text of one preset.
pub(super) fn run(args: &PresetsArgs, options: &Options) -> Result<String, Failure> {
    let found = match &args.action {
        None | Some(Action::List) => known(),
        Some(Action::Show { name }) => presets::show(name).into_iter().map(shown).collect(),
    };
    match &args.action {
        Some(Action::Show { name }) if found.is_empty() => {
            let error = anyhow::anyhow!("there is no preset `{name}`");
            Err(Failure::refused(error, "see `planner presets list`"))
        }
        Some(Action::Show { .. }) => options.report(|look| report::preset(&found, look)),
        None | Some(Action::List) => options.report(|look| report::presets(&found, look)),
    }
}

/// All that ships, as reports know it.
pub(super) fn known() -> Vec<Preset> {
    presets::list().into_iter().map(preset).collect()
}

fn preset(entry: Entry) -> Preset {
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
fn shown(entry: Entry) -> Preset {
    let is_model = entry.kind == PresetKind::Model;
    let parameters = is_model.then(|| parameters(&entry.name)).flatten();
    Preset { parameters, ..preset(entry) }
}

/// How large a model that ships is.
fn parameters(name: &str) -> Option<Parameters> {
    let source = Source::new(name, spec::starter(name)?);
    spec::read(&source, &[]).ok().map(|of| Parameters::of(&of.workload.model))
}
