//! Workloads with GPUs of their own: what such a cluster can be, and how large it is. Resolves no
//! workload.

use super::context::Context;

/// GPUs of all parts; `None` where workloads share the whole cluster.
pub(super) fn sum_part_gpus(context: &mut Context<'_>) -> Option<u32> {
    let readers = context.root.sub_tables("workload");
    if !readers.iter().any(|reader| reader.is_stated("gpus")) {
        return None;
    }
    let mut sum = 0_u32;
    for reader in &readers {
        if !reader.is_stated("gpus") {
            let message =
                "others have GPUs of their own, and this one shares the cluster".to_owned();
            context.report_contradiction(
                reader,
                "gpus",
                message,
                "state `gpus` for all workloads or none",
            );
        }
        if reader.is_stated("share") {
            let message = "a workload with GPUs of its own has them all the time".to_owned();
            context.report_contradiction(reader, "share", message, "leave `share` out, or `gpus`");
        }
        sum = sum.saturating_add(reader.small_count("gpus").unwrap_or(0));
    }
    let cluster = context.section_reader("cluster");
    if let Some(stated) = cluster.small_count("gpus").filter(|stated| *stated != sum) {
        let message = format!("the workloads have {sum} GPUs, and the cluster {stated}");
        context.report_contradiction(&cluster, "gpus", message, "leave it out: it is their sum");
    }
    let objective = context.section_reader("objective");
    let quantities = objective.read_names("minimize");
    if quantities.len() > 1 || quantities.iter().any(|(name, _)| *name == "usd-per-token") {
        let message =
            "parts with workloads of their own are minimised by one quantity, and have no \
                       common cost of a token"
                .to_owned();
        let hint = "take capex, tco or power";
        context.report_contradiction(&objective, "minimize", message, hint);
    }
    Some(sum)
}
