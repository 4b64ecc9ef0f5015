//! A plan in its hall: where every part of it stands, and every cable of it. Designs nothing.

use std::fmt;

use super::plan::Plan;
use super::wiring::{WiringProblem, wiring};
use crate::cost::joint;
use crate::design::candidate::linking::{Linking, allowed};
use crate::design::candidate::machine::Machine;
use crate::fabric::FabricGraph;
use crate::hall::{
    Body, Cabling, Floor, HallProblem, Joined, Kinds, Machines, Site, cabling, placed,
};
use crate::hardware::{Cage, Protocol, Rack, Switch};
use crate::scenario::{Hall, Scenario};
use crate::timing::Balance;
use crate::units::{Bandwidth, Watts};

/// A plan in its hall.
#[derive(Clone, Debug)]
pub struct Installed {
    /// The fabric, cable by cable.
    pub graph: FabricGraph,
    /// Where racks, machines and switches stand.
    pub floor: Floor,
    /// Every cable.
    pub cabling: Cabling,
    /// The hall.
    pub hall: Hall,
    /// What a rack of it offers.
    pub rack: Rack,
    /// Cage of the switches, and that of the interfaces; `None` where nobody says.
    pub cages: [Option<Cage>; 2],
    /// What its switches speak.
    pub protocol: Protocol,
}

/// Why a plan can't be put into its hall.
#[derive(Clone, Debug, PartialEq)]
pub enum NotInstalled {
    /// Its fabric can't be wired.
    Wiring(WiringProblem),
    /// Its racks can't be placed.
    Hall(HallProblem),
}

impl fmt::Display for NotInstalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wiring(problem) => problem.fmt(f),
            Self::Hall(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for NotInstalled {}

/// Places a plan in the hall of its scenario, or in one that has all defaults, and lays its cables.
///
/// # Errors
/// Where its fabric can't be wired, or its racks can't be placed.
pub fn installed(scenario: &Scenario, plan: &Plan) -> Result<Installed, NotInstalled> {
    let graph = wiring(plan).map_err(NotInstalled::Wiring)?;
    let hall = scenario.hall.clone();
    let rack = Rack {
        units: hall.rack_units.unwrap_or(scenario.limits.rack.units),
        power: hall.rack_power.or(scenario.limits.rack.power),
    };
    let chosen = &plan.nodes;
    let balance = Balance::of(&scenario.cluster);
    let machine = Machine { node: &chosen.node, nic: &chosen.nic, balance };
    let models: Vec<Option<&Switch>> =
        graph.models().iter().map(|sku| model(scenario, &sku.name)).collect();
    let first = models.iter().flatten().next();
    let protocol = first.map_or(Protocol::Ethernet, |switch| switch.protocol);
    let ports = plan.fabric.ports_of_a_nic();
    let linking = Linking::of(scenario, machine, ports, protocol);
    let near = match &linking {
        Linking::Parts(_, cage) => Some(*cage),
        Linking::ByEnd | Linking::Apart => first.and_then(|switch| switch.cage),
    };
    let far = machine.cage(ports);
    let end = match &linking {
        Linking::Parts(parts, _) => parts.port_power(&scenario.catalogue),
        Linking::ByEnd | Linking::Apart => {
            scenario.catalogue.optic(graph.link()).map_or(Watts::ZERO, |optic| optic.power)
        }
    };
    let body = |(sku, switch): (&crate::fabric::Sku, &Option<&Switch>)| Body {
        name: sku.name.clone(),
        units: switch.and_then(|of| of.rack_units),
        power: switch.map_or(Watts::ZERO, |of| of.power + end * f64::from(of.radix(graph.link()))),
    };
    let site = Site {
        hall: &hall,
        rack,
        graph: &graph,
        machines: Machines {
            name: chosen.node.name.clone(),
            space: chosen.node.space,
            power: chosen.node.power,
        },
        switches: graph.models().iter().zip(&models).map(body).collect(),
    };
    let floor = placed(&site).map_err(NotInstalled::Hall)?;
    let rates = [graph.link(), plan.fabric.uplink];
    let kinds = Sold { scenario, rates, cages: near.zip(far) };
    let cabling = cabling(&site, &floor, &kinds);
    Ok(Installed { floor, cabling, rack, cages: [near, far], protocol, hall, graph })
}

/// A switch model by its name.
fn model<'a>(scenario: &'a Scenario, name: &str) -> Option<&'a Switch> {
    let all = scenario.catalogue.switches.iter();
    let chosen = allowed(scenario).find(|of| of.name == name);
    chosen.or_else(|| all.into_iter().find(|of| of.name == name))
}

/// What the catalogue and the price book of a scenario sell between two cages.
struct Sold<'a> {
    scenario: &'a Scenario,
    /// Of a link to an interface, and of one between switches.
    rates: [Bandwidth; 2],
    /// Of the switches and of the interfaces; `None` where nobody says.
    cages: Option<(Cage, Cage)>,
}

impl Kinds for Sold<'_> {
    fn joined(&self, host: bool, reach_m: u32, cable_m: u32) -> Option<Joined> {
        let (near, far) = self.cages?;
        let ends = if host { (near, far) } else { (near, near) };
        let (catalogue, prices) = (&self.scenario.catalogue, &self.scenario.prices);
        let rate = self.rates[usize::from(!host)];
        let found = joint(catalogue, prices, rate, ends, (reach_m, cable_m))?;
        let module = |of: &Option<String>| of.clone().unwrap_or_default();
        Some(Joined {
            kind: found.kind.name.clone(),
            cable: found.cable.name.clone(),
            cable_m: found.cable.length_m,
            family: found.kind.cable.name().to_owned(),
            near_links: found.kind.near_links,
            far_links: found.kind.far_links,
            cables: found.kind.cables,
            cable_links: found.kind.cable_links,
            near_module: module(&found.kind.near_module),
            far_module: module(&found.kind.far_module),
        })
    }
}
