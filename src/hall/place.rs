//! Places machines and switches in racks, and racks in rows, by one rule: machines of a scalable unit
//! side by side with their leaf switches among them, switches above the leafs in the middle of the hall.

use super::group::{Unit, units};
use super::problem::HallProblem;
use super::rack::{RackPlace, RackRole, Seat};
use crate::fabric::{FabricGraph, Node};
use crate::hardware::{Rack, Space};
use crate::scenario::{Hall, LeafRacks};
use crate::units::Watts;

/// A switch model as a hall sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name in the catalogue.
    pub name: String,
    /// Height in rack units; `None` where nobody says.
    pub units: Option<u32>,
    /// What it draws with every port lit.
    pub power: Watts,
}

/// Machines as a hall sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct Machines {
    /// Name of the product.
    pub name: String,
    /// Room of one; `None` where nobody says.
    pub space: Option<Space>,
    /// What one draws.
    pub power: Watts,
}

/// What is placed, and where.
#[derive(Clone, Debug)]
pub struct Site<'a> {
    /// The hall.
    pub hall: &'a Hall,
    /// What a rack offers.
    pub rack: Rack,
    /// The fabric.
    pub graph: &'a FabricGraph,
    /// Its machines.
    pub machines: Machines,
    /// Its switches by model, in the order of the graph's models.
    pub switches: Vec<Body>,
}

/// Where everything stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Floor {
    /// Racks, row by row.
    pub racks: Vec<RackPlace>,
    /// Machines, by the number of their HB domain.
    pub machines: Vec<Seat>,
    /// Switches and other hosts by node of the graph; `None` for interfaces.
    pub nodes: Vec<Option<Seat>>,
    /// True where a machine has racks to itself.
    pub whole_racks: bool,
    /// Scalable units.
    pub units: u32,
    /// Usable height of a rack.
    pub height: u32,
}

impl Floor {
    /// Rows in use.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.racks.last().map_or(0, |last| last.row + 1)
    }
}

/// A rack that has no place yet.
struct Draft {
    role: RackRole,
    power: Watts,
    holds: Vec<(Held, u32, u32)>,
}

/// What a rack holds: bottom and height follow it.
#[derive(Clone, Copy)]
enum Held {
    /// A machine, and the racks that it takes from this one on.
    Machine(u32, u32),
    Node(usize),
}

/// Places a cluster.
///
/// # Errors
/// Where nobody says how much room a part takes, a rack can't hold one, or rows are too few.
pub fn placed(site: &Site<'_>) -> Result<Floor, HallProblem> {
    let units = units(site.graph, site.hall.unit_machines);
    let mut groups = Vec::new();
    for (unit, number) in units.iter().zip(0_u32..) {
        groups.push((Some(number), site.unit(unit)?));
    }
    let above: Vec<usize> = site.above(&units);
    let middle = groups.len().div_ceil(2);
    groups.insert(middle, (None, site.network(&above, RackRole::Spines)?));
    let floor = Floor {
        nodes: vec![None; site.graph.nodes().count()],
        machines: Vec::new(),
        whole_racks: matches!(site.machines.space, Some(Space::Racks(_))),
        units: units.len() as u32,
        height: site.rack.units,
        racks: Vec::new(),
    };
    let floor = folded(site.hall, floor, groups);
    match site.hall.rows {
        Some(has) if floor.rows() > has => Err(HallProblem::Rows { needs: floor.rows(), has }),
        _ => Ok(floor),
    }
}

