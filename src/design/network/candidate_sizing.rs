//! Lower bounds of candidates, and candidates sized in the order of these.

use super::best_network::{CheapestNetworks, size_network};
use super::program::{ProgramInstance, SizingTools};
use super::sized_fabric::{SizedFabric, is_preferred};
use crate::design::candidate::candidates::{Candidate, sort_ascending};
use crate::design::candidate::layouts::has_uniform_placement;
use crate::design::candidate::machine_cost::cost_of_machines;
use crate::design::candidate::standby::{
    candidate_goodput_upper_bound, min_step_time_over_goodput,
};
use crate::design::columns::context::min_endpoint_cost;
use crate::design::columns::terms::{Demand, Terms};
use crate::design::job::fleet::{Fleet, broken_domains_of_fleet};
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::design::job::layout_search::min_rank_count;
use crate::reliability::Standby;
use crate::scenario::Minimize;
use crate::sizing::DesignProgress;
use crate::units::{ROUNDING, Seconds};

impl Candidate<'_> {
    /// Its best fabric.
    ///
    /// # Errors
    /// Why it has none.
    pub(crate) fn size_network(
        &self,
        terms: &Terms<'_>,
        tools: &mut SizingTools<'_>,
    ) -> Result<SizedFabric, Infeasible> {
        let terms = Terms { protocol: self.protocol, ..*terms };
        size_network(&self.job, self.planes, &terms, tools)
    }

    /// True where its machines alone take more of a quantity than those minimised before leave to
    /// it.
    fn breaks_caps(&self, terms: &Terms<'_>) -> bool {
        let floor = |quantity| self.lower_bound(&Terms { minimize: quantity, ..*terms });
        let mut caps = terms.caps.caps_independent_of_step_time();
        caps.any(|(quantity, most)| floor(quantity) > most * (1.0 + ROUNDING))
    }
}

/// Designs whose objective lies within this share of the best one's count as ties.
pub(crate) const TIE: f64 = 0.005;

/// What designs may take that are of use where that one is known. Terms are kept as if the most of
/// the time trained: where less does on it, what ties with it is below that already.
pub(crate) fn useful_value_limit(best: &SizedFabric) -> f64 {
    best.value * ((1.0 + TIE) * best.of_most).max(1.0)
}

/// What came of sizing candidates.
pub(crate) struct SizedCandidates<'a> {
    /// Those that can be built and that are best, tie with the best, or came before that was known,
    /// in the order of all.
    pub(crate) entries: Vec<SizedCandidate<'a>>,
    /// Those of which neither a design nor a proof that there is none was found, by place, with
    /// what they take at least; the first of those that were not sized any more among them.
    pub(crate) unproven: Vec<(usize, f64)>,
    /// Candidates that are settled: all, where nobody ended it before.
    pub(crate) settled: usize,
    /// The furthest failure of one that was tried.
    pub(crate) failed: Option<Infeasible>,
}

/// Sizes candidates.
///
/// They are sized in the order of what they take at least, up to the first that can't tie with the
/// best whatever its network: of the others each is worse. Where the best so far is enough, no more
/// are sized after the first.
pub(crate) fn size_candidates<'a>(
    all: &[Candidate<'a>],
    mut failed: Option<Infeasible>,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> SizedCandidates<'a> {
    let order = sort_by_lower_bound(all, 0..all.len(), terms);
    let mut entries: Vec<SizedCandidate<'a>> = Vec::new();
    let mut unproven = Vec::new();
    let mut best = f64::INFINITY;
    let mut useful = f64::INFINITY;
    let mut settled = all.len();
    for (number, (least, place)) in order.iter().copied().enumerate() {
        if least > useful {
            break;
        }
        if number > 0 && tools.is_stopped() {
            // No later one takes less.
            unproven.push((place, least));
            settled = number;
            break;
        }
        if all[place].breaks_caps(terms) {
            failed = Some(Infeasible::pick_further(failed, Infeasible::Dearer));
            continue;
        }
        // Of the others only those count that may tie with the best; with other machines on standby
        // than one that is known, only those that are better.
        let is_sibling =
            entries.iter().any(|candidate| all[candidate.place].is_same_but_standby(&all[place]));
        let most = if is_sibling { best } else { useful };
        if least > most {
            continue;
        }
        let asked = if best.is_finite() { terms.with_value_limit(most) } else { *terms };
        match all[place].size_network(&asked, tools) {
            Ok(sized) => {
                if sized.value < best {
                    best = sized.value;
                    useful = self::useful_value_limit(&sized);
                }
                entries.push(SizedCandidate { place, job: all[place].job.clone(), sized });
            }
            Err(reason) => {
                if reason.leaves_open() {
                    unproven.push((place, least));
                }
                failed = Some(Infeasible::pick_further(failed, reason));
            }
        }
        tools.report_design_progress(|| {
            let next = order.get(number + 1).map_or(f64::INFINITY, |(least, _)| *least);
            let of_sized = entries.iter().map(|entry| entry.sized.bound);
            let bound = of_sized.chain(unproven.iter().map(|pair| pair.1)).fold(next, f64::min);
            let best = self::best_entry(&entries).map(|best| &entries[best]);
            let best = best.map(|candidate| {
                all[candidate.place].best_so_far(terms.minimize, candidate.sized.value, bound)
            });
            let (done, all) = (number as u64 + 1, all.len() as u64);
            DesignProgress { done, all, best }
        });
    }
    entries.sort_by_key(|entry| entry.place);
    SizedCandidates { entries, unproven, settled, failed }
}

