//! The pieces of step time and memory, kept between layouts that share them. Knows which layouts
//! share what; sums nothing up.

use std::collections::BTreeMap;

use super::question::Question;
use crate::memory::Footprint;
use crate::parallel::{Layout, Order, RankGrid, Zero};
use crate::step::{Stage, Step};
use crate::technique::Recipe;
use crate::timing::{BlockTimes, Call, Clock, Seating, StageWork};
use crate::workload::Recompute;

/// A rank order that seats the ranks of some degrees unlike the orders before it.
pub(super) struct Seat {
    pub(super) order: Order,
    /// HB domains that the ranks take.
    pub(super) domains: u32,
    /// What each ZeRO setting of the space makes of the stages.
    pub(super) stages: Vec<Vec<StageWork>>,
    grid: RankGrid,
    blocks: Seating,
    message_stages: Vec<usize>,
    /// Borders of domains cut all groups alike.
    pub(super) even: bool,
}

/// What follows from the degrees: the seats, and the stages without their times.
pub(super) struct Outer {
    pub(super) seats: Vec<Seat>,
    /// The first stage of each content, for the memory: later ones hold no more micro-batches.
    pub(super) held: Vec<Stage>,
}

/// All that the times of blocks follow from where tensor, context and expert degrees are equal.
type BlocksKey = (Seating, u64, bool, Recompute);

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

    pub(super) const fn clock(&self) -> Clock<'a> {
        self.clock
    }

    /// Forgets the times of blocks: what comes next has other degrees, and memory stays bounded.
    pub(super) fn forget(&mut self) {
        self.blocks.clear();
    }

    /// The stages of a layout in each of `orders` that seats its ranks differently, under each
    /// of `zeros`; `None` where it breaks a rule.
    pub(super) fn outer(&self, layout: &Layout, orders: &[Order], zeros: &[Zero]) -> Option<Outer> {
        let steps: Vec<Step> = zeros
            .iter()
            .map(|zero| self.step(&Layout { zero: *zero, ..layout.clone() }))
            .collect::<Option<_>>()?;
        let mut held: Vec<Stage> = Vec::new();
        for stage in &steps.first()?.stages {
            if !held.iter().any(|of| of.is_alike(stage)) {
                held.push(stage.clone());
            }
        }
        let mut seatings: Vec<Seating> = Vec::new();
        let mut seats = Vec::new();
        for order in orders {
            let ordered = Layout { order: *order, ..layout.clone() };
            let Some(grid) = RankGrid::new(&ordered) else { continue }; // experts do not nest
            let seating = Seating::new(self.question.network, &grid);
            if seatings.contains(&seating) {
                continue;
            }
            seats.push(self.seat(*order, grid, &seating, &steps));
            seatings.push(seating);
        }
        Some(Outer { seats, held })
    }

    fn seat(&self, order: Order, grid: RankGrid, seating: &Seating, steps: &[Step]) -> Seat {
        let seated: Vec<Step> =
            steps.iter().map(|step| Step { grid: grid.clone(), ..step.clone() }).collect();
        let message_stages =
            seated.first().map_or_else(Vec::new, |step| self.clock.message_stages(step));
        let stages = seated.iter().map(|step| self.clock.stages(step)).collect();
        let domains = seating.domains(grid.ranks());
        let (blocks, even) = (seating.of_blocks(), seating.is_even());
        Seat { order, domains, stages, grid, blocks, message_stages, even }
    }

    /// The step of a layout that recomputes nothing, for messages; `None` where it breaks a rule.
    pub(super) fn plain(&self, layout: &Layout) -> Option<Step> {
        self.step(&Layout { recompute: Recompute::None, ..layout.clone() })
    }

    /// A message of that step on a seat.
    pub(super) fn message(&self, step: &mut Step, seat: &Seat) -> Call {
        if step.layout.pipeline < 2 {
            return Call::default();
        }
        step.grid.clone_from(&seat.grid);
        self.clock.message(step, &seat.message_stages)
    }

    /// What the blocks of a layout keep in memory.
    pub(super) fn footprint(&self, layout: &Layout) -> Footprint {
        let recipe = self.recipe();
        Footprint::new(recipe.activations(layout), recipe.upkeep(layout), recipe.framework)
    }

    /// Times of the blocks of a layout on a seat; `None` where it breaks a rule.
    pub(super) fn blocks(&mut self, layout: &Layout, seat: &Seat) -> Option<&BlockTimes> {
        let Layout { micro_batch, sequence_parallel, recompute, .. } = *layout;
        let key = (seat.blocks.clone(), micro_batch, sequence_parallel, recompute);
        if !self.blocks.contains_key(&key) {
            let step = self.step(layout)?;
            let step = Step { grid: seat.grid.clone(), ..step };
            self.blocks.insert(key.clone(), self.clock.blocks(&step));
        }
        self.blocks.get(&key)
    }

    fn step(&self, layout: &Layout) -> Option<Step> {
        self.recipe().step(layout).ok()
    }

    /// What a step follows from.
    const fn recipe(&self) -> Recipe<'a> {
        let Question { model, training, framework, techniques, .. } = *self.question;
        Recipe { model, training, framework, techniques }
    }
}
