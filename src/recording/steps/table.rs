//! Reads step times from a table of runs in CSV.

use std::fmt;

use crate::units::Seconds;

/// The column that makes it a table of runs.
const TIME: &str = "seconds";

/// Short names of columns, and the keys that they state.
const SHORT: [(&str, &str); 19] = [
    ("node", "cluster.node"),
    ("gpus", "cluster.gpus"),
    ("framework", "framework.preset"),
    ("model", "model.preset"),
    ("layers", "model.layers"),
    ("sequence", "model.sequence"),
    ("global_batch", "training.global_batch"),
    ("micro_batch", "training.micro_batch"),
    ("precision", "training.precision"),
    ("recompute", "training.recompute"),
    ("tensor", "parallelism.tensor"),
    ("pipeline", "parallelism.pipeline"),
    ("interleave", "parallelism.interleave"),
    ("context", "parallelism.context"),
    ("expert", "parallelism.expert"),
    ("expert_tensor", "parallelism.expert_tensor"),
    ("data", "parallelism.data"),
    ("zero", "parallelism.zero"),
    ("shard", "parallelism.shard"),
];
/// Columns whose values are 0 or 1.
const FLAG: (&str, &str) = ("sequence_parallel", "parallelism.sequence_parallel");
const SCHEDULE: (&str, &str) = ("schedule", "parallelism.schedule");
/// Settings of the framework as `key=value`, with spaces between them.
const OVERRIDES: &str = "overrides";
/// Degrees whose product is the number of GPUs.
const DEGREES: [&str; 4] = ["tensor", "pipeline", "context", "data"];

/// Whether the first line is the header of such a table.
pub(super) fn is_table(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.split(',').any(|name| name.trim() == TIME))
}

/// The runs of the table.
pub(super) fn table_runs(text: &str) -> Result<Vec<MeasuredRun>, StepsProblem> {
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let header: Vec<&str> = match lines.next() {
        Some((_, line)) => line.split(',').map(str::trim).collect(),
        None => return Ok(Vec::new()),
    };
    let written = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.starts_with('#');
    lines.filter(written).map(|(at, line)| read_table_run(&header, at, line)).collect()
}

fn read_table_run(header: &[&str], at: usize, line: &str) -> Result<MeasuredRun, StepsProblem> {
    if line.contains('"') {
        return Err(StepsProblem::for_line(at, "quotes are not read: leave out commas instead"));
    }
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    if fields.len() != header.len() {
        let reason = format!("{} fields, and the header has {}", fields.len(), header.len());
        return Err(StepsProblem::for_line(at, reason));
    }
    let field = |name: &str| {
        let place = header.iter().position(|word| *word == name)?;
        Some(fields[place]).filter(|text| !text.is_empty())
    };
    let time = field(TIME).and_then(|text| text.parse::<f64>().ok());
    let Some(time) = time.filter(|time| time.is_finite() && *time > 0.0) else {
        let text = field(TIME).unwrap_or_default();
        return Err(StepsProblem::for_line(at, format!("`{text}` is no time in seconds")));
    };
    let mut settings = Vec::new();
    for (name, value) in header.iter().zip(&fields).filter(|(_, value)| !value.is_empty()) {
        if let Some(pairs) = settings_of(name, value) {
            settings.extend(pairs);
        }
    }
    let degrees = DEGREES.map(|name| field(name).and_then(|text| text.parse::<u64>().ok()));
    if field("gpus").is_none() && field("cluster.gpus").is_none() && degrees[3].is_some() {
        let gpus = degrees.iter().map(|degree| degree.unwrap_or(1)).try_fold(1, u64::checked_mul);
        settings.extend(gpus.map(|gpus| ("cluster.gpus".to_owned(), gpus.to_string())));
    }
    let place = format!("line {at}");
    let name = field("name").or_else(|| field("id")).map_or_else(|| place.clone(), str::to_owned);
    Ok(MeasuredRun { name, place, time: Seconds::from_f64(time), settings })
}

/// What a field states; `None` where it states no key.
fn settings_of(name: &str, value: &str) -> Option<Vec<(String, String)>> {
    let one = |key: &str, value: &str| Some(vec![(key.to_owned(), value.to_owned())]);
    if let Some((_, key)) = SHORT.iter().chain([&SCHEDULE]).find(|(short, _)| *short == name) {
        return one(key, value);
    }
    match name {
        _ if name == FLAG.0 => one(FLAG.1, if value == "0" { "false" } else { "true" }),
        OVERRIDES => {
            let pairs = value.split(' ').filter_map(|pair| pair.split_once('='));
            Some(pairs.map(|(key, value)| (format!("framework.{key}"), value.to_owned())).collect())
        }
        _ if name.contains('.') => one(name, value),
        // Names, sources and notes are for people.
        _ => None,
    }
}

/// A measured run.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredRun {
    pub name: String,
    /// Where it stands, for complaints: `line 3`.
    pub place: String,
    /// Time of a step: of a log the median of its steps.
    pub time: Seconds,
    /// Keys of a spec and their values, as far as the source has them.
    pub settings: Vec<(String, String)>,
}

/// Why measured steps can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepsProblem {
    /// Neither a table with a column of times nor a log that is known.
    Unknown { file: String },
    /// A line that can't be understood.
    Line {
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A table of nccl-tests that does not say what has to be known.
    Test {
        file: String,
        /// Line of its header, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// A run that has no step with a time.
    NoSteps {
        file: String,
        /// Line at which the run begins, from 1.
        line: usize,
    },
}

impl StepsProblem {
    /// Of that line, of a file that has no name yet.
    pub(super) fn for_line(line: usize, reason: impl Into<String>) -> Self {
        Self::Line { file: String::new(), line, reason: reason.into() }
    }

    /// Of the table of a test whose header is that line, of a file that has no name yet.
    pub(super) fn for_test(line: usize, reason: &str, hint: &'static str) -> Self {
        Self::Test { file: String::new(), line, reason: reason.to_owned(), hint }
    }

    /// The problem of a file of that name.
    pub(super) fn with_file_name(mut self, name: &str) -> Self {
        match &mut self {
            Self::Unknown { file }
            | Self::Line { file, .. }
            | Self::Test { file, .. }
            | Self::NoSteps { file, .. } => name.clone_into(file),
        }
        self
    }

    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => {
                "known are a table with a column `seconds`, a log of Megatron-LM with its \
                 arguments, of torchtitan or of MLPerf Training, and the output of nccl-tests \
                 (docs/equations.md)"
            }
            Self::Test { hint, .. } => hint,
            Self::Line { .. } => "docs/equations.md has the columns",
            Self::NoSteps { .. } => "let it run some steps more: the first ones count as warm-up",
        }
    }
}

impl fmt::Display for StepsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { file } => write!(f, "`{file}` has no measured steps that are known"),
            Self::Line { file, line, reason } | Self::Test { file, line, reason, .. } => {
                write!(f, "`{file}`, line {line}: {reason}")
            }
            Self::NoSteps { file, line } => {
                write!(
                    f,
                    "`{file}`, line {line}: the run has no step with a time after its warm-up"
                )
            }
        }
    }
}

impl std::error::Error for StepsProblem {}
