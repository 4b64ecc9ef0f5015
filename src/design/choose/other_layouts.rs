//! Sizes the layouts that may be better than the fastest one, and routes the best of them.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use super::layout_bounds::{IDS, LayoutBound, LayoutBounds, layouts_below_bound, pin_layouts};
use super::objectives_in_turn::{ObjectiveResult, choose_routed};
use crate::design::candidate::candidates::{Candidate, ListingRun, list_candidates_on_machines};
use crate::design::candidate::layouts::{
    has_open_layouts, max_layouts_sized, needs_one_layout_per_workload,
};
use crate::design::columns::terms::Terms;
use crate::design::effort;
use crate::design::job::job::Job;
use crate::design::job::machine::Machine;
use crate::design::network::candidate_sizing::SizedCandidate;
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::{SizedFabric, is_preferred};
use crate::design::plan::proof::LayoutsProven;
use crate::parallel::Layout;
use crate::scenario::Scenario;
use crate::sizing::{DesignProgress, ProofMeans};
use crate::units::ROUNDING;

/// The best of all layouts that are open, where `first` is the best with the fastest on each
/// machine: its candidates, what is chosen of them, and how far that is proven. `None` where
/// nothing is open, and on so many GPUs of uneven domains that none would be sized: there the
/// fastest layouts stay. Rivals are layouts of the leading workload: of the others all are part of
/// each job.
pub(crate) fn choose_layout_and_network<'a, 't>(
    scenario: &'a Scenario,
    all: Vec<Candidate<'a>>,
    first: ObjectiveResult<'a, 't>,
    terms: Terms<'t>,
    tools: &mut SizingTools<'_>,
) -> (Vec<Candidate<'a>>, ObjectiveResult<'a, 't>, Option<LayoutsProven>) {
    let most = max_layouts_sized(scenario, all.iter().map(|candidate| candidate.job.machine));
    if !has_open_layouts(scenario) || most == 0 {
        return (all, first, None);
    }
    if !scenario.objective.then.is_empty() {
        return choose_layout_for_each_objective(scenario, all, first, most, terms, tools);
    }
    let rivals = layouts_below_bound(scenario, &all, first.incumbent_value(), &terms, tools);
    let unlisted = rivals.least_bound_of_unlisted();
    let LayoutBounds { all: rivals, mut proven, .. } = rivals;
    let mut open: Vec<(usize, LayoutBound)> = rivals.into_iter().enumerate().collect();
    let chosen_first = first.incumbent.best_entry().place;
    let counted = open.len().min(effort::LAYOUTS_LISTED) as u64;
    let mut weighing = LayoutSizing {
        scenario,
        candidates: &all,
        chosen_first,
        max_sized: most,
        terms,
        counted,
        seen: BTreeSet::new(),
    };
    // The best of all layouts that were routed, where that is not the first.
    let mut held: Option<(Vec<Candidate<'a>>, ObjectiveResult<'a, 't>)> = None;
    // What those may take that were routed, found slower than they were timed, and left.
    let mut left = f64::INFINITY;
    let mut pass = 0;
    let floor = loop {
        let known = held.as_ref().map_or(&first, |(_, last)| last);
        let LayoutChoice { best, floor } =
            weighing.best_rival_layout(&open, known, pass, left.min(unlisted), tools);
        let Some((place, timed)) = best else { break floor };
        let (number, rival) = open.remove(place);
        let first_job = first_job_id_of_layout(pass, 2 * effort::LAYOUTS_LISTED + number);
        let run = ListingRun::new(first_job, tools.options.threads);
        let pinned = pin_layouts(&all[rival.place], &rival.layouts);
        let machines = each_machine(&all);
        let (mut own, failed) =
            list_candidates_on_machines(scenario, &machines, Some(&pinned), run);
        if tools.is_stopped() {
            own.retain(|candidate| candidate.is_alike(&all[rival.place]));
        }
        let found = choose_routed(&own, failed, terms, tools).ok();
        let better = |result: &ObjectiveResult<'_, '_>| {
            is_preferred(&result.incumbent.best_entry().sized, &known.incumbent.best_entry().sized)
        };
        let mut is_as_timed = false;
        if let Some(other) = found.filter(better) {
            // What the one before might have taken on other networks is left open.
            left = left.min(known.incumbent.certificate.bound);
            is_as_timed = other.incumbent_value() <= timed.value * (1.0 + ROUNDING);
            held = Some((own, other));
        }
        pass += 1;
        if is_as_timed || pass >= effort::LAYOUTS_ROUTED || tools.is_stopped() {
            break floor.min(left);
        }
        // Levels stand for all fabrics that have them: of another one the layout may take what it
        // was timed to.
        left = left.min(timed.bound);
    };
    proven.sized += weighing.seen.len() as u64;
    let (all, last) = held.unwrap_or((all, first));
    let value = last.incumbent_value();
    if floor < value * (1.0 - ROUNDING) {
        proven.gap = 1.0 - floor / value;
    }
    (all, last, Some(proven))
}

/// Rivals that are sized beside the fastest layouts.
struct LayoutSizing<'w, 'a, 't> {
    scenario: &'a Scenario,
    /// Candidates with the fastest layouts, and the place of the one that was chosen.
    candidates: &'w [Candidate<'a>],
    chosen_first: usize,
    max_sized: usize,
    terms: Terms<'t>,
    /// Rivals that are looked at.
    counted: u64,
    /// Numbers of those that were sized.
    seen: BTreeSet<usize>,
}

