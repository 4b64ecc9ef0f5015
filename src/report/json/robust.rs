//! What a fabric carries beside its workloads, as programs read it.

use serde::Serialize;

use super::super::number::exact_number;
use super::figures::Figures;
use crate::design::{CarriedScenario, Robustness, SkippedScenario};
use crate::quantity::FigureSource;

/// Scenarios of `[robust]`, those that do not exist here, and what they take together.
#[derive(Serialize)]
pub(super) struct RobustJson {
    #[serde(flatten)]
    figures: Figures,
    scenarios: Vec<RobustScenarioJson>,
    left_out: Vec<Missing>,
}

/// `uplinks_share` is `null` where no number of uplinks will do; `not_routed` says why where it was not.
#[derive(Serialize)]
struct RobustScenarioJson {
    scenario: String,
    step_s: f64,
    slowdown: f64,
    longest_step_s: f64,
    holds: bool,
    uplinks_share: Option<f64>,
    routed: bool,
    not_routed: Option<String>,
}

#[derive(Serialize)]
struct Missing {
    scenario: String,
    reason: String,
}

impl RobustJson {
    pub(super) fn new(of: &Robustness) -> Self {
        let scenario = |of: &CarriedScenario| RobustScenarioJson {
            scenario: of.name.clone(),
            step_s: exact_number(of.step.get()),
            slowdown: exact_number(of.slowdown),
            longest_step_s: exact_number(of.most.get()),
            holds: of.is_step_short_enough(),
            uplinks_share: of.uplinks.map(exact_number),
            routed: of.not_routed.is_none(),
            not_routed: of.not_routed.clone(),
        };
        let missing =
            |of: &SkippedScenario| Missing { scenario: of.name.clone(), reason: of.reason.clone() };
        Self {
            figures: Figures::section_figures(
                "robust",
                &FigureSource { robust: Some(of), ..FigureSource::default() },
            ),
            scenarios: of.scenarios.iter().map(scenario).collect(),
            left_out: of.left_out.iter().map(missing).collect(),
        }
    }
}
