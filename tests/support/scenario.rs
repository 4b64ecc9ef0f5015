//! The question of a spec, with changes of keys as `--set` makes them, and its design, worked out once
//! for all tests of a binary.

use std::sync::{Arc, Mutex, OnceLock};

use planner::design::{Infeasible, Plan};
use planner::scenario::{Minimize, Scenario};
use planner::spec::{Override, SpecText, presets, read_scenario};

/// That of a spec that ships.
#[track_caller]
pub(crate) fn ready(name: &str, changes: &[&str]) -> Scenario {
    resolved(&presets::ready_spec(name).unwrap_or_else(|| panic!("{name} ships")), changes)
}

/// That of any spec, which is sound.
#[track_caller]
pub(crate) fn resolved(source: &SpecText, changes: &[impl AsRef<str>]) -> Scenario {
    let changes: Vec<Override> = changes.iter().map(|text| Override::new(text.as_ref())).collect();
    read_scenario(source, &changes).unwrap_or_else(|wrong| panic!("{}", wrong.render(false)))
}

type Answer = Arc<OnceLock<Result<Plan, Infeasible>>>;

/// Answers that are kept; drawn clusters are thousands, and hardly one is asked for twice.
const MOST_KEPT: usize = 500;

/// Questions that were asked, and what came of them.
static ANSWERS: Mutex<Vec<(Scenario, Answer)>> = Mutex::new(Vec::new());

/// The design of a scenario. A test that asks what another one asked waits for that answer.
pub(crate) fn design(scenario: &Scenario) -> Result<Plan, Infeasible> {
    let answer = {
        let mut answers = ANSWERS.lock().expect("no test panics while it holds the lock");
        let known = answers.iter().find(|(asked, _)| asked == scenario);
        let answer = known.map_or_else(Answer::default, |(_, answer)| Arc::clone(answer));
        if known.is_none() && answers.len() < MOST_KEPT {
            answers.push((scenario.clone(), Arc::clone(&answer)));
        }
        answer
    };
    answer.get_or_init(|| planner::design::design(scenario)).clone()
}

/// What a printed plan takes of a quantity.
pub(crate) fn printed_value(plan: &Plan, minimize: Minimize) -> f64 {
    let cost = &plan.cost;
    match minimize {
        Minimize::Capex => cost.capex.get(),
        Minimize::Tco => cost.tco.get(),
        Minimize::Power => cost.power.get(),
        Minimize::UsdPerToken => cost.usd_per_million_tokens.expect("it trains").get(),
    }
}
