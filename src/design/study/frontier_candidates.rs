//! Which candidates may be on a frontier, and which are known to be.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use crate::design::candidate::candidates::{Candidate, ListingRun, list_candidates_on_machines};
use crate::design::candidate::kept_layouts::{KeptLayout, SeatCount, keep_best_layouts};
use crate::design::candidate::layouts::{PinnedLayout, PinnedLayouts, has_open_layouts};
use crate::design::columns::terms::{Terms, max_allowed_step_time};
use crate::design::job::layout_search::{
    count_legal_layouts, differ_in_order_only, kernel_step_bound,
};
use crate::design::job::machine::Machine;
use crate::scenario::Scenario;
use crate::units::Seconds;

/// Identities of jobs, from one layout of a machine to the next: more than it has candidates in
/// one.
const EACH: usize = 1 << 10;

/// As `EACH`, from one machine to the next: more than it has layouts that are kept.
const IDS: usize = EACH << 10;

/// A machine, in its fastest layout or the one that the spec states.
pub(super) struct FrontierCandidate<'a> {
    /// With every number of planes, protocol, rank order and placement.
    pub(super) candidates: Vec<Candidate<'a>>,
    slower: OnceCell<SlowerLayouts<'a>>,
    /// Jobs in other layouts have numbers from here on.
    first: usize,
}

/// The layouts of a machine that are no faster than its first one.
#[derive(Default)]
pub(super) struct SlowerLayouts<'a> {
    pub(super) layouts: Vec<InLayout<'a>>,
    pub(super) rest: Vec<BestCase>,
    /// Layouts that break no rule.
    pub(super) looked_at: u64,
}

/// What no design takes less of, with the pace that none is below.
pub(super) type BestCase = (f64, Seconds);

/// A machine in another layout than its fastest one.
pub(super) struct InLayout<'a> {
    /// By where it may sit.
    pub(super) at_best: Vec<BestCase>,
    pinned: PinnedLayouts,
    first: usize,
    candidates: OnceCell<Vec<Candidate<'a>>>,
}

/// Machines with candidates, what takes least first; candidates of one stand together.
pub(super) fn frontier_candidates<'a>(
    candidates: Vec<Candidate<'a>>,
    terms: &Terms<'_>,
) -> Vec<FrontierCandidate<'a>> {
    let mut all: Vec<Vec<Candidate<'a>>> = Vec::new();
    for candidate in candidates {
        match all.last_mut().filter(|own| own[0].job.machine == candidate.job.machine) {
            Some(own) => own.push(candidate),
            None => all.push(vec![candidate]),
        }
    }
    let floor = |own: &Vec<Candidate<'_>>| {
        own.iter()
            .map(|other_candidate| other_candidate.lower_bound(terms))
            .fold(f64::INFINITY, f64::min)
    };
    let mut all: Vec<(f64, Vec<Candidate<'a>>)> =
        all.into_iter().map(|own| (floor(&own), own)).collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let numbered = all.into_iter().enumerate();
    numbered
        .map(|(number, (_, candidates))| FrontierCandidate {
            candidates,
            slower: OnceCell::new(),
            first: (number + 1) * IDS,
        })
        .collect()
}

