//! What a set of counts costs, draws and takes in racks: arithmetic on the instance alone.

use crate::feasible_set::instance::{Goal, Instance, MODELS, NODE_UNITS, NODE_WATTS};

/// Counts of a design or a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Use {
    /// Switches of each model.
    pub(crate) switches: [u32; MODELS],
    /// Links between leafs and spines.
    pub(crate) links: u32,
    /// Links to each spine that all rails share, while a tree with such spines is being built.
    pub(crate) shared: u32,
}

impl Use {
    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            switches: std::array::from_fn(|at| self.switches[at] + other.switches[at]),
            links: self.links + other.links,
            shared: self.shared + other.shared,
        }
    }

    /// So many of it.
    pub(crate) fn times(self, copies: u32) -> Self {
        Self {
            switches: self.switches.map(|count| count * copies),
            links: self.links * copies,
            shared: self.shared * copies,
        }
    }

    /// No count above the other's: it costs, draws and takes no more, whatever the prices.
    pub(crate) fn within(&self, other: &Self) -> bool {
        // Written out, it is fast in every build.
        let ([a, b, c], [x, y, z]) = (self.switches, other.switches);
        let fewer = a <= x && b <= y && c <= z;
        fewer && self.links <= other.links && self.shared <= other.shared
    }
}

/// Totals of a cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Totals {
    /// Capital cost in US dollars.
    pub(crate) capex: f64,
    /// Power in watts.
    pub(crate) power: f64,
    /// Racks.
    pub(crate) racks: u32,
}

/// Dollars that a watt costs in four years: hours of a year, 1.3 W from the wall for each,
/// 0.078 dollars a kWh (the defaults that every report states).
const DOLLARS_PER_WATT: f64 = 4.0 * 8760.0 / 1000.0 * 1.3 * 0.078;

impl Totals {
    /// The amount of a goal.
    pub(crate) fn amount(&self, goal: Goal) -> f64 {
        match goal {
            Goal::Capex => self.capex,
            Goal::Power => self.power,
            Goal::Tco => self.capex + self.power * DOLLARS_PER_WATT,
        }
    }
}

/// Totals of a cluster with these counts in all of its planes together.
pub(crate) fn totals(instance: &Instance, planes: u32, counts: &Use) -> Totals {
    let optic = instance.optic(planes);
    let ends = 2 * (planes * instance.endpoints() + counts.links);
    let bought = instance.domains + instance.standby;
    let mut capex = u64::from(bought) * instance.node_price
        + u64::from(bought * instance.rails) * instance.nic_price
        + u64::from(ends.saturating_sub(optic.stock)) * optic.price;
    let mut power = f64::from(instance.domains * NODE_WATTS) + f64::from(ends) * optic.watts;
    let mut racks = bought.div_ceil(42 / NODE_UNITS);
    for (switch, pieces) in instance.switches.iter().zip(counts.switches) {
        capex += u64::from(pieces.saturating_sub(switch.stock)) * switch.price;
        power += f64::from(pieces * switch.watts);
        racks += pieces.div_ceil(42 / switch.units);
    }
    Totals { capex: capex as f64, power, racks }
}

/// Whether the switches are owned or can be bought.
pub(crate) fn to_be_had(instance: &Instance, counts: &Use) -> bool {
    instance
        .switches
        .iter()
        .zip(counts.switches)
        .all(|(switch, count)| switch.supply.is_none_or(|supply| count <= switch.stock + supply))
}

/// Whether the totals keep every limit.
pub(crate) fn allowed(instance: &Instance, totals: &Totals) -> bool {
    instance.budget.is_none_or(|budget| totals.capex <= budget as f64 + 1e-6)
        && instance.power.is_none_or(|power| totals.power <= power as f64 + 1e-6)
        && instance.racks.is_none_or(|racks| totals.racks <= racks)
}
