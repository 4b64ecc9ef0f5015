//! `planner compare` as programs read it.

use serde::Serialize;

use super::super::number::exact_number;
use super::body::PlanJson;
use crate::compare::{Attribution, BaselineResult, Comparison};
use crate::design::LimitMove;
use crate::units::Usd;

#[derive(Serialize)]
struct CompareJson {
    schema: &'static str,
    name: String,
    #[serde(flatten)]
    whole: BaselineJson,
    /// Of several clusters each by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    each: Vec<ComparedDesign>,
}

/// One of several clusters.
#[derive(Serialize)]
struct ComparedDesign {
    name: String,
    #[serde(flatten)]
    beside: BaselineJson,
}

#[derive(Serialize)]
struct BaselineJson {
    /// The design first, then the baselines in the order asked for.
    designs: Vec<PlanJson>,
    /// One for each design but the first.
    against: Vec<DifferenceJson>,
    missing: Vec<String>,
    attribution: Option<SavingOrigin>,
}

/// How the design compares with a baseline; savings without a unit are shares of the baseline.
#[derive(Serialize)]
struct DifferenceJson {
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
struct SavingOrigin {
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
pub(in super::super) fn comparison_json(comparison: &Comparison) -> String {
    let one = |this_comparison: &Comparison| ComparedDesign {
        name: this_comparison.design.name.clone(),
        beside: BaselineJson::new(this_comparison),
    };
    super::write(&CompareJson {
        schema: "planner/compare/1",
        name: comparison.design.name.clone(),
        whole: BaselineJson::new(comparison),
        each: comparison.each.iter().map(one).collect(),
    })
}

impl BaselineJson {
    fn new(comparison: &Comparison) -> Self {
        let mut designs = vec![PlanJson::from_named_plan("design", &comparison.design)];
        designs.extend(
            comparison
                .contenders
                .iter()
                .map(|result| PlanJson::from_named_plan(&result.name, &result.plan)),
        );
        Self {
            designs,
            against: comparison.contenders.iter().map(DifferenceJson::new).collect(),
            missing: comparison.missing.iter().map(ToString::to_string).collect(),
            attribution: comparison.attribution.as_ref().map(SavingOrigin::new),
        }
    }
}

impl DifferenceJson {
    fn new(contender: &BaselineResult) -> Self {
        let difference = &contender.against;
        let power = contender.plan.cost.network_power;
        Self {
            baseline: contender.baseline.to_string(),
            name: contender.name.clone(),
            network_capex_saving: difference.network_capex_share.map(exact_number),
            network_capex_saving_usd: exact_number(difference.network_capex_saving.get()),
            network_capex_saving_range_usd: difference
                .network_capex_saving_range
                .map(|(low, high)| [exact_number(low.get()), exact_number(high.get())]),
            capex_saving_usd: exact_number(difference.capex_saving.get()),
            power_saving: (power.get() > 0.0)
                .then(|| exact_number(difference.power_saving / power)),
            power_saving_w: exact_number(difference.power_saving.get()),
            slowdown: exact_number(difference.slowdown),
            usd_per_million_tokens_saving: difference
                .usd_per_million_tokens_saving
                .map(Usd::get)
                .map(exact_number),
            usd_per_million_tokens_saving_interval: difference
                .usd_per_million_tokens_saving_interval
                .map(|(low, high)| [exact_number(low.get()), exact_number(high.get())]),
            usd_per_million_tokens_intervals_overlap: difference.intervals_overlap,
            present_value_saving_usd: difference
                .present_value_saving
                .map(|usd| exact_number(usd.get())),
            unpriced: difference.unpriced.clone(),
            breaks: contender.breaks.iter().map(Broken::new).collect(),
        }
    }
}

impl Broken {
    fn new(limit_move: &LimitMove) -> Self {
        let [has, needs] =
            [&limit_move.has, &limit_move.needs].map(|amount| exact_number(amount.scalar()));
        Self { limit: limit_move.limit.clone(), has, needs }
    }
}

impl SavingOrigin {
    fn new(attribution: &Attribution) -> Self {
        Self {
            contributions: attribution
                .contributions
                .iter()
                .map(|contribution| Contribution {
                    cause: contribution.cause.name(),
                    saving_usd: exact_number(contribution.saving.get()),
                })
                .collect(),
            planes: attribution.planes,
            clos_tiers: attribution.clos_tiers,
            rail_tiers: attribution.rail_tiers,
            rails_share: exact_number(attribution.rails_share),
            sentence: attribution.to_string(),
        }
    }
}
