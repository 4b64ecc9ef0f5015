//! What a fabric carries beside its workloads, as programs read it.

use serde::Serialize;

use super::super::number::exact;
use super::figures::Figures;
use crate::design::{Carrying, LeftOut, Robustness};
use crate::quantity::Answer;

/// Scenarios of `[robust]`, those that do not exist here, and what they take together.
#[derive(Serialize)]
pub(super) struct Robust {
    #[serde(flatten)]
    figures: Figures,
    scenarios: Vec<Scenario>,
    left_out: Vec<Missing>,
}

/// `uplinks_share` is `null` where no number of uplinks will do; `not_routed` says why where it was not.
#[derive(Serialize)]
struct Scenario {
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

impl Robust {
    pub(super) fn new(of: &Robustness) -> Self {
        let scenario = |of: &Carrying| Scenario {
            scenario: of.name.clone(),
            step_s: exact(of.step.get()),
            slowdown: exact(of.slowdown),
            longest_step_s: exact(of.most.get()),
            holds: of.holds(),
            uplinks_share: of.uplinks.map(exact),
            routed: of.not_routed.is_none(),
            not_routed: of.not_routed.clone(),
        };
        let missing =
            |of: &LeftOut| Missing { scenario: of.name.clone(), reason: of.reason.clone() };
        Self {
            figures: Figures::of("robust", &Answer { robust: Some(of), ..Answer::default() }),
            scenarios: of.scenarios.iter().map(scenario).collect(),
            left_out: of.left_out.iter().map(missing).collect(),
        }
    }
}
