//! Machines that stand by: how many by a formula written out for every number, and that bill, racks and
//! cost of a token have them.

use planner::cost::Role;
use planner::design::Plan;
use planner::reliability::Takeover;

use crate::design::reliability::Chance;
use crate::support::cases::drawn_cases;
use crate::support::scenario::{design, ready};

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

/// Least cost of a token by every number on standby, with the network that the design has: the count of those that
/// stand by in the answer is that of the least.
#[test]
fn as_many_stand_by_as_make_a_token_cheapest() {
    let mut seen = Vec::new();
    for gpus in [256_u32, 1024, 4096, 16_384] {
        let changes = [
            format!("cluster.gpus={gpus}"),
            format!("training.global_batch={}", gpus * 4),
            "parallelism.tensor=8".to_owned(),
            "parallelism.pipeline=1".to_owned(),
            // A network that never fails takes no time from a year.
            "failures.nic=0".to_owned(),
            "failures.link=0".to_owned(),
            "failures.switch=0".to_owned(),
        ];
        let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
        let found = plan("starter", &changes);
        let price = |role| {
            let line = found.bill.iter().find(|line| line.role == role).expect("bought");
            line.unit.as_ref().expect("it has a price").amount.get()
        };
        let each = price(Role::Node) + f64::from(found.nodes.node.nics) * price(Role::Nic);
        let standby = found.failures.year.standby.domains;
        let without = found.cost.tco.get() - standby as f64 * each;
        let token =
            |standby: u64| (without + standby as f64 * each) / trains(f64::from(gpus), standby);
        let best = (0..60).min_by(|a, b| token(*a).total_cmp(&token(*b))).expect("some");
        assert_eq!(standby, best, "{gpus}");
        let line = found.bill.iter().find(|line| line.role == Role::Node).expect("bought");
        assert_eq!((line.count, line.spares), (u64::from(gpus / 8) + best, best));
        seen.push(best);
    }
    assert!(seen.iter().max() > seen.iter().min(), "{seen:?}");
}

/// Share of so many years that trains on machines of eight GPUs, of which so many are spare: lived through fault by
/// fault, from the published rates and nothing of the program. A machine that breaks is away for a day; one that is
/// spare takes its place after `swap` seconds, and where none is the job waits for a repair. Ten minutes after that it
/// trains, until the next fault, which loses what was done since the last checkpoint.
fn lived(gpus: f64, (spare, swap): (usize, f64), years: f64) -> f64 {
    const DAY: f64 = 86_400.0;
    let (restart, save, end) = (600.0, 5.0, years * 365.25 * DAY);
    let (breaks, software) = (gpus * (0.075_96 + 0.029_72 + 0.022_29), gpus * 0.027_66);
    let rate = (breaks + software) / (365.25 * DAY);
    let work = (2.0 * save / rate).sqrt();
    let mut chance = Chance(44);
    let (mut now, mut carried, mut trained) = (0.0, 0.0_f64, 0.0);
    let mut away: Vec<f64> = Vec::new();
    while now < end {
        let next = now + chance.wait(rate);
        // Until as many are back as are spare; the first to fail is the first that is back.
        let back = away.len().checked_sub(spare + 1).map_or(now, |last| away[last]);
        let segment = next - (back.max(carried).max(now) + restart);
        trained += (segment / (work + save)).floor().max(0.0) * work;
        now = next;
        away.retain(|until| *until > now);
        if (chance.below(1 << 30) as f64) < breaks / (breaks + software) * f64::from(1 << 30) {
            if away.len() < spare {
                carried = carried.max(now + swap);
            }
            away.push(now + DAY);
        }
    }
    trained / end
}

/// The goodput of a design is what hundreds of years leave that are lived through fault by fault, with spare machines
/// that have ports and with those that have none: by cost per token a large cluster takes those that have, by capital
/// those that have none.
#[test]
fn goodput_is_what_years_leave_that_are_lived_through() {
    for (gpus, spare, quantity, hours) in [
        (1024_u32, 3, "usd-per-token", 0.0),
        (4096, 6, "usd-per-token", 0.0),
        (256, 1, "capex", 4.0),
        (1024, 2, "capex", 4.0),
        (4096, 5, "capex", 4.0),
        (4096, 8, "capex", 0.5),
    ] {
        let changes = [
            format!("cluster.gpus={gpus}"),
            format!("training.global_batch={}", gpus * 4),
            format!("objective.minimize={quantity}"),
            format!("failures.standby={spare}"),
            format!("failures.swap_hours={}", if hours > 0.0 { hours } else { 4.0 }),
            "failures.nic=0".to_owned(),
            "failures.link=0".to_owned(),
            "failures.switch=0".to_owned(),
        ];
        let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
        let year = plan("starter", &changes).failures.year;
        let takeover = if hours > 0.0 { Takeover::ByHand } else { Takeover::Wired };
        assert_eq!((year.standby.domains, year.standby.takeover), (spare, takeover), "{changes:?}");
        let lived = lived(f64::from(gpus), (spare as usize, hours * 3600.0), 400.0);
        let apart = (year.goodput - lived).abs();
        assert!(apart < 0.005, "{changes:?}: {} and {lived}", year.goodput);
    }
}

