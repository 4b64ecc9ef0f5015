//! Overrides of the command line that a `[[workload]]` overrules: its own tables lie over those of
//! the top level, so that such an override would do nothing and nobody would know. Resolves nothing.

use super::context::Context;
use crate::spec::document::{SourceId, SpannedEntry, SpecTable, SpecValue};
use crate::spec::problem::ProblemKind;
use crate::spec::schema::TABLES;

/// Refuses every override of a key that the tables of a workload state too.
pub(super) fn check_overruled_overrides(
    context: &mut Context<'_>,
    workload: &SpecTable,
    number: usize,
) {
    let mut found = Vec::new();
    for name in TABLES {
        let (top, own) = (context.document.get_table(name), workload.get_table(name));
        if let (Some(top), Some(own)) = (top, own) {
            collect_overridden_keys(top, own, name, &mut found);
        }
    }
    let name = match workload.get("name").map(|item| &item.value) {
        Some(SpecValue::Text(name)) => format!("`{name}`"),
        _ => format!("number {number}"),
    };
    for (key, entry) in found {
        let kind = ProblemKind::Contradiction {
            message: format!(
                "workload {name} states `{key}` itself, so the override has no effect on it"
            ),
            hint: "change the [[workload]] table, or take the key out of it".into(),
        };
        context.add_problem(key, Some(entry.key), kind);
    }
}

/// Overridden keys of one table that stand in the other too, with their paths.
fn collect_overridden_keys<'a>(
    top: &'a SpecTable,
    own: &SpecTable,
    path: &str,
    found: &mut Vec<(String, &'a SpannedEntry)>,
) {
    for (name, entry) in &top.entries {
        let key = format!("{path}.{name}");
        let Some(other) = own.get(name) else { continue };
        match (entry.item.value.as_table(), other.value.as_table()) {
            (Some(top), Some(own)) => collect_overridden_keys(top, own, &key, found),
            _ if matches!(entry.key.source, SourceId::Override(_)) => found.push((key, entry)),
            _ => {}
        }
    }
}
