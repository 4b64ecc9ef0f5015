//! Explanations are true: every key and value is the design's, sums add up, formulas that have
//! all of their inputs give the result again, sources stand in docs/equations.md, and a quantity
//! that does not exist is refused with the one that was meant.

mod formulas;
mod lists;
mod sheet;

use std::fs;
use std::path::Path;

use serde_json::Value;
use sheet::{everything, explained, explained_with, f64, float, iterator, json, near, text};

use crate::support::program::{fresh_folder, planner_in};

/// A dense model, and one with experts whose layout is given.
const SPECS: [&str; 2] = ["gpt3-175b-a100-1536", "deepseek-v3-h800-2048"];

/// Sections of a design whose numbers are explained: all but those of what it was made from.
const SECTIONS: [&str; 17] = [
    "cluster",
    "model",
    "layout",
    "step",
    "memory",
    "traffic",
    "fabric",
    "routing",
    "bom",
    "cost",
    "racks",
    "headroom",
    "all_to_all",
    "goodput_share",
    "failures",
    "solver",
    "alternatives",
];

/// Racks are counted where they are limited, by height alone or by power too.
/// Links are transceivers, so that what a port draws is one number, and switches fill racks, as units of no rule do.
const RACKED: [&[&str]; 3] = [
    &[
        "llama3-405b-h100-16384",
        "--set",
        "limits.racks=100000",
        "--set",
        "cluster.links=by-end",
        "--set",
        "limits.regular=false",
    ],
    &[
        "gpt3-175b-a100-1536",
        "--set",
        "limits.racks=500",
        "--set",
        "limits.rack_power=40 kW",
        "--set",
        "cluster.links=by-end",
    ],
    &[
        "starter",
        "--set",
        "cluster.node=gb200-nvl72",
        "--set",
        "limits.rack_power=200 kW",
        "--set",
        "cluster.links=by-end",
    ],
];

/// All numbers below a value with their keys. An entry of a list is named by its place, a line of
/// the bill by its part.
fn numbers(key: &str, value: &Value, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Number(_) => found.push((key.to_owned(), value.clone())),
        Value::Object(fields) => {
            for (name, inner) in fields {
                numbers(&format!("{key}.{name}"), inner, found);
            }
        }
        Value::Array(entries) => {
            for (place, inner) in entries.iter().enumerate() {
                let name = inner["part"].as_str().map_or(place.to_string(), str::to_owned);
                numbers(&format!("{key}.{name}"), inner, found);
            }
        }
        _ => {}
    }
}

