//! From what was typed for SPEC to a scenario: a file, standard input, or a ready spec by name.
//! What the text means is `spec`'s business.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use anyhow::anyhow;

use super::args::Options;
use super::failure::Failure;
use super::output;
use crate::hardware::PriceBook;
use crate::scenario::Scenario;
use crate::spec::{self, Override, Source};

/// The scenario of a spec with the overrides of the command line.
pub(super) fn scenario(path: &Path, options: &Options) -> Result<Scenario, Failure> {
    let source = source(path)?;
    output::detail(options, &format!("reading {}", source.name));
    read(&source, &options.overrides(), options)
}

/// The same where workloads may not have parts of the cluster to themselves: for what looks at one
/// fabric.
pub(super) fn whole(path: &Path, options: &Options) -> Result<Scenario, Failure> {
    let scenario = scenario(path, options)?;
    if scenario.is_split() {
        let hint = "only `planner design`, `check`, `diff` and `sweep` look at all parts; take one \
                    with a spec of its own";
        return Err(Failure::refused(
            anyhow!("the workloads have parts of the cluster each"),
            hint,
        ));
    }
    Ok(scenario)
}

/// The scenario of a spec with some overrides, at the prices of the command line.
pub(super) fn read(
    source: &Source,
    overrides: &[Override],
    options: &Options,
) -> Result<Scenario, Failure> {
    let book = prices(options)?;
    Ok(spec::read_with(source, overrides, book.as_ref())?)
}

/// The price book of the command line.
pub(super) fn prices(options: &Options) -> Result<Option<PriceBook>, Failure> {
    let Some(path) = &options.prices else { return Ok(None) };
    Ok(Some(spec::price_book(&source(path)?)?))
}

/// The text behind a path.
pub(super) fn source(path: &Path) -> Result<Source, Failure> {
    let (name, bytes) = bytes(path, spec::LONGEST_BYTES)?;
    Ok(Source::from_bytes(name, &bytes)?)
}

/// Name and bytes of what is behind a path: a file, standard input, or a ready spec; at most
/// one byte more than `most`. A file wins over a ready spec of the same name.
pub(super) fn bytes(path: &Path, most: usize) -> Result<(String, Vec<u8>), Failure> {
    let name = path.display().to_string();
    if path.as_os_str() == "-" {
        let name = "<stdin>".to_owned();
        let bytes = bounded(io::stdin().lock(), most).map_err(|error| refused(&name, error))?;
        return Ok((name, bytes));
    }
    match File::open(path) {
        Ok(file) => {
            let bytes = bounded(file, most).map_err(|error| refused(&name, error))?;
            Ok((name, bytes))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let ready = spec::presets::ready(&name).ok_or_else(|| refused(&name, error))?;
            Ok((ready.name, ready.text.into_bytes()))
        }
        Err(error) => Err(refused(&name, error)),
    }
}

/// Everything that a reader holds, but no more than shows that it is too much: a device or a
/// pipe may never end.
fn bounded(reader: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn refused(name: &str, error: io::Error) -> Failure {
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
    Failure::refused(anyhow::Error::new(error).context(format!("can't read `{name}`")), hint)
}
