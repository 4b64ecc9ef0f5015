//! A check and what its sides are called.

use crate::gate::CheckReport;

/// A check and the names of what it compares.
#[derive(Clone, Copy, Debug)]
pub struct CheckSheet<'a> {
    /// What was found.
    pub report: &'a CheckReport,
    /// Name of the old side: a file.
    pub old: &'a str,
    /// Name of the new side.
    pub new: &'a str,
    /// It is a `diff`, which has no rules unless some are given.
    pub is_diff: bool,
}
