//! Why a text is no quantity.

use std::fmt;

/// Why a text is no quantity of the wanted kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitError {
    /// What was found wrong, as a sentence without a full stop.
    pub message: String,
    /// What to write instead.
    pub hint: String,
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UnitError {}
