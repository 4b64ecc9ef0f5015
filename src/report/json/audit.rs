//! `planner presets audit` as programs read it.

use serde::Serialize;

use super::super::sheet::Doubtful;

#[derive(Serialize)]
struct AuditJson<'a> {
    schema: &'static str,
    as_of: &'a str,
    entries: Vec<AuditEntry<'a>>,
}

#[derive(Serialize)]
struct AuditEntry<'a> {
    kind: &'a str,
    name: &'a str,
    doubts: &'a [&'static str],
    date: &'a str,
    note: &'a str,
}

/// The list as pretty JSON.
pub(in super::super) fn audit_json(found: &[Doubtful], as_of: &str) -> String {
    let entries = found.iter().map(|doubtful| {
        let Doubtful { kind, name, doubts, date, note } = doubtful;
        AuditEntry { kind, name, doubts, date, note }
    });
    let entries = entries.collect();
    super::write(&AuditJson { schema: "planner/audit/1", as_of, entries })
}
