//! `[robust]`: what else the fabric has to carry, as far as a spec alone says whether that exists. Which
//! scenarios a layout leaves out is seen when it is chosen.

use super::context::Context;
use crate::scenario::{Cluster, LoadBalancing, Robust, RobustPlacement, Workload};
use crate::spec::reader::Reader;
use crate::workload::Algorithms;

/// Jobs that share each leaf switch where placements fill it in part.
const PART_FILLED: u32 = 2;

/// What the table asks for; `None` inside where the spec has none.
pub(super) fn resolve_robust(
    context: &mut Context<'_>,
    workloads: &[Workload],
    cluster: &Cluster,
) -> Option<Option<Robust>> {
    if !context.root.is_stated("robust") {
        return Some(None);
    }
    let reader = context.section_reader("robust");
    let placements: Vec<RobustPlacement> = reader
        .read_names("placements")
        .iter()
        .filter_map(|(name, _)| RobustPlacement::parse(name))
        .collect();
    let collectives: Vec<Algorithms> = reader
        .read_names("collectives")
        .iter()
        .filter_map(|(name, _)| Algorithms::parse(name))
        .collect();
    let mut jobs: Vec<u32> =
        reader.read_numbers("jobs").into_iter().map(|value| value as u32).collect();
    jobs.sort_unstable();
    jobs.dedup();
    let robust = Robust::read(&reader, placements, jobs, collectives)?;
    let Robust { layouts, placements, jobs, collectives, .. } = &robust;
    let asks =
        *layouts > 0 || !placements.is_empty() || !jobs.is_empty() || !collectives.is_empty();
    if !asks {
        let hint = "state `layouts`, `placements`, `jobs` or `collectives`, or take [robust] out";
        context.report_contradiction(&reader, "layouts", "it names no scenario".to_owned(), hint);
    }
    refuse_several_clusters(context, &reader);
    for count in jobs {
        check_job_counts(context, (&reader, "jobs"), *count, workloads, cluster);
    }
    if placements.contains(&RobustPlacement::PartFilled) {
        check_job_counts(context, (&reader, "placements"), PART_FILLED, workloads, cluster);
    }
    if !placements.is_empty() && cluster.load_balancing != LoadBalancing::Spray {
        let message = "other placements are timed where packets are sprayed".to_owned();
        let hint = "state `load_balancing = \"spray\"` in [cluster], or take `placements` out";
        context.report_contradiction(&reader, "placements", message, hint);
    }
    refuse_switch_sums(context, &reader, collectives, cluster);
    Some(Some(robust))
}

/// Refuses scenarios of clusters that have several fabrics.
fn refuse_several_clusters(context: &mut Context<'_>, reader: &Reader<'_>) {
    let parts = context
        .root
        .sub_tables("workload")
        .iter()
        .any(|table_reader| table_reader.is_stated("gpus"));
    if parts || context.root.is_stated("stage") {
        let message = "scenarios are of one cluster, not of parts or stages".to_owned();
        let hint = "take [robust] out, or design each cluster in a spec of its own";
        context.report_contradiction(reader, "max_slowdown", message, hint);
    }
}

/// Refuses numbers of jobs that do not divide GPUs, batch or replicas.
fn check_job_counts(
    context: &mut Context<'_>,
    (reader, key): (&Reader<'_>, &str),
    count: u32,
    workloads: &[Workload],
    cluster: &Cluster,
) {
    let mut wholes = vec![("GPUs of the cluster".to_owned(), u64::from(cluster.gpus))];
    for workload in workloads {
        let name =
            if workloads.len() > 1 { format!(" of {}", workload.name) } else { String::new() };
        wholes.push((format!("sequences of a batch{name}"), workload.training.global_batch));
        wholes
            .extend(workload.layout.data.map(|data| (format!("replicas{name}"), u64::from(data))));
    }
    let odd = wholes.iter().find(|(_, whole)| !whole.is_multiple_of(u64::from(count)));
    if let Some((what, whole)) = odd {
        let message = format!("{count} equal jobs do not divide the {whole} {what}");
        let hint = match key {
            "jobs" => "take a divisor, or another number of GPUs, sequences or replicas",
            _ => "`\"part-filled\"` has two jobs: take it out, or an even number of all of them",
        };
        context.report_contradiction(reader, key, message, hint);
    }
}

/// Refuses sums by switches: those of the network are another fabric, and not every product has others.
fn refuse_switch_sums(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    collectives: &[Algorithms],
    cluster: &Cluster,
) {
    if collectives.contains(&Algorithms::Sharp) {
        let message = "`sharp` is no scenario: it needs other switches".to_owned();
        let hint = "state `all = \"sharp\"` in [collectives], or another algorithm here";
        context.report_contradiction(reader, "collectives", message, hint);
    }
    let unable = cluster.nodes.iter().find(|node| !node.hb_reduces);
    if let Some(node) = unable.filter(|_| collectives.contains(&Algorithms::Nvls)) {
        let message = format!(
            "`nvls` needs HB domains whose switches sum: nothing says so of `{}`",
            node.name
        );
        let hint = "take another algorithm, or state `hb_reduces = true` of the product";
        context.report_contradiction(reader, "collectives", message, hint);
    }
}
