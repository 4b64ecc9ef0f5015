//! Decoupled momentum (DeMo, arXiv 2411.19870) and its hybrid with sharding inside the HB domain
//! (FlexDeMo, arXiv 2502.06728): replicas exchange the largest components of their momentum in
//! place of gradients. Nothing but data-parallel traffic and the optimizer's states changes.

use super::recipe::{Recipe, TechniqueRow};
use crate::parallel::{Group, Layout, Zero};
use crate::step::{
    Cadence, Collective, Communication, Element, Hiding, Moment, ParameterUpkeep, Pass,
    PipelineStage, Step, Tensor, TrafficKind, matrix_shapes, rank_matrices,
};
use crate::units::Bytes;
use crate::workload::{Demo, DemoScope, Technique, Techniques};

/// Its row.
pub(super) const DEMO_ROW: TechniqueRow = TechniqueRow {
    change: apply_demo,
    upkeep: demo_upkeep,
    sharded: demo_zero_problem,
    broken: demo_layout_problem,
    ..TechniqueRow::without_effect(Technique::Demo, demo_notes)
};

/// Bytes of one moment in fp32: DeMo keeps one buffer where Adam keeps two.
const MOMENT: f64 = 4.0;
/// FLOPs of a cosine transform and its inverse over the s elements of a chunk's side, per element
/// and unit of s: two dimensions, forward, back and once more for what all replicas sent, a
/// multiplication and an addition each.
const TRANSFORM_FLOPS: f64 = 12.0;
/// Copies of what all replicas sent for one tensor: as received, and put together.
const TRANSIENT_COPIES: f64 = 2.0;

/// Gradients stay where they are made; components are gathered instead, indices and values of each
/// matrix in a message of their own. The authors' code waits for both, so nothing hides them.
fn apply_demo(mut step: Step, recipe: &Recipe<'_>) -> Step {
    let settings = &recipe.techniques.demo;
    let mut changed = Vec::new();
    let mut done: Vec<Group> = Vec::new();
    for communication in std::mem::take(&mut step.communications) {
        if communication.kind != TrafficKind::Data {
            changed.push(communication);
        } else if !done.contains(&communication.group) {
            done.push(communication.group);
            let replicas = Replicas { recipe, settings, step: &step, like: &communication };
            changed.extend(replicas.demo_communications());
        }
    }
    step.communications = changed;
    step
}

/// One kind of parameters and those who hold copies of them.
struct Replicas<'a> {
    recipe: &'a Recipe<'a>,
    settings: &'a Demo,
    step: &'a Step,
    like: &'a Communication,
}

