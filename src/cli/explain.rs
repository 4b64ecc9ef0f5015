//! `planner explain`: how a number of the design came about.

use std::path::{Path, PathBuf};

use clap::Args;

use super::args::Options;
use super::failure::Failure;
use super::{input, presets};
use crate::design;
use crate::explain::{Explanation, explain_plan};
use crate::quantity::{Quantity, all_quantities, quantity_for_key, strip_unit};
use crate::report::{self, ExplainSheet};
use crate::spec::{library, suggest};

/// Spec where only a quantity is typed.
const DEFAULT_SPEC: &str = "model.toml";

/// Arguments of `planner explain`.
#[derive(Args, Debug)]
pub(super) struct ExplainArgs {
    /// Spec file, `-` for standard input, or the name of a ready spec [default: model.toml]
    #[arg(value_name = "SPEC")]
    first: Option<String>,
    /// Key of a number in the JSON of a design, such as `step.time_s`; an entry of a list by its
    /// place (`alternatives.0.step_ratio`), a line of the bill by its part (`bom.qm9700.count`), a
    /// figure of one of several clusters by its place (`parts.0.step.time_s`); left out, all are
    /// listed
    #[arg(value_name = "QUANTITY")]
    second: Option<String>,
}

/// The explanation as text.
pub(super) fn run_explain(args: &ExplainArgs, options: &Options) -> Result<String, Failure> {
    let (spec, quantity) = spec_and_quantity(args);
    if let (Some(only), None) = (&args.first, &args.second)
        && let Some(failure) = name_of_a_figure(only)
    {
        return Err(failure);
    }
    let scenario = input::load_scenario(&spec, options)?;
    let plan = design::design_with_house_rule(&scenario, &options.solver_options())?;
    let scenario = design::question_of_plan(&scenario, &plan);
    let mut explanations = explain_plan(&scenario, &plan);
    let presets = presets::shipped_presets();
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

/// What is typed where a spec stands and is no file, but the name of a figure or the end of its key.
fn name_of_a_figure(typed: &str) -> Option<Failure> {
    let is_spec = typed == "-" || Path::new(typed).exists() || library::ready_spec(typed).is_some();
    let figure = find_quantity(typed).filter(|_| !is_spec && !is_quantity(typed))?;
    let error =
        anyhow::anyhow!("there is no file and no ready spec `{}`", suggest::quote_input(typed));
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
    let error = anyhow::anyhow!("there is no quantity `{}`", suggest::quote_input(wanted));
    let tail = |explanation: &&Explanation| explanation.key.ends_with(&format!(".{wanted}"));
    let near = explanations.iter().find(tail).map(|explanation| explanation.key.as_ref());
    let known = find_quantity(wanted)
        .map(|quantity| quantity.key)
        .filter(|key| keys.iter().any(|text| text == key));
    let hint = match known.or(near).or_else(|| suggest::did_you_mean(wanted, &keys)) {
        Some(near) => format!("did you mean `{near}`? `planner explain [SPEC]` lists all"),
        None => "`planner explain [SPEC]` lists all".to_owned(),
    };
    Failure::usage_error(error, hint)
}
