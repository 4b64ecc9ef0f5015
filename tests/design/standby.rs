//! Machines that stand by: how many by a formula written out for every number, and that bill, racks and
//! cost of a token have them.

use planner::cost::Role;
use planner::design::{Plan, design};

use crate::scenario::ready;

fn plan(spec: &str, changes: &[&str]) -> Plan {
    design(&ready(spec, changes)).unwrap_or_else(|reason| panic!("{spec} {changes:?}: {reason}"))
}

/// P(Poisson(mean) ≤ most), term by term.
fn at_most(most: u64, mean: f64) -> f64 {
    let mut term = (-mean).exp();
    let mut sum = term;
    for count in 1..=most {
        term *= mean / count as f64;
        sum += term;
    }
    sum
}

/// Share of a year that machines alone leave to training: Llama 3's rates, repairs of a day, stops of ten
/// minutes, checkpoints of five seconds, by the formula of Daly (2006) for work between checkpoints. Without any
/// on standby the job waits while one is broken.
fn trains(gpus: f64, standby: u64) -> f64 {
    const YEAR: f64 = 365.25 * 86_400.0;
    let breaks = 0.075_96 + 0.029_72 + 0.022_29;
    let broken = gpus * breaks * 86_400.0 / YEAR;
    let stops = gpus * (breaks + 0.027_66) / YEAR;
    let between = (2.0 * 5.0 / stops).sqrt();
    let stretch = (stops * 600.0).exp() * ((stops * (between + 5.0)).exp() - 1.0) / stops;
    between / stretch * at_most(standby, broken)
}

#[test]
fn as_many_stand_by_as_make_a_token_cheapest() {
    let mut seen = Vec::new();
    for (node, gpus) in [
        ("dgx-h100", 256_u32),
        ("dgx-h100", 1024),
        ("dgx-h100", 4096),
        ("dgx-h100", 16_384),
        ("gb200-nvl72", 576),
        ("gb200-nvl72", 2304),
    ] {
        let size = if node == "dgx-h100" { 8 } else { 72 };
        let changes = [
            format!("cluster.node={node}"),
            format!("cluster.gpus={gpus}"),
            format!("training.global_batch={}", gpus * 4),
            "parallelism.tensor=8".to_owned(),
            "parallelism.pipeline=1".to_owned(),
            "objective.minimize=capex".to_owned(),
        ];
        let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
        let found = plan("starter", &changes);
        let price = |role| {
            let line = found.bill.iter().find(|line| line.role == role).expect("bought");
            (line.unit.as_ref().expect("it has a price").amount.get(), line.power.get())
        };
        let (machine, nic) = (price(Role::Node), price(Role::Nic));
        let nics = f64::from(found.nodes.node.nics);
        let each = machine.0 + nics * nic.0;
        // Electricity of those that train alone, at what the report pays for a watt.
        let watt = (found.cost.tco - found.cost.capex).get() / found.cost.power.get();
        let energy = (machine.1 + nics * nic.1) * watt;
        let count = f64::from(gpus / size);
        let token = |standby: u64| {
            let paid = (count + standby as f64) * each + count * energy;
            paid / trains(f64::from(gpus), standby)
        };
        let best = (0..60).min_by(|a, b| token(*a).total_cmp(&token(*b))).expect("some");
        assert_eq!(found.failures.year.standby, best, "{node} {gpus}");
        let line = found.bill.iter().find(|line| line.role == Role::Node).expect("bought");
        assert_eq!((line.count, line.spares), (u64::from(gpus / size) + best, best));
        seen.push(best);
    }
    assert!(seen.iter().max() > seen.iter().min(), "{seen:?}");
}

/// Of three numbers: capital of machines, whose price has their interfaces in it, grows by each, power by none, and time that trains
/// is bought with it.
#[test]
fn standby_is_paid_for_wherever_it_counts() {
    let with = |standby: u64| plan("starter", &[&format!("failures.standby={standby}")]);
    let (none, three) = (with(0), with(3));
    let each = 324_438.0;
    let more = (three.cost.capex - none.cost.capex).get();
    assert!((more - 3.0 * each).abs() < 0.01, "{more}");
    assert_eq!(none.cost.power, three.cost.power);
    assert_eq!(none.cost.network_capex, three.cost.network_capex);
    assert!(three.failures.year.goodput > none.failures.year.goodput);
    let token = |plan: &Plan| plan.cost.usd_per_million_tokens.expect("it has a pace").get();
    let cost = |plan: &Plan| plan.cost.tco.get() / plan.failures.year.goodput;
    assert!((token(&three) / token(&none) - cost(&three) / cost(&none)).abs() < 1e-9);
}

/// What is stated holds; without a price nothing weighs one machine more.
#[test]
fn a_number_or_a_fill_rate_that_is_stated_holds() {
    let standby = |changes: &[&str]| plan("starter", changes).failures.year.standby;
    assert_eq!(standby(&["failures.standby=5"]), 5);
    let broken = 256.0 * (0.075_96 + 0.029_72 + 0.022_29) / 365.25;
    for share in [0.9, 0.99, 0.999, 0.999_99] {
        let fewest = (0..).find(|of| at_most(*of, broken) >= share).expect("some suffice");
        assert_eq!(standby(&[&format!("failures.fill_rate={share}")]), fewest, "{share}");
    }
    let fewest = (0..).find(|of| at_most(*of, broken) >= 0.999).expect("some suffice");
    assert_eq!(standby(&["cluster.prices=mixnet-2025"]), fewest);
}
