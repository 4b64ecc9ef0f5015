//! The pieces of step time and memory, kept between layouts that share them.

use std::collections::BTreeMap;

use super::run::Question;
use crate::memory::Footprint;
use crate::parallel::{Axis, Layout, Order};
use crate::step::{Stage, Step};
use crate::technique::Recipe;
use crate::timing::{BlockTimes, Clock, StageWork};
use crate::units::Seconds;
use crate::workload::{Recompute, Training};

/// What follows from the degrees and ZeRO.
pub(super) struct Outer {
    pub(super) stages: Vec<StageWork>,
    /// The first of each content, for the memory ledger: later ones hold fewer micro-batches.
    pub(super) held: Vec<Stage>,
}

/// All that the times of blocks follow from.
type BlocksKey = (Order, [u32; 6], u64, bool, Recompute);

/// Works pieces out once each.
pub(super) struct Pieces<'a> {
    question: &'a Question<'a>,
    clock: Clock<'a>,
    blocks: BTreeMap<BlocksKey, BlockTimes>,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(question: &'a Question<'a>) -> Self {
        let clock = Clock::new(question.gpu, question.network, question.framework);
        Self { question, clock, blocks: BTreeMap::new() }
    }

    pub(super) const fn clock(&self) -> &Clock<'a> {
        &self.clock
    }

    /// The stages of a layout; `None` where it breaks a rule.
    pub(super) fn outer(&self, layout: &Layout) -> Option<Outer> {
        let step = self.step(layout, self.question.training.recompute)?;
        let mut held: Vec<Stage> = Vec::new();
        for stage in &step.stages {
            if !held.iter().any(|of| of.is_alike(stage)) {
                held.push(stage.clone());
            }
        }
        Some(Outer { stages: self.clock.stages(&step), held })
    }

    /// Time of a message of a layout; `None` where it breaks a rule.
    pub(super) fn message(&self, layout: &Layout) -> Option<Seconds> {
        if layout.pipeline < 2 {
            return Some(Seconds::ZERO);
        }
        let step = self.step(layout, self.question.training.recompute)?;
        Some(self.clock.message(&step))
    }

    /// What the blocks of a layout keep in memory.
    pub(super) fn footprint(&self, layout: &Layout, recompute: Recompute) -> Footprint {
        let question = self.question;
        let training = Training { recompute, ..question.training.clone() };
        let recipe = recipe(question, &training);
        Footprint::new(question.model, &training, question.framework, layout)
            .keeping(recipe.upkeep(layout))
    }

    /// Times of the blocks of a layout; `None` where it breaks a rule.
    pub(super) fn blocks(&mut self, layout: &Layout, recompute: Recompute) -> Option<&BlockTimes> {
        let key = blocks_key(layout, recompute);
        if !self.blocks.contains_key(&key) {
            let step = self.step(layout, recompute)?;
            self.blocks.insert(key, self.clock.blocks(&step));
        }
        self.blocks.get(&key)
    }

    fn step(&self, layout: &Layout, recompute: Recompute) -> Option<Step> {
        let training = Training { recompute, ..self.question.training.clone() };
        recipe(self.question, &training).step(layout).ok()
    }
}

/// What a step follows from, with other training settings than the question's.
fn recipe<'a>(question: &Question<'a>, training: &'a Training) -> Recipe<'a> {
    let Question { model, framework, techniques, .. } = *question;
    Recipe { model, training, framework, techniques }
}

/// Blocks of layouts with equal keys are equal. Where tensor, context and expert ranks are
/// innermost, how their groups lie on domains does not depend on what is outside.
fn blocks_key(layout: &Layout, recompute: Recompute) -> BlocksKey {
    let [first, second, third, ..] = layout.order.axes();
    let innermost = [first, second, third]
        .into_iter()
        .all(|axis| matches!(axis, Axis::Tensor | Axis::Context | Axis::Expert));
    let (pipeline, data) =
        if innermost && layout.expert == 1 { (0, 0) } else { (layout.pipeline, layout.data) };
    let degrees =
        [layout.tensor, layout.context, layout.expert, layout.expert_tensor, pipeline, data];
    (layout.order, degrees, layout.micro_batch, layout.sequence_parallel, recompute)
}
