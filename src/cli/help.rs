//! What `planner`, `planner help` and `--help` print: commands by group, two examples each, options
//! by what they are for. Texts of commands and options stand where those are declared; nothing is
//! hidden from completions or the manual.

use clap::builder::{StyledStr, Styles};
use clap::{Arg, ArgAction, Args, Command};

use super::args::Options;
use super::errors::Failure;
use super::format_name::FormatName;
use crate::fabric::FabricKind;

/// Arguments of `planner help`.
#[derive(Args, Debug)]
pub(super) struct HelpArgs {
    /// A command, or `options` for what every command takes
    #[arg(value_name = "COMMAND")]
    path: Vec<String>,
}

/// Commands as `planner` lists them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Decide", &["init", "design", "compare", "explain"]),
    ("Look closer", &["bill", "step", "traffic", "network", "cables"]),
    ("Look wider", &["search", "domain", "sweep"]),
    ("Watch (CI)", &["check", "diff"]),
    ("Data", &["import", "launch", "presets", "validate"]),
];

/// What the help of a command has beside its arguments.
struct CommandHelp {
    name: &'static str,
    /// Heading over its own options.
    heading: &'static str,
    /// Options of every command that it shows too.
    shown: &'static [&'static str],
    /// What is typed, and what comes of it.
    examples: [(&'static str, &'static str); 2],
}

/// How a result is printed.
const PRINT: [&str; 5] = ["quiet", "all", "section", "format", "output"];
/// Where it is only one text.
const WRITE: [&str; 1] = ["output"];
/// How a result is printed, and what changes the spec.
const PRINT_AND_SPEC: [&str; 8] =
    ["quiet", "all", "section", "format", "output", "set", "prices", "part"];

