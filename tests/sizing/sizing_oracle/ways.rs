//! Each way to an answer by itself: the solver alone, the search that tries everything alone, and what
//! both make of builds that cost alike.

use std::num::NonZeroUsize;

use planner::sizing::{
    BackEnd, Class, Column, LinkEndOffer, Offer, Options, ProgramLimits, Proof, SizingProblem,
    Status, WatchHandle, solve_sizing_problem,
};
use planner::units::{Usd, Watts};

use super::{Odd, brute_force, generate, plain_cost};
use crate::dice::Dice;

/// Both together, and each without the other.
const WAYS: [(&str, Options); 3] = [
    ("both", way(2_000, 20_000_000)),
    ("the solver", way(2_000, 0)),
    ("trying everything", way(0, 20_000_000)),
];

/// At most so many nodes of the solver, and comparisons.
const fn way(nodes: u64, comparisons: u64) -> Options {
    Options {
        back_end: BackEnd::Microlp,
        nodes,
        comparisons,
        builds: 1 << 33,
        reasons: false,
        threads: NonZeroUsize::MIN,
        watch: WatchHandle::NOBODY,
    }
}

/// Every way proves the cheapest cost, or says that it proves nothing. 1 where there is an answer.
fn check(problem: &SizingProblem, case: u64, proven: &mut [u32; 3]) -> u32 {
    let Some(expected) = brute_force(problem) else { return 0 };
    for ((name, options), proven) in WAYS.iter().zip(proven) {
        let found = solve_sizing_problem(problem, options).expect("there is an answer");
        let cost = found.cost.get();
        let again = plain_cost(problem, &found.copies);
        assert!(again.is_some(), "case {case}, {name}: breaks a limit: {problem:#?}");
        let close = (cost - expected).abs() <= 1e-9 * expected.max(1.0);
        let optimal = found.status == Status::Optimal;
        assert!(close || !optimal, "case {case}, {name}: {cost}, {expected}: {problem:#?}");
        assert!(found.bound.get() <= expected * (1.0 + 1e-9) + 1e-9, "case {case}, {name}");
        *proven += u32::from(optimal);
    }
    1
}

/// Two or three classes that draw on one stock, with power and money in short supply.
fn of_classes(dice: &mut Dice) -> SizingProblem {
    let mut problem = generate(dice, Odd::Everything);
    let models = problem.offers.len();
    problem.classes = (0..dice.between(2, 3))
        .map(|class| {
            let columns = (0..dice.between(1, 3)).map(|_| Column {
                rails: dice.between(1, 2),
                pieces: (0..models).map(|_| dice.roll(9)).collect(),
                links: dice.between(16, 400),
                bisection: dice.roll(100) as f64,
            });
            let columns = columns.collect();
            Class { name: format!("class-{class}"), rails: dice.between(1, 3), columns }
        })
        .collect();
    problem
}

#[test]
fn every_way_proves_the_cheapest_answer() {
    let mut dice = Dice(5);
    let (mut proven, mut feasible) = ([0; 3], 0);
    for case in 0..CASES {
        for odd in [None, Some(Odd::Everything), Some(Odd::Capped)] {
            let problem = match odd {
                None => of_classes(&mut dice),
                Some(odd) => generate(&mut dice, odd),
            };
            feasible += check(&problem, case, &mut proven);
        }
    }
    assert!(feasible > CASES as u32 && proven == [feasible; 3], "{proven:?} of {feasible}");
}

/// Random problems of each kind.
const CASES: u64 = 300;

/// Builds that differ in nothing but their bisection stand beside each other: no answer that is called
/// optimal takes one where another has more.
#[test]
fn of_builds_alike_the_one_with_most_bisection_is_taken() {
    let mut dice = Dice(6);
    let mut taken = [0; 3];
    for case in 0..CASES {
        let odd = [Odd::Homogeneous, Odd::Stock, Odd::Everything, Odd::Capped];
        let mut problem = match dice.roll(5) {
            4 => of_classes(&mut dice),
            kind => generate(&mut dice, odd[kind as usize]),
        };
        for class in &mut problem.classes {
            let twin = |other_column: &Column, dice: &mut Dice| Column {
                bisection: dice.roll(100) as f64,
                ..other_column.clone()
            };
            let twins: Vec<Column> =
                class.columns.iter().map(|other_column| twin(other_column, &mut dice)).collect();
            class.columns.extend(twins);
        }
        for ((name, options), taken) in WAYS.iter().zip(&mut taken) {
            let Ok(found) = solve_sizing_problem(&problem, options) else { continue };
            if found.status != Status::Optimal {
                continue;
            }
            for (class, copies) in problem.classes.iter().zip(&found.copies) {
                let used = class.columns.iter().zip(copies).filter(|(_, copies)| **copies > 0);
                for (column, _) in used {
                    let alike = |other_column: &&Column| {
                        let bisection = column.bisection;
                        Column { bisection, ..(*other_column).clone() } == *column
                            && other_column.bisection > bisection
                    };
                    let better = class.columns.iter().find(alike);
                    assert_eq!(better, None, "case {case}, {name}: {column:?} in {problem:#?}");
                    *taken += 1;
                }
            }
        }
    }
    assert!(taken.into_iter().min() > Some(200), "{taken:?}");
}

/// Of a dozen builds that each draw more than is allowed none is looked at further: the one that fits
/// is found in few comparisons.
#[test]
fn builds_that_alone_exceed_a_limit_take_no_time() {
    const THIRSTY: usize = 12;
    let one = |model: usize, count: u64| -> Vec<u64> {
        (0..=THIRSTY).map(|index| if index == model { count } else { 0 }).collect()
    };
    let build = |switches: Vec<u64>, links: u64| Column {
        rails: 1,
        pieces: switches,
        links,
        bisection: 1.0,
    };
    let offer = |place: usize| Offer {
        name: format!("switch-{place}"),
        price: Usd::from_f64(1000.0 + place as f64),
        power: Watts::from_f64(if place < THIRSTY { 1000.0 } else { 10.0 }),
        stock: 1,
        supply: None,
    };
    let thirsty = (0..THIRSTY).map(|model| build(one(model, 1), 10));
    // Eight of it draw 8 · (2 · 10 + 2 · 20) W.
    let frugal = build(one(THIRSTY, 2), 20);
    let problem = SizingProblem {
        classes: vec![Class {
            name: "rails".into(),
            rails: 8,
            columns: thirsty.chain([frugal]).collect(),
        }],
        offers: (0..=THIRSTY).map(offer).collect(),
        ends: LinkEndOffer { price: Usd::from_f64(1.0), power: Watts::from_f64(1.0), stock: 0 },
        limits: ProgramLimits { power: Some(Watts::from_f64(480.0)), ..ProgramLimits::default() },
        counts_money: true,
        energy_per_watt: Usd::ZERO,
    };
    let options = Options { nodes: 0, comparisons: 200, ..Options::default() };
    let found = solve_sizing_problem(&problem, &options).expect("eight of the last fit");
    assert_eq!((found.status, found.proof), (Status::Optimal, Proof::Enumeration));
    assert_eq!(found.copies, [[vec![0; THIRSTY], vec![8]].concat()]);
}
