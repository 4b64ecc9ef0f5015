//! Quantities minimised one after another: nothing is lost of the first beyond the tolerance, and what
//! is gained of the second is as much as any design within it could.

use planner::design::Plan;
use planner::scenario::Minimize;

use crate::support::cases::drawn_cases;
use crate::support::scenario::{design, ready};

fn plan(name: &str, changes: &[&str]) -> Plan {
    design(&ready(name, changes)).unwrap_or_else(|reason| panic!("{name} {changes:?}: {reason}"))
}

/// Specs that are designed with every pair of quantities. Parts in stock take long: a night
/// has them too.
fn specs() -> Vec<&'static str> {
    let mut all = vec!["starter", "gpt3-175b-a100-1536"];
    if drawn_cases(1) > 1 {
        all.push("power-limits-stock");
    }
    all
}

fn taken(quantity: Minimize, plan: &Plan) -> f64 {
    match quantity {
        Minimize::Capex => plan.cost.capex.get(),
        Minimize::Tco => plan.cost.tco.get(),
        Minimize::UsdPerToken => plan.cost.usd_per_million_tokens.expect("it trains").get(),
        Minimize::Power => plan.cost.power.get(),
    }
}

#[test]
fn the_least_of_each_quantity_is_below_what_any_other_objective_takes() {
    for name in specs() {
        // Cables without a price would make totals that are none.
        let price = "prices.aoc-2-hdr-30m=\"$900\"";
        let plans = Minimize::ALL.map(|quantity| {
            (quantity, plan(name, &[&format!("objective.minimize={}", quantity.name()), price]))
        });
        for (quantity, best) in &plans {
            for (other, design) in &plans {
                let (least, found) = (taken(*quantity, best), taken(*quantity, design));
                assert!(
                    least <= found * (1.0 + 1e-9),
                    "{name}: {quantity:?} {least}, {other:?} {found}"
                );
            }
        }
    }
}

#[test]
fn a_second_quantity_costs_the_first_no_more_than_the_tolerance() {
    for name in specs() {
        for first in Minimize::ALL {
            let alone = plan(name, &[&format!("objective.minimize={}", first.name())]);
            for second in Minimize::ALL.into_iter().filter(|quantity| *quantity != first) {
                let both =
                    format!("objective.minimize=[\"{}\", \"{}\"]", first.name(), second.name());
                let mut before = f64::INFINITY;
                for tolerance in [0.0, 0.002, 0.02] {
                    let found = plan(name, &[&both, &format!("objective.tolerance={tolerance}")]);
                    let what = format!("{name}: {first:?}, {second:?}, {tolerance}");
                    let most = taken(first, &alone) * (1.0 + tolerance + 1e-8);
                    assert!(taken(first, &found) <= most, "{what}");
                    assert!(
                        taken(second, &found) <= taken(second, &alone) * (1.0 + 1e-8),
                        "{what}"
                    );
                    // A wider tolerance never takes more of the second.
                    assert!(taken(second, &found) <= before * (1.0 + 1e-8), "{what}");
                    before = taken(second, &found);
                    let [one, two] = &found.priorities[..] else { panic!("{what}") };
                    assert_eq!((one.quantity, two.quantity), (first, second));
                    assert!(one.given_up <= tolerance + 1e-8 && two.given_up <= 1e-8, "{what}");
                    let gained = 1.0 - taken(second, &found) / taken(second, &alone);
                    assert!((two.gained - gained).abs() < 1e-8, "{what}: {}", two.gained);
                }
            }
        }
    }
}

/// Both caps hold where an earlier quantity bounds money and another money by time.
#[test]
fn a_third_quantity_costs_neither_of_the_first_two_more_than_the_tolerance() {
    let tolerance = 0.02;
    let within = |least: f64, found: f64| found <= least * (1.0 + tolerance + 1e-8);
    let [tco, per_token] = [Minimize::Tco, Minimize::UsdPerToken];
    let orders = [
        [tco, per_token, Minimize::Power],
        [tco, per_token, Minimize::Capex],
        [per_token, tco, Minimize::Power],
        [per_token, tco, Minimize::Capex],
    ];
    for order in orders {
        let so_far = |many: usize| {
            let names: Vec<String> =
                order[..many].iter().map(|quantity| format!("\"{}\"", quantity.name())).collect();
            let list = format!("objective.minimize=[{}]", names.join(", "));
            let tolerance = format!("objective.tolerance={tolerance}");
            match many {
                1 => plan("starter", &[&list, "objective.max_slowdown=1.5"]),
                _ => plan("starter", &[&list, &tolerance, "objective.max_slowdown=1.5"]),
            }
        };
        let all = [1, 2, 3].map(so_far);
        for (place, quantity) in order.into_iter().enumerate() {
            let least = taken(quantity, &all[place]);
            for later in &all[place..] {
                assert!(within(least, taken(quantity, later)), "{order:?}: {quantity:?}");
            }
        }
    }
}

/// Without a limit on stock the owned switches are used up, as they cost nothing; where half a per
/// cent of capex may be spent on power, new ones that draw less replace them.
#[test]
fn power_decides_among_designs_of_nearly_the_same_capex() {
    let free = plan("power-limits-stock", &["limits.power=30 MW"]);
    let both = "objective.minimize=[\"capex\", \"power\"]";
    let within = ["limits.power=30 MW", both, "objective.tolerance=0.005"];
    let found = plan("power-limits-stock", &within);
    assert!(found.cost.network_power < free.cost.network_power);
    assert!(found.cost.capex > free.cost.capex);
}
