//! Why a recording can't be read.

use std::fmt;

/// Most bytes of one file that are read.
pub const LONGEST_BYTES: usize = 1 << 30;

/// Why a recording can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordingProblem {
    /// A file that is none of the formats that are known.
    Unknown { file: String },
    /// A file that is longer than is read.
    TooLong { file: String },
    /// A line that is no JSON.
    Json {
        file: String,
        /// Line, from 1.
        line: usize,
        /// What the reader of JSON says.
        reason: String,
    },
    /// A call that lacks something, or has something of another kind.
    Call {
        file: String,
        /// Which call, as the file counts them.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Files without any call.
    Empty,
}

impl fmt::Display for RecordingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { file } => write!(f, "`{file}` is no recording that is known"),
            Self::TooLong { file } => {
                write!(f, "`{file}` is longer than {} GiB", LONGEST_BYTES >> 30)
            }
            Self::Json { file, line, reason } => {
                write!(f, "`{file}`, line {line}: no JSON: {reason}")
            }
            Self::Call { file, place, reason } => write!(f, "`{file}`, {place}: {reason}"),
            Self::Empty => write!(f, "the recording has no call"),
        }
    }
}

impl std::error::Error for RecordingProblem {}

impl RecordingProblem {
    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => {
                "known are a ledger or a list of calls as JSON, traces of PyTorch's profiler, \
                 Chakra traces `PREFIX.RANK.et` with their groups as JSON, and logs of \
                 NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,COLL"
            }
            Self::TooLong { .. } => "record fewer steps, or one file for each rank",
            Self::Json { .. } | Self::Call { .. } => "docs/halls.md has the formats",
            Self::Empty => {
                "record a whole step: profilers need NCCL as back end to write groups and sizes"
            }
        }
    }
}

/// A file of a recording.
#[derive(Clone, Debug)]
pub struct RecordingFile {
    /// Its name: that of a Chakra trace has the rank.
    pub name: String,
    pub bytes: Vec<u8>,
}
