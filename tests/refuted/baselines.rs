//! Baselines are built as well as designs, and never beat one that may be built so.

use serde_json::Value;

use crate::refuted::run::{compared, network, switches};

/// 9 leafs of 30 ports down and 30 up, and 5 spines: 264 of 270 ports, full bisection.
#[test]
fn a_baseline_leaves_ports_dark_too() {
    let found = compared("clos_of_264", &["clos"]);
    let baselines = &found[1..];
    assert!(!baselines.is_empty());
    for baseline in baselines {
        let count = switches(baseline, None);
        assert!(count <= 9 + 5, "{count} switches");
    }
}

#[test]
fn no_baseline_of_the_design_s_own_kind_is_cheaper() {
    let found = compared("slow_is_allowed", &["clos@31:1", "clos@24:1"]);
    let (design, baselines) = found.split_first().expect("the design comes first");
    // One that takes longer steps than are allowed may cost less.
    let allowed =
        |value: &&Value| value["step"]["slowdown"].as_f64().is_some_and(|value| value <= 1.5);
    assert!(baselines.iter().any(|value| allowed(&value)));
    for baseline in baselines.iter().filter(allowed) {
        assert!(
            network(design) <= network(baseline),
            "${} beside ${}",
            network(design),
            network(baseline)
        );
    }
}
