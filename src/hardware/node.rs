//! `Gpu`, `Node`; `Family`: HB domains of any size; appliances beside the compute network.

use super::rack::RACKS;
use super::{Cage, Calibration, Nic, Peaks, RackSpace};
use crate::keys::{DATE, Kind, NOTE, PRICE, SOURCE, choices, key, table};
use crate::units::{Bandwidth, Bytes, Unit, Watts};

/// Parts inside a domain; none where GPUs are joined one to another, or not at all.
const INSIDE: Kind = Kind::Count { min: 0, max: 1 << 20 };
const PORTS: Kind = Kind::Count { min: 1, max: 65_536 };

table! {
    /// A GPU.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Gpu, "a GPU" {
        /// Memory that a job can use at most.
        memory: Bytes, "memory that a job can use".required;
        /// Peak bandwidth of that memory.
        memory_bandwidth: Bandwidth, "peak bandwidth of that memory".required;
        power: Watts, "board power".required;
        /// Whose constants the cost model of its collectives has.
        nccl: NcclGeneration = (NcclGeneration::Hopper),
            "generation whose constants the cost model of its collectives has";
        /// Constants of the step-time model for this generation.
        calibration: Calibration, in Kind::Name,
            "constants of the step-time \
             model" or "unmeasured: the least shares of peak of any measured GPU" => constants;
    } besides {
        name: String,
        /// Dense peak rates as published.
        peaks: Peaks,
        /// Bandwidth that copies to and from the memory of the host reach, one way.
        host_link: Bandwidth,
    } given { constants: Calibration }
    first [
        Peaks::SECTION.keys[0],
        Peaks::SECTION.keys[1],
        Peaks::SECTION.keys[2],
        Peaks::SECTION.keys[3],
    ]
    last [PRICE, SOURCE, DATE, NOTE]
}

table! {
    /// A product that one buys whole: its GPUs form one HB domain.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Node, "a product that one buys whole: its GPUs form one high-bandwidth domain" {
        gpu: Gpu, in Kind::Name, "the GPU inside".required => inside;
        /// GPUs K of the HB domain.
        gpus: u32, in PORTS, "GPUs of the domain".required;
        /// Bandwidth of a GPU into its HB domain, one way.
        hb_bandwidth: Bandwidth, "bandwidth of a GPU into its domain, one way".required;
        /// Switch chips inside the domain; `None` where nobody stated them.
        hb_switches: Option<u32>, in INSIDE, "switch chips inside the domain: NVSwitches"
            or "not stated";
        /// Links inside the domain, those between its switches included; `None` where nobody stated
        /// them.
        hb_links: Option<u32>, in INSIDE, "links inside the domain: NVLinks" or "not stated";
        /// The switches inside sum what they forward (NVLink SHARP).
        hb_reduces: bool = false, "its switches sum what all-reduces send through them (NVLink \
                                   SHARP)";
        /// Network interfaces of the domain: its rails. Divides `gpus` or equals it.
        nics: u32, in PORTS, "NICs of the domain: its rails".required;
        /// Interface that the product ships with.
        nic: Nic, in Kind::Name, "NIC that it ships with".required => interface;
        /// Cage of its own interfaces where the product has them behind cages of its own; `None`
        /// where they are cards.
        nic_cage: Option<Cage>, "cage of its own NICs, where these are no cards"
            or "the card's";
        /// Memory of the host, of the whole product; its price is in the product's. The default is
        /// assumed.
        host_memory: Bytes = "1 TiB", "memory of the host, of the whole product";
        /// Memory that the host takes at most; what exceeds the product's own is bought besides.
        host_memory_max: Bytes,
            "memory that the host takes at most; what exceeds `host_memory` is bought besides"
            or "host_memory" else host_memory;
        /// Power of the whole product at full load, GPUs and interfaces included.
        power: Watts, "power of the whole product at full load".required;
        /// Room that it takes; `None` where nobody says.
        space: Option<RackSpace> as "rack_units", "height in rack units" or "not stated";
        /// GPUs that one broken part takes out of the domain: those of a tray, a host or a board;
        /// all where it is not stated.
        tray: Option<u32>, in PORTS,
            "GPUs that a fault takes out of the domain: those of a host or tray; divides \
             `gpus`" or "gpus";
        /// The HB domain can forward a message to the GPU on the right rail (PXN and the like).
        forwards: bool = true, "the domain can forward to the GPU on the right rail";
    } besides {
        /// Name in the catalogue; the key of its price.
        name: String,
    } given { inside: Gpu, interface: Nic }
    last [
        RACKS,
        // What PCIe 4.0 x16 reaches (assumed). The GPU inside has it.
        key(
            "host_link",
            Kind::Quantity(Unit::Bandwidth),
            "what copies between a GPU and the host reach, one way",
        )
        .default("25 GB/s"),
        key("sold", Kind::Flag, "can be bought new; what can't is used where `node` names it")
            .default("true"),
        PRICE,
        SOURCE,
        DATE,
        NOTE,
    ]
}

