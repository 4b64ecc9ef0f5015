//! Other networks billed; pieces to install.

use crate::cost::{
    BillLine, PurchasedPart, Role, installation_lines as priced, other_network_lines,
};
use crate::design::candidate::machine_cost::leaf_model;
use crate::design::candidate::other_networks::{
    NetworkSite, OtherNetworkCounts, count_other_networks,
};
use crate::design::columns::limits::RackReport;
use crate::design::job::job::Job;
use crate::fabric::Counts;
use crate::fabric::other_networks::{InBandCounts, OutOfBandCounts, StorageCounts};
use crate::hall::DeviceGroup;
use crate::hardware::{Cage, Protocol, Switch};
use crate::scenario::{Scenario, StorageNetwork};
use crate::units::{Usd, Watts};

/// Ports that a fabric manager takes, each of half a cage.
const PORTS_OF_A_MANAGER: u64 = 2;

/// The networks beside the compute network.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherNetworks {
    /// Storage, with its switch; `None` where none is asked for.
    pub storage: Option<(String, StorageCounts)>,
    /// In-band management, likewise.
    pub in_band: Option<(String, InBandCounts)>,
    /// Out-of-band management, likewise.
    pub out_of_band: Option<(String, OutOfBandCounts)>,
    pub managers: u64,
    pub servers: u64,
    /// Racks of machines, and racks of switches and servers, those of the compute network among
    /// them;
    /// `None` where nobody says how much room a part takes.
    pub racks: Option<(u64, u64)>,
    pub bill: Vec<BillLine>,
    /// Its price, as far as it has one.
    pub capex: Usd,
    pub power: Watts,
    /// Rack units of its switches and servers.
    pub rack_units: u64,
    /// Networks that can't be built of their switch, by the name of their table.
    pub impossible: Vec<&'static str>,
}

/// Those of a design that stands in no hall: in so many racks, if anybody knows; `None` where the
/// spec asks for none.
pub(in crate::design) fn other_networks_without_hall(
    job: &Job<'_>,
    counts: &Counts,
    racks: Option<&RackReport>,
) -> Option<OtherNetworks> {
    let scenario = job.scenario;
    if scenario.networks.is_empty() {
        return None;
    }
    let compute = leaf_model(scenario, counts);
    let site = NetworkSite {
        nodes: job.domains_to_buy(),
        switches: counts.switch_count(),
        infiniband: compute.is_some_and(|switch| switch.protocol == Protocol::Infiniband),
        racks: racks.map(|report| (report.nodes, report.switches)),
    };
    Some(other_networks(scenario, &site))
}

/// The networks that a scenario asks for, around so many machines and switches.
#[must_use]
pub fn other_networks(scenario: &Scenario, site: &NetworkSite) -> OtherNetworks {
    bill_other_networks(
        scenario,
        site,
        &count_other_networks(scenario, site, &scenario.limits.rack),
    )
}

/// What is bought for networks that are counted.
pub(in crate::design) fn bill_other_networks(
    scenario: &Scenario,
    site: &NetworkSite,
    network_counts: &OtherNetworkCounts<'_>,
) -> OtherNetworks {
    let control = scenario.networks.control.as_ref();
    let management = network_counts.others.management.iter().map(|group| {
        let DeviceGroup { model, power, count, .. } = group;
        PurchasedPart { name: model, role: Role::Appliance, count: *count, power: *power }
    });
    let mut parts: Vec<PurchasedPart<'_>> = management.collect();
    if let Some((network, counts)) = &network_counts.storage {
        let Switch { name, power, protocol, .. } = &network.switch;
        let count = counts.switch_count();
        parts.push(PurchasedPart { name, role: Role::Switch, count, power: *power });
        let managed = control.filter(|_| *protocol == Protocol::Infiniband);
        let managers = managed.map_or(0, |fabric_control| fabric_control.managers.into());
        parts.extend(storage_links(scenario, network, counts, managers));
    }
    let bill = other_network_lines(&parts, &scenario.prices);
    let OtherNetworkCounts { managers, servers, impossible, .. } = network_counts;
    OtherNetworks {
        capex: bill.iter().map(|line| line.total).sum(),
        power: bill.iter().map(BillLine::power_draw).sum(),
        rack_units: network_counts
            .others
            .device_kinds()
            .map(|group| group.count * u64::from(group.units))
            .sum(),
        storage: network_counts
            .storage
            .map(|(network, counts)| (network.switch.name.clone(), counts)),
        in_band: network_counts
            .in_band
            .map(|(network, counts)| (network.switch.name.clone(), counts)),
        out_of_band: network_counts
            .out_of_band
            .map(|(network, counts)| (network.switch.name.clone(), counts)),
        managers: *managers,
        servers: *servers,
        racks: site
            .racks
            .zip(network_counts.racks)
            .map(|((machines, own), others)| (machines, own + others)),
        bill,
        impossible: impossible.clone(),
    }
}

