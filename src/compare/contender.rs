//! One fabric beside the design, and the differences.

use std::collections::BTreeMap;

use super::Baseline;
use super::shared_error::saving_interval;
use crate::cost::{BillLine, Role, change_range};
use crate::design::{LimitMove, Plan};
use crate::quantity::FigureSource;
use crate::units::{Usd, Watts};

/// A fabric that the design is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineResult {
    /// What was asked for.
    pub baseline: Baseline,
    /// What it is, in words: planes and oversubscription included.
    pub name: String,
    /// The design's machines and layout on that fabric.
    pub plan: Plan,
    /// How the design compares.
    pub against: BaselineDifference,
    /// Limits of the spec that it breaks, as baselines are built without them.
    pub breaks: Vec<LimitMove>,
}

/// A baseline minus the design: what is positive speaks for the design.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineDifference {
    /// Switches and optics saved.
    pub network_capex_saving: Usd,
    /// That saving over the baseline's network capex; `None` where that costs nothing.
    pub network_capex_share: Option<f64>,
    /// That saving at the prices that favour the design least, and most; `None` where no part that
    /// differs has a range of prices.
    pub network_capex_saving_range: Option<(Usd, Usd)>,
    /// Capex of the whole cluster saved.
    pub capex_saving: Usd,
    /// Power of the network saved.
    pub power_saving: Watts,
    /// Step time of the design over the baseline's.
    pub slowdown: f64,
    /// Cost per million tokens saved; `None` where either has none.
    pub usd_per_million_tokens_saving: Option<Usd>,
    /// Between which values that saving lies in 80 of 100 cases, as both steps share most of the clock's
    /// error; `None` where either cost has no interval.
    pub usd_per_million_tokens_saving_interval: Option<(Usd, Usd)>,
    /// The intervals of both costs per million tokens overlap, each by itself. `None` where either has
    /// none.
    pub intervals_overlap: Option<bool>,
    /// Parts that no book prices and of which the two bills have not as many: no saving in dollars counts
    /// them, so it says nothing of which is cheaper.
    pub unpriced: Vec<String>,
    /// Of a cluster that grows: what is saved of what the objective makes of all stages, in today's
    /// money.
    pub present_value_saving: Option<Usd>,
}

impl BaselineDifference {
    /// A baseline against a design of the same machines.
    pub(super) fn new(baseline: &Plan, design: &Plan) -> Self {
        let (theirs, ours) = (&baseline.cost, &design.cost);
        let saving = theirs.network_capex - ours.network_capex;
        let time = baseline.pace;
        let present = |plan: &Plan| plan.stages_report().map(|growth| growth.present_value);
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
            intervals_overlap: cost_interval(baseline).zip(cost_interval(design)).map(has_overlap),
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
fn cost_interval(plan: &Plan) -> Option<(Usd, Usd)> {
    let usd = plan.cost.usd_per_million_tokens?;
    let interval = FigureSource::from_plan(plan).interval?;
    Some((usd * interval.low, usd * interval.high))
}

fn has_overlap((one, other): ((Usd, Usd), (Usd, Usd))) -> bool {
    one.0 <= other.1 && other.0 <= one.1
}
