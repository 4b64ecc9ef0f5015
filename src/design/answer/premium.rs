//! What a stricter design takes more of what a spec minimises, as data. Designs nothing.

use super::plan::Plan;
use crate::scenario::Minimize;
use crate::units::{Amount, Usd, Watts};

/// What the best design within a rule takes more than the best one of all, of the whole cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Premium {
    /// The quantity that the spec minimises.
    pub minimized: Minimize,
    /// How much more of it: dollars, dollars for a million tokens, or watts. Never less than nothing, as the rule
    /// only leaves designs out.
    pub more: Amount,
    /// That over what the best design of all takes.
    pub share: f64,
    /// That over what the network takes of the best design of all.
    pub network_share: f64,
    /// Other products and interfaces are left out of the design within the rule, as the best one there is built
    /// of those.
    pub keeps_machines: bool,
}

impl Premium {
    /// What `stricter` takes more than `best` of a quantity.
    pub(crate) fn between(minimized: Minimize, best: &Plan, stricter: &Plan) -> Self {
        let value = best.value(minimized);
        let more = (stricter.value(minimized) - value).max(0.0);
        let share_of = |whole: f64| if whole > 0.0 { more / whole } else { f64::from(more > 0.0) };
        Self {
            minimized,
            more: match minimized {
                Minimize::Power => Amount::Power(Watts::of(more)),
                Minimize::Capex | Minimize::Tco | Minimize::UsdPerToken => {
                    Amount::Money(Usd::of(more))
                }
            },
            share: share_of(value),
            network_share: share_of(network_part(best, minimized)),
            keeps_machines: false,
        }
    }

    /// The money in it; `None` where it is watts, or money for tokens.
    #[must_use]
    pub fn money(&self) -> Option<Amount> {
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
    pub fn power(&self) -> Option<Amount> {
        (self.minimized == Minimize::Power).then(|| self.more.clone())
    }
}

/// What the network of a plan takes of a quantity: its price, or the power that it draws. Of the cost of a token
/// as large a part as its price is of the cost of ownership.
fn network_part(plan: &Plan, minimized: Minimize) -> f64 {
    let cost = &plan.cost;
    match minimized {
        Minimize::Power => cost.network_power.get(),
        Minimize::Capex | Minimize::Tco => cost.network_capex.get(),
        Minimize::UsdPerToken if cost.tco > Usd::ZERO => {
            plan.value(minimized) * (cost.network_capex / cost.tco)
        }
        Minimize::UsdPerToken => 0.0,
    }
}
