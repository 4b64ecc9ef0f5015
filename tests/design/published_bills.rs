//! The published bills of NVIDIA's reference architectures, part by part: exact, or with the reason why
//! not. A part of docs/validation.md sums them up; `BLESS=1 cargo test --test designs published_bills` writes
//! it. Numbers are the documents' own: RA-11333-001 V11 (DGX H100, 2023-09-22), RA-11334-001 V08 (DGX B200,
//! 2025-04-24), RA-11337-001 V01 (DGX B300, Spectrum-4, 2025-05-29), RA-11339-001 V01 (DGX B300, XDR,
//! 2025-07-23), RA-11338-001 V01 (DGX GB200, 2025-06-16), DGX BasePOD V5 (2025-08), and the enterprise
//! architectures of HGX B300 (2026) and GB300 NVL72 (2026-03).

use std::fmt::Write as _;

use planner::cost::{LinkEndParts, LinkParts};
use planner::design::{NetworkSite, OtherNetworks, other_networks};
use planner::fabric::{
    Counts, FabricKind, LinkClass, Request, SwitchChoice, TierName, fabric_counts,
};
use planner::hardware::Cage;
use planner::scenario::{Lengths, Scenario, Stretch};
use planner::units::Bandwidth;

use crate::design::other_networks::{pieces, scenario, scenario_of};
use crate::support::page::hold_part;

/// A count of a published bill beside ours.
struct Row {
    text: &'static str,
    what: String,
    ours: u64,
    printed: u64,
    /// How the printed count was seen.
    seen: Seen,
    /// Why they differ; empty where they do not.
    why: &'static str,
}

/// How a printed count was seen.
#[derive(Clone, Copy, Default)]
enum Seen {
    /// In the document itself.
    #[default]
    Read,
    /// In an extract of others that cites it.
    SecondHand,
    /// It follows by arithmetic from what an extract of others cites.
    Derived,
}

impl Seen {
    const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::SecondHand => "second-hand",
            Self::Derived => "second-hand, derived",
        }
    }
}

/// All rows so far, and how those that follow were seen.
#[derive(Default)]
struct Bills {
    rows: Vec<Row>,
    seen: Seen,
}

impl Bills {
    fn row(&mut self, text: &'static str, what: &str, ours: u64, printed: u64) {
        self.differs(text, what, ours, printed, "");
    }

    fn differs(
        &mut self,
        name: &'static str,
        what: &str,
        ours: u64,
        printed: u64,
        why: &'static str,
    ) {
        let seen = self.seen;
        self.rows.push(Row { text: name, what: what.to_owned(), ours, printed, seen, why });
    }

    /// Leaf switches, spines and links between them.
    fn fabric(
        &mut self,
        text: &'static str,
        got: &Counts,
        (leafs, spines, links): (u64, u64, u64),
    ) {
        self.row(text, "compute leaf switches", got.switches_in_tier(TierName::Leaf), leafs);
        self.row(text, "compute spines", got.switches_in_tier(TierName::Spine), spines);
        let between = got.links_of(LinkClass::LeafSpine);
        self.row(text, "compute cables, leaf to spine", between, links);
    }
}

/// A rail-optimized tree: NICs and ports for other hosts, rails, ports of a switch, rate of a link, planes.
fn tree(ends: (u64, u64), rails: u32, radix: u32, gigabits: f64, planes: u32) -> Counts {
    let link = Bandwidth::from_gigabits(gigabits);
    let switch = SwitchChoice::Radix(radix);
    let request = Request::new(FabricKind::RailOptimized, ends.0, rails, switch, link);
    fabric_counts(&Request { extra_ports: ends.1, planes, ..request }).expect("it fits")
}

