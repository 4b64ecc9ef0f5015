//! A choice that is ended after every piece of work in turn: the best design so far is one, and its gap
//! reaches down to the best there is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use planner::design::{Infeasible, Plan, SolverStatus, design_with, design_with_default_rules};
use planner::report::{self, Detail, Format, RenderOptions};
use planner::scenario::{Minimize, Scenario};
use planner::sizing::{DesignProgress, Options, Watch, WatchHandle};

use crate::support::scenario::ready;

/// Ends the choice after so many pieces of work.
struct After {
    pieces: u64,
    done: AtomicU64,
}

impl Watch for After {
    fn show_progress(&self, state: &DesignProgress) {
        self.done.fetch_add(1, Ordering::SeqCst);
        if let Some(best) = &state.best {
            assert!(best.bound.scalar() <= best.value.scalar() && best.gap >= 0.0, "{best:?}");
        }
        assert!(state.done <= state.all, "{state:?}");
    }

    fn is_stopped(&self) -> bool {
        self.done.load(Ordering::SeqCst) >= self.pieces
    }
}

fn after(pieces: u64) -> (Arc<After>, Options) {
    let watch = Arc::new(After { pieces, done: AtomicU64::new(0) });
    let watched = WatchHandle::new(Arc::<After>::clone(&watch));
    (watch, Options { watch: watched, ..Options::default() })
}

fn value(scenario: &Scenario, plan: &Plan) -> f64 {
    match scenario.objective.minimize {
        Minimize::Capex => plan.cost.capex.get(),
        Minimize::Tco => plan.cost.tco.get(),
        Minimize::UsdPerToken => plan.cost.usd_per_million_tokens.expect("it trains").get(),
        Minimize::Power => plan.cost.power.get(),
    }
}

/// Everything that is told of a plan.
fn told(plan: &Plan) -> String {
    let look = |format| RenderOptions { format, colour: false, detail: Detail::Full };
    [Format::Table, Format::Json, Format::Markdown]
        .map(|this_format| report::render_design(plan, look(this_format)))
        .concat()
}

/// Ends the choice after some pieces, and returns what the designs take.
#[track_caller]
fn ended(question: &Scenario, after_pieces: impl Iterator<Item = u64>) -> Vec<f64> {
    let (watch, options) = after(u64::MAX);
    let whole = design_with(question, &options).expect("a design");
    let pieces = watch.done.load(Ordering::SeqCst);
    assert_eq!(whole, design_with(question, &Options::default()).expect("a design"), "looked at");
    let best = value(question, &whole);
    let mut values = Vec::new();
    for pieces in after_pieces.take_while(|count| *count <= pieces) {
        let plan = match design_with(question, &after(pieces).1) {
            Ok(plan) => plan,
            Err(reason) => {
                assert_eq!((reason, values.len()), (Infeasible::Interrupted, 0), "{pieces}");
                continue;
            }
        };
        let most = question.objective.allowed_slowdown(question.objective.minimize);
        assert!(plan.step.slowdown <= most + 1e-9, "{pieces}: {}", plan.step.slowdown);
        let value = value(question, &plan);
        assert_eq!(plan.solver.status, SolverStatus::Interrupted);
        assert!(plan.solver.settled.is_some_and(|count| count <= plan.solver.candidates));
        let gap = (value - best) / value;
        assert!(plan.solver.gap >= gap - 1e-9, "{pieces}: {} for {gap}", plan.solver.gap);
        assert!((0.0..1.0).contains(&plan.solver.gap), "{}", plan.solver.gap);
        assert!(plan.alternatives.is_empty() && plan.solver.binding.is_empty());
        // A key without a value claims nothing.
        let told = told(&plan).replace("\"program_optimum\": null", "");
        let told = told.replace("\"choices_optimum\": null", "");
        assert!(told.contains("interrupted after ") && told.contains("\"interrupted\""));
        for word in ["optimal", "proven", "optimum"] {
            let word = told.find(word).map(|at| &told[at.saturating_sub(60)..at + 20]);
            assert_eq!(word, None);
        }
        values.push(value);
    }
    assert!(values.is_sorted_by(|a, b| *b <= a * (1.0 + 1e-9)), "{values:?}");
    // Where the best there is has a gap itself, one that was routed earlier may be better.
    let least = best * (1.0 - whole.solver.gap - 1e-9);
    assert!(values.iter().all(|value| *value >= least), "{values:?} {best}");
    values
}

