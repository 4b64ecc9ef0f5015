//! Layouts beside the fastest one where quantities are minimised one after another: each that may be within the
//! tolerance of the first quantity is a candidate beside the fastest one.

use std::num::NonZeroUsize;

use super::layouts_proven::LayoutsProven;
use super::lexicographic::{ObjectiveResult, choose_routed};
use super::rivals::{IDS, LayoutBound, LayoutBounds, ROUNDING, layouts_below_bound, pin_layouts};
use crate::design::candidate::job::Job;
use crate::design::candidate::layouts::needs_one_layout_per_workload;
use crate::design::candidate::list::{Candidate, list_candidates_on_machines};
use crate::design::candidate::machine::Machine;
use crate::design::fabric::entries::SizedCandidate;
use crate::design::fabric::instance::SizingTools;
use crate::design::fabric::terms::Terms;
use crate::parallel::Layout;
use crate::scenario::Scenario;

/// The best of all layouts that are open, where `first` is the best with the fastest on each machine; with no more than `most` layouts sized beside the fastest ones.
pub(super) fn choose_layout_for_each_objective<'a, 't>(
    scenario: &'a Scenario,
    all: Vec<Candidate<'a>>,
    first: ObjectiveResult<'a, 't>,
    most: usize,
    (terms, tools): (Terms<'t>, &mut SizingTools<'_>),
) -> (Vec<Candidate<'a>>, ObjectiveResult<'a, 't>, Option<LayoutsProven>) {
    // What takes as much as the cap of the first quantity is within it.
    let share = (1.0 + scenario.objective.tolerance) * (1.0 + 3.0 * ROUNDING);
    let Some((_, least)) = first.least.first().filter(|(quantity, _)| *quantity == terms.minimize)
    else {
        return (all, first, None); // one fabric was left by routing, and chosen for the last quantity alone
    };
    let open = layouts_below_bound(scenario, &all, *least * share, &terms, tools);
    let mut proven = open.proven;
    let mut beside: Vec<Candidate<'a>> = Vec::new();
    let mut left = 0;
    for (number, rival) in open.all.iter().enumerate() {
        if number >= most || tools.is_stopped() {
            left = number;
            break;
        }
        left = number + 1;
        let on = &all[rival.place];
        let pinned = pin_layouts(on, &rival.layouts);
        let numbered = ((number + 1) * IDS, NonZeroUsize::MIN);
        let (own, _) = list_candidates_on_machines(
            scenario,
            &[on.job.machine],
            Some(&pinned),
            (numbered, &|| false),
        );
        beside.extend(own.into_iter().filter(|candidate| candidate.is_alike(on)));
        proven.sized += 1;
    }
    if beside.is_empty() && open.unlisted.is_empty() {
        return (all, first, Some(proven));
    }
    let many = [all.clone(), beside].concat();
    let (all, last) = match choose_routed(&many, None, terms, tools) {
        Ok(last) => with_its_layout(scenario, all, last),
        Err(_) => (all, first),
    };
    proven.gap = unsized_layouts_gap(scenario, &many, &last, (&open, left, &terms), tools);
    (all, last, Some(proven))
}

/// What layouts that were not sized could save of a quantity at most, as a share of what is chosen: of those that
/// may be within the tolerance of the first one.
fn unsized_layouts_gap(
    scenario: &Scenario,
    all: &[Candidate<'_>],
    last: &ObjectiveResult<'_, '_>,
    (open, left, terms): (&LayoutBounds, usize, &Terms<'_>),
    tools: &mut SizingTools<'_>,
) -> f64 {
    let unsized_ones = &open.all[left..];
    let mut gap: f64 = 0.0;
    for (quantity, taken) in &last.least {
        let terms = Terms { minimize: *quantity, ..*terms };
        let bounds = layouts_below_bound(scenario, all, *taken, &terms, tools);
        let same = |bound: &&LayoutBound| {
            let alike =
                |known: &LayoutBound| known.place == bound.place && known.layouts == bound.layouts;
            unsized_ones.iter().any(alike)
        };
        let unlisted =
            |(_, place): &&(f64, usize)| open.unlisted.iter().any(|pair| pair.1 == *place);
        let floors = bounds.all.iter().filter(same).map(|bound| bound.floor);
        let floors = floors.chain(bounds.unlisted.iter().filter(unlisted).map(|pair| pair.0));
        gap = floors.map(|floor| 1.0 - floor / taken).fold(gap, f64::max);
    }
    gap
}

/// The candidates of a scenario with the chosen layout where it runs, and what is chosen among them.
fn with_its_layout<'a, 't>(
    scenario: &'a Scenario,
    all: Vec<Candidate<'a>>,
    mut last: ObjectiveResult<'a, 't>,
) -> (Vec<Candidate<'a>>, ObjectiveResult<'a, 't>) {
    let best = last.incumbent.best;
    let job = &last.incumbent.entries[best].job;
    let in_place = all.iter().any(|candidate| candidate.job.id == job.id);
    let mut own = if in_place {
        all
    } else {
        let layouts = pinned_of(scenario, job);
        let on = all.iter().find(|candidate| candidate.job.machine == job.machine);
        let Some(on) = on else { return (all, last) };
        let pinned = pin_layouts(on, &layouts);
        let mut machines: Vec<Machine<'a>> =
            all.iter().map(|candidate| candidate.job.machine).collect();
        machines.dedup();
        let numbered = (usize::MAX / 2, NonZeroUsize::MIN);
        list_candidates_on_machines(scenario, &machines, Some(&pinned), (numbered, &|| false)).0
    };
    let is_own = |candidate: &Candidate<'_>, entry: &SizedCandidate<'_>| {
        let (one, other) = (&candidate.job, &entry.job);
        (one.machine, candidate.planes, candidate.protocol)
            == (other.machine, entry.sized.planes, entry.sized.protocol)
            && one.standby == other.standby
            && one.possible_runs().count() == other.possible_runs().count()
            && one
                .possible_runs()
                .zip(other.possible_runs())
                .all(|(one, other)| one.is_alike(other))
    };
    let mut entries = Vec::new();
    let mut place_of_best = 0;
    for (number, entry) in last.incumbent.entries.into_iter().enumerate() {
        let Some(place) = own.iter().position(|candidate| is_own(candidate, &entry)) else {
            continue;
        };
        if number == best {
            place_of_best = entries.len();
        }
        own[place].job = entry.job.clone();
        entries.push(SizedCandidate { place, ..entry });
    }
    last.incumbent.entries = entries;
    last.incumbent.best = place_of_best;
    (own, last)
}

/// The layouts of a job that others beside it may have in its place.
fn pinned_of(scenario: &Scenario, job: &Job<'_>) -> Vec<Layout> {
    let count = if needs_one_layout_per_workload(scenario) { 1 + scenario.others.len() } else { 1 };
    job.one_run_per_workload().take(count).map(|run| run.layout().clone()).collect()
}
