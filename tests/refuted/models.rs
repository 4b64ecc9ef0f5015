//! Several switch models in one tree.

use crate::refuted::run::{network, optimal, switches};

/// 20 leafs of one maker and 16 spines of the other: 640 ports down, 640 up.
#[test]
fn leafs_and_spines_may_be_of_two_makers() {
    let found = optimal("two_models", &[]);
    let (a, b) = (switches(&found, Some("sa")), switches(&found, Some("sb")));
    assert!(a <= 24 && b <= 20, "{a} and {b} are more than can be had");
    assert!(a + b <= 20 + 16, "{a} and {b}");
}

/// All that could be bought before can still be bought.
#[test]
fn a_cheaper_part_makes_no_design_dearer() {
    let before = network(&optimal("dearer_by_a_dollar", &[]));
    let after = network(&optimal("dearer_by_a_dollar", &["hardware.switches.sb.price=\"$30000\""]));
    assert!(after <= before, "${before} became ${after}");
}
