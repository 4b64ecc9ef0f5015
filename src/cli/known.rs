//! Values that completions offer beside the names of options: ready specs, presets and parts, quantities,
//! baselines, techniques. The program itself takes more, such as files; it is not told of these.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;

use crate::compare::Baseline;
use crate::quantity::all_quantities;
use crate::report::technique_names;
use crate::spec::library::entry::{PresetKind, list_presets};

/// What an argument is in the script for the Z shell, so that it completes files too.
const OR_FILE: &str = "_planner_specs";

/// The program with what its arguments are known to take.
pub(super) fn add_known_values(program: Command) -> Command {
    let names: Vec<String> =
        program.get_subcommands().map(|this_command| this_command.get_name().to_owned()).collect();
    names.iter().fold(program.mut_args(offer_values), |program, name| {
        program.mut_subcommand(name, |command| {
            let command = match name.as_str() {
                "init" => command.mut_args(|arg| {
                    offer_starts(
                        arg,
                        preset_names(&[PresetKind::Model]).into_iter().chain(ready_spec_names()),
                    )
                }),
                "import" => {
                    command.mut_args(|arg| offer_starts(arg, preset_names(&[PresetKind::Model])))
                }
                // The manual has a page for every command.
                "man" => {
                    command.mut_args(|arg| with_named_values(arg, "command", names.iter().cloned()))
                }
                _ => command,
            };
            let command = command.mut_args(offer_values);
            // The name of a preset is an argument of `presets show`.
            match command.find_subcommand("show").is_some() {
                true => command.mut_subcommand("show", |show| show.mut_args(offer_presets)),
                false => command,
            }
        })
    })
}

/// An argument with its values, where there is a list of them.
fn offer_values(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "spec" | "more" | "first" | "old" | "new" | "against" => {
            arg.default_value(None::<&str>).value_parser(one_of(ready_spec_names()))
        }
        "node" | "domain" => arg.value_parser(one_of(preset_names(&[PresetKind::Node]))),
        "switch" => arg.value_parser(one_of(preset_names(&[PresetKind::Switch]))),
        "second" | "show" => {
            arg.value_parser(one_of(all_quantities().map(|row| row.key.to_owned())))
        }
        "baseline" => {
            arg.default_value(None::<&str>).value_parser(one_of(Baseline::NAMES.map(str::to_owned)))
        }
        "with" => arg.value_parser(one_of(technique_names())),
        _ => arg,
    }
}

/// An argument of that name, with its values.
fn with_named_values(arg: Arg, name: &str, values: impl IntoIterator<Item = String>) -> Arg {
    if arg.get_id().as_str() == name { arg.value_parser(one_of(values)) } else { arg }
}

/// The name of any preset.
fn offer_presets(arg: Arg) -> Arg {
    with_named_values(arg, "name", list_presets().into_iter().map(|entry| entry.name))
}

/// What a new spec starts from.
fn offer_starts(arg: Arg, names: impl IntoIterator<Item = String>) -> Arg {
    with_named_values(arg, "preset", names)
}

/// Names of specs that ship.
fn ready_spec_names() -> Vec<String> {
    preset_names(&[PresetKind::Spec, PresetKind::Case, PresetKind::Paper])
}

/// Names of presets of these kinds.
fn preset_names(kinds: &[PresetKind]) -> Vec<String> {
    let wanted = list_presets().into_iter().filter(|entry| kinds.contains(&entry.kind));
    wanted.map(|entry| entry.name).collect()
}

/// Each once. The program ends with its script, so that nothing has to give the names back.
fn one_of(names: impl IntoIterator<Item = String>) -> PossibleValuesParser {
    let mut names: Vec<&'static str> = names.into_iter().map(|name| &*String::leak(name)).collect();
    names.sort_unstable();
    names.dedup();
    PossibleValuesParser::new(names)
}

/// The script with files beside ready specs. Bash completes files by itself where no name fits; the Z
/// shell has to be told.
pub(super) fn or_files(script: String, shell: Shell) -> String {
    if shell != Shell::Zsh {
        return script;
    }
    let mut names = ready_spec_names();
    names.sort_unstable();
    names.dedup();
    let list = format!("({})", names.join(" "));
    let own = format!(
        "{OR_FILE}() {{\n    _alternative 'specs:ready spec:{list}' 'files:file:_files'\n}}\n\n"
    );
    let script = script.replace(&format!(":{list}'"), &format!(":{OR_FILE}'"));
    script.replacen("_planner() {", &format!("{own}_planner() {{"), 1)
}
