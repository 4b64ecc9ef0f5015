//! The communication of a step: which collective, among which ranks, how many bytes, how often.
//! One file for each dimension of parallelism; which algorithm carries it is not decided here.

mod call;
mod context;
mod data;
mod element;
mod expert;
mod nouns;
mod pipeline;
mod source;
mod tensor;

pub use call::Communication;
pub use element::Element;
pub use nouns::{Cadence, Collective, Hiding, Moment, Operation, TrafficKind};

pub(super) use source::Source;

/// Every communication of the step, in the order of the contract's kinds. Left out as below a
/// thousandth of a step's bytes: gradients of norms and router weights within a tensor group,
/// scalars of the gradient norm, barriers.
pub(super) fn communications(source: &Source<'_>) -> Vec<Communication> {
    let mut all = tensor::communications(source);
    all.extend(pipeline::communications(source));
    all.extend(data::communications(source));
    all.extend(context::communications(source));
    all.extend(expert::communications(source));
    all
}