/// Modules of a compute network of 400 Gb/s whose interfaces are behind such cages: in switches, in
/// machines.
fn modules(scenario: &Scenario, counts: &Counts, nic: Cage, far: &str) -> [u64; 2] {
    let stretch = |metres| vec![Stretch { reach_m: metres, cable_m: metres, links: 1 }];
    let between = LinkEndParts {
        rate: Bandwidth::from_gigabits(400.0),
        width: 1,
        nic,
        switch: Cage::OsfpTwin,
        of_machine: 8,
        lengths: &Lengths { host: stretch(30), uplink: stretch(30) },
    };
    let parts = LinkParts::cheapest_link_parts(&scenario.catalogue, &scenario.prices, &between)
        .expect("sold");
    let bought = parts.parts_to_buy(&scenario.catalogue, counts);
    let read = |name: &str| bought.iter().filter(|one| one.name == name).map(|one| one.count).sum();
    [read("twin-sr4-800g"), read(far)]
}

/// DGX H100, one to four units: tables 4, 7 and 8.
fn h100(bills: &mut Bills) {
    const OF: &str = "DGX H100, 4 units of 32, 127 machines";
    for (units, spines) in [(1_u64, 4), (2, 8), (3, 16), (4, 16)] {
        let nodes = units * 32 - 1;
        let got = tree((nodes * 8, 4), 8, 64, 400.0, 1);
        let text = [
            "DGX H100, 1 unit of 32, 31 machines",
            "DGX H100, 2 units of 32, 63 machines",
            "DGX H100, 3 units of 32, 95 machines",
            OF,
        ][units as usize - 1];
        bills.fabric(text, &got, (units * 8, spines, units * 256));
        let hosts = got.links_of(LinkClass::Host);
        bills.row(text, "compute cables, machines and managers", hosts, units * 256 - 4);
    }
    let scenario = scenario("");
    let compute = tree((1_016, 0), 8, 64, 400.0, 1);
    let [near, far] = modules(&scenario, &compute, Cage::OsfpTwinFlat, "twin-sr4-800g-flat");
    bills.row(OF, "compute switches", compute.switch_count(), 48);
    bills.row(OF, "compute modules in switches", near, 1_536);
    bills.row(OF, "compute modules in machines", far, 508);
    let all = compute.link_count();
    bills.row(OF, "compute cables of 400G, machines and uplinks", all, 2_040);
    let why = "a design keeps no ports for managers: `planner network --extra-ports` counts theirs, and \
               their modules and splitters are on no bill";
    bills.differs(OF, "compute modules in managers", 0, 4, why);
    bills.differs(OF, "compute splitters of managers", 0, 2, why);

    // Machines four, and large switches sixteen to a rack, as there.
    let racks = Some((127_u64.div_ceil(4), compute.switch_count().div_ceil(16)));
    let site =
        NetworkSite { nodes: 127, switches: compute.switch_count(), infiniband: true, racks };
    let networks = other_networks(&scenario, &site);
    assert!(networks.impossible.is_empty());
    let storage = &networks.storage.as_ref().expect("asked for").1;
    bills.row(OF, "storage switches", storage.switch_count(), 16);
    bills.row(OF, "storage cables of 400G", storage.node_links + storage.uplinks, 494);
    let why = "cables of Slurm servers, for which no table has a rule";
    bills.differs(OF, "storage cables of Slurm servers", 0, 4, why);
    bills.row(OF, "storage AOC to two of 200G", pieces(&networks, "aoc-2-hdr-30m"), 48);
    bills.row(OF, "storage modules in switches", pieces(&networks, "twin-sr4-800g"), 369);
    let modules = pieces(&networks, "single-sr4-400g-qsfp112");
    bills.row(OF, "storage modules in machines", modules, 254);
    bills.row(OF, "storage modules in managers", pieces(&networks, "single-sr4-400g"), 4);
    bills.row(OF, "storage splitters of managers", pieces(&networks, "om4-split-30m"), 2);
    let in_band = &networks.in_band.as_ref().expect("asked for").1;
    bills.row(OF, "in-band switches", pieces(&networks, "sn4600c"), 8);
    bills.row(OF, "in-band cables, leaf to core", in_band.uplinks, 24);
    bills.row(OF, "in-band cables inside pairs", in_band.peer_links, 6);
    bills.row(OF, "in-band cables to the outside", in_band.outside, 4);
    // 254 of machines, 8 of servers, 8 of file servers, 16 of out-of-band switches.
    bills.row(
        OF,
        "in-band cables of hosts and of out-of-band switches",
        in_band.host_links,
        254 + 8 + 8 + 16,
    );
    let out_of_band = &networks.out_of_band.as_ref().expect("asked for").1;
    bills.row(OF, "out-of-band switches", pieces(&networks, "sn2201"), 8);
    bills.row(OF, "out-of-band cables", out_of_band.host_links, 317);
    bills.row(OF, "out-of-band uplinks", out_of_band.uplinks, 16);
    bills.row(OF, "fabric managers", pieces(&networks, "ufm"), 4);
    bills.row(OF, "management servers", pieces(&networks, "management-server"), 4);
    let racks = networks.racks.expect("asked for");
    bills.row(OF, "racks of machines", racks.0, 32);
    bills.row(OF, "racks of switches and servers", racks.1, 6);
}

