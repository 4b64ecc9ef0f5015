//! `SizingProblem`, `Class`, `Column`, `Offer`: data of the integer program; which limits may
//! clash.

use crate::units::{Usd, Watts};

/// One integer program: everything that is a ratio, a ceiling or a divisor is a constant here.
#[derive(Clone, Debug, PartialEq)]
pub struct SizingProblem {
    /// Groups of alike rails, each with the builds that may carry it.
    pub classes: Vec<Class>,
    /// Switch models, and parts of links where these are bought as parts; columns count pieces in
    /// this order.
    pub offers: Vec<Offer>,
    pub ends: LinkEndOffer,
    /// What the answer may not exceed.
    pub limits: ProgramLimits,
    /// What is minimised counts the price of what is bought; else power alone.
    pub counts_money: bool,
    /// Cost of drawing one watt over the years that the objective counts; zero for capex, a dollar
    /// where power alone is counted.
    pub energy_per_watt: Usd,
}

/// Alike rails.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    pub name: String,
    /// Rails R to be carried, all planes together.
    pub rails: u64,
    /// Builds that may carry them.
    pub columns: Vec<Column>,
}

/// One complete build: the switches and links of `rails` rails.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Rails f that the build carries; at least 1.
    pub rails: u64,
    /// Pieces of each part, in the order of [`SizingProblem::offers`].
    pub pieces: Vec<u64>,
    /// Links inside the build, host links included.
    pub links: u64,
    /// Endpoint bandwidth that its rails carry across their middle, in links, for breaking
    /// ties: more is better at the same cost.
    pub bisection: f64,
}

/// A part on offer: a switch model, or a part of links.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    pub name: String,
    /// Price of one; zero where no book names it.
    pub price: Usd,
    pub power: Watts,
    pub stock: u64,
    /// Pieces that can be bought; `None` where there is no limit.
    pub supply: Option<u64>,
}

/// What ends a link: one transceiver at each end, as it is offered.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkEndOffer {
    /// Price of one; zero where no book names it.
    pub price: Usd,
    pub power: Watts,
    pub stock: u64,
}

impl LinkEndOffer {
    /// Of links whose parts are offers themselves.
    pub const NONE: Self = Self { price: Usd::ZERO, power: Watts::ZERO, stock: 0 };
}

/// What the answer may not exceed; `None` where there is no limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgramLimits {
    /// Power of switches and transceivers.
    pub power: Option<Watts>,
    /// Money for what is bought.
    pub budget: Option<Usd>,
    /// Money for what is bought and for its energy.
    pub tco: Option<Ownership>,
    pub racks: Option<Racks>,
}

/// Money for what is bought and for what it draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ownership {
    /// Cost of drawing one watt over the years that count.
    pub energy_per_watt: Usd,
    pub max_cost: Usd,
}

/// Racks for switches. A rack holds switches of one model, so that leafs and spines can stand
/// apart; less than one rack for each model is wasted by that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Racks {
    pub max_racks: u64,
    /// Switches that fit into one, by model; 0 for what takes no room of its own.
    pub per_rack: Vec<u64>,
}

impl Racks {
    /// Racks that so many switches of each model take.
    #[must_use]
    pub fn racks_used(&self, used: &[u64]) -> u64 {
        let each = used.iter().zip(&self.per_rack);
        each.filter(|(_, fit)| **fit > 0).map(|(used, fit)| used.div_ceil(*fit)).sum()
    }
}

impl SizingProblem {
    /// Transceivers of a link.
    pub const ENDS_PER_LINK: u64 = 2;

    /// What the objective makes of money and power, in dollars.
    pub(super) fn objective_value(&self, money: Usd, power: Watts) -> Usd {
        let money = if self.counts_money { money } else { Usd::ZERO };
        money + self.energy_per_watt * power.get()
    }

    /// Power of one column in use.
    #[must_use]
    pub fn column_power(&self, column: &Column) -> Watts {
        let switches: Watts =
            self.offers.iter().zip(&column.pieces).map(|(offer, n)| offer.power * *n as f64).sum();
        switches + self.ends.power * (Self::ENDS_PER_LINK * column.links) as f64
    }

    /// This problem with only the columns of offers that are kept.
    pub(super) fn keep_offers(&self, keep: &[bool]) -> Self {
        self.with_admitted_columns(|column| {
            column.pieces.iter().zip(keep).all(|(count, keep)| *keep || *count == 0)
        })
    }

    fn with_admitted_columns(&self, admits: impl Fn(&Column) -> bool) -> Self {
        let mut reduced = self.clone();
        for class in &mut reduced.classes {
            // An excluded column stays in its place with rails that nobody can use, so that the
            // indices of an answer still mean the caller's columns.
            for column in &mut class.columns {
                if !admits(column) {
                    column.rails = 0;
                }
            }
        }
        reduced
    }
}

impl Class {
    /// Most copies of a column that can make sense: ⌈R/f⌉; 0 for a column that carries nothing.
    pub(super) const fn max_copies(&self, column: &Column) -> u64 {
        if column.rails == 0 { 0 } else { self.rails.div_ceil(column.rails) }
    }
}

/// Limits that may clash, in a fixed order: the supply of each model, power,
/// budget, cost of ownership, racks.
pub(super) fn limit_count(problem: &SizingProblem) -> usize {
    problem.offers.len() + 4
}

/// Places of the limits after the models.
#[derive(Clone, Copy)]
pub(super) enum LimitPlaces {
    Power = 0,
    Budget = 1,
    Tco = 2,
    Racks = 3,
}

/// Place of a limit in the order of [`limit_count`].
pub(super) fn limit_index(problem: &SizingProblem, limit: LimitPlaces) -> usize {
    problem.offers.len() + limit as usize
}
