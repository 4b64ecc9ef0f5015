//! Every command on a cluster in parts and on one that grows: what it says of each is what it says of
//! that one alone, or of its share of the design; what it says of all adds up.

use std::collections::BTreeMap;
use std::path::Path;

use planner::design::{LEAST_GAIN, find_frontiers, price_bands};
use planner::scenario::Scenario;
use planner::spec::{SpecText, presets};
use serde_json::Value;

use crate::support::program::{Program, planner_fed};
use crate::support::scenario::{design, resolved};

/// Two workloads with GPUs of their own; nothing but their bill is shared.
const PARTS: &str = r#"
name = "two-parts"
[[workload]]
name = "dense"
gpus = 1024
model = { preset = "llama3-8b" }
training = { global_batch = 1024, tokens = "1T" }
parallelism = { tensor = 1, pipeline = 1 }

[[workload]]
name = "small, tuned"
gpus = 768
model = { preset = "llama3-8b" }
training = { global_batch = 768, micro_batch = 1 }
parallelism = { tensor = 4, pipeline = 1 }

[cluster]
node = "dgx-h100"
switches = ["qm9700", "qm8700"]
max_planes = 1
"#;

fn scenario(text: &str, changes: &[&str]) -> Scenario {
    resolved(&SpecText::new("model.toml", text), changes)
}

/// What the program answers about a spec on its standard input.
fn answer(text: &str, arguments: &[&str]) -> String {
    let run = fed(arguments, text);
    assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
    run.stdout
}

fn fed(arguments: &[&str], text: &str) -> Program {
    planner_fed(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments, text.as_bytes())
}

fn json(text: &str, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--format", "json"]].concat();
    serde_json::from_str(&answer(text, &arguments)).expect("valid JSON")
}

fn growing() -> String {
    presets::ready_spec("two-stages").expect("it ships").text
}

/// Text, list in JSON and the names that `--part` takes.
fn shapes() -> [(String, &'static str, [&'static str; 2]); 2] {
    [(PARTS.to_owned(), "parts", ["dense", "small, tuned"]), (growing(), "stages", ["1", "2"])]
}

#[test]
fn each_cluster_is_told_as_it_is_alone() {
    let commands: [&[&str]; 4] = [
        &["step", "-"],
        &["traffic", "-"],
        &["search", "-", "--top", "2", "--where", "context=1", "--where", "recompute=selective"],
        &["design", "-", "--pareto"],
    ];
    for (text, list, names) in shapes() {
        for command in commands {
            let all = json(&text, command);
            assert_eq!(all["schema"], "planner/clusters/1", "{command:?}");
            let each = all[list].as_array().expect("a list of clusters");
            assert_eq!(each.len(), 2, "{command:?}");
            for (value, name) in each.iter().zip(names) {
                let alone = json(&text, &[command, &["--part", name]].concat());
                assert_eq!(value["result"], alone, "{command:?} of {name}");
            }
            let table = answer(&text, command);
            let heading = list.to_uppercase();
            assert!(table.contains(&format!("\n{heading}  2 {list}\n")), "{table}");
            let brief = answer(&text, &[command, &["-q"]].concat());
            assert!(brief.len() < table.len(), "{brief}");
            let sheet = answer(&text, &[command, &["--format", "csv"]].concat());
            let first = if list == "parts" { "workload," } else { "stage,year," };
            assert!(sheet.starts_with(first), "{sheet}");
        }
    }
}

#[test]
fn what_is_about_one_matrix_or_one_cable_says_how_to_name_the_cluster() {
    let refused: [&[&str]; 5] = [
        &["traffic", "-", "--pair", "0", "1"],
        &["traffic", "-", "--gpu", "0"],
        &["traffic", "-", "--by", "domain"],
        &["traffic", "-", "--format", "svg"],
        &["topology", "-", "--fail", "switch:leaf-0"],
    ];
    for (text, _, [first, second]) in shapes() {
        for command in refused {
            let Program { status, stderr: told, .. } = fed(command, &text);
            assert_eq!(status, 2, "{command:?}: {told}");
            let hint = format!("take one with `--part`: {first}, {second}");
            assert!(told.contains(&hint), "{told}");
            answer(&text, &[command, &["--part", first]].concat());
        }
    }
}

/// Every number that stands in JSON under a prefix, by its key.
fn numbers(value: &Value, prefix: &str, all: &mut BTreeMap<String, f64>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                numbers(value, &key, all);
            }
        }
        Value::Number(number) => {
            all.insert(prefix.to_owned(), number.as_f64().expect("a number"));
        }
        _ => {}
    }
}

