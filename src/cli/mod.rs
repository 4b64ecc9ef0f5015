//! Entry of the program: reads the arguments and runs the command that they name.

mod args;
mod atomic_write;
mod commands;
mod completions;
mod errors;
mod input;
mod output;
mod progress;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use args::{Options, SpecArgs};
use commands::{
    bill, calibrate, compare_and_check, design_step_search, explain, fabric, hb_domain,
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
        Command::Init(args) => return import_and_launch::run_init(args, options),
        Command::Import(args) => import_and_launch::run_import(args, options)?,
        Command::Design(args) => design_step_search::run_design(args, options)?,
        Command::Bill(args) => return bill::run_bill(args, options),
        Command::Cables(args) => return bill::run_cables(args, options),
        Command::Diff(args) => {
            return compare_and_check::run_diff_command(args, options).map(|()| None);
        }
        Command::Check(args) => {
            return compare_and_check::run_check_command(args, options).map(|()| None);
        }
        Command::Compare(args) => return compare_and_check::run_compare(args, options),
        Command::Launch(args) => import_and_launch::run_launch(args, options)?,
        Command::Step(args) => design_step_search::run_step(args, options)?,
        Command::Explain(args) => explain::run_explain(args, options)?,
        Command::Traffic(args) => return traffic::run_traffic(args, options),
        Command::Search(args) => design_step_search::run_search(args, options)?,
        Command::Domain(args) => hb_domain::run_domain_sizes(args, options)?,
        Command::Sweep(args) => sweep::run_sweep(args, options)?,
        Command::Topology(args) => topology::run_topology(args, options)?,
        Command::Fabric(args) => fabric::run_fabric(args, options)?,
        Command::Presets(args) => explain::run_presets(args, options)?,
        Command::Validate(args) => calibrate::run_validate(args, options)?,
        Command::Calibrate(args) => calibrate::run_calibrate(args, options)?,
        Command::Schema => completions::spec_schema(),
        Command::Completions(args) => completions::shell_completions(args, Arguments::command()),
        Command::Man(args) => completions::manual_page(args, Arguments::command())?,
    };
    Ok(Some(text))
}

/// A command that reads no spec has nothing that could be changed.
fn no_spec() -> Failure {
    let error = anyhow::anyhow!("this command reads no spec that could be changed");
    Failure::usage_error(error, "leave out `--set`, `--part` and `--prices`")
}

/// Designs clusters for training large language models, and prices them.
///
/// Reads what is trained and how, works out how many bytes every pair of GPUs exchanges,
/// sizes the network with an integer program, and prints what it costs and how fast it is beside
/// a full-bisection Clos.
#[derive(Debug, Parser)]
#[command(name = "planner", version, max_term_width = 100)]
#[command(after_help = "Exit status: 0 done, 1 a gate was breached, 2 bad usage, spec or file, \
                        3 no feasible design. Ctrl-C during `design` prints the best one so far, \
                        and ends by the signal.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    options: Options,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
enum Command {
    /// Write a small commented spec to start from
    Init(import_and_launch::InitArgs),
    /// A file of another tool as a commented spec: a `config.json` of a model, arguments of
    /// Megatron-LM, a configuration of torchtitan or DeepSpeed
    Import(import_and_launch::ImportArgs),
    /// The main job: traffic, layout, sizing, bill, cost, time
    Design(design_step_search::DesignArgs),
    /// Where racks stand and how long every cable is: cable list, sheets for crews, files for
    /// NetBox
    Cables(bill::CablesArgs),
    /// What is bought, in full: machines, network, spares, what each price rests on; as a workbook
    /// with formulas where `--format xlsx` asks for it
    Bill(SpecArgs),
    /// The design beside one or more baselines
    Compare(compare_and_check::CompareArgs),
    /// One training step of the layout as given: time and memory by part, no sizing
    Step(SpecArgs),
    /// The layout as flags or file of a training stack: Megatron-LM, Megatron-Bridge, torchtitan,
    /// DeepSpeed
    Launch(import_and_launch::LaunchArgs),
    /// The traffic matrix of one step
    Traffic(traffic::TrafficArgs),
    /// The best parallel layouts, ranked by the time of a step or the cost per token
    Search(design_step_search::SearchArgs),
    /// How large an HB domain should be: step, cost per token and price up to which a larger one
    /// pays
    Domain(hb_domain::DomainArgs),
    /// A grid over keys of the spec: a table, a plot, the Pareto front
    Sweep(sweep::SweepArgs),
    /// What changed between two results or specs, split into quantity, price and rate of exchange
    Diff(compare_and_check::DiffArgs),
    /// The gate for scripts: fails where a design got worse than it may
    Check(compare_and_check::CheckArgs),
    /// How a number of the design came about: formula, source, inputs, parts
    Explain(explain::ExplainArgs),
    /// The designed fabric as a graph: cabling, link loads, failures
    Topology(topology::TopologyArgs),
    /// Counts of one fabric, without any model
    Fabric(fabric::FabricArgs),
    /// What ships: models, parts, prices, ready specs
    Presets(explain::PresetsArgs),
    /// Predicted against published: errors on the measured steps that ship
    Validate(calibrate::ValidateArgs),
    /// Constants of the step-time model from steps of one's own (docs/calibration.md)
    Calibrate(calibrate::CalibrateArgs),
    /// The JSON Schema of a spec, for editors that complete and check
    Schema,
    /// Completions for a shell, to standard output
    Completions(completions::CompletionsArgs),
    /// The manual page, or that of one command, to standard output
    Man(completions::ManArgs),
}
