//! A fabric in its hall, without its cables: the racks that every report counts. Designs nothing.

use crate::design::candidate::other_networks::{NetworkSite as Around, count_other_networks};
use crate::design::candidate::priced_links::{LinkPurchase, allowed_switches};
use crate::design::columns::limits::{RackReport, count_racks};
use crate::design::job::job::Job;
use crate::design::job::machine::Machine;
use crate::design::plan::other_networks::{
    OtherNetworks, bill_other_networks, other_networks_without_hall,
};
use crate::fabric::{Counts, FabricGraph, SwitchModel};
use crate::hall::{
    DeviceBody, Floor, HallProblem, HallSite, MachineBodies, OtherDevices, RackRole, Sharing,
    place_racks,
};
use crate::hardware::{Cage, Node, Protocol, Switch};
use crate::scenario::Scenario;
use crate::units::Watts;

/// What stands in a hall.
pub(crate) struct HallContents<'a> {
    pub(crate) scenario: &'a Scenario,
    /// The machine, with its interface.
    pub(crate) machine: Machine<'a>,
    /// HB domains that a network joins, and those that stand by and that none does.
    pub(crate) domains: (u32, u64),
    pub(crate) counts: &'a Counts,
    pub(crate) graph: &'a FabricGraph,
}

/// Where it stands.
pub(crate) struct RackedFabric {
    pub(crate) floor: Floor,
    /// What stands beside the compute network.
    pub(crate) others: OtherDevices,
    /// The networks beside it, billed; `None` where the spec asks for none.
    pub(crate) networks: Option<OtherNetworks>,
}

/// Cages of switches and interfaces, and what the switches speak.
pub(crate) struct LinkEnds {
    pub(crate) near: Option<Cage>,
    pub(crate) far: Option<Cage>,
    pub(crate) protocol: Protocol,
    /// What a port of a switch draws with what is plugged into it.
    power: Watts,
}

