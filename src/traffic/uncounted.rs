//! What a job moves beside the communications of a step, with its size. The matrix leaves it out,
//! as it is small beside the rest or goes to storage; equations in docs/equations.md, "What is left
//! out".

use crate::parallel::Layout;
use crate::step::TrafficKind;
use crate::units::{Bytes, Seconds};
use crate::workload::{Dispatcher, FeedForward, Framework, Model, Training};

use super::TrafficSummary;

/// Bytes of a scalar, of a master weight, of the weight of a token's copy and of a token id.
const WORD: u128 = 4;
/// Bytes of a count of tokens (64-bit integers in Megatron-Core).
const COUNT: u128 = 8;
/// All-reduces of one number over all GPUs a step: the norm of all gradients, and whether one is
/// infinite.
const SCALARS: u128 = 2;

/// How often something is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frequency {
    /// In every step.
    Step,
    /// With every checkpoint.
    Checkpoint,
}

/// Something that the matrix leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uncounted {
    pub what: &'static str,
    pub often: Frequency,
    /// Bytes that all GPUs together send, read or write each time.
    pub bytes: Bytes,
}

impl Frequency {
    /// In words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Step => "every step",
            Self::Checkpoint => "every checkpoint",
        }
    }
}

/// What a job moves beside what `sent` sums up.
#[must_use]
pub fn uncounted_traffic(
    model: &Model,
    training: &Training,
    framework: &Framework,
    layout: &Layout,
    sent: &TrafficSummary,
) -> Vec<Uncounted> {
    let mut all = Vec::new();
    let mut add = |what, often, bytes: u128| {
        if bytes > 0 {
            all.push(Uncounted { what, often, bytes: Bytes::new(bytes) });
        }
    };
    let gpus = u128::from(layout.gpus());
    let [tensor, stages] = [layout.tensor, layout.pipeline].map(|count| u128::from(count.max(1)));
    let experts = model.moe.as_ref().map_or(0, |moe| u128::from(moe.experts));
    let with_experts =
        u128::from(model.layers_that(|kind| kind.network() == Some(FeedForward::Experts)));
    if layout.sequence_parallel && tensor > 1 {
        // Norms and routers are held whole by each tensor rank, and summed by a ring of them.
        // LayerNorm shifts too, the last one also.
        let shift = model.pattern.is_none() && !model.gated_ffn;
        let last = if shift { u128::from(model.hidden) } else { 0 };
        let whole =
            last + model.norm_elements() + with_experts * experts * u128::from(model.hidden);
        let sums = 2 * (tensor - 1) * whole * u128::from(framework.gradient_bytes);
        add(
            "gradients of norms and routers in tensor groups",
            Frequency::Step,
            sums * (gpus / (tensor * stages)),
        );
    }
    add("norm of all gradients", Frequency::Step, SCALARS * WORD * 2 * (gpus - 1));
    if layout.expert > 1 && framework.dispatcher == Dispatcher::AllToAll {
        let members = u128::from(layout.expert) * u128::from(layout.expert_tensor);
        let gathers = with_experts * u128::from(layout.micro_batches(training)) * (gpus / stages);
        add(
            "counts of tokens by expert",
            Frequency::Step,
            gathers * (members - 1) * COUNT * experts,
        );
        // Of the ways there and back, and their gradients, one has a weight for each copy.
        let width = u128::from(training.precision.activation_bytes()) * u128::from(model.hidden);
        let copies = sent.bytes_of_kind(TrafficKind::Expert).count() / 4 / width.max(1);
        add("weights of tokens that go to experts", Frequency::Step, copies * WORD);
    }
    add(
        "token ids read from storage",
        Frequency::Step,
        u128::from(training.global_batch) * u128::from(model.sequence) * WORD,
    );
    let weight = u128::from(training.precision.activation_bytes());
    let master = if weight < WORD { WORD } else { 0 };
    let each = weight + master + 2 * u128::from(framework.moment_bytes);
    add(
        "weights and optimizer states written to storage",
        Frequency::Checkpoint,
        model.parameters() * each,
    );
    all
}

/// Bytes a step of what is moved so often, where the time between checkpoints is stated.
#[must_use]
pub fn a_step(uncounted: &Uncounted, step: Seconds, between: Option<Seconds>) -> Option<Bytes> {
    match uncounted.often {
        Frequency::Step => Some(uncounted.bytes),
        Frequency::Checkpoint => {
            let share = (step / between?).min(1.0);
            Some(Bytes::from_elements(uncounted.bytes.count(), share))
        }
    }
}
