//! Expert parallelism: tokens to the ranks of their experts and back.

use super::call::{Cadence, Collective, Communication, Element, Hiding, Moment, TrafficKind};
use super::source::CommunicationInputs;
use crate::parallel::Group;
use crate::step::{BlockKind, Pass};
use crate::units::Bytes;
use crate::workload::{Dispatcher, FeedForward, Layer, Moe};

/// Width of an entry of the map that says which experts a token visits.
const MAP_BYTES: f64 = 1.0;

/// Dispatch and combine in each pass of each block of experts (GShard, arXiv 2006.16668 §3.2).
/// A rank sends the N/t tokens of its share of the tensor group. Where the load is uneven, every
/// rank is taken to send as much as the fullest one receives.
pub(super) fn expert_parallel_calls(source: &CommunicationInputs<'_>) -> Vec<Communication> {
    let Some(moe) = &source.model.moe else { return Vec::new() };
    let with_experts = |layer: &Layer| layer.network() == Some(FeedForward::Experts);
    let layers = source.layer_kinds().filter(with_experts);
    layers.flat_map(|layer| expert_calls_of_layer(source, moe, BlockKind::Layer(layer))).collect()
}

/// Those of one kind of layer.
fn expert_calls_of_layer(
    source: &CommunicationInputs<'_>,
    moe: &Moe,
    block: BlockKind,
) -> Vec<Communication> {
    let gathers = source.framework.dispatcher == Dispatcher::AllGather;
    // Gathered tokens go to all ranks alike.
    let load = if gathers { 1.0 } else { moe.max_over_mean_load(source.layout.expert) };
    let tokens = |width: f64| {
        let sent = source.bytes_of_tokens(moe.token_width(source.model.hidden), width);
        let even = sent.equal_share(u128::from(source.layout.tensor));
        Bytes::from_elements(even.count(), load)
    };
    let precision = source.training.precision;
    let back = Copies {
        bytes: tokens(precision.activation_bytes() as f64),
        element: Element::activation_element(precision),
    };
    let there = if source.framework.narrow_dispatch {
        let bytes = tokens(precision.operand_bytes());
        Copies { bytes, element: Element::Float(precision) }
    } else {
        back
    };
    let widths = Widths { there, back };
    source
        .passes_of_experts()
        .into_iter()
        .flat_map(|pass| {
            let shards = shard_exchange(source, moe, widths, block, pass);
            if gathers {
                return gather_and_scatter(source, moe, widths, block, pass, shards);
            }
            let mut all = expert_exchange(source, moe, widths, block, pass);
            all.extend(shards);
            all
        })
        .collect()
}

/// Bytes of one copy of a rank's tokens. Forward and backward they go to their experts in the
/// format of the matrix multiplications, where the stack sends them so; sums come back wide
/// (DeepSeek-V3, arXiv 2412.19437 §3.3.3).
#[derive(Clone, Copy)]
struct Widths {
    there: Copies,
    back: Copies,
}

/// One copy of a rank's tokens on the wire.
#[derive(Clone, Copy)]
struct Copies {
    bytes: Bytes,
    element: Element,
}

/// A plain all-to-all sends a copy of a token for each expert that it visits; the de-duplicated
/// exchange one for each rank, and one for each HB domain.
fn expert_exchange(
    source: &CommunicationInputs<'_>,
    moe: &Moe,
    widths: Widths,
    block: BlockKind,
    pass: Pass,
) -> Vec<Communication> {
    let members = u128::from(source.layout.expert);
    if members < 2 {
        return Vec::new();
    }
    let one_way = |copies: Copies, times: u32, moment, label: &'static str| {
        let tokens = copies.bytes;
        let (collective, payload) = match source.framework.dispatcher {
            Dispatcher::AllToAll => {
                (Collective::AllToAll, (tokens * u128::from(moe.top_k)).padded_to(members))
            }
            _ => (Collective::TokenExchange { routing: moe.routing() }, tokens),
        };
        let sent = Copies { bytes: payload, ..copies };
        ExpertCall { group: Group::Expert, collective, sent, times, moment, label }
            .communication_in(source, block, pass)
    };
    if widths.there.bytes == widths.back.bytes {
        return vec![one_way(widths.back, 2, Moment::Dispatch, "tokens to their experts and back")];
    }
    vec![
        one_way(widths.there, 1, Moment::Dispatch, "tokens to their experts"),
        one_way(widths.back, 1, Moment::Combine, "tokens back from their experts"),
    ]
}

