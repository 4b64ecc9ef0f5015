//! What a tree has to do. Builds none.

use super::leaf::LeafShape;
use super::losses::SurvivedLosses;
use super::nouns::{Filling, SwitchModel};
use super::seats::{CapacityByLinks, LeafCapacity};
use crate::fabric::{Idle, Lanes, Occupancy, Ratio};

/// What a tree has to do.
#[derive(Clone, Copy, Debug)]
pub struct TreeRequest<'a> {
    /// Rails that one tree serves.
    pub rails: u32,
    /// Endpoints n of one rail in one plane.
    pub endpoints: u64,
    /// Which of them share a leaf.
    pub filling: Filling,
    /// Models to build from.
    pub skus: &'a [SwitchModel],
    /// Most of a leaf by model and by its uplinks, from none on: endpoints, or whole rails where
    /// leafs hold those; 0 where a leaf with so many uplinks may not be. Ports beyond stay dark.
    pub widest: &'a [Vec<u32>],
    /// What leafs may hold after a loss above them; `None` where none has to be survived.
    pub losses: Option<&'a SurvivedLosses>,
    /// Most different models in one build.
    pub models: Option<u32>,
    /// Ports of every leaf towards a spine across rails, for which the tables leave room; only where
    /// the tree serves one rail and all links are alike.
    pub across: u32,
    /// Ports that a link above the leafs takes at either end: 2 where hosts of 200 Gb/s hang on
    /// switches that are joined at 400 Gb/s. Uplinks are such links throughout.
    pub width: u32,
    /// Leafs are alike, in model and in links to each spine.
    pub alike: bool,
}

impl TreeRequest<'_> {
    /// Parts of the tree whose leafs are apart: its rails, where a leaf has one of them.
    pub(super) const fn part_count(&self) -> u64 {
        match self.filling {
            Filling::OneRail => self.rails as u64,
            Filling::WholeRails | Filling::InOrder => 1,
        }
    }

    /// What the leafs of one part have to hold, in units.
    pub(super) const fn units_per_part(&self) -> u64 {
        match self.filling {
            Filling::OneRail => self.endpoints,
            Filling::WholeRails => self.rails as u64,
            Filling::InOrder => self.rails as u64 * self.endpoints,
        }
    }

    /// Ports of a unit.
    pub(super) const fn ports_per_unit(&self) -> u64 {
        match self.filling {
            Filling::WholeRails => self.endpoints,
            Filling::OneRail | Filling::InOrder => 1,
        }
    }

    /// Links to endpoints of the whole tree.
    pub(super) const fn host_links(&self) -> u64 {
        self.rails as u64 * self.endpoints
    }

    /// Links that a switch of a model above the leafs can have.
    pub(super) fn links_above(&self, sku: usize) -> u32 {
        self.skus[sku].radix / self.width.max(1)
    }

    /// Ports that so many links above the leafs take at one end.
    pub(super) fn ports_for_links(&self, links: u64) -> u64 {
        links * u64::from(self.width.max(1))
    }

    /// Uplinks per downlink within a rail of a leaf of that shape, by bandwidth.
    pub(super) fn rail_uplink_ratio(&self, shape: LeafShape) -> Ratio {
        match self.filling {
            Filling::WholeRails => Ratio::ONE,
            Filling::OneRail | Filling::InOrder => {
                Ratio::uplinks_per_downlink(shape.up * self.width.max(1), shape.down)
            }
        }
    }

    /// What leafs of a model can hold below so many spines.
    pub(super) fn capacity_steps(&self, sku: usize, spines: u32) -> CapacityByLinks {
        match self.losses {
            Some(losses) => CapacityByLinks::from_spines(
                &losses.max_units_below_spines(&self.widest[sku], spines),
                spines,
            ),
            None => CapacityByLinks::from_spines(&self.widest[sku], spines),
        }
    }

    /// What many leafs of those steps hold, whose links to each spine may be `most` in all.
    pub(super) fn leaf_capacity(&self, steps: CapacityByLinks, most: u64) -> LeafCapacity {
        let seats = LeafCapacity::new(steps, most);
        if self.alike { seats.with_equal_links() } else { seats }
    }

    /// True where a leaf that holds so many units beside so many uplinks, of which so many lead to one
    /// switch, can lose these.
    pub(super) fn can_survive_switch_loss(&self, units: u32, up: u32, to_each: u32) -> bool {
        self.losses.is_none_or(|losses| units <= losses.max_units(up, to_each))
    }

    /// True where leafs that hold so many units beside so many uplinks can lose the only switch that joins
    /// them all.
    pub(super) fn survives_alone(&self, units: u32, up: u32) -> bool {
        let bound = self.losses.filter(|losses| losses.switches && losses.planes < 2);
        bound.is_none_or(|losses| units <= losses.cut_off(up))
    }

    /// The fewest and the most idle lanes of a tree whose leafs are filled one after the other, or evenly where a leaf
    /// has endpoints of one rail.
    pub(super) fn idle_lane_range(
        &self,
        lanes: &Lanes,
        occupancy: impl Fn(bool) -> Occupancy,
    ) -> [Idle<u64>; 2] {
        let filled = occupancy(false).idle_lanes(lanes);
        match self.filling {
            Filling::OneRail => filled.fewest_and_most(occupancy(true).idle_lanes(lanes)),
            Filling::WholeRails | Filling::InOrder => [filled; 2],
        }
    }

    /// Most uplinks that any leaf may have.
    pub(super) fn most_uplinks(&self) -> u32 {
        let last = |table: &Vec<u32>| table.iter().rposition(|units| *units > 0).unwrap_or(0);
        self.widest.iter().map(last).max().unwrap_or(0) as u32
    }
}
