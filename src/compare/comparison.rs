//! A comparison as data: each design beside the others, where a difference comes from, and how sure
//! it is.

use std::collections::BTreeMap;
use std::fmt;

use super::baseline::Baseline;
use crate::cost::{BillLine, Role, change_range};
use crate::design::{LimitMove, Plan};
use crate::quantity::FigureSource;
use crate::step::TrafficKind;
use crate::timing::{Interval, StepTime};
use crate::units::{Seconds, Usd, UsdRange, Watts};

/// A design beside baselines.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub design: Plan,
    /// The baselines, in the order asked for; `clos` gives two. One that can't be built of what
    /// is on offer is left out and named in `missing`.
    pub contenders: Vec<BaselineResult>,
    /// Baselines that can't be built.
    pub missing: Vec<Baseline>,
    /// Where the saving against the paper's Clos comes from; `None` where no model can build it,
    /// and of several clusters together.
    pub attribution: Option<Attribution>,
    /// Of several clusters each by itself, parts in their order or stages in theirs. What stands
    /// above is of all of them together then, and a slowdown that of the one that is slowed most.
    pub each: Vec<Comparison>,
}

impl Comparison {
    /// A design beside nothing: somebody ended the work before there was anything.
    pub(super) fn design_only(design: Plan) -> Self {
        let (contenders, missing) = (Vec::new(), Vec::new());
        Self { design, contenders, missing, attribution: None, each: Vec::new() }
    }
}

/// A fabric that the design is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineResult {
    pub baseline: Baseline,
    /// What it is, in words: planes and oversubscription included.
    pub name: String,
    /// The design's machines and layout on that fabric.
    pub plan: Plan,
    pub against: BaselineDifference,
    /// Limits of the spec that it breaks, as baselines are built without them.
    pub breaks: Vec<LimitMove>,
}

/// A baseline minus the design: what is positive speaks for the design.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineDifference {
    pub network_capex_saving: Usd,
    /// That saving over the baseline's network capex; `None` where that costs nothing.
    pub network_capex_share: Option<f64>,
    /// That saving at the prices that favour the design least, and most; `None` where no part that
    /// differs has a range of prices.
    pub network_capex_saving_range: Option<UsdRange>,
    /// Capex of the whole cluster saved.
    pub capex_saving: Usd,
    /// Power of the network saved.
    pub power_saving: Watts,
    /// Step time of the design over the baseline's.
    pub slowdown: f64,
    /// Cost per million tokens saved; `None` where either has none.
    pub usd_per_million_tokens_saving: Option<Usd>,
    /// Between which values that saving lies in 80 of 100 cases, as both steps share most of the
    /// clock's error; `None` where either cost has no interval.
    pub usd_per_million_tokens_saving_interval: Option<UsdRange>,
    /// The intervals of both costs per million tokens overlap, each by itself. `None` where either
    /// has none.
    pub intervals_overlap: Option<bool>,
    /// Parts that no book prices and of which the two bills have not as many: no saving in dollars
    /// counts them, so it says nothing of which is cheaper.
    pub unpriced: Vec<String>,
    /// Of a cluster that grows: what is saved of what the objective makes of all stages, in today's
    /// money.
    pub present_value_saving: Option<Usd>,
}

impl BaselineDifference {
    /// Whether sums of both can be held against each other.
    #[must_use]
    pub fn is_priced(&self) -> bool {
        self.unpriced.is_empty()
    }

    /// A baseline against a design of the same machines.
    pub(super) fn new(baseline: &Plan, design: &Plan) -> Self {
        let (theirs, ours) = (&baseline.cost, &design.cost);
        let saving = theirs.network_capex - ours.network_capex;
        let time = baseline.pace;
        let present = |plan: &Plan| plan.growth.map(|growth| growth.present_value);
        let tokens = theirs.usd_per_million_tokens.zip(ours.usd_per_million_tokens);
        Self {
            network_capex_saving: saving,
            network_capex_share: (theirs.network_capex > Usd::ZERO)
                .then(|| saving / theirs.network_capex),
            network_capex_saving_range: change_range(
                &design.bill,
                &baseline.bill,
                Role::is_network,
            ),
            capex_saving: theirs.capex - ours.capex,
            power_saving: theirs.network_power - ours.network_power,
            slowdown: if time.get() > 0.0 { design.pace / time } else { 1.0 },
            usd_per_million_tokens_saving: tokens.map(|(theirs, ours)| theirs - ours),
            usd_per_million_tokens_saving_interval: saving_interval(baseline, design),
            intervals_overlap: cost_interval(baseline)
                .zip(cost_interval(design))
                .map(|(theirs, ours)| theirs.low <= ours.high && ours.low <= theirs.high),
            unpriced: unpriced_parts(&baseline.bill, &design.bill),
            present_value_saving: present(baseline)
                .zip(present(design))
                .map(|(theirs, ours)| theirs - ours),
        }
    }
}

