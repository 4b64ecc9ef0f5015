//! What is asked of the networks beside the compute network. Defaults are those of NVIDIA's DGX
//! SuperPOD reference architecture for DGX H100, RA-11333-001 V11 (2023-09-22), tables 7 and 8.

use crate::hardware::{Appliance, Switch};
use crate::keys::{Kind, Section, key, table};
use crate::units::Bandwidth;

const PORTS: Kind = Kind::Count { min: 1, max: 64 };
const SOME: Kind = Kind::Count { min: 0, max: 65_536 };
const A_RACK: Kind = Kind::Count { min: 0, max: 64 };

/// The networks that are asked for; each is left out where its table is missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Networks {
    pub storage: Option<StorageNetwork>,
    /// Between operating systems: provisioning, logins, schedulers.
    pub in_band: Option<InBandNetwork>,
    pub out_of_band: Option<OutOfBandNetwork>,
    pub control: Option<Control>,
}

impl Networks {
    /// `[networks]`.
    pub const SECTION: Section = Section {
        doc: "the networks beside the compute network; each is sized and billed where its table \
              stands",
        keys: &[
            key("storage", Kind::Table(&StorageNetwork::SECTION), "between machines and storage"),
            key("in_band", Kind::Table(&InBandNetwork::SECTION), "in-band management"),
            key("out_of_band", Kind::Table(&OutOfBandNetwork::SECTION), "out-of-band management"),
            key(
                "control",
                Kind::Table(&Control::SECTION),
                "fabric managers and management servers",
            ),
        ],
    };

    /// True where none is asked for.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.storage.is_none()
            && self.in_band.is_none()
            && self.out_of_band.is_none()
            && self.control.is_none()
    }
}

table! {
    /// The storage network.
    #[derive(Clone, Debug, PartialEq)]
    pub struct StorageNetwork, "the network between machines and storage" {
        switch: Switch = "qm9700", in Kind::Name, "its switch, by its name in the \
                                                   catalogue" => model;
        /// Rate of a link.
        link: Bandwidth = "400 Gb/s", "rate of a link";
        ports_per_node: u32 = 2, in PORTS, "ports of a machine on it";
        /// Machines of a unit.
        unit: u32 as "nodes_per_unit" = 32, in Kind::Count { min: 1, max: 4096 },
            "machines of a scalable unit: leaf switches are built for whole units";
        /// Uplinks per downlink of a machine's leaf switch.
        uplink_share: f64 = 0.75, in Kind::Number { min: 0.01, max: 1.0 },
            "uplinks per downlink of the machines' leaf switches: 4:3";
        /// Ports towards storage in each unit, where no bandwidth is stated.
        ports_per_unit: u32 as "storage_ports_per_unit" = 12, in SOME,
            "ports towards storage in each unit";
        bandwidth: Option<Bandwidth>,
            "bandwidth of all storage; ports follow, nine tenths of their rate used"
            or "storage_ports_per_unit";
    } given { model: Switch }
}

table! {
    /// The in-band management network.
    #[derive(Clone, Debug, PartialEq)]
    pub struct InBandNetwork, "in-band management: leaf switches in pairs, cores above several \
                               pairs" {
        switch: Appliance = "sn4600c", in Kind::Name, "its switch, an appliance by its \
                                                       name" => model;
        ports_per_node: u32 = 2, in PORTS, "ports of a machine on it";
        ports_per_server: u32 = 2, in PORTS, "ports of a management server on it";
        /// Ports of file servers for home directories.
        file_ports: u32 = 8, in SOME, "ports of file servers on it";
        /// Links inside a pair of leaf switches.
        peer_links: u32 = 2, in PORTS, "links between the two switches of a pair";
        /// Links of a leaf switch to the cores.
        uplinks: u32 = 4, in PORTS, "links of a leaf switch to the cores, where no `uplink_share` \
                                     is stated";
        /// Uplinks per downlink, where leaf switches keep so many ports from the start.
        uplink_share: Option<f64>, in Kind::Number { min: 0.01, max: 1.0 },
            "uplinks per downlink of its leaf switches, which keep these ports; cores are as many \
             as they need"
            or "uplinks";
        /// Rate of a link.
        link: Bandwidth = "100 Gb/s", "rate of a link, by which `storage_bandwidth` is counted";
        /// Bandwidth of all storage, where machines reach it on this network too.
        storage_bandwidth: Option<Bandwidth>,
            "bandwidth of all storage on it, where one network serves both; ports follow, nine \
             tenths of their rate used"
            or "no storage on it";
        outside: u32 = 4, in SOME, "links to the network outside";
    } given { model: Appliance }
}

table! {
    /// The out-of-band management network.
    #[derive(Clone, Debug, PartialEq)]
    pub struct OutOfBandNetwork, "out-of-band management: a port for each thing with a controller" {
        switch: Appliance = "sn2201", in Kind::Name, "its switch, an appliance by its \
                                                      name" => model;
        ports_per_node: u32 = 1, in PORTS, "ports of a machine on it: one for its controller, more \
                                            for those of cards";
        /// Share of a switch's ports that are used.
        fill: f64 = 0.85, in Kind::Number { min: 0.05, max: 1.0 }, "share of a switch's ports that \
                                                                    are used";
        /// Machines that one switch serves at most.
        nodes_per_switch: Option<u32>, in Kind::Count { min: 1, max: 4096 },
            "machines that one switch serves at most, as in rows or racks with switches of their \
             own"
            or "as many as it has ports for";
        /// Links to the in-band network.
        uplinks: u32 = 2, in PORTS, "links of a switch to the in-band network";
        /// Power strips of a rack with machines.
        strips: u32 as "strips_per_rack" = 3, in A_RACK, "power strips of a rack with machines, a \
                                                          port each";
        /// Power strips of a rack with switches and servers.
        other_strips: u32 as "strips_per_network_rack" = 2, in A_RACK,
            "power strips of a rack with switches and servers";
    } given { model: Appliance }
}

table! {
    /// Fabric managers and management servers, and the racks around them.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Control, "fabric managers, management servers, and the racks of it all" {
        manager: Appliance = "ufm", in Kind::Name, "fabric manager, an appliance by its \
                                                    name" => manager_model;
        /// Of each InfiniBand network.
        managers: u32 = 2, in SOME, "fabric managers of each InfiniBand network";
        server: Appliance = "management-server", in Kind::Name,
            "management server, an appliance by its name" => server_model;
        servers: u32 = 4, in SOME, "management servers";
        nodes_per_rack: u32 = 4, in Kind::Count { min: 1, max: 1024 }, "machines of a rack at \
                                                                        most, where `[hall]` does \
                                                                        not say: fewer where \
                                                                        height and power hold \
                                                                        fewer";
        /// Compute and storage switches of a rack: what its power feeds.
        switches_per_rack: u32 = 16, in Kind::Count { min: 1, max: 1024 },
            "compute and storage switches of a rack at most, where `[hall]` does not say";
        /// Racks for what is left.
        racks: u32 = 2, in SOME, "racks for management switches and servers at least";
    } given { manager_model: Appliance, server_model: Appliance }
}
