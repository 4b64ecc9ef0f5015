//! What the price of a machine has in it: bills added up again from the text of the book, and the same spec
//! with nothing changed but `includes`.

use std::collections::BTreeMap;
use std::path::Path;

use calamine::{Data, Reader, Xlsx, open_workbook};
use serde_json::Value;

use crate::support::program::{Program, fresh_folder, planner_in};

/// One transceiver an end, one plane and one machine on standby, so that only prices differ between runs.
const FIXED: [&str; 3] = ["cluster.links=by-end", "cluster.max_planes=1", "failures.standby=1"];

fn planner(arguments: &[&str], sets: &[&str]) -> Program {
    let sets = sets.iter().flat_map(|set| ["--set", *set]);
    let all: Vec<&str> = arguments.iter().copied().chain(sets).collect();
    planner_in(Path::new(env!("CARGO_TARGET_TMPDIR")), &all)
}

fn asked(command: &str, sets: &[&str]) -> Value {
    let sets = [&FIXED[..], sets].concat();
    let run = planner(&[command, "starter", "--format", "json"], &sets);
    assert_eq!(run.status, 0, "{sets:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("it is JSON")
}

fn refused(sets: &[&str], why: &str) {
    let run = planner(&["bill", "starter"], sets);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains(why), "{}", run.stderr);
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn capex(value: &Value) -> f64 {
    number(&value["cost"]["capex_usd"])
}

fn line<'v>(value: &'v Value, role: &str) -> &'v Value {
    let lines = value["bom"].as_array().expect("lines");
    lines.iter().find(|line| line["role"] == role).unwrap_or_else(|| panic!("no {role}"))
}

/// Prices of parts as the text of the book that ships has them, in dollars.
fn book() -> BTreeMap<String, f64> {
    let text = include_str!("../../presets/prices/street-2026.toml");
    let value = |entry: &str, key: &str| {
        let line = entry.lines().find(|line| line.starts_with(&format!("{key} = ")))?;
        Some(line.split('"').nth(1)?.to_owned())
    };
    let entries = text.split("[[price]]").skip(1);
    let priced = entries.filter_map(|entry| {
        let usd = value(entry, "price")?.trim_start_matches('$').replace(',', "").parse().ok()?;
        let item = value(entry, "item")?;
        Some((value(entry, "rate").map_or(item.clone(), |rate| format!("{item} of {rate}")), usd))
    });
    priced.collect()
}

/// Price of an interface by itself: of its name, or of its rate.
fn alone(nic: &str) -> f64 {
    let digits: String =
        nic.rsplit('-').next().unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    let book = book();
    let by_rate = || book.get(&format!("nic of {digits} Gb/s"));
    *book.get(nic).or_else(by_rate).unwrap_or_else(|| panic!("no price of {nic}"))
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{found} for {expected}");
}

/// 33 machines of 8 interfaces, 2 switches or more: the bill is machines and network, and no interface.
#[test]
fn a_bill_is_the_sum_of_the_books_prices_and_has_interfaces_once() {
    let (book, bill) = (book(), asked("bill", &[]));
    let machines = 33.0 * book["dgx-h100"];
    let network: f64 = ["switch", "optic"]
        .map(|role| {
            let line = line(&bill, role);
            number(&line["count"]) * number(&line["unit_usd"])
        })
        .iter()
        .sum();
    near(capex(&bill), machines + network);
    let nic = line(&bill, "nic");
    assert_eq!((number(&nic["count"]), number(&nic["spares"])), (264.0, 8.0));
    assert_eq!((number(&nic["total_usd"]), nic["basis"].as_str()), (0.0, Some("included")));
    near(number(&nic["alone_usd"]), alone("ndr-400g"));
    assert!(number(&nic["power_w"]) > 0.0, "what is covered still draws power");
    assert_eq!(line(&bill, "node")["level"], "system");
}

