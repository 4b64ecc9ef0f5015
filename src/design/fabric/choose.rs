//! The best fabric of a candidate, at any pace that its terms allow.

use super::instance::{Instance, Tools};
use super::market::least_network;
use super::paces::at_every_pace;
use super::sized::{ROUNDING, Sized};
use super::terms::{Demand, Terms};
use super::trained::by_tokens_trained;
use super::within::within;
use crate::design::candidate::faults::least_trained;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::list::Candidate;
use crate::scenario::Minimize;

impl Candidate<'_> {
    /// What no design of it takes less of: its machines, and of a network a link and a port for each
    /// interface in every plane; for cost per token with steps as on a network that never blocks, of which
    /// nothing fails but NICs and their links.
    pub(crate) fn floor(&self, terms: &Terms<'_>) -> f64 {
        let (job, planes) = (&self.job, self.planes);
        let terms = Terms { protocol: self.protocol, ..*terms };
        let instance = Instance::new(job, planes, &terms, Demand::of(job, &terms));
        let context = instance.context(job, planes, &terms);
        let step = match terms.minimize {
            Minimize::UsdPerToken => least_trained(job, planes),
            Minimize::Capex | Minimize::Tco | Minimize::Power => job.full(),
        };
        instance.least(terms.minimize, least_network(&context), step)
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
