//! Layouts that may be part of a better design than one that is known: by bounds, none of them is sized.

use std::collections::{BTreeMap, BTreeSet};

use super::layouts_proven::LayoutsProven;
use crate::design::candidate::job::Job;
use crate::design::candidate::jobs::every_choice;
use crate::design::candidate::kept::{Kept, KeptLayout, Seated, kept};
use crate::design::candidate::layouts::{Pinned, PinnedLayout, is_of_one_each};
use crate::design::candidate::list::Candidate;
use crate::design::candidate::looked_for::{are_alike, least_step, legal};
use crate::design::candidate::machine::Machine;
use crate::design::candidate::run::Run;
use crate::design::fabric::exceeded::are_exceeded_by_machines;
use crate::design::fabric::floors::CheapestNetworks;
use crate::design::fabric::instance::Tools;
use crate::design::fabric::terms::{Terms, slowest};
use crate::parallel::Layout;
use crate::scenario::{Minimize, Scenario};
use crate::units::{Seconds, Usd};

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
    /// What is likely to be best first: by the least where it was timed.
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

/// Layouts that bounds do not rule out beside a design of that value; bounds on networks are sized with `tools`.
pub(super) fn rivals(
    scenario: &Scenario,
    all: &[Candidate<'_>],
    value: f64,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Rivals {
    let mut rivals: Vec<(f64, Seconds, Rival)> = Vec::new();
    let mut proven = LayoutsProven::default();
    let mut unlisted = Vec::new();
    let mut of_machines: Vec<(Machine<'_>, Vec<Kept>)> = Vec::new();
    // Of those in several rank orders or placements one.
    let is_first = |(place, of): &(usize, &Candidate<'_>)| {
        !all[..*place].iter().any(|other| other.is_alike(of))
    };
    let distinct = all.iter().enumerate().filter(is_first);
    let distinct: Vec<(usize, Floors<'_, '_>)> =
        distinct.map(|(place, of)| (place, Floors::of(of, value, terms, tools))).collect();
    let least: Vec<(Machine<'_>, f64)> =
        distinct.iter().map(|(_, of)| (of.job.machine, of.floor)).collect();
    for (place, mut floors) in distinct {
        let candidate = &all[place];
        let machine = candidate.job.machine;
        let useful = |floor: f64| floor < value * (1.0 - ROUNDING);
        proven.sized += 1;
        if !useful(floors.by_kernels()) || are_exceeded_by_machines(candidate, terms) {
            continue;
        }
        let known = of_machines.iter().position(|(of, _)| *of == machine);
        let known = known.unwrap_or_else(|| {
            proven.looked_at +=
                scenario.workloads().map(|of| legal(scenario, of, machine)).sum::<u64>();
            let same = least.iter().filter(|(of, _)| *of == machine);
            let floor = same.map(|(_, floor)| *floor).fold(f64::INFINITY, f64::min);
            // A longer step takes too much by machines alone.
            let known = value.is_finite() && floor > 0.0 && scenario.others.is_empty();
            let most = match floors.by_step && known {
                true => Seconds::of(value / floor),
                false => Seconds::ENDLESS,
            };
            let each = scenario.workloads().zip(&floors.longest);
            let each = each.map(|(of, longest)| kept(scenario, of, machine, longest.min(most)));
            let each = each.collect();
            of_machines.push((machine, each));
            of_machines.len() - 1
        });
        let each = &of_machines[known].1;
        floors.know(candidate, terms, each, tools);
        let rest =
            each.iter().enumerate().filter_map(|(number, of)| floors.least(number, &of.rest));
        unlisted.extend(rest.filter(|floor| useful(*floor)).map(|floor| (floor, place)));
        // Where several of a workload are part of each job, those are all that are listed.
        let chosen = if is_of_one_each(scenario) { each.len() } else { 1 };
        let own: Vec<&Layout> = candidate.job.each().map(Run::layout).collect();
        let mut lists: Vec<Vec<Member<'_>>> = Vec::new();
        for (number, of) in each[..chosen].iter().enumerate() {
            if of.layouts.is_empty() {
                // It is stated, or no other one is fast enough.
                lists.push(vec![Member { layout: own[number], seated: &[] }]);
                continue;
            }
            let members = of.layouts.iter();
            let members = members.map(|of| Member { layout: &of.layout, seated: &of.seated });
            let floor_of =
                |of: &Member<'_>| floors.least(number, of.seated).filter(|of| useful(*of));
            let mut list: Vec<_> = members.filter(|of| floor_of(of).is_some()).collect();
            let cut = list.iter().skip(most_of_each(chosen)).filter_map(floor_of);
            unlisted.extend(cut.reduce(f64::min).map(|floor| (floor, place)));
            list.truncate(most_of_each(chosen));
            lists.push(list);
        }
        // Of those that are part of no job nothing else tells.
        for (number, of) in each.iter().enumerate().skip(chosen) {
            let runs = all.iter().filter(|of| of.is_alike(candidate));
            let runs: Vec<&Run<'_>> =
                runs.filter_map(|of| of.job.others.get(number - 1)).flatten().collect();
            let is_in_a_job =
                |of: &&KeptLayout| runs.iter().any(|run| are_alike(run.layout(), &of.layout));
            let missing = of.layouts.iter().filter(|of| !is_in_a_job(of));
            let floors = missing.filter_map(|of| floors.least(number, &of.seated));
            unlisted.extend(floors.filter(|of| useful(*of)).map(|floor| (floor, place)));
        }
        for team in every_choice(&lists) {
            let is_own = team.iter().zip(&own).all(|(of, own)| are_alike(own, of.layout));
            let Some((floor, step)) = floors.of_team(&team, |_| true).filter(|of| useful(of.0))
            else {
                continue;
            };
            let likely = floors.of_team(&team, |of| of.timed).map_or(f64::INFINITY, |of| of.0);
            if !is_own {
                let layouts = team.iter().map(|of| of.layout.clone()).collect();
                rivals.push((likely, step, Rival { floor, place, layouts }));
            }
        }
    }
    // What is only bounded says little of what a layout is likely to take. Of those that may take as little the fastest
    // first.
    rivals.sort_by(|(one, first, a), (other, second, b)| {
        let floors = || a.floor.total_cmp(&b.floor);
        one.total_cmp(other).then_with(floors).then(first.total_cmp(second))
    });
    let all = rivals.into_iter().map(|(_, _, rival)| rival).collect();
    Rivals { all, proven, unlisted }
}

/// A layout of a workload, wherever it may sit: nowhere in particular where it is stated.
#[derive(Clone, Copy)]
struct Member<'l> {
    layout: &'l Layout,
    seated: &'l [Seated],
}

/// Layouts of each of so many workloads that choices are made of, so that these stay countable.
fn most_of_each(workloads: usize) -> usize {
    const CHOICES: f64 = 65_536.0;
    CHOICES.powf(1.0 / workloads as f64) as usize
}

/// What no step of the workloads of a job is shorter than, by the kernels alone.
fn least_blended(job: &Job<'_>) -> Seconds {
    let scenario = job.scenario;
    let each = scenario.workloads().map(|workload| least_step(scenario, workload, job.machine));
    job.blended(&each.collect::<Vec<_>>())
}

/// What no design of a candidate takes less of, whatever layouts run: in dollars, of cost per token for each second
/// of the step.
struct Floors<'j, 'a> {
    job: &'j Job<'a>,
    floor: f64,
    /// Likewise where ranks sit on so many GPUs of each of so many domains.
    on: BTreeMap<(u32, u32), f64>,
    by_step: bool,
    /// What no layout takes less than, the leading workload's first.
    steps: Vec<Seconds>,
    /// What a step of each may take.
    longest: Vec<Seconds>,
    /// What networks cost at least, by the HB domains that they join.
    networks: BTreeMap<u32, Usd>,
    /// What is of no use to know better: in the units of `floor`.
    most: f64,
}

impl<'j, 'a> Floors<'j, 'a> {
    /// Of a candidate beside a design of that value.
    fn of(
        candidate: &'j Candidate<'a>,
        value: f64,
        terms: &Terms<'_>,
        tools: &mut Tools<'_>,
    ) -> Self {
        let job = &candidate.job;
        let by_step = terms.minimize == Minimize::UsdPerToken;
        let kernels = if by_step { least_blended(job).get() } else { 1.0 };
        let most = if kernels > 0.0 { value / kernels } else { f64::INFINITY };
        let mut networks = BTreeMap::new();
        let known = CheapestNetworks { tools, known: &mut networks, most };
        Self {
            job,
            floor: candidate.floor_of_any_layout(terms, Some(known)),
            networks,
            most,
            on: BTreeMap::new(),
            by_step,
            steps: job.each().map(|run| run.reference).collect(),
            longest: job.each().map(|run| slowest(run, terms)).collect(),
        }
    }

    /// Takes what is known of the layouts of each workload, and of where these sit.
    fn know(
        &mut self,
        candidate: &Candidate<'_>,
        terms: &Terms<'_>,
        each: &[Kept],
        tools: &mut Tools<'_>,
    ) {
        for (step, kept) in self.steps.iter_mut().zip(each) {
            // Seated otherwise, or another one, it may take less than the fastest one that is cut evenly.
            let others = kept.rest.iter().map(|of| of.least);
            let all = kept.layouts.iter().map(KeptLayout::least).chain(others);
            *step = all.fold(*step, Seconds::min);
        }
        let seats = each.iter().flat_map(|of| {
            of.layouts.iter().flat_map(|of| &of.seated).chain(&of.rest).map(Seated::seats)
        });
        let pairs: BTreeSet<(u32, u32)> = match each.len() {
            1 => seats.collect(),
            _ => {
                let (used, domains): (BTreeSet<u32>, BTreeSet<u32>) = seats.unzip();
                used.iter().flat_map(|of| domains.iter().map(move |on| (*of, *on))).collect()
            }
        };
        let pairs: Vec<(u32, u32)> = pairs.into_iter().collect();
        let known = CheapestNetworks { tools, known: &mut self.networks, most: self.most };
        let floors = candidate.floors_on(terms, &pairs, Some(known));
        self.on = pairs.into_iter().zip(floors).collect();
    }

    /// What no design of the candidate takes less of by the kernels of its workloads.
    fn by_kernels(&self) -> f64 {
        if self.by_step { self.floor * least_blended(self.job).get() } else { self.floor }
    }

    /// Likewise where a workload, by number, sits in one of these ways; `None` where it takes too long in all.
    fn least(&self, number: usize, seated: &[Seated]) -> Option<f64> {
        let within = seated.iter().filter(|of| of.least <= self.longest[number]);
        let each = within.map(|of| self.at(&[(number, *of)]).0);
        each.reduce(f64::min)
    }

    /// Likewise where each of some workloads, the leading one first, runs a layout and sits in one of those ways, with
    /// the step then.
    fn of_team(
        &self,
        team: &[Member<'_>],
        those: impl Fn(&Seated) -> bool,
    ) -> Option<(f64, Seconds)> {
        let ways: Vec<Vec<Option<Seated>>> = team
            .iter()
            .zip(&self.longest)
            .map(|(of, longest)| {
                let within = of.seated.iter().filter(|of| of.least <= *longest && those(of));
                let stated = of.seated.is_empty().then_some(None);
                within.map(|of| Some(*of)).chain(stated).collect()
            })
            .collect();
        let of_way = |way: Vec<Option<Seated>>| {
            let known: Vec<(usize, Seated)> = way
                .into_iter()
                .enumerate()
                .filter_map(|(number, of)| Some((number, of?)))
                .collect();
            self.at(&known)
        };
        let all = every_choice(&ways).into_iter().map(of_way);
        all.reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)))
    }

    /// Likewise where some workloads, by number, sit so, with their step then, if the others take no longer than they
    /// have to.
    fn at(&self, seated: &[(usize, Seated)]) -> (f64, Seconds) {
        let mut steps = self.steps.clone();
        for (number, of) in seated {
            steps[*number] = of.least;
        }
        let step = self.job.blended(&steps);
        let most = |of: fn(&Seated) -> u32| seated.iter().map(|(_, own)| of(own)).max();
        let seats = most(|of| of.used).zip(most(|of| of.domains));
        let on = seats.and_then(|of| self.on.get(&of)).copied();
        let floor = on.unwrap_or(self.floor).max(self.floor);
        (if self.by_step { floor * step.get() } else { floor }, step)
    }
}
