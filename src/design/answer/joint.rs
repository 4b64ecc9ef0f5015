//! Layouts beside the fastest one, which a design starts from: a slower one may need a cheaper network.
//! Each that could still be part of a better design is sized; bounds rule out the others.

use std::num::NonZeroUsize;

use super::layouts_proven::LayoutsProven;
use super::lexicographic::{Incumbent, Last, chosen};
use crate::design::candidate::job::Job;
use crate::design::candidate::layouts::{LISTED, are_open_beside_network, legal, listed};
use crate::design::candidate::list::{Candidate, of_machines};
use crate::design::candidate::machine::Machine;
use crate::design::candidate::run::Pinned;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::sized::Sized;
use crate::design::fabric::terms::Terms;
use crate::parallel::{Layout, Seats};
use crate::scenario::{Minimize, Scenario, Workload};
use crate::search::Found;
use crate::sizing::{Reached, Through};
use crate::units::Seconds;

/// Layouts that are sized beside the fastest one, at most.
const MOST_SIZED: usize = 24;

/// Identities of jobs, from one layout to the next: more than a scenario has candidates.
const IDS: usize = 1 << 20;

/// Relative rounding of sums of money.
const ROUNDING: f64 = 1e-9;

/// A layout that bounds do not rule out.
struct Rival {
    /// No design with it takes less.
    floor: f64,
    /// A candidate with its machine, planes and protocol.
    place: usize,
    layout: Layout,
}

/// The best of all layouts that are open, where `first` is the best with the fastest on each machine:
/// its candidates, what is chosen of them, and how far that is proven. `None` where nothing is open;
/// where several quantities are weighed; and where borders of domains may cut layouts unevenly: there the
/// fastest layouts stay. Rivals are layouts of the leading workload: of the others all are part of each job.
pub(crate) fn jointly<'a, 't>(
    scenario: &'a Scenario,
    all: Vec<Candidate<'a>>,
    first: Last<'a, 't>,
    (terms, tools): (Terms<'t>, &mut Tools<'_>),
) -> (Vec<Candidate<'a>>, Last<'a, 't>, Option<LayoutsProven>) {
    let even = |of: &Candidate<'_>| of.job.runs().all(|run| run.seats == Seats::Even);
    if !are_open_beside_network(scenario) || !all.iter().all(even) {
        return (all, first, None);
    }
    let mut value = value_of(&first.incumbent);
    let (rivals, mut proven, unlisted) = rivals(scenario, &all, value, &terms);
    let mut floor = unlisted;
    let mut best: Option<(Rival, f64)> = None;
    let chosen = first.incumbent.entries[first.incumbent.best].place;
    let known = first.incumbent.certificate.bound;
    let floors: Vec<f64> = rivals.iter().map(|of| of.floor).collect();
    for (number, rival) in rivals.into_iter().enumerate() {
        if rival.floor >= value * (1.0 - ROUNDING) {
            continue;
        }
        if tools.is_stopped() {
            // No later one takes less.
            floor = floor.min(rival.floor);
            break;
        }
        if number >= MOST_SIZED {
            floor = floor.min(rival.floor);
            continue;
        }
        proven.sized += 1;
        let on = &all[rival.place];
        let numbered = ((number + 1) * IDS, NonZeroUsize::MIN);
        let pinned = pinned(on, &rival.layout);
        let (own, _) =
            of_machines(scenario, &[on.job.machine], Some(&pinned), (numbered, &|| false));
        let alike = own.iter().filter(|of| is_alike(of, &all[rival.place]));
        for candidate in alike {
            match candidate.sized(&terms.below(value), tools) {
                Ok(Sized { value: least, bound, .. }) => {
                    floor = floor.min(bound);
                    if least < value * (1.0 - ROUNDING) {
                        value = least;
                        let Rival { floor, place, ref layout } = rival;
                        best = Some((Rival { floor, place, layout: layout.clone() }, least));
                    }
                }
                Err(reason) if reason.is_unknown() => floor = floor.min(rival.floor),
                Err(_) => {}
            }
        }
        tools.tell(|| {
            let next = floors.get(number + 1).map_or(f64::INFINITY, |next| *next);
            let bound = floor.min(known).min(next);
            let on = &all[best.as_ref().map_or(chosen, |(of, _)| of.place)];
            let best = Some(on.best(terms.minimize, value, bound));
            let (done, all) = (number as u64 + 1, floors.len().min(MOST_SIZED) as u64);
            Reached { through: Through::Layouts, done, all, best }
        });
    }
    let (all, last) = match best {
        Some((rival, _)) => taken(scenario, all, first, &rival, (terms, tools)),
        None => (all, first),
    };
    let value = value_of(&last.incumbent);
    if floor < value * (1.0 - ROUNDING) {
        proven.gap = 1.0 - floor / value;
    }
    (all, last, Some(proven))
}

