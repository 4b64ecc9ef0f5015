//! Places machines and switches in racks, and racks in rows, by one rule: machines of a scalable
//! unit side by side with their leaf switches among them, switches above the leafs in the middle of
//! the hall, what stands beside the compute network behind the last of them.

use super::rack::{HallProblem, RackPlace, RackRole, RackSeat};
use super::rack_filling::{
    DraftRack, OtherDevices, RackContent, RackItem, ScalableUnit, fill_racks, scalable_units,
    stack_in_racks,
};
use crate::fabric::{FabricGraph, FabricNode};
use crate::hardware::{Rack, RackSpace};
use crate::scenario::{Hall, LeafRacks};
use crate::units::Watts;

/// A switch model as a hall sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceBody {
    pub name: String,
    /// Height in rack units; `None` where nobody says.
    pub units: Option<u32>,
    /// What it draws with every port lit.
    pub power: Watts,
}

/// Machines as a hall sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineBodies {
    pub name: String,
    /// Room of one; `None` where nobody says.
    pub space: Option<RackSpace>,
    pub power: Watts,
    /// How many stand by, behind those of the graph.
    pub standby: u32,
}

/// What is placed, and where.
#[derive(Clone, Debug)]
pub struct HallSite<'a> {
    pub hall: &'a Hall,
    pub rack: Rack,
    pub graph: &'a FabricGraph,
    pub machines: MachineBodies,
    /// Its switches by model, in the order of the graph's models.
    pub switches: Vec<DeviceBody>,
}

/// Which racks scalable units have to themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Machines and leaf switches of a unit have racks of their own.
    Apart,
    /// All units share racks, and so do leaf switches and those above them: as few racks as there
    /// can be.
    Shared,
}

/// Where everything stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Floor {
    /// Racks, row by row.
    pub racks: Vec<RackPlace>,
    /// Machines, by the number of their HB domain.
    pub machines: Vec<RackSeat>,
    /// Switches and other hosts by node of the graph; `None` for interfaces.
    pub nodes: Vec<Option<RackSeat>>,
    /// What stands beside the compute network, in the order of [`OtherDevices::device_kinds`].
    pub beside: Vec<RackSeat>,
    /// True where scalable units share racks.
    pub shared: bool,
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
    pub fn rows_in_use(&self) -> u32 {
        self.racks.last().map_or(0, |last| last.row + 1)
    }

    /// Racks that hold such things.
    #[must_use]
    pub fn racks_of(&self, role: RackRole) -> u64 {
        self.racks.iter().filter(|rack| rack.role == role).count() as u64
    }

    /// Power of the rack that draws most.
    #[must_use]
    pub fn max_rack_power(&self) -> Watts {
        self.racks.iter().map(|rack| rack.power).fold(Watts::ZERO, Watts::max)
    }
}

/// Places machines and switches of the compute network.
///
/// # Errors
/// Where nobody says how much room a part takes, or a rack can't hold one.
pub fn place_racks(site: &HallSite<'_>, sharing: Sharing) -> Result<Floor, HallProblem> {
    let units = scalable_units(site.graph, site.hall.unit_machines);
    let mut floor = Floor {
        nodes: vec![None; site.graph.nodes().count()],
        machines: Vec::new(),
        beside: Vec::new(),
        shared: sharing == Sharing::Shared && units.len() > 1,
        whole_racks: matches!(site.machines.space, Some(RackSpace::Racks(_))),
        units: units.len() as u32,
        height: site.rack.units,
        racks: Vec::new(),
    };
    let above: Vec<usize> = site.nodes_outside_units(&units);
    let groups = match sharing {
        Sharing::Apart => {
            let numbered = units.iter().zip(0_u32..);
            let each = numbered.map(|(unit, number)| Ok((Some(number), site.racks_of_unit(unit)?)));
            let mut groups = each.collect::<Result<Vec<_>, HallProblem>>()?;
            let middle = groups.len().div_ceil(2);
            groups.insert(middle, (None, site.switch_racks(&above, RackRole::Spines)?));
            groups.push((None, site.machine_racks(&site.standby_machines(&units))?));
            groups
        }
        Sharing::Shared => {
            let machines = units.iter().flat_map(|unit| unit.machines.iter().copied());
            let machines = machines.chain(site.standby_machines(&units));
            let leafs = units.iter().flat_map(|unit| unit.leafs.iter().copied());
            let all =
                ScalableUnit { machines: machines.collect(), leafs: leafs.chain(above).collect() };
            vec![(None, site.racks_of_unit(&all)?)]
        }
    };
    let mut machines: Vec<(u32, RackSeat)> = Vec::new();
    for (unit, drafts) in groups {
        place_racks_in_rows(site.hall, &mut floor, unit, drafts, |floor, held, seat| match held {
            RackContent::Machine(domain, racks) => {
                machines.push((domain, RackSeat { racks, ..seat }))
            }
            RackContent::Number(node) => floor.nodes[node] = Some(seat),
        });
    }
    machines.sort_by_key(|(domain, _)| *domain);
    floor.machines = machines.into_iter().map(|(_, seat)| seat).collect();
    Ok(floor)
}

