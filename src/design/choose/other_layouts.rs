//! Sizes the layouts that may be better than the fastest one, and routes the best of them.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use super::layout_bounds::{IDS, LayoutBound, LayoutBounds, layouts_below_bound, pin_layouts};
use super::objectives_in_turn::{ObjectiveResult, choose_routed};
use crate::design::candidate::candidates::{Candidate, ListingRun, list_candidates_on_machines};
use crate::design::candidate::layouts::{has_open_layouts, max_layouts_sized};
use crate::design::candidate::product_listing::with_copied_factors;
use crate::design::columns::terms::Terms;
use crate::design::effort;
use crate::design::job::machine::Machine;
use crate::design::network::candidate_sizing::SizedCandidate;
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::is_preferred;
use crate::design::plan::proof::LayoutsProven;
use crate::scenario::Scenario;
use crate::search::map_on_threads;
use crate::sizing::Options;
use crate::units::ROUNDING;

/// The best of all layouts that are open, where `first` is the best with the fastest on each
/// machine: its candidates, what is chosen of them, and how far that is proven. `None` where
/// nothing is open, and on so many GPUs of uneven domains that none would be sized: there the
/// fastest layouts stay. Layouts that bounds do not rule out are candidates like any other, beside
/// those of the fastest layouts. They are layouts of the leading workload: of the others all are
/// part of each job.
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
    let is_single = scenario.objective.then.is_empty();
    // What takes as much as the cap of the first quantity is within it.
    let share =
        if is_single { 1.0 } else { (1.0 + scenario.objective.tolerance) * (1.0 + 3.0 * ROUNDING) };
    let Some((_, least)) =
        first.least_values.first().filter(|(quantity, _)| *quantity == terms.minimize)
    else {
        return (all, first, None); // one fabric was left by routing, and chosen for the last quantity alone
    };
    let limit = *least * share;
    let mut open = layouts_below_bound(scenario, &all, limit, &terms, tools);
    let mut proven = open.proven;
    let mut rivals = list_rival_layouts(&all, &open.all, most, tools.options);
    // Of several quantities a later one may be less on what takes more of the first.
    let may_win = |candidate: &Candidate<'_>| !is_single || candidate.lower_bound(&terms) < limit;
    let beside: Vec<RivalPlace> = rivals
        .iter()
        .enumerate()
        .flat_map(|(number, rival)| {
            rival.alike_places(&all).into_iter().map(move |place| RivalPlace { number, place })
        })
        .filter(|rival| may_win(&rivals[rival.number].candidates[rival.place]))
        .collect();
    proven.sized += beside.iter().map(|rival| rival.number).collect::<BTreeSet<_>>().len() as u64;
    let beside_candidates =
        beside.iter().map(|rival| &rivals[rival.number].candidates[rival.place]);
    // What is chosen first stays as it was timed, whatever routing finds from here on.
    let many = with_copied_factors(all.iter().chain(beside_candidates));
    let found =
        if beside.is_empty() { None } else { choose_routed(&many, None, terms, tools).ok() };
    // Routing may leave less of more candidates, and a choice that was ended most of them.
    let is_better = |last: &ObjectiveResult<'_, '_>| {
        let [one, other] = [&first, last].map(|result| &result.incumbent.best_entry().sized);
        if is_single { !is_preferred(one, other) } else { !tools.is_stopped() }
    };
    // Of layouts that were sized the certificate tells, where it is that of a finished choice.
    if beside.is_empty() || (found.is_some() && (is_single || !tools.is_stopped())) {
        open.all.drain(..rivals.len());
    }
    let (last, is_first) = match found {
        // The first one may be as good on a network that nobody looked at.
        Some(last) if is_better(&last) && is_single => {
            let floor = first.incumbent.certificate.bound;
            (last.with_lower_bound(floor, &many), false)
        }
        Some(mut last) if is_better(&last) => {
            if !first.incumbent.certificate.is_optimal() {
                last.incumbent.certificate = first.incumbent.certificate;
            }
            (last, false)
        }
        Some(last) if is_single => {
            let floor = last.incumbent.certificate.bound;
            (first.with_lower_bound(floor, &all), true)
        }
        Some(_) | None => (first, true),
    };
    proven.gap = if is_single {
        let floors = open.all.iter().map(|rival| rival.floor);
        let floor = floors.fold(open.least_bound_of_unlisted(), f64::min);
        let value = last.incumbent_value();
        if floor < value * (1.0 - ROUNDING) { 1.0 - floor / value } else { 0.0 }
    } else if open.all.is_empty() && open.unlisted.is_empty() {
        0.0
    } else {
        open.saving_left(scenario, &many, &last, &terms, tools)
    };
    if is_first {
        tools.cache.clear_step_times(); // those of the copies
        return (all, last, Some(proven));
    }
    let mut timed = many.into_iter();
    let all: Vec<Candidate<'a>> = timed.by_ref().take(all.len()).collect();
    for (RivalPlace { number, place }, candidate) in beside.iter().zip(timed) {
        rivals[*number].candidates[*place] = candidate;
    }
    let is_whole = last.incumbent.settled == all.len() + beside.len();
    let (all, mut last) = with_chosen_layout(all, rivals, &beside, last);
    // Of these candidates: others beside them are counted as layouts.
    let most = if is_whole { all.len() } else { all.len() - 1 };
    last.incumbent.settled = last.incumbent.settled.min(most);
    (all, last, Some(proven))
}

