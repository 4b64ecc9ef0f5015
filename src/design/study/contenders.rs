//! Who may be on a frontier: every machine in its fastest layout, and in each slower one that is open. Sizes
//! nothing.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use crate::design::candidate::kept::{KeptLayout, Seated, kept};
use crate::design::candidate::layouts::{Pinned, PinnedLayout, are_open_beside_network};
use crate::design::candidate::list::{Candidate, of_machines};
use crate::design::candidate::looked_for::{are_alike, least_step, legal};
use crate::design::candidate::machine::Machine;
use crate::design::fabric::terms::{Terms, slowest};
use crate::scenario::Scenario;
use crate::units::Seconds;

/// Identities of jobs, from one layout of a machine to the next: more than it has candidates in one.
const EACH: usize = 1 << 10;

/// Likewise from one machine to the next: more than it has layouts that are kept.
const IDS: usize = EACH << 10;

/// A machine, in its fastest layout or the one that the spec states.
pub(super) struct Contender<'a> {
    /// With every number of planes, protocol, rank order and placement.
    pub(super) candidates: Vec<Candidate<'a>>,
    slower: OnceCell<Slower<'a>>,
    /// Jobs in other layouts have numbers from here on.
    first: usize,
}

/// The layouts of a machine that are no faster than its first one.
#[derive(Default)]
pub(super) struct Slower<'a> {
    /// The fastest ones.
    pub(super) layouts: Vec<InLayout<'a>>,
    /// Of all others.
    pub(super) rest: Vec<AtBest>,
    /// Layouts that break no rule.
    pub(super) looked_at: u64,
}

/// What no design takes less of, with the pace that none is below.
pub(super) type AtBest = (f64, Seconds);

/// A machine in another layout than its fastest one.
pub(super) struct InLayout<'a> {
    /// By where it may sit.
    pub(super) at_best: Vec<AtBest>,
    pinned: Pinned,
    first: usize,
    candidates: OnceCell<Vec<Candidate<'a>>>,
}

/// Machines with candidates, what takes least first; candidates of one stand together.
pub(super) fn contenders<'a>(
    candidates: Vec<Candidate<'a>>,
    terms: &Terms<'_>,
) -> Vec<Contender<'a>> {
    let mut all: Vec<Vec<Candidate<'a>>> = Vec::new();
    for candidate in candidates {
        match all.last_mut().filter(|own| own[0].job.machine == candidate.job.machine) {
            Some(own) => own.push(candidate),
            None => all.push(vec![candidate]),
        }
    }
    let floor = |own: &Vec<Candidate<'_>>| {
        own.iter().map(|of| of.floor(terms)).fold(f64::INFINITY, f64::min)
    };
    let mut all: Vec<(f64, Vec<Candidate<'a>>)> =
        all.into_iter().map(|own| (floor(&own), own)).collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let numbered = all.into_iter().enumerate();
    numbered
        .map(|(number, (_, candidates))| Contender {
            candidates,
            slower: OnceCell::new(),
            first: (number + 1) * IDS,
        })
        .collect()
}

impl<'a> Contender<'a> {
    pub(super) fn scenario(&self) -> &'a Scenario {
        self.candidates[0].job.scenario
    }

    pub(super) fn machine(&self) -> Machine<'a> {
        self.candidates[0].job.machine
    }

    /// What no design of it takes less of, and the pace that none is below, whatever layout runs.
    pub(super) fn least(&self, terms: &Terms<'_>) -> (f64, Seconds) {
        let (scenario, machine) = (self.scenario(), self.machine());
        let floors = self.candidates.iter().map(|of| of.floor_of_any_layout(terms, None));
        let floor = floors.fold(f64::INFINITY, f64::min);
        (floor, self.beside_others(least_step(scenario, &scenario.workload, machine)))
    }

    /// The pace of all workloads together where the leading one has so much at least: the others are no slower
    /// than they have to be.
    fn beside_others(&self, lead: Seconds) -> Seconds {
        let job = &self.candidates[0].job;
        let others = job.each().skip(1).map(|run| run.reference);
        job.blended(&std::iter::once(lead).chain(others).collect::<Vec<_>>())
    }

    /// The layouts beside its fastest one that are slower by no more than the scenario allows.
    pub(super) fn slower(&self, terms: &Terms<'_>) -> &Slower<'a> {
        self.slower.get_or_init(|| {
            let (scenario, machine) = (self.scenario(), self.machine());
            if !are_open_beside_network(scenario) {
                return Slower::default();
            }
            let lead = &self.candidates[0].job.lead;
            let longest = slowest(lead, terms);
            let found = kept(scenario, &scenario.workload, machine, longest);
            let all = found.layouts.iter().flat_map(|of| &of.seated).chain(&found.rest);
            let floors = self.floors_on(terms, all);
            let at_best = |seated: &[Seated]| -> Vec<AtBest> {
                let within = seated.iter().filter(|of| of.least <= longest);
                let floor = |of: &Seated| floors.get(&of.seats()).copied();
                within.filter_map(|of| Some((floor(of)?, self.beside_others(of.least)))).collect()
            };
            let in_layout = |(number, of): (usize, KeptLayout)| InLayout {
                at_best: at_best(&of.seated),
                pinned: Pinned::on(
                    machine,
                    vec![PinnedLayout { layout: of.layout, reference: lead.reference }],
                ),
                first: self.first + (number + 1) * EACH,
                candidates: OnceCell::new(),
            };
            let rest = at_best(&found.rest);
            let others = found.layouts.into_iter().enumerate();
            let others = others.filter(|(_, of)| !are_alike(lead.layout(), &of.layout));
            Slower {
                layouts: others.map(in_layout).filter(|of| !of.at_best.is_empty()).collect(),
                rest,
                looked_at: legal(scenario, &scenario.workload, machine),
            }
        })
    }

    /// What no design of it takes less of where ranks sit on so many GPUs of each of so many domains.
    fn floors_on<'s>(
        &self,
        terms: &Terms<'_>,
        seated: impl Iterator<Item = &'s Seated>,
    ) -> BTreeMap<(u32, u32), f64> {
        let seats: BTreeSet<(u32, u32)> = seated.map(Seated::seats).collect();
        let seats: Vec<(u32, u32)> = seats.into_iter().collect();
        let mut all: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        let mut known: Vec<&Candidate<'_>> = Vec::new();
        for candidate in &self.candidates {
            if known.iter().any(|of| of.is_alike(candidate)) {
                continue; // in another rank order or placement
            }
            known.push(candidate);
            for (on, floor) in seats.iter().zip(candidate.floors_on(terms, &seats, None)) {
                let least = all.entry(*on).or_insert(floor);
                *least = least.min(floor);
            }
        }
        all
    }

    /// What runs on it in another layout, with every number of planes, protocol, rank order and placement.
    pub(super) fn candidates_in<'s>(&self, layout: &'s InLayout<'a>) -> &'s [Candidate<'a>] {
        layout.candidates.get_or_init(|| {
            let numbered = (layout.first, NonZeroUsize::MIN);
            let machines = [self.machine()];
            let pinned = Some(&layout.pinned);
            of_machines(self.scenario(), &machines, pinned, (numbered, &|| false)).0
        })
    }
}
