//! Files of other tools where a spec is meant: the draft that they make, and what is told of it.

use std::path::Path;

use super::args::Options;
use super::failure::Failure;
use super::output;
use crate::import::{self, Draft, ImportProblem, UserChoices};
use crate::scenario::Assumption;
use crate::spec::SpecText;

/// The draft that a file makes.
pub(super) fn draft_from_source(source: &SpecText, wanted: &UserChoices) -> Result<Draft, Failure> {
    let refused = |problem: ImportProblem| {
        let hint = problem.hint();
        let error = anyhow::Error::new(problem).context(format!("can't import `{}`", source.name));
        Failure::usage_error(error, hint)
    };
    import::import_text(&source.text, wanted).map_err(refused)
}

/// The spec that a configuration of a model stands for; a spec as it is. What is assumed is told, and
/// is part of every result, but for what the command line states.
pub(super) fn convert_to_spec(
    path: &Path,
    source: SpecText,
    options: &Options,
) -> Result<SpecText, Failure> {
    if !import::is_foreign(&source.text) {
        return Ok(source);
    }
    let wanted = UserChoices { name: name_from_path(path), ..UserChoices::default() };
    let draft = draft_from_source(&source, &wanted)?;
    let overrides = options.overrides();
    let mut spec = SpecText::new(format!("{} as a spec", source.name), draft.spec_text());
    let mut assumed = Vec::new();
    for (topic, text) in draft.remarks() {
        if overrides.iter().any(|set| set.is_of(&topic)) {
            continue;
        }
        output::print_warning(options, &format!("assumed: {topic}: {text}"));
        assumed.push(Assumption { topic, text, default: false });
    }
    spec.assumed = assumed.into();
    let hint =
        "state these with `--set`, or write the spec with `planner import FILE -o model.toml`";
    output::print_note(options, hint);
    Ok(spec)
}

/// The file's own name, unless every file of its kind has it: then that of its folder.
pub(super) fn name_from_path(file: &Path) -> Option<String> {
    let text = |part: &std::ffi::OsStr| part.to_str().map(str::to_owned);
    match file.file_stem().and_then(text)?.as_str() {
        "-" => None,
        "config" => file.parent()?.file_name().and_then(text),
        stem => Some(stem.to_owned()),
    }
}