/// What is chosen where a machine runs that layout, if routing leaves it better.
fn taken<'a, 't>(
    scenario: &'a Scenario,
    all: Vec<Candidate<'a>>,
    first: Last<'a, 't>,
    rival: &Rival,
    (terms, tools): (Terms<'t>, &mut Tools<'_>),
) -> (Vec<Candidate<'a>>, Last<'a, 't>) {
    let pinned = pinned(&all[rival.place], &rival.layout);
    // Candidates of a machine stand together.
    let mut machines: Vec<Machine<'a>> = all.iter().map(|of| of.job.machine).collect();
    machines.dedup();
    let numbered = ((MOST_SIZED + 1) * IDS, tools.options.threads);
    let (mut own, failed) = of_machines(scenario, &machines, Some(&pinned), (numbered, &|| false));
    if tools.is_stopped() {
        own.retain(|of| is_alike(of, &all[rival.place]));
    }
    match chosen(&own, failed, terms, tools) {
        Ok(other) if value_of(&other.incumbent) < value_of(&first.incumbent) => (own, other),
        _ => (all, first),
    }
}

fn value_of(incumbent: &Incumbent<'_, '_>) -> f64 {
    incumbent.entries[incumbent.best].sized.value
}

fn pinned(on: &Candidate<'_>, layout: &Layout) -> Pinned {
    let machine = on.job.machine;
    Pinned {
        node: machine.node.name.clone(),
        nic: machine.nic.name.clone(),
        layout: layout.clone(),
    }
}

/// True for candidates that differ in the layout alone.
fn is_alike(one: &Candidate<'_>, other: &Candidate<'_>) -> bool {
    one.job.machine == other.job.machine
        && (one.planes, one.protocol) == (other.planes, other.protocol)
}

/// Layouts that bounds do not rule out beside a design of that value, what may be best first; what was
/// looked at; and the least that a layout may take which is in no list.
fn rivals(
    scenario: &Scenario,
    all: &[Candidate<'_>],
    value: f64,
    terms: &Terms<'_>,
) -> (Vec<Rival>, LayoutsProven, f64) {
    let mut rivals: Vec<Rival> = Vec::new();
    let mut proven = LayoutsProven::default();
    let mut unlisted = f64::INFINITY;
    for (place, candidate) in all.iter().enumerate() {
        if all[..place].iter().any(|of| is_alike(of, candidate)) {
            continue; // in another rank order or placement
        }
        let on_machine = |of: &&Candidate<'_>| of.job.machine == candidate.job.machine;
        let machine = candidate.job.machine;
        proven.sized += 1;
        if !all[..place].iter().any(|of| on_machine(&of)) {
            let legal = |of| legal(scenario, of, machine);
            proven.looked_at += scenario.workloads().map(legal).sum::<u64>();
        }
        let floors = Floors::of(candidate, terms);
        let useful = |floor: f64| floor < value * (1.0 - ROUNDING);
        for (number, workload) in scenario.workloads().enumerate() {
            let Some(Found { best, .. }) = listed(scenario, workload, machine) else { continue };
            let slow = |time| time > floors.longest(number, workload, terms);
            if let Some(last) = best.last().filter(|_| best.len() >= LISTED) {
                let time = last.time.total();
                let floor = floors.at(number, time);
                if !slow(time) && useful(floor) {
                    unlisted = unlisted.min(floor);
                }
            }
            if number > 0 {
                continue; // all that are listed are part of each job
            }
            let own = best[0].layout.clone();
            for of in &best {
                let time = of.time.total();
                let layout = of.layout.clone();
                let floor = floors.at(number, time);
                let is_known = |of: &Rival| of.place == place && are_alike(&of.layout, &layout);
                let known = are_alike(&own, &layout) || rivals.iter().any(is_known);
                if !known && !slow(time) && useful(floor) {
                    rivals.push(Rival { floor, place, layout });
                }
            }
        }
    }
    rivals.sort_by(|a, b| a.floor.total_cmp(&b.floor));
    (rivals, proven, unlisted)
}

/// True for layouts that differ in the rank order alone.
fn are_alike(one: &Layout, other: &Layout) -> bool {
    Layout { order: other.order, ..one.clone() } == *other
}

/// What no design of a candidate takes less of, whatever layouts run: in dollars, of cost per token for each second
/// of the step.
struct Floors<'j, 'a> {
    job: &'j Job<'a>,
    floor: f64,
    by_step: bool,
    /// Steps of the fastest layouts, the leading workload's first.
    steps: Vec<Seconds>,
}

impl<'j, 'a> Floors<'j, 'a> {
    fn of(candidate: &'j Candidate<'a>, terms: &Terms<'_>) -> Self {
        let job = &candidate.job;
        let steps = job.each().map(|run| run.reference).collect();
        let by_step = terms.minimize == Minimize::UsdPerToken;
        Self { job, floor: candidate.floor_of_any_layout(terms), by_step, steps }
    }

    /// Likewise where a workload runs a layout that takes so long without a network that blocks.
    fn at(&self, number: usize, time: Seconds) -> f64 {
        if !self.by_step {
            return self.floor;
        }
        let mut steps = self.steps.clone();
        steps[number] = time;
        self.floor * self.job.blended(&steps).get()
    }

    /// What a step of a workload may take.
    fn longest(&self, number: usize, workload: &Workload, terms: &Terms<'_>) -> Seconds {
        let slowdown = workload.limits.max_slowdown.unwrap_or(terms.max_slowdown);
        self.steps[number] * slowdown.max(1.0)
    }
}
