//! How far the cheapest network is oversubscribed, and what a network within the house rule takes more.
//! Looks for neither.

use crate::units::Usd;

/// Endpoints per uplink of a leaf switch that operators accept within a fabric for training: 7 (Gangidi et
/// al., Meta, SIGCOMM 2024).
pub(crate) const MOST: f64 = 7.0;

/// A network beside the rule on oversubscription within rails that holds by default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oversubscription {
    /// Endpoints per uplink of a leaf switch that the rule allows.
    pub most: f64,
    /// Those of the leaf switch with fewest uplinks in the best network without the rule.
    pub cheapest: f64,
    /// What a network within the rule takes more; `None` where there is none.
    pub price: Option<Price>,
    /// It is the one that was chosen.
    pub chosen: bool,
}

/// What keeping to a rule takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Capital that the cluster takes more.
    pub usd: Usd,
    /// That over its capital; where tokens are minimised by cost, no less than what each costs more, as a
    /// share.
    pub share: f64,
}
