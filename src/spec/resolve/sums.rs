//! Collectives that switches sum, against the switches that a spec leaves to choose from.

use super::context::Context;
use crate::hardware::{Catalogue, Switch};
use crate::scenario::{Cluster, Workload};
use crate::workload::Algorithms;

/// Refuses sums by switches that do not sum.
pub(super) fn check_in_switch_reduction(
    context: &mut Context<'_>,
    workloads: &[Workload],
    cluster: &Cluster,
    catalogue: &Catalogue,
) {
    let uses =
        |by| workloads.iter().any(|workload| workload.framework.collectives.has_algorithm(by));
    let reader = context.section_reader("collectives");
    let offered = |name: &String| cluster.switches.is_empty() || cluster.switches.contains(name);
    let summing: Vec<&str> = catalogue
        .switches
        .iter()
        .filter(|switch| switch.reduces)
        .map(|switch| switch.name.as_str())
        .collect();
    let found = |switch_model: &Switch| switch_model.reduces && offered(&switch_model.name);
    if uses(Algorithms::Sharp) && !catalogue.switches.iter().any(found) {
        let message = "`sharp` needs switches that sum what they forward: none on offer does";
        let hint = format!(
            "name one of {} in `cluster.switches`, or another algorithm",
            summing.join(", ")
        );
        context.report_contradiction(&reader, "all", message.into(), hint);
    }
    if uses(Algorithms::Nvls) {
        for node in cluster.nodes.iter().filter(|node| !node.hb_reduces) {
            let message = format!(
                "`nvls` needs HB domains whose switches sum: nothing says so of `{}`",
                node.name
            );
            let hint = "take another algorithm, or state `hb_reduces = true` of the product";
            context.report_contradiction(&reader, "all", message, hint);
        }
    }
}
