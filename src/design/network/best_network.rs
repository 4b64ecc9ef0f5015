//! Best network of a candidate; by tokens really trained.

use super::cheapest_network::{cheapest_over_step_times, cheapest_within_step_time};
use super::program::{ProgramInstance, SizingTools};
use super::sized_fabric::{ROUNDING, SizedFabric, is_preferred};
use crate::design::candidate::standby::{candidate_goodput_upper_bound, max_pace_share_left};
use crate::design::columns::context::min_network_cost;
use crate::design::columns::limits::{
    count_racks, min_racks_of_switches, racks_left_to_switches, racks_of_machines,
};
use crate::design::columns::terms::{Demand, Terms};
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::scenario::{Limits, Minimize};
use crate::units::Seconds;

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

/// The fabric of a job in so many planes on which a token that is really trained costs least, among those
/// that are cheapest for their pace. Its bound is that of cost as if all of the time trained, over the most
/// that [any network](candidate_goodput_upper_bound) leaves to training at the step that the bound allows: so it holds for all fabrics, and where those that
/// were looked at train less than that, the answer is not proven (docs/formulation.md).
///
/// # Errors
/// Why there is none.
fn cheapest_per_trained_token(
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