/// Some candidates by place, what takes least first, each with [that](Candidate::lower_bound).
pub(crate) fn sort_by_lower_bound(
    all: &[Candidate<'_>],
    some: impl Iterator<Item = usize>,
    terms: &Terms<'_>,
) -> Vec<(f64, usize)> {
    sort_ascending(some, |place| all[place].lower_bound(terms))
}

/// A candidate with its answer.
#[derive(Clone)]
pub(crate) struct SizedCandidate<'a> {
    pub(crate) place: usize,
    pub(crate) job: Job<'a>,
    pub(crate) sized: SizedFabric,
}

/// Candidates of which no two differ in machines on standby alone, with their entries and the
/// number of the best one: of several the best entry, else the best that is sized, else what takes
/// least whatever its network.
pub(crate) fn drop_standby_siblings<'a>(
    all: &[Candidate<'a>],
    entries: &[SizedCandidate<'a>],
    best: usize,
    terms: &Terms<'_>,
) -> (Vec<Candidate<'a>>, Vec<SizedCandidate<'a>>, usize) {
    let rank = |place: usize| {
        let own = entries
            .iter()
            .filter(|candidate| candidate.place == place)
            .map(|candidate| candidate.sized.value);
        let sized = own.fold(f64::INFINITY, f64::min);
        (entries[best].place != place, sized, all[place].lower_bound(terms))
    };
    let before = |one: (bool, f64, f64), other: (bool, f64, f64)| {
        let values = || one.1.total_cmp(&other.1).then(one.2.total_cmp(&other.2));
        one.0.cmp(&other.0).then_with(values).is_lt()
    };
    let mut kept: Vec<usize> = Vec::new();
    for place in 0..all.len() {
        match kept.iter_mut().find(|known| all[**known].is_same_but_standby(&all[place])) {
            Some(known) if before(rank(place), rank(*known)) => *known = place,
            Some(_) => {}
            None => kept.push(place),
        }
    }
    kept.sort_unstable();
    let mut own_entries = Vec::new();
    let mut own_best = 0;
    for (number, entry) in entries.iter().enumerate() {
        if let Ok(place) = kept.binary_search(&entry.place) {
            own_best = if number == best { own_entries.len() } else { own_best };
            own_entries.push(SizedCandidate { place, ..entry.clone() });
        }
    }
    (kept.into_iter().map(|place| all[place].clone()).collect(), own_entries, own_best)
}

/// Place of the best entry; of equal ones the first.
pub(crate) fn best_entry(entries: &[SizedCandidate<'_>]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (place, entry) in entries.iter().enumerate() {
        if best.is_none_or(|known| is_preferred(&entry.sized, &entries[known].sized)) {
            best = Some(place);
        }
    }
    best
}

/// A step to which what a candidate takes by any layout is told: of cost per token it grows with
/// the step.
const SECOND: Seconds = Seconds::from_f64(1.0);

impl Candidate<'_> {
    /// What no design of it takes less of: its machines, and of a network a link and a port for
    /// each interface in every plane; for cost per token with steps as on a network that never
    /// blocks, of which nothing fails but NICs and their links.
    pub(crate) fn lower_bound(&self, terms: &Terms<'_>) -> f64 {
        let step = match terms.minimize {
            Minimize::UsdPerToken => min_step_time_over_goodput(&self.job, self.planes),
            Minimize::Capex | Minimize::Tco | Minimize::Power => {
                self.job.full_bisection_step_time()
            }
        };
        self.with_cheapest_network(terms, None, |least_of| least_of(&self.job.fleet(), step))
    }

    /// As `lower_bound`, whatever layouts its workloads run: hosts have the memory that ships, and
    /// a NIC that lost a port may keep all of the pace. Of cost per token what it is for each
    /// second of a step without a network that blocks.
    pub(crate) fn lower_bound_for_any_layout(
        &self,
        terms: &Terms<'_>,
        networks: Option<CheapestNetworks<'_, '_>>,
    ) -> f64 {
        let (scenario, machine) = (self.job.scenario, self.job.machine);
        self.with_cheapest_network(terms, networks, |least_of| {
            if has_uniform_placement(scenario, machine) {
                return self.with_any_on_standby(self.job.fleet(), terms, least_of);
            }
            let mut least = f64::INFINITY;
            for fleet in
                Fleet::options_by_spare_trays(scenario, machine, min_rank_count(scenario, machine))
            {
                // More domains cost more, and none trains more than all of the time.
                if least_of(&fleet, SECOND) >= least {
                    break;
                }
                least = least.min(self.with_any_on_standby(fleet, terms, least_of));
            }
            least
        })
    }

    /// As `lower_bound`, where ranks sit on so many GPUs of each of so many domains, for each such
    /// pair.
    pub(crate) fn lower_bounds_of_layouts(
        &self,
        terms: &Terms<'_>,
        seats: &[(u32, u32)],
        networks: Option<CheapestNetworks<'_, '_>>,
    ) -> Vec<f64> {
        let (scenario, machine) = (self.job.scenario, self.job.machine);
        self.with_cheapest_network(terms, networks, |least_of| {
            let on = |(used, domains): &(u32, u32)| {
                if has_uniform_placement(scenario, machine) {
                    return self.with_any_on_standby(self.job.fleet(), terms, least_of);
                }
                let (used, domains) = (*used, *domains);
                let fleet = Fleet {
                    scenario,
                    machine,
                    domains,
                    standby: Standby::NONE,
                    used,
                    host_memory: 0,
                };
                self.with_any_on_standby(fleet, terms, least_of)
            };
            seats.iter().map(on).collect()
        })
    }

    /// Where as many stand by as make the least of it, with ports or without.
    fn with_any_on_standby(
        &self,
        fleet: Fleet<'_>,
        terms: &Terms<'_>,
        least_of: &mut dyn FnMut(&Fleet<'_>, Seconds) -> f64,
    ) -> f64 {
        if terms.minimize != Minimize::UsdPerToken {
            return self.lower_bound_by_goodput(fleet, least_of);
        }
        let mut least = f64::INFINITY;
        for wired in fleet.options_by_standby(broken_domains_of_fleet(&fleet)) {
            let cold = Fleet { standby: Standby::new_cold(wired.standby.domains), ..wired };
            least = least
                .min(self.lower_bound_by_goodput(wired, least_of))
                .min(self.lower_bound_by_goodput(cold, least_of));
        }
        least
    }

    /// Of the share of the time that trains on any network.
    fn lower_bound_by_goodput(
        &self,
        fleet: Fleet<'_>,
        least_of: &mut dyn FnMut(&Fleet<'_>, Seconds) -> f64,
    ) -> f64 {
        let fleet = Fleet { host_memory: 0, ..fleet };
        least_of(&fleet, SECOND / candidate_goodput_upper_bound(&fleet, self.planes, 1.0))
    }

    /// What is said of the least that machines take with the least network for their interfaces, in
    /// steps that are no shorter than that.
    fn with_cheapest_network<T>(
        &self,
        terms: &Terms<'_>,
        mut networks: Option<CheapestNetworks<'_, '_>>,
        say: impl FnOnce(&mut dyn FnMut(&Fleet<'_>, Seconds) -> f64) -> T,
    ) -> T {
        let (job, planes) = (&self.job, self.planes);
        let terms = Terms { protocol: self.protocol, ..*terms };
        let instance = ProgramInstance::new(job, planes, &terms, Demand::from_terms(job, &terms));
        let context = instance.column_context(job, planes, &terms);
        say(&mut |fleet, step| {
            let interfaces =
                u64::from(fleet.networked_domains()) * u64::from(fleet.machine.node.nics);
            let machines = cost_of_machines(fleet);
            let network = min_endpoint_cost(&context, interfaces);
            let least = machines.value_lower_bound(terms.minimize, network, step);
            match networks
                .as_mut()
                .filter(|known| known.max_value.is_finite() && least < known.max_value)
            {
                Some(known) => {
                    let cheapest = known.min_cost_to_join(fleet.networked_domains(), self, &terms);
                    least.max(machines.value_lower_bound(terms.minimize, cheapest, step))
                }
                None => least,
            }
        })
    }
}
