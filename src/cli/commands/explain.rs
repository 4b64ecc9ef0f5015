//! The commands `planner explain` and `planner presets`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::cli::args::Options;
use crate::cli::errors::Failure;
use crate::cli::input;
use crate::cli::progress::watched_options;
use crate::design;
use crate::explain::{Explanation, explain_plan};
use crate::hardware::Month;
use crate::quantity::{Quantity, all_quantities, quantity_for_key, strip_unit};
use crate::report::{self, Doubtful, ExplainSheet, Preset, Term};
use crate::spec::presets::{self, PresetEntry, PresetKind};
use crate::spec::schema;
use crate::spec::{self, SpecText, library, problem};
use crate::workload::Parameters;

/// Spec where only a quantity is typed.
const DEFAULT_SPEC: &str = "model.toml";

/// How many names a slip may have meant.
const NEAREST: usize = 3;

/// Arguments of `planner explain`.
#[derive(Args, Debug)]
pub(in crate::cli) struct ExplainArgs {
    /// A spec [default: model.toml]; or, alone, a figure, a key of a spec, a code such as W07, a
    /// word such as `HB domain`, a part that ships
    #[arg(value_name = "SPEC|WORD")]
    first: Option<String>,
    /// Key of a number in the JSON: `step.time_s`, `alternatives.0.step_ratio`,
    /// `bom.qm9700.count`, `parts.0.step.time_s`; left out, all are listed
    #[arg(value_name = "QUANTITY")]
    second: Option<String>,
}

/// The explanation as text.
pub(in crate::cli) fn run_explain(
    args: &ExplainArgs,
    options: &Options,
) -> Result<String, Failure> {
    if let Some(term) = asked_term(args) {
        return options.render_report(|look| report::render_term(&term, look));
    }
    let (spec, quantity) = spec_and_quantity(args);
    if let (Some(only), None) = (&args.first, &args.second)
        && !is_quantity(only)
        && !is_spec(only)
    {
        return explain_name(only, options);
    }
    let scenario = input::load_scenario(&spec, options)?;
    let plan = design::design_with_default_rules(&scenario, &watched_options(options))?;
    let scenario = design::question_of_plan(&scenario, &plan);
    let mut explanations = explain_plan(&scenario, &plan);
    let presets = shipped_presets();
    if let Some(wanted) = quantity {
        if !explanations.iter().any(|explanation| explanation.key == wanted) {
            return Err(unknown_quantity(wanted, &explanations));
        }
        explanations.retain(|explanation| explanation.key == wanted);
    }
    let sheet =
        ExplainSheet { name: &scenario.name, explanations: &explanations, presets: &presets };
    options.render_report(|look| match quantity {
        Some(_) => report::render_explanations(&sheet, look),
        None => report::render_quantities(&sheet, look),
    })
}

/// Spec and quantity that were meant: a single argument may be either.
fn spec_and_quantity(args: &ExplainArgs) -> (PathBuf, Option<&str>) {
    match (args.first.as_deref(), args.second.as_deref()) {
        (Some(only), None) if is_quantity(only) => (DEFAULT_SPEC.into(), Some(only)),
        (first, quantity) => (first.unwrap_or(DEFAULT_SPEC).into(), quantity),
    }
}

/// A key that is no file, no ready spec, and does not look like the path of one. All but one have a
/// dot.
fn is_quantity(text: &str) -> bool {
    let path = Path::new(text);
    let like_a_path =
        text.contains(['/', '\\']) || path.extension().is_some_and(|os_str| os_str == "toml");
    let like_a_key = text.contains('.') || quantity_for_key(text).is_some();
    like_a_key && !like_a_path && !path.exists() && library::ready_spec(text).is_none()
}

/// A file, a ready spec, or what looks like the path of one.
fn is_spec(text: &str) -> bool {
    let path = Path::new(text);
    let like_a_path = text.contains(['/', '\\']) || path.extension().is_some();
    text == "-" || like_a_path || path.exists() || library::ready_spec(text).is_some()
}

/// A key of a spec, a word or a warning, where that is asked for and no figure has the name.
fn asked_term(args: &ExplainArgs) -> Option<Term> {
    let typed = match (args.first.as_deref(), args.second.as_deref()) {
        (Some(only), None) if !Path::new(only).exists() => only,
        (_, Some(second)) => second,
        _ => return None,
    };
    let is_known = quantity_for_key(typed).is_some() || library::ready_spec(typed).is_some();
    if is_known {
        return None;
    }
    let key = schema::describe_key(typed).filter(|_| typed.contains('.'));
    key.map(|key| Term::from_key(typed, key.doc, key.value)).or_else(|| report::find_term(typed))
}

