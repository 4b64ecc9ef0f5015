//! The one place of the program that prints.

// A function that runs first needs a section of its own, which is the one unsafe thing here.
#![cfg_attr(target_os = "linux", expect(unsafe_code))]

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, io};

use anstyle::{AnsiColor, Style};
use anyhow::Context as _;

use super::args::{Options, is_colour_terminal};
use super::atomic_write::replace_file;
use super::errors::Failure;
use crate::design::Infeasible;
use crate::report::matrix::ExportError;
use crate::report::{Format, add_provenance};
use crate::units::parse::{has_control_characters, strip_control_characters};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Green.on_default().bold();

/// Writes a result to the file of `-o`, or to standard output where there is none or it is `-`.
///
/// A reader that has seen enough and closes the pipe is no error; a full disk is one.
pub(super) fn write_result(text: &str, options: &Options) -> Result<(), Failure> {
    let look = options.render_options();
    let page = (look.format == Format::Html).then(|| add_provenance(text, &options.made_from()));
    let text = sanitize_text(page.as_deref().unwrap_or(text), look.colour);
    write_stream(options, |out| Ok(out.write_all(text.as_bytes())?))
}

/// Writes what is too large to be a text in memory, or no text.
pub(super) fn write_stream(
    options: &Options,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> Result<(), Failure> {
    options.wipe_progress();
    if let Some(path) = options.output.as_deref().filter(|path| path.as_os_str() != "-") {
        return write_with(path, write);
    }
    write_standard_output(write)
}

/// Writes to standard output.
fn write_standard_output(
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> Result<(), Failure> {
    if standard_output_is_closed() {
        let error = anyhow::anyhow!("can't write to standard output: it is closed");
        return Err(Failure::usage_error(error, "write it to a file with `-o FILE`"));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let written = write(&mut out).and_then(|()| Ok(out.flush()?));
    // What is left in the buffer of a closed pipe would only fail again.
    let _ = out.into_parts();
    match written {
        Err(error) if !is_closed_pipe(&error) => {
            Err(Failure::usage_error(error.context("can't write to standard output"), ""))
        }
        _ => Ok(()),
    }
}

/// A text for a terminal, a pipe or a file: what came from a spec, a file or an argument steers
/// nothing in it. Line feeds stay, and where it is `styled`, so do colours.
fn sanitize_text(text: &str, styled: bool) -> Cow<'_, str> {
    let fit = |c: char| c == '\n' || !has_control_characters(c);
    if text.chars().all(fit) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = if styled { style_length(rest) } else { 0 };
        if length > 0 {
            out.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        }
        out.push(if fit(next) { next } else { '\u{fffd}' });
        rest = &rest[next.len_utf8()..];
    }
    out.into()
}

/// Bytes of the style that a text starts with (ECMA-48, SGR); 0 where it starts with none.
fn style_length(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return 0 };
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';');
    match end {
        Some(end) if rest[end..].starts_with('m') => text.len() - rest.len() + end + 1,
        _ => 0,
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let by_export = match cause.downcast_ref::<ExportError>() {
            Some(ExportError::Writer(error)) => Some(error),
            _ => None,
        };
        let error = cause.downcast_ref::<io::Error>().or(by_export);
        error.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    })
}

/// Writes a whole file or leaves what is there: the text goes to a file beside it first, which
/// then takes its name. What is no regular file (a pipe, a device) is written to directly.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    write_with(path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// As [`write_file`], of what is no text.
pub(super) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_with(path, |out| Ok(out.write_all(bytes)?))
}

