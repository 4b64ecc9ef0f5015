//! The layouts of a machine that are kept where layout and network are chosen together, with what
//! their steps take at least on each number of GPUs of a domain that they may sit on. Sizes
//! nothing.

use std::collections::BTreeMap;

use super::standby::spare_gpus;
use crate::design::effort;
use crate::design::job::fleet::domain_count;
use crate::design::job::layout_search::{
    differ_in_order_only, divides_domains_evenly, fewer_layouts_for_large_clusters,
    gpus_to_search_on, search_layouts, search_layouts_within, with_rank_orders,
};
use crate::design::job::machine::Machine;
use crate::parallel::{Layout, LayoutRequest, Placement, RankGrid, Seats};
use crate::scenario::{Minimize, Scenario, Workload};
use crate::search::{RankBy, RankingRequest};
use crate::technique::Recipe;
use crate::units::Seconds;

/// A number of GPUs of each domain that ranks sit on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeatCount {
    pub(crate) used: u32,
    /// HB domains of the cluster.
    pub(crate) domains: u32,
    /// What no step takes less than there, without a network that blocks.
    pub(crate) min_step_time: Seconds,
    /// One takes so long; false where that is a bound.
    pub(crate) timed: bool,
}

impl SeatCount {
    /// GPUs of each domain, and the domains.
    pub(crate) const fn gpus_and_domains(&self) -> (u32, u32) {
        (self.used, self.domains)
    }
}

/// A layout that is kept.
#[derive(Clone, Debug)]
pub(crate) struct KeptLayout {
    pub(crate) layout: Layout,
    /// Wherever it may sit, in any rank order that is open.
    pub(crate) seated: Vec<SeatCount>,
}

impl KeptLayout {
    /// What no step of it takes less than, wherever it sits.
    pub(crate) fn step_time_lower_bound(&self) -> Seconds {
        self.seated.iter().map(|count| count.min_step_time).fold(Seconds::ENDLESS, Seconds::min)
    }
}

/// The best layouts of a workload on a machine, however they are seated.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptLayouts {
    /// The fastest first. None where nothing is open.
    pub(crate) layouts: Vec<KeptLayout>,
    /// Where others may sit; nowhere where all are kept.
    pub(crate) other_seats: Vec<SeatCount>,
}

/// The best layouts of what a workload leaves open on a machine: by step time; where a token is to
/// be cheap and seats differ, by the domains that they take times the step. Those with a longer
/// step than that are of no use.
pub(crate) fn keep_best_layouts(
    scenario: &Scenario,
    workload: &Workload,
    machine: Machine<'_>,
    longest: Seconds,
) -> KeptLayouts {
    let workload = workload.for_product(machine.node);
    if !workload.layout.is_open() {
        return KeptLayouts::default();
    }
    let ranks = gpus_to_search_on(scenario, workload, machine);
    let sites = SeatOptions { scenario, machine, ranks };
    let lists: Vec<RankedLayouts> = sites.rank_layouts_by_seats(workload, longest);
    let mut layouts: Vec<KeptLayout> = Vec::new();
    for layout in
        lists.iter().flat_map(|ranked_layouts| &ranked_layouts.best).map(|(_, layout)| layout)
    {
        if !layouts.iter().any(|known| differ_in_order_only(&known.layout, layout)) {
            let seated = sites.seats_of_layout(layout, &workload.layout, &lists);
            layouts.push(KeptLayout { layout: layout.clone(), seated });
        }
    }
    layouts.sort_by(|one, other| {
        one.step_time_lower_bound().total_cmp(&other.step_time_lower_bound())
    });
    KeptLayouts { layouts, other_seats: sites.seats_of_unlisted_layouts(&lists) }
}

/// So many times as long are lists of uneven seats: most layouts sit well on some of them alone.
const UNEVEN: usize = 8;

