//! What `planner`, `planner help` and `--help` print: commands by group, two examples each, options
//! by what they are for. Texts of commands and options stand where those are declared; nothing is
//! hidden from completions or the manual.

mod commands;

use clap::builder::{StyledStr, Styles};
use clap::{Arg, ArgAction, Args, Command};

use crate::cli::args::Options;
use crate::cli::errors::Failure;
use crate::cli::format_name::FormatName;
use crate::fabric::FabricKind;
use commands::{COMMANDS, CommandHelp, PRINT};

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

/// Commands that one runs once: no group has them.
const RARE: &str = "Less often: generate schema | completions SHELL | man [COMMAND].";

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
    text + "\n"
        + RARE
        + "\n`planner help COMMAND` has examples; `planner help options` those that every command \
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

/// `planner network clos …` builds a family of fabrics, `planner network SPEC` looks at a design;
/// `planner man` is what `planner generate man` was called.
pub(super) fn rewrite_old_commands(mut typed: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let at = |place: usize| typed.get(place).and_then(|word| word.to_str());
    let is_family = |word: &str| word == "hb" || FabricKind::parse(word).is_some();
    if matches!(at(1), Some("network" | "topology")) && at(2).is_some_and(is_family) {
        typed[1] = "fabric".into();
    }
    // Options without a value may stand before it, and `help`.
    let before = ["-q", "--quiet", "-v", "--all", "help"];
    let mut words = typed.iter().map(|word| word.to_str().unwrap_or_default()).enumerate().skip(1);
    let first = words.find(|(_, word)| !before.contains(word));
    if let Some((place, "schema" | "completions" | "man")) = first {
        typed.insert(place, "generate".into());
    }
    typed
}
