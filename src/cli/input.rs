//! From what was typed for SPEC to a scenario: a file, standard input, or a ready spec by name.
//! What the text means is `spec`'s business.

use std::fs::File;
use std::io;
use std::io::{ErrorKind, Read};
use std::path::Path;

use anyhow::anyhow;

use super::args::Options;
use super::failure::Failure;
use super::{foreign, output, same};
use crate::design::{part_names, scenario_of_part_or_stage};
use crate::scenario::Scenario;
use crate::spec::{self, Book, Override, SpecText, library};
use crate::units::text::strip_control_characters;

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
    foreign::convert_to_spec(path, source(path, options)?, options)
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
    let name = strip_control_characters(&path.display().to_string());
    if path.as_os_str() == "-" {
        let name = "<stdin>".to_owned();
        refuse_overwrite(&name, same::is_standard_input, options)?;
        let bytes =
            read_bounded(io::stdin().lock(), most).map_err(|error| read_failure(&name, error))?;
        return Ok((name, bytes));
    }
    match File::open(path) {
        Ok(file) => {
            refuse_overwrite(&name, |output| same::is_file(&file, output), options)?;
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
