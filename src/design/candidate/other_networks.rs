//! The networks beside the compute network of a cluster, counted, with the racks that they take.
//! Buys nothing.

use crate::fabric::other_networks::{
    InBand, InBandCounts, OutOfBand, OutOfBandCounts, Storage, StorageCounts, UplinkPlan,
};
use crate::hall::{DeviceGroup, OtherDevices};
use crate::hardware::{Appliance, Protocol, Rack, Switch};
use crate::scenario::{InBandNetwork, OutOfBandNetwork, Scenario, StorageNetwork};
use crate::units::{Bandwidth, Watts};

/// Part of a port's rate that storage is taken to fill.
const FILLED: f64 = 0.9;
/// Passes after which switches of the two management networks, each of which hangs on the other,
/// are as many as they will be.
const PASSES: usize = 16;

/// What the other networks have to know of the compute network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkSite {
    pub nodes: u64,
    /// Switches of the compute network.
    pub switches: u64,
    /// It speaks InfiniBand, and so has fabric managers.
    pub infiniband: bool,
    /// Racks of its machines, and racks of its switches; `None` where nobody knows.
    pub racks: Option<(u64, u64)>,
}

/// The networks that a scenario asks for, each with its table.
#[derive(Clone, Debug)]
pub(crate) struct OtherNetworkCounts<'a> {
    pub(crate) storage: Option<(&'a StorageNetwork, StorageCounts)>,
    pub(crate) in_band: Option<(&'a InBandNetwork, InBandCounts)>,
    pub(crate) out_of_band: Option<(&'a OutOfBandNetwork, OutOfBandCounts)>,
    pub(crate) managers: u64,
    pub(crate) servers: u64,
    /// What of it stands in racks.
    pub(crate) others: OtherDevices,
    /// Racks of that; `None` where those of the compute network are not known, or one can't hold a
    /// part.
    pub(crate) racks: Option<u64>,
    /// Networks that can't be built of their switch, by the name of their table.
    pub(crate) impossible: Vec<&'static str>,
}

/// The networks that a scenario asks for, around so many machines and switches, in such racks.
pub(crate) fn count_other_networks<'a>(
    scenario: &'a Scenario,
    site: &NetworkSite,
    rack: &Rack,
) -> OtherNetworkCounts<'a> {
    let asked = &scenario.networks;
    let mut impossible = Vec::new();
    let storage = asked.storage.as_ref().and_then(|network| {
        let counts = storage_question(network, site.nodes).count_storage_network();
        impossible.extend(counts.is_none().then_some("storage"));
        Some((network, counts?))
    });
    let speaks = |switch: &Switch| switch.protocol == Protocol::Infiniband;
    let fabrics = u64::from(site.infiniband)
        + u64::from(storage.as_ref().is_some_and(|(network, _)| speaks(&network.switch)));
    let control = asked.control.as_ref();
    let mut found = OtherNetworkCounts {
        storage,
        in_band: None,
        out_of_band: None,
        managers: control.map_or(0, |fabric_control| fabrics * u64::from(fabric_control.managers)),
        servers: control.map_or(0, |fabric_control| fabric_control.servers.into()),
        others: OtherDevices::default(),
        racks: None,
        impossible,
    };
    // Switches of one management network are hosts of the other, and racks have power strips on
    // both.
    for _ in 0..PASSES {
        let before = found.changeable_counts();
        found.in_band = asked
            .in_band
            .as_ref()
            .and_then(|network| Some((network, found.count_in_band_network(network, site)?)));
        found.count_racks(scenario, site, rack);
        found.out_of_band = asked
            .out_of_band
            .as_ref()
            .and_then(|network| Some((network, found.out_of_band_counts(network, site)?)));
        found.count_racks(scenario, site, rack);
        if before == found.changeable_counts() {
            break;
        }
    }
    let left_out = [
        ("in_band", asked.in_band.is_some() && found.in_band.is_none()),
        ("out_of_band", asked.out_of_band.is_some() && found.out_of_band.is_none()),
    ];
    found.impossible.extend(left_out.into_iter().filter_map(|(name, is)| is.then_some(name)));
    found
}