/// Modules and cables of the storage network, where the switch has twin cages: two ports share a
/// module. Links of storage are cables with fixed ends (AOC).
fn storage_links<'a>(
    scenario: &'a Scenario,
    network: &StorageNetwork,
    counts: &StorageCounts,
    managers: u64,
) -> Vec<PurchasedPart<'a>> {
    if network.switch.cage != Some(Cage::OsfpTwin) {
        return Vec::new();
    }
    let optic = |name: &str, count| {
        let part = scenario.catalogue.optic_named(name)?;
        Some(PurchasedPart { name: &part.name, role: Role::Optic, count, power: part.power })
    };
    let cable = |name: &str, count| {
        let part = scenario.catalogue.cables.iter().find(|known_cable| known_cable.name == name)?;
        Some(PurchasedPart { name: &part.name, role: Role::Cable, count, power: part.power })
    };
    let switches = counts.node_links.div_ceil(2) + counts.uplinks + managers;
    let parts = [
        optic("twin-sr4-800g", switches),
        optic("single-sr4-400g-qsfp112", counts.node_links),
        optic("single-sr4-400g", managers * PORTS_OF_A_MANAGER),
        cable("om4-30m", counts.node_links + counts.uplinks),
        cable("om4-split-30m", managers),
        cable("aoc-2-hdr-30m", counts.storage_links),
    ];
    parts.into_iter().flatten().collect()
}

/// The lines of the installation; empty where the spec asks for none.
pub(in crate::design) fn installation_lines(
    job: &Job<'_>,
    counts: &Counts,
    bill: &[BillLine],
    networks: Option<&OtherNetworks>,
    racks: Option<&RackReport>,
) -> Vec<BillLine> {
    let Some(asked) = &job.scenario.installation else { return Vec::new() };
    let of_bill: u64 =
        bill.iter().filter(|line| line.role == Role::Cable).map(BillLine::powered_count).sum();
    // Links that are counted by their ends have no cable on the bill.
    let links = if of_bill == 0 { counts.link_count() } else { 0 };
    let cables = of_bill + links + networks.map_or(0, links_of_other_networks);
    let switches = counts.switch_count() + networks.map_or(0, switches_of_other_networks);
    let machines = job.domains_to_buy()
        + networks.map_or(0, |other_networks| other_networks.managers + other_networks.servers);
    let racks = racks.map_or(0, RackReport::total_racks);
    let work = [
        ("cables", cables, asked.cable),
        ("switches", switches, asked.switch),
        ("machines and servers", machines, asked.machine),
        ("racks", racks, asked.rack),
    ];
    priced(&work, links, &job.scenario.prices)
}

/// Links of the other networks. Those between the two management networks are ports of in-band
/// where there is one.
fn links_of_other_networks(networks: &OtherNetworks) -> u64 {
    let storage = networks.storage.as_ref();
    let storage =
        storage.map_or(0, |(_, counts)| counts.node_links + counts.storage_links + counts.uplinks);
    let in_band = networks.in_band.as_ref();
    let in_band = in_band.map_or(0, |(_, counts)| {
        counts.host_links + counts.uplinks + counts.peer_links + counts.outside
    });
    let between = networks.in_band.is_none();
    let out_of_band = networks.out_of_band.as_ref();
    let out_of_band = out_of_band
        .map_or(0, |(_, counts)| counts.host_links + if between { counts.uplinks } else { 0 });
    storage + in_band + out_of_band
}

/// Switches of the other networks.
fn switches_of_other_networks(networks: &OtherNetworks) -> u64 {
    networks.storage.as_ref().map_or(0, |(_, counts)| counts.switch_count())
        + networks.in_band.as_ref().map_or(0, |(_, counts)| counts.switch_count())
        + networks.out_of_band.as_ref().map_or(0, |(_, counts)| counts.switches)
}
