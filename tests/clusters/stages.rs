//! A cluster that grows: what the first stage buys is what the last can still use, each stage by
//! itself is a design like any other, and the money adds up.

use planner::cost::Role;
use planner::design::{
    Growth, Infeasible, LimitWorth, Plan, SolverStatus, part_names, scenario_of_part_or_stage,
};
use planner::scenario::Scenario;
use planner::spec::{SpecText, presets, read_scenario};
use planner::units::Usd;

use crate::support::scenario::{design, resolved};

fn case() -> SpecText {
    presets::ready_spec("two-stages").expect("it ships")
}

fn scenario(changes: &[&str]) -> Scenario {
    resolved(&case(), changes)
}

fn plan(changes: &[&str]) -> Plan {
    design(&scenario(changes)).unwrap_or_else(|reason| panic!("{changes:?}: {reason}"))
}

fn growth(plan: &Plan) -> Growth {
    plan.growth.expect("it grows")
}

/// Pieces of a part that a stage uses and buys.
fn pieces(plan: &Plan, stage: usize, part: &str) -> (u64, u64) {
    let bill = &plan.clusters[stage].plan.bill;
    let line = bill.iter().find(|line| line.part == part);
    line.map_or((0, 0), |line| (line.count, line.bought_count()))
}

fn close(one: f64, other: f64) {
    assert!((one - other).abs() <= 0.01 + 1e-9 * other.abs(), "{one} against {other}");
}

/// By hand: two large switches at first instead of eight small ones cost $140,240 more, and save two
/// large ones a year and a half later, at nine tenths of the price and 0.891 of the money's value.
#[test]
fn the_first_stage_buys_what_the_last_can_use() {
    let plan = plan(&[]);
    let growth = growth(&plan);
    assert_eq!(pieces(&plan, 0, "q3400"), (2, 2));
    assert_eq!(pieces(&plan, 1, "q3400"), (8, 6));
    assert_eq!(pieces(&plan, 0, "qm9700"), (0, 0));
    let alone = design(&scenario_of_part_or_stage(&scenario(&[]), "1").expect("stage 1"))
        .expect("it can be built");
    assert_eq!(alone.fabric.tiers[0].model, "qm9700", "alone it takes the small ones");
    let value = 1.08_f64.powf(-1.5);
    let saved = 2.0 * 201_600.0 * 0.9 * value - (2.0 * 201_600.0 - 8.0 * 32_870.0);
    let apart = growth.one_by_one.expect("each can be built");
    close((apart - growth.present_value).get(), saved);
}

/// What stages pay adds up to the bill, and at its value today to the objective.
#[test]
fn money_adds_up() {
    for changes in [&[][..], &["objective.minimize=tco"], &["objective.discount=0"]] {
        let plan = plan(changes);
        let growth = growth(&plan);
        let paid: Usd = plan.clusters.iter().map(|stage| stage.plan.cost.capex).sum();
        close(paid.get(), plan.cost.capex.get());
        let bill: Usd = plan.bill.iter().map(|line| line.total).sum();
        close(bill.get(), plan.cost.capex.get());
        let discount = if changes.contains(&"objective.discount=0") { 0.0 } else { 0.08_f64 };
        let tco = changes.contains(&"objective.minimize=tco");
        let value = |stage: &planner::design::ClusterPlan| {
            let cost = &stage.plan.cost;
            let money = if tco { cost.tco } else { cost.capex };
            money.get() * (1.0 + discount).powf(-stage.name.start_year())
        };
        close(plan.clusters.iter().map(value).sum(), growth.present_value.get());
        let once = growth.at_once.map(|at_once| at_once >= growth.present_value);
        assert_eq!(once, (!tco).then_some(true), "prices fall, so waiting pays");
    }
}

/// Energy over the years of both stages, each year at its value today.
/// Two stages of the ready spec by hand: 64 machines at $324,438 and 192 at nine tenths of it are
/// 256 machines at 0.925 times that each.
#[test]
fn a_bill_of_stages_multiplies_out() {
    let plan = plan(&[]);
    for line in &plan.bill {
        let unit = line.unit.as_ref().expect("it has a price").amount.get();
        close(unit * (line.count - line.owned) as f64, line.total.get());
    }
    let machines = plan.bill.iter().find(|line| line.role == Role::Node).expect("it has machines");
    assert_eq!((machines.count, machines.spares), (256, 0));
    close(machines.total.get(), (64.0 + 192.0 * 0.9) * 324_438.0);
    close(machines.unit.as_ref().expect("a price").amount.get(), 0.925 * 324_438.0);
}