#[test]
fn the_best_of_some_products_is_a_design_with_an_honest_gap() {
    let products = "cluster.node=[\"dgx-h100\", \"hgx-b200\", \"mi300x-8\"]";
    let prices =
        ["prices.dgx-h100=\"$100k\"", "prices.hgx-b200=\"$99.9k\"", "prices.mi300x-8=\"$100k\""];
    for goal in ["capex", "usd-per-token"] {
        let goal = format!("objective.minimize=\"{goal}\"");
        let changes = [&[products, "cluster.gpus=256", "cluster.nic=\"auto\"", &goal], &prices[..]];
        let question = ready("starter", &changes.concat());
        ended(&question, 1..);
    }
}

#[test]
fn other_layouts_count_in_the_gap() {
    let values = ended(&ready("starter", &["cluster.gpus=64", "objective.max_slowdown=1.5"]), 1..);
    assert!(values.last() < values.first(), "later pieces find better ones: {values:?}");
    let clos = ["cluster.gpus=8192", "cluster.max_planes=1", "cluster.fabric=\"clos\""];
    ended(
        &ready("starter", &[&clos[..], &["objective.max_slowdown=1.5"]].concat()),
        (1..).step_by(3),
    );
}

/// Leaf switches that routing finds four times slower than they were timed take dozens of rounds: until a network
/// is found that is fast enough when routed there is no design, however cheap.
#[test]
fn a_design_that_routing_refutes_is_no_answer() {
    let tapered =
        ["objective.max_slowdown=1.3", "cluster.max_planes=1", "objective.minimize=capex"];
    let question = ready("deepseek-v3-h800-2048", &tapered);
    let (watch, options) = after(u64::MAX);
    design_with(&question, &options).expect("a design");
    let all = watch.done.load(Ordering::SeqCst);
    assert!(all > 9, "{all}");
    assert!(ended(&question, [1, 2, 9].into_iter()).is_empty(), "these are too slow");
    assert!(!ended(&question, [all - 2, all - 1, all].into_iter()).is_empty(), "{all}");
}

#[test]
fn several_quantities_and_a_default_are_ended_too() {
    let goals = ["cluster.gpus=256", "objective.minimize=[\"capex\", \"power\"]"];
    let question = ready("starter", &goals);
    let (watch, options) = after(u64::MAX);
    let whole = design_with_default_rules(&question, &options).expect("a design");
    for pieces in 1..=watch.done.load(Ordering::SeqCst) {
        let plan = design_with_default_rules(&question, &after(pieces).1).expect("a design");
        assert!(plan.is_interrupted() && plan.cost.capex >= whole.cost.capex * (1.0 - 1e-9));
    }
}

#[test]
fn before_any_design_there_is_nothing_to_print() {
    for name in ["starter", "two-products", "two-stages"] {
        let found = design_with_default_rules(&ready(name, &[]), &after(0).1);
        assert_eq!(found.map(|plan| plan.name), Err(Infeasible::Interrupted), "{name}");
    }
}

/// Parts and stages are ended between two choices of candidates.
#[test]
fn several_clusters_are_ended_between_two_choices() {
    for name in ["two-products", "two-stages"] {
        let question = ready(name, &[]);
        let (watch, options) = after(u64::MAX);
        let whole = design_with_default_rules(&question, &options).expect("a design");
        let done = watch.done.load(Ordering::SeqCst);
        let ended_after = |pieces| design_with_default_rules(&question, &after(pieces).1);
        assert!(ended_after(1).is_err(), "not all candidates are known");
        // What the limits are worth takes many designs more.
        let pieces = (2..=done).step_by((done as usize / 8).max(1));
        let plans: Vec<Plan> = pieces.filter_map(|pieces| ended_after(pieces).ok()).collect();
        assert!(!plans.is_empty(), "{name}: {done}");
        for plan in plans {
            let gap =
                (value(&question, &plan) - value(&question, &whole)) / value(&question, &plan);
            assert!(plan.is_interrupted() && plan.solver.gap >= gap - 1e-9, "{name}: {gap}");
            let told = told(&plan);
            assert!(!told.contains("proven") && !told.contains("optimal"), "{told}");
        }
    }
}