/// Nothing but `includes` differs: the bill by machines times interfaces times their price, watts by nothing.
#[test]
fn includes_alone_changes_a_bill_by_its_interfaces() {
    for (node, nic, gpus, usd) in [
        ("dgx-h100", "ndr-400g", 256.0, 200_000.0),
        ("hgx-b300", "xdr-800g", 256.0, 500_000.0),
        ("gb200-nvl72", "ndr-400g", 288.0, 3e6),
    ] {
        let (chosen, size) = (format!("cluster.node={node}"), format!("cluster.gpus={gpus}"));
        let price = |includes: &str| format!("prices.{node}={{price=\"${usd}\"{includes}}}");
        let (with, without) = (price(", includes=[\"nic\"]"), price(""));
        let nic_alone = format!("cluster.nic={nic}");
        let run = |price: &str| asked("bill", &[&chosen, &size, &nic_alone, price]);
        let (with, without) = (run(&with), run(&without));
        let count = number(&line(&without, "nic")["count"]);
        assert_eq!(count, number(&line(&with, "nic")["count"]), "{node}");
        near(capex(&without) - capex(&with), count * alone(nic));
        near(number(&without["cost"]["power_w"]), number(&with["cost"]["power_w"]));
    }
}

/// The objective weighs what another interface costs on top, as each choice by itself shows.
#[test]
fn a_choice_of_interfaces_compares_what_each_costs_on_top() {
    let token = |value: &Value| number(&value["cost"]["usd_per_million_tokens"]);
    let node = "prices.dgx-h100={price=\"$324438\"}";
    for price in ["pricing.max_age_months=24", node] {
        let one = |nic: &str| token(&asked("bill", &[&format!("cluster.nic={nic}"), price]));
        let each = ["ndr-400g", "hdr-200g"].map(one);
        let listed = asked("bill", &["cluster.nic=[\"hdr-200g\", \"ndr-400g\"]", price]);
        near(token(&listed), each[0].min(each[1]));
    }
    // The cheaper card is worth choosing only where the other is not paid for already.
    let included = asked("bill", &["cluster.nic=[\"hdr-200g\", \"ndr-400g\"]"]);
    assert_eq!(line(&included, "nic")["part"], "ndr-400g");
    let other = asked("bill", &["cluster.nic=hdr-200g"]);
    let nic = line(&other, "nic");
    near(number(&nic["total_usd"]), 264.0 * alone("hdr-200g"));
    let notes = other["assumptions"].to_string();
    assert!(notes.contains("is not refunded"), "{notes}");
}

/// Owned machines bring their interfaces; owned interfaces are left for machines that are bare.
#[test]
fn stock_is_used_where_it_saves() {
    let book = book();
    let plain = capex(&asked("bill", &[]));
    let machines = asked("bill", &["inventory.dgx-h100=16"]);
    near(plain - capex(&machines), 16.0 * book["dgx-h100"]);
    assert_eq!(number(&line(&machines, "nic")["owned"]), 128.0);
    let cards = asked("bill", &["inventory.ndr-400g=100"]);
    near(capex(&cards), plain);
    assert_eq!(number(&line(&cards, "nic")["owned"]), 0.0);
    let bare = "prices.dgx-h100={price=\"$324438\"}";
    let cards = asked("bill", &["inventory.ndr-400g=100", bare]);
    near(capex(&cards) - plain, 164.0 * alone("ndr-400g"));
}

/// A shipped price is of the machine that ships: other or more interfaces are bought on top of it.
#[test]
fn a_price_covers_the_interfaces_that_were_quoted() {
    let plain = capex(&asked("bill", &[]));
    let other = asked("bill", &["hardware.nodes.dgx-h100.nic=\"hdr-200g\""]);
    near(number(&line(&other, "nic")["total_usd"]), 264.0 * alone("hdr-200g"));
    let fewer = asked("bill", &["hardware.nodes.dgx-h100.nics=4"]);
    assert_eq!(number(&line(&fewer, "nic")["total_usd"]), 0.0);
    assert!(capex(&fewer) <= plain);
}

/// The share and the ends of the one quote, from the lines and the book's own words.
#[test]
fn the_price_says_how_much_rests_on_one_quote() {
    let value = asked("design", &[]);
    let quote = &value["cost"]["quotes"][0];
    let machines = 33.0 * 324_438.0;
    assert_eq!(quote["parts"], serde_json::json!(["dgx-h100"]));
    near(number(&quote["share_of_capex"]), machines / capex(&value));
    let rest = capex(&value) - machines;
    let ends = &quote["capex_range_usd"];
    near(number(&ends[0]), rest + 33.0 * 190_000.0);
    near(number(&ends[1]), rest + 33.0 * 324_438.0);
    let run = planner(&["design", "starter", "--section", "price"], &[]);
    assert!(run.stdout.contains("% of the price is one quote, dgx-h100"), "{}", run.stdout);
}

