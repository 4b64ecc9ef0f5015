//! Bills of a few pieces, added up by hand.

use std::collections::BTreeMap;

use planner::cost::{
    BillLine, BillParts, Cost, OperatingTime, Role, bill_lines, price_by_port_count, sum_bill,
    switch_price,
};
use planner::hardware::{Nic, Node, Price, PriceBasis, PriceBook, PricedItem, Switch};
use planner::scenario::Spares;
use planner::spec::{presets, read_scenario};
use planner::units::{Bandwidth, Seconds, Usd, UsdRange, Watts};

use super::starter;

/// So many dollars, or a fifth less to a fifth more.
fn about(usd: f64) -> Price {
    Price {
        amount: Usd::from_f64(usd),
        range: Some(UsdRange { low: Usd::from_f64(0.8 * usd), high: Usd::from_f64(1.2 * usd) }),
        basis: PriceBasis::User,
        date: String::new(),
        source: String::new(),
        exchange: None,
        quote: planner::hardware::Quote::default(),
    }
}

fn book(prices: &[(PricedItem, f64)]) -> PriceBook {
    let prices = prices.iter().map(|(item, usd)| (item.clone(), about(*usd))).collect();
    PriceBook { prices, ..PriceBook::default() }
}

/// Eight interfaces of 25 W in a machine of 10 kW.
fn machine() -> Node {
    let shipped = presets::preset_nodes()["dgx-h100"].clone();
    let nic = Nic { power: Watts::from_f64(25.0), ..shipped.nic.clone() };
    Node { nics: 8, nic, power: Watts::from_f64(10_000.0), ..shipped }
}

/// Ports of 400 Gb/s.
fn switch(ports: u32) -> Switch {
    let shipped = presets::preset_switches()["qm9700"].clone();
    let name = format!("{ports} ports");
    Switch { name, ports, port_bandwidth: Bandwidth::from_gigabits(400.0), ..shipped }
}

fn parts<'a>(node: &'a Node, nic: &'a Nic, switch: &'a Switch) -> BillParts<'a> {
    BillParts {
        nodes: (node, 3),
        standby: 0,
        host_memory: 0,
        nic,
        switches: vec![(switch, 10)],
        optics: vec![(Bandwidth::from_gigabits(400.0), None, 1000)],
        links: Vec::new(),
    }
}

fn line(bill: &[BillLine], role: Role) -> &BillLine {
    bill.iter().find(|line| line.role == role).expect("it is on the bill")
}

fn summed(bill: &[BillLine]) -> Cost {
    let running = OperatingTime {
        calendar: 4.0,
        years: 1.0,
        discount: 0.0,
        pue: 1.0,
        kilowatt_hour: Some(Usd::from_f64(0.1)),
        step: Seconds::from_f64(1.0),
        goodput: 1.0,
        tokens_per_step: 1,
        run_tokens: None,
    };
    sum_bill(bill, &running)
}

/// The machine draws 10 kW with its own interfaces: 9.8 kW and 8 of 25 W. Others of 40 W add 8 of 15 W.
#[test]
fn a_machine_s_power_holds_that_of_its_own_interfaces() {
    let (node, switch) = (machine(), Switch { power: Watts::ZERO, ..switch(64) });
    for (each, whole) in [(25.0, 10_000.0), (40.0, 10_120.0)] {
        let nic = Nic { power: Watts::from_f64(each), ..node.nic.clone() };
        let bill = bill_lines(&parts(&node, &nic, &switch), &book(&[]), &BTreeMap::new(), None);
        assert_eq!(line(&bill, Role::Node).power, Watts::from_f64(9_800.0));
        assert_eq!(summed(&bill).power, Watts::from_f64(3.0 * whole));
    }
}

