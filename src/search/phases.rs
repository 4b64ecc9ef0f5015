//! Phases of a run in a search; how good a layout has to be.

use std::cell::RefCell;

use super::ranking::{Question, RankedLayout, RankingRequest};
use super::space::{Space, divisors_up_to};
use crate::memory::memory_ledger;
use crate::parallel::{Layout, Order};
use crate::technique::{Phase, technique_schedule};
use crate::timing::{Clock, Seating};
use crate::units::{Bytes, ROUNDING, Seconds};

/// The phases of a run; none where it has one only.
pub(super) struct SearchPhases<'a> {
    question: &'a Question<'a>,
    phases: Vec<Phase>,
    /// The last step of each: layouts that differ in the schedule may be one in it.
    last: RefCell<Vec<Timed>>,
}

/// A layout of a phase, with the time of a step and memory of the fullest GPU; `None` where it
/// breaks a rule.
type Timed = Option<(Layout, Option<(Seconds, Bytes)>)>;

impl<'a> SearchPhases<'a> {
    /// Of what a layout is sought for. Where a model can't be made smaller no layout breaks no
    /// rule.
    pub(super) fn from_question(question: &'a Question<'a>) -> Self {
        let all = question.recipe().run_phases().unwrap_or_default();
        Self { question, last: RefCell::new(vec![None; all.len()]), phases: all }
    }

    /// Share of the steps that are those of the whole run.
    pub(super) fn full_model_share(&self) -> f64 {
        if self.phases.is_empty() {
            return 1.0;
        }
        self.phases.iter().filter(|phase| phase.is_whole).map(|phase| phase.share).sum()
    }

    /// The others.
    pub(super) fn other_phases(&self) -> impl Iterator<Item = &Phase> {
        self.phases.iter().filter(|phase| !phase.is_whole)
    }

    /// True where a layout breaks no rule in any of them, whatever its schedule.
    pub(super) fn is_legal_in_phases(&self, layout: &Layout) -> bool {
        let training = self.question.training;
        self.other_phases().all(|phase| {
            phase
                .phase_layout(layout)
                .is_some_and(|own| own.broken_rules(&phase.model, training).is_empty())
        })
    }

    /// True where its schedule breaks none.
    pub(super) fn schedules_are_legal(&self, layout: &Layout) -> bool {
        let training = self.question.training;
        self.other_phases().all(|phase| {
            let own = phase.phase_layout(layout);
            own.is_some_and(|own| own.schedule_problems(&phase.model, training).is_empty())
        })
    }

    /// Time of the run in a layout over the steps that it would have without phases, and memory of
    /// the fullest GPU, where a step of the whole run takes so much; `None` where the layout breaks
    /// a rule in one of them, or does not fit.
    pub(super) fn run_of(
        &self,
        layout: &Layout,
        whole: Seconds,
        memory: Bytes,
        clock: &Clock<'_>,
    ) -> Option<(Seconds, Bytes)> {
        if self.phases.is_empty() {
            return Some((whole, memory));
        }
        let (mut pace, mut fullest) = (whole * self.full_model_share(), memory);
        let mut last = self.last.borrow_mut();
        for (phase, last) in
            self.phases.iter().zip(last.iter_mut()).filter(|(phase, _)| !phase.is_whole)
        {
            let own = phase.phase_layout(layout)?;
            let known = last.as_ref().filter(|(known, _)| *known == own).map(|(_, timed)| *timed);
            let timed = known.unwrap_or_else(|| self.time_and_memory(phase, &own, clock));
            if known.is_none() {
                *last = Some((own, timed));
            }
            let (time, memory) = timed?;
            pace += time * phase.share;
            fullest = fullest.max(memory);
        }
        (fullest <= self.question.gpu.memory).then_some((pace, fullest))
    }

    fn time_and_memory(
        &self,
        phase: &Phase,
        own: &Layout,
        clock: &Clock<'_>,
    ) -> Option<(Seconds, Bytes)> {
        let recipe = self.question.recipe();
        let step = phase.phase_recipe(&recipe).heaviest_step(own).ok()?;
        Some((
            clock.time_step(&step).total_time(),
            memory_ledger(recipe.framework, &step).total_on_gpu(),
        ))
    }
}

/// What a step of a phase follows from, and its layouts where the whole run has those of a space.
pub(super) fn question_of_phase<'q>(
    phase: &'q Phase,
    question: &Question<'q>,
    space: &Space,
) -> (Question<'q>, Space) {
    let gpus = phase.gpus.unwrap_or(question.gpus);
    // However many replicas share a copy: with fewer of them it may be fewer.
    let mut space = Space { shard: None, ..space.clone() };
    if gpus != question.gpus {
        space.data = divisors_up_to(u64::from(gpus), u64::from(gpus));
    }
    if let Some(schedule) = technique_schedule(&phase.techniques) {
        (space.schedule, space.interleave) = (vec![schedule], vec![1]);
    }
    let (model, techniques, longest_step) = (&phase.model, &phase.techniques, Seconds::ENDLESS);
    (Question { model, techniques, gpus, longest_step, ..*question }, space)
}

/// What no pace is shorter than where a step of the whole run takes so long at least: its share of
/// the steps, and the least of the other phases.
#[derive(Clone, Copy)]
pub(super) struct LeastPace {
    pub(super) run_share: f64,
    pub(super) rest: Seconds,
}

impl LeastPace {
    /// Where nothing is known of the other phases.
    pub(super) fn without_other_phases(phases: &SearchPhases<'_>) -> Self {
        Self { run_share: phases.full_model_share(), rest: Seconds::ZERO }
    }

    pub(super) fn pace_bound(self, step: Seconds) -> Seconds {
        if step.is_endless() { step } else { step * self.run_share + self.rest }
    }
}

/// What none of the wanted layouts is worse than, by what they are ranked by: as many of those that
/// another machine runs best are no worse on this one. Endless where they are too few.
#[must_use]
pub fn score_upper_bound(
    question: &Question<'_>,
    space: &Space,
    wanted: RankingRequest,
    like: &[RankedLayout],
) -> Seconds {
    let Question { framework, gpu, network, .. } = *question;
    let recipe = question.recipe();
    let clock = Clock::new(gpu, network, framework);
    let phases = SearchPhases::from_question(question);
    // Orders that seat all ranks alike are one layout.
    let mut known: Vec<(Layout, Seating)> = Vec::new();
    let mut scores = Vec::new();
    for layout in like
        .iter()
        .map(|ranked_layout| &ranked_layout.layout)
        .filter(|layout| space.has_layout(layout))
    {
        let Ok(step) = recipe.heaviest_step(layout) else { continue };
        let seating = Seating::new(network, &step.grid);
        let domains = seating.domains_for_ranks(step.grid.ranks());
        let same = (Layout { order: Order::DP_INSIDE_PP, ..layout.clone() }, seating);
        let memory = memory_ledger(framework, &step).total_on_gpu();
        if known.contains(&same) || memory > gpu.memory {
            continue;
        }
        known.push(same);
        let time = clock.time_step(&step).total_time();
        if time > question.longest_step {
            continue;
        }
        let Some((pace, _)) = phases.run_of(layout, time, memory, &clock) else { continue };
        scores.push(wanted.by.score(pace * (1.0 + ROUNDING), domains));
    }
    scores.sort_by(Seconds::total_cmp);
    scores.get(wanted.top.saturating_sub(1)).copied().unwrap_or(Seconds::ENDLESS)
}