/// Identities of the jobs of a layout by its number, in each pass: no two layouts have the same.
const fn first_job_id_of_layout(pass: usize, number: usize) -> usize {
    (pass * 4 * effort::LAYOUTS_LISTED + number) * IDS
}

/// What became of rivals.
struct LayoutChoice {
    /// Place of the best one, as the clock has it, where it is better than what is known; with its
    /// fabric.
    best: Option<(usize, SizedFabric)>,
    /// What no other one takes less of.
    floor: f64,
}

impl<'a> LayoutSizing<'_, 'a, '_> {
    /// The best of the rivals that are left, each with its number, beside what is known; what is
    /// not among them takes no less than `left`.
    fn best_rival_layout(
        &mut self,
        rivals: &[(usize, LayoutBound)],
        known: &ObjectiveResult<'a, '_>,
        pass: usize,
        left: f64,
        tools: &mut SizingTools<'_>,
    ) -> LayoutChoice {
        let Self {
            scenario, candidates: all, chosen_first, max_sized: most, terms, counted, ..
        } = *self;
        let proven_of_known = known.incumbent.certificate.bound;
        let (mut best, mut held) = (None, known.incumbent.best_entry().sized.clone());
        let mut floor = left;
        // By place the least that a rival takes which comes no earlier.
        let mut floors: Vec<f64> =
            rivals.iter().map(|(_, layout_bound)| layout_bound.floor).collect();
        for place in (1..floors.len()).rev() {
            floors[place - 1] = floors[place - 1].min(floors[place]);
        }
        let mut sized = 0;
        for (place, (number, rival)) in rivals.iter().enumerate() {
            let may_win = |least: f64| least < held.value * (1.0 - ROUNDING);
            if !may_win(rival.floor) {
                continue;
            }
            if tools.is_stopped() {
                floor = floor.min(floors[place]);
                break;
            }
            if sized >= most || *number >= effort::LAYOUTS_LISTED {
                floor = floor.min(rival.floor);
                continue;
            }
            let on = &all[rival.place];
            let first_job = first_job_id_of_layout(pass, number + 1);
            let run = ListingRun::new(first_job, NonZeroUsize::MIN);
            let pinned = pin_layouts(on, &rival.layouts);
            let (own, _) =
                list_candidates_on_machines(scenario, &[on.job.machine], Some(&pinned), run);
            // Each is on its own number of GPUs of a domain, and takes more than is known of all of
            // them.
            let alike = own.iter().filter(|other_candidate| {
                other_candidate.is_alike(on) && may_win(other_candidate.lower_bound(&terms))
            });
            let alike: Vec<&Candidate<'_>> = alike.collect();
            sized += usize::from(!alike.is_empty());
            self.seen.extend((!alike.is_empty()).then_some(*number));
            let mut own_floor = f64::INFINITY;
            for candidate in alike {
                match candidate.size_network(&terms.with_value_limit(held.value), tools) {
                    Ok(sized) => {
                        own_floor = own_floor.min(sized.bound);
                        // Of layouts that take as much the one with more bisection, then the
                        // shorter step.
                        if is_preferred(&sized, &held) {
                            held = sized;
                            best = Some(place);
                        }
                    }
                    Err(reason) if reason.is_unknown() => own_floor = own_floor.min(rival.floor),
                    Err(_) => {}
                }
            }
            floor = floor.min(own_floor);
            tools.report_design_progress(|| {
                let next = floors.get(place + 1).map_or(f64::INFINITY, |next| *next);
                let bound = floor.min(proven_of_known).min(next);
                let on = best.map_or(chosen_first, |best: usize| rivals[best].1.place);
                let best = Some(all[on].best_so_far(terms.minimize, held.value, bound));
                let done = (*number as u64 + 1).min(counted);
                DesignProgress { through: ProofMeans::Layouts, done, all: counted, best }
            });
        }
        LayoutChoice { best: best.map(|place| (place, held)), floor }
    }
}

