//! Laws of small clusters at random, which take milliseconds each: what one answer says of another has
//! to be what the other one says.

use std::ops::Range;

use planner::design::{
    FailureRequest, LEAST_GAIN, Plan, SolverStatus, after_failures, design_with,
    find_cluster_frontier, wiring,
};
use planner::fabric::Failure;
use planner::scenario::{Minimize, Scenario};
use planner::sizing::Options;
use planner::spec::{SpecText, read_scenario};
use planner::units::{Seconds, Usd, Watts};

use crate::support::scenario::{design, printed_value};

/// Boxes with a transceiver at each end: among these some candidates of one answer need unlike proofs, and no other
/// shape of leafs saves a module (docs/equations.md §7.14).
fn boxes_by_end(dice: &mut Dice, objective: &str) -> String {
    boxes(dice, objective).replace("\n[inventory]", "\nlinks = \"by-end\"\n[inventory]")
}

use crate::design::boxes::{boxes, pick};
use crate::design::pace::within;
use crate::support::dice::Dice;

fn drawn(dice: &mut Dice, objective: &str) -> (String, Scenario) {
    let text = boxes(dice, objective);
    let scenario = read_scenario(&SpecText::new("drawn.toml", text.as_str()), &[]);
    let scenario = scenario.unwrap_or_else(|wrong| panic!("{text}{}", wrong.render(false)));
    (text, scenario)
}

/// The scenario with the layout of a plan stated, in any order that it allows: several quantities and frontiers
/// range over the fastest layout alone, as their reports say, and one quantity over all.
fn settled(scenario: &Scenario, plan: &Plan) -> Scenario {
    let mut scenario = scenario.clone();
    let order = scenario.lead_workload().layout.order;
    scenario.workloads[0] = scenario.lead_workload().map_products(|mut workload| {
        workload.layout = workload.layout.from_layout(&plan.layout);
        workload.layout.order = order;
        workload
    });
    scenario
}

fn is_proven(plan: &Plan) -> bool {
    plan.solver.status == SolverStatus::Optimal
}

/// Random clusters of a law, of all that follow from one seed: each range holds some whose first answer
/// routing refutes, so that what is cheaper by the clock alone leaves the answer unproven.
const ROWS: Range<usize> = 0..300;
const POINTS: Range<usize> = 20..100;
const SECOND: Range<usize> = 0..60;
const EFFORT: Range<usize> = 0..60;
const PROOFS: Range<usize> = 110..160;
const BOUNDS: Range<usize> = 0..150;
const BUDGETS: Range<usize> = 0..80;