/// The folder of `-o`, made where there is none, for what is several files: `why` says so.
pub(super) fn output_folder<'o>(options: &'o Options, why: &str) -> Result<&'o Path, Failure> {
    let Some(folder) = options.output.as_deref() else {
        let error = anyhow::anyhow!("{why}, and standard output is one");
        return Err(Failure::usage_error(
            error,
            "name a folder with `-o FOLDER`: where there is none it is made",
        ));
    };
    if folder.exists() && !folder.is_dir() {
        let error = anyhow::anyhow!("`{}` is no folder, and {why}", folder.display());
        return Err(Failure::usage_error(error, "name a folder, or one that is to be made"));
    }
    fs::create_dir_all(folder)
        .with_context(|| format!("can't make the folder `{}`", folder.display()))
        .map_err(|error| {
            Failure::usage_error(error, "name one that can be made with `-o FOLDER`")
        })?;
    Ok(folder)
}

fn write_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> Result<(), Failure> {
    let written = match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(anyhow::anyhow!("it is a directory")),
        Ok(there) if !there.is_file() => File::options()
            .write(true)
            .open(path)
            .map_err(Into::into)
            .and_then(|file| fill_file(file, write)),
        // Its name could be taken from it all the same, which is not what it was locked for.
        Ok(there) if there.permissions().readonly() => Err(anyhow::anyhow!("it is read-only")),
        // A link keeps pointing to its file, which is the one that changes.
        Ok(_) => fs::canonicalize(path)
            .map_err(anyhow::Error::new)
            .and_then(|target| replace_file(&target, write)),
        // So does one that points to a file which is not there yet.
        Err(_) => link_target(path).and_then(|target| replace_file(&target, write)),
    };
    written
        .with_context(|| format!("can't write `{}`", path.display()))
        .map_err(|error| Failure::usage_error(error, ""))
}

/// The file that a link stands for, and whatever that stands for in turn; the path itself where it
/// is no link.
fn link_target(path: &Path) -> anyhow::Result<PathBuf> {
    /// Most links that are followed: as many as Linux follows.
    const MOST: u32 = 40;
    let mut at = path.to_owned();
    for _ in 0..MOST {
        let Ok(next) = fs::read_link(&at) else { return Ok(at) };
        // Relative to the folder of the link; an absolute one replaces it.
        at = at.parent().unwrap_or(Path::new("")).join(next);
    }
    anyhow::bail!("too many links follow each other")
}

fn fill_file(
    file: File,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    Ok(out.flush()?)
}

/// Says something on standard error, unless asked to be quiet.
pub(super) fn print_note(options: &Options, text: &str) {
    if !options.quiet {
        options.wipe_progress();
        write_message(&labelled_line(options.colours_messages(), NOTE, "note", text));
    }
}

/// Writes how far long work is over the line that says so.
pub(super) fn print_progress(line: Option<String>) {
    if let Some(line) = line {
        write_message(&line);
    }
}

/// Warns on standard error, unless asked to be quiet.
pub(super) fn print_warning(options: &Options, text: &str) {
    if !options.quiet {
        options.wipe_progress();
        write_message(&labelled_line(options.colours_messages(), WARNING, "warning", text));
    }
}

/// Says something on standard error that only a curious user wants to know.
pub(super) fn print_detail(options: &Options, text: &str) {
    if options.verbose {
        options.wipe_progress();
        write_message(&labelled_line(options.colours_messages(), NOTE, "note", text));
    }
}

/// Tells why there is no result.
pub(super) fn print_failure(failure: &Failure, options: &Options) {
    options.wipe_progress();
    let (what, hint) = match failure {
        Failure::Spec(problems) => {
            let styled = options.colours_messages();
            return write_message(&sanitize_text(&problems.render(styled), styled));
        }
        Failure::Refused { error, hint } => (format!("{error:#}"), hint.as_str()),
        Failure::Breached(rules) => (format!("rule broken: {rules}"), ""),
        Failure::Infeasible(reason @ Infeasible::Layout(_)) => {
            (format!("no feasible layout: {reason}"), "")
        }
        Failure::Infeasible(reason) => (format!("no feasible design: {reason}"), ""),
        Failure::TooLarge { reason, hint } => {
            (format!("no feasible design: {reason}"), hint.as_str())
        }
        Failure::NoDesign(short) => (format!("no design: {short}"), ""),
        Failure::Interrupted => (Infeasible::Interrupted.to_string(), ""),
        Failure::NoPoint(error) => (error.to_string(), ""),
    };
    print_error(&what, hint, options.colours_messages());
}