#[test]
fn every_number_of_a_design_is_explained_and_is_the_designs() {
    for arguments in SPECS.iter().map(std::slice::from_ref).chain(RACKED) {
        let design = json(&[&["design"], arguments].concat());
        let quantities = explained_with(arguments);
        let spec = arguments.join(" ");
        assert_eq!(design["racks"].is_object(), arguments.len() > 1, "{spec}");
        let mut stated = Vec::new();
        for section in SECTIONS {
            numbers(section, &design[section], &mut stated);
        }
        // Shares of the price by kind of statement are a list of the bill.
        stated.retain(|(key, _)| !key.starts_with("cost.share_by_basis."));
        let value = |figure: &Value| (text(&figure["key"]), figure["result"]["value"].clone());
        let mut explained: Vec<(String, Value)> = quantities.iter().map(value).collect();
        let by_key = |a: &(String, Value), b: &(String, Value)| a.0.cmp(&b.0);
        explained.sort_by(by_key);
        stated.sort_by(by_key);
        assert!(explained.len() > 80, "{explained:?}");
        let beyond = |these: &[(String, Value)], those: &[(String, Value)]| -> Vec<String> {
            let absent = |pair: &&(String, Value)| those.iter().all(|other| other.0 != pair.0);
            these.iter().filter(absent).map(|pair| pair.0.clone()).collect()
        };
        let (unexplained, unstated) = (beyond(&stated, &explained), beyond(&explained, &stated));
        assert!(
            unexplained.is_empty() && unstated.is_empty(),
            "{spec}: {unexplained:?} {unstated:?}"
        );
        assert_eq!(explained.len(), stated.len(), "{spec}: a key stands twice");
        for (explained, stated) in explained.iter().zip(&stated) {
            assert_eq!(explained, stated, "{spec}");
        }
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
    let stored = ["starter", "--set", "spares.fill_rate=0.99"];
    for arguments in SPECS.iter().map(std::slice::from_ref).chain([&stored[..]]) {
        let mut sums = Vec::new();
        for value in explained_with(arguments) {
            let parts = value["parts"].as_array().expect("parts are a list");
            if parts.is_empty() {
                continue;
            }
            let key = text(&value["key"]);
            let sum: f64 = parts.iter().map(|part| float(&part["value"])).sum();
            near(&key, sum, float(&value["result"]["value"]));
            assert!(parts.iter().all(|part| part["unit"] == value["result"]["unit"]), "{key}");
            sums.push(key);
        }
        for key in SUMS {
            assert!(sums.iter().any(|sum| sum == key), "{arguments:?}: `{key}` has no parts");
        }
    }
}

/// What an exchange of all with all follows from, machines that forward.
struct Machines {
    /// The NICs of a GPU over its bandwidth inside the domain.
    share: f64,
    /// Of what leaves a domain, what is for another rail.
    elsewhere: f64,
    /// What stays inside over what leaves.
    inside: f64,
    /// How many times as long the uplinks of a leaf take.
    uplinks: f64,
    /// Bandwidth across rails.
    spine: f64,
}

impl Machines {
    fn from_json(value: &Value) -> Self {
        const BYTES: f64 = 1e9 / 8.0;
        let (size, domains) = (f64(value, "GPUs of"), f64(value, "HB domains M"));
        let nic = f64(value, "NIC bandwidth") * BYTES * f64(value, "NICs of") / size;
        let uplinks = f64(value, "slowdown");
        let leaving =
            iterator(value, "HB domains under").map(|leaf| (domains - leaf) / (domains - 1.0));
        let within = f64(value, "bandwidth within");
        let longest = leaving.map(|share| share / within).fold(1.0, f64::max);
        near("q", uplinks, longest);
        let (rails, elsewhere) = (f64(value, "NICs of"), f64(value, "of what leaves"));
        near("φ", elsewhere, (rails - 1.0) / rails);
        Self {
            share: nic / f64(value, "HB bandwidth"),
            elsewhere,
            inside: (size - 1.0) / (size * (domains - 1.0)),
            uplinks,
            spine: f64(value, "bandwidth across"),
        }
    }
}

/// How a result follows from the inputs.
type Formula = fn(&Value) -> f64;

#[test]
fn formulas_give_the_result_again_from_the_inputs_shown() {
    const YEAR: f64 = 8760.0 * 3600.0;
    const MEAN_YEAR: f64 = 365.25 * 86_400.0;
    let formulas: [(&str, Formula); 21] = [
        ("cluster.hb_domains", |value| {
            let bought = (f64(value, "GPUs N") / f64(value, "GPUs of")).ceil();
            bought.max((f64(value, "ranks of") / f64(value, "used GPUs")).ceil())
        }),
        ("layout.data", |value| {
            let degrees = f64(value, "tensor") * f64(value, "pipeline") * f64(value, "context");
            f64(value, "GPUs N") / degrees
        }),
        ("layout.micro_batches", |value| {
            f64(value, "global batch") / (f64(value, "replicas") * f64(value, "micro-batch"))
        }),
        ("step.tokens", |value| f64(value, "global batch") * f64(value, "sequence")),
        ("step.mfu", |value| {
            f64(value, "model FLOPs")
                / f64(value, "step time")
                / f64(value, "GPUs")
                / (f64(value, "peak") * 1e12)
        }),
        ("step.hfu", |value| {
            f64(value, "hardware FLOPs")
                / f64(value, "step time")
                / f64(value, "GPUs")
                / (f64(value, "peak") * 1e12)
        }),
        ("step.tokens_per_s_per_gpu", |value| {
            f64(value, "tokens") / f64(value, "step time") / f64(value, "GPUs")
        }),
        ("step.stragglers_s", |value| {
            let doublings = (f64(value, "GPUs N") / f64(value, "GPUs of")).log2();
            let factor = 1.0 + f64(value, "slowdown") * doublings;
            f64(value, "other parts") * (factor * f64(value, "production") - 1.0)
        }),
        ("step.slowdown", |value| {
            f64(value, "step time") / f64(value, "least step time on a full-bisection Clos")
        }),
        ("traffic.pairs", |value| f64(value, "GPUs") * (f64(value, "GPUs") - 1.0)),
        ("traffic.idle_pair_share", |value| f64(value, "idle") / f64(value, "pairs")),
        ("fabric.endpoints", |value| f64(value, "HB domains") * f64(value, "rails")),
        ("fabric.link_gbit_per_s", |value| f64(value, "NIC") / f64(value, "planes")),
        ("fabric.host_links", |value| f64(value, "endpoints") * f64(value, "planes")),
        ("cost.opex_usd_per_year", |value| {
            f64(value, "power") / 1e3
                * f64(value, "PUE")
                * f64(value, "hours")
                * f64(value, "price")
        }),
        ("cost.usd_per_million_tokens", |value| {
            let pace = f64(value, "tokens") / f64(value, "step time");
            1e6 * f64(value, "TCO") / (pace * f64(value, "goodput") * f64(value, "years") * YEAR)
        }),
        ("headroom.gpus_on_free_ports", |value| {
            let free = f64(value, "ports down") - f64(value, "host links");
            let domains = (free / (f64(value, "planes") * f64(value, "NICs"))).floor();
            (f64(value, "GPUs of") * domains).min(f64(value, "GPUs before"))
        }),
        ("headroom.gpus_before_another_tier", |value| {
            let layers: f64 = iterator(value, "ports down").product();
            let domains = (f64(value, "trees") * layers / f64(value, "NICs")).floor();
            f64(value, "GPUs of") * (domains - f64(value, "HB domains M")).max(0.0)
        }),
        ("all_to_all.stored_share", |value| {
            let Machines { share, elsewhere, uplinks, spine, .. } = Machines::from_json(value);
            1.0 / (uplinks + share * (elsewhere - spine).max(0.0))
        }),
        ("all_to_all.pipelined_share", |value| {
            let Machines { share, elsewhere, inside, uplinks, spine } = Machines::from_json(value);
            let forwarding = (inside + elsewhere) / (1.0 / share + spine);
            1.0 / uplinks.max(forwarding).max(share * inside)
        }),
        ("goodput_share", |value| {
            let stops = f64(value, "stops a year") / MEAN_YEAR;
            let interval = (2.0 * f64(value, "checkpoint s") / stops).sqrt();
            near("τ", interval, f64(value, "between checkpoints"));
            let work = stops * interval;
            let stretch = (work + stops * f64(value, "checkpoint s")).exp() - 1.0;
            let runs = (-stops * f64(value, "restart")).exp() * work / stretch;
            let pace = 1.0 - f64(value, "speed lost until repairs");
            let broken = f64(value, "domains broken");
            let mut term = (-broken).exp();
            let mut enough = term;
            for k in 1..=f64(value, "spare machines") as u32 {
                term *= broken / f64::from(k);
                enough += term;
            }
            runs * pace * enough
        }),
    ];
    let blocked = ["llama3-405b-h100-16384", "--set", "objective.max_slowdown=1.5"];
    for arguments in [&SPECS[..1], &SPECS[1..], &blocked] {
        let quantities = explained_with(arguments);
        for (key, formula) in formulas {
            let value =
                quantities.iter().find(|value| value["key"] == key).expect("it is explained");
            near(key, formula(value), float(&value["result"]["value"]));
        }
    }
}

#[test]
fn machines_that_forward_nothing_reach_what_a_spine_carries() {
    for fabric in ["cluster.fabric=clos", "cluster.fabric=rail-only"] {
        let arguments = ["starter", "--set", "cluster.node=summit-v100", "--set", fabric];
        for value in explained_with(&arguments) {
            if text(&value["key"]).starts_with("all_to_all") {
                let Machines { elsewhere, uplinks, spine, .. } = Machines::from_json(&value);
                let reached = (spine / elsewhere).min(1.0 / uplinks).min(1.0);
                near("all_to_all", reached, float(&value["result"]["value"]));
                assert!(text(&value["formula"]).contains("forward nothing"), "{value}");
            }
        }
    }
}

/// Pieces of some height and power that a rack holds.
fn held(value: &Value, units: f64, power: f64) -> f64 {
    let most = iterator(value, "power of a rack").next().unwrap_or(f64::INFINITY);
    (f64(value, "units of a rack") / units).floor().min((most / power).floor())
}

/// Models of switch by what one draws with all ports lit: how many, and how many a rack holds.
fn switches(value: &Value) -> Vec<(f64, f64, f64)> {
    let inputs = value["inputs"].as_array().expect("inputs are a list");
    let names = inputs
        .iter()
        .filter_map(|input| text(&input["name"]).strip_prefix("switches ").map(str::to_owned));
    names
        .map(|name| {
            let of_one = |what: &str| f64(value, &format!("{what} of {name}"));
            let lit = of_one("power") + of_one("ports") * f64(value, "power of a transceiver");
            let count = f64(value, &format!("switches {name}"));
            (lit, count, held(value, of_one("units"), lit))
        })
        .collect()
}

#[test]
fn racks_follow_from_the_inputs_shown() {
    for arguments in RACKED {
        let quantities = explained_with(arguments);
        let stated = |key: &str| {
            let value = quantities.iter().find(|value| value["key"] == key);
            value.unwrap_or_else(|| panic!("{arguments:?}: {key}"))
        };
        let result = |key: &str| float(&stated(key)["result"]["value"]);
        let value = stated("racks.fullest_w");
        let domains = f64(value, "HB domains M") + f64(value, "spare machines S");
        let power = f64(value, "power of a machine");
        let whole = iterator(value, "racks of a machine").next();
        let (racks, fullest) = match whole {
            Some(each) => (domains * each, power / each),
            None => {
                let fit = held(value, f64(value, "units of a machine"), power);
                ((domains / fit).ceil(), power * fit.min(domains))
            }
        };
        let machines = racks;
        assert!(machines <= result("racks.nodes"));
        let models = switches(value);
        assert!(!models.is_empty() && models == switches(stated("racks.switches")));
        let racks: f64 = models.iter().map(|(_, count, fit)| (count / fit).ceil()).sum();
        assert!(racks <= result("racks.switches"));
        let beside = f64(stated("racks.least"), "racks of the other networks");
        near("racks.least", machines + racks + beside, result("racks.least"));
        let drawn = models.iter().map(|(lit, count, fit)| lit * count.min(*fit));
        near("racks.fullest_w", drawn.fold(fullest, f64::max), result("racks.fullest_w"));
    }
}

#[test]
fn every_source_stands_in_the_section_that_is_cited() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let equations = fs::read_to_string(root.join("docs/equations.md")).expect("the equations");
    for value in explained(SPECS[0]) {
        let cited = value["equations"].as_array().expect("equations are a list");
        assert!(!cited.is_empty(), "{}", value["key"]);
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
    let quantities = everything(&[SPECS[1]]);
    let mut seen = 0;
    for value in &quantities {
        for input in value["inputs"].as_array().expect("inputs are a list") {
            let origin = text(&input["origin"]);
            assert!(!origin.is_empty(), "{}", value["key"]);
            let Some(rest) = origin.strip_prefix("see `planner explain ") else { continue };
            let key = rest.trim_end_matches('`');
            let other = quantities.iter().find(|value| value["key"] == key).expect(key);
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
    let short = planner_in(&folder, &["explain", "goodput_share"]);
    assert!(short.stdout.contains("§11.2"), "{}", short.stderr);
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
                "error: there is no figure `{wanted}`\nhelp: did you mean `{meant}`? `planner \
                 explain [SPEC]` lists all\n"
            )
        );
    }
}