/// Each figure of each cluster that the design states is explained, with its value; sums are sums.
#[test]
fn the_figures_of_each_cluster_and_of_all_are_explained() {
    for (text, list, _) in shapes() {
        let plan = json(&text, &["design", "-"]);
        let all = json(&text, &["explain", "-"]);
        let explained: BTreeMap<String, f64> = all["quantities"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|figure| {
                Some((figure["key"].as_str()?.to_owned(), figure["result"]["value"].as_f64()?))
            })
            .collect();
        let mut stated = BTreeMap::new();
        for place in 0..2 {
            let (prefix, body) = match list {
                "parts" => (format!("parts.{place}"), &plan["parts"][place]),
                _ => (
                    format!("growth.stages.{place}.design"),
                    &plan["growth"]["stages"][place]["design"],
                ),
            };
            for section in ["cluster", "layout", "step", "memory", "cost"] {
                numbers(&body[section], &format!("{prefix}.{section}"), &mut stated);
            }
        }
        numbers(&plan["cost"], "cost", &mut stated);
        stated.retain(|key, _| !key.contains("range"));
        assert!(stated.len() > 80, "{stated:?}");
        for (key, value) in &stated {
            assert_eq!(explained.get(key), Some(value), "{key}");
        }
        let capex = all["quantities"].as_array().expect("a list").iter();
        let capex =
            capex.into_iter().find(|figure| figure["key"] == "cost.capex_usd").expect("explained");
        let parts = capex["parts"].as_array().expect("summands");
        assert_eq!(parts.len(), 2, "{capex}");
        let sum: f64 = parts.iter().filter_map(|figure| figure["value"].as_f64()).sum();
        let whole = capex["result"]["value"].as_f64().expect("money");
        assert!((sum / whole - 1.0).abs() < 1e-9, "{capex}");
        // A reference leads to an explanation.
        for figure in all["quantities"].as_array().expect("a list") {
            for input in figure["inputs"].as_array().expect("a list") {
                let origin = input["origin"].as_str().expect("words");
                if let Some(rest) = origin.strip_prefix("see `planner explain ") {
                    let key = rest.trim_end_matches('`');
                    let found = all["quantities"].as_array().expect("a list").iter();
                    assert!(
                        found.into_iter().any(|figure| figure["key"] == key),
                        "{}: {key}",
                        figure["key"]
                    );
                }
            }
        }
    }
}

/// The fabrics of parts share no cable: a file of all has as many nodes and cables as those of each.
#[test]
fn a_graph_of_all_is_the_graphs_of_each() {
    for (text, list, names) in shapes() {
        let plan = json(&text, &["design", "-"]);
        let all = json(&text, &["topology", "-"]);
        let mut nodes = 0;
        for (place, figure) in all[list].as_array().expect("a list").iter().enumerate() {
            let fabric = match list {
                "parts" => &plan["parts"][place]["fabric"],
                _ => &plan["growth"]["stages"][place]["design"]["fabric"],
            };
            let switches = |value: &Value| value["kind"] == "switch";
            let drawn = figure["result"]["nodes"].as_array().expect("nodes");
            let found = drawn.iter().filter(|node| switches(node)).count();
            assert_eq!(Some(found as u64), fabric["switches"].as_u64(), "{}", names[place]);
            nodes += drawn.len();
        }
        let graphml = answer(&text, &["topology", "-", "--format", "graphml"]);
        assert_eq!(graphml.matches("<node ").count(), nodes);
        assert_eq!(graphml.matches("<graph ").count(), 1);
        let first = format!("\"{}-1.leaf-0\"", list.trim_end_matches('s'));
        let dot = answer(&text, &["topology", "-", "--format", "dot"]);
        assert!(dot.contains(&first) && dot.ends_with("}\n"), "{first}");
        let mut ids: Vec<&str> = dot.lines().filter(|line| line.contains(" [kind=")).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!((ids.len(), count), (nodes, nodes), "no name stands twice");
        let svg = answer(&text, &["topology", "-", "--format", "svg"]);
        assert_eq!(svg.matches("<svg ").count(), svg.matches("</svg>").count());
        assert_eq!(svg.matches("<svg ").count(), 3, "one in which two stand");
        let csv = answer(&text, &["topology", "-", "--format", "csv"]);
        assert_eq!(csv.matches("cable,from").count(), 1);
        assert!(
            answer(&text, &["topology", "-", "--fail-days", "30", "-v"])
                .contains("WITH THESE FAIL")
        );
    }
}

