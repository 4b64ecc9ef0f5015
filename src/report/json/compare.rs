//! `planner compare` as programs read it.

use serde::Serialize;

use super::super::number::exact;
use super::body::Body;
use crate::compare::{Attribution, Comparison, Contender};
use crate::design::Move;
use crate::units::Usd;

#[derive(Serialize)]
struct Sheet {
    schema: &'static str,
    name: String,
    #[serde(flatten)]
    whole: Beside,
    /// Of several clusters each by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    each: Vec<One>,
}

/// One of several clusters.
#[derive(Serialize)]
struct One {
    name: String,
    #[serde(flatten)]
    beside: Beside,
}

#[derive(Serialize)]
struct Beside {
    /// The design first, then the baselines in the order asked for.
    designs: Vec<Body>,
    /// One for each design but the first.
    against: Vec<Against>,
    missing: Vec<String>,
    attribution: Option<Origin>,
}

/// How the design compares with a baseline; savings without a unit are shares of the baseline.
#[derive(Serialize)]
struct Against {
    baseline: String,
    name: String,
    network_capex_saving: Option<f64>,
    network_capex_saving_usd: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    network_capex_saving_range_usd: Option<[f64; 2]>,
    capex_saving_usd: f64,
    power_saving: Option<f64>,
    power_saving_w: f64,
    slowdown: f64,
    usd_per_million_tokens_saving: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usd_per_million_tokens_saving_interval: Option<[f64; 2]>,
    usd_per_million_tokens_intervals_overlap: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    present_value_saving_usd: Option<f64>,
    /// Parts without a price that keep savings in dollars from saying which is cheaper.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unpriced: Vec<String>,
    /// Limits of the spec that the baseline breaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    breaks: Vec<Broken>,
}

/// A limit that a baseline breaks, in the unit of its key.
#[derive(Serialize)]
struct Broken {
    limit: String,
    has: f64,
    needs: f64,
}

/// Where the saving against the paper's Clos comes from.
#[derive(Serialize)]
struct Origin {
    contributions: Vec<Contribution>,
    planes: u32,
    clos_tiers: usize,
    rail_tiers: usize,
    rails_share: f64,
    sentence: String,
}

#[derive(Serialize)]
struct Contribution {
    cause: &'static str,
    saving_usd: f64,
}

/// The comparison as pretty JSON.
pub(in super::super) fn compare(comparison: &Comparison) -> String {
    let one = |of: &Comparison| One { name: of.design.name.clone(), beside: Beside::new(of) };
    super::write(&Sheet {
        schema: "planner/compare/1",
        name: comparison.design.name.clone(),
        whole: Beside::new(comparison),
        each: comparison.each.iter().map(one).collect(),
    })
}

impl Beside {
    fn new(comparison: &Comparison) -> Self {
        let mut designs = vec![Body::named("design", &comparison.design)];
        designs.extend(comparison.contenders.iter().map(|of| Body::named(&of.name, &of.plan)));
        Self {
            designs,
            against: comparison.contenders.iter().map(Against::new).collect(),
            missing: comparison.missing.iter().map(ToString::to_string).collect(),
            attribution: comparison.attribution.as_ref().map(Origin::new),
        }
    }
}

impl Against {
    fn new(contender: &Contender) -> Self {
        let of = &contender.against;
        let power = contender.plan.cost.network_power;
        Self {
            baseline: contender.baseline.to_string(),
            name: contender.name.clone(),
            network_capex_saving: of.network_capex_share.map(exact),
            network_capex_saving_usd: exact(of.network_capex_saving.get()),
            network_capex_saving_range_usd: of
                .network_capex_saving_range
                .map(|(low, high)| [exact(low.get()), exact(high.get())]),
            capex_saving_usd: exact(of.capex_saving.get()),
            power_saving: (power.get() > 0.0).then(|| exact(of.power_saving / power)),
            power_saving_w: exact(of.power_saving.get()),
            slowdown: exact(of.slowdown),
            usd_per_million_tokens_saving: of
                .usd_per_million_tokens_saving
                .map(Usd::get)
                .map(exact),
            usd_per_million_tokens_saving_interval: of
                .usd_per_million_tokens_saving_interval
                .map(|(low, high)| [exact(low.get()), exact(high.get())]),
            usd_per_million_tokens_intervals_overlap: of.intervals_overlap,
            present_value_saving_usd: of.present_value_saving.map(|usd| exact(usd.get())),
            unpriced: of.unpriced.clone(),
            breaks: contender.breaks.iter().map(Broken::new).collect(),
        }
    }
}

impl Broken {
    fn new(of: &Move) -> Self {
        let [has, needs] = [&of.has, &of.needs].map(|amount| exact(amount.scalar()));
        Self { limit: of.limit.clone(), has, needs }
    }
}

impl Origin {
    fn new(attribution: &Attribution) -> Self {
        Self {
            contributions: attribution
                .contributions
                .iter()
                .map(|of| Contribution {
                    cause: of.cause.name(),
                    saving_usd: exact(of.saving.get()),
                })
                .collect(),
            planes: attribution.planes,
            clos_tiers: attribution.clos_tiers,
            rail_tiers: attribution.rail_tiers,
            rails_share: exact(attribution.rails_share),
            sentence: attribution.to_string(),
        }
    }
}