impl Replicas<'_> {
    fn demo_communications(&self) -> Vec<Communication> {
        let apart = self.settings.scope == DemoScope::Domains;
        let mut all = if apart { self.inside_domain_communications() } else { Vec::new() };
        let of_component = self.settings.component_bytes();
        let (index, value) = (self.settings.index_bytes, self.settings.value_bytes);
        let value_of = Element::from_byte_width(value, self.recipe.training.precision);
        for (label, bytes, element) in [
            ("indices of the momentum's components gathered", index, Element::Whole(index)),
            ("the momentum's components gathered", value, value_of),
        ] {
            let part = |stage: &PipelineStage| {
                let components = self.member_payload(stage).count() / u128::from(of_component);
                Bytes::new(components * u128::from(bytes))
            };
            let collective = Collective::GatherEach { by: self.settings.gather, apart };
            let shape = (collective, Cadence::PerStep, Hiding::Exposed);
            let each = self.step.stages.iter().map(|stage| self.replicated_matrices(stage));
            let each =
                each.map(|tensors| tensors.iter().map(|tensor| tensor.count).sum()).collect();
            all.push(
                self.similar_communication(label, shape.0, shape.1, shape.2, part)
                    .with_element(element)
                    .split_into_messages(each),
            );
        }
        all
    }

    /// A communication of the same group with other bytes.
    fn similar_communication(
        &self,
        label: &'static str,
        collective: Collective,
        cadence: Cadence,
        hiding: Hiding,
        bytes: impl Fn(&PipelineStage) -> Bytes,
    ) -> Communication {
        let mut call = self.like.clone();
        (call.label, call.collective, call.cadence, call.hiding) =
            (label, collective, cadence, hiding);
        call.moment = match collective {
            Collective::AllGatherInside => Moment::Parameters,
            _ => Moment::Gradients,
        };
        call.with_payload(self.step.stages.iter().map(bytes).collect())
    }

    /// What one member sends of a stage.
    fn member_payload(&self, stage: &PipelineStage) -> Bytes {
        own_payload(&self.replicated_matrices(stage), self.settings)
    }

    /// The matrices of a stage that the members hold copies of.
    fn replicated_matrices(&self, stage: &PipelineStage) -> Vec<Tensor> {
        let [dense, routed] = rank_matrices(self.recipe.model, &self.step.layout, stage);
        if self.like.group == Group::ExpertData { routed } else { dense }
    }

    /// Full gradients summed inside the domain, and what was made of them gathered there: as
    /// ZeRO does it, with the domain in the place of all replicas.
    fn inside_domain_communications(&self) -> Vec<Communication> {
        let framework = self.recipe.framework;
        let hiding = |hiding| if framework.overlap_data { hiding } else { Hiding::Exposed };
        let scatter = (Collective::ReduceScatterInside, framework.gradient_bytes);
        let gather = (Collective::AllGatherInside, framework.parameter_bytes);
        let call = |(collective, width): (Collective, u64), cadence, hiding, label| {
            let held = |stage: &PipelineStage| match self.like.group {
                Group::ExpertData => stage.expert_parameters,
                _ => stage.dense_parameters,
            };
            let bytes = |stage: &PipelineStage| Bytes::new(held(stage) * u128::from(width));
            let element = Element::from_byte_width(width, self.recipe.training.precision);
            self.similar_communication(label, collective, cadence, hiding, bytes)
                .with_element(element)
        };
        let each = |pass| Cadence::PerMicroBatch { pass };
        let gradients = "gradients reduced and scattered inside domains";
        let block = hiding(Hiding::Block);
        match self.step.layout.zero {
            Zero::None | Zero::Optimizer => {
                let label = "new parameters gathered inside domains";
                let late = hiding(Hiding::LastBackward);
                let early = hiding(Hiding::FirstForward);
                vec![
                    call(scatter, Cadence::PerStep, late, gradients),
                    call(gather, Cadence::PerStep, early, label),
                ]
            }
            Zero::Gradients => {
                let label = "new parameters gathered inside domains";
                let early = hiding(Hiding::FirstForward);
                vec![
                    call(scatter, each(Pass::Backward), block, gradients),
                    call(gather, Cadence::PerStep, early, label),
                ]
            }
            Zero::Parameters => {
                let label = "parameters gathered inside domains";
                vec![
                    call(gather, each(Pass::Forward), Hiding::Block, label),
                    call(gather, each(Pass::Backward), Hiding::Block, label),
                    call(scatter, each(Pass::Backward), block, gradients),
                ]
            }
        }
    }
}

/// One momentum in the place of Adam's two moments, the transforms, and what all replicas sent
/// for the matrix of which they send most: matrices are gathered one after the other.
fn demo_upkeep(upkeep: ParameterUpkeep, recipe: &Recipe<'_>, layout: &Layout) -> ParameterUpkeep {
    let settings = &recipe.techniques.demo;
    let shapes = matrix_shapes(recipe.model, layout);
    let sent = shapes.into_iter().map(|tensor| own_payload(&[tensor], settings));
    // Across domains every rank exchanges its share of a matrix with as many fewer.
    let shared = settings.shards.filter(|_| settings.scope == DemoScope::Domains).unwrap_or(1);
    let shared = f64::from(shared) * f64::from(shared);
    let received = sent.max().unwrap_or_default().as_f64() * layout.replicas() / shared;
    ParameterUpkeep {
        state: upkeep.state - MOMENT,
        update_flops: upkeep.update_flops + TRANSFORM_FLOPS * settings.chunk as f64,
        buffer: upkeep.buffer + TRANSIENT_COPIES * received,
        shards: settings.shards.map(f64::from),
        ..upkeep
    }
}

