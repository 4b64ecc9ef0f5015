//! Entry of the program: reads the arguments and runs the command that they name.

mod args;
mod atomic_write;
mod commands;
mod completions;
mod errors;
mod format_name;
mod help;
mod input;
mod output;
mod progress;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use args::{Options, SpecArgs};
use commands::{
    bill, calibrate, check, compare, design_step_search, explain, fabric, hb_domain,
    import_and_launch, sweep, topology, traffic,
};
use errors::Failure;

/// Runs the program on the arguments of the process.
///
/// Exit status: 0 done · 1 a gate was breached · 2 bad usage, spec or file · 3 no feasible
/// design. Results go to standard output or to `-o FILE`, everything else to standard error.
#[must_use]
pub fn run() -> ExitCode {
    let colour = errors::colour_choice(std::env::args_os().skip(1));
    let mut parser = help::arrange_program(Arguments::command()).color(colour);
    let typed = help::rewrite_old_commands(std::env::args_os().collect());
    let parsed = parser.try_get_matches_from_mut(typed);
    let name = parsed.as_ref().ok().and_then(|found| found.subcommand_name()).map(str::to_owned);
    let parsed = parsed.and_then(|found| Arguments::from_arg_matches(&found));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(message) => return output::print_usage(&message, colour),
    };
    let options = &arguments.options;
    let done = options
        .check_format(&name.unwrap_or_default())
        .and_then(|()| execute_command(&arguments.command, options))
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
    let has_no_spec = matches!(
        command,
        Command::Init(_)
            | Command::Import(_)
            | Command::Presets(_)
            | Command::Generate { .. }
            | Command::Help(_)
    );
    if has_no_spec && options.changes_the_spec() {
        return Err(args::no_spec());
    }
    let drawn = options.shows_sections()
        && !matches!(
            command,
            Command::Init(_)
                | Command::Import(_)
                | Command::Launch(_)
                | Command::Generate { .. }
                | Command::Help(_)
        );
    if !options.section.is_empty() && !drawn {
        return Err(args::no_sections());
    }
    let text = match command {
        Command::Init(args) => return import_and_launch::run_init(args, options),
        Command::Import(args) => import_and_launch::run_import(args, options)?,
        Command::Design(args) => design_step_search::run_design(args, options)?,
        Command::Bill(args) => return bill::run_bill(args, options),
        Command::Cables(args) => return bill::run_cables(args, options),
        Command::Diff(args) => {
            return check::run_diff_command(args, options).map(|()| None);
        }
        Command::Check(args) => {
            return check::run_check_command(args, options).map(|()| None);
        }
        Command::Compare(args) => return compare::run_compare(args, options),
        Command::Launch(args) => import_and_launch::run_launch(args, options)?,
        Command::Step(args) => design_step_search::run_step(args, options)?,
        Command::Explain(args) => explain::run_explain(args, options)?,
        Command::Traffic(args) => return traffic::run_traffic(args, options),
        Command::Search(args) => design_step_search::run_search(args, options)?,
        Command::Domain(args) => hb_domain::run_domain_sizes(args, options)?,
        Command::Sweep(args) => sweep::run_sweep(args, options)?,
        Command::Network(args) => topology::run_topology(args, options)?,
        Command::Fabric(args) => fabric::run_fabric(args, options)?,
        Command::Presets(args) => explain::run_presets(args, options)?,
        Command::Validate(args) => calibrate::run_validate(args, options)?,
        Command::Calibrate(args) => calibrate::run_calibrate(args, options)?,
        Command::Generate { what } => completions::generate_text(what, documented_program())?,
        Command::Help(args) => help::help_text(args, Arguments::command(), options)?,
    };
    Ok(Some(text))
}

/// The program with all that it takes, for what helps with typing.
fn documented_program() -> clap::Command {
    help::limit_formats(Arguments::command())
}

/// Designs clusters for training large language models: what to buy, what it costs, how fast it is.
#[derive(Debug, Parser)]
#[command(name = "planner", version, max_term_width = 100)]
#[command(disable_help_flag = true, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    options: Options,
}

/// What is to be done, each in one line; groups and examples are in `help`.
#[derive(Debug, Subcommand)]
enum Command {
    /// Write a small commented model.toml
    Init(import_and_launch::InitArgs),
    /// Choose machines, layout and network; print the decision
    Design(design_step_search::DesignArgs),
    /// Put it beside a Clos, other networks, or other specs
    Compare(compare::CompareArgs),
    /// Say how a number came about, or what a word or a warning means
    Explain(explain::ExplainArgs),
    /// Every part with price, source and spares; a workbook with formulas
    Bill(SpecArgs),
    /// Time and memory of one training step
    Step(SpecArgs),
    /// Which GPUs exchange how many bytes
    Traffic(traffic::TrafficArgs),
    /// The network as a graph: loads, failures; any fabric without a model
    #[command(alias = "topology")]
    Network(topology::TopologyArgs),
    /// Count and price one fabric, without a model
    Fabric(fabric::FabricArgs),
    /// Racks, cable lengths, crew sheets, NetBox files
    Cables(bill::CablesArgs),
    /// The best parallel layouts
    Search(design_step_search::SearchArgs),
    /// How many GPUs one high-bandwidth domain should join
    Domain(hb_domain::DomainArgs),
    /// A grid over any keys of the spec
    Sweep(sweep::SweepArgs),
    /// Fail where a design got worse than its rules allow
    Check(check::CheckArgs),
    /// What changed between two results, by quantity and by price
    Diff(check::DiffArgs),
    /// A spec from config.json, Megatron-LM, torchtitan or DeepSpeed
    Import(import_and_launch::ImportArgs),
    /// Flags or a file for the training stack
    Launch(import_and_launch::LaunchArgs),
    /// Models, machines, parts and prices that ship
    Presets(explain::PresetsArgs),
    /// Predicted against measured steps; constants from steps of your own
    Validate(calibrate::ValidateArgs),
    /// Constants of the step time from steps of your own: `validate FILE` does the same
    Calibrate(calibrate::CalibrateArgs),
    /// The JSON Schema of a spec, completions for a shell, manual pages
    Generate {
        #[command(subcommand)]
        what: completions::Generated,
    },
    /// The commands, or the help of one
    Help(help::HelpArgs),
}
