//! What objectives that were minimised before leave to the one that is minimised now. Minimises
//! nothing itself.

use crate::scenario::Minimize;
use crate::units::{Seconds, Usd, Watts};

/// The most of each quantity that a cluster may take; `None` where it was not minimised yet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ObjectiveCaps {
    pub(super) capex: Option<Usd>,
    pub(super) power: Option<Watts>,
    tco: Option<Usd>,
    /// Dollars times the seconds of a step.
    per_token: Option<f64>,
}

impl ObjectiveCaps {
    /// These limits, where a quantity may also be no more than `most`, in the units of a design's
    /// value.
    pub(crate) fn with_cap(self, quantity: Minimize, most: f64) -> Self {
        match quantity {
            Minimize::Capex => Self { capex: Some(Usd::from_f64(most)), ..self },
            Minimize::Power => Self { power: Some(Watts::from_f64(most)), ..self },
            Minimize::Tco => Self { tco: Some(Usd::from_f64(most)), ..self },
            Minimize::UsdPerToken => Self { per_token: Some(most), ..self },
        }
    }

    /// The most of each quantity that is capped whatever a step takes, in the units of a design's value.
    pub(super) fn caps_independent_of_step_time(&self) -> impl Iterator<Item = (Minimize, f64)> {
        let capex = self.capex.map(|price| (Minimize::Capex, price.get()));
        let power = self.power.map(|watts| (Minimize::Power, watts.get()));
        let tco = self.tco.map(|price| (Minimize::Tco, price.get()));
        [capex, power, tco].into_iter().flatten()
    }

    /// Cost of ownership that is left to clusters whose step takes no longer than `pace`.
    pub(super) fn tco_cap_at_step_time(&self, pace: Seconds) -> Option<Usd> {
        let by_pace = self.per_token.map(|most| Usd::from_f64(most / pace.get()));
        self.tco.into_iter().chain(by_pace).min_by(Usd::total_cmp)
    }

    /// The time of a step decides what a cluster may cost.
    pub(super) const fn depends_on_step_time(&self) -> bool {
        self.per_token.is_some()
    }

    /// Cost of ownership is capped at all.
    pub(super) const fn bound_tco(&self) -> bool {
        self.tco.is_some() || self.per_token.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Minimize, ObjectiveCaps, Seconds, Usd};

    #[test]
    fn the_tighter_of_two_caps_on_money_holds() {
        let owned = ObjectiveCaps::default().with_cap(Minimize::Tco, 100.0);
        let both = owned.with_cap(Minimize::UsdPerToken, 300.0);
        // 300 dollar-seconds are $30 at ten seconds a step, $100 at three and $300 at one.
        let left = |caps: ObjectiveCaps, pace| {
            caps.tco_cap_at_step_time(Seconds::from_f64(pace)).map(Usd::get)
        };
        assert_eq!([10.0, 3.0, 1.0].map(|pace| left(both, pace)), [30.0, 100.0, 100.0].map(Some));
        let timed = ObjectiveCaps::default().with_cap(Minimize::UsdPerToken, 300.0);
        assert_eq!((left(timed, 1.0), left(owned, 1.0)), (Some(300.0), Some(100.0)));
        assert_eq!(left(ObjectiveCaps::default(), 1.0), None);
    }
}
