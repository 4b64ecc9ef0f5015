//! Plan in its hall: cables, wiring, bill of links.

use std::fmt;

use super::hall_racks::{HallContents, LinkEnds, RackedFabric};
use crate::cost::{
    BillLine, LinkDemand, LinkWithCable, PurchasedPart, Role, cheapest_link_with_cable,
};
use crate::design::candidate::machine_cost::{bill_with_network, links_of_fabric};
use crate::design::candidate::priced_links::LinkPurchase;
use crate::design::job::job::{Job, NodeChoice};
use crate::design::job::machine::Machine;
use crate::design::plan::plan::Plan;
use crate::fabric::{Blueprint, Counts, FabricGraph, FabricKind, FabricProblem};
use crate::hall::{
    CableOrder, Cabling, Floor, HallProblem, LinkKindInHall, LinkKinds, OtherDevices,
    lay_fabric_cables,
};
use crate::hardware::{Cage, Catalogue, LinkPricing, Protocol, Rack};
use crate::scenario::{Hall, Scenario};
use crate::timing::UplinkBalance;
use crate::units::Bandwidth;

/// A plan in its hall.
#[derive(Clone, Debug)]
pub struct InstalledPlan {
    /// The fabric, cable by cable.
    pub graph: FabricGraph,
    /// Where racks, machines and switches stand.
    pub floor: Floor,
    /// What stands beside the compute network, in the order of its seats.
    pub others: OtherDevices,
    pub cabling: Cabling,
    pub hall: Hall,
    /// What a rack of it offers.
    pub rack: Rack,
    /// Cage of the switches, and that of the interfaces; `None` where nobody says.
    pub cages: [Option<Cage>; 2],
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
pub fn installed(scenario: &Scenario, plan: &Plan) -> Result<InstalledPlan, NotInstalled> {
    let graph = wiring(plan).map_err(NotInstalled::Wiring)?;
    let tenants = hall_contents(scenario, plan, &graph);
    let LinkEnds { near, far, protocol, .. } = tenants.link_ends();
    let (RackedFabric { floor, others, .. }, cabling) =
        place_and_lay_cables(&tenants).map_err(NotInstalled::Hall)?;
    let hall = scenario.hall.clone();
    let rack = scenario.limits.rack;
    Ok(InstalledPlan { floor, others, cabling, rack, cages: [near, far], protocol, hall, graph })
}

/// Places what stands in a hall, and lays its cables.
///
/// # Errors
/// Where its racks can't be placed.
pub(crate) fn place_and_lay_cables(
    tenants: &HallContents<'_>,
) -> Result<(RackedFabric, Cabling), HallProblem> {
    let HallContents { scenario, counts, graph, .. } = tenants;
    let LinkEnds { near, far, .. } = tenants.link_ends();
    let housed = tenants.place_in_racks()?;
    let rates = [graph.port_rate(), counts.uplink];
    let kinds = SoldCables {
        scenario,
        rates,
        cages: near.zip(far),
        stated: stated_cable_lengths(scenario),
    };
    let cabling = lay_fabric_cables(&scenario.hall, graph, &housed.floor, &kinds);
    Ok((housed, cabling))
}

/// What keeps a plan out of its hall; `None` where nothing does.
pub(crate) fn reason_not_installed(scenario: &Scenario, plan: &Plan) -> Option<NotInstalled> {
    match wiring(plan) {
        Ok(graph) => {
            hall_contents(scenario, plan, &graph).place_in_racks().err().map(NotInstalled::Hall)
        }
        Err(problem) => Some(NotInstalled::Wiring(problem)),
    }
}

/// What of a plan stands in a hall.
fn hall_contents<'a>(
    scenario: &'a Scenario,
    plan: &'a Plan,
    graph: &'a FabricGraph,
) -> HallContents<'a> {
    let NodeChoice { node, nic, domains, cabled, .. } = &plan.nodes;
    let machine = Machine { node, nic, balance: UplinkBalance::from_cluster(&scenario.cluster) };
    let bought = u64::from(*domains) + plan.failures.year.standby.domains;
    let domains = (*cabled, bought - u64::from(*cabled));
    HallContents { scenario, machine, domains, counts: &plan.fabric, graph }
}

/// What the catalogue and the price book of a scenario sell between two cages.
struct SoldCables<'a> {
    scenario: &'a Scenario,
    /// Of a link to an interface, and of one between switches.
    rates: [Bandwidth; 2],
    /// Of the switches and of the interfaces; `None` where nobody says.
    cages: Option<(Cage, Cage)>,
    /// Least metres of a cable to an interface, and of one between switches.
    stated: [u32; 2],
}

/// Lengths that the bill has, whatever ways are shorter: those that the spec states where it has
/// links as parts and nothing of a hall. Elsewhere the way decides.
fn stated_cable_lengths(scenario: &Scenario) -> [u32; 2] {
    let cluster = &scenario.cluster;
    let by_way = scenario.hall.stated || cluster.links == LinkPricing::ByEnd;
    if by_way { [0, 0] } else { [cluster.host_cable_m, cluster.uplink_cable_m] }
}

