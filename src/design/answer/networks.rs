//! The networks beside the compute network of a design, sized and billed. The choice of the design
//! sees none of it.

use crate::cost::{BillLine, Bought, Role, beside};
use crate::design::candidate::job::Job;
use crate::fabric::Counts;
use crate::fabric::services::{
    InBand, InBandCounts, OutOfBand, OutOfBandCounts, Storage, StorageCounts, Up,
};
use crate::hardware::{Appliance, Cage, Protocol, Switch};
use crate::scenario::{Networks, Scenario, StorageNetwork};
use crate::units::{Bandwidth, Usd, Watts};

/// Part of a port's rate that storage is taken to fill.
const FILLED: f64 = 0.9;
/// Ports that a fabric manager takes, each of half a cage.
const PORTS_OF_A_MANAGER: u64 = 2;
/// Passes after which switches of the two management networks, each of which hangs on the other, are
/// as many as they will be.
const PASSES: usize = 16;

/// The networks beside the compute network.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherNetworks {
    /// Storage, with its switch; `None` where none is asked for.
    pub storage: Option<(String, StorageCounts)>,
    /// In-band management, likewise.
    pub in_band: Option<(String, InBandCounts)>,
    /// Out-of-band management, likewise.
    pub out_of_band: Option<(String, OutOfBandCounts)>,
    /// Fabric managers.
    pub managers: u64,
    /// Management servers.
    pub servers: u64,
    /// Racks of machines, and racks of switches and servers; `None` where no control is asked for.
    pub racks: Option<(u64, u64)>,
    /// What is bought.
    pub bill: Vec<BillLine>,
    /// Its price, as far as it has one.
    pub capex: Usd,
    /// What it draws.
    pub power: Watts,
    /// Rack units of its switches and servers.
    pub rack_units: u64,
    /// Networks that can't be built of their switch, by the name of their table.
    pub impossible: Vec<&'static str>,
}

/// Those of a design; `None` where the spec asks for none.
pub(super) fn networks(job: &Job<'_>, counts: &Counts) -> Option<OtherNetworks> {
    let scenario = job.scenario;
    if scenario.networks.is_empty() {
        return None;
    }
    let mut models = scenario.catalogue.switches.iter();
    let compute = models.find(|of| counts.tiers.first().is_some_and(|tier| tier.model == of.name));
    let infiniband = compute.is_some_and(|of| of.protocol == Protocol::Infiniband);
    let site = Site { nodes: job.domains.into(), switches: counts.switches(), infiniband };
    Some(beside_compute(scenario, &site))
}

/// What the other networks have to know of the compute network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Machines.
    pub nodes: u64,
    /// Switches of the compute network.
    pub switches: u64,
    /// It speaks InfiniBand, and so has fabric managers.
    pub infiniband: bool,
}

/// The networks that a scenario asks for, around so many machines and switches.
#[must_use]
pub fn beside_compute(scenario: &Scenario, site: &Site) -> OtherNetworks {
    let asked = &scenario.networks;
    let mut impossible = Vec::new();
    let storage = asked.storage.as_ref().and_then(|of| {
        let counts = storage(of, site.nodes).counts();
        impossible.extend(counts.is_none().then_some("storage"));
        Some((of, counts?))
    });
    let speaks = |of: &Switch| of.protocol == Protocol::Infiniband;
    let fabrics = u64::from(site.infiniband)
        + u64::from(storage.as_ref().is_some_and(|(of, _)| speaks(&of.switch)));
    let managers = asked.control.as_ref().map_or(0, |of| fabrics * u64::from(of.managers));
    let servers = asked.control.as_ref().map_or(0, |of| of.servers.into());
    let large = site.switches + storage.as_ref().map_or(0, |(_, counts)| counts.switches());
    let racks = asked.control.as_ref().map(|of| {
        let machines = site.nodes.div_ceil(of.nodes_per_rack.into());
        (machines, large.div_ceil(of.switches_per_rack.into()) + u64::from(of.racks))
    });
    let fixed = Fixed { site, large, managers, servers, racks };
    let (in_band, out_of_band) = management(asked, &fixed);
    if asked.in_band.is_some() && in_band.is_none() {
        impossible.push("in_band");
    }
    if asked.out_of_band.is_some() && out_of_band.is_none() {
        impossible.push("out_of_band");
    }
    let mut parts: Vec<Bought<'_>> = Vec::new();
    let mut rack_units = 0;
    let mut whole = |of: &'_ Appliance, count: u64| rack_units += count * u64::from(of.rack_units);
    let control = asked.control.as_ref();
    for (model, count) in [
        (asked.in_band.as_ref().map(|of| &of.switch), in_band.map_or(0, |of| of.switches())),
        (asked.out_of_band.as_ref().map(|of| &of.switch), out_of_band.map_or(0, |of| of.switches)),
        (control.map(|of| &of.manager), managers),
        (control.map(|of| &of.server), servers),
    ] {
        let Some(model) = model else { continue };
        whole(model, count);
        let Appliance { name, power, .. } = model;
        parts.push(Bought { name, role: Role::Appliance, count, power: *power });
    }
    if let Some((of, counts)) = &storage {
        let Switch { name, power, .. } = &of.switch;
        let count = counts.switches();
        rack_units += count * u64::from(of.switch.rack_units.unwrap_or(1));
        parts.push(Bought { name, role: Role::Switch, count, power: *power });
        let managers =
            if speaks(&of.switch) { control.map_or(0, |of| of.managers.into()) } else { 0 };
        parts.extend(storage_links(scenario, of, counts, managers));
    }
    let bill = beside(&parts, &scenario.prices);
    OtherNetworks {
        capex: bill.iter().map(|line| line.total).sum(),
        power: bill.iter().map(BillLine::draw).sum(),
        rack_units,
        storage: storage.map(|(of, counts)| (of.switch.name.clone(), counts)),
        in_band: asked.in_band.as_ref().and_then(|of| Some((of.switch.name.clone(), in_band?))),
        out_of_band: asked
            .out_of_band
            .as_ref()
            .and_then(|of| Some((of.switch.name.clone(), out_of_band?))),
        managers,
        servers,
        racks,
        bill,
        impossible,
    }
}

