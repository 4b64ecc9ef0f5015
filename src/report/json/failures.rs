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
    fn new(year: &FaultYear) -> Self {
        Self {
            fault: year.fault.part.clone(),
            pieces: year.fault.pieces,
            per_year: exact_number(year.fault.rate_of_any().events()),
            network: year.fault.network,
            stops: year.fault.stops,
            gpus: year.fault.gpus,
            pace_share: exact_number(year.fault.kept),
            response: year.response_text(),
            days_lost_per_year: exact_number(year.days_lost()),
        }
    }
}
