//! The communication of a step: which collective, among which ranks, how many bytes, how often.
//! One file for each dimension of parallelism; which algorithm carries it is not decided here.

mod buckets;
mod call;
mod context;
mod data;
mod expert;
mod pipeline;
mod source;
mod tensor;

pub use call::{
    Cadence, Collective, Communication, Element, Hiding, Moment, Operation, TrafficKind,
};
pub(super) use source::CommunicationInputs;

/// Every communication of the step that is of one of these kinds, in their order. Left out as below a
/// thousandth of a step's bytes: gradients of norms and router weights within a tensor group,
/// scalars of the gradient norm, barriers.
pub(super) fn list_communications(
    source: &CommunicationInputs<'_>,
    kinds: &[TrafficKind],
) -> Vec<Communication> {
    let of_kind = |kind: &TrafficKind| match kind {
        TrafficKind::Tensor => tensor::tensor_parallel_calls(source),
        TrafficKind::Pipeline => pipeline::pipeline_parallel_calls(source),
        TrafficKind::Data => data::data_parallel_calls(source),
        TrafficKind::Context => context::context_parallel_calls(source),
        TrafficKind::Expert => expert::expert_parallel_calls(source),
    };
    kinds.iter().flat_map(of_kind).collect()
}
