//! The best fabric of a candidate that is no slower than a pace: all columns, or those that are made at
//! shadow prices.

use super::cache::SizingCache;
use super::columns::generate_columns;
use super::context::ColumnContext;
use super::generation::generate_at_shadow_prices;
use super::instance::{ProgramInstance, SizingTools};
use super::members;
use super::open::sized_with_open_bound;
use super::program::no_switch_reason;
use super::sized::SizedFabric;
use super::slow::too_slow_reason;
use super::terms::{Demand, Terms};
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::machine::Level;
use crate::scenario::{FabricChoice, Limits};
use crate::units::{Seconds, Usd};

/// The best fabric that is no slower than the pace of a context, where an earlier objective leaves what
/// it leaves to clusters of the pace `capped`.
///
/// # Errors
/// Why there is none.
pub(crate) fn cheapest_within_step_time(
    instance: &ProgramInstance<'_>,
    context: &ColumnContext<'_>,
    capped: Seconds,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Result<SizedFabric, Infeasible> {
    if terms.fabric.is_routed() {
        return members::cheapest_fast_member(instance, context, capped, terms, tools);
    }
    let before = tools.work.steps;
    let found = best_of_all_builds(instance, context, capped, terms, tools);
    let spent = tools.cache.effort.is_spent();
    // Programs take of the same effort as builds, so that many of them come to an end too.
    tools.cache.effort.has_spent_steps(tools.work.steps - before);
    // Where builds were left out, that none of the others will do proves nothing.
    if spent { found.map_err(|_| Infeasible::Unknown) } else { found }
}

/// The best of all builds that the effort suffices for.
fn best_of_all_builds(
    instance: &ProgramInstance<'_>,
    context: &ColumnContext<'_>,
    capped: Seconds,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Result<SizedFabric, Infeasible> {
    let scarce = !context.parts.all_bought() && !context.parts.keeps;
    if scarce
        && let Some(found) = generate_at_shadow_prices(instance, context, capped, terms, tools)
    {
        return found;
    }
    let found = generate_columns(context, terms.fabric, &mut tools.cache);
    if found.is_empty()
        && let Some(asked) = terms.cross_rail_bandwidth_without_spine()
    {
        return Err(Infeasible::Apart { asked });
    }
    if found.is_empty() && (terms.silent || tools.cache.effort.is_spent()) {
        return Err(no_switch_reason(context));
    }
    if found.is_empty() {
        return Err(nothing_fast(context, terms, &mut tools.cache));
    }
    let sized = instance.solve_over_columns(
        context,
        terms,
        &found,
        capped,
        (tools.options, &mut tools.work),
    )?;
    Ok(if tools.cache.effort.is_spent() {
        sized_with_open_bound(sized, context, Usd::ZERO)
    } else {
        sized
    })
}

/// Why no column is fast enough: how fast the fastest is.
fn nothing_fast(
    context: &ColumnContext<'_>,
    terms: &Terms<'_>,
    cache: &mut SizingCache,
) -> Infeasible {
    // Where even a network that never blocks is too slow, no fabric has to be tried.
    let limits = || context.demand.each.iter().zip(&context.demand.names);
    let hopeless = context
        .job
        .one_run_per_workload()
        .zip(limits())
        .find(|(run, (has, _))| run.reference > **has);
    if let Some((run, (has, limit))) = hopeless {
        let slow = Infeasible::Slow { limit, has: *has, best: run.reference };
        return slow.for_workload(context.job.scenario, &run.workload);
    }
    let any = Limits { regular: None, ..context.limits.clone() };
    let irregular = ColumnContext { limits: &any, ..*context };
    if context.is_regular() && !generate_columns(&irregular, terms.fabric, cache).is_empty() {
        return Infeasible::Irregular;
    }
    let whole = ColumnContext { survival: None, ..*context };
    if context.survival.is_some() && !generate_columns(&whole, terms.fabric, cache).is_empty() {
        return Infeasible::Stands { pace: terms.limits.survive_pace };
    }
    let scenarios = context.job.scenarios.all.iter().map(|robust_run| &robust_run.run);
    let each = context.job.one_run_per_workload().chain(scenarios);
    let needs = each.map(|run| run.least_across).fold(0.0, f64::max);
    if needs > 0.0 && terms.fabric == FabricChoice::RailOnly {
        return Infeasible::Across { needs };
    }
    let none = Demand::without_time_limit(context.job, terms);
    let anything =
        ColumnContext { demand: &none, survival: None, pace: Seconds::ENDLESS, ..*context };
    let some = generate_columns(&anything, terms.fabric, cache);
    // The fastest is one that never blocks, where such a one can be built.
    let apart = Level { across: 0.0, ..Level::FULL };
    let free = if terms.fabric == FabricChoice::RailOnly { apart } else { Level::FULL };
    let pace = cache.blended_step_time(&anything, free);
    let found = generate_columns(&ColumnContext { pace, ..anything }, terms.fabric, cache);
    let fastest = found.iter().chain(&some).min_by(|a, b| a.time.total_cmp(&b.time));
    let Some(fastest) = fastest else { return no_switch_reason(context) };
    let paces = cache.step_times_by_workload(context.job, fastest.level).to_vec();
    if fastest.level.across < needs {
        return Infeasible::Across { needs };
    }
    too_slow_reason(context, paces)
}