/// Prints what is to be said before any command is known: help and version are results, the rest
/// is not.
pub(super) fn print_usage(message: &clap::Error, colour: clap::ColorChoice) -> ExitCode {
    let styled = |automatic: bool| match colour {
        clap::ColorChoice::Always => true,
        clap::ColorChoice::Never => false,
        clap::ColorChoice::Auto => automatic,
    };
    let on_errors = styled(is_colour_terminal(&io::stderr()));
    let text = message.render();
    let rendered = |styled| if styled { text.ansi().to_string() } else { text.to_string() };
    if message.use_stderr() {
        write_message(&sanitize_text(&rendered(on_errors), on_errors));
        return BAD_USAGE.into();
    }
    let on_results = styled(is_colour_terminal(&io::stdout()));
    let text = rendered(on_results);
    match write_standard_output(|out| Ok(out.write_all(text.as_bytes())?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let status = failure.exit_status();
            if let Failure::Refused { error, hint } = failure {
                print_error(&format!("{error:#}"), &hint, on_errors);
            }
            status
        }
    }
}

/// Exit status of arguments that make no sense.
const BAD_USAGE: u8 = 2;

/// An error and the way out, where there is one.
fn print_error(what: &str, hint: &str, colour: bool) {
    let mut text = labelled_line(colour, ERROR, "error", what);
    for line in hint.lines().filter(|line| !line.is_empty()) {
        text.push_str(&labelled_line(colour, HELP, "help", line));
    }
    write_message(&text);
}

/// A message on one line. What it repeats of a file's name or an argument can't steer a terminal.
fn labelled_line(colour: bool, style: Style, label: &str, text: &str) -> String {
    let text = strip_control_characters(text);
    if colour { format!("{style}{label}{style:#}: {text}\n") } else { format!("{label}: {text}\n") }
}

fn write_message(text: &str) {
    // Standard error is the last resort; there is no other place to complain to.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

// What can be seen only before the standard library starts: it puts `/dev/null` in the place of a
// standard output that is closed (`planner … >&-`), and from then on every write succeeds and every
// result is lost. It looks, and changes nothing.
//
// On Linux only: elsewhere a closed standard output reads as open.

/// Whether standard output was closed when the program was started.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether a result on standard output would be lost.
fn standard_output_is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// Looks whether standard output is a file at all.
#[cfg(target_os = "linux")]
extern "C" fn look() {
    let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
    CLOSED.store(closed, Ordering::Relaxed);
}

// SAFETY: the C library calls what stands in this section before `main`, with arguments that a
// function without any ignores. `look` needs nothing that starts later: it asks the kernel one
// question and stores one bit.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg(test)]
mod tests {
    use super::sanitize_text;

    #[test]
    fn only_own_styles_pass_and_only_where_they_are_wanted() {
        let same = |text: &str| assert_eq!(sanitize_text(text, true), text);
        same("a\nb");
        same("\u{1b}[1m\u{1b}[38;5;9mred\u{1b}[0m\n");
        for (text, shown) in [
            ("\u{1b}[2Jx", "\u{fffd}[2Jx"),
            ("\u{1b}]0;title\u{7}", "\u{fffd}]0;title\u{fffd}"),
            ("\u{1b}[", "\u{fffd}["),
            ("\u{1b}[1", "\u{fffd}[1"),
            ("a\tb\rc", "a\u{fffd}b\u{fffd}c"),
            ("\u{9b}31m\u{202e}\u{2069}\u{2028}", "\u{fffd}31m\u{fffd}\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(sanitize_text(text, true), shown);
            assert_eq!(sanitize_text(text, false), shown);
        }
        assert_eq!(sanitize_text("\u{1b}[1mx", false), "\u{fffd}[1mx");
    }
}
