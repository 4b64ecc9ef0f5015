//! The commands by name, each with what can be typed for it. Names are a contract: adding is free,
//! renaming is not. What a command does stands in the file of its name.

use clap::{Parser, Subcommand};

use super::args::{Options, SpecArgs};
use super::{
    cables, calibrate, check, compare, design, domain, explain, fabric, help, import, init, launch,
    presets, search, sweep, topology, traffic, validate,
};

/// Designs clusters for training large language models, and prices them.
///
/// Reads what is trained and how, works out how many bytes every pair of GPUs exchanges,
/// sizes the network with an integer program, and prints what it costs and how fast it is beside
/// a full-bisection Clos.
#[derive(Debug, Parser)]
#[command(name = "planner", version, max_term_width = 100)]
#[command(after_help = "Exit status: 0 done, 1 a gate was breached, 2 bad usage, spec or file, \
                        3 no feasible design. Ctrl-C during `design` prints the best one so far, and \
                        ends by the signal.")]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) options: Options,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write a small commented spec to start from
    Init(init::InitArgs),
    /// A file of another tool as a commented spec: a `config.json` of a model, arguments of
    /// Megatron-LM, a configuration of torchtitan or DeepSpeed
    Import(import::ImportArgs),
    /// The main job: traffic, layout, sizing, bill, cost, time
    Design(design::DesignArgs),
    /// Where racks stand and how long every cable is: cable list, sheets for crews, files for NetBox
    Cables(cables::CablesArgs),
    /// What is bought, in full: machines, network, spares, what each price rests on; as a workbook
    /// with formulas where `--format xlsx` asks for it
    Bill(SpecArgs),
    /// The design beside one or more baselines
    Compare(compare::CompareArgs),
    /// One training step of the layout as given: time and memory by part, no sizing
    Step(SpecArgs),
    /// The layout as flags or file of a training stack: Megatron-LM, Megatron-Bridge, torchtitan,
    /// DeepSpeed
    Launch(launch::LaunchArgs),
    /// The traffic matrix of one step
    Traffic(traffic::TrafficArgs),
    /// The best parallel layouts, ranked by the time of a step or the cost per token
    Search(search::SearchArgs),
    /// How large an HB domain should be: step, cost per token and price up to which a larger one pays
    Domain(domain::DomainArgs),
    /// A grid over keys of the spec: a table, a plot, the Pareto front
    Sweep(sweep::SweepArgs),
    /// What changed between two results or specs, split into quantity, price and rate of exchange
    Diff(check::DiffArgs),
    /// The gate for scripts: fails where a design got worse than it may
    Check(check::CheckArgs),
    /// How a number of the design came about: formula, source, inputs, parts
    Explain(explain::ExplainArgs),
    /// The designed fabric as a graph: cabling, link loads, failures
    Topology(topology::TopologyArgs),
    /// Counts of one fabric, without any model
    Fabric(fabric::FabricArgs),
    /// What ships: models, parts, prices, ready specs
    Presets(presets::PresetsArgs),
    /// Predicted against published: errors on the measured steps that ship
    Validate(validate::ValidateArgs),
    /// Constants of the step-time model from steps of one's own (docs/calibration.md)
    Calibrate(calibrate::CalibrateArgs),
    /// The JSON Schema of a spec, for editors that complete and check
    Schema,
    /// Completions for a shell, to standard output
    Completions(help::CompletionsArgs),
    /// The manual page, or that of one command, to standard output
    Man(help::ManArgs),
}
