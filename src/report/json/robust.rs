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
    pub(super) fn new(robustness: &Robustness) -> Self {
        let scenario = |carried_scenario: &CarriedScenario| RobustScenarioJson {
            scenario: carried_scenario.name.clone(),
            step_s: exact_number(carried_scenario.step.get()),
            slowdown: exact_number(carried_scenario.slowdown),
            longest_step_s: exact_number(carried_scenario.most.get()),
            holds: carried_scenario.is_step_short_enough(),
            uplinks_share: carried_scenario.uplinks.map(exact_number),
            routed: carried_scenario.not_routed.is_none(),
            not_routed: carried_scenario.not_routed.clone(),
        };
        let missing = |skipped_scenario: &SkippedScenario| Missing {
            scenario: skipped_scenario.name.clone(),
            reason: skipped_scenario.reason.clone(),
        };
        Self {
            figures: Figures::section_figures(
                "robust",
                &FigureSource { robust: Some(robustness), ..FigureSource::default() },
            ),
            scenarios: robustness.scenarios.iter().map(scenario).collect(),
            left_out: robustness.left_out.iter().map(missing).collect(),
        }
    }
}
