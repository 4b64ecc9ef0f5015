//! Answers that need no solver: where the search starts, and what it has to beat.

use super::bound::{CoverWorth, FixedPrices, cheapest_cover_copies, same_cost};
use super::check::{PartTally, price_answer, tally_parts};
use super::problem::{Class, Column, SizingProblem};

/// The best feasible answer among a few simple ones; `None` where none is feasible. The first
/// one that costs no more than `bound` ends the search: it comes from [`cheapest_cover_copies`], which
/// has broken its ties already.
pub(super) fn best_start(
    problem: &SizingProblem,
    bound: f64,
) -> Option<(Vec<Vec<u64>>, PartTally)> {
    let mut best: Option<(Vec<Vec<u64>>, PartTally)> = None;
    let covers = [FixedPrices::Bought, FixedPrices::StockFree]
        .into_iter()
        .filter_map(|prices| cheapest_cover_copies(problem, prices));
    // Asked only where those before do not meet the bound.
    let others =
        [cheapest_uniform_cover, greedy_cover].into_iter().filter_map(|start| start(problem));
    for copies in covers.chain(others) {
        let sum = tally_parts(problem, &copies);
        if sum.feasible && same_cost(sum.cost.get(), bound) && best.is_none() {
            return Some((copies, sum));
        }
        if sum.feasible && best.as_ref().is_none_or(|(_, known)| is_better_tally(&sum, known)) {
            best = Some((copies, sum));
        }
    }
    best
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
        Self { used: vec![0; problem.models.len()], links: 0 }
    }

    fn with_copies(&self, column: &Column, copies: u64) -> Self {
        let add = |(used, switches): (&u64, &u64)| used + switches * copies;
        Self {
            used: self.used.iter().zip(&column.switches).map(add).collect(),
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