impl HallContents<'_> {
    /// Racks with everything in its place. Scalable units have racks of their own as long as there
    /// are enough; else they share them.
    ///
    /// # Errors
    /// Where nobody says how much room a part takes, a rack can't hold one, or rows are too few.
    pub(crate) fn place_in_racks(&self) -> Result<RackedFabric, HallProblem> {
        let apart = if self.scenario.hall.packed {
            None
        } else {
            match self.place_with_sharing(Sharing::Apart) {
                Err(HallProblem::Rows { .. }) => None,
                found => Some(found?),
            }
        };
        let most = self.scenario.limits.racks;
        let enough =
            |fabric: &RackedFabric| most.is_none_or(|most| fabric.floor.racks.len() as u64 <= most);
        match apart.filter(enough) {
            Some(found) => Ok(found),
            None => self.place_with_sharing(Sharing::Shared),
        }
    }

    /// The racks that a report counts.
    pub(crate) fn rack_report(&self, housed: &RackedFabric) -> RackReport {
        let RackedFabric { floor, .. } = housed;
        let limits = &self.scenario.limits;
        let all = floor.racks.len() as u64;
        // Where units share racks already, these are as few as there can be.
        let shared =
            (!floor.shared).then(|| self.place_with_sharing(Sharing::Shared).ok()).flatten();
        RackReport {
            nodes: floor.racks_of(RackRole::Machines),
            switches: floor.racks_of(RackRole::Leafs) + floor.racks_of(RackRole::Spines),
            others: floor.racks_of(RackRole::Others),
            fullest: floor.max_rack_power(),
            most: limits.racks,
            rack: limits.rack,
            least: shared.map_or(all, |fabric| fabric.floor.racks.len() as u64),
        }
    }

    fn place_with_sharing(&self, sharing: Sharing) -> Result<RackedFabric, HallProblem> {
        let (scenario, ends) = (self.scenario, self.link_ends());
        let Node { name, space, power, .. } = self.machine.node;
        let rack = scenario.limits.rack;
        let link = self.graph.port_rate();
        let body = |sku: &SwitchModel| {
            let switch = find_switch_model(scenario, &sku.name);
            let lit = |switch_model: &Switch| {
                switch_model.power + ends.power * f64::from(switch_model.radix(link))
            };
            DeviceBody {
                name: sku.name.clone(),
                units: switch.and_then(|switch_model| switch_model.rack_units),
                power: switch.map_or(Watts::ZERO, lit),
            }
        };
        let site = HallSite {
            hall: &scenario.hall,
            rack,
            graph: self.graph,
            machines: MachineBodies {
                name: name.clone(),
                space: *space,
                power: *power,
                standby: u32::try_from(self.domains.1).unwrap_or(u32::MAX),
            },
            switches: self.graph.switch_models().iter().map(body).collect(),
        };
        let floor = place_racks(&site, sharing)?;
        let own = floor.racks_of(RackRole::Machines);
        let around = Around {
            racks: Some((own, floor.racks.len() as u64 - own)),
            ..self.around_without_racks(ends.protocol)
        };
        let (networks, others) = if scenario.networks.is_empty() {
            (None, OtherDevices::default())
        } else {
            let counts = count_other_networks(scenario, &around, &rack);
            (Some(bill_other_networks(scenario, &around, &counts)), counts.others)
        };
        let floor = floor.add_other_devices(&scenario.hall, &rack, &others)?;
        Ok(RackedFabric { floor, others, networks })
    }

    /// What the other networks have to know where nobody knows racks.
    fn around_without_racks(&self, protocol: Protocol) -> Around {
        Around {
            nodes: u64::from(self.domains.0) + self.domains.1,
            switches: self.counts.switch_count(),
            infiniband: protocol == Protocol::Infiniband,
            racks: None,
        }
    }

    /// What links end in.
    pub(crate) fn link_ends(&self) -> LinkEnds {
        let Self { scenario, machine, counts, graph, .. } = self;
        let ports = counts.ports_of_a_nic();
        let mut models =
            graph.switch_models().iter().filter_map(|sku| find_switch_model(scenario, &sku.name));
        let first = models.next();
        let protocol = first.map_or(Protocol::Ethernet, |switch| switch.protocol);
        let linking = LinkPurchase::for_machine(scenario, *machine, ports, protocol);
        let (near, power) = match &linking {
            LinkPurchase::Parts(parts, cage) => {
                (Some(*cage), parts.port_power(&scenario.catalogue))
            }
            LinkPurchase::ByEnd | LinkPurchase::Apart => (
                first.and_then(|switch| switch.cage),
                scenario
                    .catalogue
                    .find_optic(graph.port_rate())
                    .map_or(Watts::ZERO, |optic| optic.power),
            ),
        };
        LinkEnds { near, far: machine.link_cage(ports), protocol, power }
    }
}

/// A switch model by its name.
fn find_switch_model<'a>(scenario: &'a Scenario, name: &str) -> Option<&'a Switch> {
    let all = scenario.catalogue.switches.iter();
    let chosen = allowed_switches(scenario).find(|switch| switch.name == name);
    chosen.or_else(|| all.into_iter().find(|switch| switch.name == name))
}

/// Racks of a job with its fabric, where somebody asks for them, and the networks beside it: as
/// they stand in the hall, or as few as there can be where the fabric can't be wired.
pub(super) fn racks_as_placed(
    job: &Job<'_>,
    counts: &Counts,
    graph: Option<&FabricGraph>,
) -> (Option<RackReport>, Option<OtherNetworks>) {
    let Job { scenario, machine, .. } = *job;
    let domains = (job.networked_domains(), job.standby_domains_without_ports());
    if !asks_for_racks(scenario) {
        return (None, None);
    }
    let tenants = graph.map(|graph| HallContents { scenario, machine, domains, counts, graph });
    if let Some(contents) = &tenants
        && let Ok(housed) = contents.place_in_racks()
    {
        let report = contents.rack_report(&housed);
        return (Some(report), housed.networks);
    }
    let counted = count_racks(job, counts, &scenario.limits).filter(|_| tenants.is_none());
    (counted, other_networks_without_hall(job, counts, counted.as_ref()))
}

/// True where somebody asks for racks: limits, a hall, other networks or work on site.
fn asks_for_racks(scenario: &Scenario) -> bool {
    let hours = scenario.installation.as_ref().is_some_and(|installation| installation.rack > 0.0);
    scenario.limits.bound_racks() || scenario.hall.stated || !scenario.networks.is_empty() || hours
}
