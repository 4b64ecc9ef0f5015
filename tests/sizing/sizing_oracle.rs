//! The integer program against trying everything: generated problems, small enough that every
//! multiset of builds can be added up. The oracle shares nothing with the program but the data.

mod ways;

use planner::sizing::{
    BackEnd, Class, Column, LimitNeed, LinkEndOffer, Offer, Options, Ownership, ProgramLimits,
    Racks, SizingInfeasible, SizingProblem, Status, solve_sizing_problem, tally_parts,
};
use planner::units::{Usd, Watts};

use crate::support::dice::Dice;

/// Cheapest cost by trying every multiset; `None` where no multiset meets the limits.
fn brute_force(problem: &SizingProblem) -> Option<f64> {
    let mut copies: Vec<Vec<u64>> =
        problem.classes.iter().map(|class| vec![0; class.columns.len()]).collect();
    let places: Vec<(usize, usize, u64)> = problem
        .classes
        .iter()
        .enumerate()
        .flat_map(|(index, class)| {
            class
                .columns
                .iter()
                .enumerate()
                .map(move |(place, column)| (index, place, class.rails.div_ceil(column.rails)))
        })
        .collect();
    let mut best: Option<f64> = None;
    fn visit(
        problem: &SizingProblem,
        places: &[(usize, usize, u64)],
        copies: &mut [Vec<u64>],
        best: &mut Option<f64>,
    ) {
        let Some(((class, column, most), rest)) = places.split_first() else {
            if let Some(cost) = plain_cost(problem, copies)
                && best.is_none_or(|known| cost < known)
            {
                *best = Some(cost);
            }
            return;
        };
        for count in 0..=*most {
            copies[*class][*column] = count;
            visit(problem, rest, copies, best);
        }
        copies[*class][*column] = 0;
    }
    visit(problem, &places, &mut copies, &mut best);
    best
}

/// Cost of a choice, written out again from the definition; `None` where it breaks a limit.
fn plain_cost(problem: &SizingProblem, copies: &[Vec<u64>]) -> Option<f64> {
    let mut used = vec![0_u64; problem.offers.len()];
    let mut ends = 0_u64;
    for (class, copies) in problem.classes.iter().zip(copies) {
        let carried: u64 = class.columns.iter().zip(copies).map(|(c, n)| c.rails * n).sum();
        if carried < class.rails {
            return None;
        }
        for (column, n) in class.columns.iter().zip(copies) {
            ends += 2 * column.links * n;
            for (used, each) in used.iter_mut().zip(&column.pieces) {
                *used += each * n;
            }
        }
    }
    let new_ends = ends.saturating_sub(problem.ends.stock) as f64;
    let mut capex = problem.ends.price.get() * new_ends;
    let mut power = problem.ends.power.get() * ends as f64;
    for (model, used) in problem.offers.iter().zip(&used) {
        let new = used.saturating_sub(model.stock);
        if model.supply.is_some_and(|supply| new > supply) {
            return None;
        }
        capex += model.price.get() * new as f64;
        power += model.power.get() * *used as f64;
    }
    let breaks = problem.limits.power.is_some_and(|most| power > most.get() + 1e-6)
        || problem.limits.budget.is_some_and(|most| capex > most.get() + 1e-6)
        || problem.limits.tco.is_some_and(|tco| {
            capex + tco.energy_per_watt.get() * power > tco.max_cost.get() + 1e-6
        })
        || problem.limits.racks.as_ref().is_some_and(|racks| {
            let each = used.iter().zip(&racks.per_rack);
            let whole = |used: u64, fit: u64| (used as f64 / fit as f64).ceil();
            each.filter(|(_, fit)| **fit > 0).map(|(used, fit)| whole(*used, *fit)).sum::<f64>()
                > racks.max_racks as f64
        });
    let money = if problem.counts_money { capex } else { 0.0 };
    (!breaks).then_some(money + problem.energy_per_watt.get() * power)
}

/// How odd a generated problem is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Odd {
    /// Nothing owned, no limit, one class.
    Homogeneous,
    /// Stock and supply.
    Stock,
    /// Everything at once.
    Everything,
    /// Stock, racks, and caps that earlier objectives set.
    Capped,
}

