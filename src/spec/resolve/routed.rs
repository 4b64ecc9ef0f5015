//! Families of fabric whose steps are timed by routing them, against what only others can be asked for.

use super::context::Context;
use crate::scenario::{Cluster, FabricChoice, LoadBalancing, Workload};
use crate::workload::Algorithms;

/// Refuses parts, stages, single paths and sums by switches on a fabric whose step is timed by routing it.
pub(super) fn check_routed_family(
    context: &mut Context<'_>,
    workloads: &[Workload],
    cluster: &Cluster,
    parts: bool,
) {
    let family = cluster.fabric;
    if !family.is_routed() && family != FabricChoice::Any {
        return;
    }
    let name = family.name();
    let reader = context.section_reader("cluster");
    if cluster.load_balancing != LoadBalancing::Spray {
        let message =
            format!("`{name}` is timed with messages that are spread, not on single paths");
        let hint = "take `load_balancing = \"spray\"`, or another `fabric`";
        context.report_contradiction(&reader, "load_balancing", message, hint);
    }
    let sums =
        |workload: &Workload| workload.framework.collectives.has_algorithm(Algorithms::Sharp);
    if family != FabricChoice::TaperedClos && workloads.iter().any(sums) {
        let message = match family {
            FabricChoice::Any => {
                "`sharp` sums on the way up a tree, and not every family of `any` is one".to_owned()
            }
            _ => format!("`sharp` sums on the way up a tree, and `{name}` has none"),
        };
        let hint = "take another `fabric`, or another algorithm in [collectives]";
        context.report_contradiction(&reader, "fabric", message, hint);
    }
    if family == FabricChoice::Any
        && context.section_reader("objective").read_names("minimize").len() > 1
    {
        let message =
            "`any` takes the family with the least of one quantity, not of several in turn";
        let hint = "name one quantity in `objective.minimize`, or one `fabric`";
        context.report_contradiction(&reader, "fabric", message.to_owned(), hint);
    }
    if parts || context.root.is_stated("stage") {
        let message = format!("`{name}` is chosen for one cluster, not for parts or stages");
        let hint = "take another `fabric`, or design each cluster in a spec of its own";
        context.report_contradiction(&reader, "fabric", message, hint);
    }
}
