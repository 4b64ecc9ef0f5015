//! Every cable: way, kind, length; cages and lanes; cable order list.

use std::collections::{BTreeMap, BTreeSet};

use super::cable_route::{LinkKindInHall, LinkKinds, cable_length, stocked_cable_length};
use super::placement::Floor;
use super::rack::{Device, End, Port, Spot};
use crate::fabric::{FabricGraph, FabricNode, LinkClass, TierName};
use crate::scenario::{Hall, Lengths, Stretch};
use crate::units::Metres;

/// A link with the cable, or the branch of one, that carries it.
#[derive(Clone, Debug, PartialEq)]
pub struct CableRun {
    /// The end nearer to interfaces, and the other one.
    pub ends: [End; 2],
    pub class: LinkClass,
    /// The rail that it belongs to; `None` where it serves several.
    pub rail: Option<u32>,
    pub plane: u32,
    /// Length of its way, slack included.
    pub way: Metres,
    /// Number of its cable, from 1: links of a splitter share one.
    pub cable: u32,
    /// Metres that the cable is sold in.
    pub cable_m: u32,
    /// Index into [`Cabling::joined`]; `None` where no part is known.
    pub joined: Option<usize>,
}

/// All cables of a fabric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cabling {
    /// Links in the order of wiring.
    pub runs: Vec<CableRun>,
    /// What they are bought as.
    pub joined: Vec<LinkKindInHall>,
    /// Cages in use by node of the graph.
    pub cages: Vec<u32>,
    /// The lengths of the links.
    pub lengths: Lengths,
}

/// What is cabled, and where.
struct CablingSite<'a> {
    hall: &'a Hall,
    graph: &'a FabricGraph,
}

/// A link before its part is known.
struct LaidCable {
    ends: [End; 2],
    class: LinkClass,
    rail: Option<u32>,
    plane: u32,
    way: Metres,
    /// The switch whose cage decides, with that cage and lane.
    near: (Device, Port),
    /// Its place among the links between the same two switches.
    place: u32,
}

/// Lays every cable of a fabric through a hall.
#[must_use]
pub fn lay_fabric_cables(
    hall: &Hall,
    graph: &FabricGraph,
    floor: &Floor,
    kinds: &dyn LinkKinds,
) -> Cabling {
    let site = &CablingSite { hall, graph };
    let modes = LinkModes::for_longest_links(site, floor, kinds);
    let (laid, cages) = modes.lay_links(site, floor);
    let reach = required_reaches(&laid, &modes);
    let mut all = Cabling { cages, ..Cabling::default() };
    let mut known: BTreeMap<(bool, u32, u32), Option<usize>> = BTreeMap::new();
    // Links that share a cable follow from the kind that reaches.
    let mut shares: BTreeMap<(bool, u32), u32> = BTreeMap::new();
    let mut share = |host, reach| {
        *shares.entry((host, reach)).or_insert_with(|| {
            kinds.kind_for_reach(host, reach, reach).map_or(1, |in_hall| in_hall.cable_links.max(1))
        })
    };
    // The longest link of those that share a cable says how long it is.
    let mut bundles: BTreeMap<Bundle, (u32, u32)> = BTreeMap::new();
    let mut bundle_of = Vec::with_capacity(laid.len());
    for (place, laid_cable) in laid.iter().enumerate() {
        let bundle = cable_bundle(
            place,
            laid_cable,
            share(laid_cable.class == LinkClass::Host, reach[place]),
        );
        let next = bundles.len() as u32 + 1;
        let known = bundles.entry(bundle).or_insert((next, 0));
        known.1 = known.1.max(whole_metres(laid_cable.way));
        bundle_of.push(bundle);
    }
    let mut lengths: [BTreeMap<(u32, u32), u64>; 2] = Default::default();
    for (place, laid_cable) in laid.into_iter().enumerate() {
        let host = laid_cable.class == LinkClass::Host;
        let (cable, metres) = bundles[&bundle_of[place]];
        let reach = reach[place];
        let joined = *known.entry((host, reach, metres)).or_insert_with(|| {
            let joined = kinds.kind_for_reach(host, reach, metres)?;
            let at = all.joined.iter().position(|in_hall| *in_hall == joined);
            Some(at.unwrap_or_else(|| {
                all.joined.push(joined);
                all.joined.len() - 1
            }))
        });
        let cable_m =
            joined.map_or_else(|| stocked_cable_length(metres), |index| all.joined[index].cable_m);
        *lengths[usize::from(!host)].entry((stocked_cable_length(reach), cable_m)).or_insert(0) +=
            1;
        let LaidCable { ends, class, rail, plane, way, .. } = laid_cable;
        all.runs.push(CableRun { ends, class, rail, plane, way, cable, cable_m, joined });
    }
    let [host, uplink] = lengths.map(|all| {
        let each = all.into_iter();
        each.map(|((reach_m, cable_m), links)| Stretch { reach_m, cable_m, links }).collect()
    });
    all.lengths = Lengths { host, uplink };
    all
}

