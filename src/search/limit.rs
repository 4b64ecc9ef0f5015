//! How good a layout has to be to be of use, from the best layouts of another machine. Looks for none.

use super::phases::SearchPhases;
use super::question::Question;
use super::ranking::{RankedLayout, RankingRequest};
use super::space::Space;
use crate::memory::memory_ledger;
use crate::parallel::{Layout, Order};
use crate::timing::{Clock, Seating};
use crate::units::Seconds;

/// Relative rounding of times that are added up in another order.
const ROUNDING: f64 = 1e-9;

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
        let Some((pace, _)) = phases.run_of(layout, (time, memory), &clock) else { continue };
        scores.push(wanted.by.score(pace * (1.0 + ROUNDING), domains));
    }
    scores.sort_by(Seconds::total_cmp);
    scores.get(wanted.top.saturating_sub(1)).copied().unwrap_or(Seconds::ENDLESS)
}