/// DGX B200, four units: the table of the fabric and figure 3.2.
fn b200(bills: &mut Bills) {
    const OF: &str = "DGX B200, 4 units of 32, 127 machines";
    bills.seen = Seen::SecondHand;
    let got = tree((1_016, 4), 8, 64, 400.0, 1);
    bills.fabric(OF, &got, (32, 16, 1_024));
    bills.row(OF, "compute cables, machines and managers", got.links_of(LinkClass::Host), 1_020);
    let asked = scenario_of(
        "[networks.storage]\nstorage_ports_per_unit = 0\n[networks.in_band]\nswitch = \"sn5600\"\n\
         [networks.out_of_band]\nnodes_per_switch = 8\n[networks.control]\nservers = 7\nnodes_per_rack = 2\n\
         [hardware.appliances.sn5600]\nports = 256\npower = \"940 W\"\nrack_units = 2\n",
    );
    let racks = Some((127_u64.div_ceil(2), got.switch_count().div_ceil(16)));
    let site = NetworkSite { nodes: 127, switches: got.switch_count(), infiniband: true, racks };
    let networks = other_networks(&asked, &site);
    let storage = &networks.storage.as_ref().expect("asked for").1;
    bills.row(OF, "storage leaf switches", storage.node_leafs, 8);
    let why = "3 is the least number that divides 24 uplinks and carries 192; the figure has 4";
    bills.differs(OF, "storage spines", storage.spines, 4, why);
    let in_band = &networks.in_band.as_ref().expect("asked for").1;
    bills.row(OF, "in-band leaf switches", in_band.leafs, 2);
    let why = "a single pair needs no cores; the figure has two for the units to come";
    bills.differs(OF, "in-band cores", in_band.cores, 2, why);
    // Eight machines a switch: 16 here as in the enterprise architecture of HGX B300.
    bills.row(OF, "out-of-band switches", pieces(&networks, "sn2201"), 16);
    bills.row(OF, "fabric managers", networks.managers, 4);
    bills.row(OF, "management servers", networks.servers, 7);
    let racks = networks.racks.expect("asked for");
    bills.row(OF, "racks of machines, two in each", racks.0, 64);
    let why = "the rule is that of DGX H100: 16 large switches a rack, and two racks more";
    bills.differs(OF, "racks of switches and servers", racks.1, 5, why);
}

/// Networks beside compute of a spec with those tables.
fn beside(tables: &str, (nodes, switches): (u64, u64), infiniband: bool) -> OtherNetworks {
    let scenario = scenario_of(tables);
    let racks = scenario.networks.control.as_ref().map(|control| {
        (
            nodes.div_ceil(control.nodes_per_rack.into()),
            switches.div_ceil(control.switches_per_rack.into()),
        )
    });
    let networks = other_networks(&scenario, &NetworkSite { nodes, switches, infiniband, racks });
    assert!(networks.impossible.is_empty(), "{:?}", networks.impossible);
    networks
}

