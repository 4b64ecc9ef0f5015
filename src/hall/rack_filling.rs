//! Scalable units; racks filled by height, power and number; what stands beside the compute
//! network.

use std::collections::BTreeMap;

use super::rack::{HallProblem, RackRole};
use crate::fabric::{FabricGraph, FabricNode, TierName};
use crate::hardware::Rack;
use crate::units::Watts;

/// A rack that has no place yet.
pub(super) struct DraftRack {
    pub(super) role: RackRole,
    pub(super) power: Watts,
    /// What it holds, with lowest unit and height of each.
    pub(super) holds: Vec<(RackContent, u32, u32)>,
}

/// What a rack holds.
#[derive(Clone, Copy)]
pub(super) enum RackContent {
    /// A machine, and the racks that it takes from this one on.
    Machine(u32, u32),
    /// Anything else by its number: a node of the graph, or what stands beside the compute network.
    Number(usize),
}

/// What is put into a rack.
#[derive(Clone, Copy)]
pub(super) struct RackItem {
    pub(super) number: usize,
    pub(super) units: u32,
    pub(super) power: Watts,
}

/// Racks filled from the top, where the trays are, in the order of the items, as far as height,
/// power and the most pieces of a rack go. An item that no rack holds has one to itself: whoever
/// asks refuses it.
///
/// A rack holds as many equal items as [`Rack::pieces_per_rack`] says: power is multiplied, not
/// summed, so that both round alike.
pub(super) fn fill_racks(
    rack: &Rack,
    most: Option<u32>,
    role: RackRole,
    items: impl IntoIterator<Item = RackItem>,
) -> Vec<DraftRack> {
    let most = most.map_or(usize::MAX, |most| most as usize);
    let mut racks: Vec<Filling> = Vec::new();
    for item in items {
        let units = item.units.max(1);
        let room = |filling: &&mut Filling| {
            units <= filling.left
                && filling.draft.holds.len() < most
                && filling.can_feed_item(rack, &item)
        };
        let index = match racks.iter_mut().last().filter(room) {
            Some(_) => racks.len() - 1,
            None => {
                let draft = DraftRack { role, power: Watts::ZERO, holds: Vec::new() };
                racks.push(Filling { draft, left: rack.units, before: Watts::ZERO, alike: None });
                racks.len() - 1
            }
        };
        racks[index].put_item(item, units);
    }
    racks.into_iter().map(|filling| filling.draft).collect()
}

/// A rack that is being filled.
struct Filling {
    draft: DraftRack,
    /// Units that are free, from the bottom.
    left: u32,
    /// Power of all but the last run of items that draw alike.
    before: Watts,
    /// Power of one of that run, and how many it has.
    alike: Option<(Watts, u32)>,
}

impl Filling {
    fn can_feed_item(&self, rack: &Rack, item: &RackItem) -> bool {
        let Some(most) = rack.most_power() else { return true };
        match self.alike {
            Some((power, count)) if power == item.power => {
                let left = most - self.before;
                item.power <= Watts::ZERO || (left / item.power).floor() >= f64::from(count + 1)
            }
            _ => self.draft.power + item.power <= most,
        }
    }

    fn put_item(&mut self, item: RackItem, units: u32) {
        let bottom = (self.left + 1).saturating_sub(units).max(1);
        self.draft.holds.push((RackContent::Number(item.number), bottom, units));
        self.left = self.left.saturating_sub(units);
        self.alike = match self.alike {
            Some((power, count)) if power == item.power => Some((power, count + 1)),
            _ => {
                self.before = self.draft.power;
                Some((item.power, 1))
            }
        };
        let run = self.alike.map_or(Watts::ZERO, |(power, count)| power * f64::from(count));
        self.draft.power = self.before + run;
    }
}

/// Machines and the leaf switches that they share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ScalableUnit {
    /// HB domains, in order.
    pub(super) machines: Vec<u32>,
    /// Nodes of leaf switches, in order.
    pub(super) leafs: Vec<usize>,
}