impl Floor {
    /// The floor with what stands beside the compute network behind it.
    ///
    /// # Errors
    /// Where a rack can't hold a part of it, or rows are too few.
    pub fn add_other_devices(
        mut self,
        hall: &Hall,
        rack: &Rack,
        others: &OtherDevices,
    ) -> Result<Self, HallProblem> {
        let count = others.device_kinds().map(|group| group.count as usize).sum();
        let mut seats = vec![RackSeat { rack: 0, racks: 1, bottom: 1, height: 1 }; count];
        place_racks_in_rows(
            hall,
            &mut self,
            None,
            stack_in_racks(rack, others)?,
            |_, held, seat| {
                if let RackContent::Number(number) = held
                    && let Some(place) = seats.get_mut(number)
                {
                    *place = seat;
                }
            },
        );
        self.beside = seats;
        match hall.rows {
            Some(has) if self.rows_in_use() > has => {
                Err(HallProblem::Rows { needs: self.rows_in_use(), has })
            }
            _ => Ok(self),
        }
    }
}

impl HallSite<'_> {
    /// Racks of a scalable unit in their order.
    fn racks_of_unit(&self, unit: &ScalableUnit) -> Result<Vec<DraftRack>, HallProblem> {
        let mut machines = self.machine_racks(&unit.machines)?;
        let leafs = self.switch_racks(&unit.leafs, RackRole::Leafs)?;
        let before = match self.hall.leaf_racks {
            LeafRacks::Middle => machines.len() / 2,
            LeafRacks::End => machines.len(),
        };
        machines.splice(before..before, leafs);
        Ok(machines)
    }

    fn machine_racks(&self, domains: &[u32]) -> Result<Vec<DraftRack>, HallProblem> {
        let MachineBodies { name, space, power, .. } = &self.machines;
        let too_big = |units| HallProblem::TooBig {
            part: name.clone(),
            units,
            power: *power,
            rack: self.rack,
        };
        let draft = |holds, power| DraftRack { role: RackRole::Machines, power, holds };
        match *space {
            None => Err(HallProblem::NoMachineSpace { node: name.clone() }),
            Some(RackSpace::Racks(racks)) => {
                let racks = racks.max(1);
                let each = *power / f64::from(racks);
                if self.rack.most_power().is_some_and(|most| each > most) {
                    return Err(too_big(0));
                }
                let read = |(domain, number): (&u32, u32)| {
                    let first = (RackContent::Machine(*domain, racks), 1, self.rack.units);
                    draft(if number == 0 { vec![first] } else { Vec::new() }, each)
                };
                let all = domains.iter().flat_map(|domain| (0..racks).map(move |n| (domain, n)));
                Ok(all.map(read).collect())
            }
            Some(RackSpace::Units(units)) => {
                let fit = self.rack.holds_machines(units, *power);
                if fit == 0 {
                    return Err(too_big(units));
                }
                let read = |some: &[u32]| {
                    let holds = some.iter().zip(0..);
                    let holds = holds
                        .map(|(count, n)| (RackContent::Machine(*count, 1), 1 + n * units, units));
                    draft(holds.collect(), *power * some.len() as f64)
                };
                Ok(domains.chunks(fit as usize).map(read).collect())
            }
        }
    }

    /// Racks of switches, a model each.
    fn switch_racks(&self, nodes: &[usize], role: RackRole) -> Result<Vec<DraftRack>, HallProblem> {
        let mut sorted = nodes.to_vec();
        sorted.sort_by_key(|node| self.switch_model(*node));
        let mut all = Vec::new();
        for nodes in sorted.chunk_by(|a, b| self.switch_model(*a) == self.switch_model(*b)) {
            let item = |node: &usize| {
                let (units, power) = self.switch_height_and_power(*node)?;
                Ok(RackItem { number: *node, units, power })
            };
            let items = nodes.iter().map(item).collect::<Result<Vec<_>, HallProblem>>()?;
            all.extend(fill_racks(&self.rack, self.rack.switches, role, items));
        }
        Ok(all)
    }

    fn switch_model(&self, node: usize) -> Option<u32> {
        match self.graph.node(node) {
            Some(FabricNode::Switch { model, .. }) => Some(model),
            _ => None,
        }
    }

    /// Height and power of a switch; another host is a unit high.
    fn switch_height_and_power(&self, node: usize) -> Result<(u32, Watts), HallProblem> {
        let Some(model) = self.switch_model(node) else { return Ok((1, Watts::ZERO)) };
        let body = self.switches.get(model as usize);
        let name = body.map_or_else(String::new, |device_body| device_body.name.clone());
        let Some((units, power)) =
            body.and_then(|device_body| Some((device_body.units?.max(1), device_body.power)))
        else {
            return Err(HallProblem::NoSwitchSpace { model: name });
        };
        match self.rack.holds_switches(units, power) {
            0 => Err(HallProblem::TooBig { part: name, units, power, rack: self.rack }),
            _ => Ok((units, power)),
        }
    }

    /// Numbers of the machines that stand by: behind those of the units.
    fn standby_machines(&self, units: &[ScalableUnit]) -> Vec<u32> {
        let last = units.iter().flat_map(|unit| &unit.machines).max();
        let first = last.map_or(0, |last| last + 1);
        (first..first.saturating_add(self.machines.standby)).collect()
    }

    /// Everything that is in no scalable unit, in the order of the graph.
    fn nodes_outside_units(&self, units: &[ScalableUnit]) -> Vec<usize> {
        let mut inside = vec![false; self.graph.nodes().count()];
        units.iter().flat_map(|unit| &unit.leafs).for_each(|leaf| inside[*leaf] = true);
        let nodes = self.graph.nodes().enumerate();
        let outside = nodes.filter(|(number, node)| {
            !inside[*number] && matches!(node, FabricNode::Switch { .. } | FabricNode::Host { .. })
        });
        outside.map(|(number, _)| number).collect()
    }
}

/// Gives the racks of a group their places behind those that have one: a group that does not fit
/// into what is left of a row begins the next one, unless it is longer than a row. `put` is told of
/// each device.
fn place_racks_in_rows(
    hall: &Hall,
    floor: &mut Floor,
    unit: Option<u32>,
    drafts: Vec<DraftRack>,
    mut put: impl FnMut(&mut Floor, RackContent, RackSeat),
) {
    let width = hall.racks_per_row.max(1);
    let (mut row, mut place) = floor.racks.last().map_or((0, 0), |last| (last.row, last.place + 1));
    let length = u32::try_from(drafts.len()).unwrap_or(u32::MAX);
    if place > 0 && length <= width && place.saturating_add(length) > width {
        (row, place) = (row + 1, 0);
    }
    for DraftRack { role, power, holds } in drafts {
        if place == width {
            (row, place) = (row + 1, 0);
        }
        let rack = floor.racks.len();
        floor.racks.push(RackPlace { row, place, role, unit, power });
        place += 1;
        for (held, bottom, height) in holds {
            put(floor, held, RackSeat { rack, racks: 1, bottom, height });
        }
    }
}
