//! Designs to fall back on: the best fabric of each oversubscription, and the best so far when
//! stopped.

use crate::design::assemble::routing_check::{RoutingRound, correct_clock_by_routing};
use crate::design::candidate::candidates::{Candidate, sort_by_lower_bound};
use crate::design::columns::binary_search::first_that_holds_near;
use crate::design::columns::terms::Terms;
use crate::design::effort;
use crate::design::job::job::Job;
use crate::design::network::candidate_sizing::SizedCandidate;
use crate::design::network::cheapest_network::cheapest_at_ratio;
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::{SizedFabric, is_preferred};
use crate::fabric::Ratio;
use crate::scenario::FabricChoice;

/// Downlinks per uplink that are looked at, at most.
const MOST_OVERSUBSCRIBED: u32 = 999;

/// The best of the cheapest fabrics of each family and each whole ratio whose step, routed over
/// that very fabric, is as short as the terms ask; `None` where there is none. Its job knows what
/// routing found of that fabric and of no other.
pub(super) fn best_routed_by_oversubscription<'a>(
    all: &[Candidate<'a>],
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<SizedCandidate<'a>> {
    // Several quantities are chosen among all fabrics of a level, which this is not.
    if all.iter().any(|other_candidate| !other_candidate.job.scenario.objective.then.is_empty()) {
        return None;
    }
    let most_routed = tools.interfaces_routed + effort::FALLBACK_INTERFACES;
    // Above those of all candidates, as what is known of a job is kept by its number.
    let known = all.iter().map(|other_candidate| other_candidate.job.id).max().unwrap_or(0);
    let order = sort_by_lower_bound(all, 0..all.len(), terms.minimize);
    let mut best: Option<SizedCandidate<'a>> = None;
    for (least, place) in order.into_iter().take(effort::FALLBACK_CANDIDATES) {
        let candidate = &all[place];
        let hopeless = best.as_ref().is_some_and(|best| least >= best.sized.value);
        if hopeless || candidate.job.endpoints() > effort::INTERFACES_ROUTED {
            continue;
        }
        for family in oversubscribable_families(terms.fabric) {
            let terms = Terms { fabric: *family, protocol: candidate.protocol, ..*terms };
            let id = known + 1 + place;
            let routing = FallbackRouting { id, most_routed };
            for (job, sized) in fast_fabrics_by_ratio(candidate, &terms, tools, routing) {
                if best.as_ref().is_none_or(|best| is_preferred(&sized, &best.sized)) {
                    best = Some(SizedCandidate { place, job, sized });
                }
            }
        }
    }
    best
}

/// Families whose fabrics may be oversubscribed.
const fn oversubscribable_families(choice: FabricChoice) -> &'static [FabricChoice] {
    match choice {
        FabricChoice::Auto | FabricChoice::Any => {
            &[FabricChoice::RailOnly, FabricChoice::RailOptimized, FabricChoice::Clos]
        }
        FabricChoice::RailOnly => &[FabricChoice::RailOnly],
        FabricChoice::RailOptimized => &[FabricChoice::RailOptimized],
        // Asked for by name it never blocks, so that no correction was needed.
        FabricChoice::Clos => &[],
        // Each was timed by routing it.
        FabricChoice::TaperedClos | FabricChoice::ZCube | FabricChoice::Dragonfly => &[],
    }
}

/// How the fabrics of a candidate are routed.
#[derive(Clone, Copy)]
struct FallbackRouting {
    /// Number of their jobs.
    id: usize,
    /// Interfaces that are routed by the end, with all that were before.
    most_routed: u64,
}

/// The fabrics of a family that are fast enough, on the way to the highest ratio that is: steps get
/// longer with it.
fn fast_fabrics_by_ratio<'a>(
    candidate: &Candidate<'a>,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
    routing: FallbackRouting,
) -> Vec<(Job<'a>, SizedFabric)> {
    let mut found = Vec::new();
    first_that_holds_near(1, MOST_OVERSUBSCRIBED, |down| {
        let share = Ratio::new(1, down);
        let fast = share
            .and_then(|share| cheapest_routed_at_ratio(candidate, share, terms, tools, routing));
        let too_slow = fast.is_none();
        found.extend(fast);
        too_slow
    });
    found
}

/// The cheapest fabric that keeps a share, with the step that routing gives; `None` where there is
/// none or its step is too long.
fn cheapest_routed_at_ratio<'a>(
    candidate: &Candidate<'a>,
    share: Ratio,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
    routing: FallbackRouting,
) -> Option<(Job<'a>, SizedFabric)> {
    tools.interfaces_routed += candidate.job.endpoints();
    if tools.interfaces_routed > routing.most_routed {
        return None;
    }
    let sized = cheapest_at_ratio(&candidate.job, candidate.planes, share, terms, tools)?;
    let job = Job { id: routing.id, ..candidate.job.without_routing_corrections() };
    // Where orders compete, what one is found to take may bring another to the fore.
    let mut tries = 0..=job.possible_runs().count();
    let settled = tries.any(|_| {
        !correct_clock_by_routing(&job, sized.level, &sized.blueprint, RoutingRound::default())
    });
    let paces = job.step_times(sized.level);
    let sized =
        sized.with_step_time(terms.minimize, &job, job.blend_step_times(&paces), &mut tools.cache);
    (settled && sized.is_fast_enough(&job, terms, &mut tools.cache)).then_some((job, sized))
}

/// The best of some designs whose step, routed over their fabric, is as short as the terms ask, by
/// the time that it takes there; `None` where there is none. Their jobs are numbered from `first`.
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

/// A design with the step that routing gives; `None` where that is too long. Its job knows what
/// routing found of that very fabric and of no other.
fn design_at_routed_step_time<'a>(
    SizedCandidate { place, job, sized }: SizedCandidate<'a>,
    id: usize,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<SizedCandidate<'a>> {
    let timed_by_others = job.is_strained(sized.level);
    let job = Job { id, ..job.without_routing_corrections() };
    // Where orders compete, what one is found to take may bring another to the fore.
    let mut tries = 0..=job.possible_runs().count();
    let settled = tries.any(|_| {
        !correct_clock_by_routing(&job, sized.level, &sized.blueprint, RoutingRound::default())
    });
    if !timed_by_others && !job.is_strained(sized.level) {
        return Some(SizedCandidate { place, job, sized });
    }
    let paces = job.step_times(sized.level);
    let sized =
        sized.with_step_time(terms.minimize, &job, job.blend_step_times(&paces), &mut tools.cache);
    let fast = settled && sized.is_fast_enough(&job, terms, &mut tools.cache);
    fast.then_some(SizedCandidate { place, job, sized })
}