/// Every rank gathers all tokens of the group with what their router says, and their sums are
/// scattered; backward likewise, and the gradients of the router's weights are scattered
/// (Megatron-Core, `MoEAllGatherTokenDispatcher`). It calls once for ranks and shards together, whose
/// bytes are those of the ranks' calls and of the shards' calls within them.
fn gather_and_scatter(
    source: &CommunicationInputs<'_>,
    moe: &Moe,
    widths: Widths,
    block: BlockKind,
    pass: Pass,
    shards: Vec<Communication>,
) -> Vec<Communication> {
    let members = u128::from(source.layout.expert);
    if members < 2 {
        return shards;
    }
    let call = |collective, each: Copies, moment, label| {
        let sent = Copies { bytes: (each.bytes * members).padded_to(members), ..each };
        ExpertCall { group: Group::Expert, collective, sent, times: 1, moment, label }
            .communication_in(source, block, pass)
    };
    let of_router = |width: f64, element| {
        let all = source.bytes_of_tokens(moe.experts, width);
        Copies { bytes: all.equal_share(u128::from(source.layout.tensor)), element }
    };
    let weight = source.training.precision.activation_bytes() as f64;
    let [gather, scatter] = [Collective::AllGather, Collective::ReduceScatter];
    let mut all = Vec::new();
    if pass != Pass::Backward {
        let said = of_router(MAP_BYTES + weight, Element::Whole(1));
        let label = "experts and weights of tokens gathered";
        all.push(call(gather, said, Moment::Dispatch, label));
    }
    let label = "tokens gathered by the ranks of experts";
    all.push(call(gather, widths.there, Moment::ShardsGather, label));
    all.extend(shards);
    let label = "sums of the ranks of experts scattered";
    all.push(call(scatter, widths.back, Moment::ShardsScatter, label));
    if pass == Pass::Backward {
        let gradients = of_router(weight, widths.back.element);
        let label = "gradients of the weights of tokens scattered";
        all.push(call(scatter, gradients, Moment::Combine, label));
    }
    all
}

/// Shards of one expert gather the tokens that any of them received, and scatter the sums.
/// Where all experts are at hand, a token is gathered before it is copied for them.
fn shard_exchange(
    source: &CommunicationInputs<'_>,
    moe: &Moe,
    widths: Widths,
    block: BlockKind,
    pass: Pass,
) -> Vec<Communication> {
    let shards = u128::from(source.layout.expert_tensor);
    if shards < 2 {
        return Vec::new();
    }
    let copies = match source.framework.dispatcher {
        Dispatcher::AllGather => u128::from(source.layout.expert),
        _ if source.layout.expert > 1 => u128::from(moe.top_k),
        _ => 1,
    };
    [
        (
            Collective::AllGather,
            widths.there,
            Moment::ShardsGather,
            "tokens gathered by the shards of an expert",
        ),
        (
            Collective::ReduceScatter,
            widths.back,
            Moment::ShardsScatter,
            "sums of the shards of an expert scattered",
        ),
    ]
    .into_iter()
    .map(|(collective, tokens, moment, label)| {
        let payload = (tokens.bytes * copies * shards).padded_to(shards);
        let sent = Copies { bytes: payload, ..tokens };
        ExpertCall { group: Group::ExpertTensor, collective, sent, times: 1, moment, label }
            .communication_in(source, block, pass)
    })
    .collect()
}

/// A call among ranks that hold experts, as often as it is made in a pass of a block.
struct ExpertCall {
    group: Group,
    collective: Collective,
    sent: Copies,
    times: u32,
    moment: Moment,
    label: &'static str,
}

impl ExpertCall {
    fn communication_in(
        self,
        source: &CommunicationInputs<'_>,
        block: BlockKind,
        pass: Pass,
    ) -> Communication {
        Communication {
            kind: TrafficKind::Expert,
            label: self.label,
            group: self.group,
            collective: self.collective,
            by: source.algorithms_of_kind(TrafficKind::Expert),
            payload: vec![self.sent.bytes],
            element: self.sent.element,
            cadence: Cadence::PerBlock { block, pass, times: self.times },
            moment: self.moment,
            hiding: if source.framework.overlap_expert { Hiding::Block } else { Hiding::Exposed },
            messages: Vec::new(),
        }
    }
}
