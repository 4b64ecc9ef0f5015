//! From the SPEC argument to a scenario: ready specs, files of other tools, keys set on the command
//! line.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::anyhow;

use super::args::Options;
use super::errors::Failure;
use super::output;
use crate::design::{Infeasible, fewer_gpus_that_work, part_names, scenario_of_part_or_stage};
use crate::import::{self, Draft, ImportProblem, UserChoices};
use crate::scenario::{Assumption, Scenario};
use crate::spec::{self, Book, Override, SpecText, library};
use crate::units::parse::shorten_for_message;

/// Most characters of a file's name that are repeated.
const LONGEST_NAME: usize = 200;

/// The scenario of a spec with the overrides of the command line.
pub(super) fn load_scenario(path: &Path, options: &Options) -> Result<Scenario, Failure> {
    let source = load_spec(path, options)?;
    output::print_detail(options, &format!("reading {}", source.name));
    load_overridden_scenario(&source, &options.overrides(), options)
}

/// A question about one cluster where the spec has several: with the way to ask it of one.
pub(super) fn single_cluster_error(error: anyhow::Error, scenario: &Scenario) -> Failure {
    let names = part_names(scenario).join(", ");
    Failure::usage_error(error, format!("take one with `--part`: {names}"))
}

/// The scenario of a spec with some overrides, at the prices of the command line, or the part of it
/// that the command line names.
pub(super) fn load_overridden_scenario(
    source: &SpecText,
    overrides: &[Override],
    options: &Options,
) -> Result<Scenario, Failure> {
    let book = load_price_book(options)?;
    part_of(spec::read_with(source, overrides, book.as_ref())?, options)
}

/// The part of a scenario that the command line names; all of it where it names none.
pub(super) fn part_of(scenario: Scenario, options: &Options) -> Result<Scenario, Failure> {
    let Some(name) = &options.part else { return Ok(scenario) };
    scenario_of_part_or_stage(&scenario, name).ok_or_else(|| {
        let hint = match part_names(&scenario) {
            known if known.is_empty() => "leave `--part` out".to_owned(),
            known => format!("there are {}", known.join(", ")),
        };
        Failure::usage_error(anyhow!("the cluster has no part or stage `{name}`"), hint)
    })
}

/// The price book of the command line.
pub(super) fn load_price_book(options: &Options) -> Result<Option<Book>, Failure> {
    let Some(path) = &options.prices else { return Ok(None) };
    Ok(Some(spec::price_book(&source(path, options)?)?))
}

/// The text of the spec behind a path, or of that which a configuration of a model stands for.
pub(super) fn load_spec(path: &Path, options: &Options) -> Result<SpecText, Failure> {
    convert_to_spec(path, source(path, options)?, options)
}

/// The text behind a path.
pub(super) fn source(path: &Path, options: &Options) -> Result<SpecText, Failure> {
    let (name, bytes) = read_input(path, spec::LONGEST_BYTES, options)?;
    Ok(SpecText::from_bytes(name, &bytes)?)
}

/// Name and bytes of what is behind a path: a file, standard input, or a ready spec; at most
/// one byte more than `most`. A file wins over a ready spec of the same name. What the result is
/// written to is no input: it would be lost.
pub(super) fn read_input(
    path: &Path,
    most: usize,
    options: &Options,
) -> Result<(String, Vec<u8>), Failure> {
    let (name, bytes) = read_content(path, most, options)?;
    options.has_read(&name, &bytes);
    Ok((name, bytes))
}

fn read_content(path: &Path, most: usize, options: &Options) -> Result<(String, Vec<u8>), Failure> {
    let name = shorten_for_message(&path.display().to_string(), LONGEST_NAME);
    if path.as_os_str() == "-" {
        let name = "<stdin>".to_owned();
        refuse_overwrite(&name, is_standard_input, options)?;
        let bytes =
            read_bounded(io::stdin().lock(), most).map_err(|error| read_failure(&name, error))?;
        return Ok((name, bytes));
    }
    match File::open(path) {
        Ok(file) => {
            refuse_overwrite(&name, |output| is_file(&file, output), options)?;
            let bytes = read_bounded(file, most).map_err(|error| read_failure(&name, error))?;
            Ok((name, bytes))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let ready = library::ready_spec(&name).ok_or_else(|| read_failure(&name, error))?;
            Ok((ready.name, ready.text.into_bytes()))
        }
        Err(error) => Err(read_failure(&name, error)),
    }
}