/// What is chosen where no network does for the fastest layouts: with another one that has a design
/// within the limits, of those that may take least; its candidates and what is chosen of them.
/// `None` where none is found.
pub(crate) fn choose_among_layouts<'a, 't>(
    scenario: &'a Scenario,
    all: &[Candidate<'a>],
    terms: Terms<'t>,
    tools: &mut SizingTools<'_>,
) -> Option<(Vec<Candidate<'a>>, ObjectiveResult<'a, 't>)> {
    let most = max_layouts_sized(scenario, all.iter().map(|candidate| candidate.job.machine));
    if !has_open_layouts(scenario) {
        return None;
    }
    let machines = each_machine(all);
    let open = layouts_below_bound(scenario, all, f64::INFINITY, &terms, tools).all;
    for (number, rival) in open.iter().take(most).enumerate() {
        if tools.is_stopped() {
            return None;
        }
        let on = &all[rival.place];
        let pinned = pin_layouts(on, &rival.layouts);
        // No layout that is looked at later has these.
        let first_job = (effort::LAYOUTS_LISTED + 2 + number) * IDS;
        let run = ListingRun::new(first_job, tools.options.threads);
        let (own, _) = list_candidates_on_machines(scenario, &machines, Some(&pinned), run);
        let mut alike = own.iter().filter(|candidate| candidate.is_alike(on));
        if alike.any(|candidate| candidate.size_network(&terms, tools).is_ok())
            && let Ok(last) = choose_routed(&own, None, terms, tools)
        {
            return Some((own, last));
        }
    }
    None
}

/// The machines of candidates, of which those of one stand together.
fn each_machine<'a>(all: &[Candidate<'a>]) -> Vec<Machine<'a>> {
    let mut machines: Vec<Machine<'a>> =
        all.iter().map(|candidate| candidate.job.machine).collect();
    machines.dedup();
    machines
}

/// The best of all layouts that are open, where `first` is the best with the fastest on each
/// machine; with no more than `most` layouts sized beside the fastest ones.
fn choose_layout_for_each_objective<'a, 't>(
    scenario: &'a Scenario,
    all: Vec<Candidate<'a>>,
    first: ObjectiveResult<'a, 't>,
    most: usize,
    terms: Terms<'t>,
    tools: &mut SizingTools<'_>,
) -> (Vec<Candidate<'a>>, ObjectiveResult<'a, 't>, Option<LayoutsProven>) {
    // What takes as much as the cap of the first quantity is within it.
    let share = (1.0 + scenario.objective.tolerance) * (1.0 + 3.0 * ROUNDING);
    let Some((_, least)) =
        first.least_values.first().filter(|(quantity, _)| *quantity == terms.minimize)
    else {
        return (all, first, None); // one fabric was left by routing, and chosen for the last quantity alone
    };
    let mut open = layouts_below_bound(scenario, &all, *least * share, &terms, tools);
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
        let run = ListingRun::new((number + 1) * IDS, NonZeroUsize::MIN);
        let (own, _) = list_candidates_on_machines(scenario, &[on.job.machine], Some(&pinned), run);
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
    open.all.drain(..left);
    proven.gap = open.saving_left(scenario, &many, &last, &terms, tools);
    (all, last, Some(proven))
}

impl LayoutBounds {
    /// What these layouts, which were not sized, could save of a quantity at most, as a share of
    /// what is chosen: of those that may be within the tolerance of the first one.
    fn saving_left(
        &self,
        scenario: &Scenario,
        all: &[Candidate<'_>],
        last: &ObjectiveResult<'_, '_>,
        terms: &Terms<'_>,
        tools: &mut SizingTools<'_>,
    ) -> f64 {
        let mut gap: f64 = 0.0;
        for (quantity, taken) in &last.least_values {
            let terms = Terms { minimize: *quantity, ..*terms };
            let bounds = layouts_below_bound(scenario, all, *taken, &terms, tools);
            let same = |bound: &&LayoutBound| {
                let alike = |known: &LayoutBound| {
                    known.place == bound.place && known.layouts == bound.layouts
                };
                self.all.iter().any(alike)
            };
            let unlisted =
                |(_, place): &&(f64, usize)| self.unlisted.iter().any(|pair| pair.1 == *place);
            let floors = bounds.all.iter().filter(same).map(|bound| bound.floor);
            let floors = floors.chain(bounds.unlisted.iter().filter(unlisted).map(|pair| pair.0));
            gap = floors.map(|floor| 1.0 - floor / taken).fold(gap, f64::max);
        }
        gap
    }
}

/// The candidates of a scenario with the chosen layout where it runs, and what is chosen among
/// them.
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
        let run = ListingRun::new(usize::MAX / 2, NonZeroUsize::MIN);
        list_candidates_on_machines(scenario, &machines, Some(&pinned), run).0
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