/// What joins the GPUs inside the HB domains of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainInside {
    /// Switch chips of a domain.
    pub switches: u32,
    pub links: u32,
    /// Switch chips of all domains.
    pub all_switches: u64,
    pub all_links: u64,
}

impl Node {
    /// What joins the GPUs inside so many of these domains; `None` where nobody stated it.
    #[must_use]
    pub fn inside_of_domains(&self, domains: u64) -> Option<DomainInside> {
        let (switches, links) = (self.hb_switches?, self.hb_links?);
        let all = |each: u32| u64::from(each) * domains;
        let (all_switches, all_links) = (all(switches), all(links));
        Some(DomainInside { switches, links, all_switches, all_links })
    }
}

table! {
    /// A switch or a server of the other networks.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Appliance, "a switch or a server of the other networks" {
        /// Ports for what hangs on it; none of a server.
        ports: u32 = 0, in Kind::Count { min: 0, max: 65_536 }, "ports for what hangs on it";
        power: Watts, "power".required;
        /// Height in rack units.
        rack_units: u32 = 1, in Kind::Count { min: 1, max: 1_000 }, "height in rack units";
    } besides {
        /// Name in the catalogue; the key of its price.
        name: String,
    }
    last [PRICE, SOURCE, DATE, NOTE]
}

const LINKS: Kind = Kind::Count { min: 1, max: 1_024 };
const CHIP: Kind = Kind::Count { min: 1, max: 65_536 };
const SIZE: Kind = Kind::Count { min: 1, max: 65_536 };

choices! {
    /// GPU generations that NCCL's cost model tells apart, and AMD's fork of it.
    pub enum NcclGeneration {
        /// V100.
        Volta = "volta",
        /// A100.
        Ampere = "ampere",
        /// H100, H200.
        Hopper = "hopper",
        /// B200, GB200 and later.
        Blackwell = "blackwell",
        /// MI300 and later: rings and trees, no sums by switches.
        Rccl = "rccl",
    }
}

choices! {
    /// How the GPUs of a domain are joined.
    pub enum HbKind {
        /// By switch chips, in one level or two.
        Switched = "switched",
        /// Each GPU to each other one, without chips.
        FullMesh = "full-mesh",
        /// On a square, each GPU to all of its row and of its column (UB-Mesh).
        Mesh2d = "mesh-2d",
        /// On a grid of three dimensions that closes to rings (TPU).
        Torus = "torus",
        /// On a ring, each GPU to some neighbours on either side (InfiniteHBD).
        Ring = "ring",
    }
}

choices! {
    /// How links are spread over chips that could take them.
    pub enum Striping {
        /// Each GPU has as many links to one chip as to another, and so has each chip of the first
        /// level to those of the second.
        Even = "even",
        /// GPUs as with `even`; a chip of the first level may have one link more to some than to
        /// others.
        Uneven = "uneven",
        /// As ports allow: the links of a GPU may be split unequally, as 5, 4, 4, 5.
        Ports = "ports",
    }
}

choices! {
    /// Which rate of a domain the clock takes.
    pub enum HbRate {
        /// What every GPU reaches when all send alike to all.
        AllToAll = "all-to-all",
        /// What rings over neighbours reach; an all-to-all of the whole domain is slower than that.
        Neighbours = "neighbours",
    }
}

