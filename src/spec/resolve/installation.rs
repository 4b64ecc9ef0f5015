//! `[installation]`: refused where there is nothing to count it from.

use super::context::Context;
use crate::scenario::Installation;

/// What installing takes; `None` where the spec does not ask.
pub(super) fn resolve_installation(context: &mut Context<'_>) -> Option<Installation> {
    if !context.root.is_stated("installation") {
        return None;
    }
    let reader = context.section_reader("installation");
    let parts = context
        .root
        .sub_tables("workload")
        .iter()
        .any(|table_reader| table_reader.is_stated("gpus"));
    if parts || context.root.is_stated("stage") {
        let message = "installation is counted for one cluster, not for parts or stages".to_owned();
        let hint = "take [installation] out, or design each cluster in a spec of its own";
        context.report_contradiction(&reader, "hours_per_cable", message, hint);
    }
    Installation::read(&reader)
}
