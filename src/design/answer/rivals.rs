//! Layouts that may be part of a better design than one that is known: by bounds, none of them is sized.

use super::layouts_proven::LayoutsProven;
use crate::design::candidate::job::Job;
use crate::design::candidate::jobs::every_choice;
use crate::design::candidate::layouts::{
    Kept, Pinned, PinnedLayout, are_alike, is_of_one_each, kept, least_step, legal,
};
use crate::design::candidate::list::Candidate;
use crate::design::candidate::machine::Machine;
use crate::design::candidate::run::Run;
use crate::design::fabric::terms::{Terms, slowest};
use crate::parallel::Layout;
use crate::scenario::{Minimize, Scenario};
use crate::units::Seconds;

/// Identities of jobs, from one layout to the next: more than a scenario has candidates.
pub(super) const IDS: usize = 1 << 20;

/// Relative rounding of sums of money.
pub(super) const ROUNDING: f64 = 1e-9;

/// A layout that bounds do not rule out.
pub(super) struct Rival {
    /// No design with it takes less.
    pub(super) floor: f64,
    /// A candidate with its machine, planes and protocol.
    pub(super) place: usize,
    /// Of each workload of which one layout is part of a job, the leading one first.
    pub(super) layouts: Vec<Layout>,
}

/// What may be part of a design that takes less than so much, beside the fastest layouts.
pub(super) struct Rivals {
    /// What may be best first.
    pub(super) all: Vec<Rival>,
    /// What was looked at.
    pub(super) proven: LayoutsProven,
    /// By candidate the least that layouts may take which are in no list.
    pub(super) unlisted: Vec<(f64, usize)>,
}

impl Rivals {
    /// The least that a layout may take which is in no list; infinite where all are.
    pub(super) fn least_unlisted(&self) -> f64 {
        self.unlisted.iter().map(|(floor, _)| *floor).fold(f64::INFINITY, f64::min)
    }
}

/// Layouts in the place of those of a candidate.
pub(super) fn pinned(on: &Candidate<'_>, layouts: &[Layout]) -> Pinned {
    let pinned = |(layout, run): (&Layout, &Run<'_>)| PinnedLayout {
        layout: layout.clone(),
        reference: run.reference,
    };
    Pinned::on(on.job.machine, layouts.iter().zip(on.job.each()).map(pinned).collect())
}

/// True for candidates that differ in the layout alone.
pub(super) fn is_alike(one: &Candidate<'_>, other: &Candidate<'_>) -> bool {
    one.job.machine == other.job.machine
        && (one.planes, one.protocol) == (other.planes, other.protocol)
}

/// Layouts that bounds do not rule out beside a design of that value.
pub(super) fn rivals(
    scenario: &Scenario,
    all: &[Candidate<'_>],
    value: f64,
    terms: &Terms<'_>,
) -> Rivals {
    let mut rivals: Vec<(Seconds, Rival)> = Vec::new();
    let mut proven = LayoutsProven::default();
    let mut unlisted = Vec::new();
    let mut of_machines: Vec<(Machine<'_>, Vec<Kept>)> = Vec::new();
    for (place, candidate) in all.iter().enumerate() {
        if all[..place].iter().any(|of| is_alike(of, candidate)) {
            continue; // in another rank order or placement
        }
        let machine = candidate.job.machine;
        let useful = |floor: f64| floor < value * (1.0 - ROUNDING);
        let mut floors = Floors::of(candidate, terms);
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
        let longest = floors.longest(terms);
        let floor_of = |number: usize, time: Seconds| {
            let floor = floors.at(&[(number, time)]);
            (time <= longest[number] && useful(floor)).then_some(floor)
        };
        let rest = each.iter().enumerate().filter_map(|(number, of)| floor_of(number, of.rest?));
        unlisted.extend(rest.map(|floor| (floor, place)));
        // Where several of a workload are part of each job, those are all that are listed.
        let chosen = if is_of_one_each(scenario) { each.len() } else { 1 };
        let own: Vec<&Layout> = candidate.job.each().map(Run::layout).collect();
        let mut lists: Vec<Vec<(Seconds, &Layout)>> = Vec::new();
        for (number, of) in each[..chosen].iter().enumerate() {
            if of.layouts.is_empty() {
                lists.push(vec![(floors.steps[number], own[number])]); // the one that is stated
                continue;
            }
            let all = of.layouts.iter().map(|(time, layout)| (*time, layout));
            let mut list: Vec<_> =
                all.filter(|(time, _)| floor_of(number, *time).is_some()).collect();
            let most = most_of_each(chosen);
            let cut = list.get(most).and_then(|(time, _)| floor_of(number, *time));
            unlisted.extend(cut.map(|floor| (floor, place)));
            list.truncate(most);
            lists.push(list);
        }
        for team in every_choice(&lists) {
            let steps: Vec<(usize, Seconds)> =
                team.iter().map(|(time, _)| *time).enumerate().collect();
            let floor = floors.at(&steps);
            let is_own = team.iter().zip(&own).all(|((_, layout), own)| are_alike(own, layout));
            if useful(floor) && !is_own {
                let layouts = team.iter().map(|(_, layout)| (*layout).clone()).collect();
                rivals.push((floors.step(&steps), Rival { floor, place, layouts }));
            }
        }
    }
    // Of those that may take as little the fastest first.
    rivals.sort_by(|(one, a), (other, b)| a.floor.total_cmp(&b.floor).then(one.total_cmp(other)));
    let all = rivals.into_iter().map(|(_, rival)| rival).collect();
    Rivals { all, proven, unlisted }
}

/// Layouts of each of so many workloads that choices are made of, so that these stay countable.
fn most_of_each(workloads: usize) -> usize {
    const CHOICES: f64 = 65_536.0;
    CHOICES.powf(1.0 / workloads as f64) as usize
}

/// What no design of a candidate takes less of, whatever layouts run: in dollars, of cost per token for each second
/// of the step.
struct Floors<'j, 'a> {
    job: &'j Job<'a>,
    floor: f64,
    by_step: bool,
    /// What no layout takes less than, the leading workload's first.
    steps: Vec<Seconds>,
}

impl<'j, 'a> Floors<'j, 'a> {
    fn of(candidate: &'j Candidate<'a>, terms: &Terms<'_>) -> Self {
        let job = &candidate.job;
        Self {
            job,
            floor: candidate.floor_of_any_layout(terms),
            by_step: terms.minimize == Minimize::UsdPerToken,
            steps: job.each().map(|run| run.reference).collect(),
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

    /// Likewise where some workloads, by number, run layouts that take so long without a network that blocks.
    fn at(&self, layouts: &[(usize, Seconds)]) -> f64 {
        if self.by_step { self.floor * self.step(layouts).get() } else { self.floor }
    }

    /// The step of all workloads together then, if the others take no longer than they have to.
    fn step(&self, layouts: &[(usize, Seconds)]) -> Seconds {
        let mut steps = self.steps.clone();
        for (number, time) in layouts {
            steps[*number] = *time;
        }
        self.job.blended(&steps)
    }

    /// What a step of each workload may take.
    fn longest(&self, terms: &Terms<'_>) -> Vec<Seconds> {
        self.job.each().map(|run| slowest(run, terms)).collect()
    }
}
