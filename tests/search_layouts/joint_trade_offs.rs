//! Frontiers and quantities that are minimised one after another, over every layout that is stated by itself: no
//! layout is searched.

use planner::design::{Frontier, LEAST_GAIN, SolverStatus, find_cluster_frontier};
use planner::scenario::{Minimize, Scenario};
use planner::sizing::Options;

use crate::search_layouts::joint::{Drawn, drawn, layouts, mean, scenario, timed, value};
use crate::support::cases::{drawn_cases, first_seed};
use crate::support::scenario::design;

/// Steps of a frontier are shorter than the least times this.
const SLOWEST: f64 = 2.0;

/// Rounding of sums.
const ROUNDING: f64 = 1e-9;

/// Settings that state each layout that fits, on each product, where no step takes longer than the least there
/// times so much.
fn stated(drawn: &Drawn, slowdown: f64) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for product in &drawn.products {
        let leads = layouts(drawn).into_iter().map(|layout| (layout, layout.settings())).collect();
        let (leads, fastest) = timed(drawn, product, leads);
        let longest = fastest * slowdown * (1.0 + 1e-12);
        for (layout, _) in leads.into_iter().filter(|(_, time)| *time <= longest) {
            let (_, mut settings) = drawn.stated((layout, longest), None);
            settings.push(format!("cluster.node={product}"));
            all.push(settings);
        }
    }
    all
}

/// Cost and step of each design.
fn points(found: &Frontier) -> Vec<(f64, f64, f64)> {
    let cost = |plan: &planner::design::Plan| match found.cost {
        Minimize::Tco => plan.cost.tco.get(),
        _ => plan.cost.capex.get(),
    };
    let point = |plan| {
        let plan: &planner::design::Plan = plan;
        (cost(plan), mean(plan.step.time.total_time().get(), &plan.phases), plan.solver.gap)
    };
    found.plans.iter().map(point).collect()
}

/// What is wrong with a frontier; nothing where it is the best one.
fn judge_frontier(drawn: &Drawn, other: &mut u32) -> Vec<String> {
    let open = scenario(&drawn.open(), &[]).expect("it is sound");
    let front =
        |given_scenario: &Scenario| find_cluster_frontier(given_scenario, &Options::default());
    let front_of_open = front(&open).ok();
    let found = front_of_open.as_ref().map_or_else(Vec::new, points);
    let missing = front_of_open.map_or_else(Vec::new, |frontier| frontier.open);
    let mut all: Vec<(f64, f64)> = Vec::new();
    for settings in stated(drawn, SLOWEST) {
        let Some(one) = scenario(&drawn.text, &settings) else { continue };
        let Ok(one) = front(&one) else { continue };
        all.extend(points(&one).into_iter().map(|(cost, step, _)| (cost, step)));
    }
    let mut faults = Vec::new();
    for (cost, step) in &all {
        let as_good = |(own, time, gap): &(f64, f64, f64)| {
            own * (1.0 - gap) <= cost * (1.0 + ROUNDING)
                && *time <= step * (1.0 + ROUNDING) / (1.0 - LEAST_GAIN)
        };
        let told = missing.iter().any(|(least, time)| least.get() <= *cost && time.get() <= *step);
        if !told && !found.iter().any(as_good) {
            faults.push(format!("${cost} and {step} s are stated and missing in {found:?}"));
        }
    }
    for (cost, step, gap) in &found {
        let met = |(own, time): &(f64, f64)| {
            *own <= cost * (1.0 + ROUNDING) && *time <= step * (1.0 + ROUNDING)
        };
        if !all.iter().any(met) {
            faults.push(format!("${cost} and {step} s are no stated layout's"));
        }
        let better = |(own, time): &(f64, f64)| {
            *own < cost * (1.0 - gap - ROUNDING) && *time <= step * (1.0 + ROUNDING)
        };
        if let Some(better) = all.iter().find(|pair| better(pair)) {
            faults.push(format!("${cost} and {step} s, and {better:?} is stated"));
        }
    }
    *other += u32::from(found.len() > 1);
    faults
}

/// Likewise with two quantities one after another.
fn judge_in_turn(drawn: &Drawn, second: &str) -> Vec<String> {
    const TOLERANCE: f64 = 0.004;
    let first = drawn.goal;
    let asked = |tolerance: f64| {
        vec![
            format!("objective.minimize=[\"{first}\", \"{second}\"]"),
            format!("objective.tolerance={tolerance:.12}"),
        ]
    };
    let open = scenario(&drawn.open(), &asked(TOLERANCE)).expect("it is sound");
    let open = design(&open).ok();
    let all: Vec<Vec<String>> = stated(drawn, drawn.slowdown);
    let leasts: Vec<(f64, &Vec<String>)> = all
        .iter()
        .filter_map(|settings| {
            let plan = design(&scenario(&drawn.text, settings)?).ok()?;
            Some((value(first, &plan), settings))
        })
        .collect();
    let least = leasts.iter().map(|(figure, _)| *figure).fold(f64::INFINITY, f64::min);
    let mut best: Option<f64> = None;
    for (own, settings) in leasts {
        let left = least * (1.0 + TOLERANCE) / own - 1.0;
        if left < 0.0 {
            continue;
        }
        let settings = [settings.clone(), asked(left)].concat();
        let plan = scenario(&drawn.text, &settings)
            .and_then(|given_scenario| design(&given_scenario).ok());
        let Some(plan) = plan else { continue };
        let taken = value(second, &plan);
        best = Some(best.map_or(taken, |known| known.min(taken)));
    }
    let mut faults = Vec::new();
    match (open, best) {
        (Some(plan), Some(best)) => {
            let left = plan.solver.layouts.as_ref().map_or(0.0, |proven| proven.gap);
            let gap =
                if plan.solver.status == SolverStatus::Optimal { 0.0 } else { plan.solver.gap };
            let allowed = gap.max(left) + 1e-7;
            let (one, two) = (value(first, &plan), value(second, &plan));
            if one > least * (1.0 + TOLERANCE) * (1.0 + 1e-7) {
                faults.push(format!("{one} {first} where {least} is stated"));
            }
            if two * (1.0 - allowed) > best || two < best * (1.0 - 1e-7) {
                faults.push(format!("{two} {second} after {first}, stated {best}"));
            }
        }
        (None, None) => {}
        (open, best) => faults.push(format!("found {}, stated {best:?}", open.is_some())),
    }
    faults
}

#[test]
fn no_stated_layout_beats_a_trade_off_over_all_of_them() {
    let (first, cases) = (first_seed(1), drawn_cases(3));
    let mut faults = Vec::new();
    let mut several = 0;
    for seed in first..first + cases {
        let mut drawn_job = drawn(seed);
        drawn_job.second = None;
        let second = ["capex", "power", "tco"];
        let second = second[seed as usize % 3];
        let second = if second == drawn_job.goal { "usd-per-token" } else { second };
        let found =
            [judge_frontier(&drawn_job, &mut several), judge_in_turn(&drawn_job, second)].concat();
        faults.extend(found.iter().map(|text| format!("seed {seed}: {text}")));
        if !found.is_empty() {
            faults.push(drawn_job.open());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(cases < 20 || several > 0);
}
