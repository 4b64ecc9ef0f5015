//! `planner presets audit` as programs read it.

use serde::Serialize;

use super::super::sheet::Doubtful;

#[derive(Serialize)]
struct Sheet<'a> {
    schema: &'static str,
    as_of: &'a str,
    entries: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    kind: &'a str,
    name: &'a str,
    doubts: &'a [&'static str],
    date: &'a str,
    note: &'a str,
}

/// The list as pretty JSON.
pub(in super::super) fn audit(found: &[Doubtful], as_of: &str) -> String {
    let entries = found.iter().map(|of| {
        let Doubtful { kind, name, doubts, date, note } = of;
        Entry { kind, name, doubts, date, note }
    });
    let entries = entries.collect();
    super::write(&Sheet { schema: "planner/audit/1", as_of, entries })
}