/// Units of a fabric in the order of their first machines: what is joined by leaf switches is one,
/// and neighbours are put together as long as they have no more than `least` machines.
pub(super) fn scalable_units(graph: &FabricGraph, least: u32) -> Vec<ScalableUnit> {
    let count = graph.nodes().count();
    let domains =
        graph.nodes().filter_map(domain_of_node).max().map_or(0, |last| last as usize + 1);
    // Domains stand behind the nodes of the graph.
    let mut sets = UnitSets((0..count + domains).collect());
    for (low, high, _) in graph.cables() {
        let ends = [low, high].map(|number| graph.node(number));
        if let [Some(FabricNode::Endpoint { domain, .. }), Some(FabricNode::Switch { .. })] = ends {
            sets.join_sets(count + domain as usize, high);
        }
    }
    let mut by_set: BTreeMap<usize, ScalableUnit> = BTreeMap::new();
    let mut order = Vec::new();
    for domain in 0..domains {
        let set = sets.find_set(count + domain);
        let unit = by_set.entry(set).or_default();
        if unit.machines.is_empty() {
            order.push(set);
        }
        unit.machines.push(domain as u32);
    }
    for (number, node) in graph.nodes().enumerate() {
        if matches!(node, FabricNode::Switch { tier: TierName::Leaf, .. })
            && let Some(unit) = by_set.get_mut(&sets.find_set(number))
        {
            unit.leafs.push(number);
        }
    }
    let mut all: Vec<ScalableUnit> = Vec::new();
    for unit in order.into_iter().filter_map(|set| by_set.remove(&set)) {
        match all.last_mut() {
            Some(last) if last.machines.len() + unit.machines.len() <= least as usize => {
                last.machines.extend(unit.machines);
                last.leafs.extend(unit.leafs);
            }
            _ => all.push(unit),
        }
    }
    all
}

fn domain_of_node(node: FabricNode) -> Option<u32> {
    match node {
        FabricNode::Endpoint { domain, .. } => Some(domain),
        FabricNode::Host { .. } | FabricNode::Switch { .. } => None,
    }
}

/// Disjoint sets of numbers, each by its smallest known member.
struct UnitSets(Vec<usize>);

impl UnitSets {
    fn find_set(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn join_sets(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find_set(one), self.find_set(other));
        let (low, high) = (one.min(other), one.max(other));
        self.0[high] = low;
    }
}

/// So many devices of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceGroup {
    /// What its devices are called, with a number behind it.
    pub name: &'static str,
    pub model: String,
    /// Height in rack units.
    pub units: u32,
    /// What one draws, every port lit.
    pub power: Watts,
    pub count: u64,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OtherDevices {
    /// Large switches: a rack holds one model, and no more than it does of compute switches.
    pub storage: Vec<DeviceGroup>,
    /// Management switches and servers, which share racks.
    pub management: Vec<DeviceGroup>,
    /// Racks that are kept for these at least.
    pub kept: u64,
}

impl OtherDevices {
    /// Every kind, storage first.
    pub fn device_kinds(&self) -> impl Iterator<Item = &DeviceGroup> {
        self.storage.iter().chain(&self.management)
    }

    /// Every device: its kind, and its number among those of that kind.
    pub fn numbered_devices(&self) -> impl Iterator<Item = (&DeviceGroup, u64)> {
        self.device_kinds().flat_map(|group| (0..group.count).map(move |number| (group, number)))
    }

    /// Racks that it takes.
    ///
    /// # Errors
    /// Where a rack can't hold a part of it.
    pub fn racks_needed(&self, rack: &Rack) -> Result<u64, HallProblem> {
        stack_in_racks(rack, self).map(|racks| racks.len() as u64)
    }
}