/// Parts without a price that two bills have in other numbers.
fn unpriced_parts(one: &[BillLine], other: &[BillLine]) -> Vec<String> {
    let mut pieces: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for line in one.iter().filter(|line| line.unit.is_none()) {
        pieces.entry(&line.part).or_default().0 += line.bought_count();
    }
    for line in other.iter().filter(|line| line.unit.is_none()) {
        pieces.entry(&line.part).or_default().1 += line.bought_count();
    }
    let unlike = pieces.into_iter().filter(|(_, (one, other))| one != other);
    unlike.map(|(part, _)| part.to_owned()).collect()
}

/// The interval of a design's cost per million tokens; `None` where it has none.
fn cost_interval(plan: &Plan) -> Option<UsdRange> {
    let usd = plan.cost.usd_per_million_tokens?;
    let interval = FigureSource::from_plan(plan).interval?;
    Some(UsdRange { low: usd * interval.low, high: usd * interval.high })
}

// Where the saving against the paper's Clos comes from, one change at a time.
//
// Rail-only is often credited with what planes, oversubscription or stock save. So the way from
// the paper's Clos to the design is walked in steps that each change one thing; the steps sum
// to the whole difference.

/// What a step changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SavingCause {
    /// Another interface than the product's own: slower links, or faster ones.
    Nic,
    /// More planes of slower links: the Clos needs fewer tiers.
    Planes,
    /// No spine across rails: a rail needs fewer tiers than the whole.
    Rails,
    /// Fewer uplinks than downlinks, and the mix of models that suits them, were a port of every
    /// model as dear as one of the design's main model.
    Oversubscription,
    /// Ports of other models that are cheaper than those of the main one, or dearer.
    Price,
    /// Parts that are owned already.
    Stock,
}

impl SavingCause {
    /// All of them, in the order of the steps.
    pub const ALL: [Self; 6] =
        [Self::Nic, Self::Planes, Self::Rails, Self::Oversubscription, Self::Price, Self::Stock];

    /// Name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nic => "NICs",
            Self::Planes => "planes",
            Self::Rails => "no spine",
            Self::Oversubscription => "oversubscription and switch model",
            Self::Price => "price per port",
            Self::Stock => "owned parts",
        }
    }
}

/// What one step saves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contribution {
    pub cause: SavingCause,
    /// Network capex that it saves; negative where it costs.
    pub saving: Usd,
}

/// The whole way from the paper's Clos to the design.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribution {
    /// The steps; they sum to the difference of network capex.
    pub contributions: Vec<Contribution>,
    pub planes: u32,
    /// Tiers of a full-bisection Clos in as many planes: t(N).
    pub clos_tiers: usize,
    /// Tiers of a non-blocking rail in as many planes: t(N/K).
    pub rail_tiers: usize,
    /// What leaving out the spine across rails saves by itself, over that Clos.
    pub rails_share: f64,
}

impl fmt::Display for Attribution {
    /// Tiers of a rail beside those of the Clos.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let planes = self.planes;
        let planes = if planes == 1 { "1 plane".to_owned() } else { format!("{planes} planes") };
        write!(
            f,
            "in {planes} a rail that is not oversubscribed fits in {}, the Clos needs {}",
            format_tiers(self.rail_tiers),
            format_tiers(self.clos_tiers)
        )?;
        if self.rails_share > 0.0 {
            return Ok(());
        }
        f.write_str(": rail-only saves nothing by itself here")
    }
}

fn format_tiers(count: usize) -> String {
    if count == 1 { "1 tier".to_owned() } else { format!("{count} tiers") }
}

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

/// The 80 % interval of what a baseline's million tokens cost more than a design's. What both steps
/// have of a part is timed by the same formula and errs as one; what only one of them has errs by
/// itself. Errors of the three are added as those of independent quantities, to first order. So two
/// steps of equal parts keep the sign of their difference. `None` where either has no interval.
fn saving_interval(baseline: &Plan, design: &Plan) -> Option<UsdRange> {
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
    let (low, high) = (Usd::from_f64(middle - below), Usd::from_f64(middle + above));
    Some(UsdRange { low, high })
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