#[test]
fn energy_is_counted_over_the_years_of_each_stage() {
    let plan = plan(&["objective.minimize=tco"]);
    let stages = &plan.clusters;
    let years = |from: f64, to: f64| {
        // The integral in slices, as no closed form is to prove itself.
        let slices = 100_000;
        let width = (to - from) / f64::from(slices);
        let middle = |slice: i32| from + (f64::from(slice) + 0.5) * width;
        (0..slices).map(|slice| width * 1.08_f64.powf(-middle(slice))).sum::<f64>()
    };
    let spans = [years(0.0, 1.5), years(1.5, 4.0)];
    let energy: f64 = stages
        .iter()
        .zip(spans)
        .map(|(stage, years)| stage.plan.cost.opex_per_year.get() * years)
        .sum();
    let capex: f64 = stages
        .iter()
        .map(|stage| stage.plan.cost.capex.get() * 1.08_f64.powf(-stage.name.start_year()))
        .sum();
    let tco = plan.cost.tco.get();
    assert!(((capex + energy) / tco - 1.0).abs() < 1e-9, "{capex} {energy} {tco}");
}

/// A stage that asks for nothing new buys nothing, and the whole is the design of one.
#[test]
fn a_stage_without_growth_buys_nothing() {
    let text = case()
        .text
        .replace("gpus = 512", "gpus = 2048")
        .replace("global_batch = 512", "global_batch = 2048");
    let grown = read_scenario(&SpecText::new("model.toml", &text), &[]).expect("a sound spec");
    let whole =
        design(&scenario_of_part_or_stage(&grown, "1").expect("stage 1")).expect("it can be built");
    let plan = design(&grown).expect("it can be built");
    assert_eq!(plan.fabric, whole.fabric);
    close(plan.cost.capex.get(), whole.cost.capex.get());
    let last = &plan.clusters[1];
    assert_eq!(last.plan.cost.capex, Usd::ZERO);
    assert!(last.idle.is_empty());
}

/// Between too little money and enough there is no gap: what is said to suffice does.
#[test]
fn a_budget_holds_for_all_stages_together() {
    let free = plan(&["objective.discount=0"]);
    let short = format!("limits.budget=${}", free.cost.capex.get().floor() - 1.0);
    let refused = design(&scenario(&["objective.discount=0", &short]));
    match refused {
        Err(Infeasible::Limits { budget: Some((_, needs)), .. }) => {
            close(needs.get(), free.cost.capex.get());
        }
        other => panic!("{:?}", other.map(|plan| plan.cost.capex)),
    }
    let enough = format!("limits.budget=${}", free.cost.capex.get().ceil());
    assert_eq!(plan(&["objective.discount=0", &enough]).cost.capex, free.cost.capex);
}

#[test]
fn parts_that_are_left_over_are_said_to_be_idle() {
    // With eight small switches owned the first stage uses them, and the last has no use for them.
    let owned = plan(&["inventory.qm9700=8"]);
    assert_eq!(pieces(&owned, 0, "qm9700"), (8, 0));
    let idle: Vec<(&str, u64)> =
        owned.clusters[1].idle.iter().map(|parts| (parts.part.as_str(), parts.count)).collect();
    assert_eq!(idle, [("qm9700", 8)]);
}

#[test]
fn every_stage_can_be_looked_at_alone() {
    let all = scenario(&[]);
    assert_eq!(part_names(&all), ["1", "2"]);
    assert_eq!(scenario_of_part_or_stage(&all, "2").map(|stage| stage.cluster.gpus), Some(2048));
    assert_eq!(scenario_of_part_or_stage(&all, "3"), None);
    let folder = crate::support::program::fresh_folder("stages");
    let step = crate::support::program::planner_in(&folder, &["step", "two-stages", "--part", "2"]);
    assert_eq!(step.status, 0, "{step:?}");
    // Left out, both are told (tests/clusters/clusters.rs holds what is said of each to this).
    let both = crate::support::program::planner_in(&folder, &["step", "two-stages"]);
    assert_eq!(both.status, 0, "{both:?}");
    assert!(both.stdout.contains("STAGES  2 stages"), "{}", both.stdout);
    let refused =
        crate::support::program::planner_in(&folder, &["step", "two-stages", "--part", "3"]);
    assert_eq!(refused.status, 2);
}