/// The best layouts on seats of one kind.
struct RankedLayouts {
    seats: Seats,
    ranked_by: RankBy,
    /// Each with its pace, the best first.
    best: Vec<(Seconds, Layout)>,
    /// What no layout that is not listed is ranked below; `None` where all are listed.
    unlisted_bound: Option<Seconds>,
}

impl RankedLayouts {
    /// What a step of a layout takes at least on so many domains, and true where it was timed;
    /// `None` where it has no such seats. In another rank order it may be listed with another pace,
    /// or not at all.
    fn layout_step_lower_bound(&self, layout: &Layout, domains: u32) -> Option<(Seconds, bool)> {
        let own = self
            .best
            .iter()
            .filter(|(_, other_layout)| differ_in_order_only(other_layout, layout))
            .map(|(pace, _)| *pace);
        let (own, others) =
            (own.reduce(Seconds::min), self.unlisted_step_time_lower_bound(domains));
        match (own, others) {
            (Some(own), others) => {
                let least = others.map_or(own, |others| others.min(own));
                Some((least, least == own))
            }
            (None, others) => Some((others?, false)),
        }
    }

    /// As `layout_step_lower_bound`, of any that is not listed.
    fn unlisted_step_time_lower_bound(&self, domains: u32) -> Option<Seconds> {
        let rest = self.unlisted_bound?;
        Some(match self.ranked_by {
            RankBy::StepTime => rest,
            RankBy::UsdPerToken => rest / f64::from(domains.max(1)),
        })
    }
}

/// The seats of layouts on a machine that have so many ranks.
struct SeatOptions<'a> {
    scenario: &'a Scenario,
    machine: Machine<'a>,
    ranks: u32,
}

