//! Where parts are scarce no better design is found below the value of an answer, proven or not; and one
//! rail is what a Clos is.
//!
//! REFUTED_CASES says how many specs are drawn for each law.

use serde_json::Value;

use crate::refuted::run::{compared, cost, design, network, optimal, switches};
use crate::support::cases::drawn_cases;
use crate::support::dice::Dice;

/// Keys of a small cluster of so many machines with so many NICs, with stock and supply.
fn drawn(dice: &mut Dice, nics: u64) -> Vec<String> {
    let gpus = nics * dice.between(40, 300);
    let mut keys = vec![
        format!("cluster.gpus={gpus}"),
        format!("training.global_batch={gpus}"),
        format!("hardware.nodes.box.gpus={nics}"),
        format!("hardware.nodes.box.nics={nics}"),
    ];
    for model in ["alpha", "beta", "gamma"] {
        let ports = [24, 32, 40, 48, 64, 128][dice.roll(6) as usize];
        keys.push(format!("hardware.switches.{model}.ports={ports}"));
        let price = ports * dice.between(300, 700);
        keys.push(format!("hardware.switches.{model}.price=\"${price}\""));
        if dice.chance(40) {
            keys.push(format!("limits.supply.{model}={}", dice.between(5, 60)));
        }
        if dice.chance(60) {
            keys.push(format!("inventory.{model}={}", dice.between(1, 40)));
        }
    }
    if dice.chance(50) {
        keys.push("limits.within_rail=0.5".to_owned());
    }
    keys
}

/// The design of a spec that is drawn; `None` where there is none.
fn found(keys: &[String], more: &[&str]) -> Option<Value> {
    let keys: Vec<&str> = keys.iter().map(String::as_str).chain(more.iter().copied()).collect();
    let run = design("scarce", &keys);
    assert!(matches!(run.status, 0 | 3), "{keys:?}: {}", run.stderr);
    (run.status == 0).then(|| serde_json::from_str(&run.stdout).expect("the program writes JSON"))
}

/// 18 switches of 48 ports: a design that exists, and was found when it was asked for under a budget.
#[test]
fn scarce_stock_is_not_given_up() {
    let found = optimal("given_up", &[]);
    assert!(network(&found) <= 1_023_504.0, "${}", network(&found));
}

#[test]
fn a_budget_below_an_answer_finds_nothing() {
    let mut dice = Dice(43);
    for case in 0..drawn_cases(8) {
        let nics = [1, 2, 4][dice.roll(3) as usize];
        let keys = drawn(&mut dice, nics);
        let Some(answer) = found(&keys, &[]) else { continue };
        let budget = format!("limits.budget=\"${:.2}\"", cost(&answer, "capex_usd") - 1.0);
        let better = found(&keys, &[&budget]);
        assert!(better.is_none(), "case {case}: {keys:?} {budget}");
    }
}

/// 4 leaf switches of 32 ports down and 32 up, 2 spines.
#[test]
fn one_rail_is_joined_as_a_clos_is() {
    let found = optimal("one_nic", &[]);
    assert!(switches(&found, None) <= 6, "{}", switches(&found, None));
    let found = compared("one_nic", &["rail-optimized"]);
    assert!(found.iter().all(|value| switches(value, None) <= 6));
}

#[test]
fn one_rail_as_rail_optimized_costs_no_more_than_a_clos() {
    let mut dice = Dice(7);
    for case in 0..drawn_cases(8) {
        let keys = drawn(&mut dice, 1);
        let Some(clos) = found(&keys, &["cluster.fabric=\"clos\""]) else { continue };
        let rails = found(&keys, &["cluster.fabric=\"rail-optimized\""]);
        let rails = rails.unwrap_or_else(|| panic!("case {case}: {keys:?}"));
        let [rails, clos] = [rails, clos].map(|value| cost(&value, "capex_usd"));
        assert!(rails <= clos * (1.0 + 1e-9), "case {case}: {rails} {clos} {keys:?}");
    }
}