/// Whole metres that a cable has at least.
fn whole_metres(way: Metres) -> u32 {
    // A way of 15 m is 15 m, whatever the last bit of its sum says.
    (way.get() - 1e-9).ceil().max(1.0) as u32
}

/// Links that share a cable: those to interfaces of neighbouring lanes, and those between the same
/// two switches.
type Bundle = (usize, Option<Device>, u32, u32, Option<Device>);

/// How links of interfaces and links between switches fill cages.
struct LinkModes {
    host: Option<LinkKindInHall>,
    uplink: Option<LinkKindInHall>,
    alike: bool,
}

impl LinkModes {
    /// By what reaches the longest of each.
    fn for_longest_links(site: &CablingSite<'_>, floor: &Floor, kinds: &dyn LinkKinds) -> Self {
        let none = Self { host: None, uplink: None, alike: true };
        let (laid, _) = none.lay_links(site, floor);
        let lengths = |host: bool| -> BTreeSet<u32> {
            let filter = laid.iter().filter(|cable| (cable.class == LinkClass::Host) == host);
            filter.map(|cable| whole_metres(cable.way)).collect()
        };
        let joined = |host, metres| kinds.kind_for_reach(host, metres, metres);
        let last = |host: bool| lengths(host).last().and_then(|metres| joined(host, *metres));
        let (host, uplink) = (last(true), last(false));
        // A cage takes links of both where its module serves both, whatever reaches the hosts in
        // it.
        let alike = uplink.as_ref().is_none_or(|uplink| {
            let mut hosts = lengths(true).into_iter().filter_map(|metres| joined(true, metres));
            // A cable that several links share fills its place in a cage by itself.
            let same = |host: LinkKindInHall| {
                (&host.near_module, host.near_links) == (&uplink.near_module, uplink.near_links)
                    && host.cable_links == 1
            };
            !uplink.near_module.is_empty() && uplink.cable_links == 1 && hosts.all(same)
        });
        Self { host, uplink, alike }
    }

    const fn kind_of_class(&self, host: bool) -> Option<&LinkKindInHall> {
        if host { self.host.as_ref() } else { self.uplink.as_ref() }
    }

