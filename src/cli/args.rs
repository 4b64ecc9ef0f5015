//! What can be typed for every command. Names are a contract: adding is free, renaming is not.
//! Knows no command.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anstream::stream::{IsTerminal as _, RawStream};
use clap::{Args, ValueEnum};
use terminal_size::terminal_size_of;

use super::atomic_write::Interrupt;
use super::errors::Failure;
use super::format_name::FormatName;
use crate::gate::Digest;
use crate::report::topology::TopologyFormat;
use crate::report::{Detail, Format, RenderOptions, is_section_name};
use crate::sizing::{self, BackEnd};
use crate::spec::{Override, problem};

/// Columns of a table where nothing narrows it.
const TABLE_COLUMNS: u16 = 100;

/// The spec to work on.
#[derive(Args, Debug)]
pub(super) struct SpecArgs {
    /// A file, `-` for standard input, or a ready spec
    #[arg(default_value = "model.toml")]
    pub(super) spec: PathBuf,
}

/// A line that shows how far work is.
pub(super) trait ShownProgress: std::fmt::Debug + Send + Sync {
    /// Wipes it: something else is written.
    fn wipe_line(&self);

    /// What options of the solver keep of it.
    fn watch_handle(self: Arc<Self>) -> sizing::WatchHandle;
}

/// What every command understands.
#[derive(Args, Debug)]
pub(super) struct Options {
    /// What was read so far, each with its digest: pages name it.
    #[arg(skip)]
    pub(super) read: Mutex<Vec<String>>,
    /// Signals that a command heeds until its result is written.
    #[arg(skip)]
    heeded: OnceLock<Arc<Interrupt>>,
    /// The line that shows how far a design is.
    #[arg(skip)]
    watching: OnceLock<Arc<dyn ShownProgress>>,
    /// Override a key of the spec, as `cluster.gpus=2048`; repeats
    #[arg(long = "set", value_name = "KEY=VALUE", global = true)]
    pub(super) set: Vec<String>,
    /// Your price book over the one of the spec
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) prices: Option<PathBuf>,
    /// One part (by workload) or stage (by number) of a cluster that has several
    #[arg(long, value_name = "NAME", global = true)]
    pub(super) part: Option<String>,
    /// How the result is written
    #[arg(long, value_name = "FORMAT", default_value = "table", global = true)]
    format: FormatName,
    /// Write to a file
    #[arg(short, long, value_name = "FILE", global = true)]
    pub(super) output: Option<PathBuf>,
    /// Colours; in files and pipes only with `always`
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    color: Color,
    /// Columns of text [default: the terminal's; 100 in files]
    #[arg(long, value_name = "COLUMNS", global = true, value_parser = clap::value_parser!(u16).range(40..))]
    width: Option<u16>,
    /// Solver of the integer program
    #[arg(long, value_name = "NAME", default_value = "microlp", global = true)]
    #[arg(hide = cfg!(not(feature = "highs")))]
    solver: SolverName,
    /// One section by its heading, or `list` for their names; repeats
    #[arg(long, value_name = "NAME", global = true)]
    pub(super) section: Vec<String>,
    /// The answer alone; no notes, no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Every section, and more on standard error
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,
    // `search` has an `--all` of its own, which clap takes for this one too.
    /// Every section, every row
    #[arg(long, global = true)]
    all: bool,
}

/// Formats that are a drawing or an array, not a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExportFormat {
    /// Dense NumPy array.
    Npy,
    /// Drawing as SVG.
    Svg,
    /// Heat map as PNG.
    Png,
}

/// Formats that list calls, not sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallFormat {
    /// JSON lines.
    Ledger,
    /// Chakra execution traces.
    Chakra,
    /// Workload text of SimAI.
    Simai,
    /// Connection matrix of htsim.
    Htsim,
}

/// When to colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Color {
    /// On a terminal, unless NO_COLOR says otherwise
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Solvers that this build has.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SolverName {
    /// Pure Rust, built in
    Microlp,
    /// For large programs; in builds with the feature of its name
    #[cfg(feature = "highs")]
    Highs,
}

