//! The command line: arguments in, files read, results printed, exit status out. The only place
//! that touches files, the terminal and the environment. It decides nothing about designs.

mod args;
mod bill;
mod cables;
mod calibrate;
mod check;
mod command;
mod compare;
mod design;
mod domain;
mod domains;
mod explain;
mod fabric;
mod failure;
mod fewer;
mod foreign;
mod hb;
mod help;
mod import;
mod init;
mod input;
mod interrupt;
mod known;
mod launch;
mod ledger;
mod output;
mod presets;
mod progress;
mod replace;
mod same;
mod search;
mod startup;
mod step;
mod sweep;
mod topology;
mod traffic;
mod usage;
mod validate;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};

use args::Options;
use command::{Arguments, Command};
use failure::Failure;

/// Runs the program on the arguments of the process.
///
/// Exit status: 0 done · 1 a gate was breached · 2 bad usage, spec or file · 3 no feasible
/// design. Results go to standard output or to `-o FILE`, everything else to standard error.
#[must_use]
pub fn run() -> ExitCode {
    let colour = usage::colour_choice(std::env::args_os().skip(1));
    let mut parser = Arguments::command().color(colour);
    let parsed = parser.try_get_matches_from_mut(std::env::args_os());
    let parsed = parsed.and_then(|found| Arguments::from_arg_matches(&found));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(message) => return output::print_usage(&message, colour),
    };
    let options = &arguments.options;
    let done = execute_command(&arguments.command, options)
        .and_then(|text| text.map_or(Ok(()), |text| output::write_result(&text, options)));
    let status = match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::print_failure(&failure, options);
            failure.exit_status()
        }
    };
    // What could be said is said; a shell still has to see that a signal came.
    options.obey_signal();
    status
}

/// What the command prints; nothing where its effect is a file.
fn execute_command(command: &Command, options: &Options) -> Result<Option<String>, Failure> {
    let name = match command {
        Command::Bill(_) => "bill",
        Command::Cables(_) => "cables",
        Command::Traffic(_) => "traffic",
        Command::Topology(_) => "topology",
        Command::Fabric(_) => "fabric",
        Command::Domain(_) => "domain",
        Command::Sweep(_) => "sweep",
        _ => "",
    };
    if let Some(names) = options.belongs_to().filter(|names| !names.contains(&name)) {
        let names = names.join("` and `planner ");
        let error = anyhow::anyhow!("this format is for `planner {names}` only");
        return Err(Failure::usage_error(error, "use table, json, csv or markdown"));
    }
    let has_no_spec = matches!(
        command,
        Command::Init(_)
            | Command::Import(_)
            | Command::Presets(_)
            | Command::Validate(_)
            | Command::Schema
            | Command::Completions(_)
            | Command::Man(_)
    );
    if has_no_spec && options.changes_the_spec() {
        return Err(no_spec());
    }
    let drawn = options.shows_sections()
        && !matches!(
            command,
            Command::Init(_)
                | Command::Import(_)
                | Command::Launch(_)
                | Command::Schema
                | Command::Completions(_)
                | Command::Man(_)
        );
    if !options.section.is_empty() && !drawn {
        return Err(args::no_sections());
    }
    let text = match command {
        Command::Init(args) => return init::run_init(args, options),
        Command::Import(args) => import::run_import(args, options)?,
        Command::Design(args) => design::run_design(args, options)?,
        Command::Bill(args) => return bill::run_bill(args, options),
        Command::Cables(args) => return cables::run_cables(args, options),
        Command::Diff(args) => return check::run_diff_command(args, options).map(|()| None),
        Command::Check(args) => return check::run_check_command(args, options).map(|()| None),
        Command::Compare(args) => return compare::run_compare(args, options),
        Command::Launch(args) => launch::run_launch(args, options)?,
        Command::Step(args) => step::run_step(args, options)?,
        Command::Explain(args) => explain::run_explain(args, options)?,
        Command::Traffic(args) => return traffic::run_traffic(args, options),
        Command::Search(args) => search::run_search(args, options)?,
        Command::Domain(args) => domain::run_domain_sizes(args, options)?,
        Command::Sweep(args) => sweep::run_sweep(args, options)?,
        Command::Topology(args) => topology::run_topology(args, options)?,
        Command::Fabric(args) => fabric::run_fabric(args, options)?,
        Command::Presets(args) => presets::run_presets(args, options)?,
        Command::Validate(args) => validate::run_validate(args, options)?,
        Command::Calibrate(args) => calibrate::run_calibrate(args, options)?,
        Command::Schema => help::spec_schema(),
        Command::Completions(args) => help::shell_completions(args, Arguments::command()),
        Command::Man(args) => help::manual_page(args, Arguments::command())?,
    };
    Ok(Some(text))
}

/// A command that reads no spec has nothing that could be changed.
fn no_spec() -> Failure {
    let error = anyhow::anyhow!("this command reads no spec that could be changed");
    Failure::usage_error(error, "leave out `--set`, `--part` and `--prices`")
}
