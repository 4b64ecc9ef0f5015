//! Stages that keep their parts against trying everything: every multiset of builds at every stage,
//! added up from the definition. The oracle shares nothing with the program but the data.

use planner::sizing::{
    BackEnd, Class, Column, LimitNeed, LinkEndOffer, Offer, Options, ProgramLimits, Racks,
    SizingInfeasible, SizingProblem, StagesProblem, Status, solve_sizing_problem, solve_stages,
};
use planner::units::{Usd, Watts};

use crate::support::dice::Dice;

const ENDS: LinkEndOffer = LinkEndOffer { price: Usd::ZERO, power: Watts::ZERO, stock: 0 };

/// Every way to cover the rails of a stage, as switches in use by model; each way once.
fn ways(stage: &SizingProblem) -> Vec<Vec<u64>> {
    let class = &stage.classes[0];
    let mut found: Vec<(u64, Vec<u64>)> = vec![(0, vec![0; stage.offers.len()])];
    for column in &class.columns {
        let most = class.rails.div_ceil(column.rails);
        let with = |(rails, used): &(u64, Vec<u64>), copies: u64| {
            let more = used.iter().zip(&column.pieces).map(|(used, each)| used + each * copies);
            (rails + column.rails * copies, more.collect())
        };
        found = found
            .iter()
            .flat_map(|known| (0..=most).map(move |copies| with(known, copies)))
            .collect();
    }
    let covered = found.into_iter().filter(|(rails, _)| *rails >= class.rails);
    let mut all: Vec<Vec<u64>> =
        covered.map(|(_, used)| used).filter(|used| fits(stage, used)).collect();
    all.sort();
    all.dedup();
    all
}

/// Power and racks of one stage suffice.
fn fits(stage: &SizingProblem, used: &[u64]) -> bool {
    let drawn: f64 =
        used.iter().zip(&stage.offers).map(|(n, offer)| *n as f64 * offer.power.get()).sum();
    let racks = stage.limits.racks.as_ref().is_none_or(|racks| {
        let each = used.iter().zip(&racks.per_rack);
        let taken: f64 = each
            .filter(|(_, fit)| **fit > 0)
            .map(|(used, fit)| (*used as f64 / *fit as f64).ceil())
            .sum();
        taken <= racks.max_racks as f64
    });
    racks && stage.limits.power.is_none_or(|most| drawn <= most.get() + 1e-6)
}

/// Least cost over all stages, and least that is paid, by trying every way through them.
fn brute_force(growth: &StagesProblem) -> (Option<f64>, f64) {
    let ways: Vec<Vec<Vec<u64>>> = growth.stages.iter().map(ways).collect();
    let mut best = (None, f64::INFINITY);
    let first = &growth.stages[0].offers;
    let hand: Vec<u64> = first.iter().map(|offer| offer.stock).collect();
    visit(growth, &ways, 0, &hand, (0.0, 0.0), &mut best);
    best
}

fn visit(
    growth: &StagesProblem,
    ways: &[Vec<Vec<u64>>],
    stage: usize,
    hand: &[u64],
    (cost, paid): (f64, f64),
    best: &mut (Option<f64>, f64),
) {
    let Some(problem) = growth.stages.get(stage) else {
        best.1 = best.1.min(paid);
        let affordable = growth.budget.is_none_or(|most| paid <= most.get() + 1e-6);
        if affordable && best.0.is_none_or(|known| cost < known) {
            best.0 = Some(cost);
        }
        return;
    };
    for used in &ways[stage] {
        let (mut money, mut energy) = (0.0, 0.0);
        let mut next = hand.to_vec();
        let mut delivered = true;
        for (model, offer) in problem.offers.iter().enumerate() {
            next[model] = hand[model].max(used[model]);
            money += (next[model] - hand[model]) as f64 * offer.price.get();
            energy += used[model] as f64 * offer.power.get() * problem.energy_per_watt.get();
            let first = &growth.stages[0].offers[model];
            delivered &= first.supply.is_none_or(|most| next[model] - first.stock <= most);
        }
        if delivered {
            let sum = (cost + money + energy, paid + money * growth.paid[stage]);
            visit(growth, ways, stage + 1, &next, sum, best);
        }
    }
}

