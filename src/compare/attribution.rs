//! Where the saving against the paper's Clos comes from, one change at a time.
//!
//! Rail-only is often credited with what planes, oversubscription or stock save. So the way from
//! the paper's Clos to the design is walked in steps that each change one thing; the steps sum
//! to the whole difference.

use std::fmt;

use crate::units::Usd;

/// What a step changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SavingCause {
    /// Another interface than the product's own: slower links, or faster ones.
    Nic,
    /// More planes of slower links: the Clos needs fewer tiers.
    Planes,
    /// No spine across rails: a rail needs fewer tiers than the whole.
    Rails,
    /// Fewer uplinks than downlinks, and the mix of models that suits them, were a port of every
    /// model as dear as one of the design's main model.
    Oversubscription,
    /// Ports of other models that are cheaper than those of the main one, or dearer.
    Price,
    /// Parts that are owned already.
    Stock,
}

impl SavingCause {
    /// All of them, in the order of the steps.
    pub const ALL: [Self; 6] =
        [Self::Nic, Self::Planes, Self::Rails, Self::Oversubscription, Self::Price, Self::Stock];

    /// Name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nic => "NIC",
            Self::Planes => "planes",
            Self::Rails => "rails",
            Self::Oversubscription => "oversubscription and models",
            Self::Price => "price of a port",
            Self::Stock => "stock",
        }
    }
}

/// What one step saves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contribution {
    /// What it changes.
    pub cause: SavingCause,
    /// Network capex that it saves; negative where it costs.
    pub saving: Usd,
}

/// The whole way from the paper's Clos to the design.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribution {
    /// The steps; they sum to the difference of network capex.
    pub contributions: Vec<Contribution>,
    /// Planes of the design.
    pub planes: u32,
    /// Tiers of a full-bisection Clos in as many planes: t(N).
    pub clos_tiers: usize,
    /// Tiers of a non-blocking rail in as many planes: t(N/K).
    pub rail_tiers: usize,
    /// What leaving out the spine across rails saves by itself, over that Clos.
    pub rails_share: f64,
}

impl fmt::Display for Attribution {
    /// What rail-only does by itself here, in one sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let planes = self.planes;
        let planes = if planes == 1 { "one plane".to_owned() } else { format!("{planes} planes") };
        if self.rails_share > 0.0 {
            write!(
                f,
                "in {planes} a non-blocking rail takes {} where a full-bisection Clos \
                 takes {}: leaving out the spine saves {:.0} % of that Clos by itself",
                format_tiers(self.rail_tiers),
                format_tiers(self.clos_tiers),
                100.0 * self.rails_share
            )
        } else {
            write!(
                f,
                "in {planes} a non-blocking rail takes {}, a full-bisection Clos {}: \
                 rail-only saves nothing by itself here",
                format_tiers(self.rail_tiers),
                format_tiers(self.clos_tiers)
            )
        }
    }
}

fn format_tiers(count: usize) -> String {
    if count == 1 { "one tier".to_owned() } else { format!("{count} tiers") }
}
