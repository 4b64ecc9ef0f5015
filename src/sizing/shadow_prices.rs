//! Lagrangian bound and shadow prices.
//!
//! A bound from below by shadow prices: what a switch, a transceiver and a watt are worth where
//! they are owned, scarce or limited (Lagrangian relaxation of the rows `supply`, `optics` and
//! `power`). And which columns no best answer has by that.
//!
//! With a price π on every part the rails are covered one after another, a shortest path. Money for
//! a part is convex in its use: nothing up to the stock, its price from there to the supply, no
//! more beyond. So no answer costs less than the cheapest cover at prices π less what π pays for
//! stock and supply, whatever π is; the best π are found by subgradients, a fixed number of steps.
//! M. L. Fisher, The Lagrangian relaxation method for solving integer programming problems,
//! Management Science 27 (1981).

use std::cmp::Ordering;

use super::check::tally_parts;
use super::lower_bound::{EQUAL_COST, cheapest_bought, same_cost};
use super::problem::{Class, Column, Offer, SizingProblem};
use super::solution::Solution;

/// Steps of the search for prices.
const STEPS: u32 = 400;
/// Steps without a better bound after which the step is halved.
const PATIENCE: u32 = 12;

/// Shadow prices in dollars, with the bound that they prove.
#[derive(Clone, Debug)]
pub(super) struct ShadowPrices {
    /// Of a switch, by model; then of a transceiver.
    parts: Vec<f64>,
    /// Of a watt, on top of its energy.
    watt: f64,
    /// What the prices pay for stock, supply and power.
    constant: f64,
    /// Dollars that no answer stays below.
    pub(super) bound: f64,
}

/// The cheapest cover of all classes at some prices.
struct Cover {
    cost: f64,
    /// Parts in use: switches by model, transceivers.
    used: Vec<u64>,
    watts: f64,
}

impl ShadowPrices {
    /// The best prices that the steps find, towards a cost in dollars: that of a known answer, or
    /// one that nothing reaches where none is known. `None` where a class can't be covered.
    pub(super) fn from_dual_ascent(problem: &SizingProblem, target: f64) -> Option<Self> {
        let offers = switch_and_transceiver_offers(problem);
        let full: Vec<f64> = offers.iter().map(|offer| counted_price(problem, offer)).collect();
        let mut duals = Self { parts: full.clone(), watt: 0.0, constant: 0.0, bound: 0.0 };
        let mut best: Option<Self> = None;
        let (mut share, mut waited) = (1.0, 0);
        for _ in 0..STEPS {
            duals.constant = duals.constant_part_of_bound(problem, &offers, &full);
            let cover = duals.cover_at_prices(problem)?;
            duals.bound = cover.cost + duals.constant;
            if best.as_ref().is_none_or(|best| duals.bound > best.bound) {
                best = Some(duals.clone());
                waited = 0;
            } else {
                waited += 1;
            }
            if waited >= PATIENCE {
                (share, waited) = (share / 2.0, 0);
                duals.parts.clone_from(&best.as_ref()?.parts);
                duals.watt = best.as_ref()?.watt;
                continue;
            }
            let missing = target - duals.bound;
            if missing <= target.abs() * EQUAL_COST {
                break;
            }
            let scale = watt_scale(problem, target);
            let slopes = duals.price_slopes(problem, &offers, &full, &cover, scale);
            let length: f64 = slopes.iter().map(|slope| slope * slope).sum();
            if length <= 0.0 {
                break;
            }
            duals.step_along_slopes(&full, &slopes, scale, share * missing / length);
        }
        best
    }

    /// What the search for prices takes at most, in steps of [`super::Work`].
    pub(super) fn search_steps_upper_bound(problem: &SizingProblem) -> u64 {
        let read = |class: &Class| {
            class.columns.len() as u64 * (class.rails + problem.offers.len() as u64)
        };
        u64::from(STEPS) * problem.classes.iter().map(read).sum::<u64>()
    }