/// What a plan takes of a quantity; `None` of tokens where machines have no price.
fn taken(plan: &Plan, quantity: &str) -> Option<f64> {
    match quantity {
        "usd-per-token" => plan.cost.usd_per_million_tokens.map(|price| price.get()),
        "capex" => Some(plan.cost.capex.get()),
        "tco" => Some(plan.cost.tco.get()),
        _ => Some(plan.cost.power.get()),
    }
}

/// No number that is stated is better than the one that is chosen: 0 to 3 of each drawn spec, by each quantity.
#[test]
fn no_number_that_is_stated_is_better_than_the_default() {
    // Specs that are drawn for each quantity.
    let drawn = drawn_cases(6);
    let mut chance = Chance(43);
    let mut compared = 0;
    for quantity in ["usd-per-token", "capex", "tco", "power"] {
        for _ in 0..drawn {
            let racks = chance.below(3) == 0;
            let node = ["dgx-h100", "dgx-a100-80gb", "dgx-h200"][chance.below(3)];
            let node = if racks { "gb200-nvl72" } else { node };
            let size = if racks { 72 } else { 8 };
            let gpus = size * (2 + chance.below(if racks { 8 } else { 96 }));
            let fabric = ["auto", "rail-only", "clos"][chance.below(3)];
            let rates = ["0.02", "0.1", "1.0", "6.0"][chance.below(4)];
            let repair = ["2", "24", "200"][chance.below(3)];
            let changes = [
                format!("cluster.node={node}"),
                format!("cluster.gpus={gpus}"),
                format!("training.global_batch={}", gpus * 2),
                format!("cluster.fabric={fabric}"),
                format!("failures.gpu={rates}"),
                format!("failures.repair_hours={repair}"),
                format!("objective.minimize={quantity}"),
            ];
            let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
            let asked = |changes: &[&str]| design(&ready("starter", changes));
            let chosen = asked(&changes).ok();
            let Some(least) = chosen.and_then(|plan| taken(&plan, quantity)) else { continue };
            compared += 1;
            for standby in 0..4 {
                let stated = format!("failures.standby={standby}");
                let other = asked(&[&changes[..], &[&stated]].concat());
                // A cluster that never trains has no cost of a token.
                let other = taken(&other.expect("the default has a design"), quantity);
                let other = other.unwrap_or(f64::INFINITY);
                assert!(least <= other * (1.0 + 1e-9), "{changes:?} {stated}: {other} and {least}");
            }
        }
    }
    assert!(compared > drawn, "{compared}");
}

/// Of three numbers by capital, without ports: it grows by each machine, whose price has their interfaces in it, power
/// by none, and time that trains is bought with it.
#[test]
fn standby_is_paid_for_wherever_it_counts() {
    let with = |standby: u64| {
        let stated = format!("failures.standby={standby}");
        plan("starter", &["objective.minimize=capex", &stated])
    };
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

/// What is stated holds; without a price nothing speaks for one machine more.
#[test]
fn a_number_or_a_fill_rate_that_is_stated_holds() {
    let standby = |changes: &[&str]| plan("starter", changes).failures.year.standby.domains;
    assert_eq!(standby(&["failures.standby=5"]), 5);
    let broken = 256.0 * (0.075_96 + 0.029_72 + 0.022_29) / 365.25;
    for share in [0.9, 0.99, 0.999, 0.999_99] {
        let fewest = (0..).find(|count| at_most(*count, broken) >= share).expect("some suffice");
        assert_eq!(standby(&[&format!("failures.fill_rate={share}")]), fewest, "{share}");
    }
    // Without a price of machines capital is minimised, which every domain on standby adds to.
    assert_eq!(standby(&["cluster.prices=mixnet-2025"]), 0);
}
