//! Explanations of what stands in lists: lines of the bill, other designs, routed communications.
//! The formulas that they state are computed here from the inputs that they show.

use serde_json::Value;

use crate::sheet::{everything, explained_with, f64, float, iterator, near, text};

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
fn computed(of: &Value) -> Option<f64> {
    const YEAR: f64 = 365.0 * 86_400.0;
    let formula = text(&of["formula"]);
    Some(match formula.as_str() {
        "⌈N / K⌉ + S" => (f64(of, "GPUs N") / f64(of, "GPUs of")).ceil() + f64(of, "standby"),
        "(M + S) · NICs of a domain" => {
            (f64(of, "HB domains") + f64(of, "standby")) * f64(of, "NICs")
        }
        "(HB domains + S) · GiB of a host" => {
            (f64(of, "HB domains") + f64(of, "standby")) * f64(of, "GiB")
        }
        "ends of links + spares" => f64(of, "ends") + f64(of, "spares"),
        "Σ over layers + spares" => iterator(of, "in the ").sum::<f64>() + f64(of, "spares"),
        "the lesser of what is counted and what is in stock" => {
            f64(of, "count").min(f64(of, "in stock"))
        }
        "nothing: the price of another part has it in it" => 0.0,
        "those inside machines in stock" => f64(of, "inside machines in stock"),
        "(count − owned) · price of one" => {
            (f64(of, "count") - f64(of, "owned")) * f64(of, "price")
        }
        "the same of the other design − this design's" => {
            f64(of, "of the other") - f64(of, "of this")
        }
        "the same of the other design / this design's" => {
            f64(of, "of the other") / f64(of, "of this")
        }
        "bytes of a step / links, in the fuller direction of each" => {
            f64(of, "bytes") / f64(of, "links")
        }
        "ports · min(port rate / link rate, ports that one splits into)" => {
            let ways = f64(of, "port rate") / f64(of, "link rate");
            f64(of, "ports") * ways.min(f64(of, "splits"))
        }
        "as the price book or the spec states it" => f64(of, "price"),
        start if start.starts_with("as the price book states the part") => f64(of, "price"),
        "as its data sheet states it" => f64(of, "watts"),
        start if start.starts_with("the least S with") => {
            let lead = f64(of, "lead") / YEAR;
            let expected = f64(of, "pieces") * f64(of, "failures") * lead;
            poisson(expected, f64(of, "fill rate"))
        }
        start if start.starts_with("those of machines that stand by") => {
            iterator(of, "standby").sum::<f64>() * iterator(of, "of each").next().unwrap_or(0.0)
        }
        _ => return None,
    })
}

#[test]
fn what_stands_in_lists_follows_from_the_inputs_shown() {
    const LISTS: [&str; 4] = ["bom.", "alternatives.", "routing.loads.", "fabric.tiers."];
    let (mut stored, mut owned, mut seen) = (0.0, 0.0, 0);
    for arguments in OWNED {
        for of in explained_with(arguments) {
            let key = text(&of["key"]);
            let result = float(&of["result"]["value"]);
            if !LISTS.iter().any(|list| key.starts_with(list)) {
                continue;
            }
            let Some(known) = computed(&of) else {
                let counted = key.starts_with("routing.") || key.starts_with("fabric.");
                assert!(counted, "{key}: {}", of["formula"]);
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
    let of = |key: &str| all.iter().find(|of| of["key"] == key).map(|of| &of["result"]["value"]);
    assert_eq!(of("routing.verified"), Some(&Value::Bool(true)));
    assert_eq!(of("cluster.node"), Some(&Value::from("dgx-h100")));
    assert_eq!(of("solver.status"), Some(&Value::from("optimal")));
}
