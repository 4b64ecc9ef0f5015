//! How far the cheapest network is oversubscribed, and what a network within the house rule takes more.
//! Looks for neither.

use super::premium::Premium;

/// Endpoints per uplink of a leaf switch that operators accept within a fabric for training: 7 (Gangidi et
/// al., Meta, SIGCOMM 2024).
pub(crate) const MOST: f64 = 7.0;

/// A network beside the rule on oversubscription within rails that holds by default.
#[derive(Clone, Debug, PartialEq)]
pub struct Oversubscription {
    /// Endpoints per uplink of a leaf switch that the rule allows.
    pub most: f64,
    /// Those of the leaf switch with fewest uplinks in the best network without the rule.
    pub cheapest: f64,
    /// What the best design of the same machines within the rule takes more; `None` where there is none.
    pub premium: Option<Premium>,
    /// It is the one that was chosen.
    pub chosen: bool,
}