impl SeatOptions<'_> {
    /// The best layouts on seats of each kind that may be chosen.
    fn rank_layouts_by_seats(&self, workload: &Workload, longest: Seconds) -> Vec<RankedLayouts> {
        let Self { scenario, machine, .. } = *self;
        let even = divides_domains_evenly(scenario, machine);
        // A layout that is in no list of its seats is bounded by the last one there.
        let top = if even {
            effort::LAYOUTS_LISTED
        } else {
            fewer_layouts_for_large_clusters(
                UNEVEN * effort::LAYOUTS_LISTED,
                effort::ALL_LISTED_UP_TO,
                scenario,
            )
            .max(1)
        };
        let mut kinds = vec![Seats::Even];
        if !even {
            kinds.push(Seats::Most);
        }
        kinds.extend(self.spare_gpu_counts().into_iter().map(Seats::Sparing));
        let by = match scenario.objective.minimize {
            Minimize::UsdPerToken if kinds.len() > 1 => RankBy::UsdPerToken,
            _ => RankBy::StepTime,
        };
        // The pace of a run with phases is not its step.
        let in_phases = Recipe::from_workload(workload).has_phases();
        let longest_step = if in_phases { Seconds::ENDLESS } else { longest };
        // Where the fastest one lies beyond what was measured, so may others.
        let beyond =
            search_layouts(scenario, workload, machine, RankingRequest::FASTEST, Seats::Even)
                .is_ok_and(|layouts| layouts.is_beyond());
        let list = |seats: Seats| {
            let wanted = RankingRequest { top, by };
            let layouts = if beyond {
                search_layouts(scenario, workload, machine, wanted, seats)
            } else {
                search_layouts_within(scenario, workload, machine, wanted, seats, longest_step)
            };
            let layouts = layouts.ok()?;
            let best = layouts.found.best;
            let last = best.last().filter(|_| best.len() >= top);
            let rest = last.map(|layout| match by {
                RankBy::StepTime => layout.pace,
                RankBy::UsdPerToken => layout.pace * f64::from(layout.domains),
            });
            let best = best.into_iter().map(|layout| (layout.pace, layout.layout)).collect();
            Some(RankedLayouts { seats, ranked_by: by, best, unlisted_bound: rest })
        };
        kinds.into_iter().filter_map(list).collect()
    }

    /// Blocks of ranks that no border of a domain may cut.
    fn uncut_rank_blocks(&self) -> impl Iterator<Item = u32> {
        let ranks = self.ranks;
        (1..=self.machine.node.gpus).filter(move |block| ranks.is_multiple_of(*block))
    }

    /// GPUs that some layout leaves to spare by the rule for that.
    fn spare_gpu_counts(&self) -> Vec<u32> {
        let all = self.machine.node.gpus;
        let of_blocks = |block: u32| {
            let used = |spare: u32| gpus_in_whole_blocks(all, block, spare);
            spare_gpus(self.scenario, self.machine, self.ranks, &used)
        };
        let mut each: Vec<u32> = self.uncut_rank_blocks().flat_map(of_blocks).collect();
        each.sort_unstable();
        each.dedup();
        each
    }

    /// Where a layout may sit, in any rank order that is open.
    fn seats_of_layout(
        &self,
        layout: &Layout,
        request: &LayoutRequest,
        lists: &[RankedLayouts],
    ) -> Vec<SeatCount> {
        let node = self.machine.node;
        let mut least: BTreeMap<u32, (Seconds, bool)> = BTreeMap::new();
        for ordered in with_rank_orders(layout.clone(), request.order) {
            let Some(grid) = RankGrid::new(&ordered) else { continue };
            // The same seats, whatever they are called.
            let mut own: BTreeMap<u32, (Seconds, bool)> = BTreeMap::new();
            for list in lists {
                let used = Placement::place_groups_whole(&grid, node.gpus, node.nics, list.seats)
                    .used_gpus_per_domain();
                if let Some(known) =
                    list.layout_step_lower_bound(layout, grid.ranks().div_ceil(used))
                {
                    let most = own.entry(used).or_insert(known);
                    *most = if known.0 > most.0 { known } else { *most };
                }
            }
            for (used, known) in own {
                let pair = least.entry(used).or_insert(known);
                *pair = if known.0 < pair.0 { known } else { *pair };
            }
        }
        least.into_iter().map(|(used, known)| self.seat_count(used, known.0, known.1)).collect()
    }

    /// Where layouts that are in no list may sit.
    fn seats_of_unlisted_layouts(&self, lists: &[RankedLayouts]) -> Vec<SeatCount> {
        let of_list = |list: &RankedLayouts| -> Vec<SeatCount> {
            let each = self.used_gpu_counts(list.seats).into_iter();
            each.filter_map(|used| {
                Some(self.seat_count(
                    used,
                    list.unlisted_step_time_lower_bound(self.ranks.div_ceil(used))?,
                    false,
                ))
            })
            .collect()
        };
        lists.iter().flat_map(of_list).collect()
    }

    /// Numbers of GPUs that seats of a kind may take. Where no number is cut evenly, seats are
    /// those of [`Seats::Most`].
    fn used_gpu_counts(&self, seats: Seats) -> Vec<u32> {
        let all = self.machine.node.gpus;
        let beside = |spare: u32| {
            self.uncut_rank_blocks().map(move |block| gpus_in_whole_blocks(all, block, spare))
        };
        let mut each: Vec<u32> = match seats {
            Seats::Even if divides_domains_evenly(self.scenario, self.machine) => vec![all],
            Seats::Even => self.uncut_rank_blocks().filter(|used| *used > all / 2).collect(),
            Seats::Most => beside(0).collect(),
            Seats::Sparing(spare) => beside(spare).collect(),
        };
        each.sort_unstable();
        each.dedup();
        each
    }

    fn seat_count(&self, used: u32, least: Seconds, timed: bool) -> SeatCount {
        let domains = domain_count(self.scenario, self.machine, self.ranks, used);
        SeatCount { used: used.min(self.ranks), domains, min_step_time: least, timed }
    }
}

/// GPUs of a domain that whole blocks of ranks take beside so many to spare; a block that has no
/// room beside them leaves none.
fn gpus_in_whole_blocks(all: u32, block: u32, spare: u32) -> u32 {
    let count = (all - spare) / block;
    (if count == 0 { all / block } else { count }) * block
}
