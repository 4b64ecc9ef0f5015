//! GPUs and the products that join some of them into one high-bandwidth (HB) domain.

use super::rack::RACKS;
use super::{Cage, Calibration, Nic, Peaks, RackSpace};
use crate::keys::{DATE, Kind, NOTE, PRICE, SOURCE, key, table};
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
        /// Board power.
        power: Watts, "board power".required;
        /// Constants of the step-time model for this generation.
        calibration: Calibration, in Kind::Name,
            "constants of the step-time model" or "unmeasured: the least shares of peak of any measured GPU" => constants;
    } besides {
        /// Name in the catalogue.
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
        /// The GPU inside.
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
        hb_reduces: bool = false, "its switches sum what all-reduces send through them (NVLink SHARP)";
        /// Network interfaces of the domain: its rails. Divides `gpus` or equals it.
        nics: u32, in PORTS, "network interfaces of the domain: its rails".required;
        /// Interface that the product ships with.
        nic: Nic, in Kind::Name, "interface that it ships with".required => interface;
        /// Cage of its own interfaces where the product has them behind cages of its own; `None` where
        /// they are cards.
        nic_cage: Option<Cage>, "cage of its own interfaces, where these are no cards"
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
        /// GPUs that one broken part takes out of the domain: those of a tray, a host or a board; all
        /// where it is not stated.
        tray: Option<u32>, in PORTS,
            "GPUs that a fault takes out of the domain: those of a host or tray; divides `gpus`" or "gpus";
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
    /// Links of a domain.
    pub links: u32,
    /// Switch chips of all domains.
    pub all_switches: u64,
    /// Links of all domains.
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
