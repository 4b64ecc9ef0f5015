//! What each measured row is for: fitted or only judged, and with which others it is left out.

use super::problem::DataProblem;
use super::table::read_records;

const ROLES: &str = include_str!("../../presets/validation/roles.csv");

/// What a row is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowRole {
    /// Constants are fitted on it; false where it is only judged.
    pub fitted: bool,
    /// What it is left out with: rows of one source go together.
    pub source: String,
    /// Why it is only judged; empty where it is fitted.
    pub why: String,
    /// The one constant that it is fitted for; empty for all that it moves.
    pub only: String,
}

/// The role of a row: the first line of the file that names its set and a part of its name.
pub(super) fn find_role(set: &str, id: &str) -> Result<RowRole, DataProblem> {
    read_records(ROLES)
        .find(|role| role.field_text("set") == set && id.contains(role.field_text("rows")))
        .map(|role| RowRole {
            fitted: role.field_text("use") == "fitted",
            source: role.field_text("source").to_owned(),
            why: role.field_text("why").to_owned(),
            only: role.field_text("only").to_owned(),
        })
        .ok_or_else(|| DataProblem::Unknown { what: "role of a row", name: format!("{set}: {id}") })
}
