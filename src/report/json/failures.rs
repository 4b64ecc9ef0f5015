//! A year of failures as programs read it.

use serde::Serialize;

use super::super::number::exact;
use super::figures::Figures;
use crate::design::{FailureReport, Plan};
use crate::quantity::Answer;
use crate::reliability::FaultYear;

/// A year of failures with every kind of fault.
#[derive(Serialize)]
pub(super) struct Failures {
    #[serde(flatten)]
    figures: Figures,
    faults: Vec<Fault>,
}

#[derive(Serialize)]
struct Fault {
    fault: String,
    pieces: u64,
    per_year: f64,
    network: bool,
    stops: bool,
    gpus: u64,
    pace_share: f64,
    response: &'static str,
    days_lost_per_year: f64,
}

impl Failures {
    pub(super) fn new(plan: &Plan) -> Self {
        let FailureReport { year, .. } = &plan.failures;
        let answer = Answer { failures: Some(&plan.failures), ..Answer::default() };
        Self {
            figures: Figures::of("failures", &answer),
            faults: year.faults.iter().map(Fault::new).collect(),
        }
    }
}

impl Fault {
    fn new(of: &FaultYear) -> Self {
        Self {
            fault: of.fault.part.clone(),
            pieces: of.fault.pieces,
            per_year: exact(of.fault.all().get()),
            network: of.fault.network,
            stops: of.fault.stops,
            gpus: of.fault.gpus,
            pace_share: exact(of.fault.kept),
            response: of.action(),
            days_lost_per_year: exact(of.days_lost()),
        }
    }
}
