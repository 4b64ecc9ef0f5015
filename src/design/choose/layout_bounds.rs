//! Layouts that may be part of a better design than one that is known: by bounds, none of them is
//! sized.

use std::collections::{BTreeMap, BTreeSet};

use crate::design::candidate::candidates::{Candidate, every_layout_combination};
use crate::design::candidate::kept_layouts::{
    KeptLayout, KeptLayouts, SeatCount, keep_best_layouts,
};
use crate::design::candidate::layouts::{
    PinnedLayout, PinnedLayouts, needs_one_layout_per_workload,
};
use crate::design::columns::terms::{Terms, max_allowed_step_time};
use crate::design::job::job::Job;
use crate::design::job::layout_search::{
    count_legal_layouts, differ_in_order_only, kernel_step_bound,
};
use crate::design::job::machine::Machine;
use crate::design::job::run::JobRun;
use crate::design::network::best_network::CheapestNetworks;
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::machines_exceed_limits;
use crate::design::plan::proof::LayoutsProven;
use crate::parallel::Layout;
use crate::scenario::{Minimize, Scenario};
use crate::units::{ROUNDING, Seconds, Usd};

/// Identities of jobs, from one layout to the next: more than a scenario has candidates.
pub(in crate::design) const IDS: usize = 1 << 20;

/// A layout that bounds do not rule out.
pub(in crate::design) struct LayoutBound {
    /// No design with it takes less.
    pub(in crate::design) floor: f64,
    /// A candidate with its machine, planes and protocol.
    pub(in crate::design) place: usize,
    /// Of each workload of which one layout is part of a job, the leading one first.
    pub(in crate::design) layouts: Vec<Layout>,
}

/// What may be part of a design that takes less than so much, beside the fastest layouts.
pub(in crate::design) struct LayoutBounds {
    /// What is likely to be best first: by the least where it was timed.
    pub(in crate::design) all: Vec<LayoutBound>,
    /// What was looked at.
    pub(in crate::design) proven: LayoutsProven,
    /// By candidate the least that layouts may take which are in no list.
    pub(in crate::design) unlisted: Vec<(f64, usize)>,
}

impl LayoutBounds {
    /// The least that a layout may take which is in no list; infinite where all are.
    pub(super) fn least_bound_of_unlisted(&self) -> f64 {
        self.unlisted.iter().map(|(floor, _)| *floor).fold(f64::INFINITY, f64::min)
    }
}

/// Layouts in the place of those of a candidate.
pub(super) fn pin_layouts(on: &Candidate<'_>, layouts: &[Layout]) -> PinnedLayouts {
    let pinned = |(layout, run): (&Layout, &JobRun<'_>)| PinnedLayout {
        layout: layout.clone(),
        reference: run.reference,
    };
    PinnedLayouts::for_machine(
        on.job.machine,
        layouts.iter().zip(on.job.one_run_per_workload()).map(pinned).collect(),
    )
}