/// A layout beside the fastest ones.
struct RivalLayout<'a> {
    /// The place of the candidate whose machine, planes and protocol it may be best on.
    on: usize,
    /// All candidates with it on that machine.
    candidates: Vec<Candidate<'a>>,
}

/// One of the candidates of a rival.
#[derive(Clone, Copy)]
struct RivalPlace {
    number: usize,
    place: usize,
}

impl RivalLayout<'_> {
    /// Places of those with the machine, planes and protocol that it may be best on.
    fn alike_places(&self, all: &[Candidate<'_>]) -> Vec<usize> {
        let is_alike = |place: &usize| self.candidates[*place].is_alike(&all[self.on]);
        (0..self.candidates.len()).filter(is_alike).collect()
    }
}

/// The first layouts, at most `most`, with their candidates; fewer where the best so far is enough.
fn list_rival_layouts<'a>(
    all: &[Candidate<'a>],
    open: &[LayoutBound],
    most: usize,
    options: &Options,
) -> Vec<RivalLayout<'a>> {
    let found = map_on_threads(open.len().min(most), options.threads, |number| {
        let LayoutBound { place, layouts, .. } = &open[number];
        let on = &all[*place];
        if options.watch.is_stopped() {
            return None;
        }
        let pinned = pin_layouts(on, layouts);
        let run = ListingRun::new((number + 1) * IDS, NonZeroUsize::MIN);
        let machines = [on.job.machine];
        let (candidates, _) =
            list_candidates_on_machines(on.job.scenario, &machines, Some(&pinned), run);
        Some(RivalLayout { on: *place, candidates })
    });
    found.into_iter().map_while(|rival| rival).collect()
}

/// The candidates with the chosen layout in the place of the fastest one of its machine, and what
/// is chosen among them. It was chosen among all and those `beside`, in that order.
fn with_chosen_layout<'a, 't>(
    mut all: Vec<Candidate<'a>>,
    mut rivals: Vec<RivalLayout<'a>>,
    beside: &[RivalPlace],
    mut last: ObjectiveResult<'a, 't>,
) -> (Vec<Candidate<'a>>, ObjectiveResult<'a, 't>) {
    let fastest = all.len();
    let rival_at = |place: usize| place.checked_sub(fastest).map(|number| beside[number]);
    let chosen = rival_at(last.incumbent.best_entry().place).map(|rival| rival.number);
    let mut replaced = 0..0;
    let mut grown = 0;
    if let Some(number) = chosen {
        let RivalLayout { on, candidates } = rivals.swap_remove(number);
        let machine = all[on].job.machine;
        let is_replaced = |candidate: &Candidate<'_>| candidate.job.machine == machine;
        let start = all.iter().position(is_replaced).unwrap_or(on);
        replaced = start..start + all.iter().filter(|candidate| is_replaced(candidate)).count();
        grown = candidates.len();
        all.splice(replaced.clone(), candidates);
    }
    let place_now = |place: usize| match rival_at(place) {
        Some(rival) => (Some(rival.number) == chosen).then_some(replaced.start + rival.place),
        None if place < replaced.start => Some(place),
        None => (place >= replaced.end).then(|| place - replaced.len() + grown),
    };
    let best = last.incumbent.best;
    let mut entries: Vec<(bool, SizedCandidate<'a>)> = Vec::new();
    for (number, entry) in std::mem::take(&mut last.incumbent.entries).into_iter().enumerate() {
        if let Some(place) = place_now(entry.place) {
            entries.push((number == best, SizedCandidate { place, ..entry }));
        }
    }
    entries.sort_by_key(|(_, entry)| entry.place);
    last.incumbent.best = entries.iter().position(|(is_best, _)| *is_best).unwrap_or(0);
    last.incumbent.entries = entries.into_iter().map(|(_, entry)| entry).collect();
    (all, last)
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
    // Which of them keeps a limit no bound tells, so more of them are tried than where one does.
    let most = most.saturating_mul(effort::LAYOUTS_TRIED_OVER_SIZED);
    for (number, rival) in open.iter().take(most).enumerate() {
        if tools.is_stopped() {
            return None;
        }
        let on = &all[rival.place];
        let pinned = pin_layouts(on, &rival.layouts);
        // No layout that is looked at later has these.
        let first_job = (open.len() + 2 + number) * IDS;
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
