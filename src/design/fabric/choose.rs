//! The best fabric of a candidate, at any pace that its terms allow.

use super::instance::{ProgramInstance, SizingTools};
use super::paces::cheapest_over_step_times;
use super::racks::{count_racks, min_racks_of_switches, racks_left_to_switches, racks_of_machines};
use super::sized::{ROUNDING, SizedFabric};
use super::terms::{Demand, Terms};
use super::trained::cheapest_per_trained_token;
use super::within::cheapest_within_step_time;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::scenario::{Limits, Minimize};

/// The best fabric for a job in so many planes.
///
/// # Errors
/// Why there is none.
pub(crate) fn size_network(
    job: &Job<'_>,
    planes: u32,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Result<SizedFabric, Infeasible> {
    if tools.ends_study() {
        return Err(Infeasible::Interrupted);
    }
    if let Some(most) = terms.limits.racks {
        let reserved = terms.limits.reserved;
        racks_left_to_switches(
            most,
            racks_of_machines(job, terms)? + reserved + min_racks_of_switches(job, planes, terms),
        )?;
        // The best one whatever racks it takes is the best one where these suffice, and needs fewer builds.
        let free = Limits { racks: None, ..terms.limits.clone() };
        let sized = size_network(job, planes, &Terms { limits: &free, ..*terms }, tools)?;
        let racks = count_racks(job, &sized.counts, terms.limits);
        if racks.is_some_and(|report| report.least + reserved <= most) {
            return Ok(sized);
        }
    }
    let sized = if terms.minimize == Minimize::UsdPerToken {
        cheapest_per_trained_token(job, planes, terms, tools)?
    } else {
        let instance = ProgramInstance::new(job, planes, terms, Demand::from_terms(job, terms));
        let context = instance.column_context(job, planes, terms);
        match terms.caps.depends_on_step_time() {
            true => cheapest_over_step_times(&instance, &context, terms, tools, &mut Vec::new())?,
            false => cheapest_within_step_time(&instance, &context, context.pace, terms, tools)?,
        }
    };
    let Some(below) = terms.below else { return Ok(sized) };
    // Builds that only dearer fabrics have were not made: of those nothing is known.
    let bound = sized.bound.min(below);
    if sized.value > below * (1.0 + ROUNDING) && bound >= below {
        return Err(Infeasible::Dearer);
    }
    Ok(SizedFabric { bound, ..sized })
}
