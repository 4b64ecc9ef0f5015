//! Designs that were sized, routed one by one: which of them is the best where the choice ends before it is
//! finished. Sizes and proves nothing.

use super::rounds::RoutingRound;
use super::verify::correct_clock_by_routing;
use crate::design::candidate::job::Job;
use crate::design::fabric::entries::SizedCandidate;
use crate::design::fabric::instance::SizingTools;
use crate::design::fabric::sized::is_preferred;
use crate::design::fabric::terms::{Demand, Terms};

/// The best of some designs whose step, routed over their fabric, is as short as the terms ask, by the
/// time that it takes there; `None` where there is none. Their jobs are numbered from `first`.
pub(super) fn best_routed_so_far<'a>(
    mut designs: Vec<SizedCandidate<'a>>,
    first: usize,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<SizedCandidate<'a>> {
    designs.sort_by(|a, b| a.sized.value.total_cmp(&b.sized.value));
    let mut best: Option<SizedCandidate<'a>> = None;
    for (id, design) in (first..).zip(designs) {
        // Routing only ever adds to what a design takes.
        if best.as_ref().is_some_and(|best| design.sized.value > best.sized.value) {
            break;
        }
        if let Some(design) = design_at_routed_step_time(design, id, terms, tools)
            && best.as_ref().is_none_or(|best| is_preferred(&design.sized, &best.sized))
        {
            best = Some(design);
        }
    }
    best
}

/// A design with the step that routing gives; `None` where that is too long. Its job knows what routing
/// found of that very fabric and of no other.
fn design_at_routed_step_time<'a>(
    SizedCandidate { place, job, sized }: SizedCandidate<'a>,
    id: usize,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<SizedCandidate<'a>> {
    let timed_by_others = job.is_strained(sized.level);
    let job = Job { id, ..job.without_routing_corrections() };
    // Where orders compete, what one is found to take may bring another to the fore.
    let mut tries = 0..=job.others.iter().map(Vec::len).sum::<usize>() + 1;
    let settled = tries.any(|_| {
        !correct_clock_by_routing(&job, sized.level, &sized.blueprint, RoutingRound::default())
    });
    if !timed_by_others && !job.is_strained(sized.level) {
        return Some(SizedCandidate { place, job, sized });
    }
    let paces = job.step_times(sized.level);
    if !settled || !Demand::from_terms(&job, terms).are_fast_enough(&paces) {
        return None;
    }
    let sized =
        sized.with_step_time(terms.minimize, &job, job.blend_step_times(&paces), &mut tools.cache);
    Some(SizedCandidate { place, job, sized })
}