impl LinkKinds for SoldCables<'_> {
    fn kind_for_reach(&self, host: bool, reach_m: u32, cable_m: u32) -> Option<LinkKindInHall> {
        let least = self.stated[usize::from(!host)];
        let [reach_m, cable_m] = [reach_m.max(least), cable_m.max(least)];
        let (near, far) = self.cages?;
        let far = if host { far } else { near };
        let (catalogue, prices) = (&self.scenario.catalogue, &self.scenario.prices);
        let rate = self.rates[usize::from(!host)];
        let demand = LinkDemand { rate, near, far, reach_m, cable_m };
        Some(link_kind_for_hall(&cheapest_link_with_cable(catalogue, prices, demand)?))
    }
}

/// A kind of link with its cable, as a hall sees them.
pub(crate) fn link_kind_for_hall(with_cable: &LinkWithCable<'_>) -> LinkKindInHall {
    let LinkWithCable { kind, cable } = with_cable;
    let module = |text: &Option<String>| text.clone().unwrap_or_default();
    LinkKindInHall {
        kind: kind.name.clone(),
        cable: cable.name.clone(),
        cable_m: cable.length_m,
        family: kind.cable.name().to_owned(),
        near_links: kind.near_links,
        far_links: kind.far_links,
        cables: kind.cables,
        cable_links: kind.cable_links,
        near_module: module(&kind.near_module),
        far_module: module(&kind.far_module),
    }
}

/// Why a plan's fabric can't be wired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WiringProblem {
    /// The fabric was given by its counts alone.
    CountsOnly(FabricKind),
    /// The rules of the family refuse it.
    Fabric(FabricProblem),
}

impl fmt::Display for WiringProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CountsOnly(kind) => {
                write!(f, "this `{kind}` fabric is known by its counts alone: it can't be wired")
            }
            Self::Fabric(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for WiringProblem {}

/// Wires the fabric of a plan, cable by cable.
///
/// # Errors
/// Where the plan does not know what its fabric was counted from, or it is too large to hold.
pub fn wiring(plan: &Plan) -> Result<FabricGraph, WiringProblem> {
    let blueprint = plan.blueprint.as_ref().ok_or(WiringProblem::CountsOnly(plan.fabric.kind))?;
    blueprint.build_fabric_graph().map_err(WiringProblem::Fabric)
}

/// The bill of a job with a network, cable by cable where it was routed through a hall; else its
/// links are counted in closed form, switch by switch.
pub(crate) fn bill_of_wired_fabric(
    job: &Job<'_>,
    counts: &Counts,
    graph: Option<&FabricGraph>,
) -> Vec<BillLine> {
    let catalogue = &job.scenario.catalogue;
    let pieces = graph.and_then(|graph| lay_cables(job, counts, graph)?.cable_orders());
    let wired = graph.filter(|_| counts.occupancy.is_none());
    let completed =
        wired.map(|graph| Counts { occupancy: Some(graph.occupancy()), ..counts.clone() });
    let counts = completed.as_ref().unwrap_or(counts);
    bill_with_network(
        job,
        Some(counts),
        pieces.and_then(|all| cable_orders_as_parts(catalogue, &all)),
    )
}

/// The bill of a fabric that is not wired yet. It is wired where its cables are routed, or where
/// its counts do not say how full its switches are.
pub(crate) fn bill_of_network(
    job: &Job<'_>,
    counts: &Counts,
    blueprint: &Blueprint,
) -> Vec<BillLine> {
    let parts = matches!(links_of_fabric(&job.fleet(), counts), LinkPurchase::Parts(..));
    let wires = parts && (job.scenario.lengths.is_some() || counts.occupancy.is_none());
    let graph = wires.then(|| blueprint.build_fabric_graph().ok()).flatten();
    bill_of_wired_fabric(job, counts, graph.as_ref())
}

/// Its cables in the hall; `None` where none were routed.
fn lay_cables(job: &Job<'_>, counts: &Counts, graph: &FabricGraph) -> Option<Cabling> {
    let scenario = job.scenario;
    scenario.lengths.as_ref()?;
    let LinkPurchase::Parts(..) = links_of_fabric(&job.fleet(), counts) else { return None };
    let domains = (job.networked_domains(), job.standby_domains_without_ports());
    let tenants = HallContents { scenario, machine: job.machine, domains, counts, graph };
    place_and_lay_cables(&tenants).ok().map(|(_, cabling)| cabling)
}

/// Pieces as parts of the catalogue; `None` where it has not all of them.
fn cable_orders_as_parts<'a>(
    catalogue: &'a Catalogue,
    all: &[CableOrder],
) -> Option<Vec<PurchasedPart<'a>>> {
    let each = all.iter().map(|order| {
        let (name, role, power) = if order.is_module {
            let optic = catalogue.optic_named(&order.name)?;
            (optic.name.as_str(), Role::Optic, optic.power)
        } else {
            let cable = catalogue.cables.iter().find(|cable| cable.name == order.name)?;
            (cable.name.as_str(), Role::Cable, cable.power)
        };
        Some(PurchasedPart { name, role, count: order.count, power })
    });
    each.collect()
}
