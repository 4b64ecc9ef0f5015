//! The stages of a cluster that grows as programs read them.

use serde::Serialize;

use super::super::number::exact;
use super::design::Body;
use super::figures::Figures;
use crate::design::{self, GrowthReport, StagePlan};
use crate::quantity::Answer;

/// A cluster that grows in stages; money of stages together is that of today.
#[derive(Serialize)]
pub(super) struct Growth {
    #[serde(flatten)]
    figures: Figures,
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
        Self {
            figures: Figures::of("growth", &Answer { growth: Some(of), ..Answer::default() }),
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