/// What is typed where a spec stands and is none: a part that ships, the name of a figure, or a
/// slip.
fn explain_name(typed: &str, options: &Options) -> Result<String, Failure> {
    if let Some(failure) = name_of_a_figure(typed) {
        return Err(failure);
    }
    let found: Vec<Preset> =
        presets::find_presets(typed).into_iter().map(detailed_preset).collect();
    if !found.is_empty() {
        return options.render_report(|look| report::render_preset(&found, look));
    }
    Err(unknown_name(typed))
}

fn unknown_name(typed: &str) -> Failure {
    let error = anyhow::anyhow!(
        "there is no figure, word, warning, part or spec `{}`",
        problem::quote_input(typed)
    );
    let figures = all_quantities().map(|quantity| quantity.key.to_owned());
    let parts = presets::list_presets().into_iter().map(|entry| entry.name);
    let known: Vec<String> = figures.chain(report::term_names()).chain(parts).collect();
    let near = problem::nearest_names(typed, &known);
    let near: Vec<String> = near.iter().take(NEAREST).map(|name| format!("`{name}`")).collect();
    let hint = match near.split_last() {
        Some((last, [])) => format!("did you mean {last}?"),
        Some((last, before)) => format!("did you mean {} or {last}?", before.join(", ")),
        None => "`planner help explain` says what can be asked".to_owned(),
    };
    Failure::usage_error(error, hint)
}

/// What is typed where a spec stands and is no file, but the name of a figure or the end of its
/// key.
fn name_of_a_figure(typed: &str) -> Option<Failure> {
    let figure = find_quantity(typed)?;
    let error =
        anyhow::anyhow!("there is no file and no ready spec `{}`", problem::quote_input(typed));
    let hint = format!(
        "did you mean the figure `{key}`? `planner explain {key}` reads {DEFAULT_SPEC}, \
         `planner explain SPEC {key}` another spec",
        key = figure.key
    );
    Some(Failure::usage_error(error, hint))
}

/// The figure that reports call so, or whose key ends so.
fn find_quantity(typed: &str) -> Option<&'static Quantity> {
    let called = |quantity: &&Quantity| quantity.label == typed || quantity.nickname == typed;
    let ends = |quantity: &&Quantity| {
        [quantity.key, strip_unit(quantity.key)]
            .iter()
            .any(|key| key.rsplit('.').next() == Some(typed))
    };
    all_quantities().find(called).or_else(|| all_quantities().find(ends))
}

fn unknown_quantity(wanted: &str, explanations: &[Explanation]) -> Failure {
    let keys: Vec<String> =
        explanations.iter().map(|explanation| explanation.key.to_string()).collect();
    let error = anyhow::anyhow!("there is no figure `{}`", problem::quote_input(wanted));
    let tail = |explanation: &&Explanation| explanation.key.ends_with(&format!(".{wanted}"));
    let near = explanations.iter().find(tail).map(|explanation| explanation.key.as_ref());
    let known = find_quantity(wanted)
        .map(|quantity| quantity.key)
        .filter(|key| keys.iter().any(|text| text == key));
    let hint = match known.or(near).or_else(|| problem::did_you_mean(wanted, &keys)) {
        Some(near) => format!("did you mean `{near}`? `planner explain [SPEC]` lists all"),
        None => "`planner explain [SPEC]` lists all".to_owned(),
    };
    Failure::usage_error(error, hint)
}

/// Arguments of `planner presets`.
#[derive(Args, Debug)]
pub(in crate::cli) struct PresetsArgs {
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
pub(in crate::cli) fn run_presets(
    args: &PresetsArgs,
    options: &Options,
) -> Result<String, Failure> {
    if let Some(Action::Audit { as_of }) = &args.action {
        return audit_report(as_of, options);
    }
    let found = match &args.action {
        None | Some(Action::List | Action::Audit { .. }) => shipped_presets(),
        Some(Action::Show { name }) => {
            presets::find_presets(name).into_iter().map(detailed_preset).collect()
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
    let found = presets::audit_presets(month).into_iter().map(|finding| Doubtful {
        kind: finding.kind,
        name: finding.name,
        doubts: finding.doubts.into_iter().map(presets::AuditDoubt::name).collect(),
        date: finding.date,
        note: finding.note,
    });
    let found: Vec<Doubtful> = found.collect();
    options.render_report(|look| report::render_audit(&found, &month.to_string(), look))
}

/// All that ships, as reports know it.
pub(super) fn shipped_presets() -> Vec<Preset> {
    presets::list_presets().into_iter().map(to_report_preset).collect()
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
        .map(|scenario| Parameters::count_parameters(&scenario.lead_workload().model))
}
