//! `planner schema`, `planner completions` and `planner man`: what other programs need to help with
//! typing. All three are made from the tables that the program itself reads, so they can't be stale.

use anyhow::anyhow;
use clap::{Args, Command};
use clap_complete::Shell;

use super::failure::Failure;
use super::known;
use crate::spec::schema::json_schema;

/// Name that completions and manual are for.
const PROGRAM: &str = "planner";

/// Arguments of `planner completions`.
#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Arguments of `planner man`.
#[derive(Args, Debug)]
pub(super) struct ManArgs {
    /// The command; left out, the page of the whole program
    command: Option<String>,
}

/// The JSON Schema of a spec.
pub(super) fn spec_schema() -> String {
    format!("{:#}\n", json_schema())
}

/// The completions as a script of that shell.
pub(super) fn shell_completions(args: &CompletionsArgs, program: Command) -> String {
    let mut program = known::add_known_values(program);
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, PROGRAM, &mut script);
    known::or_files(String::from_utf8_lossy(&script).into_owned(), args.shell)
}

/// The manual page in roff.
pub(super) fn manual_page(args: &ManArgs, mut program: Command) -> Result<String, Failure> {
    // Global options reach the commands only in a built tree.
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
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
