//! Random specs of everything that ships, through the built program: what no answer may be, whatever
//! is asked.
//!
//! `PLANNER_PROGRAM` names another build of the program to ask.

use std::process::Command;

use planner::spec::presets::{PresetKind, list_presets};
use serde_json::Value;

use crate::support::cases::{drawn_cases, first_seed};
use crate::support::dice::Dice;
use crate::support::program::{fresh_folder, program_path};

fn pick<T: Copy>(dice: &mut Dice, items: &[T]) -> T {
    items[dice.roll(items.len() as u64) as usize]
}

/// Exit status of a spec that no design can meet.
const INFEASIBLE: i32 = 3;

/// What the program says of a spec, as JSON; `None` where the spec can't be met.
fn answer(case: u64, spec: &str, command: &str, more: &[&str]) -> Option<Value> {
    let folder = fresh_folder(&format!("drawn-{command}-{case}"));
    std::fs::write(folder.join("drawn.toml"), spec).expect("own folder");
    let mut run = Command::new(program_path());
    let run = run.current_dir(&folder).args([command, "drawn.toml", "--format", "json"]).args(more);
    let done = run.output().expect("the program was built for this test");
    let told = String::from_utf8_lossy(&done.stderr);
    match done.status.code() {
        Some(0) => Some(serde_json::from_slice(&done.stdout).expect("the program writes JSON")),
        Some(INFEASIBLE) => None,
        _ => panic!("case {case}: {:?}\n{told}\n{spec}", done.status),
    }
}

/// The figure of a design that an objective minimises; `None` where it has none.
fn value(design: &Value, minimize: &str) -> Option<f64> {
    let key = match minimize {
        "capex" => "capex_usd",
        "tco" => "tco_usd",
        "power" => "power_w",
        _ => "usd_per_million_tokens",
    };
    design["cost"][key].as_f64()
}

/// The share by which a design says that another may be better.
fn gap(design: &Value) -> f64 {
    design["solver"]["gap"].as_f64().expect("a design has a gap")
}

fn is_priced(design: &Value) -> bool {
    design["cost"]["unpriced"].as_array().is_some_and(Vec::is_empty)
}

/// Runs as many cases as are asked for; fails with what went wrong in any. Returns how many said
/// something.
fn all(default: u64, case: impl Fn(u64) -> Result<bool, String>) -> (u64, u64) {
    let (seed, cases) = (first_seed(1), drawn_cases(default));
    let found: Vec<_> = (seed..seed + cases).map(case).collect();
    let told = found.iter().filter(|flag| matches!(flag, Ok(true))).count() as u64;
    let wrong: Vec<String> = found.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), wrong.join("\n"));
    (told, cases)
}

/// A baseline of the design's own machines and layout, on a tree that the design may have too: no rule
/// limits its oversubscription or asks for a regular one.
fn own(case: u64) -> Result<bool, String> {
    const NODES: [&str; 6] =
        ["dgx-h100", "hgx-b200", "dgx-a100-80gb", "dgx-h200", "hgx-b300", "h800-node"];
    let dice = &mut Dice(case);
    let node = pick(dice, &NODES);
    let most = pick(dice, &[64, 256, 512, 1024]);
    let nodes = dice.between(16, most);
    let pipeline = pick(dice, &[1, 2, 4]);
    let pipeline = (1..=pipeline).rev().find(|p| nodes.is_multiple_of(*p)).unwrap_or(1);
    let data = nodes / pipeline;
    let (gpus, batch) = (8 * nodes, data * pick(dice, &[4, 8, 16]));
    let model = pick(dice, &["llama3-70b", "gpt3-175b", "llama3-8b"]);
    let slowdown = pick(dice, &[1.0, 1.02, 1.02, 1.05, 1.2, 2.0]);
    let any = dice.between(1, 999);
    let ratio = pick(dice, &[1, 2, 3, 7, 15, 31, 63, 127, 255, 511, 999, any]);
    let baseline = match pick(dice, &["clos", "rail-optimized", "rail-only"]) {
        "rail-only" => "rail-only".to_owned(),
        family => format!("{family}@{ratio}:1"),
    };
    let planes = pick(dice, &[1, 2, 4]);
    let minimize = pick(dice, &["capex", "tco", "power", "usd-per-token"]);
    let spec = format!(
        "name = \"drawn\"\nmodel = {{ preset = \"{model}\" }}\n\
         training = {{ global_batch = {batch}, tokens = \"1T\" }}\n\
         parallelism = {{ tensor = 8, pipeline = {pipeline}, data = {data}, zero = 1 }}\n\
         [cluster]\ngpus = {gpus}\nnode = \"{node}\"\nmax_planes = {planes}\n\
         [limits]\nmax_oversubscription = 0\nregular = false\n\
         [objective]\nminimize = \"{minimize}\"\nmax_slowdown = {slowdown:?}\n"
    );
    let Some(found) = answer(case, &spec, "compare", &["--baseline", &baseline]) else {
        return Ok(false);
    };
    let designs = found["designs"].as_array().expect("a comparison has designs");
    let (design, baselines) = designs.split_first().expect("the design comes first");
    let mut told = false;
    // How much of the time trains on any network is bounded, not weighed: so much is left open, and said.
    let open = if minimize == "usd-per-token" { gap(design) } else { 0.0 };
    for beside in baselines.iter().filter(|figure| is_priced(figure)) {
        let slower = beside["step"]["slowdown"].as_f64().expect("a step has a slowdown");
        let both = value(design, minimize).zip(value(beside, minimize));
        let Some((ours, theirs)) = both.filter(|_| slower <= slowdown * (1.0 + 1e-9)) else {
            continue;
        };
        told = true;
        if theirs < ours * (1.0 - open - 1e-9) {
            return Err(format!(
                "case {case}: {} takes {theirs} {minimize}, the design {ours}\n{spec}",
                beside["name"]
            ));
        }
    }
    Ok(told)
}

