//! Cheapest network within a step time, a range of times, a ratio.

use super::column_generation::generate_at_shadow_prices;
use super::columns::generate_columns;
use super::family_search;
use super::program::{ProgramInstance, SizingTools, no_switch_reason};
use super::sized_fabric::{SizedFabric, is_preferred, sized_with_open_bound, too_slow_reason};
use crate::design::columns::cache::SizingCache;
use crate::design::columns::context::{ColumnContext, min_network_cost};
use crate::design::columns::terms::{Demand, Terms};
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::design::job::machine::Level;
use crate::fabric::Ratio;
use crate::scenario::{FabricChoice, Limits, Minimize};
use crate::units::{ROUNDING, Seconds, Usd};

/// The best fabric that is no slower than the pace of a context, where an earlier objective leaves
/// what it leaves to clusters of the pace `capped`.
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
        return family_search::cheapest_fast_member(instance, context, capped, terms, tools);
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
        return Err(slowness_reason(context, terms, &mut tools.cache));
    }
    let sized = instance.solve_over_columns(
        context,
        terms,
        &found,
        capped,
        tools.options,
        &mut tools.work,
    )?;
    Ok(if tools.cache.effort.is_spent() {
        sized_with_open_bound(sized, context, Usd::ZERO)
    } else {
        sized
    })
}

