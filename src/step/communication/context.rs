//! Context parallelism: attention, and recurrences, over sequences that are split over ranks.

use super::call::{Cadence, Collective, Communication, Element, Hiding, Moment, TrafficKind};
use super::source::CommunicationInputs;
use crate::parallel::Group;
use crate::step::{BlockKind, Pass};
use crate::units::Bytes;
use crate::workload::{ContextExchange, Layer, Mamba, Mixer};

/// What every layer exchanges, in each pass; full recomputation repeats the forward part.
pub(super) fn context_parallel_calls(source: &CommunicationInputs<'_>) -> Vec<Communication> {
    if source.layout.context < 2 {
        return Vec::new();
    }
    source.layer_kinds().flat_map(|layer| mixer_exchange(source, layer)).collect()
}

/// What the mixer of a layer exchanges.
fn mixer_exchange(source: &CommunicationInputs<'_>, layer: Layer) -> Vec<Communication> {
    let (block, model) = (BlockKind::Layer(layer), source.model);
    let recurrent = match layer.mixer() {
        None => return Vec::new(),
        Some(Mixer::Attention) => {
            return match source.framework.context_exchange {
                ContextExchange::Gather => gather_keys_values(source, block),
                ContextExchange::Ring => ring_keys_values(source, block),
                ContextExchange::AllToAll => {
                    let bytes = queries_and_results(source) + keys_and_values(source);
                    all_to_all(source, block, bytes)
                }
            };
        }
        Some(Mixer::Mamba) => model.mamba.as_ref().map(|mamba| scan_channels(source, mamba)),
        Some(Mixer::Delta) => {
            model.delta.as_ref().map(|delta| delta.projection_columns() + delta.value_channels())
        }
    };
    let tensor = u64::from(source.layout.tensor);
    let bytes = recurrent.map(|width| token_payload(source, width.div_ceil(tensor)));
    bytes.map_or_else(Vec::new, |bytes| all_to_all(source, block, bytes))
}

/// Channels of a token that a scan over the whole sequence exchanges on all tensor-parallel ranks:
/// what the first matrix made goes out, result and gate come back. A group's input and output of
/// the state go to every rank that has heads of it (Megatron-Core, `mamba_context_parallel.py`).
fn scan_channels(source: &CommunicationInputs<'_>, mamba: &Mamba) -> u64 {
    let ranks = u64::from(source.layout.tensor) * u64::from(source.layout.context);
    let copies = ranks.div_ceil(mamba.groups).max(1) - 1;
    mamba.projected_width() + copies * 2 * mamba.groups * mamba.state + 2 * mamba.inner_channels()
}

/// Keys and values of the whole sequence are gathered (arXiv 2407.21783 §3.3.2), backward again,
/// and their gradients scattered.
fn gather_keys_values(source: &CommunicationInputs<'_>, block: BlockKind) -> Vec<Communication> {
    let members = u128::from(source.layout.context);
    let whole = keys_and_values(source) * members;
    let call = |collective, pass, label| {
        let call = context_call(source, collective, block, pass, 1, whole, label);
        Communication { hiding: attention_hiding(source), ..call }
    };
    let mut all: Vec<Communication> = source
        .passes_in_order()
        .into_iter()
        .map(|pass| call(Collective::AllGather, pass, "keys and values gathered"))
        .collect();
    let label = "gradients of keys and values reduced";
    all.push(call(Collective::ReduceScatter, Pass::Backward, label));
    all
}

/// Keys and values go round, one block at a time beside the attention to the block before
/// (arXiv 2310.01889): c−1 messages, backward as many with their gradients besides.
fn ring_keys_values(source: &CommunicationInputs<'_>, block: BlockKind) -> Vec<Communication> {
    let hops = source.layout.context - 1;
    let bytes = keys_and_values(source);
    source
        .passes_in_order()
        .into_iter()
        .map(|pass| {
            let backward = pass == Pass::Backward;
            let (times, label) = if backward {
                (2 * hops, "keys, values and their gradients to the next rank")
            } else {
                (hops, "keys and values to the next rank")
            };
            let call = context_call(source, Collective::ShiftUp, block, pass, times, bytes, label);
            Communication { hiding: attention_hiding(source), ..call }
        })
        .collect()
}

/// Each rank gets whole sequences for some of the heads (Ulysses, arXiv 2309.14509 §3.1):
/// queries, keys, values out, results back; backward the gradients of each.
/// A recurrence exchanges what goes into it and what comes out in the same way.
fn all_to_all(
    source: &CommunicationInputs<'_>,
    block: BlockKind,
    bytes: Bytes,
) -> Vec<Communication> {
    source
        .passes_in_order()
        .into_iter()
        .map(|pass| {
            let label = "heads for tokens and back";
            context_call(source, Collective::AllToAll, block, pass, 1, bytes, label)
        })
        .collect()
}

/// Beside attention where the framework overlaps it.
const fn attention_hiding(source: &CommunicationInputs<'_>) -> Hiding {
    if source.framework.overlap_context { Hiding::Block } else { Hiding::Exposed }
}

fn context_call(
    source: &CommunicationInputs<'_>,
    collective: Collective,
    block: BlockKind,
    pass: Pass,
    times: u32,
    bytes: Bytes,
    label: &'static str,
) -> Communication {
    Communication {
        kind: TrafficKind::Context,
        label,
        group: Group::Context,
        collective,
        by: source.algorithms_of_kind(TrafficKind::Context),
        payload: vec![bytes.padded_to(u128::from(source.layout.context))],
        element: Element::activation_element(source.training.precision),
        cadence: Cadence::PerBlock { block, pass, times },
        moment: Moment::Attention,
        hiding: Hiding::Exposed,
        messages: Vec::new(),
    }
}

/// Keys and values of one rank's own tokens. Heads are split over the tensor group; where it
/// has more ranks than there are key and value heads, they are copied.
fn keys_and_values(source: &CommunicationInputs<'_>) -> Bytes {
    let tensor = u64::from(source.layout.tensor);
    let model = source.model;
    token_payload(
        source,
        match &model.latent_attention {
            None => 2 * model.kv_heads.div_ceil(tensor) * model.head_dim,
            Some(latent) => {
                model.heads.div_ceil(tensor) * (latent.qk_nope + latent.qk_rope + latent.v_dim)
            }
        },
    )
}

fn queries_and_results(source: &CommunicationInputs<'_>) -> Bytes {
    let model = source.model;
    let heads = model.heads.div_ceil(u64::from(source.layout.tensor));
    token_payload(
        source,
        match &model.latent_attention {
            None => 2 * heads * model.head_dim,
            Some(latent) => heads * (latent.qk_nope + latent.qk_rope + latent.v_dim),
        },
    )
}

fn token_payload(source: &CommunicationInputs<'_>, per_token: u64) -> Bytes {
    let width = u128::from(source.training.precision.activation_bytes());
    Bytes::new(source.micro_batch_tokens() * u128::from(per_token) * width)
}