/// In-band management and storage on one network of SN5600, 128 ports of 400 Gb/s, non-blocking: 2 ports of a
/// machine, 12.5 Gb/s of storage a GPU, as the enterprise architectures of NVIDIA say.
fn converged(
    gpus: u64,
    servers: u64,
    machines_a_switch: u64,
    of_a_rack: u64,
    more: &str,
) -> String {
    let storage = gpus as f64 * 12.5;
    format!(
        "[networks.in_band]\nswitch = \"sn5600\"\nlink = \"400 Gb/s\"\nuplink_share = 1\nfile_ports = 0\n\
         storage_bandwidth = \"{storage} Gb/s\"\n[networks.out_of_band]\n\
         nodes_per_switch = {machines_a_switch}\n{more}\
         [networks.control]\nservers = {servers}\nnodes_per_rack = {of_a_rack}\n\
         [hardware.appliances.sn5600]\nports = 128\npower = \"940 W\"\nrack_units = 2\n"
    )
}

/// Converged, out-of-band and control of HGX B300 and GB300 NVL72, enterprise architectures. Of HGX an
/// appendix has other counts of out-of-band switches than the text; the text's 32 is set beside ours.
fn enterprise(bills: &mut Bills) {
    bills.seen = Seen::SecondHand;
    for (nodes, printed, out_of_band, text) in [
        (32_u64, Some((2_u64, 0_u64)), 4_u64, "HGX B300 enterprise, 32 machines"),
        (64, Some((4, 2)), 8, "HGX B300 enterprise, 64 machines"),
        (128, None, 32, "HGX B300 enterprise, 128 machines"),
    ] {
        let compute = tree((nodes * 8, 0), 8, 128, 400.0, 2).switch_count();
        // A card of two ports in each machine has a controller of its own.
        let tables = converged(nodes * 8, 7, 8, 4, "ports_per_node = 2\n");
        let got = beside(&tables, (nodes, compute), false);
        if let Some((leafs, spines)) = printed {
            let in_band = &got.in_band.as_ref().expect("asked for").1;
            bills.row(text, "converged leaf switches", in_band.leafs, leafs);
            bills.row(text, "converged spines", in_band.cores, spines);
        }
        let why = "the text has 32, one for four machines; its appendix has 16, one for eight as at the \
                   other sizes";
        bills.differs(text, "out-of-band switches", pieces(&got, "sn2201"), out_of_band, why);
        bills.row(text, "servers of control", got.servers, 7);
    }
    for (racks, (leafs, spines), text) in [
        (2_u64, (2_u64, 0_u64), "GB300 NVL72 enterprise, 2 racks"),
        (4, (4, 2), "GB300 NVL72 enterprise, 4 racks"),
        (8, (7, 4), "GB300 NVL72 enterprise, 8 racks"),
    ] {
        let trays = racks * 18;
        let compute = tree((racks * 72, 0), 4, 128, 400.0, 2).switch_count();
        let tables = converged(racks * 72, 12, 9, 18, "ports_per_node = 3\n");
        let got = beside(&tables, (trays, compute), false);
        let in_band = &got.in_band.as_ref().expect("asked for").1;
        let why =
            "leaf switches stand in pairs, and three pairs have the ports; the document has 7";
        bills.differs(text, "converged leaf switches", in_band.leafs, leafs, why);
        let why = "3 carry the uplinks of 6 leaf switches; the document has 4, which 7 take";
        bills.differs(text, "converged spines", in_band.cores, spines, why);
        bills.seen = Seen::Derived;
        let why = "two in each rack; ours has the ports of all switches, servers and power strips too, \
                   for which the document has switches in the row, without a number";
        let switches = pieces(&got, "sn2201");
        bills.differs(text, "out-of-band switches in racks of machines", switches, racks * 2, why);
        bills.seen = Seen::SecondHand;
        bills.row(text, "servers of control", got.servers, 12);
    }
}