impl<'a> FrontierCandidate<'a> {
    pub(super) fn scenario(&self) -> &'a Scenario {
        self.candidates[0].job.scenario
    }

    pub(super) fn machine(&self) -> Machine<'a> {
        self.candidates[0].job.machine
    }

    /// What no design of it takes less of, and the pace that none is below, whatever layout runs.
    pub(super) fn lower_bounds(&self, terms: &Terms<'_>) -> (f64, Seconds) {
        let (scenario, machine) = (self.scenario(), self.machine());
        let floors = self
            .candidates
            .iter()
            .map(|candidate| candidate.lower_bound_for_any_layout(terms, None));
        let floor = floors.fold(f64::INFINITY, f64::min);
        let kernels = kernel_step_bound(scenario, scenario.lead_workload(), machine);
        (floor, self.pace_of_all_workloads(kernels))
    }

    /// The pace of all workloads together where the leading one has so much at least: the others
    /// are no slower than they have to be.
    fn pace_of_all_workloads(&self, lead: Seconds) -> Seconds {
        let job = &self.candidates[0].job;
        let others = job.one_run_per_workload().skip(1).map(|run| run.reference);
        job.blend_step_times(&std::iter::once(lead).chain(others).collect::<Vec<_>>())
    }

    /// The layouts beside its fastest one that are slower by no more than the scenario allows.
    pub(super) fn slower_layouts(&self, terms: &Terms<'_>) -> &SlowerLayouts<'a> {
        self.slower.get_or_init(|| {
            let (scenario, machine) = (self.scenario(), self.machine());
            if !has_open_layouts(scenario) {
                return SlowerLayouts::default();
            }
            let lead = &self.candidates[0].job.lead_run();
            let longest = max_allowed_step_time(lead, terms);
            let found = keep_best_layouts(scenario, scenario.lead_workload(), machine, longest);
            let all = found
                .layouts
                .iter()
                .flat_map(|kept_layout| &kept_layout.seated)
                .chain(&found.other_seats);
            let floors = self.floors_on(terms, all);
            let at_best = |seated: &[SeatCount]| -> Vec<BestCase> {
                let within = seated.iter().filter(|count| count.min_step_time <= longest);
                let floor = |count: &SeatCount| floors.get(&count.gpus_and_domains()).copied();
                within
                    .filter_map(|count| {
                        Some((floor(count)?, self.pace_of_all_workloads(count.min_step_time)))
                    })
                    .collect()
            };
            let in_layout = |(number, kept_layout): (usize, KeptLayout)| InLayout {
                at_best: at_best(&kept_layout.seated),
                pinned: PinnedLayouts::for_machine(
                    machine,
                    vec![PinnedLayout { layout: kept_layout.layout, reference: lead.reference }],
                ),
                first: self.first + (number + 1) * EACH,
                candidates: OnceCell::new(),
            };
            let rest = at_best(&found.other_seats);
            let others = found.layouts.into_iter().enumerate();
            let others = others.filter(|(_, kept_layout)| {
                !differ_in_order_only(lead.layout(), &kept_layout.layout)
            });
            SlowerLayouts {
                layouts: others
                    .map(in_layout)
                    .filter(|other_layout| !other_layout.at_best.is_empty())
                    .collect(),
                rest,
                looked_at: count_legal_layouts(scenario, scenario.lead_workload(), machine),
            }
        })
    }

    /// What no design of it takes less of where ranks sit on so many GPUs of each of so many
    /// domains.
    fn floors_on<'s>(
        &self,
        terms: &Terms<'_>,
        seated: impl Iterator<Item = &'s SeatCount>,
    ) -> BTreeMap<(u32, u32), f64> {
        let seats: BTreeSet<(u32, u32)> = seated.map(SeatCount::gpus_and_domains).collect();
        let seats: Vec<(u32, u32)> = seats.into_iter().collect();
        let mut all: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        let mut known: Vec<&Candidate<'_>> = Vec::new();
        for candidate in &self.candidates {
            if known.iter().any(|other_candidate| other_candidate.is_alike(candidate)) {
                continue; // in another rank order or placement
            }
            known.push(candidate);
            for (on, floor) in
                seats.iter().zip(candidate.lower_bounds_of_layouts(terms, &seats, None))
            {
                let least = all.entry(*on).or_insert(floor);
                *least = least.min(floor);
            }
        }
        all
    }

    /// What runs on it in another layout, with every number of planes, protocol, rank order and
    /// placement.
    pub(super) fn candidates_in<'s>(&self, layout: &'s InLayout<'a>) -> &'s [Candidate<'a>] {
        layout.candidates.get_or_init(|| {
            let run = ListingRun::new(layout.first, NonZeroUsize::MIN);
            let machines = [self.machine()];
            let pinned = Some(&layout.pinned);
            list_candidates_on_machines(self.scenario(), &machines, pinned, run).0
        })
    }
}

/// Designs whose step is shorter than that of a cheaper one of the frontier by less than this share
/// may be left out, but for the fastest of a candidate: no clock is that exact, and there are
/// thousands of them.
pub const LEAST_GAIN: f64 = 1e-3;

/// Costs and steps, cheapest first, each with a shorter step than the one before it.
#[derive(Default)]
pub(super) struct KnownFront(Vec<FrontPoint>);

struct FrontPoint {
    value: f64,
    step: Seconds,
}

impl KnownFront {
    /// Adds a design, unless one that is known beats it.
    pub(super) fn add(&mut self, value: f64, step: Seconds) {
        if self.has_dominating_design(value, step) {
            return;
        }
        let place = self.0.partition_point(|known| known.value < value);
        self.0.insert(place, FrontPoint { value, step });
        let mut kept = 0;
        self.0.retain(|known| {
            kept += 1;
            kept <= place + 1 || known.step < step
        });
    }

    /// True where a known design is no dearer and has no longer step.
    pub(super) fn has_dominating_design(&self, value: f64, step: Seconds) -> bool {
        self.step_at(value) <= step
    }

    /// The shortest step of those that cost no more.
    pub(super) fn step_at(&self, value: f64) -> Seconds {
        let count = self.0.partition_point(|known| known.value <= value);
        count.checked_sub(1).map_or(Seconds::ENDLESS, |last| self.0[last].step)
    }

    /// The least cost of those that have no longer step; infinite where none has.
    pub(super) fn value_at(&self, step: Seconds) -> f64 {
        let first = self.0.iter().find(|known| known.step <= step);
        first.map_or(f64::INFINITY, |known| known.value)
    }
}

#[cfg(test)]
mod tests {
    use super::KnownFront;
    use crate::units::Seconds;

    #[test]
    fn designs_that_another_beats_are_no_part_of_it() {
        let mut front = KnownFront::default();
        for (value, step) in [(5.0, 2.0), (3.0, 4.0), (4.0, 5.0), (4.0, 2.0), (6.0, 1.0)] {
            front.add(value, Seconds::from_f64(step));
        }
        let known: Vec<(f64, f64)> =
            front.0.iter().map(|point| (point.value, point.step.get())).collect();
        assert_eq!(known, [(3.0, 4.0), (4.0, 2.0), (6.0, 1.0)]);
        assert_eq!(front.step_at(5.0), Seconds::from_f64(2.0));
        assert_eq!(front.value_at(Seconds::from_f64(3.0)), 4.0);
        assert!(front.has_dominating_design(4.0, Seconds::from_f64(2.0)));
        assert!(!front.has_dominating_design(2.0, Seconds::from_f64(9.0)));
        assert!(!front.has_dominating_design(9.0, Seconds::from_f64(0.5)));
    }
}