fn generate(dice: &mut Dice, limited: bool) -> StagesProblem {
    let models: Vec<Offer> = (0..dice.between(1, 3))
        .map(|index| Offer {
            name: format!("switch-{index}"),
            price: Usd::from_f64(dice.between(10_000, 60_000) as f64),
            power: Watts::from_f64(dice.between(300, 1_500) as f64),
            stock: if dice.chance(30) { dice.between(1, 12) } else { 0 },
            supply: (limited && dice.chance(30)).then(|| dice.between(4, 30)),
        })
        .collect();
    let count = dice.between(2, 3);
    let energy = if dice.chance(40) { dice.between(1, 20) as f64 } else { 0.0 };
    // Price of the day over that of the first, and what a dollar of that day is worth on the first.
    let (mut price, mut worth, mut paid) = (1.0, 1.0, Vec::new());
    let mut stages = Vec::new();
    for stage in 0..count {
        let size = 1 + 2 * stage;
        let columns = (0..dice.between(1, 4)).map(|_| Column {
            rails: dice.between(1, 2),
            pieces: models.iter().map(|_| dice.between(0, 3 * size)).collect(),
            links: 0,
            bisection: dice.between(1, 9) as f64,
        });
        let columns: Vec<Column> = columns.collect();
        let offers = models
            .iter()
            .map(|offer| Offer { price: offer.price * (price * worth), ..offer.clone() });
        let racks = (limited && dice.chance(30)).then(|| Racks {
            max_racks: dice.between(2, 12),
            per_rack: models.iter().map(|_| dice.between(1, 4)).collect(),
        });
        stages.push(SizingProblem {
            classes: vec![Class { name: "rails".into(), rails: dice.between(1, 4), columns }],
            offers: offers.collect(),
            ends: ENDS,
            limits: ProgramLimits {
                power: (limited && dice.chance(30))
                    .then(|| Watts::from_f64(dice.between(5_000, 40_000) as f64)),
                racks,
                ..ProgramLimits::default()
            },
            counts_money: true,
            energy_per_watt: Usd::from_f64(energy),
        });
        paid.push(1.0 / worth);
        price *= [1.0, 0.9, 0.7][dice.between(0, 2) as usize];
        worth *= [1.0, 0.9][dice.between(0, 1) as usize];
    }
    let budget =
        (limited && dice.chance(40)).then(|| Usd::from_f64(dice.between(100_000, 900_000) as f64));
    StagesProblem { stages, paid, budget }
}

fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 0.01 + 1e-9 * other.abs()
}

#[test]
fn every_way_through_the_stages_costs_at_least_as_much() {
    let mut dice = Dice(77);
    let (mut built, mut refused, mut ahead, mut open) = (0, 0, 0, 0);
    for case in 0..1_500 {
        let growth = generate(&mut dice, case % 2 == 1);
        let (least, least_paid) = brute_force(&growth);
        for back_end in BackEnd::ALL {
            let options = Options { back_end: *back_end, ..Options::default() };
            match (solve_stages(&growth, &options), least) {
                (Ok(found), Some(least)) => {
                    assert!(same(found.cost.get(), least), "{case}: {found:?}, tried {least}");
                    // A solver may stop at an answer that it has not proven: then it says so.
                    open += usize::from(found.status != Status::Optimal);
                    assert!(found.bound.get() <= least + 0.01, "{case}");
                    built += 1;
                    ahead += usize::from(one_by_one(&growth) > least + 0.01);
                }
                (Err(SizingInfeasible::Clash { needs }), None) => {
                    refused += 1;
                    if let [LimitNeed::Budget { needs, .. }] = needs[..] {
                        assert!(same(needs.get(), least_paid), "{case}: {needs:?} {least_paid}");
                    }
                }
                (Err(SizingInfeasible::NoBuild { .. }), None) => refused += 1,
                (Err(SizingInfeasible::Unknown), None) => open += 1,
                (found, least) => panic!("{case}: {found:?}, tried {least:?}"),
            }
        }
    }
    assert!(built > 600 && refused > 60, "{built} built, {refused} refused");
    assert!(100 * open < built, "{open} of {built} are not proven");
    assert!(ahead > 40, "planning ahead pays in {ahead} cases only");
}