/// DGX B300: planes of Ethernet on switches of 64 ports of 800 Gb/s, and InfiniBand of 800 Gb/s.
fn b300(bills: &mut Bills) {
    bills.seen = Seen::Read;
    // Two planes of 400 Gb/s: a printed cable of 800 Gb/s, 512 of them in a unit, carries two links.
    for (units, text) in [
        (1_u64, "DGX B300 Spectrum-4, 1 unit of 64"),
        (2, "DGX B300 Spectrum-4, 2 units of 64"),
        (4, "DGX B300 Spectrum-4, 4 units of 64"),
        (8, "DGX B300 Spectrum-4, 8 units of 64"),
        (16, "DGX B300 Spectrum-4, 16 units of 64"),
    ] {
        let got = tree((units * 512, 0), 8, 128, 400.0, 2);
        bills.row(text, "compute leaf switches", got.switches_in_tier(TierName::Leaf), units * 16);
        bills.row(text, "compute spines", got.switches_in_tier(TierName::Spine), units * 8);
        let cables = |class| got.links_of(class) / 2;
        bills.row(text, "compute cables of 800G, machines", cables(LinkClass::Host), units * 512);
        let between = cables(LinkClass::LeafSpine);
        bills.row(text, "compute cables of 800G, leaf to spine", between, units * 512);
    }
    for (units, spines, text) in [
        (1_u64, 4, "DGX B300 XDR, 1 unit of 72"),
        (2, 8, "DGX B300 XDR, 2 units of 72"),
        (4, 18, "DGX B300 XDR, 4 units of 72"),
        (8, 36, "DGX B300 XDR, 8 units of 72"),
    ] {
        let got = tree((units * 576, 0), 8, 144, 800.0, 1);
        bills.fabric(text, &got, (units * 8, spines, units * 576));
        bills.row(text, "compute cables, machines", got.links_of(LinkClass::Host), units * 576);
    }
    bills.seen = Seen::SecondHand;
    // 2 of Base Command Manager, 3 of Kubernetes, 2 of Slurm.
    let control = beside("[networks.control]\nservers = 7\n", (72, 12), true);
    bills.row("DGX B300 XDR, 1 unit of 72", "servers of control", control.servers, 2 + 3 + 2);
    for (nodes, leafs, text) in [
        (32_u64, 8, "HGX B300 enterprise, 32 machines"),
        (64, 16, "HGX B300 enterprise, 64 machines"),
        (128, 32, "HGX B300 enterprise, 128 machines"),
    ] {
        let got = tree((nodes * 8, 0), 8, 128, 400.0, 2);
        bills.row(
            text,
            "compute leaf switches, both planes",
            got.switches_in_tier(TierName::Leaf),
            leafs,
        );
        bills.row(
            text,
            "compute spines, both planes",
            got.switches_in_tier(TierName::Spine),
            leafs / 2,
        );
    }
}

