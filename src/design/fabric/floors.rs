//! What no design of a candidate takes less of, before any network is sized for it.

use std::collections::BTreeMap;

use super::caps::ObjectiveCaps;
use super::context::ColumnContext;
use super::instance::{ProgramInstance, SizingTools};
use super::market::min_endpoint_cost;
use super::terms::{Demand, Terms};
use super::within::cheapest_within_step_time;
use crate::design::candidate::breakdowns::broken_domains_of_fleet;
use crate::design::candidate::faults::{candidate_goodput_upper_bound, min_step_time_over_goodput};
use crate::design::candidate::fleet::Fleet;
use crate::design::candidate::job::Job;
use crate::design::candidate::layouts::has_uniform_placement;
use crate::design::candidate::list::Candidate;
use crate::design::candidate::looked_for::min_rank_count;
use crate::design::candidate::money::cost_of_machines;
use crate::reliability::Standby;
use crate::scenario::{Limits, Minimize};
use crate::units::{Seconds, Usd};

/// More than the identity of any job of a design.
const LARGEST_ID: usize = 1 << 44;

/// A step to which what a candidate takes by any layout is told: of cost per token it grows with the step.
const SECOND: Seconds = Seconds::from_f64(1.0);

impl Candidate<'_> {
    /// What no design of it takes less of: its machines, and of a network a link and a port for each
    /// interface in every plane; for cost per token with steps as on a network that never blocks, of which
    /// nothing fails but NICs and their links.
    pub(crate) fn lower_bound(&self, terms: &Terms<'_>) -> f64 {
        let step = match terms.minimize {
            Minimize::UsdPerToken => min_step_time_over_goodput(&self.job, self.planes),
            Minimize::Capex | Minimize::Tco | Minimize::Power => {
                self.job.full_bisection_step_time()
            }
        };
        self.with_cheapest_network(terms, None, |least_of| least_of(&self.job.fleet(), step))
    }

    /// Likewise whatever layouts its workloads run: hosts have the memory that ships, and a NIC that lost a port
    /// may keep all of the pace. Of cost per token what it is for each second of a step without a network that
    /// blocks.
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

    /// Likewise where ranks sit on so many GPUs of each of so many domains, for each such pair.
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

    /// What is said of the least that machines take with the least network for their interfaces, in steps that
    /// are no shorter than that.
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
            match networks.as_mut().filter(|known| known.most.is_finite() && least < known.most) {
                Some(known) => {
                    let cheapest = known.min_cost_to_join(fleet.networked_domains(), self, &terms);
                    least.max(machines.value_lower_bound(terms.minimize, cheapest, step))
                }
                None => least,
            }
        })
    }

    /// What no network costs less than that joins so many HB domains, whatever layouts run and however long their
    /// steps are: the program without limits on the whole, and without what losses leave. Nothing where layouts
    /// decide what a network has to give, or parts are owned or scarce.
    fn cheapest_network(
        &self,
        domains: u32,
        terms: &Terms<'_>,
        tools: &mut SizingTools<'_>,
    ) -> Usd {
        let own = &self.job;
        let by_layout = own.one_run_per_workload().any(|run| run.least_across > 0.0)
            || !own.scenarios.all.is_empty();
        let comparable = terms.minimize == Minimize::UsdPerToken && !terms.fabric.is_routed();
        if by_layout || !comparable || own.domains < 2 || domains < own.domains {
            return Usd::ZERO;
        }
        // No other job has that identity.
        let id = usize::MAX - usize::try_from(domains).unwrap_or(0) * LARGEST_ID - own.id;
        let standby = Standby::new_wired((domains - own.domains).into());
        let job = Job { id, standby, ..own.clone() };
        let limits = Limits {
            budget: None,
            power: None,
            racks: None,
            survive: None,
            ..terms.limits.clone()
        };
        let caps = ObjectiveCaps::default();
        let terms = Terms { limits: &limits, below: None, silent: true, caps, ..*terms };
        let demand = Demand::without_time_limit(&job, &terms);
        let instance = ProgramInstance::new(&job, self.planes, &terms, demand);
        if !instance.parts_on_offer().all_bought() {
            return Usd::ZERO;
        }
        let context = ColumnContext {
            survival: None,
            most: f64::INFINITY,
            ..instance.column_context(&job, self.planes, &terms)
        };
        let found = cheapest_within_step_time(&instance, &context, Seconds::ENDLESS, &terms, tools);
        found.map_or(Usd::ZERO, |sized| sized.solution.bound)
    }
}

/// What networks cost at least, by the HB domains that they join; each is sized when it is first asked for.
pub(crate) struct CheapestNetworks<'k, 't> {
    pub(crate) tools: &'k mut SizingTools<'t>,
    /// Those of one candidate.
    pub(crate) known: &'k mut BTreeMap<u32, Usd>,
    /// What takes more is of no use: there no network is sized.
    pub(crate) most: f64,
}

impl CheapestNetworks<'_, '_> {
    fn min_cost_to_join(
        &mut self,
        domains: u32,
        candidate: &Candidate<'_>,
        terms: &Terms<'_>,
    ) -> Usd {
        if let Some(known) = self.known.get(&domains) {
            return *known;
        }
        let cheapest = candidate.cheapest_network(domains, terms, self.tools);
        self.known.insert(domains, cheapest);
        cheapest
    }
}