/// Each stage as if it were the last, by brute force too.
fn one_by_one(growth: &StagesProblem) -> f64 {
    let mut hand: Vec<u64> = growth.stages[0].offers.iter().map(|offer| offer.stock).collect();
    let mut sum = 0.0;
    for stage in &growth.stages {
        let mut alone = stage.clone();
        for (place, model) in alone.offers.iter_mut().enumerate() {
            let first = &growth.stages[0].offers[place];
            model.stock = hand[place];
            model.supply = first.supply.map(|most| most - (hand[place] - first.stock));
        }
        let Ok(found) = solve_sizing_problem(&alone, &Options::default()) else {
            return f64::INFINITY;
        };
        sum += found.cost.get();
        for (hand, used) in hand.iter_mut().zip(&found.used) {
            *hand = (*hand).max(*used);
        }
    }
    sum
}

#[test]
fn one_stage_is_the_program_itself() {
    let mut dice = Dice(5);
    for case in 0..300 {
        let mut growth = generate(&mut dice, case % 2 == 1);
        growth.stages.truncate(1);
        growth.paid.truncate(1);
        growth.budget = None;
        let options = Options::default();
        match (solve_stages(&growth, &options), solve_sizing_problem(&growth.stages[0], &options)) {
            (Ok(one), Ok(other)) => assert!(same(one.cost.get(), other.cost.get()), "{case}"),
            (Err(one), Err(other)) => assert_eq!(one, other, "{case}"),
            (one, other) => panic!("{case}: {one:?} {other:?}"),
        }
    }
}

/// Cheaper parts, more stock, or a looser budget never cost more.
#[test]
fn what_is_easier_never_costs_more() {
    let mut dice = Dice(11);
    let options = Options::default();
    let cost =
        |growth: &StagesProblem| solve_stages(growth, &options).ok().map(|found| found.cost.get());
    for case in 0..300 {
        let growth = generate(&mut dice, case % 2 == 1);
        let Some(known) = cost(&growth) else { continue };
        let mut cheaper = growth.clone();
        let last = cheaper.stages.len() - 1;
        cheaper.stages[last].offers[0].price = cheaper.stages[last].offers[0].price * 0.5;
        let mut stocked = growth.clone();
        for stage in &mut stocked.stages {
            stage.offers[0].stock += 3;
        }
        let free = StagesProblem { budget: None, ..growth.clone() };
        for (name, easier) in [("cheaper", cheaper), ("stocked", stocked), ("free", free)] {
            let found = cost(&easier).unwrap_or(f64::INFINITY);
            assert!(found <= known + 0.01, "{case}, {name}: {found} against {known}");
        }
    }
}

/// Of two ways that cost the same the one that pays later.
#[test]
fn what_can_wait_waits() {
    let column =
        |switches: Vec<u64>, rails| Column { rails, pieces: switches, ..Column::default() };
    let offer = |name: &str, price: f64| Offer {
        name: name.into(),
        price: Usd::from_f64(price),
        power: Watts::ZERO,
        stock: 0,
        supply: None,
    };
    let stage = |rails, columns| SizingProblem {
        classes: vec![Class { name: "rails".into(), rails, columns }],
        offers: vec![offer("small", 10_000.0), offer("large", 30_000.0)],
        ends: ENDS,
        limits: ProgramLimits::default(),
        counts_money: true,
        energy_per_watt: Usd::ZERO,
    };
    // The last stage takes two of each in any case, so the first may have either for nothing more.
    let growth = StagesProblem {
        stages: vec![
            stage(1, vec![column(vec![0, 1], 1), column(vec![1, 0], 1)]),
            stage(1, vec![column(vec![2, 2], 1)]),
        ],
        paid: vec![1.0, 1.0],
        budget: None,
    };
    let found = solve_stages(&growth, &Options::default()).expect("it can be built");
    assert_eq!(found.cost, Usd::from_f64(80_000.0));
    assert_eq!(found.copies[0][0], [0, 1], "the small one is bought first");
}
