//! Switches whose ports are not all in use: fewer links can cost less, and fit where none did.

use crate::refuted::run::{design, network, optimal, switches};

/// Links are counted and priced by their ends, and networks need not be regular.
const PLAIN: [&str; 2] = ["cluster.links=by-end", "limits.regular=false"];

#[track_caller]
fn at_most(spec: &str, usd: f64) {
    let found = network(&optimal(spec, &PLAIN));
    assert!(found <= usd, "{spec}: ${found}, but a network of ${usd} exists");
}

/// 28 ports down and 28 up of 64: as many switches, 192 transceivers fewer.
#[test]
fn a_leaf_may_leave_ports_dark() {
    at_most("dark_ports", 2_930_000.0);
}

/// Enumeration of every build within the power and the supply.
#[test]
fn dark_ports_keep_power_and_supply() {
    at_most("power_and_supply", 96_000.0);
}

/// The ready case of tenants with 72 of 128 ports in use.
#[test]
fn tenants_pay_for_no_port_that_idles() {
    at_most("tenants", 2_454_300.0);
}

/// The model with fewer ports costs $1 less and can nothing that the other can't: between the two
/// specs lies at most a dollar a switch.
#[test]
fn fewer_ports_at_the_same_price_save_nothing() {
    let whole = optimal("switches_of_128", &[]);
    let twin = optimal("switches_of_125", &[]);
    assert!(network(&whole) <= 19_567_496.0, "${}", network(&whole));
    let saved = network(&whole) - network(&twin);
    assert!((0.0..=switches(&twin, None) as f64).contains(&saved), "the twin saves ${saved}");
}

#[test]
fn a_budget_that_only_dark_ports_meet_is_met() {
    let run = design("tight_budget", &["failures.standby=0", PLAIN[0], PLAIN[1]]);
    assert_eq!(run.status, 0, "{}", run.stderr);
}