/// Bytes T that one replica sends to each other: of every chunk its k largest components, each
/// with index and value (docs/equations.md §10.1).
#[must_use]
pub fn own_payload(tensors: &[Tensor], settings: &Demo) -> Bytes {
    let components = |tensor: &Tensor| {
        if settings.is_flat() {
            let chunks = tensor.element_count().div_ceil(u128::from(settings.chunk));
            return chunks * u128::from(settings.top_k.min(settings.chunk));
        }
        let [rows, columns] =
            [tensor.rows, tensor.columns].map(|size| chunk_side(size, settings.chunk));
        let chunks = tensor.element_count() / u128::from(rows * columns);
        chunks * u128::from(settings.top_k.min(rows * columns))
    };
    let all: u128 = tensors.iter().map(components).sum();
    Bytes::new(all * u128::from(settings.component_bytes()))
}

/// Largest divisor of a dimension that is no longer than a chunk.
fn chunk_side(size: u64, chunk: u64) -> u64 {
    (1..=chunk.min(size)).rev().find(|side| size.is_multiple_of(*side)).unwrap_or(1)
}

/// Replicas N* at which every one receives as much as a ring all-reduce of `gradients` bytes
/// would bring it: (N−1)·T = 2·(N−1)/N·G (docs/equations.md §10.1). `None` where nothing is sent.
#[must_use]
pub fn break_even_replicas(gradients: Bytes, payload: Bytes) -> Option<f64> {
    (!payload.is_zero()).then(|| 2.0 * gradients.as_f64() / payload.as_f64())
}

/// Its rule on copies of what is sharded.
fn demo_layout_problem(_: &Recipe<'_>, layout: &Layout) -> Option<String> {
    layout.shard.filter(|shard| *shard != layout.data).map(|_| {
        "its domains say which ranks share the states: leave out `parallelism.shard`".to_owned()
    })
}

/// Its rules on ZeRO.
fn demo_zero_problem(recipe: &Recipe<'_>, zero: Zero) -> Option<String> {
    let settings = &recipe.techniques.demo;
    let stage = zero.stage_number();
    match settings.scope {
        DemoScope::Replicas if zero != Zero::None => Some(format!(
            "every replica keeps a momentum of its own, so ZeRO {stage} has nothing equal to \
             shard: set `parallelism.zero = 0`, or `technique.demo.scope = \"domains\"`"
        )),
        DemoScope::Domains if zero != Zero::None && settings.shards.is_none() => Some(format!(
            "with ZeRO {stage} across domains only, `technique.demo.shards` has to say how many \
             ranks of a domain share the states"
        )),
        _ => None,
    }
}

/// Where it was shown.
fn demo_notes(techniques: &Techniques) -> Vec<String> {
    let settings = &techniques.demo;
    let mut texts = vec![
        "shown up to 1.2B parameters and 105B tokens on full replicas (arXiv 2411.19870); that \
         training is as good beyond is assumed"
            .to_owned(),
        format!(
            "{} of a chunk's components are sent, {} B each; two gathers for each matrix, one \
             after the other as in the authors' code, and nothing hides them",
            settings.top_k,
            settings.component_bytes()
        ),
    ];
    if settings.scope == DemoScope::Domains {
        texts.push(
            "across domains only (FlexDeMo, arXiv 2502.06728): gradients are summed in full inside \
             a domain"
                .to_owned(),
        );
    }
    texts
}