impl Site<'_> {
    /// Racks of a scalable unit in their order.
    fn unit(&self, unit: &Unit) -> Result<Vec<Draft>, HallProblem> {
        let mut machines = self.machines(&unit.machines)?;
        let leafs = self.network(&unit.leafs, RackRole::Leafs)?;
        let before = match self.hall.leaf_racks {
            LeafRacks::Middle => machines.len() / 2,
            LeafRacks::End => machines.len(),
        };
        machines.splice(before..before, leafs);
        Ok(machines)
    }

    fn machines(&self, domains: &[u32]) -> Result<Vec<Draft>, HallProblem> {
        let Machines { name, space, power } = &self.machines;
        let too_big = |units| HallProblem::TooBig {
            part: name.clone(),
            units,
            power: *power,
            rack: self.rack,
        };
        let draft = |holds, power| Draft { role: RackRole::Machines, power, holds };
        match *space {
            None => Err(HallProblem::NoMachineSpace { node: name.clone() }),
            Some(Space::Racks(racks)) => {
                let racks = racks.max(1);
                let each = *power / f64::from(racks);
                if self.rack.power.is_some_and(|most| each > most) {
                    return Err(too_big(0));
                }
                let of = |(domain, number): (&u32, u32)| {
                    let first = (Held::Machine(*domain, racks), 1, self.rack.units);
                    draft(if number == 0 { vec![first] } else { Vec::new() }, each)
                };
                let all = domains.iter().flat_map(|domain| (0..racks).map(move |n| (domain, n)));
                Ok(all.map(of).collect())
            }
            Some(Space::Units(units)) => {
                let fit = self.rack.holds(units, *power);
                let fit = self.hall.machines_per_rack.map_or(fit, |most| fit.min(most.into()));
                if fit == 0 {
                    return Err(too_big(units));
                }
                let of = |some: &[u32]| {
                    let holds = some.iter().zip(0..);
                    let holds = holds.map(|(of, n)| (Held::Machine(*of, 1), 1 + n * units, units));
                    draft(holds.collect(), *power * some.len() as f64)
                };
                Ok(domains.chunks(fit as usize).map(of).collect())
            }
        }
    }

    /// Racks of switches, filled from the top, where the trays are, as far as height and power go.
    fn network(&self, nodes: &[usize], role: RackRole) -> Result<Vec<Draft>, HallProblem> {
        let most = self.hall.switches_per_rack.map_or(usize::MAX, |most| most as usize);
        let mut racks: Vec<Draft> = Vec::new();
        let mut top = 0;
        for node in nodes {
            let (units, power) = self.body(*node)?;
            let room = |of: &&mut Draft| {
                let fed = self.rack.power.is_none_or(|most| of.power + power <= most);
                units <= top && fed && of.holds.len() < most
            };
            let bottom = |top: u32| top + 1 - units;
            match racks.last_mut().filter(room) {
                Some(rack) => {
                    rack.power += power;
                    rack.holds.push((Held::Node(*node), bottom(top), units));
                    top -= units;
                }
                None => {
                    let full = self.rack.units;
                    let holds = vec![(Held::Node(*node), bottom(full), units)];
                    racks.push(Draft { role, power, holds });
                    top = full - units;
                }
            }
        }
        Ok(racks)
    }

    /// Height and power of a switch; another host is a unit high.
    fn body(&self, node: usize) -> Result<(u32, Watts), HallProblem> {
        let Some(Node::Switch { model, .. }) = self.graph.node(node) else {
            return Ok((1, Watts::ZERO));
        };
        let body = self.switches.get(model as usize);
        let name = body.map_or_else(String::new, |of| of.name.clone());
        let Some((units, power)) = body.and_then(|of| Some((of.units?.max(1), of.power))) else {
            return Err(HallProblem::NoSwitchSpace { model: name });
        };
        match self.rack.holds(units, power) {
            0 => Err(HallProblem::TooBig { part: name, units, power, rack: self.rack }),
            _ => Ok((units, power)),
        }
    }

    /// Everything that is in no scalable unit, in the order of the graph.
    fn above(&self, units: &[Unit]) -> Vec<usize> {
        let mut inside = vec![false; self.graph.nodes().count()];
        units.iter().flat_map(|unit| &unit.leafs).for_each(|leaf| inside[*leaf] = true);
        let nodes = self.graph.nodes().enumerate();
        let outside = nodes.filter(|(number, node)| {
            !inside[*number] && matches!(node, Node::Switch { .. } | Node::Host { .. })
        });
        outside.map(|(number, _)| number).collect()
    }
}

/// Gives racks their places: a group that does not fit into what is left of a row begins the next one,
/// unless it is longer than a row.
fn folded(hall: &Hall, mut floor: Floor, groups: Vec<(Option<u32>, Vec<Draft>)>) -> Floor {
    let width = hall.racks_per_row.max(1);
    let (mut row, mut place) = (0, 0);
    let mut machines: Vec<(u32, Seat)> = Vec::new();
    for (unit, drafts) in groups {
        let length = u32::try_from(drafts.len()).unwrap_or(u32::MAX);
        if place > 0 && length <= width && place + length > width {
            (row, place) = (row + 1, 0);
        }
        for Draft { role, power, holds } in drafts {
            if place == width {
                (row, place) = (row + 1, 0);
            }
            let rack = floor.racks.len();
            floor.racks.push(RackPlace { row, place, role, unit, power });
            place += 1;
            for (held, bottom, height) in holds {
                match held {
                    Held::Machine(domain, racks) => {
                        machines.push((domain, Seat { rack, racks, bottom, height }));
                    }
                    Held::Node(node) => {
                        floor.nodes[node] = Some(Seat { rack, racks: 1, bottom, height });
                    }
                }
            }
        }
    }
    machines.sort_by_key(|(domain, _)| *domain);
    floor.machines = machines.into_iter().map(|(_, seat)| seat).collect();
    floor
}