/// Layouts that bounds do not rule out beside a design of that value; bounds on networks are sized
/// with `tools`.
pub(super) fn layouts_below_bound(
    scenario: &Scenario,
    all: &[Candidate<'_>],
    value: f64,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> LayoutBounds {
    let mut rivals: Vec<(f64, Seconds, LayoutBound)> = Vec::new();
    let mut proven = LayoutsProven::default();
    let mut unlisted = Vec::new();
    let mut of_machines: Vec<(Machine<'_>, Vec<KeptLayouts>)> = Vec::new();
    // Of those in several rank orders or placements one.
    let is_first = |(place, other_candidate): &(usize, &Candidate<'_>)| {
        !all[..*place].iter().any(|other| other.is_alike(other_candidate))
    };
    let distinct = all.iter().enumerate().filter(is_first);
    let distinct: Vec<(usize, BoundInputs<'_, '_>)> = distinct
        .map(|(place, this_candidate)| {
            (place, BoundInputs::new(this_candidate, value, terms, tools))
        })
        .collect();
    let least: Vec<(Machine<'_>, f64)> =
        distinct.iter().map(|(_, inputs)| (inputs.job.machine, inputs.floor)).collect();
    for (place, mut floors) in distinct {
        let candidate = &all[place];
        let machine = candidate.job.machine;
        let useful = |floor: f64| floor < value * (1.0 - ROUNDING);
        proven.sized += 1;
        if !useful(floors.bound_by_kernels()) || machines_exceed_limits(candidate, terms) {
            continue;
        }
        let known = of_machines.iter().position(|(this_machine, _)| *this_machine == machine);
        let known = known.unwrap_or_else(|| {
            proven.looked_at += scenario
                .workloads
                .iter()
                .map(|workload| count_legal_layouts(scenario, workload, machine))
                .sum::<u64>();
            let same = least.iter().filter(|(this_machine, _)| *this_machine == machine);
            let floor = same.map(|(_, floor)| *floor).fold(f64::INFINITY, f64::min);
            // A longer step takes too much by machines alone.
            let known = value.is_finite() && floor > 0.0 && scenario.workloads.len() == 1;
            let most = if floors.by_step && known {
                Seconds::from_f64(value / floor)
            } else {
                Seconds::ENDLESS
            };
            let each = scenario.workloads.iter().zip(&floors.longest);
            let each = each.map(|(workload, longest)| {
                keep_best_layouts(scenario, workload, machine, longest.min(most))
            });
            let each = each.collect();
            of_machines.push((machine, each));
            of_machines.len() - 1
        });
        let each = &of_machines[known].1;
        floors.add_known_bound(candidate, terms, each, tools);
        let rest = each.iter().enumerate().filter_map(|(number, kept_layouts)| {
            floors.lower_bound_on_seats(number, &kept_layouts.other_seats)
        });
        unlisted.extend(rest.filter(|floor| useful(*floor)).map(|floor| (floor, place)));
        // Where several of a workload are part of each job, those are all that are listed.
        let chosen = if needs_one_layout_per_workload(scenario) { each.len() } else { 1 };
        let own: Vec<&Layout> = candidate.job.one_run_per_workload().map(JobRun::layout).collect();
        let mut lists: Vec<Vec<WorkloadLayout<'_>>> = Vec::new();
        for (number, kept_layouts) in each[..chosen].iter().enumerate() {
            if kept_layouts.layouts.is_empty() {
                // It is stated, or no other one is fast enough.
                lists.push(vec![WorkloadLayout { layout: own[number], seated: &[] }]);
                continue;
            }
            let members = kept_layouts.layouts.iter();
            let members = members.map(|kept_layout| WorkloadLayout {
                layout: &kept_layout.layout,
                seated: &kept_layout.seated,
            });
            let floor_of = |workload_layout: &WorkloadLayout<'_>| {
                floors
                    .lower_bound_on_seats(number, workload_layout.seated)
                    .filter(|figure| useful(*figure))
            };
            let mut list: Vec<_> =
                members.filter(|workload_layout| floor_of(workload_layout).is_some()).collect();
            let cut = list.iter().skip(most_of_each(chosen)).filter_map(floor_of);
            unlisted.extend(cut.reduce(f64::min).map(|floor| (floor, place)));
            list.truncate(most_of_each(chosen));
            lists.push(list);
        }
        // Of those that are part of no job nothing else tells.
        for (number, kept_layouts) in each.iter().enumerate().skip(chosen) {
            let runs = all.iter().filter(|other_candidate| other_candidate.is_alike(candidate));
            let runs: Vec<&JobRun<'_>> = runs
                .filter_map(|other_candidate| other_candidate.job.runs.get(number))
                .flatten()
                .collect();
            let is_in_a_job = |kept_layout: &&KeptLayout| {
                runs.iter().any(|run| differ_in_order_only(run.layout(), &kept_layout.layout))
            };
            let missing =
                kept_layouts.layouts.iter().filter(|kept_layout| !is_in_a_job(kept_layout));
            let floors = missing
                .filter_map(|kept_layout| floors.lower_bound_on_seats(number, &kept_layout.seated));
            unlisted.extend(floors.filter(|figure| useful(*figure)).map(|floor| (floor, place)));
        }
        for team in every_layout_combination(&lists) {
            let is_own = team
                .iter()
                .zip(&own)
                .all(|(workload_layout, own)| differ_in_order_only(own, workload_layout.layout));
            let Some((floor, step)) =
                floors.bound_of_layouts(&team, |_| true).filter(|pair| useful(pair.0))
            else {
                continue;
            };
            let likely = floors
                .bound_of_layouts(&team, |count| count.timed)
                .map_or(f64::INFINITY, |pair| pair.0);
            if !is_own {
                let layouts =
                    team.iter().map(|workload_layout| workload_layout.layout.clone()).collect();
                rivals.push((likely, step, LayoutBound { floor, place, layouts }));
            }
        }
    }
    // What is only bounded says little of what a layout is likely to take. Of those that may take
    // as little the fastest first.
    rivals.sort_by(|(one, first, a), (other, second, b)| {
        let floors = || a.floor.total_cmp(&b.floor);
        one.total_cmp(other).then_with(floors).then(first.total_cmp(second))
    });
    let all = rivals.into_iter().map(|(_, _, rival)| rival).collect();
    LayoutBounds { all, proven, unlisted }
}

/// A layout of a workload, wherever it may sit: nowhere in particular where it is stated.
#[derive(Clone, Copy)]
struct WorkloadLayout<'l> {
    layout: &'l Layout,
    seated: &'l [SeatCount],
}

/// Layouts of each of so many workloads that choices are made of, so that these stay countable.
fn most_of_each(workloads: usize) -> usize {
    const CHOICES: f64 = 65_536.0;
    CHOICES.powf(1.0 / workloads as f64) as usize
}

/// What no step of the workloads of a job is shorter than, by the kernels alone.
fn kernel_step_bound_of_job(job: &Job<'_>) -> Seconds {
    let scenario = job.scenario;
    let each = scenario.workloads.iter();
    let each = each.map(|workload| kernel_step_bound(scenario, workload, job.machine));
    job.blend_step_times(&each.collect::<Vec<_>>())
}

/// What no design of a candidate takes less of, whatever layouts run: in dollars, of cost per token
/// for each second of the step.
struct BoundInputs<'j, 'a> {
    job: &'j Job<'a>,
    floor: f64,
    /// As `floor`, where ranks sit on so many GPUs of each of so many domains.
    floor_by_seats: BTreeMap<(u32, u32), f64>,
    by_step: bool,
    /// What no layout takes less than, the leading workload's first.
    steps: Vec<Seconds>,
    /// What a step of each may take.
    longest: Vec<Seconds>,
    /// What networks cost at least, by the HB domains that they join.
    networks: BTreeMap<u32, Usd>,
    /// What is of no use to know better: in the units of `floor`.
    max_useful: f64,
}

impl<'j, 'a> BoundInputs<'j, 'a> {
    /// Of a candidate beside a design of that value.
    fn new(
        candidate: &'j Candidate<'a>,
        value: f64,
        terms: &Terms<'_>,
        tools: &mut SizingTools<'_>,
    ) -> Self {
        let job = &candidate.job;
        let by_step = terms.minimize == Minimize::UsdPerToken;
        let kernels = if by_step { kernel_step_bound_of_job(job).get() } else { 1.0 };
        let most = if kernels > 0.0 { value / kernels } else { f64::INFINITY };
        let mut networks = BTreeMap::new();
        let known = CheapestNetworks { tools, known: &mut networks, max_value: most };
        Self {
            job,
            floor: candidate.lower_bound_for_any_layout(terms, Some(known)),
            networks,
            max_useful: most,
            floor_by_seats: BTreeMap::new(),
            by_step,
            steps: job.one_run_per_workload().map(|run| run.reference).collect(),
            longest: job
                .one_run_per_workload()
                .map(|run| max_allowed_step_time(run, terms))
                .collect(),
        }
    }

    /// Takes what is known of the layouts of each workload, and of where these sit.
    fn add_known_bound(
        &mut self,
        candidate: &Candidate<'_>,
        terms: &Terms<'_>,
        each: &[KeptLayouts],
        tools: &mut SizingTools<'_>,
    ) {
        for (step, kept) in self.steps.iter_mut().zip(each) {
            // Seated otherwise, or another one, it may take less than the fastest one that is cut
            // evenly.
            let others = kept.other_seats.iter().map(|count| count.min_step_time);
            let all = kept.layouts.iter().map(KeptLayout::step_time_lower_bound).chain(others);
            *step = all.fold(*step, Seconds::min);
        }
        let seats = each.iter().flat_map(|layouts| {
            layouts
                .layouts
                .iter()
                .flat_map(|layout| &layout.seated)
                .chain(&layouts.other_seats)
                .map(SeatCount::gpus_and_domains)
        });
        let pairs: BTreeSet<(u32, u32)> = match each.len() {
            1 => seats.collect(),
            _ => {
                let (used, domains): (BTreeSet<u32>, BTreeSet<u32>) = seats.unzip();
                used.iter().flat_map(|count| domains.iter().map(move |on| (*count, *on))).collect()
            }
        };
        let pairs: Vec<(u32, u32)> = pairs.into_iter().collect();
        let known =
            CheapestNetworks { tools, known: &mut self.networks, max_value: self.max_useful };
        let floors = candidate.lower_bounds_of_layouts(terms, &pairs, Some(known));
        self.floor_by_seats = pairs.into_iter().zip(floors).collect();
    }

    /// What no design of the candidate takes less of by the kernels of its workloads.
    fn bound_by_kernels(&self) -> f64 {
        if self.by_step {
            self.floor * kernel_step_bound_of_job(self.job).get()
        } else {
            self.floor
        }
    }

    /// As `bound_by_kernels`, where a workload, by number, sits in one of these ways; `None` where
    /// it takes too long in all.
    fn lower_bound_on_seats(&self, number: usize, seated: &[SeatCount]) -> Option<f64> {
        let within = seated.iter().filter(|count| count.min_step_time <= self.longest[number]);
        let each = within.map(|count| self.bound_at_step_time(&[(number, *count)]).0);
        each.reduce(f64::min)
    }

    /// As `lower_bound_on_seats`, where each of some workloads, the leading one first, runs a
    /// layout and sits in one of those ways, with the step then.
    fn bound_of_layouts(
        &self,
        team: &[WorkloadLayout<'_>],
        those: impl Fn(&SeatCount) -> bool,
    ) -> Option<(f64, Seconds)> {
        let ways: Vec<Vec<Option<SeatCount>>> = team
            .iter()
            .zip(&self.longest)
            .map(|(layout, longest)| {
                let within = layout
                    .seated
                    .iter()
                    .filter(|count| count.min_step_time <= *longest && those(count));
                let stated = layout.seated.is_empty().then_some(None);
                within.map(|count| Some(*count)).chain(stated).collect()
            })
            .collect();
        let of_way = |way: Vec<Option<SeatCount>>| {
            let known: Vec<(usize, SeatCount)> = way
                .into_iter()
                .enumerate()
                .filter_map(|(number, count)| Some((number, count?)))
                .collect();
            self.bound_at_step_time(&known)
        };
        let all = every_layout_combination(&ways).into_iter().map(of_way);
        all.reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)))
    }

    /// As `bound_of_layouts`, where some workloads, by number, sit so, with their step then, if the
    /// others take no longer than they have to.
    fn bound_at_step_time(&self, seated: &[(usize, SeatCount)]) -> (f64, Seconds) {
        let mut steps = self.steps.clone();
        for (number, count) in seated {
            steps[*number] = count.min_step_time;
        }
        let step = self.job.blend_step_times(&steps);
        let most = |read: fn(&SeatCount) -> u32| seated.iter().map(|(_, own)| read(own)).max();
        let seats = most(|count| count.used).zip(most(|count| count.domains));
        let on = seats.and_then(|pair| self.floor_by_seats.get(&pair)).copied();
        let floor = on.unwrap_or(self.floor).max(self.floor);
        (if self.by_step { floor * step.get() } else { floor }, step)
    }
}