    /// Every link in the order of wiring, and the cages that nodes have in use.
    fn lay_links(&self, site: &CablingSite<'_>, floor: &Floor) -> (Vec<LaidCable>, Vec<u32>) {
        let graph = site.graph;
        let nodes: Vec<FabricNode> = graph.nodes().collect();
        let mut cages = vec![Cages::default(); nodes.len()];
        let mut used = vec![0_u32; nodes.len()];
        let (rails, planes) = rails_and_interface_links(site);
        let by_leaf = rails_of_leafs(site);
        let mut all = Vec::new();
        let mut between: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        for (low, high, cable) in graph.cables() {
            let host = cable.class == LinkClass::Host;
            let lanes = self.kind_of_class(host).map_or(1, |hall| hall.near_links);
            let far = self.kind_of_class(host).map_or(1, |hall| hall.far_links);
            let mode = !host && !self.alike;
            for _ in 0..cable.links {
                let ends = [low, high].map(|number| match nodes[number] {
                    FabricNode::Endpoint { domain, rail } => {
                        let link = rail * planes + used[number];
                        used[number] += 1;
                        let port = Port { cage: link / far + 1, lane: link % far + 1, lanes: far };
                        let seat = floor.machines.get(domain as usize);
                        let spot = seat.map(|seat| seat.port_spot(rail, rails, floor.whole_racks));
                        let spot = spot.unwrap_or(Spot { rack: usize::MAX, half_units: 2 });
                        End { device: Device::Machine(domain), port, spot }
                    }
                    FabricNode::Switch { .. } | FabricNode::Host { .. } => {
                        let port = cages[number].next_lane(mode, lanes);
                        let seat = floor.nodes[number].map(|seat| seat.device_middle());
                        let spot = seat.unwrap_or(Spot { rack: usize::MAX, half_units: 2 });
                        End { device: Device::Node(number), port, spot }
                    }
                });
                let way =
                    cable_length(site.hall, floor.height, &floor.racks, ends.map(|end| end.spot));
                let near = if host { ends[1] } else { ends[0] };
                let plane = match nodes[high] {
                    FabricNode::Switch { plane, .. } => plane,
                    _ => 0,
                };
                let rail = match nodes[low] {
                    FabricNode::Endpoint { rail, .. } => Some(rail),
                    _ => by_leaf[low],
                };
                let near = (near.device, near.port);
                let known = between.entry((low, high)).or_default();
                let place = *known;
                *known += 1;
                all.push(LaidCable { ends, class: cable.class, rail, plane, way, near, place });
            }
        }
        (all, cages.iter().map(Cages::used_cages).collect())
    }
}

/// What has the same cable, where so many links share one.
fn cable_bundle(place: usize, cable: &LaidCable, share: u32) -> Bundle {
    if share <= 1 {
        return (place, None, 0, 0, None);
    }
    let (device, port) = cable.near;
    match cable.class {
        LinkClass::Host => (usize::MAX, Some(device), port.cage, (port.lane - 1) / share, None),
        _ => (usize::MAX, Some(device), 0, cable.place / share, Some(cable.ends[1].device)),
    }
}

/// Metres that the kind of each link has to reach: where a module of the far end serves one link,
/// the longest of its cage at the switch; else the longest of its class, as shared modules tie it
/// all together.
fn required_reaches(laid: &[LaidCable], modes: &LinkModes) -> Vec<u32> {
    let apart = modes.host.as_ref().is_some_and(|hall| hall.far_links == 1);
    let key = |cable: &LaidCable| match cable.class == LinkClass::Host {
        true if apart => Some((cable.near.0, cable.near.1.cage)),
        true => Some((Device::Machine(0), 0)),
        false => None,
    };
    let mut longest = BTreeMap::new();
    for cable in laid {
        let known = longest.entry(key(cable)).or_insert(0);
        *known = whole_metres(cable.way).max(*known);
    }
    laid.iter().map(|cable| longest[&key(cable)]).collect()
}

/// Rails of a machine, and links that an interface has at most.
fn rails_and_interface_links(site: &CablingSite<'_>) -> (u32, u32) {
    let mut rails = 1;
    let mut links = BTreeMap::new();
    for (low, _, cable) in site.graph.cables() {
        if let Some(FabricNode::Endpoint { rail, .. }) = site.graph.node(low) {
            rails = rails.max(rail + 1);
            *links.entry(low).or_insert(0) += cable.links;
        }
    }
    (rails, links.into_values().max().unwrap_or(1))
}