/// Its racks, in their order: those of large switches first.
pub(super) fn stack_in_racks(
    rack: &Rack,
    others: &OtherDevices,
) -> Result<Vec<DraftRack>, HallProblem> {
    let mut numbers = 0..;
    let mut items = |group: &DeviceGroup| -> Result<Vec<RackItem>, HallProblem> {
        let DeviceGroup { units, power, .. } = *group;
        if group.count > 0 && rack.holds_switches(units, power) == 0 {
            let part = group.model.clone();
            return Err(HallProblem::TooBig { part, units, power, rack: *rack });
        }
        let all = (0..group.count).zip(&mut numbers);
        Ok(all.map(|(_, number)| RackItem { number, units, power }).collect())
    };
    let mut racks = Vec::new();
    for group in &others.storage {
        racks.extend(fill_racks(rack, rack.switches, RackRole::Others, items(group)?));
    }
    let mut shared = Vec::new();
    for group in &others.management {
        shared.extend(items(group)?);
    }
    let shared = fill_racks(rack, None, RackRole::Others, shared);
    let free = others.kept.saturating_sub(shared.len() as u64);
    racks.extend(shared);
    let empty = || DraftRack { role: RackRole::Others, power: Watts::ZERO, holds: Vec::new() };
    racks.extend((0..free).map(|_| empty()));
    Ok(racks)
}

#[cfg(test)]
mod tests {
    use super::{RackItem, fill_racks, scalable_units};
    use crate::fabric::{FabricGraph, FabricKind, Request, SwitchChoice};
    use crate::hall::RackRole;
    use crate::hardware::Rack;
    use crate::units::{Bandwidth, Watts};

    /// As many equal items in each rack as the rule of a rack says, whatever their power divides
    /// to.
    #[test]
    fn equal_items_take_the_racks_of_the_rule() {
        for tenths in 1..400_u32 {
            for count in [1, 7, 50] {
                let watts = Watts::from_f64(f64::from(tenths) * 0.1);
                let rack = Rack { power: Some(Watts::from_f64(3.0)), ..Rack::with_height(20) };
                let fit = rack.holds_switches(2, watts);
                if fit == 0 {
                    continue;
                }
                let items = (0..count).map(|number| RackItem { number, units: 2, power: watts });
                let racks = fill_racks(&rack, None, RackRole::Spines, items);
                assert_eq!(racks.len() as u64, (count as u64).div_ceil(fit), "{tenths} {count}");
            }
        }
    }

    #[test]
    fn unlike_items_share_a_rack_up_to_its_power_and_height() {
        let item = |number, units, watts| RackItem { number, units, power: Watts::from_f64(watts) };
        let rack = Rack { fed: Some(Watts::from_f64(10.0)), ..Rack::with_height(4) };
        let items = [item(0, 1, 4.0), item(1, 2, 5.0), item(2, 1, 2.0), item(3, 3, 1.0)];
        let racks = fill_racks(&rack, None, RackRole::Others, items);
        let bottoms: Vec<Vec<(u32, u32)>> = racks
            .iter()
            .map(|rack| rack.holds.iter().map(|(_, bottom, units)| (*bottom, *units)).collect())
            .collect();
        assert_eq!(bottoms, [vec![(4, 1), (2, 2)], vec![(4, 1), (1, 3)]]);
        assert_eq!(racks[1].power, Watts::from_f64(3.0));
    }

    /// 16 machines of four NICs under leaf switches of eight ports down: two machines a leaf of a
    /// Clos; four rails of two leafs each where rails have leafs of their own.
    #[test]
    fn machines_that_share_leaf_switches_are_one_unit() {
        let link = Bandwidth::from_gigabits(400.0);
        let graph = |kind| {
            let request = Request::new(kind, 64, 4, SwitchChoice::Radix(16), link);
            FabricGraph::new(&request).expect("64 NICs")
        };
        let sizes = |kind, least| -> Vec<(usize, usize)> {
            let all = scalable_units(&graph(kind), least);
            all.iter().map(|unit| (unit.machines.len(), unit.leafs.len())).collect()
        };
        assert_eq!(sizes(FabricKind::Clos, 1), vec![(2, 1); 8]);
        assert_eq!(sizes(FabricKind::Clos, 8), vec![(8, 4); 2]);
        assert_eq!(sizes(FabricKind::RailOptimized, 1), vec![(8, 4); 2]);
    }
}
