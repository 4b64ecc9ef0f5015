//! Between which values the difference of two costs of a token lies. Both costs rest on one clock: where it
//! errs, it errs on both designs alike, so their intervals are no two dice (docs/equations.md §4.12). Says
//! nothing of prices.

use crate::design::Plan;
use crate::quantity::FigureSource;
use crate::step::TrafficKind;
use crate::timing::{Interval, StepTime};
use crate::units::{Seconds, Usd};

/// A cost that follows from the time of a step.
struct Priced<'a> {
    /// Cost per million tokens and second of the step.
    usd_a_second: f64,
    time: &'a StepTime,
    interval: &'a Interval,
}

impl<'a> Priced<'a> {
    /// The cost of a plan; `None` where it has none, or where several workloads share its time.
    fn from_plan(plan: &'a Plan) -> Option<Self> {
        let usd = plan.cost.usd_per_million_tokens?.get();
        let interval = FigureSource::from_plan(plan).interval?;
        let time = &plan.step.time;
        let total = time.total_time().get();
        (total > 0.0).then(|| Self { usd_a_second: usd / total, time, interval })
    }
}

/// The 80 % interval of what a baseline's million tokens cost more than a design's. What both steps have of a
/// part is timed by the same formula and errs as one; what only one of them has errs by itself. Errors of the
/// three are added as those of independent quantities, to first order. So two steps of equal parts keep the
/// sign of their difference. `None` where either has no interval.
pub(super) fn saving_interval(baseline: &Plan, design: &Plan) -> Option<(Usd, Usd)> {
    let [theirs, ours] = [Priced::from_plan(baseline)?, Priced::from_plan(design)?];
    let shared = shared_time(theirs.time, ours.time).get();
    let alone = |priced: &Priced<'_>| priced.time.total_time().get() - shared;
    let terms = [
        Term { usd: (theirs.usd_a_second - ours.usd_a_second) * shared, interval: ours.interval },
        Term { usd: theirs.usd_a_second * alone(&theirs), interval: theirs.interval },
        Term { usd: -ours.usd_a_second * alone(&ours), interval: ours.interval },
    ];
    let middle: f64 = terms.iter().map(|term| term.usd).sum();
    let root = |squares: f64| squares.sqrt();
    let below = root(terms.iter().map(|this_term| this_term.error_below().powi(2)).sum());
    let above = root(terms.iter().map(|this_term| this_term.error_above().powi(2)).sum());
    Some((Usd::from_f64(middle - below), Usd::from_f64(middle + above)))
}

/// A part of the difference, proportional to the share by which the clock errs.
struct Term<'a> {
    usd: f64,
    interval: &'a Interval,
}

impl Term<'_> {
    /// How far it may lie below its value.
    fn error_below(&self) -> f64 {
        self.error_reach(self.usd > 0.0)
    }

    /// How far it may lie above it.
    fn error_above(&self) -> f64 {
        self.error_reach(self.usd <= 0.0)
    }

    fn error_reach(&self, shorter: bool) -> f64 {
        let Interval { low, high, .. } = self.interval;
        let share = if shorter { 1.0 - low } else { high - 1.0 };
        self.usd.abs() * share.max(0.0)
    }
}

/// Time of the parts that both steps have.
fn shared_time(one: &StepTime, other: &StepTime) -> Seconds {
    let [one, other] = [one, other].map(step_parts);
    one.into_iter().zip(other).map(|(one, other)| one.min(other)).sum()
}

/// Parts of a step, which sum to it.
fn step_parts(time: &StepTime) -> Vec<Seconds> {
    let StepTime { compute, exposed, bubble, optimizer, host, swap, stragglers, .. } = time;
    let exposed = TrafficKind::ALL.map(|kind| exposed.time_of_kind(kind));
    [*compute, *bubble, *optimizer, *host, *swap, *stragglers].into_iter().chain(exposed).collect()
}
