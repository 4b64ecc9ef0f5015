//! The best fabric by what a token costs that is really trained: dear to own, slow, or often out of service.
//! The program knows money and pace; how much of the time trains is looked at fabric by fabric.

use super::instance::{ProgramInstance, SizingTools};
use super::market::min_network_cost;
use super::paces::cheapest_over_step_times;
use super::sized::{ROUNDING, SizedFabric, is_preferred};
use super::terms::{Demand, Terms};
use crate::design::candidate::faults::{candidate_goodput_upper_bound, max_pace_share_left};
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::units::Seconds;

/// The fabric of a job in so many planes on which a token that is really trained costs least, among those
/// that are cheapest for their pace. Its bound is that of cost as if all of the time trained, over the most
/// that [any network](candidate_goodput_upper_bound) leaves to training at the step that the bound allows: so it holds for all fabrics, and where those that
/// were looked at train less than that, the answer is not proven (docs/formulation.md).
///
/// # Errors
/// Why there is none.
pub(super) fn cheapest_per_trained_token(
    job: &Job<'_>,
    planes: u32,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Result<SizedFabric, Infeasible> {
    let instance = ProgramInstance::new(job, planes, terms, Demand::from_terms(job, terms));
    let network = min_network_cost(&instance.column_context(job, planes, terms));
    let trained = GoodputBound { job, planes, dollars: instance.least_per_token(network, 1.0) };
    let terms = Terms {
        below: terms.below.map(|below| trained.full_time_value_upper_bound(below)),
        ..*terms
    };
    let context = instance.column_context(job, planes, &terms);
    let mut seen = Vec::new();
    let cheapest = cheapest_over_step_times(&instance, &context, &terms, tools, &mut seen)?;
    let bound = cheapest.bound;
    if terms.below.is_some_and(|below| bound > below * (1.0 + ROUNDING)) {
        return Err(Infeasible::Dearer);
    }
    let mut best = trained.fabric_with_trained_value(&cheapest, tools);
    seen.retain(|fabric| fabric.counts != cheapest.counts);
    seen.sort_by(|a, b| a.value.total_cmp(&b.value));
    seen.dedup_by(|a, b| a.counts == b.counts && a.level == b.level);
    for other in seen {
        // What all losses but those of its ports take is not looked at in vain.
        if other.pace_value(terms.minimize, job) <= best.value {
            let other = trained.fabric_with_trained_value(&other, tools);
            best = if is_preferred(&other, &best) { other } else { best };
        }
    }
    let closed = bound >= cheapest.value * (1.0 - ROUNDING);
    Ok(SizedFabric {
        bound: trained.trained_value_lower_bound(bound).min(best.value),
        only_goodput: closed,
        ..best
    })
}

/// The most that trains, G(v), on fabrics of a candidate whose pace value is v: money times step, as if all of
/// the time trained. The value of tokens really trained is v over goodput. A pace value says how long a step is at
/// most, as no cluster of the candidate costs less than some money.
struct GoodputBound<'a> {
    job: &'a Job<'a>,
    planes: u32,
    /// What no cluster of the candidate costs less than to own.
    dollars: f64,
}

impl GoodputBound<'_> {
    /// G(v), which grows with v.
    fn goodput_upper_bound(&self, value: f64) -> f64 {
        let step = if self.dollars > 0.0 {
            Seconds::from_f64(value / self.dollars)
        } else {
            Seconds::ENDLESS
        };
        candidate_goodput_upper_bound(
            &self.job.fleet(),
            self.planes,
            max_pace_share_left(self.job, self.planes, step),
        )
    }

    /// The largest pace value of fabrics whose trained value is no more than b: b·G(b·G(∞)).
    fn full_time_value_upper_bound(&self, value: f64) -> f64 {
        let endless = candidate_goodput_upper_bound(&self.job.fleet(), self.planes, 1.0);
        value * self.goodput_upper_bound(value * endless)
    }

    /// The least trained value of fabrics whose pace value is no less than v: v/G(v), which grows with v.
    fn trained_value_lower_bound(&self, bound: f64) -> f64 {
        bound / self.goodput_upper_bound(bound)
    }

    /// A fabric by what a token costs on it that is really trained.
    fn fabric_with_trained_value(
        &self,
        sized: &SizedFabric,
        tools: &mut SizingTools<'_>,
    ) -> SizedFabric {
        sized.clone().with_trained_value(
            self.job,
            self.goodput_upper_bound(sized.value),
            &mut tools.cache,
        )
    }
}