/// Machines of one list are priced alike, or the reader is told; a price with the network in it is refused.
#[test]
fn machines_are_compared_at_one_level() {
    let both = "cluster.node=[\"dgx-h100\", \"hgx-b200\"]";
    let warned = |price: &str| {
        let value = asked("design", &[both, price]);
        let warnings = value["warnings"].as_array().expect("a list").clone();
        warnings.iter().any(|value| value["code"] == "W21")
    };
    let price = |says: &str| format!("prices.dgx-h100={{price=\"$324438\"{says}}}");
    assert!(!warned("pricing.max_age_months=24"), "what ships is alike");
    assert!(!warned(&price(", includes=[\"nic\"], level=\"system\"")));
    assert!(warned(&price("")), "nothing is said of it");
    assert!(warned(&price(", includes=[\"nic\"], level=\"board\"")));
    let rack = "cluster.node=[\"dgx-h100\", \"gb200-nvl72\"]";
    let value = asked("design", &[rack, "cluster.gpus=576"]);
    assert!(!value["warnings"].to_string().contains("W21"), "a rack and a server with interfaces");
    let all_in = price(", level=\"all-in\"");
    refused(&[&all_in], "has switches, modules and cables in it");
    refused(&[both, &all_in], "can't be compared with `hgx-b200` (system)");
    refused(&["prices.ndr-400g={price=\"$1\", includes=[\"nic\"]}"], "`ndr-400g` is no machine");
    refused(&["prices.dgx-h100={price=\"$1\", includes=[]}"], "the list is empty");
    refused(&["prices.dgx-h100={price=\"$1\", includes=[\"nics\"]}"], "nics");
}

/// A domain of a family and a product have their interfaces in the price; without, each GPU takes its own.
#[test]
fn sizes_of_a_domain_are_compared_with_interfaces_in_the_price() {
    let run = |price: &str| {
        let sets = [&FIXED[..], &["cluster.gpus=144", "failures.standby=0", price]].concat();
        let arguments = ["domain", "starter", "--over", "gb200-nvl72,dgx-h100", "--format", "json"];
        let run = planner(&arguments, &sets);
        assert_eq!(run.status, 0, "{}", run.stderr);
        serde_json::from_str::<Value>(&run.stdout).expect("it is JSON")
    };
    let network = |value: &Value| -> f64 {
        let points = value["points"].as_array().expect("points");
        let rack =
            points.iter().find(|value| value["node"] == "gb200-nvl72").expect("it is asked for");
        number(&rack["network_usd_per_gpu"])
    };
    let covered = run("prices.gb200-nvl72={price=\"$3.1M\", includes=[\"nic\"], level=\"rack\"}");
    let bare = run("prices.gb200-nvl72={price=\"$3.1M\"}");
    near(network(&bare) - network(&covered), alone("ndr-400g"));
    assert!(covered.get("warnings").is_none(), "{covered}");
    assert_eq!(bare["warnings"][0]["code"], "W21");
}

/// The workbook, read by a library that others wrote.
#[test]
fn a_workbook_says_what_a_price_has_in_it() {
    let folder = fresh_folder("contents of a workbook");
    let arguments = ["bill", "starter", "--format", "xlsx", "-o", "bill.xlsx"];
    let sets = FIXED.iter().flat_map(|set| ["--set", *set]);
    let all: Vec<&str> = arguments.into_iter().chain(sets).collect();
    let run = planner_in(&folder, &all);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let mut book: Xlsx<_> = open_workbook(folder.join("bill.xlsx")).expect("it opens");
    let prices = book.worksheet_range("Prices").expect("it is there");
    let row = |part: &str| -> Vec<String> {
        let has = |row: &&[Data]| row[0] == part;
        let row = prices.rows().find(has).unwrap_or_else(|| panic!("no {part}"));
        row.iter().map(ToString::to_string).collect()
    };
    let (machine, nic) = (row("dgx-h100"), row("ndr-400g"));
    assert_eq!(machine[12..14], ["system", "nic, memory, local-storage"]);
    assert_eq!((&nic[2][..], &nic[9][..], &nic[14][..]), ("0", "included", "1499"));
}
