//! The best fabric where parts are in stock or scarce: builds are made at shadow prices, as far
//! more of them may be worth having than where all is bought. Delayed column generation, after P.
//! C. Gilmore and R. E. Gomory, Operations Research 9 (1961).

use super::columns::generate_columns_below;
use super::program::{ProgramInstance, SizingTools};
use super::sized_fabric::{SizedFabric, sized_with_open_bound};
use crate::design::columns::ceilings::Ceilings;
use crate::design::columns::column::FabricColumn;
use crate::design::columns::context::{ColumnContext, price_scale};
use crate::design::columns::terms::Terms;
use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::fabric::WeightScale;
use crate::sizing::{Offer, Options, PricingOracle, SizingProblem};
use crate::units::{ROUNDING, Seconds, Usd};

/// Shares of what lies between bound and answer up to which all builds are made, one after another:
/// the better the answer, the fewer builds can be in a better one.
const SHARES: [f64; 4] = [1.0 / 64.0, 1.0 / 16.0, 1.0 / 4.0, 1.0];

/// The best fabric of those that builds at shadow prices make, with a bound on all others; `None`
/// where they make none, so that all of them have to be made.
///
/// At any prices of parts the lightest build for each number of rails bounds every fabric from
/// below, made or not. Prices follow from the builds so far, new builds from the prices, until the
/// bound no longer rises. Then every build is made that is light enough to be in a fabric which
/// costs no more than a little above the bound, then more: once the best fabric of these costs no
/// more than that, it is the best of all.
pub(super) fn generate_at_shadow_prices(
    instance: &ProgramInstance<'_>,
    context: &ColumnContext<'_>,
    capped: Seconds,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<Result<SizedFabric, Infeasible>> {
    let columns = Vec::new();
    let mut pool =
        ColumnGeneration { instance, context, step_limit: capped, terms, tools, columns };
    for owned in [1.0, 0.5, 0.0] {
        pool.make_columns(Ceilings::Cheapest(price_scale(context, owned)));
    }
    let first = pool.first_answer()?;
    let (best, lagrangian) = pool.raise_bound(first)?;
    if pool.tools.cache.effort.is_spent() {
        return Some(Ok(sized_with_open_bound(
            best,
            context,
            Usd::from_f64(lagrangian.bound.max(0.0)),
        )));
    }
    Some(pool.close_optimality_gap(best, &lagrangian))
}

/// What no fabric costs less than, in dollars, and the prices that prove it; none yet at first.
struct Lagrangian {
    bound: f64,
    prices: Option<PricingOracle>,
}

/// The columns that were made so far.
struct ColumnGeneration<'p, 'i, 't> {
    instance: &'p ProgramInstance<'i>,
    context: &'p ColumnContext<'p>,
    step_limit: Seconds,
    terms: &'p Terms<'p>,
    tools: &'p mut SizingTools<'t>,
    columns: Vec<FabricColumn>,
}

