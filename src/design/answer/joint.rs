//! Layouts beside the fastest one, which a design starts from: a slower one may need a cheaper network.
//! Each that could still be part of a better design is sized; bounds rule out the others.

use std::num::NonZeroUsize;

use super::layouts_proven::LayoutsProven;
use super::lexicographic::{Incumbent, Last, chosen};
use crate::design::candidate::job::Job;
use crate::design::candidate::layouts::{
    Kept, LISTED, Pinned, are_alike, are_cut_evenly, are_open_beside_network, are_seated_alike,
    fewer, kept, least_step, legal,
};
use crate::design::candidate::list::{Candidate, of_machines};
use crate::design::candidate::machine::Machine;
use crate::design::fabric::choose::Seated;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::sized::Sized;
use crate::design::fabric::terms::Terms;
use crate::parallel::Layout;
use crate::scenario::{Minimize, Scenario, Workload};
use crate::sizing::{Reached, Through};
use crate::units::Seconds;

/// Layouts that are sized beside the fastest one, at most.
const MOST_SIZED: usize = 24;

/// Layouts that are sized beside the fastest ones of a scenario, at most.
fn most_sized(scenario: &Scenario, all: &[Candidate<'_>]) -> usize {
    if all.iter().all(|of| are_cut_evenly(scenario, of.job.machine)) {
        return MOST_SIZED;
    }
    fewer(MOST_SIZED, scenario)
}

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
/// its candidates, what is chosen of them, and how far that is proven. `None` where nothing is open,
/// where several quantities are weighed, and on so many GPUs of uneven domains that none would be sized: there
/// the fastest layouts stay. Rivals are layouts of the leading workload: of the others all are part of each job.
pub(crate) fn jointly<'a, 't>(
    scenario: &'a Scenario,
    all: Vec<Candidate<'a>>,
    first: Last<'a, 't>,
    (terms, tools): (Terms<'t>, &mut Tools<'_>),
) -> (Vec<Candidate<'a>>, Last<'a, 't>, Option<LayoutsProven>) {
    let most = most_sized(scenario, &all);
    if !are_open_beside_network(scenario) || most == 0 {
        return (all, first, None);
    }
    let mut value = value_of(&first.incumbent);
    let (rivals, mut proven, unlisted) = rivals(scenario, &all, value, &terms);
    let mut floor = unlisted;
    let mut best: Option<(Rival, f64)> = None;
    let mut sized = 0;
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
        if sized >= most || number >= LISTED {
            floor = floor.min(rival.floor);
            continue;
        }
        let on = &all[rival.place];
        let numbered = ((number + 1) * IDS, NonZeroUsize::MIN);
        let pinned = pinned(on, &rival.layout);
        let (own, _) =
            of_machines(scenario, &[on.job.machine], Some(&pinned), (numbered, &|| false));
        // Each is on its own number of GPUs of a domain, and takes more than is known of all of them.
        let may_win = |of: &&Candidate<'_>| of.floor(&terms) < value * (1.0 - ROUNDING);
        let alike = own.iter().filter(|of| is_alike(of, &all[rival.place])).filter(may_win);
        let alike: Vec<&Candidate<'_>> = alike.collect();
        sized += usize::from(!alike.is_empty());
        proven.sized += u64::from(!alike.is_empty());
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
            let (done, all) = (number as u64 + 1, floors.len().min(LISTED) as u64);
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
    let numbered = ((LISTED + 1) * IDS, tools.options.threads);
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
        reference: on.job.lead.reference,
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
    let mut of_machines: Vec<(Machine<'_>, Vec<Kept>)> = Vec::new();
    for (place, candidate) in all.iter().enumerate() {
        if all[..place].iter().any(|of| is_alike(of, candidate)) {
            continue; // in another rank order or placement
        }
        let machine = candidate.job.machine;
        let useful = |floor: f64| floor < value * (1.0 - ROUNDING);
        let mut floors = Floors::of(scenario, candidate, terms);
        proven.sized += 1;
        if !useful(floors.by_kernels(scenario, machine)) {
            continue;
        }
        let known = of_machines.iter().position(|(of, _)| *of == machine);
        let known = known.unwrap_or_else(|| {
            proven.looked_at +=
                scenario.workloads().map(|of| legal(scenario, of, machine)).sum::<u64>();
            let each = scenario.workloads().map(|of| kept(scenario, of, machine)).collect();
            of_machines.push((machine, each));
            of_machines.len() - 1
        });
        let each = &of_machines[known].1;
        for (step, kept) in floors.steps.iter_mut().zip(each) {
            // Seated otherwise, or another one, it may take less than the fastest one that is cut evenly.
            *step = kept.layouts.first().map_or(*step, |(least, _)| step.min(*least));
        }
        let longest = floors.longest(scenario, terms);
        let floor_of = |number: usize, time: Seconds| {
            let floor = floors.at(number, time);
            (time <= longest[number] && useful(floor)).then_some(floor)
        };
        let rest = each.iter().enumerate().filter_map(|(number, of)| floor_of(number, of.rest?));
        unlisted = rest.fold(unlisted, f64::min);
        // Of other workloads all that are listed are part of each job.
        for (time, layout) in &each[0].layouts {
            let own = are_alike(candidate.job.lead.layout(), layout);
            if let Some(floor) = floor_of(0, *time).filter(|_| !own) {
                rivals.push(Rival { floor, place, layout: layout.clone() });
            }
        }
    }
    rivals.sort_by(|a, b| a.floor.total_cmp(&b.floor));
    (rivals, proven, unlisted)
}

/// What no design of a candidate takes less of, whatever layouts run: in dollars, of cost per token for each second
/// of the step.
struct Floors<'j, 'a> {
    job: &'j Job<'a>,
    floor: f64,
    by_step: bool,
    /// Steps that slowdown is measured against, the leading workload's first.
    references: Vec<Seconds>,
    /// What no layout takes less than, likewise.
    steps: Vec<Seconds>,
}

impl<'j, 'a> Floors<'j, 'a> {
    fn of(scenario: &Scenario, candidate: &'j Candidate<'a>, terms: &Terms<'_>) -> Self {
        let job = &candidate.job;
        let references: Vec<Seconds> = job.each().map(|run| run.reference).collect();
        let seated = match are_seated_alike(scenario, job.machine) {
            true => Seated::Alike,
            false => Seated::Anyhow,
        };
        Self {
            job,
            floor: candidate.floor_of_any_layout(terms, seated),
            by_step: terms.minimize == Minimize::UsdPerToken,
            steps: references.clone(),
            references,
        }
    }

    /// What no design of the candidate takes less of by the kernels of its workloads.
    fn by_kernels(&self, scenario: &Scenario, machine: Machine<'_>) -> f64 {
        if !self.by_step {
            return self.floor;
        }
        let least: Vec<Seconds> =
            scenario.workloads().map(|of| least_step(scenario, of, machine)).collect();
        self.floor * self.job.blended(&least).get()
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

    /// What a step of each workload may take.
    fn longest(&self, scenario: &Scenario, terms: &Terms<'_>) -> Vec<Seconds> {
        let slowdown =
            |of: &Workload| of.limits.max_slowdown.unwrap_or(terms.max_slowdown).max(1.0);
        let slowdowns = scenario.workloads().map(slowdown);
        self.references.iter().zip(slowdowns).map(|(of, most)| *of * most).collect()
    }
}
