//! `TreeRequest`, losses to survive, a tree put together.

use super::build::{Build, BuildLayer, Filling, LeafShape, SwitchModel};
use super::leaf_capacity::{CapacityByLinks, LeafCapacity};
use crate::fabric::{IdleLanes, Lanes, Occupancy, Ratio, TierName};

/// What a tree has to do.
#[derive(Clone, Copy, Debug)]
pub struct TreeRequest<'a> {
    /// Rails that one tree serves.
    pub rails: u32,
    /// Endpoints n of one rail in one plane.
    pub endpoints: u64,
    /// Which of them share a leaf.
    pub filling: Filling,
    pub skus: &'a [SwitchModel],
    /// Most of a leaf by model and by its uplinks, from none on: endpoints, or whole rails where
    /// leafs hold those; 0 where a leaf with so many uplinks may not be. Ports beyond stay dark.
    pub widest: &'a [Vec<u32>],
    /// What leafs may hold after a loss above them; `None` where none has to be survived.
    pub losses: Option<&'a SurvivedLosses>,
    pub max_models: Option<u32>,
    /// Ports of every leaf towards a spine across rails, for which the tables leave room; only
    /// where the tree serves one rail and all links are alike.
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

    /// True where a leaf that holds so many units beside so many uplinks, of which so many lead to
    /// one switch, can lose these.
    pub(super) fn can_survive_switch_loss(&self, units: u32, up: u32, to_each: u32) -> bool {
        self.losses.is_none_or(|losses| units <= losses.max_units(up, to_each))
    }

    /// True where leafs that hold so many units beside so many uplinks can lose the only switch
    /// that joins them all.
    pub(super) fn survives_alone(&self, units: u32, up: u32) -> bool {
        let bound = self.losses.filter(|losses| losses.switches && losses.planes < 2);
        bound.is_none_or(|losses| units <= losses.cut_off(up))
    }

    /// The fewest and the most idle lanes of a tree whose leafs are filled one after the other, or
    /// evenly where a leaf has endpoints of one rail.
    pub(super) fn idle_lane_range(
        &self,
        lanes: &Lanes,
        occupancy: impl Fn(bool) -> Occupancy,
    ) -> [IdleLanes<u64>; 2] {
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

/// What leafs may hold after the loss of a link or of a switch above them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SurvivedLosses {
    /// Any one switch may be lost; else any one link.
    pub switches: bool,
    /// Copies of the tree, of which the others carry what one has lost.
    pub planes: u32,
    /// Entry v: the most units of a leaf with v / `planes` uplinks in service, each plane's alike;
    /// 0 where it may not be.
    pub widest: Vec<u32>,
    /// Entry u: the most units of a leaf with u uplinks, all of which are lost: other NICs of its
    /// HB domains carry what its own did. Empty where none can.
    pub cut_off: Vec<u32>,
}

impl SurvivedLosses {
    /// The most units of a leaf with so many uplinks, of which so many lead to one switch.
    fn max_units(&self, up: u32, to_each: u32) -> u32 {
        let lost = if self.switches { to_each.max(1) } else { 1 };
        let (up, planes) = (u64::from(up), u64::from(self.planes));
        let own = up.saturating_sub(lost.into()) * planes;
        // What the other planes have is left at least, spread over them.
        let left = own.max(up * planes.saturating_sub(1)) as usize;
        if left == 0 {
            return self.cut_off(up as u32);
        }
        self.widest.get(left).or(self.widest.last()).copied().unwrap_or(0)
    }

    /// The most units of a leaf with so many uplinks, all of which are lost.
    fn cut_off(&self, up: u32) -> u32 {
        self.cut_off.get(up as usize).copied().unwrap_or(0)
    }

    /// By uplinks the most units of a leaf below so many spines, of a table without losses.
    fn max_units_below_spines(&self, widest: &[u32], spines: u32) -> Vec<u32> {
        let read = |(up, units): (u32, &u32)| (*units).min(self.max_units(up, up / spines.max(1)));
        (0..).zip(widest).map(read).collect()
    }
}

/// A tree of given leafs and given switches above them.
pub(super) fn assemble_tree(
    request: &TreeRequest<'_>,
    leafs: &[(usize, u64, LeafShape)],
    above: Vec<BuildLayer>,
    spine_core_links: u64,
) -> Build {
    let mut left = request.host_links();
    let mut layers = Vec::with_capacity(leafs.len() + above.len());
    for (sku, count, LeafShape { down, up, across }) in leafs {
        let up = request.ports_for_links((*up).into()) as u32;
        let hosts = left.min(count * u64::from(*down));
        left -= hosts;
        layers.push(BuildLayer {
            tier: TierName::Leaf,
            sku: *sku,
            count: *count,
            down: *down,
            up,
            across: *across,
            ports_used: hosts + count * u64::from(up + across),
        });
    }
    layers.extend(above);
    let uplinks = leafs.iter().map(|(_, count, shape)| count * u64::from(shape.up)).sum();
    let narrowest = leafs.iter().map(|(_, _, shape)| shape.down).min().unwrap_or(0);
    let own = match request.filling {
        Filling::OneRail => u64::from(narrowest),
        Filling::WholeRails => request.endpoints,
        Filling::InOrder => u64::from((narrowest / request.rails.max(1)).max(1)),
    };
    let ports = |links: u32| request.ports_for_links(links.into()) as u32;
    let ratios = leafs.iter().map(|(_, _, leaf_shape)| {
        Ratio::uplinks_per_downlink(ports(leaf_shape.up), leaf_shape.down)
    });
    let within = ratios.min().unwrap_or(Ratio::ONE);
    let across = leafs
        .iter()
        .map(|(_, _, leaf_shape)| Ratio::uplinks_per_downlink(leaf_shape.across, leaf_shape.down));
    let across_links =
        leafs.iter().map(|(_, count, leaf_shape)| count * u64::from(leaf_shape.across)).sum();
    Build {
        rails: request.rails,
        filling: request.filling,
        layers,
        host_links: request.host_links(),
        leaf_spine_links: uplinks,
        spine_core_links,
        across_links,
        leaf_endpoints: request.endpoints.min(own) as u32,
        within: if request.filling == Filling::WholeRails { Ratio::ONE } else { within },
        across: match request.filling {
            Filling::OneRail if request.rails == 1 => across.min().unwrap_or(Ratio::ZERO),
            _ => within,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::SurvivedLosses;

    /// Two units for each uplink in service.
    fn losses(switches: bool, planes: u32) -> SurvivedLosses {
        let widest = (0..=16 * planes).map(|left| 2 * left / planes).collect();
        SurvivedLosses { switches, planes, widest, cut_off: vec![3; 9] }
    }

    #[test]
    fn a_leaf_holds_what_its_other_uplinks_carry() {
        let one_plane = losses(true, 1);
        assert_eq!([1, 2, 4].map(|to_each| one_plane.max_units(8, to_each)), [14, 12, 8]);
        // All eight lead to one spine: what other NICs can carry.
        assert_eq!([8, 9].map(|up| one_plane.max_units(up, up)), [3, 0]);
        // Of two planes the other one carries half at least.
        assert_eq!([1, 8].map(|to_each| losses(true, 2).max_units(8, to_each)), [14, 8]);
        // The loss of a link is one uplink, wherever the others lead.
        assert_eq!([1, 8].map(|to_each| losses(false, 1).max_units(8, to_each)), [14, 14]);
        assert_eq!(losses(false, 1).max_units(1, 1), 3);
    }
}