table! {
    /// Parts from which an HB domain of any size is made.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Family, "parts from which HB domains of several sizes are made" {
        gpu: Gpu, in Kind::Name, "the GPU inside".required => inside;
        /// Interface of each GPU.
        nic: Nic, in Kind::Name, "NIC of each GPU".required => interface;
        /// Sizes K to choose from; `None` for those that may pay.
        gpus: Option<Vec<u32>> = "auto", in Kind::Auto(&Kind::Some(&SIZE)),
            "GPUs of a domain to choose from; \"auto\": those that divide the cluster and may pay"
            => sizes;
        kind: HbKind = (HbKind::Switched), "how the GPUs of a domain are joined";
        /// Links ℓ of a GPU.
        links: u32, in LINKS, "links of a GPU".required;
        /// Rate b of a link, one way.
        link_bandwidth: Bandwidth, "rate of a link, one way".required;
        /// Ports k of a switch chip; `None` where there are no chips.
        chip_ports: Option<u32>, in CHIP, "ports of a switch chip" or "there are no chips";
        /// Levels of chips; `None` for as few as reach.
        levels: Option<u32> = "auto", in Kind::Auto(&Kind::Count { min: 1, max: 2 }),
            "levels of switch chips; \"auto\": as few as reach";
        /// Taper ω: links down over links up of a chip of the first level.
        taper: u32 = 1, in Kind::Count { min: 1, max: 64 },
            "links down for each link up of a chip, where there are two levels";
        /// GPUs p of a pod, whose first-level chips they share; `None` for what takes fewest chips.
        pod: Option<u32>, in SIZE, "GPUs that share chips of the first of two levels"
            or "what takes fewest chips";
        /// Links m of a GPU to one chip; `None` for what takes fewest chips.
        lanes: Option<u32>, in LINKS, "links of a GPU to one chip" or "what takes fewest chips";
        /// Two halves, half of each chip's ports between them.
        twin: bool = false, "two halves, with half of each chip's ports between them";
        striping: Striping = (Striping::Even), "how links are spread over chips";
        /// Neighbours of a GPU on either side of a ring.
        hops: u32 = 1, in LINKS, "neighbours on either side, of a ring";
        /// Chips built over chips needed.
        packaging: f64 = 1.0, in Kind::Number { min: 1.0, max: 16.0 },
            "chips built over chips needed: boards that are used again have some to spare";
        tray_chips: u32 = 1, in CHIP, "switch chips of a tray";
        /// Rate that the clock takes.
        rate: HbRate = (HbRate::AllToAll), "which rate of the domain the time model takes";
        /// Largest domain whose chips and links are in the price of its GPUs: on one board.
        board: u32 = 0, in Kind::Count { min: 0, max: 65_536 },
            "largest domain whose chips and links are in the price of its GPUs: those on one board";
        /// Power of a GPU with its share of host and interface, chips left out.
        gpu_power: Watts, "power of a GPU with its share of host and NIC".required;
        /// Power of a chip with its share of the tray.
        chip_power: Watts = "0 W", "power of a switch chip with its share of the tray";
        /// Power of what ends a link between chips, both ends.
        long_link_power: Watts = "0 W", "power of both ends of a link between chips";
        /// Memory of the host for each GPU. The default is assumed.
        host_memory: Bytes = "128 GiB", "memory of the host for each GPU";
        /// GPUs that one broken part takes out.
        tray: u32 = 1, in SIZE, "GPUs of the smallest piece that is replaced whole; divides `gpus`";
        /// GPUs that fit into a rack; `None` where nobody says.
        rack_gpus: Option<u32>, in SIZE, "GPUs that fit into a rack" or "not stated";
        /// Power of such a rack; `None` where nobody says.
        rack_watts: Option<Watts>, "power that such a rack can feed and cool" or "not stated";
        /// The chips sum what they forward (NVLink SHARP).
        hb_reduces: bool = false, "its switches sum what all-reduces send through them (NVLink \
                                   SHARP)";
        /// The domain can forward a message to the GPU on the right rail.
        forwards: bool = true, "the domain can forward to the GPU on the right rail";
    } besides {
        name: String,
    } given { inside: Gpu, interface: Nic, sizes: Option<Vec<u32>> }
    last [
        key("host_link", Kind::Quantity(crate::units::Unit::Bandwidth),
            "what copies between a GPU and the host reach, one way").default("25 GB/s"),
        key("gpu_price", Kind::Price, "price of a GPU with its share of host and chassis")
            .with_default_words("not known"),
        key("chip_price", Kind::Price, "price of a switch chip with its share of the tray")
            .with_default_words("not known"),
        key("link_price", Kind::Price, "price of the cable of a link between a GPU and a chip or \
                                        GPU")
            .with_default_words("none: on a board or in the tray"),
        key("long_link_price", Kind::Price, "price of a link between chips with both ends")
            .with_default_words("not known"),
        SOURCE,
        DATE,
        NOTE,
    ]
}

/// Between the name of a family and the GPUs of a domain, in the name of a domain.
const JOINT: char = '-';

impl Family {
    /// Name of a domain of that many GPUs.
    #[must_use]
    pub fn domain_name(family: &str, gpus: u32) -> String {
        format!("{family}{JOINT}{gpus}")
    }

    /// Family and GPUs of a domain of that name; `None` where it ends in no number.
    #[must_use]
    pub fn domain_of(name: &str) -> Option<(&str, u32)> {
        let (family, gpus) = name.rsplit_once(JOINT)?;
        let count = gpus.parse().ok().filter(|count: &u32| *count > 0)?;
        (count.to_string() == gpus).then_some((family, count))
    }
}
