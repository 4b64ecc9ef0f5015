//! Lower bounds by plain arithmetic, and the choice of builds that is best at fixed prices.
//!
//! At a fixed price for every switch, without limits, rails are covered one after another: a
//! shortest path. Real cost is below that only by what stock saves, and above what it would be
//! were stocked parts free. With nothing owned and no limit in the way the two meet, and the
//! program is not needed.

use super::problem::{Class, Column, SizingProblem};
use crate::units::{Usd, Watts};

/// Prices at which builds are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FixedPrices {
    /// As if everything were bought.
    Bought,
    /// As if every part of which some is owned were free.
    StockFree,
}

/// Value of a choice: cost first, then more bisection, then fewer switches.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoverWorth {
    pub(super) cost: f64,
    pub(super) bisection: f64,
    pub(super) switches: u64,
}

/// Relative difference below which two sums of money count as equal: rounding of sums.
pub(super) const EQUAL_COST: f64 = 1e-9;

impl CoverWorth {
    const NOTHING: Self = Self { cost: 0.0, bisection: 0.0, switches: 0 };

    pub(super) fn better_than(self, other: Self) -> bool {
        if !same_cost(self.cost, other.cost) {
            return self.cost < other.cost;
        }
        if (self.bisection - other.bisection).abs() > EQUAL_COST * self.bisection.abs().max(1.0) {
            return self.bisection > other.bisection;
        }
        self.switches < other.switches
    }

    fn add_worth(self, other: Self) -> Self {
        Self {
            cost: self.cost + other.cost,
            bisection: self.bisection + other.bisection,
            switches: self.switches + other.switches,
        }
    }
}

/// Equal but for rounding.
pub(super) fn same_cost(one: f64, other: f64) -> bool {
    (one - other).abs() <= EQUAL_COST * one.abs().max(other.abs()).max(1.0)
}

/// Cost of one column at fixed prices, energy included, in dollars.
pub(super) fn column_cost(problem: &SizingProblem, column: &Column, prices: FixedPrices) -> f64 {
    let free = |stock: u64| prices == FixedPrices::StockFree && stock > 0;
    let mut money = Usd::ZERO;
    for (model, switches) in problem.models.iter().zip(&column.switches) {
        if !free(model.stock) {
            money += model.price * *switches as f64;
        }
    }
    if !free(problem.ends.stock) {
        money += problem.ends.price * (SizingProblem::ENDS_PER_LINK * column.links) as f64;
    }
    problem.objective_value(money, problem.column_power(column)).get()
}

/// Best worth of covering 0, 1, … rails of a class at fixed prices, with the column that each
/// count takes last; `None` for counts that nothing covers.
pub(super) fn cheapest_cover(
    problem: &SizingProblem,
    class: &Class,
    prices: FixedPrices,
) -> Vec<Option<(CoverWorth, usize)>> {
    let worths: Vec<CoverWorth> = class
        .columns
        .iter()
        .map(|column| CoverWorth {
            cost: column_cost(problem, column, prices),
            bisection: column.bisection,
            switches: column.switches.iter().sum(),
        })
        .collect();
    let rails = class.rails as usize;
    let mut best: Vec<Option<(CoverWorth, usize)>> = vec![Some((CoverWorth::NOTHING, 0))];
    for covered in 1..=rails {
        let mut here: Option<(CoverWorth, usize)> = None;
        for (index, column) in class.columns.iter().enumerate() {
            if column.rails == 0 {
                continue;
            }
            let rest = covered.saturating_sub(column.rails as usize);
            let Some((before, _)) = best[rest] else { continue };
            let worth = before.add_worth(worths[index]);
            if here.is_none_or(|(known, _)| worth.better_than(known)) {
                here = Some((worth, index));
            }
        }
        best.push(here);
    }
    best
}

/// The copies that [`cost_of_cheapest_cover`] found; `None` where a class can't be covered.
pub(super) fn cheapest_cover_copies(
    problem: &SizingProblem,
    prices: FixedPrices,
) -> Option<Vec<Vec<u64>>> {
    problem
        .classes
        .iter()
        .map(|class| {
            let best = cheapest_cover(problem, class, prices);
            let mut copies = vec![0; class.columns.len()];
            let mut left = class.rails as usize;
            while left > 0 {
                let (_, column) = best[left]?;
                copies[column] += 1;
                left = left.saturating_sub(class.columns[column].rails as usize);
            }
            Some(copies)
        })
        .collect()
}

/// Dollars of the cheapest cover at fixed prices; `None` where a class can't be covered.
fn cost_of_cheapest_cover(problem: &SizingProblem, prices: FixedPrices) -> Option<f64> {
    let whole = |class: &Class| {
        let best = cheapest_cover(problem, class, prices);
        best.last().copied().flatten().map(|(worth, _)| worth.cost)
    };
    problem.classes.iter().map(whole).sum()
}

/// Dollars of the cheapest cover were everything bought, whatever is to be had.
pub(super) fn cheapest_bought(problem: &SizingProblem) -> Option<f64> {
    cost_of_cheapest_cover(problem, FixedPrices::Bought)
}

/// Dollars that no answer can stay below; `None` where a class can't be covered.
pub(super) fn lower_bound(problem: &SizingProblem) -> Option<f64> {
    let owned: Usd = problem.models.iter().map(|offer| offer.price * offer.stock as f64).sum();
    let owned = owned + problem.ends.price * problem.ends.stock as f64;
    let saved = problem.objective_value(owned, Watts::ZERO).get();
    let bought = cheapest_bought(problem)? - saved;
    Some(bought.max(cost_of_cheapest_cover(problem, FixedPrices::StockFree)?))
}
