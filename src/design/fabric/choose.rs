//! The best fabric of a candidate, at any pace that its terms allow.

use super::instance::{Instance, Tools};
use super::market::least_of_endpoints;
use super::paces::at_every_pace;
use super::racks::{left, racks, taken};
use super::sized::{ROUNDING, Sized};
use super::terms::{Demand, Terms};
use super::trained::by_tokens_trained;
use super::within::within;
use crate::design::candidate::breakdowns::broken;
use crate::design::candidate::faults::{least_trained, most_goodput};
use crate::design::candidate::fleet::Fleet;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::layouts::{are_seated_alike, fewest_ranks};
use crate::design::candidate::list::Candidate;
use crate::design::candidate::money::machines;
use crate::scenario::{Limits, Minimize};
use crate::units::Seconds;

impl Candidate<'_> {
    /// What no design of it takes less of: its machines, and of a network a link and a port for each
    /// interface in every plane; for cost per token with steps as on a network that never blocks, of which
    /// nothing fails but NICs and their links.
    pub(crate) fn floor(&self, terms: &Terms<'_>) -> f64 {
        let step = match terms.minimize {
            Minimize::UsdPerToken => least_trained(&self.job, self.planes),
            Minimize::Capex | Minimize::Tco | Minimize::Power => self.job.full(),
        };
        self.on_market(terms, |least_of| least_of(&self.job.fleet(), step))
    }

    /// Likewise whatever layouts its workloads run: hosts have the memory that ships, and a NIC that lost a port
    /// may keep all of the pace. Of cost per token what it is for each second of a step without a network that
    /// blocks.
    pub(crate) fn floor_of_any_layout(&self, terms: &Terms<'_>) -> f64 {
        let second = Seconds::of(1.0);
        self.on_market(terms, |least_of| {
            let trained = |fleet: Fleet<'_>| {
                least_of(&fleet, second / most_goodput(&fleet, self.planes, 1.0))
            };
            let job = &self.job;
            if are_seated_alike(job.scenario, job.machine) {
                return trained(Fleet { host_memory: 0, ..job.fleet() });
            }
            let ranks = fewest_ranks(job.scenario);
            let mut least = f64::INFINITY;
            for fleet in Fleet::by_spare_trays(job.scenario, job.machine, ranks) {
                // More domains cost more, and none trains more than all of the time.
                if least_of(&fleet, second) >= least {
                    break;
                }
                least = match terms.minimize {
                    // As many on standby as make the least of it.
                    Minimize::UsdPerToken => {
                        fleet.by_standby(broken(&fleet)).map(trained).fold(least, f64::min)
                    }
                    Minimize::Capex | Minimize::Tco | Minimize::Power => least.min(trained(fleet)),
                };
            }
            least
        })
    }

    /// What is said of the least that machines take with the least network for their interfaces, in steps that
    /// are no shorter than that.
    fn on_market(
        &self,
        terms: &Terms<'_>,
        say: impl FnOnce(&dyn Fn(&Fleet<'_>, Seconds) -> f64) -> f64,
    ) -> f64 {
        let (job, planes) = (&self.job, self.planes);
        let terms = Terms { protocol: self.protocol, ..*terms };
        let instance = Instance::new(job, planes, &terms, Demand::of(job, &terms));
        let context = instance.context(job, planes, &terms);
        say(&|fleet, step| {
            let network = least_of_endpoints(&context, fleet.endpoints());
            machines(fleet).least(terms.minimize, network, step)
        })
    }
}

/// The best fabric for a job in so many planes.
///
/// # Errors
/// Why there is none.
pub(crate) fn size(
    job: &Job<'_>,
    planes: u32,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Result<Sized, Infeasible> {
    if tools.ends_study() {
        return Err(Infeasible::Interrupted);
    }
    if let Some(most) = terms.limits.racks {
        let reserved = terms.limits.reserved;
        left(most, taken(job, terms)? + reserved)?;
        // The best one whatever racks it takes is the best one where these suffice, and needs fewer builds.
        let free = Limits { racks: None, ..terms.limits.clone() };
        let sized = size(job, planes, &Terms { limits: &free, ..*terms }, tools)?;
        let racks = racks(job, &sized.counts, terms.limits);
        if racks.is_some_and(|of| of.least + reserved <= most) {
            return Ok(sized);
        }
    }
    let sized = if terms.minimize == Minimize::UsdPerToken {
        by_tokens_trained(job, planes, terms, tools)?
    } else {
        let instance = Instance::new(job, planes, terms, Demand::of(job, terms));
        let context = instance.context(job, planes, terms);
        match terms.caps.weigh_time() {
            true => at_every_pace(&instance, &context, terms, tools, &mut Vec::new())?,
            false => within(&instance, &context, context.pace, terms, tools)?,
        }
    };
    let Some(below) = terms.below else { return Ok(sized) };
    // Builds that only dearer fabrics have were not made: of those nothing is known.
    let bound = sized.bound.min(below);
    if sized.value > below * (1.0 + ROUNDING) && bound >= below {
        return Err(Infeasible::Dearer);
    }
    Ok(Sized { bound, ..sized })
}