/// A tenth of 10 switches and a hundredth of 1,000 transceivers fail in the tenth of a year that a new
/// one takes: λ = 0.1 and 1. P(≤ 0) = 0.905 and 0.368, P(≤ 1) = 0.995 and 0.736, P(≤ 2) = 0.920 of the
/// latter, P(≤ 3) = 0.981. They are bought but draw nothing, and what is owned covers them first.
#[test]
fn spares_are_those_of_each_kind_and_draw_no_power() {
    let (node, switch) = (machine(), switch(64));
    let parts = parts(&node, &node.nic, &switch);
    let prices =
        book(&[(PricedItem::Part("64 ports".into()), 100.0), (PricedItem::Transceiver(400), 10.0)]);
    let store = |switch_failures, optic_failures| Spares {
        fill_rate: 0.95,
        lead: Seconds::from_f64(36.5 * 86_400.0),
        switch_failures,
        optic_failures,
    };
    let spares = |store: &Spares| {
        let bill = bill_lines(&parts, &prices, &BTreeMap::new(), Some(store));
        [Role::Node, Role::Nic, Role::Switch, Role::Optic].map(|role| line(&bill, role).spares)
    };
    assert_eq!(spares(&store(0.1, 0.01)), [0, 0, 1, 3]);
    assert_eq!(spares(&store(0.1, 0.0)), [0, 0, 1, 0]);
    assert_eq!(spares(&store(0.0, 0.01)), [0, 0, 0, 3]);
    let owned = |pieces| BTreeMap::from([("64 ports".to_owned(), pieces)]);
    let without = summed(&bill_lines(&parts, &prices, &owned(0), None));
    for (pieces, bought) in [(0, 11), (4, 7), (10, 1), (11, 0), (40, 0)] {
        let bill = bill_lines(&parts, &prices, &owned(pieces), Some(&store(0.1, 0.0)));
        let switches = line(&bill, Role::Switch);
        assert_eq!((switches.count, switches.bought_count()), (11, bought), "{pieces} owned");
        assert_eq!(switches.total, Usd::from_f64(100.0 * bought as f64), "{pieces} owned");
        assert_eq!(summed(&bill).power, without.power, "{pieces} owned");
        assert_eq!(summed(&bill).network_power, without.network_power, "{pieces} owned");
    }
}

/// 64 ports at $8, $10 or $12; and as many ports of another model for as much.
#[test]
fn a_switch_without_a_price_costs_what_its_ports_do() {
    let usd = |least: f64, amount: f64, most: f64| [least, amount, most].map(Usd::from_f64);
    let read = |price: Price| [price.bounds().low, price.amount, price.bounds().high];
    let close = |found: [Usd; 3], expected: [Usd; 3]| {
        let apart = found.iter().zip(&expected).map(|(a, b)| (*a - *b).get().abs());
        assert!(apart.fold(0.0, f64::max) < 1e-9, "{found:?}, {expected:?}");
    };
    let by_port = book(&[(PricedItem::SwitchPort(400), 10.0)]);
    let price = |book: &PriceBook, ports| read(switch_price(book, &switch(ports)).expect("priced"));
    close(price(&by_port, 64), usd(512.0, 640.0, 768.0));
    close(price(&by_port, 32), usd(256.0, 320.0, 384.0));
    let named = book(&[(PricedItem::Part("64 ports".into()), 1000.0)]);
    let all = [switch(64), switch(16)];
    let even = price_by_port_count(&named, &all, &all[0], |switch_model| switch_model.ports);
    close(price(&even, 64), usd(800.0, 1000.0, 1200.0));
    close(price(&even, 16), usd(200.0, 250.0, 300.0));
}

/// 1,000 tokens at 10 a second take 100 seconds; of two workloads that take turns each has its own
/// days.
#[test]
fn days_of_a_run_are_those_of_the_only_workload() {
    let one = read_scenario(&starter(""), &[]).unwrap_or_else(|problems| panic!("{problems}"));
    let mut two = one.clone();
    two.workloads.push(one.lead_workload().clone());
    let step = Seconds::from_f64(10.0);
    let tokens = one.lead_workload().training.tokens;
    assert!(tokens.is_some(), "the starter states its tokens");
    assert_eq!(OperatingTime::from_step_time(&one, step, 1.0).run_tokens, tokens);
    assert_eq!(OperatingTime::from_step_time(&two, step, 1.0).run_tokens, None);
    let running =
        OperatingTime { tokens_per_step: 100, ..OperatingTime::from_step_time(&one, step, 1.0) };
    let days = sum_bill(&[], &OperatingTime { run_tokens: Some(1000.0), ..running }).training_days;
    assert!((days.expect("it ends") * 86_400.0 - 100.0).abs() < 1e-9);
}
