//! The best fabric where the time of a step weighs on cost: cost per token as if all of the time trained, or
//! a cap on it. Splits the times that a step may take into ranges, and solves a program for each that may
//! hold the best.

use super::context::ColumnContext;
use super::instance::{ProgramInstance, SizingTools};
use super::market::min_network_cost;
use super::sized::{SizedFabric, is_preferred};
use super::terms::Terms;
use super::within::cheapest_within_step_time;
use crate::design::candidate::infeasible::Infeasible;
use crate::scenario::Minimize;
use crate::units::{Seconds, Usd};

/// Times that differ by less than this share are one: rounding of sums.
const SAME: f64 = 1e-9;

/// Step times from `fast` to `slow`, both in it.
#[derive(Clone, Copy)]
struct TimeRange {
    fast: f64,
    slow: f64,
    /// No fabric in it takes less of what the objective counts.
    least: f64,
}

impl TimeRange {
    /// The part of it in which a token may cost no more than that: a network that costs no less than
    /// the least one gives up what it saves as steps get longer.
    fn narrow_below_value(self, value: f64) -> Self {
        if self.least <= 0.0 {
            return self;
        }
        let last = self.fast * (value / self.least) * (1.0 + SAME);
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
    let whole = TimeRange { fast: fastest, slow: slowest, least };
    let mut open = vec![whole];
    if !capped {
        // The fast end alone is often the best, and bounds the rest.
        open.insert(0, TimeRange { slow: fastest * (1.0 + SAME), ..whole });
    }
    while let Some(range) = pop_cheapest_range(&mut open) {
        let known = best.as_ref().map_or(f64::INFINITY, |best| best.value);
        if range.least >= known * (1.0 - SAME) {
            continue;
        }
        if best.is_some() && tools.cache.effort.is_spent() {
            floor = floor.min(range.least);
            continue;
        }
        let useful = terms.below.map_or(known, |below| known.min(below));
        let range = if capped { range } else { range.narrow_below_value(useful) };
        let most = match useful.is_finite() {
            true => {
                instance.max_network_cost(terms.minimize, useful, Seconds::from_f64(range.fast))
            }
            false => f64::INFINITY,
        };
        let paced = ColumnContext { pace: Seconds::from_f64(range.slow), most, ..*context };
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
                    floor = floor.min(least.max(range.least));
                }
                failed = failed.or((!silent).then_some(reason));
                continue;
            }
        };
        let narrow = range.slow <= range.fast * (1.0 + SAME);
        let late = found.time.get() > range.fast * (1.0 + SAME);
        if capped && late && !keeps_cap(&found, context, terms) {
            // It keeps the cap of no time that it takes itself: neither of these ranges has it.
            let (own, least) = (found.time.get(), found.bound);
            if own.next_down() >= range.fast {
                open.push(TimeRange { slow: own.next_down(), least, ..range });
            }
            open.push(TimeRange { fast: own.max(range.fast), least, ..range });
            continue;
        }
        let least = match capped {
            true => found.bound,
            false => instance.least_per_token(found.solution.bound, range.fast),
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
            open.extend(halve_time_range(range.fast, end, least.max(range.least)));
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
    most.is_none_or(|most| owned <= most.get() * (1.0 + SAME))
}

/// The range that may hold the least.
fn pop_cheapest_range(open: &mut Vec<TimeRange>) -> Option<TimeRange> {
    let least = (0..open.len()).min_by(|a, b| open[*a].least.total_cmp(&open[*b].least))?;
    Some(open.swap_remove(least))
}

/// Both halves of the times between two, where no token costs less than `least` at the fast end; none
/// where they are as good as equal.
fn halve_time_range(fast: f64, slow: f64, least: f64) -> Vec<TimeRange> {
    if slow <= fast * (1.0 + SAME) {
        return Vec::new();
    }
    let middle = fast.midpoint(slow);
    let (after, later) = (middle.next_up(), least * (middle / fast));
    vec![TimeRange { fast, slow: middle, least }, TimeRange { fast: after, slow, least: later }]
}