fn generate(dice: &mut Dice, odd: Odd) -> SizingProblem {
    let count = dice.between(1, 3) as usize;
    let mut models: Vec<Offer> = (0..count)
        .map(|index| Offer {
            name: format!("switch-{index}"),
            price: Usd::from_f64(dice.between(10_000, 60_000) as f64),
            power: Watts::from_f64(dice.between(300, 1_500) as f64),
            stock: 0,
            supply: None,
        })
        .collect();
    let class_count = if odd == Odd::Everything { dice.between(1, 2) } else { 1 };
    let classes: Vec<Class> = (0..class_count)
        .map(|index| {
            let rails = dice.between(1, 4);
            let columns = (0..dice.between(1, if class_count == 1 { 7 } else { 4 }))
                .map(|_| {
                    let links = dice.between(16, 400);
                    Column {
                        rails: dice.between(1, 3),
                        pieces: (0..count).map(|_| dice.roll(9)).collect(),
                        links,
                        bisection: dice.roll(100) as f64,
                    }
                })
                .collect();
            Class { name: format!("class-{index}"), rails, columns }
        })
        .collect();
    let mut ends =
        LinkEndOffer { price: Usd::from_f64(659.0), power: Watts::from_f64(9.0), stock: 0 };
    let mut limits = ProgramLimits::default();
    let mut energy_per_watt = Usd::ZERO;
    if odd != Odd::Homogeneous {
        for model in &mut models {
            model.stock = if dice.chance(60) { dice.roll(20) } else { 0 };
            model.supply = dice.chance(40).then(|| dice.roll(25));
        }
    }
    if odd == Odd::Everything {
        ends.stock = if dice.chance(30) { dice.roll(1_500) } else { 0 };
        limits.power = dice.chance(50).then(|| Watts::from_f64(dice.between(5_000, 45_000) as f64));
        limits.budget =
            dice.chance(30).then(|| Usd::from_f64(dice.between(200_000, 2_000_000) as f64));
        energy_per_watt = Usd::from_f64(dice.roll(6) as f64);
    }
    let mut counts_money = true;
    if odd == Odd::Capped {
        let per_rack = models.iter().map(|_| dice.roll(12)).collect();
        limits.racks = dice.chance(60).then(|| Racks { max_racks: dice.between(1, 9), per_rack });
        limits.tco = dice.chance(60).then(|| Ownership {
            energy_per_watt: Usd::from_f64(dice.roll(9) as f64),
            max_cost: Usd::from_f64(dice.between(200_000, 2_000_000) as f64),
        });
        counts_money = dice.chance(50);
        energy_per_watt = Usd::from_f64(if counts_money { 0.0 } else { 1.0 });
    }
    SizingProblem { classes, offers: models, ends, limits, counts_money, energy_per_watt }
}

/// Solves generated problems and compares each with the oracle; counts those without an answer.
#[track_caller]
fn check(odd: Odd, cases: u64, seed: u64) -> u64 {
    let mut dice = Dice(seed);
    let mut infeasible = 0;
    for case in 0..cases {
        let problem = generate(&mut dice, odd);
        let expected = brute_force(&problem);
        match (solve_sizing_problem(&problem, &Options::default()), expected) {
            (Ok(found), Some(expected)) => {
                assert_eq!(found.status, Status::Optimal, "case {case}: {problem:#?}");
                let cost = found.cost.get();
                assert!(
                    (cost - expected).abs() <= 1e-9 * expected.max(1.0),
                    "case {case}: found {cost}, brute force {expected}: {problem:#?}"
                );
                let recount = plain_cost(&problem, &found.copies);
                assert!(
                    recount.is_some_and(|again| (again - cost).abs() <= 1e-9 * cost.max(1.0)),
                    "case {case}: the answer recounts to {recount:?}, it says {cost}"
                );
                assert!(tally_parts(&problem, &found.copies).feasible, "case {case}");
                for back_end in BackEnd::ALL {
                    let other = Options { back_end: *back_end, ..Options::default() };
                    let other = solve_sizing_problem(&problem, &other)
                        .expect("an answer is known")
                        .cost
                        .get();
                    assert!(
                        (other - cost).abs() <= 0.005,
                        "case {case}: {} {other}",
                        back_end.name()
                    );
                }
                let without_solver = Options { nodes: 0, ..Options::default() };
                let again =
                    solve_sizing_problem(&problem, &without_solver).expect("an answer is known");
                assert_eq!(again.status, Status::Optimal, "case {case}: {problem:#?}");
                assert!((again.cost.get() - cost).abs() <= 1e-9 * cost.max(1.0), "case {case}");
            }
            (Err(SizingInfeasible::Clash { needs }), None) => {
                infeasible += 1;
                assert!(!needs.is_empty(), "case {case}: a clash names its limits: {problem:#?}");
                clash_is_smallest(&problem, &needs, case);
            }
            (Err(SizingInfeasible::NoBuild { .. }), None) => infeasible += 1,
            (found, expected) => {
                panic!("case {case}: found {found:?}, brute force {expected:?}: {problem:#?}")
            }
        }
    }
    infeasible
}