/// A design with the only candidate has rows of it by other objectives: each is the design that this
/// objective has. What is not proven says by how much it may be beaten.
#[test]
fn rows_of_other_objectives_are_their_designs() {
    let mut dice = Dice(31);
    let (mut compared, mut open) = (0, 0);
    for draw in 0..ROWS.end {
        let objective = format!(
            "minimize = \"{}\"\nmax_slowdown = {:?}",
            pick(&mut dice, &Minimize::ALL).name(),
            pick(&mut dice, &[1.01, 1.05, 1.2, 2.0])
        );
        let (text, scenario) = drawn(&mut dice, &objective);
        if !ROWS.contains(&draw) {
            continue;
        }
        let Ok(plan) = design(&scenario) else { continue };
        if !is_proven(&plan) {
            assert!(plan.solver.gap > 0.0, "{text}");
            open += 1;
        }
        if plan.solver.candidates > 1 {
            continue;
        }
        for quantity in Minimize::ALL {
            let name = format!("minimize = \"{}\"", quantity.name());
            let Some(row) = plan.alternatives.iter().find(|row| row.name == name) else { continue };
            let mut changed = scenario.clone();
            changed.objective.minimize = quantity;
            let Ok(other) = design(&changed) else { continue };
            if !is_proven(&other) || !is_proven(&plan) {
                continue;
            }
            let capex = (other.cost.capex - plan.cost.capex).get();
            let ratio = other.step.time.total_time() / plan.step.time.total_time();
            let told = format!("{name}: {row:?}, but {capex} and {ratio}: {text}");
            assert!((row.capex_change.get() - capex).abs() < 0.01, "{told}");
            assert!((row.step_ratio / ratio - 1.0).abs() < 1e-9, "{told}");
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}, {open} of them not proven");
}

/// Each point costs what the cheapest design of its step costs, and the next one what the cheapest
/// faster one does.
#[test]
fn points_of_a_frontier_are_the_cheapest_designs_of_their_steps() {
    let mut dice = Dice(32);
    let (mut points, mut open) = (0, 0);
    for draw in 0..POINTS.end {
        let text = boxes_by_end(&mut dice, "minimize = \"capex\"\nmax_slowdown = 2.0");
        let scenario =
            read_scenario(&SpecText::new("drawn.toml", text.as_str()), &[]).expect("a spec");
        if !POINTS.contains(&draw) {
            continue;
        }
        let Ok(found) = find_cluster_frontier(&scenario, &Options::default()) else { continue };
        // In one layout: those of all are held against stated ones elsewhere.
        let scenario = settled(&scenario, &found.plans[0]);
        let found =
            find_cluster_frontier(&scenario, &Options::default()).expect("that of the layout");
        let costs: Vec<f64> = found.plans.iter().map(|plan| plan.cost.capex.get()).collect();
        let times: Vec<Seconds> =
            found.plans.iter().map(|plan| plan.step.time.total_time()).collect();
        assert!(costs.is_sorted_by(|a, b| a < b), "{text}{costs:?}");
        assert!(times.is_sorted_by(|a, b| a > b), "{text}{times:?}");
        for (place, point) in found.plans.iter().enumerate() {
            open += usize::from(!is_proven(point));
            assert!(is_proven(point) || point.solver.gap > 0.0, "{text}");
            let cost = |step: Seconds| within(&scenario, step).map(|plan| plan.cost.capex.get());
            let told = format!("point {place} of {costs:?}: {text}");
            assert_eq!(cost(times[place] * (1.0 + 1e-9)), Some(costs[place]), "{told}");
            let nearly = times[place] * (1.0 - LEAST_GAIN);
            // The fastest of all is a point however little faster it is.
            let next = times.get(place + 1).map_or(nearly, |next| nearly.max(*next * (1.0 + 1e-9)));
            assert_eq!(cost(next), costs.get(place + 1).copied(), "{told}");
            points += 1;
        }
    }
    assert!(points > POINTS.len() && open > 0, "{points} {open}");
}

/// A first quantity within its tolerance, and no design that is known takes less of the second. What the
/// first leaves open stays open.
#[test]
fn a_second_quantity_is_as_small_as_any_known_design_within_the_tolerance_has_it() {
    let mut dice = Dice(33);
    let (mut compared, mut open) = (0, 0);
    for _ in SECOND {
        let (text, scenario) = drawn(&mut dice, "minimize = \"capex\"\nmax_slowdown = 2.0");
        let read = |scenario: &Scenario, minimize, then: &[Minimize], tolerance: f64| {
            let mut changed = scenario.clone();
            changed.objective.minimize = minimize;
            changed.objective.then = then.to_vec();
            changed.objective.tolerance = tolerance;
            design(&changed).ok()
        };
        let Some(any) = read(&scenario, Minimize::Capex, &[Minimize::Power], 0.0) else { continue };
        let scenario = settled(&scenario, &any);
        let with =
            |minimize, then: &[Minimize], tolerance| read(&scenario, minimize, then, tolerance);
        let alone: Vec<Plan> =
            Minimize::ALL.iter().filter_map(|quantity| with(*quantity, &[], 0.0)).collect();
        for (first, least) in Minimize::ALL.into_iter().zip(&alone) {
            let others: Vec<Minimize> =
                Minimize::ALL.into_iter().filter(|quantity| *quantity != first).collect();
            let second = pick(&mut dice, &others);
            let tolerance = pick(&mut dice, &[0.002, 0.02, 0.1]);
            let both = with(first, &[second], tolerance).expect("there is a design");
            let what = format!("{first:?}, {second:?} within {tolerance}: {text}");
            let most = printed_value(least, first) * (1.0 + tolerance);
            assert!(printed_value(&both, first) <= most * (1.0 + 1e-8), "{what}");
            for known in alone.iter().filter(|known| printed_value(known, first) <= most) {
                let (least, found) = (printed_value(known, second), printed_value(&both, second));
                assert!(found <= least * (1.0 + 1e-8), "{found}, {least} is known: {what}");
            }
            assert!(is_proven(least) || !is_proven(&both), "{what}");
            compared += 1;
            open += usize::from(!is_proven(&both));
        }
    }
    assert!(compared > 2 * SECOND.len() && open > 0, "{compared} {open}");
}

/// With little effort, fewer answers are proven: what is said to be possible is no more than what more
/// effort finds, and what is open by one quantity stays open by more.
#[test]
fn no_effort_claims_more_than_there_is() {
    let mut dice = Dice(34);
    let (mut compared, mut open) = (0, 0);
    for _ in EFFORT {
        let quantity = pick(&mut dice, &Minimize::ALL);
        let objective = format!("minimize = \"{}\"\nmax_slowdown = 1.5", quantity.name());
        let (text, mut scenario) = drawn(&mut dice, &objective);
        scenario.inventory.insert("tiny".to_owned(), dice.between(1, 30));
        scenario.inventory.insert("mid".to_owned(), dice.roll(9));
        let Ok(free) = design(&scenario) else { continue };
        if dice.chance(50) {
            scenario.limits.power = Some(free.cost.power * 0.9995);
        }
        let Ok(best) = design(&scenario) else { continue };
        for (nodes, comparisons) in [(0, 0), (1, 10)] {
            let options = Options { nodes, comparisons, ..Options::default() };
            let Ok(found) = design_with(&scenario, &options) else { continue };
            let least = printed_value(&found, quantity) * (1.0 - found.solver.gap);
            let most = printed_value(&best, quantity) * (1.0 + 1e-9);
            assert!(least <= most, "{nodes}, {comparisons}: {least}, {most}: {text}");
            open += usize::from(!is_proven(&found));
            compared += 1;
            let mut more = scenario.clone();
            more.objective.then =
                Minimize::ALL.into_iter().filter(|other| *other != quantity).collect();
            let Ok(last) = design_with(&more, &options) else { continue };
            assert!(is_proven(&found) || !is_proven(&last), "{:?}: {text}", more.objective.then);
        }
    }
    assert!(compared > EFFORT.len() / 2 && open > 6, "{compared} {open}");
}

/// A budget one dollar below a proven answer has no design: what is minimised is what the bill has, to the dollar.
#[test]
fn a_budget_below_a_proven_answer_finds_nothing() {
    let mut dice = Dice(39);
    let mut refused = 0;
    for _ in BUDGETS {
        let (text, mut scenario) = drawn(&mut dice, "minimize = \"capex\"\nmax_slowdown = 2.0");
        scenario.limits.survive = Some(Vec::new());
        scenario.limits.regular = Some(dice.chance(50));
        let Ok(plan) = design(&scenario) else { continue };
        if !is_proven(&plan) {
            continue;
        }
        scenario.limits.budget = Some(plan.cost.capex - Usd::from_f64(1.0));
        let found = design(&scenario).map(|plan| plan.cost.capex);
        assert!(found.is_err(), "{found:?} below {:?}: {text}", plan.cost.capex);
        refused += 1;
    }
    assert!(refused > BUDGETS.len() / 2, "{refused}");
}

/// Of all rank orders together, however little effort a proof may take: an answer is called optimal only
/// where no order has a cheaper design when it is sized alone, in full. And its proof is at least as weak
/// as the weakest that the orders need which cost as little: one that can't win needs none.
#[test]
fn an_answer_rests_on_the_weakest_proof_of_its_candidates() {
    const NAMES: [&str; 2] = ["arithmetic bound", "enumeration"];
    let rank = |plan: &Plan| {
        NAMES.iter().position(|name| *name == plan.solver.name).unwrap_or(NAMES.len())
    };
    let little = Options { nodes: 0, comparisons: 0, ..Options::default() };
    let usual = Options::default();
    let mut dice = Dice(36);
    let (mut compared, mut unlike, mut open, mut beaten) = (0, 0, 0, 0);
    for draw in 0..PROOFS.end {
        let text = boxes_by_end(&mut dice, "minimize = \"tco\"\nmax_slowdown = 1.2");
        let owned = [("tiny", dice.between(1, 30)), ("mid", dice.roll(9))];
        let tight = dice.chance(50);
        if !PROOFS.contains(&draw) {
            continue;
        }
        let ordered = |order: &str, limits: Option<(Option<Watts>, Seconds)>, options: &Options| {
            let line = text.lines().find(|line| line.starts_with("order")).expect("it has one");
            let text = text.replace(line, &format!("order = \"{order}\""));
            let scenario = read_scenario(&SpecText::new("drawn.toml", text.as_str()), &[]);
            let mut scenario = scenario.unwrap_or_else(|wrong| panic!("{}", wrong.render(false)));
            scenario.inventory.extend(owned.map(|(part, count)| (part.to_owned(), count)));
            // An order alone is held against its own fastest step: all are against one step here.
            if let Some((power, step)) = limits {
                scenario.limits.power = power;
                scenario.limits.step_time = Some(step);
                scenario.objective.max_slowdown = Some(1e3);
            }
            design_with(&scenario, options).ok()
        };
        let Some(free) = ordered("auto", None, &usual) else { continue };
        let power = tight.then(|| free.cost.power * 0.9995);
        let limits = Some((power, free.step.time.total_time() * (1.2 / free.step.slowdown)));
        let orders = ["tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp"];
        let each: Vec<Plan> =
            orders.into_iter().filter_map(|order| ordered(order, limits, &usual)).collect();
        let cost = |plan: &Plan| plan.cost.tco.get();
        let least = each
            .iter()
            .filter(|cluster_plan| is_proven(cluster_plan))
            .map(cost)
            .fold(f64::INFINITY, f64::min);
        for options in [&usual, &little] {
            let Some(all) = ordered("auto", limits, options) else { continue };
            let proven = is_proven(&all);
            let best = cost(&all) <= least * (1.0 + 1e-9);
            assert!(best || !proven, "{} is optimal, {least} there is: {text}", cost(&all));
            // What may still be better is no more than there is.
            assert!(cost(&all) * (1.0 - all.solver.gap) <= least * (1.0 + 1e-9), "{text}");
            open += usize::from(!proven);
            beaten += usize::from(!best);
        }
        let Some(all) = ordered("auto", limits, &usual).filter(is_proven) else { continue };
        let winners =
            each.iter().filter(|cluster_plan| cost(cluster_plan) <= cost(&all) * (1.0 + 1e-9));
        let strongest = winners.map(rank).min();
        let weakest = each.iter().map(rank).max();
        assert!(strongest <= Some(rank(&all)) && Some(rank(&all)) <= weakest, "{text}");
        unlike += usize::from(each.iter().map(rank).min() != weakest);
        compared += 1;
    }
    let seen = format!("{compared} compared, {unlike} unlike, {open} open, {beaten} beaten");
    assert!(compared > PROOFS.len() / 3 && open > 0 && beaten > 0, "{seen}");
}

/// Where a GPU stops, no fabric has shorter steps than before, whether or not its links had room.
#[test]
fn no_failure_makes_a_step_shorter() {
    let mut dice = Dice(37);
    let (mut compared, mut roomy) = (0, 0);
    for _ in 0..60 {
        let (text, scenario) = drawn(&mut dice, "minimize = \"capex\"\nmax_slowdown = 2.0");
        let Ok(plan) = design(&scenario) else { continue };
        let graph = wiring(&plan).expect("a design can be wired");
        let named = vec![Failure::parse("gpu:0.0").expect("readable")];
        let after =
            after_failures(&scenario, &plan, &graph, &FailureRequest { named, drawn: None });
        for fabric in after.expect("there is such a GPU") {
            let ratio = fabric.lead.after / fabric.lead.before;
            assert!(ratio >= 1.0 - 1e-12, "{}: {ratio}: {text}", fabric.name);
            compared += 1;
        }
        let routing = plan.routing.as_ref().and_then(|routing| routing.worst_ratio());
        roomy += usize::from(routing.is_some_and(|worst| worst > 0.0 && worst < 0.99));
    }
    assert!(compared > 60 && roomy > 0, "{compared} {roomy}");
}

/// Of all rank orders together, nothing is proven that a design of one of them, sized in full, costs
/// less than: however little effort the proof may take.
#[test]
fn a_bound_is_the_least_of_all_candidates() {
    let mut dice = Dice(38);
    let (mut compared, mut open) = (0, 0);
    let options = Options { nodes: 0, comparisons: 0, ..Options::default() };
    for _ in BOUNDS {
        let text = boxes(&mut dice, "minimize = \"capex\"\nmax_slowdown = 1.5");
        let owned = [("tiny", dice.between(1, 30)), ("mid", dice.roll(9))];
        let tight = dice.chance(50);
        let ordered =
            |order: &str, power: Option<Watts>, step: Option<Seconds>, options: &Options| {
                let line = text.lines().find(|line| line.starts_with("order")).expect("it has one");
                let text = text.replace(line, &format!("order = \"{order}\""));
                let scenario = read_scenario(&SpecText::new("drawn.toml", text.as_str()), &[]);
                let mut scenario =
                    scenario.unwrap_or_else(|wrong| panic!("{}", wrong.render(false)));
                scenario.inventory.extend(owned.map(|(part, count)| (part.to_owned(), count)));
                scenario.limits.power = power;
                if let Some(step) = step {
                    scenario.limits.step_time = Some(step);
                    scenario.objective.max_slowdown = Some(1e3);
                }
                design_with(&scenario, options).ok()
            };
        let Some(free) = ordered("auto", None, None, &options) else { continue };
        let power = tight.then(|| free.cost.power * 0.9995);
        // An order alone is held against its own fastest step: all are against one step here.
        let step = Some(free.step.time.total_time() * (1.5 / free.step.slowdown));
        let Some(all) = ordered("auto", power, step, &options) else { continue };
        let least = |plan: &Plan| plan.cost.capex.get() * (1.0 - plan.solver.gap);
        for order in ["tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp"] {
            let Some(alone) = ordered(order, power, step, &Options::default()) else { continue };
            // Degrees that are left open are those of the shortest step: with another one it is not among
            // the candidates, and the report says so.
            if alone.layout.expert != all.layout.expert {
                continue;
            }
            let (cost, all) = (alone.cost.capex.get(), least(&all));
            assert!(all <= cost * (1.0 + 1e-9), "{all}, {order} {cost}: {text}");
            compared += 1;
        }
        open += usize::from(!is_proven(&all));
    }
    assert!(compared > BOUNDS.len() && open > 0, "{compared} {open}");
}
