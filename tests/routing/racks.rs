//! The printed time is the routed time: designs drawn over every shipped product, racks of 72 among
//! them, and those whose routing once refuted their own step time.

use planner::design::{Plan, RoutingReport, SolverStatus};
use planner::spec::{SpecText, presets, read_scenario};

use crate::support::dice::Dice;
use crate::support::scenario::design;

const NODES: [&str; 13] = [
    "dgx1-v100",
    "dgx2-v100",
    "summit-v100",
    "dgx-a100-40gb",
    "dgx-a100-80gb",
    "dgx-h100",
    "dgx-h200",
    "h800-node",
    "dgx-gh200-256",
    "hgx-b200",
    "hgx-b300",
    "gb200-nvl72",
    "gb300-nvl72",
];

const MODELS: [&str; 8] = [
    "gpt-39b",
    "gpt3-175b",
    "llama3-8b",
    "llama3-70b",
    "mixtral-8x7b",
    "qwen3-235b-a22b",
    "deepseek-v3",
    "gpt-oss-120b",
];

fn drawn(dice: &mut Dice) -> String {
    let racks = dice.chance(40);
    let node = if racks { NODES[11 + dice.roll(2) as usize] } else { pick(dice, &NODES) };
    let model = pick(dice, &MODELS);
    let gpus = [128, 512, 576, 768, 960, 1000, 1024, 1440, 2048][dice.roll(9) as usize];
    let batch = gpus * [1, 2, 4][dice.roll(3) as usize];
    let cost = pick(dice, &["capex", "tco", "usd-per-token", "power"]);
    let slowdown = pick(dice, &["1.0", "1.02", "1.2", "2.0"]);
    let fabric = pick(dice, &["auto", "auto", "rail-only", "rail-optimized", "clos"]);
    let planes = pick(dice, &["", "max_planes = 1"]);
    let tensor = pick(dice, &["", "tensor = 4", "tensor = 2\npipeline = 4"]);
    format!(
        r#"
[model]
preset = "{model}"
[training]
global_batch = {batch}
tokens = "1T"
[parallelism]
{tensor}
[cluster]
gpus = {gpus}
node = "{node}"
fabric = "{fabric}"
{planes}
[objective]
minimize = "{cost}"
max_slowdown = {slowdown}
"#
    )
}

fn pick<'a>(dice: &mut Dice, texts: &[&'a str]) -> &'a str {
    texts[dice.roll(texts.len() as u64) as usize]
}

/// No link needs longer for any communication than the step time has it, and none is idle for
/// longer: the two are one number.
#[track_caller]
fn stands(text: &str, plan: &Plan) {
    let Some(RoutingReport::Routed(routed)) = &plan.routing else { panic!("{text}: not routed") };
    assert!(routed.holds, "{text}: {:?} {:?}", plan.solver.status, routed.worst_call());
    for call in &routed.calls {
        let ratio = call.slowdown_of_link(&call.sprayed);
        assert!((ratio - 1.0).abs() < 1e-5, "{text}{}: {ratio}", call.label);
    }
}

#[test]
fn the_printed_time_of_any_product_is_the_routed_time() {
    let mut dice = Dice(7);
    let mut designs = 0;
    for _ in 0..30 {
        let text = drawn(&mut dice);
        let Ok(scenario) = read_scenario(&SpecText::new("drawn.toml", text.as_str()), &[]) else {
            continue;
        };
        let Ok(plan) = design(&scenario) else { continue };
        stands(&text, &plan);
        designs += 1;
    }
    assert!(designs > 15, "{designs}");
}

fn text_of(gpus: u32, more: &str) -> String {
    format!(
        "[model]\npreset = \"llama3-70b\"\n[training]\nglobal_batch = {gpus}\ntokens = \"1T\"\n\
         [parallelism]\n{more}\n[cluster]\ngpus = {gpus}\nnode = \"gb200-nvl72\"\n"
    )
}

/// Racks of 72 for 512 to 4,096 GPUs, of which none is a multiple of 72: once 18 times too fast.
#[test]
fn racks_of_72_that_no_group_divides_are_timed_as_they_are_routed() {
    for gpus in [512, 1024, 2048, 4096] {
        let text = text_of(gpus, "") + "[objective]\nminimize = \"capex\"\n";
        let scenario = read_scenario(&SpecText::new("rack.toml", text), &[]).expect("sound");
        let plan = design(&scenario).expect("it has a design");
        stands(&gpus.to_string(), &plan);
        assert_eq!(plan.solver.status, SolverStatus::Optimal);
    }
}

/// 1,024 GPUs fit 15 racks, whose borders cut rings of 256 unevenly: four of each ring's members sit in
/// the last rack, so that its four interfaces carry all of it. On 64 of 72 GPUs a rack, 16 racks, sixteen
/// interfaces do. Money takes the one, haste the other.
#[test]
fn sixty_four_of_seventy_two_or_all_is_a_choice_of_the_objective() {
    let order = "tensor = 4\npipeline = 1\norder = \"tp-cp-ep-dp-pp\"";
    let used = |objective: &str| {
        let text = text_of(1024, order) + "[objective]\n" + objective;
        let plan = design(
            &read_scenario(&SpecText::new("drawn.toml", text.as_str()), &[]).expect("sound"),
        )
        .expect("it has a design");
        stands(&text, &plan);
        (plan.nodes.used, plan.nodes.domains)
    };
    assert_eq!(used("max_slowdown = 1.0"), (64, 16));
    assert_eq!(used("minimize = \"capex\"\nmax_slowdown = 1.1"), (72, 15));
    // Two trays of each rack are left for broken ones, and no rack stands by.
    assert_eq!(used("minimize = \"usd-per-token\"\nyears = 4\nmax_slowdown = 1.1"), (64, 16));
}

#[test]
fn cases_whose_routing_refuted_them_stand() {
    for name in ["racks-against-machines", "two-products"] {
        let source = presets::ready_spec(name).expect("it ships");
        let plan = design(&read_scenario(&source, &[]).expect("sound")).expect("it has a design");
        stands(name, &plan);
        for part in plan.part_plans() {
            stands(name, &part.plan);
        }
    }
}
