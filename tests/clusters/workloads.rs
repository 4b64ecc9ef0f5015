//! Several workloads on one cluster: the fabric serves each within its own limits, one that is
//! split in two equals itself, and shares weigh what a token costs.

use planner::design::{Infeasible, Plan};
use planner::fabric::FabricKind;
use planner::scenario::Scenario;
use planner::spec::{Override, SpecText, read_scenario};

use crate::support::scenario::{design, resolved};

const DENSE: &str = r#"
[[workload]]
name = "dense"
share = 0.8
model = { preset = "llama3-70b" }
training = { global_batch = 512, tokens = "1T" }
parallelism = { tensor = 8, pipeline = 4, interleave = 1 }
"#;

const TUNED: &str = r#"
[[workload]]
name = "tuned"
model = { preset = "llama3-8b" }
training = { global_batch = 512, micro_batch = 1 }
parallelism = { tensor = 8, pipeline = 1 }
"#;

const CLUSTER: &str = r#"
[cluster]
gpus = 512
node = "dgx-h100"
[failures]
standby = 0
"#;

fn scenario(text: &str) -> Scenario {
    resolved(&SpecText::new("model.toml", text), &[""; 0])
}

fn plan(text: &str) -> Plan {
    design(&scenario(text)).unwrap_or_else(|reason| panic!("{reason}"))
}

#[test]
fn a_workload_split_in_two_equals_itself() {
    let alone = plan(&format!("{CLUSTER}{}", DENSE.replace("share = 0.8", "")));
    let twice = DENSE.replace("dense", "again").replace("share = 0.8", "share = 0.2");
    let both = plan(&format!("{CLUSTER}{DENSE}{twice}"));
    assert!(alone.workloads.is_empty() && both.workloads.len() == 2);
    assert_eq!(alone.fabric, both.fabric);
    let tokens = |plan: &Plan| plan.cost.usd_per_million_tokens.expect("it trains").get();
    assert!((tokens(&alone) / tokens(&both) - 1.0).abs() < 1e-12);
    // The run waits for its turn: 80 % of the time makes it a quarter longer.
    let days = both.workloads[0].training_days.expect("tokens are stated");
    let whole = alone.cost.training_days.expect("tokens are stated");
    assert!((days / whole - 1.25).abs() < 1e-9, "{days} and {whole}");
}

#[test]
fn every_workload_keeps_its_limits_and_has_its_part_in_what_a_token_costs() {
    let both = plan(&format!("{CLUSTER}{DENSE}{TUNED}"));
    let shares: f64 = both.workloads.iter().map(|workload_plan| workload_plan.share).sum();
    assert!((shares - 1.0).abs() < 1e-12);
    let mut rate = 0.0;
    for workload_plan in &both.workloads {
        assert!(
            workload_plan.step.slowdown <= 1.02 + 1e-9,
            "{}: {}",
            workload_plan.name,
            workload_plan.step.slowdown
        );
        assert!(
            workload_plan.memory.total_on_gpu() <= both.memory_capacity,
            "{}",
            workload_plan.name
        );
        rate += workload_plan.share * workload_plan.step.tokens as f64
            / workload_plan.step.time.total_time().get();
    }
    let seconds = 4.0 * 8760.0 * 3600.0;
    let expected = both.cost.tco.get() / (rate * both.failures.year.goodput * seconds / 1e6);
    let found = both.cost.usd_per_million_tokens.expect("it trains").get();
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} and {expected}");
    let alone = plan(&format!("{CLUSTER}{}", DENSE.replace("share = 0.8", "")));
    assert!(both.cost.network_capex >= alone.cost.network_capex, "more to serve, no cheaper");
}

#[test]
fn the_strictest_workload_decides_the_fabric() {
    let part =
        |text: &str, least: &str| format!("{CLUSTER}{DENSE}{}unforwardable = {least}\n", text);
    let free = plan(&part(TUNED, "0.0"));
    assert_eq!(free.fabric.across_rails, 0.0);
    let bound = plan(&part(TUNED, "0.3"));
    assert_ne!(bound.fabric.kind, FabricKind::RailOnly);
    assert!(bound.fabric.across_rails >= 0.3, "{}", bound.fabric.across_rails);
    assert!(bound.cost.network_capex > free.cost.network_capex);
}

#[test]
fn a_workload_that_does_not_fit_is_named() {
    let large = r#"
[[workload]]
name = "large"
model = { preset = "llama3-405b" }
training = { global_batch = 512 }
parallelism = { tensor = 8, pipeline = 1 }
"#;
    let reason = design(&scenario(&format!("{CLUSTER}{DENSE}{large}"))).expect_err("it is large");
    let Infeasible::Workload { name, .. } = &reason else { panic!("{reason}") };
    assert_eq!(name, "large");
    assert!(reason.to_string().starts_with("workload `large`: the job needs"), "{reason}");
}

#[test]
fn shares_and_names_that_make_no_sense_are_refused() {
    let refused = |text: &str| {
        let source = SpecText::new("model.toml", text);
        read_scenario(&source, &[]).expect_err("it makes no sense").render(false)
    };
    let same = refused(&format!("{CLUSTER}{DENSE}{}", DENSE.replace("share = 0.8", "")));
    assert!(same.contains("two workloads are called `dense`"), "{same}");
    let more = refused(&format!("{CLUSTER}{DENSE}{}share = 0.4\n", TUNED));
    assert!(more.contains("the shares sum to 1.200"), "{more}");
    let none = refused(&format!("{CLUSTER}{}{TUNED}", DENSE.replace("0.8", "1.0")));
    assert!(none.contains("leave nothing to the others"), "{none}");
}

#[test]
fn tables_of_the_top_level_hold_for_all() {
    let text = format!("[framework]\npreset = \"megatron-2022\"\n{CLUSTER}{DENSE}{TUNED}");
    let scenario = scenario(&text);
    assert!(scenario.workloads.iter().all(|workload| workload.framework.name == "megatron-2022"));
}

#[test]
fn an_override_that_a_workload_overrules_is_refused_with_its_place() {
    let text = format!("{CLUSTER}{DENSE}{TUNED}");
    let source = SpecText::new("model.toml", text);
    let change = |text: &str| [Override::new(text)];
    let refused =
        read_scenario(&source, &change("training.global_batch=64")).expect_err("both state it");
    let found = refused.render(false);
    assert!(found.contains("workload `dense` states `training.global_batch` itself"), "{found}");
    assert!(found.contains("workload `tuned` states"), "{found}");
    assert!(
        found.contains("--> --set:1:1") && found.contains("training.global_batch=64"),
        "{found}"
    );
    // What no workload states reaches all of them.
    let longer = read_scenario(&source, &change("model.sequence=4096")).expect("nobody states it");
    assert!(longer.workloads.iter().all(|workload| workload.model.sequence == 4096));
}