    /// True where the bound meets a cost.
    pub(super) fn has_reached_cost(&self, cost: f64) -> bool {
        same_cost(self.bound, cost) || self.bound > cost
    }

    /// Dollars of a column at these prices, energy included.
    fn column_price(&self, problem: &SizingProblem, column: &Column) -> f64 {
        let ends = SizingProblem::ENDS_PER_LINK * column.links;
        let used = column.pieces.iter().chain([&ends]);
        let parts: f64 = self.parts.iter().zip(used).map(|(price, n)| price * *n as f64).sum();
        parts + self.price_of_watts(problem, problem.column_power(column).get())
    }

    /// Dollars of a switch, its energy included.
    fn switch_price(&self, problem: &SizingProblem, model: usize) -> f64 {
        self.parts[model] + self.price_of_watts(problem, problem.offers[model].power.get())
    }

    /// Dollars of a link with its two ends.
    fn link_price(&self, problem: &SizingProblem) -> f64 {
        let end = self.parts.last().copied().unwrap_or(0.0);
        let end = end + self.price_of_watts(problem, problem.ends.power.get());
        SizingProblem::ENDS_PER_LINK as f64 * end
    }

    /// What a cover costs beyond its columns at these prices.
    const fn constant_cost(&self) -> f64 {
        self.constant
    }

    /// What uses of all parts take at these prices, stock and supply paid back: no answer that uses
    /// them and `rest` dollars more, at these prices, costs less.
    pub(super) fn lagrangian_value(
        &self,
        problem: &SizingProblem,
        uses: &[u64],
        links: u64,
        rest: f64,
    ) -> f64 {
        let column = Column { pieces: uses.to_vec(), links, ..Column::default() };
        self.column_price(problem, &column) + self.constant + rest
    }

    /// The cheapest cover of 0, 1, … rails of a class at these prices.
    pub(super) fn cover_values(&self, problem: &SizingProblem, class: &Class) -> Vec<Option<f64>> {
        let worth: Vec<f64> =
            class.columns.iter().map(|column| self.column_price(problem, column)).collect();
        let all = shortest_cover_path(class, &worth).into_iter();
        all.map(|entry| entry.map(|(cost, _)| cost)).collect()
    }

    /// The problem without the columns that no answer has which costs no more than `known` dollars.
    /// They stay in their places, with rails that nobody can use.
    pub(super) fn drop_hopeless_columns(
        &self,
        problem: &SizingProblem,
        known: f64,
    ) -> SizingProblem {
        let rests: Vec<Vec<Option<f64>>> =
            problem.classes.iter().map(|class| self.cover_values(problem, class)).collect();
        let whole = |rests: &Vec<Option<f64>>| rests.last().copied().flatten().unwrap_or(0.0);
        let sum: f64 = rests.iter().map(whole).sum();
        let mut reduced = problem.clone();
        for (class, rests) in reduced.classes.iter_mut().zip(&rests) {
            let others = sum - whole(rests) + self.constant;
            let rails = class.rails;
            for column in class.columns.iter_mut().filter(|column| column.rails > 0) {
                let left = rails.saturating_sub(column.rails) as usize;
                let rest = rests.get(left).copied().flatten();
                let least = rest.map(|rest| self.column_price(problem, column) + rest + others);
                if least.is_none_or(|least| least > known + known.abs() * EQUAL_COST) {
                    column.rails = 0;
                }
            }
        }
        reduced
    }

    fn price_of_watts(&self, problem: &SizingProblem, watts: f64) -> f64 {
        (problem.energy_per_watt.get() + self.watt) * watts
    }

