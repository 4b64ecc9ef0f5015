//! The prices that would change the two ready designs at physical prices: each is told with what it rests
//! on, and designing again just on either side of it gives the design and the other one.

use planner::design::{Plan, PriceBand, design_with_default_rules, price_bands};
use planner::hardware::{Price, PriceBasis, PricedItem};
use planner::scenario::Scenario;
use planner::sizing::Options;
use planner::spec::{Override, SpecText, presets, read_scenario};
use planner::units::Usd;

use crate::support::scenario::design;

/// A ready spec whose links are modules and cables.
fn in_parts(name: &str) -> Scenario {
    let ready = presets::ready_spec(name).expect("it ships");
    // By the token two networks that cost nearly the same are proven apart only as far as the report says.
    let sets = ["cluster.links=\"parts\"", "objective.minimize=\"capex\""].map(Override::new);
    read_scenario(&SpecText::new(name, ready.text), &sets)
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// The switches of the best design with one price replaced: what the turns change.
fn switches_at(scenario: &Scenario, part: &str, usd: f64) -> (u32, Vec<(String, u64)>) {
    let mut other = scenario.clone();
    // A switch may be priced by its ports; from here on it has a price of its own.
    let any = other.prices.prices.values().next().expect("a price").clone();
    let price = Price { amount: Usd::from_f64(usd), range: None, ..any };
    other.prices.prices.insert(PricedItem::Part(part.to_owned()), price);
    choice(&design(&other).expect("there is a design"))
}

fn choice(plan: &Plan) -> (u32, Vec<(String, u64)>) {
    let tiers = plan.fabric.tiers.iter().map(|tier| (tier.model.clone(), tier.count));
    (plan.nodes.planes, tiers.collect())
}

fn audited(name: &str) -> Vec<PriceBand> {
    let scenario = in_parts(name);
    assert_eq!(
        design_with_default_rules(&scenario, &Options::default()).expect("a design").nodes.planes,
        1,
        "{name}"
    );
    let found = choice(&design(&scenario).expect("a design"));
    let bands = price_bands(&scenario, &Options::default());
    for band in &bands {
        if let Some(book) = scenario.prices.prices.get(&PricedItem::Part(band.part.clone())) {
            assert_eq!((book.amount, book.basis), (band.price, band.basis), "{}", band.part);
        }
        for (turn, outward) in [(&band.below, -1.0), (&band.above, 1.0)] {
            let Some(turn) = turn else { continue };
            let at = |share: f64| turn.price.get() * (1.0 + outward * share);
            assert_eq!(
                switches_at(&scenario, &band.part, at(-0.002)),
                found,
                "{} inside",
                band.part
            );
            let beyond = switches_at(&scenario, &band.part, at(0.002));
            assert_ne!(beyond, found, "{} beyond {:?}", band.part, turn.price);
        }
    }
    bands
}

/// What the audit says of the two: of what is assumed only the price of the sn5600 decides, and of one
/// plane or two none does, as the cages of the machine hold one port an interface.
#[test]
fn what_would_flip_the_two_ready_designs() {
    for name in ["starter", "llama3-405b-h100-16384"] {
        let bands = audited(name);
        let turns = |band: &&PriceBand| band.below.is_some() || band.above.is_some();
        let doubtful: Vec<(&str, f64)> = bands
            .iter()
            .filter(turns)
            .filter(|band| band.basis == PriceBasis::Assumed)
            .filter_map(|band| Some((band.part.as_str(), band.below.as_ref()?.price.get())))
            .collect();
        assert_eq!(doubtful.len(), 1, "{name}: {doubtful:?}");
        // As many ports as the n9600-64od, at whose price it costs as little.
        assert_eq!(doubtful[0].0, "sn5600");
        assert!((doubtful[0].1 - 39_300.0).abs() < 1.0, "{name}: {doubtful:?}");
        let two_planes = |band: &&PriceBand| {
            [&band.below, &band.above].into_iter().flatten().any(|turn| turn.to.contains(" x 2,"))
        };
        assert!(!bands.iter().any(|band| two_planes(&band)), "{name}");
    }
}
