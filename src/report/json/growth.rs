//! The stages of a cluster that grows as programs read them.

use serde::Serialize;

use super::super::number::exact;
use super::design::Body;
use crate::design::{self, GrowthReport, StagePlan};
use crate::units::Usd;

/// A cluster that grows in stages; money of stages together is that of today.
#[derive(Serialize)]
pub(super) struct Growth {
    present_value_usd: f64,
    one_by_one_usd: Option<f64>,
    at_once_usd: Option<f64>,
    stages: Vec<Stage>,
}

/// One of its stages.
#[derive(Serialize)]
struct Stage {
    year: f64,
    price_ratio: f64,
    idle: Vec<Idle>,
    design: Body,
}

/// Parts in hand that a stage does not use.
#[derive(Serialize)]
struct Idle {
    part: String,
    count: u64,
}

impl Growth {
    pub(super) fn new(of: &GrowthReport) -> Self {
        let usd = |money: Usd| exact(money.get());
        Self {
            present_value_usd: usd(of.present_value),
            one_by_one_usd: of.one_by_one.map(usd),
            at_once_usd: of.at_once.map(usd),
            stages: of.stages.iter().map(Stage::new).collect(),
        }
    }
}

impl Stage {
    fn new(of: &StagePlan) -> Self {
        let idle = |of: &design::Idle| Idle { part: of.part.clone(), count: of.count };
        Self {
            year: exact(of.year),
            price_ratio: exact(of.price),
            idle: of.idle.iter().map(idle).collect(),
            design: Body::named(&format!("year {}", of.year), &of.plan),
        }
    }
}
