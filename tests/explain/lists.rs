//! Explanations of what stands in lists: lines of the bill, other designs, routed communications.
//! The formulas that they state are computed here from the inputs that they show.

use serde_json::Value;

use crate::explain::sheet::{everything, explained_with, f64, float, iterator, near, text};

/// Parts in stock, parts in store, and a part without a price.
const OWNED: [&[&str]; 3] = [
    &[
        "gpt3-175b-a100-1536",
        "--set",
        "inventory.sr4-200g=100",
        "--set",
        "spares.fill_rate=0.999",
        "--set",
        "cluster.links=by-end",
    ],
    &[
        "starter",
        "--set",
        "spares.fill_rate=0.99",
        "--set",
        "spares.lead_days=365",
        "--set",
        "cluster.links=by-end",
    ],
    &["deepseek-v3-h800-2048", "--set", "cluster.links=by-end"],
];

/// The smallest stock that suffices, term by term: a pool that is small enough for that.
fn poisson(expected: f64, fill_rate: f64) -> f64 {
    let mut term = (-expected).exp();
    let (mut sum, mut stock) = (term, 0.0);
    while sum < fill_rate {
        stock += 1.0;
        term *= expected / stock;
        sum += term;
    }
    stock
}

/// What a quantity's own formula makes of the inputs that it shows; `None` where it is stated, or
/// counted on the fabric.
fn computed(value: &Value) -> Option<f64> {
    const YEAR: f64 = 365.0 * 86_400.0;
    let formula = text(&value["formula"]);
    Some(match formula.as_str() {
        "⌈N / K⌉ + S" => {
            (f64(value, "GPUs N") / f64(value, "GPUs of")).ceil() + f64(value, "spare machines")
        }
        "(M + S) · NICs of a domain" => {
            (f64(value, "HB domains") + f64(value, "spare machines")) * f64(value, "NICs")
        }
        "(HB domains + S) · GiB of a host" => {
            (f64(value, "HB domains") + f64(value, "spare machines")) * f64(value, "GiB")
        }
        "ends of links + spares" => f64(value, "ends") + f64(value, "spares"),
        "Σ over layers + spares" => iterator(value, "in the ").sum::<f64>() + f64(value, "spares"),
        "the lesser of what is counted and what is owned" => {
            f64(value, "count").min(f64(value, "owned"))
        }
        "nothing: the price of another part has it in it" => 0.0,
        "those inside owned machines" => f64(value, "inside owned machines"),
        "(count − owned) · price of one" => {
            (f64(value, "count") - f64(value, "owned")) * f64(value, "price")
        }
        "the same of the other design − this design's" => {
            f64(value, "of the other") - f64(value, "of this")
        }
        "the same of the other design / this design's" => {
            f64(value, "of the other") / f64(value, "of this")
        }
        "bytes of a step / links, in the fuller direction of each" => {
            f64(value, "bytes") / f64(value, "links")
        }
        "ports · min(port rate / link rate, ports that one splits into)" => {
            let ways = f64(value, "port rate") / f64(value, "link rate");
            f64(value, "ports") * ways.min(f64(value, "splits"))
        }
        "as the price book or the spec states it" => f64(value, "price"),
        start if start.starts_with("as the price book states the part") => f64(value, "price"),
        "as its data sheet states it" => f64(value, "watts"),
        start if start.starts_with("the least S with") => {
            let lead = f64(value, "lead") / YEAR;
            let expected = f64(value, "pieces") * f64(value, "failures") * lead;
            poisson(expected, f64(value, "fill rate"))
        }
        start if start.starts_with("those of spare machines") => {
            iterator(value, "spare machines").sum::<f64>()
                * iterator(value, "of each").next().unwrap_or(0.0)
        }
        _ => return None,
    })
}

#[test]
fn what_stands_in_lists_follows_from_the_inputs_shown() {
    const LISTS: [&str; 4] = ["bom.", "alternatives.", "routing.loads.", "fabric.tiers."];
    let (mut stored, mut owned, mut seen) = (0.0, 0.0, 0);
    for arguments in OWNED {
        for value in explained_with(arguments) {
            let key = text(&value["key"]);
            let result = float(&value["result"]["value"]);
            if !LISTS.iter().any(|list| key.starts_with(list)) {
                continue;
            }
            let Some(known) = computed(&value) else {
                let counted = key.starts_with("routing.") || key.starts_with("fabric.");
                assert!(counted, "{key}: {}", value["formula"]);
                continue;
            };
            near(&key, known, result);
            seen += 1;
            stored += if key.ends_with(".spares") { result } else { 0.0 };
            owned += if key.ends_with(".owned") { result } else { 0.0 };
        }
    }
    assert!(stored > 10.0 && owned == 100.0 && seen > 100, "{stored} {owned} {seen}");
}

/// Every figure that docs/results.md lists for a design of one cluster and that the design has, whatever
/// its unit.
#[test]
fn flags_and_names_are_explained_as_numbers_are() {
    let all = everything(&["starter", "--set", "objective.minimize=capex"]);
    let read = |key: &str| {
        all.iter().find(|value| value["key"] == key).map(|value| &value["result"]["value"])
    };
    assert_eq!(read("routing.verified"), Some(&Value::Bool(true)));
    assert_eq!(read("cluster.node"), Some(&Value::from("dgx-h100")));
    assert_eq!(read("solver.status"), Some(&Value::from("optimal")));
}
