//! Explanations are true: every key and value is the design's, sums add up, formulas that have
//! all of their inputs give the result again, sources stand in docs/equations.md, and a quantity
//! that does not exist is refused with the one that was meant.

#[path = "support/program.rs"]
mod program;

use std::fs;
use std::path::Path;

use program::{fresh_folder, planner_in};
use serde_json::Value;

/// A dense model, and one with experts whose layout is given.
const SPECS: [&str; 2] = ["gpt3-175b-a100-1536", "deepseek-v3-h800-2048"];

/// Sections of a design whose numbers are results. What the spec states (cluster, layout) and
/// the lines of the bill are inputs of those.
const SECTIONS: [&str; 5] = ["step", "memory", "traffic", "fabric", "cost"];

fn json(arguments: &[&str]) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let done = planner_in(root, &[arguments, &["--format", "json"]].concat());
    assert_eq!(done.status, 0, "{arguments:?}\n{}", done.stderr);
    serde_json::from_str(&done.stdout).expect("the output is JSON")
}

fn explained(spec: &str) -> Vec<Value> {
    let sheet = json(&["explain", spec]);
    assert_eq!(sheet["schema"], "planner/explain/1");
    sheet["quantities"].as_array().expect("quantities are a list").clone()
}

/// Keys of all numbers below a value, in order; numbers in lists have no key.
fn numbers(key: &str, value: &Value, keys: &mut Vec<String>) {
    match value {
        Value::Number(_) => keys.push(key.to_owned()),
        Value::Object(fields) => {
            for (name, inner) in fields {
                numbers(&format!("{key}.{name}"), inner, keys);
            }
        }
        _ => {}
    }
}

#[test]
fn every_number_of_a_design_is_explained_and_is_the_designs() {
    for spec in SPECS {
        let design = json(&["design", spec]);
        let quantities = explained(spec);
        let mut stated = Vec::new();
        for section in SECTIONS {
            numbers(section, &design[section], &mut stated);
        }
        let mut keys: Vec<String> = quantities.iter().map(|of| text(&of["key"])).collect();
        for of in &quantities {
            let pointer = format!("/{}", text(&of["key"]).replace('.', "/"));
            let printed = design.pointer(&pointer);
            assert_eq!(printed, Some(&of["result"]["value"]), "{spec}: {pointer}");
        }
        keys.sort();
        stated.sort();
        assert!(keys.len() > 50, "{keys:?}");
        assert_eq!(keys, stated, "{spec}");
    }
}

#[test]
fn parts_add_up_to_their_result() {
    const SUMS: [&str; 9] = [
        "step.time_s",
        "memory.total_bytes",
        "traffic.total_bytes",
        "traffic.bytes_by_kind.data",
        "fabric.switches",
        "fabric.transceivers",
        "cost.network_capex_usd",
        "cost.capex_usd",
        "cost.tco_usd",
    ];
    for spec in SPECS {
        let mut sums = Vec::new();
        for of in explained(spec) {
            let parts = of["parts"].as_array().expect("parts are a list");
            if parts.is_empty() {
                continue;
            }
            let key = text(&of["key"]);
            let sum: f64 = parts.iter().map(|part| float(&part["value"])).sum();
            near(&key, sum, float(&of["result"]["value"]));
            assert!(parts.iter().all(|part| part["unit"] == of["result"]["unit"]), "{key}");
            sums.push(key);
        }
        for key in SUMS {
            assert!(sums.iter().any(|sum| sum == key), "{spec}: `{key}` has no parts");
        }
    }
}

/// The value of an input by the beginning of its name.
fn given(of: &Value, name: &str) -> f64 {
    let inputs = of["inputs"].as_array().expect("inputs are a list");
    let found = inputs.iter().find(|input| text(&input["name"]).starts_with(name));
    float(&found.unwrap_or_else(|| panic!("{}: no input `{name}`", of["key"]))["value"])
}