const COMMANDS: [CommandHelp; 24] = [
    CommandHelp {
        name: "init",
        heading: "What it says",
        shown: &[],
        examples: [
            ("planner init", "./model.toml: llama3-70b on 1,024 GPUs"),
            ("planner init small.toml --preset starter", "a ready spec, to change"),
        ],
    },
    CommandHelp {
        name: "design",
        heading: "What to add",
        shown: &PRINT_AND_SPEC,
        examples: [
            ("planner design", "the decision for ./model.toml"),
            ("planner design starter --set cluster.gpus=512 --all", "another size, every section"),
        ],
    },
    CommandHelp {
        name: "compare",
        heading: "Against what",
        shown: &PRINT,
        examples: [
            ("planner compare starter --baseline clos", "against a full-bisection Clos"),
            ("planner compare model.toml base.json --all", "two designs, every row"),
        ],
    },
    CommandHelp {
        name: "explain",
        heading: "Options",
        shown: &PRINT,
        examples: [
            ("planner explain starter step.time_s", "formula, inputs and source of a figure"),
            ("planner explain starter -o all.txt", "every figure of the design"),
        ],
    },
    CommandHelp {
        name: "bill",
        heading: "Options",
        shown: &PRINT_AND_SPEC,
        examples: [
            ("planner bill", "every part of the design for ./model.toml"),
            ("planner bill starter --format xlsx -o bill.xlsx", "a workbook with formulas"),
        ],
    },
    CommandHelp {
        name: "step",
        heading: "Options",
        shown: &PRINT_AND_SPEC,
        examples: [
            ("planner step starter", "time and memory by part"),
            ("planner step starter --set parallelism.tensor=4", "of another layout"),
        ],
    },
    CommandHelp {
        name: "traffic",
        heading: "What to look at",
        shown: &PRINT,
        examples: [
            ("planner traffic starter --by domain", "sums between machines"),
            ("planner traffic starter --format svg -o traffic.svg", "a heat map"),
        ],
    },
    CommandHelp {
        name: "network",
        heading: "What fails",
        shown: &PRINT,
        examples: [
            ("planner network starter --fail switch:leaf-0", "what one lost switch does"),
            ("planner network clos --endpoints 1024 --radix 64", "any fabric, without a model"),
        ],
    },
    CommandHelp {
        name: "fabric",
        heading: "What to build",
        shown: &["format", "output"],
        examples: [
            ("planner network clos --endpoints 1024 --radix 64", "a Clos of 64-port switches"),
            ("planner network hb --family nvlink5 --gpus 72", "inside an NVL72 rack"),
        ],
    },
    CommandHelp {
        name: "cables",
        heading: "Which",
        shown: &PRINT,
        examples: [
            ("planner cables starter", "racks, and cables by length"),
            ("planner cables starter --format csv -o cables.csv", "a line for each cable"),
        ],
    },
    CommandHelp {
        name: "search",
        heading: "What to search",
        shown: &PRINT_AND_SPEC,
        examples: [
            ("planner search starter", "layouts that the spec leaves open"),
            ("planner search starter --where 'tensor<=4' --top 5", "only some of them"),
        ],
    },
    CommandHelp {
        name: "domain",
        heading: "What to try",
        shown: &PRINT,
        examples: [
            ("planner domain starter --over nvlink4-8", "one product"),
            ("planner domain starter --sizes 8,16 --gpus 256", "sizes that nobody sells"),
        ],
    },
    CommandHelp {
        name: "sweep",
        heading: "What to vary",
        shown: &PRINT,
        examples: [
            ("planner sweep starter --vary cluster.gpus=128,256", "a design for each"),
            (
                "planner sweep starter --vary limits.within_rail=0,1 --show capex",
                "one figure of each",
            ),
        ],
    },
    CommandHelp {
        name: "check",
        heading: "Rules",
        shown: &PRINT,
        examples: [
            ("planner check --against base.json --fail-on 'capex>+2%'", "./model.toml"),
            ("planner check --against base.json --policy rules.toml", "rules of another spec"),
        ],
    },
    CommandHelp {
        name: "diff",
        heading: "Rules",
        shown: &PRINT,
        examples: [
            ("planner diff base.json model.toml", "what changed since"),
            ("planner diff starter starter --set cluster.gpus=512", "what a change costs"),
        ],
    },
    CommandHelp {
        name: "import",
        heading: "What it does not say",
        shown: &WRITE,
        examples: [
            ("planner import config.json --gpus 1024 -o big.toml", "a model of Hugging Face"),
            ("planner import train.sh --node dgx-h100", "a script of Megatron-LM"),
        ],
    },
    CommandHelp {
        name: "launch",
        heading: "For what",
        shown: &WRITE,
        examples: [
            ("planner launch starter --for megatron", "flags of Megatron-LM"),
            ("planner launch starter --for torchtitan -o run.toml", "a file of torchtitan"),
        ],
    },
    CommandHelp {
        name: "presets",
        heading: "Options",
        shown: &PRINT,
        examples: [
            ("planner presets list", "models, parts, prices and ready specs"),
            ("planner presets show dgx-h100", "one of them, with its source"),
        ],
    },
    CommandHelp {
        name: "validate",
        heading: "Options",
        shown: &PRINT,
        examples: [
            ("planner validate", "errors on the measured steps that ship"),
            ("planner validate steps.csv starter", "constants from steps of your own"),
        ],
    },
    CommandHelp {
        name: "calibrate",
        heading: "Options",
        shown: &PRINT,
        examples: [
            ("planner validate steps.csv starter", "the same, by the name of today"),
            ("planner calibrate steps.csv starter", "as it was called"),
        ],
    },
    CommandHelp {
        name: "schema",
        heading: "Options",
        shown: &WRITE,
        examples: [
            ("planner schema", "to standard output"),
            ("planner schema -o planner.schema.json", "to a file"),
        ],
    },
    CommandHelp {
        name: "completions",
        heading: "Options",
        shown: &WRITE,
        examples: [
            ("planner completions bash", "to standard output"),
            ("planner completions zsh -o _planner", "to a file"),
        ],
    },
    CommandHelp {
        name: "man",
        heading: "Options",
        shown: &WRITE,
        examples: [
            ("planner man", "the whole program"),
            ("planner man design -o planner-design.1", "one command"),
        ],
    },
    CommandHelp {
        name: "help",
        heading: "Options",
        shown: &WRITE,
        examples: [
            ("planner help design", "one command"),
            ("planner help options", "what every command takes"),
        ],
    },
];

/// Commands that one runs once: the list does without them.
const RARE: &str = "\
Also: schema (JSON Schema of a spec), completions SHELL, man [COMMAND], calibrate (as validate FILE).";

/// The program as it is run: each command takes its own formats, and shows what it needs.
pub(super) fn arrange_program(program: Command) -> Command {
    let mut program = limit_formats(program);
    let shared: Vec<Arg> =
        program.get_arguments().filter(|arg| arg.is_global_set()).cloned().collect();
    for help in &COMMANDS {
        program =
            program.mut_subcommand(help.name, |command| arrange_command(command, help, &shared));
    }
    let root = root_template(&program);
    program.help_template(root)
}

/// Every command with the formats that it writes, for completions and the manual too.
pub(super) fn limit_formats(program: Command) -> Command {
    let format = program.get_arguments().find(|arg| arg.get_id() == "format").cloned();
    let program = program.arg(help_flag());
    let names: Vec<String> =
        program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    names.iter().zip(format.into_iter().cycle()).fold(program, |program, (name, format)| {
        let format = format.value_parser(FormatName::value_parser(name));
        program.mut_subcommand(name, |command| command.arg(format))
    })
}

/// One help: `-h` and `--help` are alike.
fn help_flag() -> Arg {
    let flag = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort);
    flag.help("Print help").global(true)
}

