//! Words for who shares a leaf switch. Places nothing.

use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;

/// Who shares a leaf switch, and what few uplinks rest on.
pub(super) fn leaf_sharing_sentence(job: &Job<'_>, level: Level) -> String {
    let order = &job.lead.layout().order;
    let placed = format!(
        "the scheduler fills leaf switches in rank order ({order}), so that neighbours share one"
    );
    if level.within >= 1.0 || level.within <= 0.0 {
        return placed;
    }
    let by = job.lead.workload.framework.collectives.spec_text();
    let ratio = 1.0 / level.within;
    format!(
        "{placed}; leaf switches that are oversubscribed {ratio:.1}:1 rest on that and on the algorithms of \
         `[collectives]` ({by}): another order, jobs placed at random or other algorithms need more uplinks"
    )
}
