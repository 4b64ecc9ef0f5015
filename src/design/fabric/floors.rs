//! What no design of a candidate takes less of, before any network is sized for it.

use super::instance::ProgramInstance;
use super::market::min_endpoint_cost;
use super::terms::{Demand, Terms};
use crate::design::candidate::breakdowns::broken_domains_of_fleet;
use crate::design::candidate::faults::{candidate_goodput_upper_bound, min_step_time_over_goodput};
use crate::design::candidate::fleet::Fleet;
use crate::design::candidate::layouts::has_uniform_placement;
use crate::design::candidate::list::Candidate;
use crate::design::candidate::looked_for::min_rank_count;
use crate::design::candidate::money::cost_of_machines;
use crate::reliability::Standby;
use crate::scenario::Minimize;
use crate::units::Seconds;

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
        self.with_cheapest_network(terms, |least_of| least_of(&self.job.fleet(), step))
    }

    /// Likewise whatever layouts its workloads run: hosts have the memory that ships, and a NIC that lost a port
    /// may keep all of the pace. Of cost per token what it is for each second of a step without a network that
    /// blocks.
    pub(crate) fn lower_bound_for_any_layout(&self, terms: &Terms<'_>) -> f64 {
        let (scenario, machine) = (self.job.scenario, self.job.machine);
        self.with_cheapest_network(terms, |least_of| {
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
    ) -> Vec<f64> {
        let (scenario, machine) = (self.job.scenario, self.job.machine);
        self.with_cheapest_network(terms, |least_of| {
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

    /// Where as many stand by as make the least of it.
    fn with_any_on_standby(
        &self,
        fleet: Fleet<'_>,
        terms: &Terms<'_>,
        least_of: &dyn Fn(&Fleet<'_>, Seconds) -> f64,
    ) -> f64 {
        let trained = |this_fleet: Fleet<'_>| self.lower_bound_by_goodput(this_fleet, least_of);
        match terms.minimize {
            Minimize::UsdPerToken => fleet
                .options_by_standby(broken_domains_of_fleet(&fleet))
                .map(trained)
                .fold(f64::INFINITY, f64::min),
            Minimize::Capex | Minimize::Tco | Minimize::Power => trained(fleet),
        }
    }

    /// Of the share of the time that trains on any network, where those that stand by take over at once and yet have no
    /// ports.
    fn lower_bound_by_goodput(
        &self,
        fleet: Fleet<'_>,
        least_of: &dyn Fn(&Fleet<'_>, Seconds) -> f64,
    ) -> f64 {
        let fleet = Fleet { host_memory: 0, ..fleet };
        let step = SECOND / candidate_goodput_upper_bound(&fleet, self.planes, 1.0);
        least_of(&Fleet { standby: Standby::new_cold(fleet.standby.domains), ..fleet }, step)
    }

    /// What is said of the least that machines take with the least network for their interfaces, in steps that
    /// are no shorter than that.
    fn with_cheapest_network<T>(
        &self,
        terms: &Terms<'_>,
        say: impl FnOnce(&dyn Fn(&Fleet<'_>, Seconds) -> f64) -> T,
    ) -> T {
        let (job, planes) = (&self.job, self.planes);
        let terms = Terms { protocol: self.protocol, ..*terms };
        let instance = ProgramInstance::new(job, planes, &terms, Demand::from_terms(job, &terms));
        let context = instance.column_context(job, planes, &terms);
        say(&|fleet, step| {
            let interfaces =
                u64::from(fleet.networked_domains()) * u64::from(fleet.machine.node.nics);
            let network = min_endpoint_cost(&context, interfaces);
            cost_of_machines(fleet).value_lower_bound(terms.minimize, network, step)
        })
    }
}
