//! Rails that one tree serves, and what their leaf switches promise.

use super::context::ColumnContext;
use crate::design::candidate::machine::Level;
use crate::fabric::{Filling, Ratio};

/// Rails that one tree serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RailGroup {
    pub(super) rails: u32,
    pub(super) filling: Filling,
}

impl RailGroup {
    /// A rail by itself.
    pub(super) const RAIL: Self = Self { rails: 1, filling: Filling::OneRail };

    /// Ports of a unit that a leaf holds: an endpoint, or a whole rail.
    pub(super) fn ports_per_unit(self, context: &ColumnContext<'_>) -> u32 {
        if self.filling == Filling::WholeRails { context.job.networked_domains() } else { 1 }
    }

    /// What the leafs of one part of the tree hold together, in units.
    pub(super) fn units_per_tree_part(self, context: &ColumnContext<'_>) -> u64 {
        match self.filling {
            Filling::OneRail => context.job.networked_domains().into(),
            Filling::WholeRails => self.rails.into(),
            Filling::InOrder => u64::from(self.rails) * u64::from(context.job.networked_domains()),
        }
    }

    /// True where the tree joins every rail of the cluster.
    fn is_whole(self, context: &ColumnContext<'_>) -> bool {
        let nics = context.job.machine.node.nics;
        self.rails >= nics && (nics > 1 || self.filling == Filling::InOrder)
    }

    /// Level of a tree whose leafs hold so many endpoints of a rail each, at that ratio of uplinks.
    pub(super) fn level_at_uplink_ratio(
        self,
        context: &ColumnContext<'_>,
        own: u32,
        ratio: Ratio,
    ) -> Level {
        let across = if self.is_whole(context) { ratio.to_f64() } else { 0.0 };
        if self.filling == Filling::WholeRails {
            return Level { across, ..Level::FULL };
        }
        let spread = (context.job.machine.balance, context.planes);
        Level::with_leaf_border(Some(own), [ratio.to_f64(), across], spread)
    }

    /// Level of the leaf that holds `units` beside `up` uplinks, each of one port or more.
    pub(super) fn level_of_leaf(self, context: &ColumnContext<'_>, units: u32, up: u32) -> Level {
        let down = units * self.ports_per_unit(context);
        let ports = up * context.parts.width;
        self.level_at_ratio(context, units, Ratio::uplinks_per_downlink(ports, down))
    }

    /// Level of the leaf that holds `units` at that ratio of uplinks.
    pub(super) fn level_at_ratio(
        self,
        context: &ColumnContext<'_>,
        units: u32,
        ratio: Ratio,
    ) -> Level {
        let own = match self.filling {
            Filling::InOrder => (units / self.rails.max(1)).max(1),
            Filling::OneRail | Filling::WholeRails => units * self.ports_per_unit(context),
        };
        self.level_at_uplink_ratio(context, own, ratio)
    }

    /// NICs of one HB domain on a leaf switch that holds so many units, at most.
    pub(super) fn nics_of_domain_per_leaf(self, units: u32) -> u32 {
        match self.filling {
            Filling::OneRail => 1,
            Filling::WholeRails => units,
            Filling::InOrder => units.min(self.rails),
        }
    }
}

/// The shapes that leafs of a group may have at a pace.
#[derive(Debug)]
pub(super) struct Shapes {
    /// The fewest uplinks beside one unit, beside two, and so on; `None` where a leaf that never blocks is too slow.
    pub(super) fewest: Vec<Option<u32>>,
    /// By model and by uplinks the most units of a leaf; what `TreeRequest::widest` asks for.
    pub(super) widest: Vec<Vec<u32>>,
}

impl Shapes {
    /// The fewest uplinks beside so many units; `None` where none are enough.
    pub(super) fn min_uplinks_for_units(&self, units: u32) -> Option<u32> {
        self.fewest.get(units as usize - 1).copied().flatten()
    }
}