    /// The part of the bound that no column has.
    fn constant_part_of_bound(
        &self,
        problem: &SizingProblem,
        offers: &[Offer],
        full: &[f64],
    ) -> f64 {
        let each = offers.iter().zip(&self.parts).zip(full);
        let back: f64 =
            each.map(|((offer, price), full)| worth_of_stock(offer, *price, *full)).sum();
        let limit = problem.limits.power.map_or(0.0, |limit| limit.get());
        -back - self.watt * limit
    }

    fn cover_at_prices(&self, problem: &SizingProblem) -> Option<Cover> {
        let mut cost = 0.0;
        let mut used = vec![0_u64; problem.offers.len() + 1];
        let mut watts = 0.0;
        for class in &problem.classes {
            let worth: Vec<f64> = class
                .columns
                .iter()
                .map(|other_column| self.column_price(problem, other_column))
                .collect();
            let best = shortest_cover_path(class, &worth);
            cost += best.last().copied().flatten().map_or(0.0, |(cost, _)| cost);
            let mut left = class.rails as usize;
            while left > 0 {
                let column = &class.columns[best[left]?.1];
                for (used, switches) in used.iter_mut().zip(&column.pieces) {
                    *used += switches;
                }
                *used.last_mut()? += SizingProblem::ENDS_PER_LINK * column.links;
                watts += problem.column_power(column).get();
                left = left.saturating_sub(column.rails as usize);
            }
        }
        Some(Cover { cost, used, watts })
    }

    /// How the bound changes with each price, in shares of the full prices; then with that of a
    /// watt.
    fn price_slopes(
        &self,
        problem: &SizingProblem,
        offers: &[Offer],
        full: &[f64],
        cover: &Cover,
        scale: f64,
    ) -> Vec<f64> {
        let each = offers.iter().zip(&cover.used).zip(self.parts.iter().zip(full));
        let mut slopes: Vec<f64> = each
            .map(|((offer, used), (price, full))| {
                let (used, stock) = (*used as f64, offer.stock as f64);
                let all = offer.supply.map_or(f64::INFINITY, |supply| stock + supply as f64);
                let (below, beyond) = (used - stock, used - all);
                let slope = match price.total_cmp(full) {
                    Ordering::Less => below,
                    Ordering::Greater => beyond,
                    // The bound has a bend here: it rises to one side, or to none.
                    Ordering::Equal if beyond > 0.0 => beyond,
                    Ordering::Equal => below.min(0.0),
                };
                let slope = if *price <= 0.0 { slope.max(0.0) } else { slope };
                slope * full
            })
            .collect();
        let limit = problem.limits.power.map(|limit| {
            let slope = cover.watts - limit.get();
            let slope = if self.watt <= 0.0 { slope.max(0.0) } else { slope };
            slope * scale
        });
        slopes.push(limit.unwrap_or(0.0));
        slopes
    }

    fn step_along_slopes(&mut self, full: &[f64], slopes: &[f64], scale: f64, step: f64) {
        for ((price, full), slope) in self.parts.iter_mut().zip(full).zip(slopes) {
            let next = (*price + step * slope * full).max(0.0);
            // Where the price crosses that of the market it stops there once.
            let crosses = (*price < *full && next > *full) || (*price > *full && next < *full);
            *price = if crosses { *full } else { next };
        }
        let slope = slopes.last().copied().unwrap_or(0.0);
        self.watt = (self.watt + step * slope * scale).max(0.0);
    }
}

/// Dollars of a watt that matter: what the answer costs over the limit.
fn watt_scale(problem: &SizingProblem, target: f64) -> f64 {
    problem.limits.power.map_or(0.0, |limit| target.abs() / limit.get().max(1.0))
}

/// Switch models, then transceivers.
fn switch_and_transceiver_offers(problem: &SizingProblem) -> Vec<Offer> {
    let ends = &problem.ends;
    let ends = Offer {
        name: String::new(),
        price: ends.price,
        power: ends.power,
        stock: ends.stock,
        supply: None,
    };
    problem.offers.iter().cloned().chain([ends]).collect()
}