impl Options {
    /// How the result looks. A file never has colours in it unless they are asked for.
    pub(super) fn render_options(&self) -> RenderOptions<'_> {
        let format = match self.format {
            FormatName::Json => Format::Json,
            FormatName::Csv => Format::Csv,
            FormatName::Markdown => Format::Markdown,
            FormatName::Html => Format::Html,
            _ => match self.table_columns() {
                Some(columns) if columns < TABLE_COLUMNS => Format::Narrow(columns),
                _ => Format::Table,
            },
        };
        let terminal = || self.output.is_none() && is_colour_terminal(&std::io::stdout());
        let detail = match (self.section.as_slice(), self.quiet, self.verbose || self.all) {
            ([], true, _) => Detail::Summary,
            ([], _, true) => Detail::Full,
            ([], _, _) => Detail::Usual,
            (names, _, _) => Detail::Sections(names),
        };
        RenderOptions { format, colour: self.has_colour(terminal), detail }
    }

    /// Heeds signals until the result is written: the first no longer ends the program by itself.
    pub(super) fn heed_signals(&self) -> Arc<Interrupt> {
        Arc::clone(self.heeded.get_or_init(|| Arc::new(Interrupt::catch_signal())))
    }

    /// Ends the program as the signal that came would have; nothing where none came or is heeded.
    pub(super) fn obey_signal(&self) {
        if let Some(interrupt) = self.heeded.get() {
            interrupt.end_if_caught();
        }
    }

    /// Keeps that a file was read.
    pub(super) fn has_read(&self, name: &str, bytes: &[u8]) {
        let told = format!("{name} ({})", Digest::digest_bytes(bytes));
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if !read.contains(&told) {
            read.push(told);
        }
    }

    /// What a page is made from: what was read, and the keys that the command line sets.
    pub(super) fn made_from(&self) -> Vec<String> {
        let mut all = self.read.lock().unwrap_or_else(PoisonError::into_inner).clone();
        all.extend(self.set.iter().map(|text| format!("--set {text}")));
        all
    }

    /// A report in the format and at the level of detail that were asked for.
    ///
    /// # Errors
    /// Where it has no section of a name.
    pub(super) fn render_report(
        &self,
        draw: impl Fn(RenderOptions<'_>) -> String,
    ) -> Result<String, Failure> {
        let look = self.render_options();
        if !self.section.is_empty() {
            let names = draw(RenderOptions { detail: Detail::Names, ..look });
            if self.section == ["list"] {
                return Ok(names);
            }
            for asked in &self.section {
                if !names.lines().any(|name| is_section_name(name, asked)) {
                    return Err(unknown_section(asked, &names));
                }
            }
        }
        Ok(draw(look))
    }

    /// Columns that tables are asked to have, or that the terminal has; `None` for files and pipes,
    /// whose tables are alike everywhere.
    pub(super) fn table_columns(&self) -> Option<u16> {
        let terminal = || terminal_size_of(std::io::stdout()).map(|(width, _)| width.0);
        // Shells keep it to themselves, so whoever hands it on means it.
        let told = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0);
        let seen = self.output.is_none() && std::io::stdout().is_terminal();
        self.width.or_else(|| seen.then(|| told().or_else(terminal)).flatten())
    }

    /// The format, where it is a drawing or an array.
    pub(super) const fn export_format(&self) -> Option<ExportFormat> {
        match self.format {
            FormatName::Npy => Some(ExportFormat::Npy),
            FormatName::Svg => Some(ExportFormat::Svg),
            FormatName::Png => Some(ExportFormat::Png),
            _ => None,
        }
    }

    /// Whether the format is a workbook.
    pub(super) const fn is_workbook(&self) -> bool {
        matches!(self.format, FormatName::Xlsx)
    }

    /// Whether the format is a folder of files for NetBox.
    pub(super) const fn is_netbox(&self) -> bool {
        matches!(self.format, FormatName::Netbox)
    }

    /// The format, where it lists calls.
    pub(super) const fn call_format(&self) -> Option<CallFormat> {
        match self.format {
            FormatName::Ledger => Some(CallFormat::Ledger),
            FormatName::Chakra => Some(CallFormat::Chakra),
            FormatName::Simai => Some(CallFormat::Simai),
            FormatName::Htsim => Some(CallFormat::Htsim),
            _ => None,
        }
    }

    /// The format of a graph, where it is one that shows the graph itself.
    pub(super) const fn graph_format(&self) -> Option<TopologyFormat> {
        match self.format {
            FormatName::Dot => Some(TopologyFormat::Dot),
            FormatName::Graphml => Some(TopologyFormat::GraphMl),
            FormatName::Json => Some(TopologyFormat::Json),
            FormatName::Csv => Some(TopologyFormat::Cabling),
            _ => None,
        }
    }

    /// Whether nothing but a graph or a drawing has the format, or a page that shows one.
    pub(super) const fn shows_graph(&self) -> bool {
        matches!(
            self.format,
            FormatName::Svg | FormatName::Dot | FormatName::Graphml | FormatName::Html
        )
    }

    /// Whether the format is that of test cases.
    pub(super) const fn writes_test_cases(&self) -> bool {
        matches!(self.format, FormatName::Junit)
    }

    /// Whether the format has sections: it is one for people.
    pub(super) const fn shows_sections(&self) -> bool {
        matches!(self.format, FormatName::Table | FormatName::Markdown | FormatName::Html)
    }

    /// Whether the format is of few commands: a drawing, an array, a folder of files.
    pub(super) fn is_special_format(&self) -> bool {
        !FormatName::REPORT.contains(&self.format)
    }

    /// # Errors
    /// Where the command does not write the format: it was typed before its name.
    pub(super) fn check_format(&self, command: &str) -> Result<(), Failure> {
        let known = FormatName::command_formats(command);
        if known.contains(&self.format) {
            return Ok(());
        }
        let names: Vec<String> = known.iter().map(|format| format.typed_name()).collect();
        let error =
            anyhow::anyhow!("`planner {command}` does not write `{}`", self.format.typed_name());
        Err(Failure::usage_error(error, format!("use {}", names.join(", "))))
    }

    /// Whether anything changes what a spec asks for, or which part of it is looked at.
    pub(super) const fn changes_the_spec(&self) -> bool {
        !self.set.is_empty() || self.part.is_some() || self.prices.is_some()
    }

    /// The changes to the spec.
    pub(super) fn overrides(&self) -> Vec<Override> {
        self.set.iter().map(Override::new).collect()
    }

    /// How the integer program is solved.
    pub(super) fn solver_options(&self) -> sizing::Options {
        let back_end = match self.solver {
            SolverName::Microlp => BackEnd::Microlp,
            #[cfg(feature = "highs")]
            SolverName::Highs => BackEnd::Highs,
        };
        sizing::Options { back_end, ..sizing::Options::default() }
    }

    /// The line that shows how far a design is: as `make` makes it, where there was none.
    pub(super) fn shown_progress(
        &self,
        make: impl FnOnce() -> Arc<dyn ShownProgress>,
    ) -> &Arc<dyn ShownProgress> {
        self.watching.get_or_init(make)
    }

    /// Wipes the line of progress, where there is one.
    pub(super) fn wipe_progress(&self) {
        if let Some(watching) = self.watching.get() {
            watching.wipe_line();
        }
    }

    /// Whether messages are coloured.
    pub(super) fn colours_messages(&self) -> bool {
        self.has_colour(|| is_colour_terminal(&std::io::stderr()))
    }

    fn has_colour(&self, automatic: impl FnOnce() -> bool) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => automatic(),
        }
    }
}

/// Whether a stream is a terminal that wants colours (NO_COLOR, CLICOLOR, TERM=dumb).
/// CLICOLOR_FORCE makes no terminal of a file or a pipe: what reads them would get bytes that
/// depend on a variable.
pub(super) fn is_colour_terminal(stream: &impl RawStream) -> bool {
    stream.is_terminal() && anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never
}

/// A command that reads no spec has nothing that could be changed.
pub(super) fn no_spec() -> Failure {
    let error = anyhow::anyhow!("this command reads no spec that could be changed");
    Failure::usage_error(error, "leave out `--set`, `--part` and `--prices`")
}

/// A result that has no sections.
pub(super) fn no_sections() -> Failure {
    let error = anyhow::anyhow!("this result has no sections of which `--section` could show one");
    Failure::usage_error(
        error,
        "leave `--section` out, or use `--format table`, `markdown` or `html`",
    )
}

fn unknown_section(asked: &str, names: &str) -> Failure {
    let known: Vec<String> = names.lines().map(str::to_owned).collect();
    let error = anyhow::anyhow!("the report has no section `{}`", problem::quote_input(asked));
    let near = problem::did_you_mean(asked, &known);
    let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    let list = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Failure::usage_error(error, format!("{near}it has {list}"))
}