#[test]
fn no_baseline_of_any_ratio_beats_a_design_that_may_be_built_so() {
    let (told, cases) = all(10, own);
    assert!(3 * told >= cases, "{told} of {cases} had a baseline within the limit");
}

fn ready_text(name: &str) -> String {
    let path = format!("{}/presets/specs/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("it ships")
}

/// A spec of machines with a price, for a model that ships.
fn drawn_spec(dice: &mut Dice) -> String {
    let node = pick(dice, &["dgx-h100", "hgx-b200", "dgx-a100-80gb", "dgx-h200", "h800-node"]);
    let gpus = 8 * pick(dice, &[16, 24, 32, 64, 100, 128, 256, 512]);
    let model = pick(dice, &["llama3-70b", "gpt3-175b", "llama3-8b"]);
    let planes = pick(dice, &[1, 2, 4]);
    let slowdown = pick(dice, &[1.0, 1.02, 1.02, 1.2]);
    let ruled = pick(dice, &["", "[limits]\nmax_oversubscription = 0\n"]);
    format!(
        "name = \"drawn\"\nmodel = {{ preset = \"{model}\" }}\n\
         training = {{ global_batch = {}, tokens = \"1T\" }}\n\
         [cluster]\ngpus = {gpus}\nnode = \"{node}\"\nmax_planes = {planes}\n{ruled}\
         [objective]\nmax_slowdown = {slowdown:?}\n",
        2 * gpus
    )
}

/// What a token costs that is really trained, from a report's other figures.
fn token_cost(value: &Value) -> f64 {
    let of_step = |key: &str| value["step"][key].as_f64().expect("a step has it");
    let [tokens, time] = ["tokens", "time_s"].map(of_step);
    let goodput = value["goodput_share"].as_f64().expect("a fabric has a goodput");
    let tco = value["cost"]["tco_usd"].as_f64().expect("a design has a cost of ownership");
    1e6 * tco / (tokens / time * goodput * YEARS * 8760.0 * 3600.0)
}

/// Years of operation where a spec says none, as these do.
const YEARS: f64 = 4.0;

/// The baselines that a comparison has by default, for a design by cost per token that may be as
/// irregular as they are: none is below the design.
fn by_tokens(spec: &str, case: u64) -> Result<bool, String> {
    let more = ["--set", "objective.minimize=usd-per-token", "--set", "limits.regular=false"];
    let Some(found) = answer(case, spec, "compare", &more) else { return Ok(false) };
    let designs = found["designs"].as_array().expect("a comparison has designs");
    let (design, baselines) = designs.split_first().expect("the design comes first");
    let figure = |share: &Value| value(share, "usd-per-token");
    let mut told = false;
    for share in designs.iter().filter(|share| is_priced(share)) {
        let Some(cost) = figure(share) else { continue };
        if (cost / token_cost(share) - 1.0).abs() > 1e-6 {
            return Err(format!(
                "case {case}: {} is printed as {cost}, its figures say {}",
                share["name"],
                token_cost(share)
            ));
        }
    }
    // A step that the spec does not allow may cost less.
    let most = spec.lines().find_map(|line| line.strip_prefix("max_slowdown = "));
    let most = most.map_or(f64::INFINITY, |text| text.parse().expect("a number"));
    let slowdown =
        |share: &Value| share["step"]["slowdown"].as_f64().expect("a step has a slowdown");
    let allowed = |share: &&Value| is_priced(share) && slowdown(share) <= most * (1.0 + 1e-9);
    for beside in baselines.iter().filter(allowed) {
        let Some((ours, theirs)) = figure(design).zip(figure(beside)) else { continue };
        told = true;
        if theirs < ours * (1.0 - 1e-9) {
            return Err(format!(
                "case {case}: {} takes {theirs}, the design {ours}\n{spec}",
                beside["name"]
            ));
        }
    }
    Ok(told)
}

/// As many specs are drawn as PLANNER_CASES says; the ready ones are always asked, but for the largest.
#[test]
fn a_token_costs_no_more_on_a_design_by_it_than_on_any_baseline() {
    let ready: Vec<String> = ["starter", "gpt3-175b-a100-1536", "deepseek-v3-h800-2048"]
        .into_iter()
        .map(ready_text)
        .collect();
    for (place, text) in ready.iter().enumerate() {
        let told = by_tokens(text, 1000 + place as u64).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(told);
    }
    let drawn = |case: u64| by_tokens(&drawn_spec(&mut Dice(case)), 2000 + case);
    let (told, cases) = all(6, drawn);
    assert!(2 * told >= cases, "{told} of {cases} had a priced baseline");
}

/// Products without a public price: whoever asks for these alone gets them, unpriced and told so.
const ON_QUOTE: [&str; 4] = ["hgx-h20", "mi300x-8", "mi355x-8", "vr-nvl72"];

/// What is wrong with a design whatever was asked, where something that is offered has a price or not.
fn faults(design: &Value, priced: bool) -> Vec<String> {
    const ROUNDING: f64 = 1.0 + 1e-6;
    let mut wrong = Vec::new();
    let mut is = |fault: bool, what: &str, value: &Value| {
        if fault {
            wrong.push(format!("{what}: {value}"));
        }
    };
    let above = |value: &Value, most: f64| value.as_f64().is_some_and(|number| number > most);
    let routing = &design["routing"];
    is(above(&routing["worst_ratio"], ROUNDING), "routed slower than printed", routing);
    is(routing["verified"] == false, "not verified", &routing["reason"]);
    for call in routing["calls"].as_array().into_iter().flatten() {
        let granted = call["granted_s"].as_f64().unwrap_or(0.0);
        let slower = above(&call["sprayed"]["time_s"], granted * ROUNDING);
        is(slower, "a call takes longer than granted", call);
    }
    for key in ["mfu", "hfu"] {
        is(above(&design["step"][key], 1.0), "above peak", &design["step"][key]);
    }
    is(is_priced(design) != priced, "parts without a price", &design["cost"]["unpriced"]);
    wrong
}

/// A design of any product that ships for any model that ships.
fn sound(case: u64) -> Result<bool, String> {
    let names = |kind| {
        list_presets().into_iter().filter(move |entry| entry.kind == kind).map(|entry| entry.name)
    };
    let nodes: Vec<String> = names(PresetKind::Node).collect();
    let models: Vec<String> = names(PresetKind::Model).collect();
    let any =
        |dice: &mut Dice, texts: &[String]| texts[dice.roll(texts.len() as u64) as usize].clone();
    let dice = &mut Dice(case);
    let racks: Vec<String> = nodes.iter().filter(|text| text.contains("nvl72")).cloned().collect();
    assert!(!racks.is_empty(), "racks of 72 GPUs ship");
    let first = if dice.chance(30) { any(dice, &racks) } else { any(dice, &nodes) };
    let both = if dice.chance(70) { vec![first] } else { vec![first, any(dice, &nodes)] };
    let gpus = pick(dice, &[64, 128, 256, 512, 768, 1024, 1536, 2048, 4096, 8192]);
    let model = any(dice, &models);
    let batch = pick(dice, &[512, 1024, 2048, 4096]);
    let mut more = String::new();
    if dice.chance(30) {
        let fabric = pick(dice, &["rail-only", "rail-optimized", "clos"]);
        more += &format!("fabric = \"{fabric}\"\n");
    }
    if dice.chance(30) {
        more += &format!("max_planes = {}\n", pick(dice, &[1, 2, 4]));
    }
    let minimize = pick(dice, &["capex", "tco", "power", "usd-per-token"]);
    let slowdown = pick(dice, &[1.0, 1.02, 1.05, 1.2]);
    let spec = format!(
        "name = \"drawn\"\nmodel = {{ preset = \"{model}\" }}\n\
         training = {{ global_batch = {batch}, tokens = \"1T\" }}\n\
         [cluster]\ngpus = {gpus}\nnode = {both:?}\n{more}\
         [objective]\nminimize = \"{minimize}\"\nmax_slowdown = {slowdown:?}\n"
    );
    let Some(design) = answer(case, &spec, "design", &[]) else { return Ok(false) };
    let priced = both.iter().filter(|node| !ON_QUOTE.contains(&node.as_str())).count();
    // By power alone a part without a price is as good as one that has one.
    let either = minimize == "power";
    let wrong = faults(&design, if either { is_priced(&design) } else { priced > 0 });
    if wrong.is_empty() { Ok(true) } else { Err(format!("case {case}: {wrong:?}\n{spec}")) }
}

#[test]
fn what_is_printed_is_routed_below_peak_and_priced() {
    let (told, cases) = all(12, sound);
    assert!(3 * told >= cases, "{told} of {cases} had a design");
}