/// What the objective counts of a part's price.
fn counted_price(problem: &SizingProblem, offer: &Offer) -> f64 {
    if problem.counts_money { offer.price.get() } else { 0.0 }
}

/// What a price pays for the stock of a part, and for its supply where it is above the market's.
fn worth_of_stock(offer: &Offer, price: f64, full: f64) -> f64 {
    let stock = price * offer.stock as f64;
    let supply = offer.supply.map_or(0.0, |supply| (price - full).max(0.0) * supply as f64);
    stock + supply
}

/// The cheapest cover of 0, 1, … rails with the column that each takes last.
fn shortest_cover_path(class: &Class, worth: &[f64]) -> Vec<Option<(f64, usize)>> {
    let mut best: Vec<Option<(f64, usize)>> = vec![Some((0.0, 0))];
    for covered in 1..=class.rails as usize {
        let mut here: Option<(f64, usize)> = None;
        for (place, column) in
            class.columns.iter().enumerate().filter(|(_, other_column)| other_column.rails > 0)
        {
            let rest = covered.saturating_sub(column.rails as usize);
            let Some((before, _)) = best[rest] else { continue };
            let cost = before + worth[place];
            if here.is_none_or(|(known, _)| cost < known) {
                here = Some((cost, place));
            }
        }
        best.push(here);
    }
    best
}

/// How many times the cost of what is bought at will is out of reach.
const OUT_OF_REACH: f64 = 8.0;

/// Prices at which columns are worth making, of a problem with one class of rails.
#[derive(Clone, Debug)]
pub struct PricingOracle {
    duals: ShadowPrices,
    /// Weight of a switch by model, its energy included.
    pub switches: Vec<f64>,
    /// Weight of a link with its two ends.
    pub link: f64,
}

impl PricingOracle {
    /// The prices that bound a problem best, towards the cost of an answer of it.
    #[must_use]
    pub fn from_solution(problem: &SizingProblem, known: &Solution) -> Option<Self> {
        Self::for_target_cost(problem, tally_parts(problem, &known.copies).cost.get())
    }

    /// The prices of a problem that has no answer yet: what is scarce costs so much that a bound
    /// reaches many times what all would cost were it bought.
    #[must_use]
    pub fn for_unsolved_problem(problem: &SizingProblem) -> Option<Self> {
        Self::for_target_cost(problem, OUT_OF_REACH * cheapest_bought(problem)?)
    }

    fn for_target_cost(problem: &SizingProblem, target: f64) -> Option<Self> {
        let duals = ShadowPrices::from_dual_ascent(problem, target)?;
        let switches = (0..problem.offers.len()).map(|model| duals.switch_price(problem, model));
        let (switches, link) = (switches.collect(), duals.link_price(problem));
        Some(Self { duals, switches, link })
    }

    /// Dollars that no answer stays below which is made of columns none of which is lighter than
    /// the lightest of the problem for as many rails.
    #[must_use]
    pub fn cost_lower_bound(&self, problem: &SizingProblem) -> f64 {
        let Some(class) = problem.classes.first() else { return 0.0 };
        let rests = self.duals.cover_values(problem, class);
        rests.last().copied().flatten().map_or(0.0, |whole| whole + self.duals.constant_cost())
    }

    /// The most that a column of 1, 2, … rails may weigh that is in an answer which costs no more
    /// than
    /// `known` dollars.
    #[must_use]
    pub fn max_column_weight(
        &self,
        problem: &SizingProblem,
        class: &Class,
        known: f64,
    ) -> Vec<f64> {
        let rests = self.duals.cover_values(problem, class);
        let left = |rails: u64| class.rails.saturating_sub(rails) as usize;
        let most = |rails: u64| match rests.get(left(rails)).copied().flatten() {
            Some(rest) => known - self.duals.constant_cost() - rest,
            None => f64::NEG_INFINITY,
        };
        (1..=class.rails).map(most).collect()
    }
}