#[test]
fn formulas_give_the_result_again_from_the_inputs_shown() {
    const YEAR: f64 = 8760.0 * 3600.0;
    type Formula = fn(&Value) -> f64;
    let formulas: [(&str, Formula); 13] = [
        ("step.tokens", |of| given(of, "global batch") * given(of, "sequence")),
        ("step.mfu", |of| {
            given(of, "model FLOPs")
                / given(of, "step time")
                / given(of, "GPUs")
                / (given(of, "peak") * 1e12)
        }),
        ("step.hfu", |of| {
            given(of, "hardware FLOPs")
                / given(of, "step time")
                / given(of, "GPUs")
                / (given(of, "peak") * 1e12)
        }),
        ("step.tokens_per_s_per_gpu", |of| {
            given(of, "tokens") / given(of, "step time") / given(of, "GPUs")
        }),
        ("step.stragglers_s", |of| {
            let doublings = (given(of, "GPUs N") / given(of, "GPUs of")).log2();
            let factor = 1.0 + given(of, "slowdown") * doublings;
            given(of, "other parts") * (factor * given(of, "production") - 1.0)
        }),
        ("step.slowdown", |of| given(of, "step time") / given(of, "step time on the Clos")),
        ("traffic.pairs", |of| given(of, "GPUs") * (given(of, "GPUs") - 1.0)),
        ("traffic.idle_pair_share", |of| given(of, "idle") / given(of, "pairs")),
        ("fabric.endpoints", |of| given(of, "HB domains") * given(of, "rails")),
        ("fabric.link_gbit_per_s", |of| given(of, "NIC") / given(of, "planes")),
        ("fabric.host_links", |of| given(of, "endpoints") * given(of, "planes")),
        ("cost.opex_usd_per_year", |of| {
            given(of, "power") / 1e3 * given(of, "PUE") * given(of, "hours") * given(of, "price")
        }),
        ("cost.usd_per_million_tokens", |of| {
            let pace = given(of, "tokens") / given(of, "step time");
            1e6 * given(of, "TCO") / (pace * given(of, "years") * YEAR)
        }),
    ];
    for spec in SPECS {
        let quantities = explained(spec);
        for (key, formula) in formulas {
            let of = quantities.iter().find(|of| of["key"] == key).expect("it is explained");
            near(key, formula(of), float(&of["result"]["value"]));
        }
    }
}

#[test]
fn every_source_stands_in_the_section_that_is_cited() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let equations = fs::read_to_string(root.join("docs/equations.md")).expect("the equations");
    for of in explained(SPECS[0]) {
        let cited = of["equations"].as_array().expect("equations are a list");
        assert!(!cited.is_empty(), "{}", of["key"]);
        for equation in cited {
            let section = text(&equation["section"]);
            let (_, number) = section.split_once('§').expect("a section");
            let start = equations.find(&format!("**§{number} ")).expect("it has that section");
            let body = &equations[start + 2..];
            let body = &body[..body.find("\n\n").unwrap_or(body.len())];
            // "Ibid." is the paper that was named last.
            let before = &equations[..start];
            let last = before.rfind("arXiv ").map_or("", |at| &before[at + "arXiv ".len()..]);
            for id in text(&equation["source"]).split("arXiv ").skip(1) {
                let id = &id[.."1706.03762".len()];
                let ibid = body.contains("Ibid.") && last.starts_with(id);
                assert!(ibid || body.contains(id), "§{number} does not name {id}");
            }
        }
    }
}

#[test]
fn quantities_of_other_explanations_exist() {
    let quantities = explained(SPECS[1]);
    let mut seen = 0;
    for of in &quantities {
        for input in of["inputs"].as_array().expect("inputs are a list") {
            let origin = text(&input["origin"]);
            assert!(!origin.is_empty(), "{}", of["key"]);
            let Some(rest) = origin.strip_prefix("see `planner explain ") else { continue };
            let key = rest.trim_end_matches('`');
            let other = quantities.iter().find(|of| of["key"] == key).expect(key);
            assert_eq!(other["result"]["value"], input["value"], "{key}");
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn one_argument_is_a_quantity_where_it_can_be_no_spec() {
    let folder = fresh_folder("explain");
    assert_eq!(planner_in(&folder, &["init"]).status, 0);
    let short = planner_in(&folder, &["explain", "cost.capex_usd"]);
    let long = planner_in(&folder, &["explain", "model.toml", "cost.capex_usd"]);
    assert_eq!((short.status, long.status), (0, 0), "{}", short.stderr);
    assert_eq!(short.stdout, long.stdout);
    assert!(short.stdout.contains("§9.2"), "{}", short.stdout);
    let missing = planner_in(&folder, &["explain", "other.toml"]);
    assert_eq!(missing.status, 2);
    assert!(missing.stderr.contains("can't read `other.toml`"), "{}", missing.stderr);
}

#[test]
fn an_unknown_quantity_is_refused_with_the_nearest() {
    let folder = fresh_folder("explain-unknown");
    for (wanted, meant) in [("step.tim_s", "step.time_s"), ("capex_usd", "cost.capex_usd")] {
        let refused = planner_in(&folder, &["explain", "starter", wanted]);
        assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
        assert_eq!(
            refused.stderr,
            format!(
                "error: there is no quantity `{wanted}`\nhelp: did you mean `{meant}`? `planner \
                 explain [SPEC]` lists all\n"
            )
        );
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("it is a text").to_owned()
}

fn float(value: &Value) -> f64 {
    value.as_f64().expect("it is a number")
}

/// Printed numbers keep twelve digits; a small difference of large ones keeps fewer.
#[track_caller]
fn near(key: &str, found: f64, stated: f64) {
    let scale = stated.abs().max(1e-3);
    assert!((found - stated).abs() <= 1e-8 * scale, "{key}: {found} is not {stated}");
}
