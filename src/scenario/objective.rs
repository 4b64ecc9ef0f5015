//! What a design minimises.

use crate::keys::{Kind, SHARE, choices, key, table};

table! {
    /// What to minimise.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Objective, "what to minimise" {
        /// Share by which a design may be worse than the best and still be one of those.
        tolerance: f64 = 0.0, in SHARE,
            "share by which a design may be worse than the best by a quantity and still count as such";
        /// Longest step over the least on a full-bisection Clos, of all rank orders and placements; where it is not
        /// stated, what [`Objective::allowed_slowdown`] says.
        max_slowdown: Option<f64>, in Kind::Number { min: 1.0, max: 1000.0 },
            "longest step over that of the same machines on a full-bisection Clos, in the fastest \
             layout, rank order and placement that are open"
            or "1.02; any where cost per token is minimised, which a longer step adds to by itself";
        /// Years of operation in TCO and in cost per token.
        years: f64 = 4.0, in Kind::Number { min: 0.1, max: 100.0 }, "years of operation";
        /// Share that money loses of its value in a year: what is paid later counts less.
        discount: f64 = 0.0, in Kind::Number { min: 0.0, max: 0.5 },
            "share that money loses of its value in a year: energy and later stages count less";
        /// Power drawn from the wall over power of the machines. What new large halls reach; the average
        /// of the industry is 1.56 (Uptime Institute, Global Data Center Survey 2024).
        pue: f64 = 1.3, in Kind::Number { min: 1.0, max: 10.0 },
            "power from the wall over the machines'";
    } besides {
        /// The quantity.
        minimize: Minimize,
        /// What decides among the designs that are best by it, one after another; usually nothing.
        then: Vec<Minimize>,
    }
    first [
        key(
            "minimize",
            Kind::Some(&Kind::Choice(Minimize::NAMES)),
            "the quantity; of several the next decides among designs that are best by those before \
             it",
        )
        .with_default_words("usd-per-token where the run (`training.tokens`) or the horizon (`years`) is stated, \
             the machine has a price, and the cluster has neither stages nor parts; else capex"),
    ]
}

choices! {
    /// The quantity that a design minimises.
    pub enum Minimize {
        /// What is bought.
        Capex = "capex",
        /// What is bought, and electricity over the years.
        Tco = "tco",
        /// TCO over tokens trained.
        UsdPerToken = "usd-per-token",
        /// Power of the cluster.
        Power = "power",
    }
}

impl Objective {
    /// Slowdown that no fabric reaches: stands for no limit.
    pub const ANY_SLOWDOWN: f64 = 1e6;
    /// Slowdown up to which a step counts as one on a network that never blocks.
    pub const LITTLE_SLOWDOWN: f64 = 1.02;

    /// Longest step over the least on a full-bisection Clos, where that quantity is minimised: what is stated. Money
    /// and power fall with the network at any pace, so some slowdown has to end it; a token gets dearer by itself.
    #[must_use]
    pub fn allowed_slowdown(&self, minimize: Minimize) -> f64 {
        self.max_slowdown.unwrap_or(match minimize {
            Minimize::UsdPerToken => Self::ANY_SLOWDOWN,
            Minimize::Capex | Minimize::Tco | Minimize::Power => Self::LITTLE_SLOWDOWN,
        })
    }

    /// Value today of a dollar that is paid `years` from now: (1 + discount)^−years.
    #[must_use]
    pub fn present_value(&self, years: f64) -> f64 {
        (1.0 + self.discount).powf(-years)
    }

    /// Years of operation, each worth what a dollar a year paid in it is worth at their beginning:
    /// ∫ (1 + discount)^−t dt over all years; the years themselves where nothing is discounted.
    #[must_use]
    pub fn present_years(&self) -> f64 {
        if self.discount > 0.0 {
            (1.0 - self.present_value(self.years)) / self.discount.ln_1p()
        } else {
            self.years
        }
    }
}