fn arrange_command(command: Command, help: &CommandHelp, shared: &[Arg]) -> Command {
    let command = if command.get_name() == "fabric" { shorten_fabric(command) } else { command };
    let command = command.mut_args(|arg| {
        let is_own = !arg.is_positional() && !arg.is_global_set() && help.heading != "Options";
        if is_own { arg.help_heading(help.heading) } else { arg }
    });
    let missing = |arg: &&Arg| command.get_arguments().all(|own| own.get_id() != arg.get_id());
    let missing: Vec<Arg> = shared.iter().filter(missing).cloned().collect();
    let command = command.args(missing).mut_args(|arg| arrange_shared(arg, help));
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    command.help_template(command_template(&about, help))
}

/// It has more options than any other: what it counts from zero or one says so by itself.
fn shorten_fabric(command: Command) -> Command {
    let command = command.mut_subcommand("hb", |inside| inside.hide(true));
    command.mut_args(|arg| {
        let counts = ["extra_ports", "ports_per_uplink", "spine_reserve"];
        let plain = counts.contains(&arg.get_id().as_str());
        arg.hide_default_value(plain)
    })
}

/// A global option in the help of a command; one that is its own stays as it is.
fn arrange_shared(arg: Arg, help: &CommandHelp) -> Arg {
    if !arg.is_global_set() {
        return arg;
    }
    let id = arg.get_id().as_str();
    let hidden = !help.shown.contains(&id);
    let heading = if PRINT.contains(&id) { "What to print" } else { "What to read" };
    arg.help_heading(heading).hide(hidden)
}

/// The list of commands by group.
fn root_template(program: &Command) -> String {
    let (header, literal) = (header_style(), literal_style());
    let mut text = format!(
        "{{about}}.\n\n{header}Usage:{header:#} planner <COMMAND> [SPEC] [OPTIONS]      \
         SPEC: a file, `-`, or a ready spec [model.toml]\n"
    );
    for (group, names) in GROUPS {
        text += &format!("\n{header}{group}{header:#}\n");
        for name in names {
            let about = program.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            text += &format!("  {literal}{name:<9}{literal:#} {about}\n");
        }
    }
    text + "\n`planner help COMMAND` has examples; `planner help options` those that every command \
            takes.\nExit status: 0 done, 1 a rule was broken, 2 bad usage or file, 3 no design.\n"
}

fn command_template(about: &str, help: &CommandHelp) -> String {
    let header = header_style();
    let width = help.examples.iter().map(|(typed, _)| typed.len()).max().unwrap_or(0);
    let usage = match help.name {
        "fabric" => "planner network <KIND> [OPTIONS]",
        _ => "{usage}",
    };
    let mut text =
        format!("{about}.\n\n{{usage-heading}} {usage}\n\n{header}Examples:{header:#}\n");
    for (typed, says) in help.examples {
        text += &format!("  {typed:<width$}   {says}\n");
    }
    let more = if help.name == "fabric" {
        "`planner help fabric hb` has those of an HB domain, `planner help options` the rest."
    } else {
        "`planner help options` has those of every command. Every key of a spec: docs/spec.md"
    };
    text + "\n{all-args}\n\n" + more + "\n"
}

fn header_style() -> clap::builder::styling::Style {
    *Styles::styled().get_header()
}

fn literal_style() -> clap::builder::styling::Style {
    *Styles::styled().get_literal()
}

/// The help of a command, of `options`, or the list.
///
/// # Errors
/// Where there is no such command.
pub(super) fn help_text(
    args: &HelpArgs,
    program: Command,
    options: &Options,
) -> Result<String, Failure> {
    let mut program = arrange_program(program);
    if let [only] = &args.path[..]
        && only == "options"
    {
        program = program.mut_args(|arg| {
            let heading =
                if PRINT.contains(&arg.get_id().as_str()) { "What to print" } else { "How" };
            arg.help_heading(heading)
        });
        program = program
            .help_template(format!("Options that every command takes.\n\n{{options}}\n\n{RARE}\n"));
        return Ok(coloured_help(&program.render_help(), options));
    }
    program.build();
    let mut found = &mut program;
    for name in &args.path {
        let known: Vec<String> = found.get_subcommands().map(|c| c.get_name().to_owned()).collect();
        found = found.find_subcommand_mut(name).ok_or_else(|| {
            let error = anyhow::anyhow!("there is no command `{name}`");
            Failure::usage_error(error, format!("known: {}", known.join(", ")))
        })?;
    }
    Ok(coloured_help(&found.render_help(), options))
}

fn coloured_help(text: &StyledStr, options: &Options) -> String {
    if options.render_options().colour { text.ansi().to_string() } else { text.to_string() }
}

/// `planner network clos …` builds a family of fabrics, `planner network SPEC` looks at a design.
pub(super) fn choose_network_command(
    mut typed: Vec<std::ffi::OsString>,
) -> Vec<std::ffi::OsString> {
    let at = |place: usize| typed.get(place).and_then(|word| word.to_str());
    let is_family = |word: &str| word == "hb" || FabricKind::parse(word).is_some();
    if matches!(at(1), Some("network" | "topology")) && at(2).is_some_and(is_family) {
        typed[1] = "fabric".into();
    }
    typed
}
