//! A year of failures as programs read it.

use serde::Serialize;

use super::super::number::exact_number;
use super::figures::Figures;
use crate::design::{FailureReport, Plan};
use crate::quantity::FigureSource;
use crate::reliability::FaultYear;

/// A year of failures with every kind of fault.
#[derive(Serialize)]
pub(super) struct FailuresJson {
    #[serde(flatten)]
    figures: Figures,
    faults: Vec<FaultJson>,
}

#[derive(Serialize)]
struct FaultJson {
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

impl FailuresJson {
    pub(super) fn new(plan: &Plan) -> Self {
        let FailureReport { year, .. } = &plan.failures;
        let answer = FigureSource { failures: Some(&plan.failures), ..FigureSource::default() };
        Self {
            figures: Figures::section_figures("failures", &answer),
            faults: year.faults.iter().map(FaultJson::new).collect(),
        }
    }
}

impl FaultJson {
    fn new(of: &FaultYear) -> Self {
        Self {
            fault: of.fault.part.clone(),
            pieces: of.fault.pieces,
            per_year: exact_number(of.fault.rate_of_any().events()),
            network: of.fault.network,
            stops: of.fault.stops,
            gpus: of.fault.gpus,
            pace_share: exact_number(of.fault.kept),
            response: of.response_text(),
            days_lost_per_year: exact_number(of.days_lost()),
        }
    }
}
