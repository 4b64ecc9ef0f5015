//! What a stricter design takes more of what a spec minimises, as data. Designs nothing.

use crate::fabric::Regularity;
use crate::scenario::Minimize;
use crate::units::{Amount, Usd, Watts};

/// What the best design within a rule takes more than the best one of all, of the whole cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Premium {
    /// The quantity that the spec minimises.
    pub minimized: Minimize,
    /// How much more of it: dollars, dollars for a million tokens, or watts. Less than nothing only where the best
    /// design is not proven, as the rule but leaves designs out.
    pub more: Amount,
    /// That over what the best design of all takes.
    pub share: f64,
    /// That over what the network takes of the best design of all.
    pub network_share: f64,
    /// Other products and interfaces are left out of the design within the rule, as the best one there is built
    /// of those.
    pub keeps_machines: bool,
}

/// Relative rounding of sums.
const ROUNDING: f64 = 1e-9;

impl Premium {
    /// Of a best design that takes so much of a quantity in all, and so much for its network, and of a stricter one.
    pub(crate) fn from_designs(
        minimized: Minimize,
        best: f64,
        network: f64,
        stricter: f64,
    ) -> Self {
        let apart = stricter - best;
        let more = if apart.abs() <= ROUNDING * best.abs() { 0.0 } else { apart };
        let share_of = |whole: f64| if whole > 0.0 { more / whole } else { f64::from(more > 0.0) };
        Self {
            minimized,
            more: match minimized {
                Minimize::Power => Amount::Power(Watts::from_f64(more)),
                Minimize::Capex | Minimize::Tco | Minimize::UsdPerToken => {
                    Amount::Money(Usd::from_f64(more))
                }
            },
            share: share_of(best),
            network_share: share_of(network),
            keeps_machines: false,
        }
    }

    /// The money in it; `None` where it is watts, or money for tokens.
    #[must_use]
    pub fn money_share(&self) -> Option<Amount> {
        let is_money = matches!(self.minimized, Minimize::Capex | Minimize::Tco);
        is_money.then(|| self.more.clone())
    }

    /// The money for a million tokens in it; `None` where something else is minimised.
    #[must_use]
    pub fn money_per_token(&self) -> Option<Amount> {
        (self.minimized == Minimize::UsdPerToken).then(|| self.more.clone())
    }

    /// The power in it; `None` where something else is minimised.
    #[must_use]
    pub fn power_share(&self) -> Option<Amount> {
        (self.minimized == Minimize::Power).then(|| self.more.clone())
    }
}

/// A network beside the rule that networks are regular by default.
#[derive(Clone, Debug, PartialEq)]
pub struct Regular {
    /// How the best network without the rule looks.
    pub free: Regularity,
    /// What the best regular network takes more than that one; `None` where there is none.
    pub premium: Option<Premium>,
    /// The regular one was chosen.
    pub chosen: bool,
}

impl Regular {
    /// What is paid for a regular network; `None` where the one without the rule was taken.
    #[must_use]
    pub fn paid_premium(&self) -> Option<&Premium> {
        self.premium.as_ref().filter(|_| self.chosen)
    }
}
