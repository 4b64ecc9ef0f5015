//! `[training]`, and whether the GPUs can compute in the precision that it names. Micro-batch and
//! recomputation belong to the layout, which [`super::layout`] reads.

use super::context::Context;
use crate::hardware::Node;
use crate::spec::reader::Reader;
use crate::workload::{Precision, Training};

/// Calibrations of GPUs that have no bfloat16: a peak rate of 16 bits does not say which.
const WITHOUT_BF16: [&str; 1] = ["volta"];

/// True where the GPU has no bfloat16.
pub(super) fn lacks_bf16(node: &Node) -> bool {
    WITHOUT_BF16.contains(&node.gpu.calibration.name.as_str())
}

/// True where the GPU computes in that format.
pub(super) fn computes_in(node: &Node, precision: Precision) -> bool {
    let named = node.gpu.peaks.peak_of_precision(precision).is_some();
    named && !(precision == Precision::Bf16 && lacks_bf16(node))
}

/// The precision that the spec states.
pub(super) fn stated_precision(reader: &Reader<'_>) -> Option<Precision> {
    Precision::parse(reader.read_text("precision")?)
}

pub(super) fn resolve_training(context: &mut Context<'_>, nodes: &[Node]) -> Option<Training> {
    let reader = context.section_reader("training");
    context.require_key(&reader, "");
    let usual = if nodes.iter().any(lacks_bf16) { Precision::Fp16 } else { Precision::Bf16 };
    let precision = stated_precision(&reader).unwrap_or(usual);
    check_precision(context, &reader, nodes, precision);
    if !reader.is_stated("tokens") {
        context.note_assumption("training.tokens", "not stated: no length or cost of the run");
    }
    Training::read(&reader, usual)
}

/// Says which precision is taken, and refuses one that a GPU has not.
fn check_precision(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    nodes: &[Node],
    precision: Precision,
) {
    if !reader.is_stated("precision") {
        let text = format!("{}: what this GPU trains in without scaling", precision.name());
        context.note_assumption("training.precision", text);
    }
    if let Some(node) = nodes.iter().find(|node| !computes_in(node, precision)) {
        let can: Vec<&str> = Precision::ALL
            .into_iter()
            .filter(|precision| computes_in(node, *precision))
            .map(Precision::name)
            .collect();
        let message = format!(
            "GPU `{}` of node `{}` can't compute in {}",
            node.gpu.name,
            node.name,
            precision.name()
        );
        let hint = match can.is_empty() {
            true => format!("give `{}` a peak rate, such as peak_bf16", node.gpu.name),
            false => format!("it can in {}; or choose another node", can.join(", ")),
        };
        context.report_contradiction(reader, "precision", message, hint);
    }
}