/// With only the limits of a clash there is no answer; with any one of them moved to what is
/// needed there is, and with it moved a little less there is none.
fn clash_is_smallest(problem: &SizingProblem, needs: &[LimitNeed], case: u64) {
    let mut only = problem.clone();
    only.limits = ProgramLimits::default();
    for model in &mut only.offers {
        model.supply = None;
    }
    for need in needs {
        if let LimitNeed::Supply { model, has, .. } = need {
            let offer = problem
                .offers
                .iter()
                .find(|this_offer| this_offer.name == *model)
                .expect("on offer");
            assert_eq!(Some(*has), offer.supply.map(|supply| supply + offer.stock), "case {case}");
        }
        set(&mut only, problem, need, |need| match need {
            LimitNeed::Supply { has, .. } => *has as f64,
            LimitNeed::Power { has, .. } => has.get(),
            LimitNeed::Budget { has, .. } | LimitNeed::Ownership { has, .. } => has.get(),
            LimitNeed::Racks { has, .. } => *has as f64,
        });
    }
    assert_eq!(brute_force(&only), None, "case {case}: {needs:?} do not clash: {problem:#?}");
    for need in needs {
        for (less, met) in [(0.0, true), (1.0, false)] {
            let mut moved = only.clone();
            set(&mut moved, problem, need, |need| match need {
                LimitNeed::Supply { needs, .. } => *needs as f64 - less,
                LimitNeed::Power { needs, .. } => needs.get() - less,
                LimitNeed::Budget { needs, .. } | LimitNeed::Ownership { needs, .. } => {
                    needs.get() - less
                }
                LimitNeed::Racks { needs, .. } => *needs as f64 - less,
            });
            let found = brute_force(&moved).is_some();
            assert_eq!(found, met, "case {case}: {need:?} less {less}: {problem:#?}");
        }
    }
}

/// Sets the limit that a need is about.
fn set(
    problem: &mut SizingProblem,
    original: &SizingProblem,
    need: &LimitNeed,
    value: impl Fn(&LimitNeed) -> f64,
) {
    let to = value(need);
    match need {
        LimitNeed::Supply { model, .. } => {
            let place = original.offers.iter().position(|offer| offer.name == *model);
            let model = &mut problem.offers[place.expect("a need names a model on offer")];
            model.supply = Some((to as u64).saturating_sub(model.stock));
        }
        LimitNeed::Power { .. } => problem.limits.power = Some(Watts::from_f64(to)),
        LimitNeed::Budget { .. } => problem.limits.budget = Some(Usd::from_f64(to)),
        LimitNeed::Ownership { .. } => {
            let tco = original.limits.tco.expect("it is stated");
            problem.limits.tco = Some(Ownership { max_cost: Usd::from_f64(to), ..tco });
        }
        LimitNeed::Racks { .. } => {
            let racks = original.limits.racks.clone().expect("they are limited");
            problem.limits.racks = Some(Racks { max_racks: to.max(0.0) as u64, ..racks });
        }
    }
}

#[test]
fn homogeneous_problems_equal_brute_force() {
    assert_eq!(check(Odd::Homogeneous, 300, 1), 0);
}

#[test]
fn stock_and_supply_equal_brute_force() {
    let infeasible = check(Odd::Stock, 400, 2);
    assert!(infeasible > 10, "the generator makes clashes too: {infeasible}");
}

#[test]
fn every_limit_at_once_equals_brute_force() {
    let infeasible = check(Odd::Everything, 400, 3);
    assert!(infeasible > 40, "the generator makes clashes too: {infeasible}");
}

#[test]
fn racks_and_what_earlier_objectives_leave_equal_brute_force() {
    let infeasible = check(Odd::Capped, 400, 4);
    assert!(infeasible > 40, "the generator makes clashes too: {infeasible}");
}

#[test]
fn a_class_without_builds_is_named() {
    let problem = SizingProblem {
        classes: vec![Class { name: "gpu rails".into(), rails: 8, columns: Vec::new() }],
        offers: Vec::new(),
        ends: LinkEndOffer { price: Usd::ZERO, power: Watts::ZERO, stock: 0 },
        limits: ProgramLimits::default(),
        counts_money: true,
        energy_per_watt: Usd::ZERO,
    };
    let found = solve_sizing_problem(&problem, &Options::default());
    assert_eq!(found, Err(SizingInfeasible::NoBuild { class: "gpu rails".into() }));
}
