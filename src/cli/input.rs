//! From what was typed for SPEC to a scenario: a file, standard input, or a ready spec by name.
//! What the text means is `spec`'s business.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::args::Options;
use super::failure::Failure;
use super::output;
use crate::scenario::Scenario;
use crate::spec::{self, Override, Source};

/// The scenario of a spec with the overrides of the command line.
pub(super) fn scenario(path: &Path, options: &Options) -> Result<Scenario, Failure> {
    let source = source(path)?;
    output::detail(options, &format!("reading {}", source.name));
    let overrides: Vec<Override> = options.set.iter().map(Override::new).collect();
    Ok(spec::read(&source, &overrides)?)
}

/// The text behind a path. A file wins over a ready spec of the same name.
fn source(path: &Path) -> Result<Source, Failure> {
    let name = path.display().to_string();
    if path.as_os_str() == "-" {
        let bytes = bounded(io::stdin().lock()).map_err(|error| refused("<stdin>", error))?;
        return Ok(Source::from_bytes("<stdin>", &bytes)?);
    }
    match File::open(path) {
        Ok(file) => {
            let bytes = bounded(file).map_err(|error| refused(&name, error))?;
            Ok(Source::from_bytes(name, &bytes)?)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            spec::presets::ready(&name).ok_or_else(|| refused(&name, error))
        }
        Err(error) => Err(refused(&name, error)),
    }
}

/// Everything that a reader holds, but no more than shows that it is too much: a device or a
/// pipe may never end.
fn bounded(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(spec::LONGEST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn refused(name: &str, error: io::Error) -> Failure {
    let hint = match error.kind() {
        ErrorKind::NotFound => {
            "write a first spec with `planner init`, or name a ready one: `planner presets list`"
        }
        ErrorKind::IsADirectory => "name a spec file in it",
        _ => "",
    };
    Failure::refused(anyhow::Error::new(error).context(format!("can't read `{name}`")), hint)
}