/// Twelve stages with planes, protocol and order open at each: every way through them can't be tried,
/// and one that costs no more than the last stage alone is the best there is.
#[test]
fn as_many_stages_as_one_likes_are_weighed_without_trying_every_way() {
    let stage = |number: u32| {
        let gpus = 256 * (number + 1);
        let year = f64::from(number) * 0.3;
        format!(
            "[[stage]]\ngpus = {gpus}\nyear = {year}\ntraining = {{ global_batch = {} }}\n",
            2 * gpus
        )
    };
    let text = format!(
        "[model]\npreset = \"llama3-8b\"\n[training]\nglobal_batch = 512\n[cluster]\ngpus = 256\n\
         node = \"dgx-h100\"\n{}",
        (1..12).map(stage).collect::<String>()
    );
    let scenario = read_scenario(&SpecText::new("model.toml", text), &[])
        .unwrap_or_else(|problems| panic!("{}", problems.render(false)));
    let plan = design(&scenario).unwrap_or_else(|reason| panic!("{reason}"));
    let last = design(&scenario_of_part_or_stage(&scenario, "12").expect("the last stage"))
        .expect("it can be built");
    let growth = growth(&plan);
    assert_eq!(plan.clusters.len(), 12);
    assert!(growth.present_value >= last.cost.capex);
    let gap = 1.0 - last.cost.capex / growth.present_value;
    assert!(plan.solver.gap <= gap + 1e-9, "{} {gap}", plan.solver.gap);
    assert_eq!(plan.solver.status == SolverStatus::Optimal, gap < 1e-9, "{gap}");
}

#[test]
fn what_no_cluster_can_grow_to_is_refused() {
    let refused = |from: &str, to: &str| {
        let text = case().text;
        assert!(text.contains(from), "{from}");
        let source = SpecText::new("model.toml", text.replace(from, to));
        read_scenario(&source, &[]).expect_err("it makes no sense").render(false)
    };
    let stage = "gpus = 2048\nyear = 1.5";
    for (from, to, words) in [
        (stage, "gpus = 256\nyear = 1.5", "256 GPUs, after 512"),
        (stage, "year = 1.5", "`stage.gpus`"),
        ("year = 1.5", "year = 4.5", "the last stage begins after 4.5 years, and 4 count"),
        ("price_change = -0.1", "price_change = 0.1", "a number from -0.99 to 0"),
        ("discount = 0.08", "minimize = \"power\"", "take capex or tco"),
        (
            "training = { global_batch = 2048 }",
            "limits = { budget = \"$1M\" }",
            "it holds for all stages together",
        ),
        ("pipeline = 4", "pipeline = 4\ndata = 16", "data 16"),
    ] {
        let problems = refused(from, to);
        assert!(problems.contains(words), "{to}: {problems}");
    }
    let again = "\n[[stage]]\ngpus = 4096\nyear = 1\nprice_change = 0\n";
    let text = case().text + again;
    let problems =
        read_scenario(&SpecText::new("model.toml", text), &[]).expect_err("out of order");
    let problems = problems.render(false);
    assert!(problems.contains("year 1, after year 1.5"), "{problems}");
    assert!(problems.contains("parts cost more than at the stage before"), "{problems}");
}

/// What the whole costs in today's money, which is what stages are chosen by.
fn present(changes: &[&str]) -> f64 {
    growth(&plan(changes)).present_value.get()
}

/// One large switch too few makes the stages dearer: that limit is listed, and with as many as are said
/// to do they cost what is printed less.
#[test]
fn limits_that_bind_on_stages_are_worth_what_is_said() {
    let free = plan(&[]);
    let (used, _) = pieces(&free, 1, "q3400");
    let short = format!("limits.supply.q3400={}", used - 1);
    let tight = plan(&[&short]);
    let bound = tight.solver.binding.iter().find(|limit| limit.limit == "limits.supply.q3400");
    let Some(LimitWorth::Moved { needs: Some(needs), saved, .. }) = bound.map(|limit| &limit.worth)
    else {
        panic!("{:?}", tight.solver.binding)
    };
    assert_eq!(needs.scalar(), used as f64);
    close(present(&[&short]) - present(&[]), saved.scalar());
    // What is enough binds nowhere.
    let enough = format!("limits.supply.q3400={}", used + 100);
    assert!(plan(&[&enough]).solver.binding.is_empty());
}