/// Racks of 72 GPUs.
fn racks(bills: &mut Bills) {
    const OF: &str = "DGX GB200, 1 unit of 8 racks";
    bills.seen = Seen::SecondHand;
    let got = tree((576, 0), 4, 64, 400.0, 1); // four rails of a tray
    let leafs = got.switches_in_tier(TierName::Leaf);
    let why =
        "one leaf switch for each rack and rail, 4 groups of 8, by distance and not the fewest";
    bills.differs(OF, "compute leaf switches", leafs, 32, why);
    let why = "6 spines above each group of 8 leaf switches; ours joins the rails at the spines";
    bills.differs(OF, "compute spines", got.switches_in_tier(TierName::Spine), 24, why);
    // 4 ports of 200 Gb/s of each of 18 trays a rack, five down for three up.
    let got = beside(
        "[networks.in_band]\nswitch = \"sn5600\"\nports_per_node = 4\nuplink_share = 0.6\nfile_ports = 0\n\
         ports_per_server = 1\n[hardware.appliances.sn5600]\nports = 256\npower = \"940 W\"\nrack_units = 2\n",
        (144, 56),
        true,
    );
    bills.seen = Seen::Derived;
    let in_band = &got.in_band.as_ref().expect("asked for").1;
    let trays = "converged links of trays, 200 Gb/s";
    bills.row(OF, trays, in_band.host_links, 144 * 4);
    bills.seen = Seen::SecondHand;
    let text = "GB300 NVL72 enterprise, 8 racks";
    let all = tree((576, 0), 4, 128, 400.0, 2).switch_count();
    let why = "44 is the 32 + 12 of the text; ours is 24 + 16, as the rows below say";
    bills.differs(text, "compute switches, both planes, appendix", all, 44, why);
    for (racks, leafs, spines, text) in [
        (2_u64, 8, 4, "GB300 NVL72 enterprise, 2 racks"),
        (4, 16, 8, "GB300 NVL72 enterprise, 4 racks"),
        (8, 32, 12, "GB300 NVL72 enterprise, 8 racks"),
    ] {
        let got = tree((racks * 72, 0), 4, 128, 400.0, 2);
        let why = "half of 64 ports of 800 Gb/s go down, so 144 NICs of a rail and plane take 3; the \
                   document has 4";
        let ours = got.switches_in_tier(TierName::Leaf);
        bills.differs(text, "compute leaf switches, both planes", ours, leafs, why);
        let ours = got.switches_in_tier(TierName::Spine);
        let why =
            "the document gives spines of its own to each size, and other ones in its appendix";
        bills.differs(text, "compute spines, both planes", ours, spines, why);
    }
}

/// DGX BasePOD, table 4.2.
fn basepod(bills: &mut Bills) {
    let scenario = scenario("");
    bills.seen = Seen::SecondHand;
    for (nodes, cables, text) in
        [(4_u64, 29, "DGX BasePOD, 4 machines"), (8, 45, "DGX BasePOD, 8 machines")]
    {
        let got = tree((nodes * 8, 0), 8, 64, 400.0, 1);
        let why = "one switch has the ports; the document has two and links between them, so that one \
                   may fail";
        bills.differs(text, "compute switches", got.switch_count(), 2, why);
        let [near, far] = modules(&scenario, &got, Cage::OsfpTwinFlat, "twin-sr4-800g-flat");
        bills.row(text, "compute modules in switches", near, nodes * 4);
        bills.row(text, "compute modules in machines", far, nodes * 4);
        let why = "copper between the two switches of the document; one switch has none";
        bills.differs(text, "compute copper cables between switches", 0, nodes * 2, why);
        // The two switches of the document. Storage is a partner's. The sums of Cat6 are those of a rack for
        // each machine and two of the rest: 4 · (1 + 3) + 2 + 2 + 5 + 2 · 2.
        let tables = "[networks.in_band]\nfile_ports = 0\n[networks.out_of_band]\n[networks.control]\n\
                      servers = 5\nmanagers = 0\nnodes_per_rack = 1\nracks = 1\n";
        let got = beside(tables, (nodes, 2), true);
        let in_band = &got.in_band.as_ref().expect("asked for").1;
        let out_of_band = &got.out_of_band.as_ref().expect("asked for").1;
        bills.row(text, "in-band switches", in_band.switch_count(), 2);
        bills.row(text, "in-band cables inside the pair", in_band.peer_links, 2);
        // Two of each machine and of each of five servers, and the uplinks of the out-of-band switches.
        let hosts = nodes * 2 + 10 + nodes / 2;
        bills.row(
            text,
            "in-band cables of hosts and of out-of-band switches",
            in_band.host_links,
            hosts,
        );
        bills.row(text, "out-of-band switches", out_of_band.switches, nodes / 4);
        bills.row(text, "out-of-band cables", out_of_band.host_links, cables);
        bills.row(text, "out-of-band uplinks", out_of_band.uplinks, nodes / 2);
        bills.row(text, "servers of control", got.servers, 5);
    }
}

