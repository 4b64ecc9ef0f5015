//! Why measured steps can't be read.

use std::fmt;

/// Why measured steps can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepsProblem {
    /// Neither a table with a column of times nor a log that is known.
    Unknown {
        /// Its name.
        file: String,
    },
    /// A line that can't be understood.
    Line {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A run that has no step with a time.
    NoSteps {
        /// Name of the file.
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

    /// The problem of a file of that name.
    pub(super) fn with_file_name(mut self, name: &str) -> Self {
        match &mut self {
            Self::Unknown { file } | Self::Line { file, .. } | Self::NoSteps { file, .. } => {
                name.clone_into(file);
            }
        }
        self
    }

    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => {
                "known are a table with a column `seconds`, a log of Megatron-LM with its arguments, \
                 and a log of torchtitan (docs/calibration.md)"
            }
            Self::Line { .. } => "docs/calibration.md has the columns",
            Self::NoSteps { .. } => "let it run some steps more: the first three count as warm-up",
        }
    }
}

impl fmt::Display for StepsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { file } => write!(f, "`{file}` has no measured steps that are known"),
            Self::Line { file, line, reason } => write!(f, "`{file}`, line {line}: {reason}"),
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