impl OtherNetworkCounts<'_> {
    /// What a pass may change.
    fn changeable_counts(&self) -> (Option<InBandCounts>, Option<OutOfBandCounts>, Option<u64>) {
        (self.in_band.map(|pair| pair.1), self.out_of_band.map(|pair| pair.1), self.racks)
    }

    /// Counts racks anew for what is known so far.
    fn count_racks(&mut self, scenario: &Scenario, site: &NetworkSite, rack: &Rack) {
        self.others = self.devices_in_racks(scenario);
        self.racks = site.racks.and_then(|_| self.others.racks_needed(rack).ok());
    }

    /// In-band management beside the out-of-band switches that are known so far.
    fn count_in_band_network(
        &self,
        network: &InBandNetwork,
        site: &NetworkSite,
    ) -> Option<InBandCounts> {
        let servers = self.servers * u64::from(network.ports_per_server);
        let ports = site.nodes * u64::from(network.ports_per_node) + servers;
        let outer = self.out_of_band.map_or(0, |(_, counts)| counts.uplinks);
        let ports = ports + u64::from(network.file_ports) + outer;
        let ports =
            ports + network.storage_bandwidth.map_or(0, |all| filled_ports(all, network.link));
        let (peer_links, outside) = (network.peer_links, network.outside);
        let up = network.uplink_share.map_or(UplinkPlan::Links(network.uplinks), UplinkPlan::Share);
        InBand { ports, peer_links, up, outside, radix: network.switch.ports }
            .count_in_band_network()
    }

    /// Out-of-band management of all that is known so far.
    fn out_of_band_counts(
        &self,
        band_network: &OutOfBandNetwork,
        site: &NetworkSite,
    ) -> Option<OutOfBandCounts> {
        let (machines, network) = site.racks.unwrap_or((0, 0));
        let network = network + self.racks.unwrap_or(0);
        let strips = machines * u64::from(band_network.strips)
            + network * u64::from(band_network.other_strips);
        // The two managers of a fabric are joined to each other as well.
        let control = self.servers + self.managers + self.managers / 2;
        let large = site.switches + self.storage.map_or(0, |(_, counts)| counts.switch_count());
        let ports = site.nodes * u64::from(band_network.ports_per_node) + large;
        let inner = self.in_band.map_or(0, |(_, counts)| counts.switch_count());
        let ports = ports + inner + control + strips;
        let least =
            band_network.nodes_per_switch.map_or(0, |most| site.nodes.div_ceil(most.into()));
        let (fill, uplinks) = (band_network.fill, band_network.uplinks);
        OutOfBand { ports, fill, least, uplinks, radix: band_network.switch.ports }
            .count_out_of_band_network()
    }

    /// What of it stands in racks.
    fn devices_in_racks(&self, scenario: &Scenario) -> OtherDevices {
        let storage = self.storage.iter().map(|(network, counts)| {
            let end = scenario
                .catalogue
                .find_optic(network.link)
                .map_or(Watts::ZERO, |optic| optic.power);
            DeviceGroup {
                name: "storage",
                model: network.switch.name.clone(),
                units: network.switch.rack_units.unwrap_or(1),
                power: network.switch.power + end * f64::from(network.switch.radix(network.link)),
                count: counts.switch_count(),
            }
        });
        let appliance = |name, this_appliance: &Appliance, count| DeviceGroup {
            name,
            model: this_appliance.name.clone(),
            units: this_appliance.rack_units,
            power: this_appliance.power,
            count,
        };
        let control = scenario.networks.control.as_ref();
        let management = [
            self.in_band.map(|(network, counts)| {
                appliance("in-band", &network.switch, counts.switch_count())
            }),
            self.out_of_band.map(|(network, counts)| {
                appliance("out-of-band", &network.switch, counts.switches)
            }),
            control
                .map(|fabric_control| appliance("manager", &fabric_control.manager, self.managers)),
            control.map(|fabric_control| appliance("server", &fabric_control.server, self.servers)),
        ];
        OtherDevices {
            storage: storage.collect(),
            management: management.into_iter().flatten().collect(),
            kept: control.map_or(0, |fabric_control| fabric_control.racks.into()),
        }
    }
}

/// Ports of a rate that so much of storage takes.
fn filled_ports(all: Bandwidth, link: Bandwidth) -> u64 {
    (all.get() / (link.get() * FILLED) - 1e-9).ceil() as u64
}

/// The question about the storage network of so many machines.
fn storage_question(network: &StorageNetwork, nodes: u64) -> Storage {
    let units = nodes.div_ceil(network.unit.max(1).into()).max(1);
    let ports = |all: Bandwidth| {
        let ports = filled_ports(all, network.link).div_ceil(units);
        u32::try_from(ports).unwrap_or(u32::MAX)
    };
    Storage {
        nodes,
        ports_per_node: network.ports_per_node,
        unit: network.unit,
        storage_ports: network.bandwidth.map_or(network.ports_per_unit, ports),
        uplink_share: network.uplink_share,
        radix: network.switch.radix(network.link),
    }
}