/// Why no column is fast enough: how fast the fastest is.
fn slowness_reason(
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
    let scenarios = context.job.scenarios.runs.iter().map(|robust_run| &robust_run.run);
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

/// Step times from `fast` to `slow`, both in it.
#[derive(Clone, Copy)]
struct TimeRange {
    fast: f64,
    slow: f64,
    /// No fabric in it takes less of what the objective counts.
    lower_bound: f64,
}

impl TimeRange {
    /// The part of it in which a token may cost no more than that: a network that costs no less
    /// than the least one gives up what it saves as steps get longer.
    fn narrow_below_value(self, value: f64) -> Self {
        if self.lower_bound <= 0.0 {
            return self;
        }
        let last = self.fast * (value / self.lower_bound) * (1.0 + ROUNDING);
        Self { slow: self.slow.min(last), ..self }
    }
}

/// The best over all step times that the demand allows.
///
/// Within a range no fabric costs less than the cheapest one that is no slower than its slow end,
/// and none is faster than its fast end: together they bound the cost of a token in it. The
/// cheapest one makes everything slower than itself needless, so what is left of the range ends
/// just below it. Where cost per token is capped, what is cheapest under the cap of the fast end is
/// cheapest under that of every time in the range, if it keeps its own.
///
/// Every fabric that was the cheapest of its range is kept in `seen`.
///
/// # Errors
/// Why there is none at any time.
pub(super) fn cheapest_over_step_times(
    instance: &ProgramInstance<'_>,
    context: &ColumnContext<'_>,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
    seen: &mut Vec<SizedFabric>,
) -> Result<SizedFabric, Infeasible> {
    let slowest = context.pace.get();
    let fastest = context.job.full_bisection_step_time().get().min(slowest);
    let capped = terms.caps.depends_on_step_time();
    let mut best: Option<SizedFabric> = None;
    // The least that ranges may take which were given up before they were closed.
    let mut floor = f64::INFINITY;
    let mut failed = None;
    let least =
        if capped { 0.0 } else { instance.least_per_token(min_network_cost(context), fastest) };
    let whole = TimeRange { fast: fastest, slow: slowest, lower_bound: least };
    let mut open = vec![whole];
    if !capped {
        // The fast end alone is often the best, and bounds the rest.
        open.insert(0, TimeRange { slow: fastest * (1.0 + ROUNDING), ..whole });
    }
    while let Some(range) = pop_cheapest_range(&mut open) {
        let known = best.as_ref().map_or(f64::INFINITY, |best| best.value);
        if range.lower_bound >= known * (1.0 - ROUNDING) {
            continue;
        }
        if best.is_some() && tools.cache.effort.is_spent() {
            floor = floor.min(range.lower_bound);
            continue;
        }
        let useful = terms.below.map_or(known, |below| known.min(below));
        let range = if capped { range } else { range.narrow_below_value(useful) };
        let most = if useful.is_finite() {
            instance.max_network_cost(terms.minimize, useful, Seconds::from_f64(range.fast))
        } else {
            f64::INFINITY
        };
        let paced =
            ColumnContext { pace: Seconds::from_f64(range.slow), max_cost: most, ..*context };
        let silent = terms.silent || range.slow < slowest || best.is_some();
        let asked = Terms { silent, ..*terms };
        let found = match cheapest_within_step_time(
            instance,
            &paced,
            Seconds::from_f64(range.fast),
            &asked,
            tools,
        ) {
            Ok(found) => found,
            Err(reason) => {
                if reason == Infeasible::Unknown {
                    let least =
                        if capped { 0.0 } else { instance.least_per_token(Usd::ZERO, range.fast) };
                    floor = floor.min(least.max(range.lower_bound));
                }
                failed = failed.or((!silent).then_some(reason));
                continue;
            }
        };
        let narrow = range.slow <= range.fast * (1.0 + ROUNDING);
        let late = found.time.get() > range.fast * (1.0 + ROUNDING);
        if capped && late && !keeps_cap(&found, context, terms) {
            // It keeps the cap of no time that it takes itself: neither of these ranges has it.
            let (own, least) = (found.time.get(), found.bound);
            if own.next_down() >= range.fast {
                open.push(TimeRange { slow: own.next_down(), lower_bound: least, ..range });
            }
            open.push(TimeRange { fast: own.max(range.fast), lower_bound: least, ..range });
            continue;
        }
        let least = if capped {
            found.bound
        } else {
            instance.least_per_token(found.solution.bound, range.fast)
        };
        let end = found.time.get().min(range.slow).next_down();
        if capped || narrow || end < range.fast {
            floor = floor.min(found.bound);
        }
        seen.push(found.clone());
        if best.as_ref().is_none_or(|known| is_preferred(&found, known)) {
            best = Some(found);
        }
        if !capped && end >= range.fast {
            open.extend(halve_time_range(range.fast, end, least.max(range.lower_bound)));
        }
    }
    match best {
        Some(best) => Ok(SizedFabric { bound: best.bound.min(floor), ..best }),
        None if terms.below.is_some() && floor.is_infinite() => Err(Infeasible::Dearer),
        None => Err(failed.unwrap_or(Infeasible::Unknown)),
    }
}

/// True where a fabric costs no more to own than an earlier objective leaves at its own pace.
fn keeps_cap(found: &SizedFabric, context: &ColumnContext<'_>, terms: &Terms<'_>) -> bool {
    let most = terms.caps.tco_cap_at_step_time(found.time);
    let owned = found.allowed_value(Minimize::Tco, context.job, 1.0);
    most.is_none_or(|most| owned <= most.get() * (1.0 + ROUNDING))
}

/// The range that may hold the least.
fn pop_cheapest_range(open: &mut Vec<TimeRange>) -> Option<TimeRange> {
    let least =
        (0..open.len()).min_by(|a, b| open[*a].lower_bound.total_cmp(&open[*b].lower_bound))?;
    Some(open.swap_remove(least))
}

/// Both halves of the times between two, where no token costs less than `least` at the fast end;
/// none where they are as good as equal.
fn halve_time_range(fast: f64, slow: f64, least: f64) -> Vec<TimeRange> {
    if slow <= fast * (1.0 + ROUNDING) {
        return Vec::new();
    }
    let middle = fast.midpoint(slow);
    let (after, later) = (middle.next_up(), least * (middle / fast));
    vec![
        TimeRange { fast, slow: middle, lower_bound: least },
        TimeRange { fast: after, slow, lower_bound: later },
    ]
}

/// The cheapest fabric of the terms' family with at least so many uplinks per downlink: within
/// rails and, where the family joins them, across.
pub(crate) fn cheapest_at_ratio(
    job: &Job<'_>,
    planes: u32,
    share: Ratio,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<SizedFabric> {
    let joined = terms.fabric != FabricChoice::RailOnly;
    let across = if joined { share.to_f64() } else { 0.0 };
    let demand = Demand::with_bandwidth(job, terms, share.to_f64(), across);
    let instance = ProgramInstance::new(job, planes, terms, demand);
    let context = instance.column_context(job, planes, terms);
    cheapest_within_step_time(&instance, &context, Seconds::ENDLESS, terms, tools).ok()
}
