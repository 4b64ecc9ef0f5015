//! The best fabric by what a token costs that is really trained: dear to own, slow, or often out of service.
//! The program knows money and pace; how much of the time trains is looked at fabric by fabric.

use super::instance::{Instance, Tools};
use super::paces::at_every_pace;
use super::sized::{ROUNDING, Sized, preferred};
use super::terms::{Demand, Terms};
use crate::design::candidate::faults::{LEAST_GOODPUT, most_goodput};
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;

/// The fabric of a job in so many planes on which a token that is really trained costs least, among those
/// that are cheapest for their pace. Its bound is that of cost as if all of the time trained, over the most
/// that [any network](most_goodput) leaves to training: so it holds for all fabrics, and where those that
/// were looked at train less than that, the answer is not proven (docs/formulation.md).
///
/// # Errors
/// Why there is none.
pub(super) fn by_tokens_trained(
    job: &Job<'_>,
    planes: u32,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Result<Sized, Infeasible> {
    let most = most_goodput(job, planes).max(LEAST_GOODPUT);
    let terms = Terms { below: terms.below.map(|below| below * most), ..*terms };
    let instance = Instance::new(job, planes, &terms, Demand::of(job, &terms));
    let context = instance.context(job, planes, &terms);
    let mut seen = Vec::new();
    let cheapest = at_every_pace(&instance, &context, &terms, tools, &mut seen)?;
    let bound = cheapest.bound;
    if terms.below.is_some_and(|below| bound > below * (1.0 + ROUNDING)) {
        return Err(Infeasible::Dearer);
    }
    let mut best = cheapest.clone().trained(job, most, &mut tools.cache);
    // A fabric that is dearer by more than all failures take is no better.
    seen.retain(|of| of.value <= best.value * most && of.counts != cheapest.counts);
    seen.sort_by(|a, b| a.value.total_cmp(&b.value));
    seen.dedup_by(|a, b| a.counts == b.counts && a.level == b.level);
    for other in seen {
        if other.value > best.value * most {
            break;
        }
        let other = other.trained(job, most, &mut tools.cache);
        if preferred(&other, &best) {
            best = other;
        }
    }
    let closed = bound >= cheapest.value * (1.0 - ROUNDING);
    Ok(Sized { bound: (bound / most).min(best.value), only_goodput: closed, ..best })
}