/// Parts that share nothing: together they cost at each slowdown what the cheapest design of each that
/// is no slower costs alone, as far as steps are told apart there.
#[test]
fn the_frontier_of_all_is_made_of_those_of_each() {
    // By ends: with modules a point of all parts together is some $2,300 of $76M above those of each.
    let scenario = scenario(PARTS, &["cluster.links=\"by-end\""]);
    let found = find_frontiers(&scenario, &Default::default()).expect("it can be built");
    assert!(found.whole.len() > 1, "{}", found.whole.len());
    let slowest = |plan: &planner::design::Plan| {
        plan.cluster_plans()
            .iter()
            .map(|cluster_plan| cluster_plan.step.slowdown)
            .fold(1.0, f64::max)
    };
    for pair in found.whole.windows(2) {
        assert!(pair[0].cost.capex < pair[1].cost.capex);
        assert!(slowest(&pair[0]) > slowest(&pair[1]));
    }
    for plan in &found.whole {
        // Of each alone, designs that are hardly faster than a cheaper one may be left out.
        let most = slowest(plan) * (1.0 + 1e-9);
        let nearly = most / (1.0 - LEAST_GAIN);
        let sum = |most: f64| -> f64 {
            let cheapest = |frontier: &planner::design::Frontier| {
                let within =
                    frontier.plans.iter().filter(|cluster_plan| cluster_plan.step.slowdown <= most);
                within
                    .map(|cluster_plan| cluster_plan.cost.capex.get())
                    .fold(f64::INFINITY, f64::min)
            };
            found.each.iter().map(|(_, frontier)| cheapest(frontier)).sum()
        };
        let whole = plan.cost.capex.get();
        let told = format!("{most}: {whole} against {} and {}", sum(nearly), sum(most));
        assert!(whole <= sum(most) * (1.0 + 1e-9), "{told}");
        assert!(whole >= sum(nearly) * (1.0 - 1e-9), "{told}");
    }
}

/// Just inside a band the design is what it is, and just beyond an end it is another.
#[test]
fn prices_of_several_clusters_turn_the_design_where_the_band_says() {
    // As modules and cables no price within four times its own turns the parts.
    let by_end = format!("{PARTS}links = \"by-end\"\n");
    for text in [by_end, growing()] {
        let question = scenario(&text, &[]);
        let bands = price_bands(&question, &Default::default());
        assert!(bands.len() > 3, "{bands:?}");
        let fabrics = |part: &str, price: f64| {
            let change = format!("prices.{part}=\"${price:.6}\"");
            let plan = design(&scenario(&text, &[&change])).expect("it can be built");
            let each = plan.cluster_plans();
            each.iter().map(|cluster_plan| cluster_plan.fabric.clone()).collect::<Vec<_>>()
        };
        let own = design(&question).expect("it can be built");
        let own: Vec<_> =
            own.cluster_plans().iter().map(|cluster_plan| cluster_plan.fabric.clone()).collect();
        let turns = bands.iter().flat_map(|band| {
            let ends = [(&band.below, -1.0), (&band.above, 1.0)];
            ends.map(|(turn, side)| (band.part.as_str(), turn.as_ref(), side))
        });
        let mut seen = 0;
        for (part, turn, side) in turns {
            let Some(turn) = turn else { continue };
            let at = |share: f64| fabrics(part, turn.price.get() * (1.0 + side * share));
            assert_eq!(at(-0.001), own, "{part} inside {:?}", turn.price);
            assert_ne!(at(0.001), own, "{part} beyond {:?}", turn.price);
            seen += 1;
        }
        assert!(seen > 0, "some price decides");
    }
}

/// Parts that share nothing cost together, under each technique, what they cost alone.
#[test]
fn techniques_on_several_clusters_cost_what_they_do_on_each() {
    let with = ["compare", "-", "--with", "fused-tensor"];
    let all = json(PARTS, &with);
    let case =
        |value: &Value, place: usize| value["cases"][place]["design"]["cost"]["capex_usd"].as_f64();
    let alone: Vec<Value> = ["dense", "small, tuned"]
        .map(|name| json(PARTS, &[&with[..], &["--part", name]].concat()))
        .into();
    for (place, whole) in all["whole"].as_array().expect("cases").iter().enumerate() {
        let together: Option<f64> =
            (0..2).map(|index| case(&all["parts"][index]["result"], place)).sum();
        let (together, whole) = (together.expect("designs"), whole["capex_usd"].as_f64());
        assert!((whole.expect("money") / together - 1.0).abs() < 1e-9);
    }
    for (place, alone) in alone.iter().enumerate() {
        let value = &all["parts"][place]["result"];
        assert_eq!((case(value, 0), case(value, 1)), (case(alone, 0), case(alone, 1)));
        assert_eq!(value["step_limit_s"], alone["step_limit_s"]);
    }
    let stages = json(&growing(), &with);
    assert_eq!(stages["stages"].as_array().map(Vec::len), Some(2));
    assert!(stages["whole"][0]["capex_usd"].as_f64().is_some_and(|money| money > 0.0));
}
