//! The best fabric where parts are in stock or scarce: builds are made at shadow prices, as far more
//! of them may be worth having than where all is bought. Delayed column generation, after
//! P. C. Gilmore and R. E. Gomory, Operations Research 9 (1961).

use super::ceilings::Ceilings;
use super::column::Column;
use super::columns::columns_below;
use super::context::Context;
use super::instance::{Instance, Tools};
use super::market::at_market;
use super::open::left_open;
use super::sized::Sized;
use super::terms::Terms;
use crate::design::candidate::infeasible::Infeasible;
use crate::fabric::Scale;
use crate::sizing::{Offer, Options, Shadow, Work};
use crate::units::{Seconds, Usd};

/// Rounds of prices; the bound stops rising long before.
const ROUNDS: u32 = 16;

/// Nodes of the solver and comparisons of partial answers for each program on the way.
const NODES: u64 = 100;
const COMPARISONS: u64 = 500_000;

/// Share of the cost between answer and bound above which the builds between are too many to make in
/// a large cluster: more than so many domains.
const FAR: f64 = 0.03;
const FEW: u32 = 64;

/// Relative rounding of sums of money.
const ROUNDING: f64 = 1e-9;

/// The best fabric of those that builds at shadow prices make, with a bound on all others; `None`
/// where they make none, so that all of them have to be made.
///
/// At any prices of parts the lightest build for each number of rails bounds every fabric from below,
/// made or not. Prices follow from the builds so far, new builds from the prices, until the bound
/// no longer rises. Then every build that is light enough to be in a better fabric is made, and the
/// program over those is exact.
pub(super) fn at_shadow_prices(
    instance: &Instance<'_>,
    context: &Context<'_>,
    capped: Seconds,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Option<Result<Sized, Infeasible>> {
    let quiet = Terms { silent: true, ..*terms };
    // On the way any good answer serves.
    let quick = Options {
        nodes: tools.options.nodes.min(NODES),
        comparisons: tools.options.comparisons.min(COMPARISONS),
        ..tools.options.clone()
    };
    let solve = |pool: &[Column], work: &mut Work| {
        instance.solve(context, &quiet, pool, capped, (&quick, work))
    };
    let mut pool: Vec<Column> = Vec::new();
    for owned in [1.0, 0.5, 0.0] {
        let cheapest = Ceilings::Cheapest(at_market(context, owned));
        add(&mut pool, columns_below(context, terms.fabric, cheapest, &mut tools.cache));
    }
    let mut best = solve(&pool, &mut tools.work).ok()?;
    let mut bound = f64::NEG_INFINITY;
    let mut prices: Option<Shadow> = None;
    for _ in 0..ROUNDS {
        let problem = instance.problem(context, &quiet, &pool, capped).ok()?;
        let shadow = Shadow::of(&problem, &best.solution)?;
        let cheapest = Ceilings::Cheapest(scale(context, &shadow).0);
        let grown =
            add(&mut pool, columns_below(context, terms.fabric, cheapest, &mut tools.cache));
        let problem = instance.problem(context, &quiet, &pool, capped).ok()?;
        let proven = shadow.bound(&problem);
        // Where builds were left out the lightest may be among them.
        if proven > bound && !tools.cache.effort.is_spent() {
            (bound, prices) = (proven, Some(shadow));
        }
        if !grown || bound >= best.solution.cost.get() * (1.0 - ROUNDING) {
            break;
        }
        best = solve(&pool, &mut tools.work).ok()?;
    }
    let cost = best.solution.cost.get();
    if tools.cache.effort.is_spent() {
        return Some(Ok(left_open(best, context, Usd::of(bound.max(0.0)))));
    }
    let far = cost - bound > FAR * cost && context.job.domains > FEW;
    if bound < cost * (1.0 - ROUNDING) && !far {
        let shadow = prices?;
        let problem = instance.problem(context, &quiet, &pool, capped).ok()?;
        let mut most = shadow.most(&problem, problem.classes.first()?, cost * (1.0 + ROUNDING));
        if context.is_regular() {
            share_alike(&mut most);
        }
        let (weights, more) = scale(context, &shadow);
        for (rails, most) in (1..).zip(&mut most) {
            *most -= more * f64::from(rails) * f64::from(context.job.domains);
        }
        let light = Ceilings::AtMost(weights, most);
        add(&mut pool, columns_below(context, terms.fabric, light, &mut tools.cache));
        let with = (tools.options, &mut tools.work);
        let sized = instance.solve(context, terms, &pool, capped, with);
        let spent = tools.cache.effort.is_spent();
        let known = Usd::of(bound.max(0.0));
        return Some(
            sized.map(|sized| if spent { left_open(sized, context, known) } else { sized }),
        );
    }
    Some(Ok(best.proven(Usd::of(bound.min(cost)))))
}

/// Where all rails are built alike, a build weighs no more than its part of what all of them may.
fn share_alike(most: &mut [f64]) {
    let rails = most.len();
    let Some(all) = most.last().copied() else { return };
    for (own, most) in (1..).zip(most) {
        *most = all / (rails / own) as f64;
    }
}

/// Shadow prices as weights of switches and links, and what a link of an interface weighs more than one
/// between switches.
fn scale(context: &Context<'_>, shadow: &Shadow) -> (Scale, f64) {
    let weigh = |_: &Offer, place: usize| shadow.switches.get(place).copied().unwrap_or(0.0);
    let (host, uplink) = context.parts.link_weights(weigh, 0.0);
    let switches = shadow.switches.iter().copied().take(context.skus.len()).collect();
    let link = shadow.link + uplink;
    (Scale { switches, link, most: f64::INFINITY }, host - uplink)
}

/// Adds the columns that are not in the pool; true where there was one.
fn add(pool: &mut Vec<Column>, columns: Vec<Column>) -> bool {
    let before = pool.len();
    for column in columns {
        if !pool.contains(&column) {
            pool.push(column);
        }
    }
    pool.len() > before
}
