//! Designs of ready specs, each worked out once for all tests of a binary.

use std::sync::{Arc, Mutex, OnceLock};

use planner::design::{Infeasible, Plan};
use planner::scenario::Scenario;
use planner::spec::presets;

type Answer = Arc<OnceLock<Result<Plan, Infeasible>>>;

/// Questions that were asked, and what came of them.
static ANSWERS: Mutex<Vec<(Scenario, Answer)>> = Mutex::new(Vec::new());

/// The design of a scenario. Of a ready spec, a test that asks what another one asked waits for that
/// answer; drawn specs are never the same, and are not kept.
pub(crate) fn design(scenario: &Scenario) -> Result<Plan, Infeasible> {
    if presets::ready_spec(&scenario.name).is_none() {
        return planner::design::design(scenario);
    }
    let answer = {
        let mut answers = ANSWERS.lock().expect("no test panics while it holds the lock");
        match answers.iter().find(|(asked, _)| asked == scenario) {
            Some((_, answer)) => Arc::clone(answer),
            None => {
                let answer = Answer::default();
                answers.push((scenario.clone(), Arc::clone(&answer)));
                answer
            }
        }
    };
    answer.get_or_init(|| planner::design::design(scenario)).clone()
}