fn bills() -> Vec<Row> {
    let mut bills = Bills::default();
    h100(&mut bills);
    b200(&mut bills);
    b300(&mut bills);
    racks(&mut bills);
    enterprise(&mut bills);
    basepod(&mut bills);
    // A reason beside equal numbers explains nothing.
    bills.rows.iter_mut().filter(|row| row.ours == row.printed).for_each(|row| row.why = "");
    bills.rows
}

#[test]
fn published_bills_are_exact_or_have_a_reason() {
    let rows = bills();
    let wrong = rows.iter().filter(|row| row.ours != row.printed && row.why.is_empty());
    let wrong: Vec<String> = wrong
        .map(|row| {
            format!("{}: {}: {} ours, {} printed", row.text, row.what, row.ours, row.printed)
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let exact = rows.iter().filter(|row| row.ours == row.printed).count();
    assert!(exact >= 120, "only {exact} of {} are exact", rows.len());
}

/// What stands above the tables.
const HEAD: &str = "\
## Published bills, part by part

What planner counts beside what reference architectures of NVIDIA print: RA-11333-001 V11 (DGX H100, 2023-09-22),
RA-11334-001 V08 (DGX B200, 2025-04-24), RA-11337-001 V01 and RA-11339-001 V01 (DGX B300 with Spectrum-4 and XDR,
2025-05-29 and 2025-07-23), RA-11338-001 V01 (DGX GB200, 2025-06-16), DGX BasePOD V5 (2025-08), and the enterprise
architectures of HGX B300 (2026) and GB300 NVL72 (2026-03). The compute network is that of `planner network
rail-optimized`, modules are those of `links = \"parts\"`, the other networks those of `[networks]` (equations.md §7.14,
§7.17). Second-hand counts are from extracts that cite the documents, which contradict themselves in places. Numbers of
servers are stated (`networks.control.servers`). A test holds every count (`tests/design/published_bills.rs`); counts of
further published networks are in `tests/data/published_fabrics.toml`.

";

/// Counts of an architecture, and how many are equal.
fn write_sums(rows: &[Row], page: &mut String) {
    page.push_str("| architecture | counts | equal | seen |\n|---|--:|--:|---|\n");
    for same in rows.chunk_by(|one, next| one.text == next.text) {
        let equal = same.iter().filter(|row| row.ours == row.printed).count();
        let mut seen: Vec<&str> = same.iter().map(|row| row.seen.name()).collect();
        seen.sort_unstable();
        seen.dedup();
        let (name, seen) = (same[0].text, seen.join("; "));
        let _ = writeln!(page, "| {name} | {} | {equal} | {seen} |", same.len());
    }
}

#[test]
fn the_page_sums_the_bills_up() {
    let mut rows = bills();
    let exact = rows.iter().filter(|row| row.ours == row.printed).count();
    let mut page = String::from(HEAD);
    let _ = writeln!(page, "{exact} of {} counts are equal.\n", rows.len());
    rows.sort_by_key(|row| row.text);
    write_sums(&rows, &mut page);
    page.push_str("\nThe others have a reason:\n\n");
    page.push_str("| architecture | what | planner | printed | why they differ |\n");
    page.push_str("|---|---|--:|--:|---|\n");
    for Row { text: name, what, ours, printed, why, .. } in rows {
        if ours != printed {
            let _ = writeln!(page, "| {name} | {what} | {ours} | {printed} | {why} |");
        }
    }
    hold_part("validation.md", "bills", &page);
}
