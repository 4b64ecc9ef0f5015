//! The best network of a candidate, by tokens that are really trained, and what no network costs
//! less than.

use std::collections::BTreeMap;

use super::cheapest_network::{cheapest_over_step_times, cheapest_within_step_time};
use super::program::{ProgramInstance, SizingTools};
use super::sized_fabric::{SizedFabric, is_preferred};
use crate::design::candidate::candidates::Candidate;
use crate::design::candidate::standby::{candidate_goodput_upper_bound, max_pace_share_left};
use crate::design::columns::context::{ColumnContext, min_network_cost};
use crate::design::columns::limits::{
    count_racks, min_racks_of_switches, racks_left_to_switches, racks_of_machines,
};
use crate::design::columns::terms::{Demand, ObjectiveCaps, Terms};
use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::reliability::Standby;
use crate::scenario::{Limits, Minimize};
use crate::units::{ROUNDING, Seconds, Usd};

/// The best fabric for a job in so many planes.
///
/// Where the days of a run are limited, fabrics are first looked for as if machines alone failed.
/// What breaks of the fabric found may make the run too long: then others are looked for by the
/// share of the time that it left to training. That leaves out slower ones that break less: so the
/// bound stays that of the first, and where none is found there may be one still.
///
/// # Errors
/// Why there is none; [`Infeasible::Late`] where there may be one.
pub(crate) fn size_network(
    job: &Job<'_>,
    planes: u32,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Result<SizedFabric, Infeasible> {
    let mut found = size_network_by_step_time(job, planes, terms, tools)?;
    let bound = found.bound;
    for _ in 0..effort::TRIES_WITHIN_DAYS {
        if found.is_fast_enough(job, terms, &mut tools.cache) {
            return Ok(found);
        }
        let trained = Some(found.goodput(job, &mut tools.cache));
        let next = size_network_by_step_time(job, planes, &Terms { trained, ..*terms }, tools);
        let next = next.map_err(|reason| match reason {
            Infeasible::Interrupted => reason,
            _ => Infeasible::Late { reason: Box::new(reason) },
        })?;
        found = SizedFabric { bound, only_goodput: false, ..next };
    }
    if found.is_fast_enough(job, terms, &mut tools.cache) {
        return Ok(found);
    }
    Err(Infeasible::Late { reason: Box::new(Infeasible::Unknown) })
}

/// The best fabric whose steps are short enough for the share of the time that trains by the terms:
/// as if machines alone failed, where these say nothing. So parts and stages are sized.
///
/// # Errors
/// Why there is none.
pub(crate) fn size_network_by_step_time(
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
        // The best one whatever racks it takes is the best one where these suffice, and needs fewer
        // builds.
        let free = Limits { racks: None, ..terms.limits.clone() };
        let terms = Terms { limits: &free, ..*terms };
        let sized = size_network_by_step_time(job, planes, &terms, tools)?;
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
        if terms.caps.depends_on_step_time() {
            cheapest_over_step_times(&instance, &context, terms, tools, &mut Vec::new())?
        } else {
            cheapest_within_step_time(&instance, &context, context.pace, terms, tools)?
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

/// The fabric of a job in so many planes on which a token that is really trained costs least, among
/// those that are cheapest for their pace. Its bound is that of cost as if all of the time trained,
/// over the most that [any network](candidate_goodput_upper_bound) leaves to training at the step
/// that the bound allows: so it holds for all fabrics, and where those that were looked at train
/// less than that, the answer is not proven (docs/formulation.md).
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

/// The most that trains, G(v), on fabrics of a candidate whose pace value is v: money times step,
/// as if all of the time trained. The value of tokens really trained is v over goodput. A pace
/// value says how long a step is at most, as no cluster of the candidate costs less than some
/// money.
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

    /// The least trained value of fabrics whose pace value is no less than v: v/G(v), which grows
    /// with v.
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

/// More than the identity of any job of a design.
const LARGEST_ID: usize = 1 << 44;

/// What networks cost at least, by the HB domains that they join; each is sized when it is first
/// asked for.
pub(crate) struct CheapestNetworks<'k, 't> {
    pub(crate) tools: &'k mut SizingTools<'t>,
    pub(crate) known: &'k mut BTreeMap<u32, Usd>,
    /// What takes more is of no use: there no network is sized.
    pub(crate) max_value: f64,
}

impl CheapestNetworks<'_, '_> {
    pub(super) fn min_cost_to_join(
        &mut self,
        domains: u32,
        candidate: &Candidate<'_>,
        terms: &Terms<'_>,
    ) -> Usd {
        let size = || candidate.cheapest_network(domains, terms, self.tools);
        *self.known.entry(domains).or_insert_with(size)
    }
}

impl Candidate<'_> {
    /// What no network costs less than that joins so many HB domains, whatever layouts run and
    /// however long their steps are: the program without limits on the whole, and without what
    /// losses leave. Nothing where layouts decide what a network has to give, or parts are owned or
    /// scarce.
    fn cheapest_network(
        &self,
        domains: u32,
        terms: &Terms<'_>,
        tools: &mut SizingTools<'_>,
    ) -> Usd {
        let own = &self.job;
        let by_layout = own.one_run_per_workload().any(|run| run.least_across > 0.0)
            || !own.scenarios.runs.is_empty();
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
            max_cost: f64::INFINITY,
            ..instance.column_context(&job, self.planes, &terms)
        };
        let found = cheapest_within_step_time(&instance, &context, Seconds::ENDLESS, &terms, tools);
        found.map_or(Usd::ZERO, |sized| sized.solution.bound)
    }
}
