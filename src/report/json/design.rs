//! `planner design` as programs read it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::number::exact_number;
use super::body::PlanJson;
use super::digest::result_digest;
use super::exchange::ExchangeRateJson;
use crate::design::{Fingerprint, Plan};
use crate::hardware::PricedItem;
use crate::units::Usd;

#[derive(Serialize)]
struct DesignJson {
    schema: &'static str,
    #[serde(flatten)]
    body: PlanJson,
    inputs: InputsJson,
    #[serde(skip_serializing_if = "String::is_empty")]
    digest: String,
}

/// What the design was made from, so that a later result can tell why it differs.
#[derive(Serialize)]
struct InputsJson {
    planner: &'static str,
    question: String,
    asked: BTreeMap<String, String>,
    catalogue: String,
    machines: BTreeMap<String, String>,
    price_book: String,
    prices: BTreeMap<String, f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    exchange: BTreeMap<String, ExchangeRateJson>,
    gate: Rules,
}

/// Rules that the spec states for `planner check`.
#[derive(Serialize)]
struct Rules {
    fail_on: Vec<String>,
    warn_on: Vec<String>,
}

/// The plan as pretty JSON.
pub(in super::super) fn design_json(plan: &Plan) -> String {
    let mut design = DesignJson {
        schema: "planner/design/1",
        body: PlanJson::from_named_plan(&plan.name, plan),
        inputs: InputsJson::new(&plan.inputs),
        digest: String::new(),
    };
    design.digest = result_digest(&super::write(&design));
    super::write(&design)
}

impl InputsJson {
    fn new(inputs: &crate::design::Inputs) -> Self {
        let price = |(item, usd): (&PricedItem, &Usd)| (item.to_string(), exact_number(usd.get()));
        Self {
            planner: env!("CARGO_PKG_VERSION"),
            question: inputs.question.to_string(),
            asked: fingerprints_by_name(&inputs.asked),
            catalogue: inputs.catalogue.to_string(),
            machines: fingerprints_by_name(&inputs.machines),
            price_book: inputs.price_book.clone(),
            prices: inputs.prices.iter().map(price).collect(),
            exchange: inputs
                .exchange
                .iter()
                .map(|(item, rate)| (item.to_string(), ExchangeRateJson::new(rate)))
                .collect(),
            gate: Rules {
                fail_on: inputs.rules.fail_on.clone(),
                warn_on: inputs.rules.warn_on.clone(),
            },
        }
    }
}

/// Stand-ins by name.
fn fingerprints_by_name(table: &BTreeMap<String, Fingerprint>) -> BTreeMap<String, String> {
    table.iter().map(|(name, print)| (name.clone(), print.to_string())).collect()
}
