//! `planner generate`: what other programs need to help with typing. All is made from the tables that
//! the program itself reads, so it can't be stale.

use anyhow::anyhow;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, Subcommand};
use clap_complete::Shell;

use super::errors::Failure;
use crate::compare::Baseline;
use crate::quantity::all_quantities;
use crate::report::technique_names;
use crate::spec::presets::{PresetKind, list_presets};
use crate::spec::schema::json_schema;

/// Name that completions and manual are for.
const PROGRAM: &str = "planner";

/// What `planner generate` writes.
#[derive(Debug, Subcommand)]
pub(super) enum Generated {
    /// The JSON Schema of a spec, for editors that complete and check
    Schema,
    /// Completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// The manual page, or that of one command
    Man {
        /// The command; left out, the page of the whole program
        command: Option<String>,
    },
}

/// The text that is asked for.
pub(super) fn generate_text(what: &Generated, program: Command) -> Result<String, Failure> {
    match what {
        Generated::Schema => Ok(format!("{:#}\n", json_schema())),
        Generated::Completions { shell } => Ok(shell_completions(*shell, program)),
        Generated::Man { command } => manual_page(command.as_deref(), program),
    }
}

/// The completions as a script of that shell.
fn shell_completions(shell: Shell, program: Command) -> String {
    let mut program = add_known_values(program);
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, PROGRAM, &mut script);
    or_files(String::from_utf8_lossy(&script).into_owned(), shell)
}

/// The manual page in roff.
fn manual_page(command: Option<&str>, mut program: Command) -> Result<String, Failure> {
    // Global options reach the commands only in a built tree.
    program.build();
    let command = match command {
        None => program,
        // What `generate` writes had a page of its own once: `planner man schema`.
        Some(name) => match program.find_subcommand(name).or_else(|| {
            let generate = program.find_subcommand("generate")?;
            generate.find_subcommand(name)
        }) {
            Some(found) => found.clone(),
            None => {
                let known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
                let error = anyhow!("there is no command `{name}`");
                return Err(Failure::usage_error(error, format!("known: {}", known.join(", "))));
            }
        },
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .date("")
        .render(&mut page)
        .map_err(|error| Failure::usage_error(error, ""))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// What an argument is in the script for the Z shell, so that it completes files too.
const OR_FILE: &str = "_planner_specs";

/// The program with what its arguments are known to take.
fn add_known_values(program: Command) -> Command {
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
                "generate" => command.mut_subcommand("man", |man| {
                    man.mut_args(|arg| with_named_values(arg, "command", names.iter().cloned()))
                }),
                _ => command,
            };
            let command = command.mut_args(offer_values);
            // The name of a preset is an argument of `presets show`.
            if command.find_subcommand("show").is_some() {
                command.mut_subcommand("show", |show| show.mut_args(offer_presets))
            } else {
                command
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

/// The script with files beside ready specs. Bash completes files by itself where no name fits; the
/// Z shell has to be told.
fn or_files(script: String, shell: Shell) -> String {
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