/// What is known before the two management networks are.
struct Fixed<'a> {
    site: &'a Site,
    /// Switches of compute and storage.
    large: u64,
    managers: u64,
    servers: u64,
    racks: Option<(u64, u64)>,
}

/// The two management networks: switches of one are hosts of the other.
fn management(
    asked: &Networks,
    fixed: &Fixed<'_>,
) -> (Option<InBandCounts>, Option<OutOfBandCounts>) {
    let (mut in_band, mut out_of_band) = (None, None);
    for _ in 0..PASSES {
        let outer: Option<OutOfBandCounts> = out_of_band;
        let inner = asked.in_band.as_ref().and_then(|of| {
            let servers = fixed.servers * u64::from(of.ports_per_server);
            let ports = fixed.site.nodes * u64::from(of.ports_per_node) + servers;
            let ports = ports + u64::from(of.file_ports) + outer.map_or(0, |of| of.uplinks);
            let ports = ports + of.storage_bandwidth.map_or(0, |all| filled_ports(all, of.link));
            let (peer_links, outside) = (of.peer_links, of.outside);
            let up = of.uplink_share.map_or(Up::Links(of.uplinks), Up::Share);
            InBand { ports, peer_links, up, outside, radix: of.switch.ports }.counts()
        });
        let next = asked.out_of_band.as_ref().and_then(|of| {
            let (machines, others) = fixed.racks.unwrap_or((0, 0));
            let strips = machines * u64::from(of.strips) + others * u64::from(of.other_strips);
            // The two managers of a fabric are joined to each other as well.
            let control = fixed.servers + fixed.managers + fixed.managers / 2;
            let ports = fixed.site.nodes * u64::from(of.ports_per_node) + fixed.large;
            let ports = ports + inner.map_or(0, |of| of.switches()) + control + strips;
            let least =
                of.nodes_per_switch.map_or(0, |most| fixed.site.nodes.div_ceil(most.into()));
            let (fill, uplinks) = (of.fill, of.uplinks);
            OutOfBand { ports, fill, least, uplinks, radix: of.switch.ports }.counts()
        });
        if (inner, next) == (in_band, out_of_band) {
            break;
        }
        (in_band, out_of_band) = (inner, next);
    }
    (in_band, out_of_band)
}

/// Ports of a rate that so much of storage takes.
fn filled_ports(all: Bandwidth, link: Bandwidth) -> u64 {
    (all.get() / (link.get() * FILLED) - 1e-9).ceil() as u64
}

/// The question about the storage network of so many machines.
fn storage(of: &StorageNetwork, nodes: u64) -> Storage {
    let units = nodes.div_ceil(of.unit.max(1).into()).max(1);
    let ports = |all: Bandwidth| {
        let ports = filled_ports(all, of.link).div_ceil(units);
        u32::try_from(ports).unwrap_or(u32::MAX)
    };
    Storage {
        nodes,
        ports_per_node: of.ports_per_node,
        unit: of.unit,
        storage_ports: of.bandwidth.map_or(of.ports_per_unit, ports),
        uplink_share: of.uplink_share,
        radix: of.switch.radix(of.link),
    }
}

/// Modules and cables of the storage network, where the switch has twin cages: two ports share a
/// module. Links of storage are cables with fixed ends (AOC).
fn storage_links<'a>(
    scenario: &'a Scenario,
    of: &StorageNetwork,
    counts: &StorageCounts,
    managers: u64,
) -> Vec<Bought<'a>> {
    if of.switch.cage != Some(Cage::OsfpTwin) {
        return Vec::new();
    }
    let optic = |name: &str, count| {
        let part = scenario.catalogue.optic_named(name)?;
        Some(Bought { name: &part.name, role: Role::Optic, count, power: part.power })
    };
    let cable = |name: &str, count| {
        let part = scenario.catalogue.cables.iter().find(|of| of.name == name)?;
        Some(Bought { name: &part.name, role: Role::Cable, count, power: part.power })
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
