//! A cluster that grows: what one stage bought, the later ones have. Each stage is a program of its
//! own; what ties them is what is in hand, and the money for all. Sizes no stage by itself.

mod bound;
mod program;
mod start;
mod sum;

use self::bound::lower_bound;
use self::program::{Goal, run};
use self::start::starts;
use self::sum::{Sum, sum};
use super::back_end::Options;
use super::bound::same_cost;
use super::problem::Problem;
use super::program::KILO;
use super::solution::{Firmness, Infeasible, Need, Proof, Status};
use crate::units::Usd;

/// Clusters that follow one another on the same parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The program of each stage, the earliest first; at least one. All name the same models in the
    /// same order, transceivers among them. Prices and energy are in the money of one day. Stock and
    /// supply are those of the first stage, and are there for all. None has a budget of its own.
    pub stages: Vec<Problem>,
    /// Dollars that are paid on the day of a stage for one of the money that its prices are in. No
    /// price may rise from a stage to the next, neither in that money nor as it is paid: so nothing
    /// is bought before it is needed.
    pub paid: Vec<f64>,
    /// Money for all that is bought, as it is paid.
    pub budget: Option<Usd>,
}

/// What is built at each stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Grown {
    /// Copies of each column, by stage and class.
    pub copies: Vec<Vec<Vec<u64>>>,
    /// The objective over all stages, in the money of one day.
    pub cost: Usd,
    /// What is paid for all that is bought.
    pub paid: Usd,
    /// No answer can cost less than this.
    pub bound: Usd,
    /// How firm the answer is.
    pub status: Status,
    /// What the claim rests on.
    pub proof: Proof,
}

impl Grown {
    /// How firm it is.
    #[must_use]
    pub fn firmness(&self) -> Firmness {
        Firmness::of(self.status, self.proof, self.cost, self.bound)
    }
}

/// The cheapest way through all stages. Of equal ones the one that pays later, then that with fewer
/// parts.
///
/// The simple answers are to size one stage after another, and the last one first; the program is
/// asked where neither meets a bound by arithmetic. Its answer is added up again without it.
///
/// # Errors
/// Why a stage can't be built even with all parts to itself, or what the whole would cost at least
/// where that is more than there is.
pub fn grow(growth: &Growth, options: &Options) -> Result<Grown, Infeasible> {
    let bound = lower_bound(growth, options)?;
    let start = starts(growth, options);
    let start = start.into_iter().filter(|found| found.1.feasible).min_by(cheaper);
    if let Some(found) = &start
        && same_cost(found.1.cost.get(), bound)
    {
        let found = settled(growth, found.clone(), options);
        return Ok(answer(found, bound, Status::Optimal, Proof::Bound));
    }
    let solved = run(growth, Goal::Cost, options);
    let proven = solved.as_ref().is_some_and(|solved| solved.proven);
    let below = solved.as_ref().and_then(|solved| solved.bound).map(|bound| bound * KILO);
    let solved = solved.map(|solved| (sum(growth, &solved.copies), solved.copies));
    let solved = solved.filter(|(sum, _)| sum.feasible && !below_bound(sum, bound));
    let solved = solved.map(|(sum, copies)| (copies, sum));
    let sound = solved.is_some();
    let solver_cost = solved.as_ref().map(|found| found.1.cost);
    let Some(best) = start.into_iter().chain(solved).min_by(cheaper) else {
        return Err(short_of_money(growth, options));
    };
    let no_worse = solver_cost.is_some_and(|cost| same_cost(cost.get(), best.1.cost.get()));
    if sound && proven && no_worse {
        let best = settled(growth, best, options);
        let bound = best.1.cost.get();
        return Ok(answer(best, bound, Status::Optimal, Proof::Solver));
    }
    // A bound above a feasible answer's cost would be wrong, and the solver with it.
    let bound = below.filter(|below| *below <= best.1.cost.get()).map_or(bound, |of| of.max(bound));
    Ok(answer(best, bound, Status::Incumbent, Proof::Check))
}

/// Copies by stage and class, added up.
type Found = (Vec<Vec<Vec<u64>>>, Sum);

fn cheaper(one: &Found, other: &Found) -> std::cmp::Ordering {
    one.1.cost.total_cmp(&other.1.cost)
}

fn below_bound(sum: &Sum, bound: f64) -> bool {
    sum.cost.get() < bound && !same_cost(sum.cost.get(), bound)
}

/// Of the answers that cost as much as a known one, that which pays latest, as far as the solver
/// finds it.
fn settled(growth: &Growth, known: Found, options: &Options) -> Found {
    /// Money by which a tied answer may be dearer in the solver's eyes: a hundredth of a cent per
    /// million dollars.
    const SLACK: f64 = 1e-10;
    let cost = known.1.cost.get() / KILO * (1.0 + SLACK);
    let Some(solved) = run(growth, Goal::Later { cost }, options) else { return known };
    let sum = sum(growth, &solved.copies);
    let tied = sum.feasible && same_cost(sum.cost.get(), known.1.cost.get());
    if tied && sum.waiting() > known.1.waiting() { (solved.copies, sum) } else { known }
}

/// Every stage can be built, so the budget for all of them does not suffice: what would.
fn short_of_money(growth: &Growth, options: &Options) -> Infeasible {
    let Some(has) = growth.budget else { return Infeasible::Unknown };
    let free = Growth { budget: None, ..growth.clone() };
    let solved = run(&free, Goal::Paid, options).filter(|solved| solved.proven);
    match solved.map(|solved| sum(&free, &solved.copies)) {
        Some(sum) if sum.feasible && sum.paid > has => {
            Infeasible::Clash { needs: vec![Need::Budget { has, needs: sum.paid }] }
        }
        _ => Infeasible::Unknown,
    }
}

fn answer((copies, sum): Found, bound: f64, status: Status, proof: Proof) -> Grown {
    let bound = Usd::of(bound);
    Grown { copies, cost: sum.cost, paid: sum.paid, bound, status, proof }
}
