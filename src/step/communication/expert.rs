//! Expert parallelism: tokens to the ranks of their experts and back.

use super::{Cadence, Collective, Communication, Hiding, Source, TrafficKind};
use crate::parallel::Group;
use crate::step::{BlockKind, Pass};
use crate::units::Bytes;
use crate::workload::{Dispatcher, Moe};

/// Dispatch and combine in each pass of each block of experts (GShard, arXiv 2006.16668 §3.2).
/// A rank sends the N/t tokens of its share of the tensor group. Where the load is uneven, every
/// rank is taken to send as much as the fullest one receives.
pub(super) fn communications(source: &Source<'_>) -> Vec<Communication> {
    let Some(moe) = source.model.moe.as_ref().filter(|_| source.holds(BlockKind::Moe)) else {
        return Vec::new();
    };
    let even = source.activations().share(u128::from(source.layout.tensor));
    let tokens = Bytes::of_elements(even.count(), moe.capacity_factor);
    source
        .passes()
        .into_iter()
        .flat_map(|pass| {
            let mut all: Vec<Communication> =
                exchange(source, moe, tokens, pass).into_iter().collect();
            all.extend(shards(source, moe, tokens, pass));
            all
        })
        .collect()
}

/// A plain all-to-all sends a copy of a token for each expert that it visits; the de-duplicated
/// exchange one for each rank, and one for each HB domain.
fn exchange(source: &Source<'_>, moe: &Moe, tokens: Bytes, pass: Pass) -> Option<Communication> {
    let members = u128::from(source.layout.expert);
    if members < 2 {
        return None;
    }
    let (collective, payload) = match source.framework.dispatcher {
        Dispatcher::AllToAll => {
            (Collective::AllToAll, (tokens * u128::from(moe.top_k)).padded_to(members))
        }
        Dispatcher::HybridEp => {
            let top_k = u32::try_from(moe.top_k).unwrap_or(u32::MAX);
            (Collective::TokenExchange { top_k }, tokens)
        }
    };
    let label = "tokens to their experts and back";
    Some(call(source, Group::Expert, collective, payload, pass, 2, label))
}

/// Shards of one expert gather the tokens that any of them received, and scatter the sums.
/// Where all experts are at hand, a token is gathered before it is copied for them.
fn shards(source: &Source<'_>, moe: &Moe, tokens: Bytes, pass: Pass) -> Vec<Communication> {
    let shards = u128::from(source.layout.expert_tensor);
    if shards < 2 {
        return Vec::new();
    }
    let copies = if source.layout.expert > 1 { u128::from(moe.top_k) } else { 1 };
    let payload = (tokens * copies * shards).padded_to(shards);
    [
        (Collective::AllGather, "tokens gathered by the shards of an expert"),
        (Collective::ReduceScatter, "sums of the shards of an expert scattered"),
    ]
    .into_iter()
    .map(|(collective, label)| {
        call(source, Group::ExpertTensor, collective, payload, pass, 1, label)
    })
    .collect()
}

fn call(
    source: &Source<'_>,
    group: Group,
    collective: Collective,
    payload: Bytes,
    pass: Pass,
    times: u32,
    label: &'static str,
) -> Communication {
    Communication {
        kind: TrafficKind::Expert,
        label,
        group,
        collective,
        payload: vec![payload],
        cadence: Cadence::PerBlock { block: BlockKind::Moe, pass, times },
        hiding: if source.framework.overlap_expert { Hiding::Block } else { Hiding::Exposed },
        messages: Vec::new(),
    }
}
