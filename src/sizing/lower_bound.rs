//! Lower bound by shortest path; answers that need no solver.
//!
//! Lower bounds by plain arithmetic, and the choice of builds that is best at fixed prices.
//!
//! At a fixed price for every switch, without limits, rails are covered one after another: a
//! shortest path. Real cost is below that only by what stock saves, and above what it would be
//! were stocked parts free. With nothing owned and no limit in the way the two meet, and the
//! program is not needed.

use super::check::{PartTally, TalliedCopies, price_answer};
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

    fn better_than(self, other: Self) -> bool {
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
fn column_cost(problem: &SizingProblem, column: &Column, prices: FixedPrices) -> f64 {
    let free = |stock: u64| prices == FixedPrices::StockFree && stock > 0;
    let mut money = Usd::ZERO;
    for (model, switches) in problem.offers.iter().zip(&column.pieces) {
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
            switches: column.pieces.iter().sum(),
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
fn cheapest_cover_copies(problem: &SizingProblem, prices: FixedPrices) -> Option<Vec<Vec<u64>>> {
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
    let owned: Usd = problem.offers.iter().map(|offer| offer.price * offer.stock as f64).sum();
    let owned = owned + problem.ends.price * problem.ends.stock as f64;
    let saved = problem.objective_value(owned, Watts::ZERO).get();
    let bought = cheapest_bought(problem)? - saved;
    Some(bought.max(cost_of_cheapest_cover(problem, FixedPrices::StockFree)?))
}

/// The best feasible answer among a few simple ones; `None` where none is feasible. The first one
/// that costs no more than `bound` ends the search: it comes from [`cheapest_cover_copies`], which
/// has broken its ties already.
pub(super) fn best_start(problem: &SizingProblem, bound: f64) -> Option<TalliedCopies> {
    let mut best: Option<TalliedCopies> = None;
    let covers = [FixedPrices::Bought, FixedPrices::StockFree]
        .into_iter()
        .filter_map(|prices| cheapest_cover_copies(problem, prices));
    // Asked only where those before do not meet the bound.
    let others =
        [cheapest_uniform_cover, greedy_cover].into_iter().filter_map(|start| start(problem));
    for copies in covers.chain(others) {
        let answer = TalliedCopies::new(problem, copies);
        if answer.tally.feasible && same_cost(answer.cost(), bound) && best.is_none() {
            return Some(answer);
        }
        answer.replace_if_better(&mut best);
    }
    best
}

impl TalliedCopies {
    /// Puts a feasible answer in the place of one that it is better than.
    pub(super) fn replace_if_better(self, best: &mut Option<Self>) {
        let beats = |known: &Self| is_better_tally(&self.tally, &known.tally);
        if self.tally.feasible && best.as_ref().is_none_or(beats) {
            *best = Some(self);
        }
    }
}

/// Cost first, then more bisection, then fewer switches.
pub(super) fn is_better_tally(one: &PartTally, other: &PartTally) -> bool {
    worth_of_tally(one).better_than(worth_of_tally(other))
}

fn worth_of_tally(sum: &PartTally) -> CoverWorth {
    CoverWorth { cost: sum.cost.get(), bisection: sum.bisection, switches: sum.used.iter().sum() }
}

/// What has been built so far.
struct StartSite {
    used: Vec<u64>,
    links: u64,
}

impl StartSite {
    fn new_without_columns(problem: &SizingProblem) -> Self {
        Self { used: vec![0; problem.offers.len()], links: 0 }
    }

    fn with_copies(&self, column: &Column, copies: u64) -> Self {
        let add = |(used, switches): (&u64, &u64)| used + switches * copies;
        Self {
            used: self.used.iter().zip(&column.pieces).map(add).collect(),
            links: self.links + column.links * copies,
        }
    }
}

/// One build for all rails: the cheapest that no limit forbids, for problems of one class.
fn cheapest_uniform_cover(problem: &SizingProblem) -> Option<Vec<Vec<u64>>> {
    let [class] = &problem.classes[..] else { return None };
    let empty = StartSite::new_without_columns(problem);
    let cost = |column: &Column| {
        let site = empty.with_copies(column, class.max_copies(column));
        let priced = price_answer(problem, &site.used, site.links);
        priced.allowed.then(|| priced.cost.get())
    };
    let usable = class.columns.iter().enumerate().filter(|(_, column)| column.rails > 0);
    let priced = usable.filter_map(|(place, column)| Some((cost(column)?, place)));
    let (_, place) = priced.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let mut copies = vec![0; class.columns.len()];
    copies[place] = class.max_copies(&class.columns[place]);
    Some(vec![copies])
}

/// Build after build, each time the one that adds least cost per rail, stock considered.
fn greedy_cover(problem: &SizingProblem) -> Option<Vec<Vec<u64>>> {
    let mut site = StartSite::new_without_columns(problem);
    let mut copies: Vec<Vec<u64>> =
        problem.classes.iter().map(|class| vec![0; class.columns.len()]).collect();
    for (class, copies) in problem.classes.iter().zip(&mut copies) {
        let mut left = class.rails;
        while left > 0 {
            let place = next(problem, class, &site, left)?;
            let column = &class.columns[place];
            copies[place] += 1;
            site = site.with_copies(column, 1);
            left = left.saturating_sub(column.rails);
        }
    }
    Some(copies)
}

/// The column that adds least cost per rail without breaking a limit.
fn next(problem: &SizingProblem, class: &Class, site: &StartSite, left: u64) -> Option<usize> {
    let before = price_answer(problem, &site.used, site.links).cost.get();
    let mut best: Option<(f64, usize)> = None;
    for (place, column) in
        class.columns.iter().enumerate().filter(|(_, other_column)| other_column.rails > 0)
    {
        let after = site.with_copies(column, 1);
        let priced = price_answer(problem, &after.used, after.links);
        let each = (priced.cost.get() - before) / column.rails.min(left) as f64;
        if priced.allowed && best.is_none_or(|(known, _)| each < known) {
            best = Some((each, place));
        }
    }
    best.map(|(_, place)| place)
}