/// The rail of each leaf switch that serves one alone, by node.
fn rails_of_leafs(site: &CablingSite<'_>) -> Vec<Option<u32>> {
    let mut rails: Vec<Option<Option<u32>>> = vec![None; site.graph.nodes().count()];
    for (low, high, _) in site.graph.cables() {
        let (from, to) = (site.graph.node(low), site.graph.node(high));
        let rail = match (from, to) {
            (
                Some(FabricNode::Endpoint { rail, .. }),
                Some(FabricNode::Switch { tier: TierName::Leaf, .. }),
            ) => Some(rail),
            _ => continue,
        };
        rails[high] = match rails[high] {
            None => Some(rail),
            Some(known) if known == rail => Some(known),
            Some(_) => Some(None),
        };
    }
    rails.into_iter().map(Option::flatten).collect()
}

/// Cages of one switch that are taken so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cages {
    taken: u32,
    open: [OpenCage; 2],
}

/// The last cage of a mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct OpenCage {
    cage: u32,
    lane: u32,
    lanes: u32,
}

impl Cages {
    /// The next port for a link with so many lanes a cage; of the `second` mode or the first.
    fn next_lane(&mut self, second: bool, lanes: u32) -> Port {
        let open = &mut self.open[usize::from(second)];
        if open.lane >= open.lanes {
            self.taken += 1;
            *open = OpenCage { cage: self.taken, lane: 0, lanes: lanes.max(1) };
        }
        open.lane += 1;
        Port { cage: open.cage, lane: open.lane, lanes: open.lanes }
    }

    /// Cages that are taken.
    const fn used_cages(&self) -> u32 {
        self.taken
    }
}

/// Pieces of one part that a cable list takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CableOrder {
    /// Part by its name in the catalogue.
    pub name: String,
    /// A module; else a cable.
    pub is_module: bool,
    pub count: u64,
}

impl Cabling {
    /// What all of it takes, by part: a module for each cage in use of a kind that has one, and
    /// every cable once, however many links share it. `None` where some link has no part.
    #[must_use]
    pub fn cable_orders(&self) -> Option<Vec<CableOrder>> {
        let mut modules: BTreeSet<(usize, bool, Device, u32)> = BTreeSet::new();
        let mut cables: BTreeSet<(usize, u32)> = BTreeSet::new();
        for run in &self.runs {
            let joined = run.joined?;
            let switch = usize::from(run.class == LinkClass::Host);
            for (place, end) in run.ends.iter().enumerate() {
                modules.insert((joined, place == switch, end.device, end.port.cage));
            }
            cables.insert((joined, run.cable));
        }
        let mut all: BTreeMap<(bool, &str), u64> = BTreeMap::new();
        // A cage has one module, also where cables of several lengths end in it.
        let mut plugged: BTreeSet<(&str, Device, u32)> = BTreeSet::new();
        for (joined, near, device, cage) in modules {
            let hall = &self.joined[joined];
            let module = if near { &hall.near_module } else { &hall.far_module };
            if !module.is_empty() && plugged.insert((module, device, cage)) {
                *all.entry((false, module)).or_insert(0) += 1;
            }
        }
        for (joined, _) in cables {
            let hall = &self.joined[joined];
            *all.entry((true, &hall.cable)).or_insert(0) += u64::from(hall.cables);
        }
        let each = all.into_iter().map(|((is_cable, name), count)| CableOrder {
            name: name.to_owned(),
            is_module: !is_cable,
            count,
        });
        Some(each.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Cages;

    #[test]
    fn links_fill_cages_and_each_mode_has_its_own() {
        let mut cages = Cages::default();
        let modes = [(false, 2), (false, 2), (false, 2), (true, 1), (true, 1), (false, 2)];
        let ports: Vec<String> = modes
            .into_iter()
            .map(|(mode, lanes)| cages.next_lane(mode, lanes).to_string())
            .collect();
        assert_eq!(ports, ["1.1", "1.2", "2.1", "3", "4", "2.2"]);
        assert_eq!(cages.used_cages(), 4);
    }
}
