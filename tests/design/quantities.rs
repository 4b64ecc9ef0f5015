//! Prices that fall with the pieces that are bought. The oracle knows nothing of how the answer is found:
//! it designs at every combination of tier prices, as if each were the price of one, and adds up each
//! bill again at the tier that its own pieces reach, read from the offers as they are written here.

use std::collections::BTreeMap;

use planner::design::Plan;
use planner::hardware::{PricedItem, Quote};
use planner::scenario::Scenario;
use planner::spec::{self, SpecText};
use planner::units::Usd;

use crate::support::scenario::design;

/// An offer: a part, and prices of one from so many pieces on.
type Offer = (&'static str, &'static [(u64, f64)]);

/// A question with offers in its `[prices]`.
fn asked(gpus: u32, offers: &[Offer]) -> Scenario {
    let mut text = format!(
        "[model]\npreset = \"llama3-8b\"\n[training]\nglobal_batch = 512\n[cluster]\ngpus = {gpus}\n\
         node = \"dgx-h100\"\nswitches = [\"n9600-64od\", \"sn5600\", \"qm9700\"]\n[prices]\n"
    );
    for (part, tiers) in offers {
        let more: Vec<String> = tiers[1..]
            .iter()
            .map(|(from, usd)| format!("{{ from = {from}, price = \"${usd}\" }}"))
            .collect();
        let first = tiers[0].1;
        let tiers = if more.is_empty() {
            String::new()
        } else {
            format!(", tiers = [{}]", more.join(", "))
        };
        let line = format!("{part} = {{ price = \"${first}\"{tiers} }}\n");
        text.push_str(&line);
    }
    spec::read_scenario(&SpecText::new("offers.toml", text), &[])
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// Pieces that a design buys of each part.
fn pieces(plan: &Plan) -> BTreeMap<&str, u64> {
    plan.bill.iter().map(|line| (line.part.as_str(), line.bought_count())).collect()
}

/// What a design costs with each offer at the tier that its pieces reach.
fn at_its_tiers(plan: &Plan, offers: &[Offer]) -> f64 {
    let each = plan.bill.iter().map(|line| {
        let offer = offers.iter().find(|(part, _)| *part == line.part);
        let tier =
            offer.and_then(|(_, tiers)| tiers.iter().rfind(|pair| pair.0 <= line.bought_count()));
        let usd = tier.map_or_else(
            || line.unit.as_ref().map_or(0.0, |price| price.amount.get()),
            |(_, usd)| *usd,
        );
        usd * line.bought_count() as f64
    });
    each.sum()
}

/// The same question with a price of one for each offer.
fn at(scenario: &Scenario, prices: &[(&str, f64)]) -> Scenario {
    let mut plain = scenario.clone();
    for (part, usd) in prices {
        let price =
            plain.prices.prices.get_mut(&PricedItem::Part((*part).to_owned())).expect("offered");
        price.amount = Usd::from_f64(*usd);
        price.quote = Quote::default();
    }
    plain
}

/// Every combination of a price of each offer.
fn combinations(offers: &[Offer]) -> Vec<Vec<(&'static str, f64)>> {
    offers.iter().fold(vec![Vec::new()], |all, (part, tiers)| {
        let with = |known: &Vec<(&'static str, f64)>| {
            let known = known.clone();
            tiers.iter().map(move |(_, usd)| [known.clone(), vec![(*part, *usd)]].concat())
        };
        all.iter().flat_map(with).collect()
    })
}

/// The answer, after it was held against the oracle.
fn held(gpus: u32, offers: &[Offer]) -> Plan {
    let scenario = asked(gpus, offers);
    let plan = design(&scenario).expect("there is a design");
    let paid = at_its_tiers(&plan, offers);
    assert!((plan.cost.capex.get() - paid).abs() < 1e-6 * paid, "each is billed at its own tier");
    let bound = plan.cost.capex.get() * (1.0 - plan.solver.gap);
    for prices in combinations(offers) {
        let other = design(&at(&scenario, &prices)).expect("there is a design");
        let costs = at_its_tiers(&other, offers);
        assert!(costs >= bound * (1.0 - 1e-9), "{prices:?}: {costs} is below the bound {bound}");
        assert!(
            costs >= paid * (1.0 - 1e-9),
            "{prices:?}: {costs} for {:?}, not {paid}",
            pieces(&other)
        );
    }
    plan
}

#[test]
fn a_tier_that_is_not_reached_changes_nothing() {
    let plan = held(256, &[("n9600-64od", &[(1, 39_300.0), (1000, 10.0)])]);
    let none = design(&asked(256, &[("n9600-64od", &[(1, 39_300.0)])])).expect("a design");
    assert_eq!(pieces(&plan), pieces(&none));
    assert!(plan.solver.gap > 0.0, "a thousand switches at $10 are a bound that nothing reaches");
}

/// 4 x sn5600 would be dearer than n9600-64od at the price of one, and is cheaper at its tier.
#[test]
fn another_part_is_taken_where_its_tier_pays() {
    let offers: [Offer; 2] =
        [("sn5600", &[(1, 51_999.0), (2, 30_000.0)]), ("n9600-64od", &[(1, 39_300.0)])];
    let plan = held(256, &offers);
    assert!(pieces(&plan).get("sn5600").is_some_and(|count| *count >= 2), "{:?}", pieces(&plan));
    assert!(plan.solver.gap.abs() < 1e-9, "met at the least prices: {}", plan.solver.gap);
}

#[test]
fn answers_are_never_dearer_than_the_design_of_any_combination() {
    for gpus in [64, 512, 2048] {
        held(
            gpus,
            &[
                ("n9600-64od", &[(1, 39_300.0), (3, 36_000.0), (8, 31_000.0)]),
                ("sn5600", &[(1, 40_000.0), (4, 33_000.0), (16, 28_000.0)]),
                ("qm9700", &[(1, 32_870.0), (10, 20_000.0)]),
            ],
        );
    }
}
