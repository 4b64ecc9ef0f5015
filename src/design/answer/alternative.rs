//! Designs that were not chosen, as a report shows them. Finds none.

use crate::fabric::FabricKind;
use crate::units::Usd;

/// A design that was not chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// What differs, in words.
    pub name: String,
    /// The choice in which it differs.
    pub differs: AlternativeKind,
    /// Network cost against the plan's; negative where cheaper.
    pub network_capex_change: Usd,
    /// Capex of the cluster against the plan's.
    pub capex_change: Usd,
    /// Step time over the plan's.
    pub step_ratio: f64,
    /// Cost per million tokens over the plan's; `None` where either has none.
    pub usd_per_token_ratio: Option<f64>,
    /// How it stands to the plan by what is minimised.
    pub standing: AlternativeStanding,
    /// Why it was not chosen.
    pub reason: String,
}

/// A product that was not sized, as a bound tells that no design with it comes near.
#[derive(Clone, Debug, PartialEq)]
pub struct NotSized {
    /// What differs, in words.
    pub name: String,
    /// What every design with it takes at least of what is minimised, over the plan's: its machines with a
    /// link and a port for each interface, and steps as on a network that never blocks; where no layout was
    /// looked for, its machines and steps of kernels alone.
    pub at_least: f64,
}

/// The choice in which a design differs from the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlternativeKind {
    /// The product.
    Node,
    /// The interface.
    Nic,
    /// The rank order of its workloads.
    Order,
    /// The GPUs of a domain that hold ranks.
    Placement,
    /// The number of planes.
    Planes,
    /// What its switches speak.
    Protocol,
    /// The family of fabrics, which is this one.
    Family(FabricKind),
    /// What a spec may name as its family of fabrics.
    Choice,
    /// What is minimised.
    Objective,
    /// How much longer a step may be.
    Pace,
    /// The products of several clusters together.
    Products,
}

impl AlternativeKind {
    /// Another network: what fails there, and what a failure takes along, is not what it is here.
    #[must_use]
    pub const fn is_network(self) -> bool {
        matches!(self, Self::Nic | Self::Planes | Self::Protocol | Self::Family(_) | Self::Choice)
    }
}

/// How a design that was not chosen stands to the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AlternativeStanding {
    /// It takes more of what is minimised.
    Worse,
    /// It takes at most half a percent more.
    Tied,
    /// It is the best by another objective.
    Elsewhere,
    /// Limits keep it out.
    KeptOut,
}

impl AlternativeStanding {
    /// Name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Tied => "tied",
            Self::Elsewhere => "other-objective",
            Self::KeptOut => "kept-out",
        }
    }
}
