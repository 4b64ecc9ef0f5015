//! A limit on days holds with the failures of a mean year: the design under it is the cheapest of
//! those that end in time, each made by itself with so many machines on standby and no such limit.

use planner::design::Plan;
use planner::scenario::Minimize;
use planner::spec::{SpecText, presets};

use crate::support::scenario::{design, printed_value, resolved};

fn source() -> SpecText {
    presets::ready_spec("starter").expect("it ships")
}

/// The design with these settings; `None` where there is none.
fn designed(settings: &[String]) -> Option<Plan> {
    design(&resolved(&source(), settings)).ok()
}

fn days(plan: &Plan) -> f64 {
    plan.cost.days_with_failures().expect("the run has tokens")
}

#[test]
fn the_design_is_the_cheapest_that_ends_in_time_with_failures() {
    const SAME: f64 = 1e-9;
    for (goal, minimize) in [
        ("capex", Minimize::Capex),
        ("power", Minimize::Power),
        ("usd-per-token", Minimize::UsdPerToken),
    ] {
        let goal = format!("objective.minimize=\"{goal}\"");
        let each: Vec<Plan> = (0..=3)
            .filter_map(|standby| designed(&[goal.clone(), format!("failures.standby={standby}")]))
            .collect();
        assert_eq!(each.len(), 4);
        // Just enough for each of them, and a day more than the slowest.
        let mut limits: Vec<f64> = each.iter().map(|plan| days(plan) * (1.0 + 1e-9)).collect();
        limits.push(limits.iter().copied().fold(0.0, f64::max) + 1.0);
        for limit in limits {
            let in_time = each.iter().filter(|plan| days(plan) <= limit);
            let least =
                in_time.map(|plan| printed_value(plan, minimize)).fold(f64::INFINITY, f64::min);
            let plan = designed(&[goal.clone(), format!("limits.days={limit:.12}")]);
            let plan = plan.expect("one of them ends in time");
            assert!(days(&plan) <= limit * (1.0 + SAME), "{goal}: {} of {limit}", days(&plan));
            let found = printed_value(&plan, minimize);
            assert!(found <= least * (1.0 + SAME), "{goal}, {limit}: {found} over {least}");
        }
        let shortest = each.iter().map(days).fold(f64::INFINITY, f64::min);
        let none = designed(&[goal.clone(), format!("limits.days={}", shortest * 0.9)]);
        assert!(none.is_none_or(|plan| days(&plan) <= shortest * 0.9), "{goal}");
    }
}