impl ColumnGeneration<'_, '_, '_> {
    /// Makes the columns that ceilings admit; true where there was a new one.
    fn make_columns(&mut self, ceilings: Ceilings) -> bool {
        let before = self.columns.len();
        let cache = &mut self.tools.cache;
        for column in generate_columns_below(self.context, self.terms.fabric, ceilings, cache) {
            if !self.columns.contains(&column) {
                self.columns.push(column);
            }
        }
        self.columns.len() > before
    }

    /// The program over the columns; `None` where the machines alone exceed a limit.
    fn program_of_pool(&self) -> Option<SizingProblem> {
        let quiet = Terms { silent: true, ..*self.terms };
        self.instance
            .program_over_columns(self.context, &quiet, &self.columns, self.step_limit)
            .ok()
    }

    /// A good answer of the columns: on the way any one serves.
    fn good_answer(&mut self) -> Option<SizedFabric> {
        let options = Options {
            nodes: self.tools.options.nodes.min(effort::PRICE_NODES),
            comparisons: self.tools.options.comparisons.min(effort::PRICE_COMPARISONS),
            ..self.tools.options.clone()
        };
        let quiet = Terms { silent: true, ..*self.terms };
        let with = (&options, &mut self.tools.work);
        self.instance
            .solve_over_columns(
                self.context,
                &quiet,
                &self.columns,
                self.step_limit,
                with.0,
                with.1,
            )
            .ok()
    }

    /// An answer, where columns that spare what is scarce make one.
    fn first_answer(&mut self) -> Option<SizedFabric> {
        for _ in 0..effort::PRICE_ROUNDS {
            if let Some(found) = self.good_answer() {
                return Some(found);
            }
            let shadow = PricingOracle::for_unsolved_problem(&self.program_of_pool()?)?;
            if !self.make_columns(Ceilings::Cheapest(shadow_price_weights(self.context, &shadow).0))
            {
                return None;
            }
        }
        None
    }

    /// The best answer of columns at prices that follow from it, until the bound no longer rises or
    /// is above what is of use.
    fn raise_bound(&mut self, mut best: SizedFabric) -> Option<(SizedFabric, Lagrangian)> {
        let mut known = Lagrangian { bound: f64::NEG_INFINITY, prices: None };
        for _ in 0..effort::PRICE_ROUNDS {
            let shadow = PricingOracle::from_solution(&self.program_of_pool()?, &best.solution)?;
            let grown = self
                .make_columns(Ceilings::Cheapest(shadow_price_weights(self.context, &shadow).0));
            let bound = shadow.cost_lower_bound(&self.program_of_pool()?);
            // Where builds were left out the lightest may be among them.
            if bound > known.bound && !self.tools.cache.effort.is_spent() {
                known = Lagrangian { bound, prices: Some(shadow) };
            }
            let met = known.bound >= best.solution.cost.get() * (1.0 - ROUNDING);
            if !grown || met || self.is_needless(known.bound) {
                break;
            }
            best = self.good_answer()?;
        }
        Some((best, known))
    }

    /// True where fabrics of that cost are of no use.
    fn is_needless(&self, cost: f64) -> bool {
        cost > self.context.max_cost * (1.0 + ROUNDING)
    }

    /// The best of all fabrics, or of those that may be made, with what is proven of the others.
    fn close_optimality_gap(
        &mut self,
        mut best: SizedFabric,
        known: &Lagrangian,
    ) -> Result<SizedFabric, Infeasible> {
        let mut bound = known.bound;
        for share in SHARES {
            let cost = best.solution.cost.get();
            let Some(prices) = &known.prices else { break };
            if bound >= cost * (1.0 - ROUNDING) || self.is_needless(bound) {
                break;
            }
            let most = (known.bound + (cost - known.bound) * share) * (1.0 + ROUNDING);
            let all = self.make_light(prices, most);
            let with = (self.tools.options, &mut self.tools.work);
            let found = self.instance.solve_over_columns(
                self.context,
                self.terms,
                &self.columns,
                self.step_limit,
                with.0,
                with.1,
            )?;
            let least = found.solution.bound.get();
            if found.solution.cost <= best.solution.cost {
                best = found;
            }
            if !all {
                break;
            }
            if best.solution.cost.get() <= most {
                // All that costs no more is made of these.
                bound = bound.max(least);
                break;
            }
            bound = bound.max(least.min(most));
        }
        let cost = best.solution.cost.get();
        if bound >= cost * (1.0 - ROUNDING) {
            return Ok(best.with_bound(Usd::from_f64(cost)));
        }
        Ok(sized_with_open_bound(best, self.context, Usd::from_f64(bound.max(0.0))))
    }

    /// Makes every column that is in a fabric which costs no more than so many dollars; false where
    /// they are too many.
    fn make_light(&mut self, prices: &PricingOracle, dollars: f64) -> bool {
        let Some(problem) = self.program_of_pool() else { return false };
        let Some(class) = problem.classes.first() else { return false };
        let mut most = prices.max_column_weight(&problem, class, dollars);
        if self.context.is_regular() {
            share_alike(&mut most);
        }
        let (weights, more) = shadow_price_weights(self.context, prices);
        for (rails, most) in (1..).zip(&mut most) {
            *most -= more * f64::from(rails) * f64::from(self.context.job.networked_domains());
        }
        let part = self.tools.cache.effort.split_off_steps(effort::PRICE_STEPS);
        let rest = std::mem::replace(&mut self.tools.cache.effort, part);
        self.make_columns(Ceilings::AtMost(weights, most));
        let part = std::mem::replace(&mut self.tools.cache.effort, rest);
        self.tools.cache.effort.give_back(part);
        !part.is_spent()
    }
}

/// Where all rails are built alike, a build weighs no more than its part of what all of them may.
fn share_alike(most: &mut [f64]) {
    let rails = most.len();
    let Some(all) = most.last().copied() else { return };
    for (own, most) in (1..).zip(most) {
        *most = all / (rails / own) as f64;
    }
}

/// Shadow prices as weights of switches and links, and what a link of an interface weighs more than
/// one between switches.
fn shadow_price_weights(context: &ColumnContext<'_>, shadow: &PricingOracle) -> (WeightScale, f64) {
    let weigh = |_: &Offer, place: usize| shadow.switches.get(place).copied().unwrap_or(0.0);
    let (host, uplink) = context.parts.link_weights(weigh, 0.0);
    let switches = shadow.switches.iter().copied().take(context.skus.len()).collect();
    let link = shadow.link + uplink;
    let idle = context.parts.idle_weights(weigh);
    (WeightScale { switches, link, idle, known_weight: f64::INFINITY }, host - uplink)
}
