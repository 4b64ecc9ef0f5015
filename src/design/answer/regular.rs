//! How regular the network of an answer is, and what a regular one takes more. Looks for none.

use super::oversubscription::Price;
use crate::fabric::Regularity;

/// A network beside the rule that networks are regular by default.
#[derive(Clone, Debug, PartialEq)]
pub struct Regular {
    /// How the best network without the rule looks.
    pub free: Regularity,
    /// What the best regular network takes more than that one; `None` where there is none.
    pub price: Option<Price>,
    /// The regular one was chosen.
    pub chosen: bool,
}
