//! The best fabric of a candidate, at any pace that its terms allow.

use super::instance::{Instance, Tools};
use super::paces::at_every_pace;
use super::racks::{left, of_switches, racks, taken};
use super::sized::{ROUNDING, Sized};
use super::terms::{Demand, Terms};
use super::trained::by_tokens_trained;
use super::within::within;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::scenario::{Limits, Minimize};

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
        left(most, taken(job, terms)? + reserved + of_switches(job, planes, terms))?;
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