/// Refuses to read what the result would replace.
fn refuse_overwrite(
    name: &str,
    is: impl Fn(&Path) -> bool,
    options: &Options,
) -> Result<(), Failure> {
    match options.output.as_deref().filter(|output| output.as_os_str() != "-" && is(output)) {
        None => Ok(()),
        Some(output) => {
            let error =
                anyhow!("`-o {}` would overwrite `{name}`, which is read", output.display());
            Err(Failure::usage_error(error, "name another file"))
        }
    }
}

/// Everything that a reader holds, but no more than shows that it is too much: a device or a
/// pipe may never end.
fn read_bounded(reader: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_failure(name: &str, error: io::Error) -> Failure {
    let hint = match error.kind() {
        ErrorKind::NotFound if name.ends_with(".json") => {
            "results are written with `--format json -o FILE`"
        }
        ErrorKind::NotFound => {
            "write a first spec with `planner init`, or name a ready one: `planner presets list`"
        }
        ErrorKind::IsADirectory => "name a file in it",
        _ => "",
    };
    Failure::usage_error(anyhow::Error::new(error).context(format!("can't read `{name}`")), hint)
}

/// The draft that a file makes. What it writes is read before it is shown: a spec that no command
/// takes is an error of the file.
pub(super) fn draft_from_source(
    path: &Path,
    source: &SpecText,
    beside: &[PathBuf],
    wanted: &UserChoices,
) -> Result<Draft, Failure> {
    let context = || format!("can't import `{}`", source.name);
    let refused = |problem: ImportProblem| {
        let hint = problem.hint();
        Failure::usage_error(anyhow::Error::new(problem).context(context()), hint)
    };
    let file = path.file_name().and_then(|name| name.to_str()).unwrap_or("-");
    let read_file = |name: &str| file_beside(path, beside, name);
    let mut draft = import::import_file(&source.text, file, wanted, &read_file).map_err(refused)?;
    let spec = SpecText::new(source.name.clone(), draft.spec_text());
    match spec::read_scenario(&spec, &[]) {
        Ok(scenario) => {
            draft.check_approximation(&scenario.lead_workload().model).map_err(refused)?;
            Ok(draft)
        }
        Err(problems) => {
            let text = |problem: &spec::Problem| match draft.key_in_file(&problem.key) {
                Some(key) => format!("{key}: {problem}"),
                None => problem.to_string(),
            };
            let all: Vec<String> = problems.list.iter().map(text).collect();
            let mut hints: Vec<String> = problems.list.iter().map(spec::Problem::hint).collect();
            hints.retain(|hint| !hint.is_empty());
            let error = anyhow!("no command would take the spec: {}", all.join("; "));
            Err(Failure::usage_error(error.context(context()), hints.join("; ")))
        }
    }
}

/// The text of a file that a script sources: below the script's folder, also behind links, or one
/// of those that the command line names.
fn file_beside(script: &Path, beside: &[PathBuf], name: &str) -> Option<String> {
    let named = |path: &&PathBuf| path.file_name() == Path::new(name).file_name();
    let path = match beside.iter().find(named) {
        Some(path) => path.clone(),
        None => {
            let folder = script.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            let path = fs::canonicalize(folder.join(name)).ok()?;
            path.starts_with(&folder).then_some(path)?
        }
    };
    // A pipe would be waited for as soon as it is opened.
    let is_plain = fs::metadata(&path).is_ok_and(|data| data.is_file());
    let file = is_plain.then(|| File::open(path).ok())??;
    let bytes = read_bounded(file, spec::LONGEST_BYTES).ok()?;
    (bytes.len() <= spec::LONGEST_BYTES).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// The spec that a configuration of a model stands for; a spec as it is. What is assumed is told,
/// and is part of every result, but for what the command line states.
pub(super) fn convert_to_spec(
    path: &Path,
    source: SpecText,
    options: &Options,
) -> Result<SpecText, Failure> {
    if !import::is_foreign(&source.text) {
        return Ok(source);
    }
    let wanted = UserChoices { name: name_from_path(path), ..UserChoices::default() };
    let draft = draft_from_source(path, &source, &[], &wanted)?;
    let overrides = options.overrides();
    let mut spec = SpecText::new(format!("{} as a spec", source.name), draft.spec_text());
    let mut assumed = Vec::new();
    for (topic, text) in draft.remarks() {
        if overrides.iter().any(|set| set.is_of(&topic)) {
            continue;
        }
        output::print_warning(options, &format!("assumed: {topic}: {text}"));
        assumed.push(Assumption { topic, text, default: false });
    }
    spec.assumed = assumed.into();
    let hint =
        "state these with `--set`, or write the spec with `planner import FILE -o model.toml`";
    output::print_note(options, hint);
    Ok(spec)
}

/// The file's own name, unless every file of its kind has it: then that of its folder.
pub(super) fn name_from_path(file: &Path) -> Option<String> {
    let text = |part: &std::ffi::OsStr| part.to_str().map(str::to_owned);
    match file.file_stem().and_then(text)?.as_str() {
        "-" => None,
        "config" => file.parent()?.file_name().and_then(text),
        stem => Some(stem.to_owned()),
    }
}

/// Whether a path stands for an open file. Devices and pipes are never the same: what is written to
/// them replaces nothing.
pub(super) fn is_file(file: &File, path: &Path) -> bool {
    let (Ok(one), Ok(other)) = (file.metadata(), fs::metadata(path)) else { return false };
    one.is_file() && other.is_file() && is_same_metadata(&one, &other)
}

/// Whether a path stands for the file that standard input is read from.
#[cfg(unix)]
fn is_standard_input(path: &Path) -> bool {
    use std::os::fd::AsFd as _;
    let Ok(input) = std::io::stdin().as_fd().try_clone_to_owned() else { return false };
    is_file(&File::from(input), path)
}

/// Whether a path stands for the file that standard input is read from: nobody says so here.
#[cfg(not(unix))]
fn is_standard_input(_: &Path) -> bool {
    false
}

#[cfg(unix)]
fn is_same_metadata(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Two files of one size, made and changed at one moment, are one.
#[cfg(not(unix))]
fn is_same_metadata(one: &Metadata, other: &Metadata) -> bool {
    let size_and_times = |file: &Metadata| (file.len(), file.created().ok(), file.modified().ok());
    size_and_times(one) == size_and_times(other)
}

/// Why there is no design, with the sizes of the cluster that may have one and the command that
/// compares them.
pub(super) fn infeasible_with_size_hint(
    reason: Infeasible,
    scenario: &Scenario,
    spec: &Path,
    options: &Options,
) -> Failure {
    let sizes = fewer_gpus_that_work(scenario, &reason, &options.solver_options());
    let Some(first) = sizes.first() else { return reason.into() };
    let listed: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    let hint = format!(
        "{first} GPUs have a design within these limits; `{} --vary cluster.gpus={}` compares \
         sizes",
        sweep_command(spec, options),
        listed.join(",")
    );
    Failure::TooLarge { reason: Box::new(reason), hint }
}

/// `planner sweep` of the same spec, with the same changes and prices.
fn sweep_command(spec: &Path, options: &Options) -> String {
    let mut words = vec!["planner".to_owned(), "sweep".to_owned(), spec.display().to_string()];
    // The size is what is varied.
    for set in options.set.iter().filter(|set| !set.trim_start().starts_with("cluster.gpus")) {
        words.extend(["--set".to_owned(), set.clone()]);
    }
    if let Some(prices) = &options.prices {
        words.extend(["--prices".to_owned(), prices.display().to_string()]);
    }
    if let Some(part) = &options.part {
        words.extend(["--part".to_owned(), part.clone()]);
    }
    let words: Vec<String> = words.iter().map(|word| quote_shell_word(word)).collect();
    words.join(" ")
}

/// A word as a shell takes it.
fn quote_shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quote_shell_word;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        assert_eq!(quote_shell_word("cluster.gpus=512"), "cluster.gpus=512");
        assert_eq!(quote_shell_word("limits.budget=$9M"), "'limits.budget=$9M'");
        assert_eq!(quote_shell_word("it's"), "'it'\\''s'");
        assert_eq!(quote_shell_word(""), "''");
    }
}
