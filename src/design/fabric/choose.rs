//! The best fabric of a candidate, at any pace that its terms allow.

use super::instance::{Instance, Tools};
use super::paces::at_every_pace;
use super::sized::{ROUNDING, Sized};
use super::terms::{Demand, Terms};
use super::within::within;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::scenario::Minimize;

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
    let instance = Instance::new(job, planes, terms, Demand::of(job, terms));
    let context = instance.context(job, planes, terms);
    let sized = if terms.minimize == Minimize::UsdPerToken || terms.caps.weigh_time() {
        at_every_pace(&instance, &context, terms, tools)?
    } else {
        within(&instance, &context, context.pace, terms, tools)?
    };
    let Some(below) = terms.below else { return Ok(sized) };
    // Builds that only dearer fabrics have were not made: of those nothing is known.
    let bound = sized.bound.min(below);
    if sized.value > below * (1.0 + ROUNDING) && bound >= below {
        return Err(Infeasible::Dearer);
    }
    Ok(Sized { bound, ..sized })
}
