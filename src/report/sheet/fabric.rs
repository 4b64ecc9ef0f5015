//! One fabric without any model, and the domains on it.

use crate::cost::BillLine;
use crate::fabric::{Bisection, Counts, FabricGraph};
use crate::hardware::DomainInside;
use crate::units::Usd;

/// One fabric without any model.
#[derive(Clone, Debug)]
pub struct FabricSheet<'a> {
    /// The fabric, counted.
    pub counts: &'a Counts,
    /// NICs that were asked for; some families come in steps and have more.
    pub asked: u64,
    /// Switches and transceivers at their prices, and their sum; `None` where the switch is known
    /// by its ports alone.
    pub bill: Option<(&'a [BillLine], Usd)>,
    /// HB domains on it, where they were asked for.
    pub domains: &'a [DomainSheet],
    /// The fabric, wired; `None` where it was not asked for or can't be.
    pub graph: Option<&'a FabricGraph>,
    /// What is known of its minimum cut.
    pub bisection: Bisection,
}

/// Alike HB domains on a fabric.
#[derive(Clone, Debug)]
pub struct DomainSheet {
    /// How many.
    pub count: u64,
    /// The product; `None` where only its NICs are known.
    pub product: Option<String>,
    /// NICs of each.
    pub nics: u32,
    /// How many of those are on one rail.
    pub nics_a_rail: u32,
    /// What joins its GPUs; `None` where nobody stated it.
    pub inside: Option<DomainInside>,
}
