//! What a command may change, and what it leaves behind.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::syntax::Node;

/// The value of a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Variable {
    Text(String),
    List(BTreeMap<u64, String>),
    Table(BTreeMap<String, String>),
}

impl Variable {
    fn byte_count(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::List(list) => list.values().map(|text| text.len() + 16).sum(),
            Self::Table(table) => table.iter().map(|(key, text)| key.len() + text.len()).sum(),
        }
    }
}

/// Values of local names before a function was called.
pub(super) type Hidden = Vec<(String, Option<Variable>)>;

/// What a command may change.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) variables: BTreeMap<String, Variable>,
    pub(super) functions: BTreeMap<String, Rc<Node>>,
    pub(super) arguments: Vec<String>,
    /// The arguments are the script's own doing: one that is not there is empty.
    pub(super) arguments_set: bool,
    /// Arguments of the script that were shifted away.
    pub(super) shifted: usize,
    /// Calls of the script's own functions that are open.
    pub(super) calls: usize,
    pub(super) folder: String,
    /// What is printed, where somebody reads it.
    pub(super) output: Option<String>,
    /// What a command reads.
    pub(super) input: Option<String>,
}

impl State {
    /// What a copy costs.
    pub(super) fn byte_count(&self) -> usize {
        let values = self.variables.values().map(|value| value.byte_count() + 64);
        values.sum::<usize>() + self.output.as_ref().map_or(0, String::len)
    }
}

/// What follows a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return,
    Exit,
}

/// Whether a command succeeds; where that is not known, the holes that it hangs on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Status {
    Success,
    Failure,
    Unknown(String),
}

impl Status {
    pub(super) fn from_bool(success: bool) -> Self {
        if success { Self::Success } else { Self::Failure }
    }

    pub(super) fn negate_status(self) -> Self {
        match self {
            Self::Success => Self::Failure,
            Self::Failure => Self::Success,
            unknown => unknown,
        }
    }
}

/// What a command leaves behind beside its state.
pub(super) struct Outcome {
    pub(super) flow: Flow,
    pub(super) status: Status,
}

impl Outcome {
    pub(super) fn new(status: Status) -> Self {
        Self { flow: Flow::Next, status }
    }

    pub(super) fn success() -> Self {
        Self::new(Status::Success)
    }

    pub(super) fn leave_by(flow: Flow) -> Self {
        Self { flow, status: Status::Success }
    }
}
