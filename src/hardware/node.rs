//! GPUs and the products that join some of them into one high-bandwidth (HB) domain.

use super::{Calibration, Nic, Peaks, Space};
use crate::units::{Bandwidth, Bytes, Watts};

/// A GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Gpu {
    /// Name in the catalogue.
    pub name: String,
    /// Dense peak rates as published.
    pub peaks: Peaks,
    /// Memory that a job can use at most.
    pub memory: Bytes,
    /// Peak bandwidth of that memory.
    pub memory_bandwidth: Bandwidth,
    /// Bandwidth that copies to and from the memory of the host reach, one way.
    pub host_link: Bandwidth,
    /// Board power.
    pub power: Watts,
    /// Constants of the step-time model for this generation.
    pub calibration: Calibration,
}

/// A product that one buys whole: its GPUs form one HB domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Name in the catalogue; the key of its price.
    pub name: String,
    /// The GPU inside.
    pub gpu: Gpu,
    /// GPUs K of the HB domain.
    pub gpus: u32,
    /// Bandwidth of a GPU into its HB domain, one way.
    pub hb_bandwidth: Bandwidth,
    /// Switch chips inside the domain; `None` where nobody stated them.
    pub hb_switches: Option<u32>,
    /// Links inside the domain, those between its switches included; `None` where nobody stated
    /// them.
    pub hb_links: Option<u32>,
    /// Network interfaces of the domain: its rails. Divides `gpus` or equals it.
    pub nics: u32,
    /// Interface that the product ships with.
    pub nic: Nic,
    /// Memory of the host, of the whole product; its price is in the product's.
    pub host_memory: Bytes,
    /// Memory that the host takes at most; what exceeds the product's own is bought besides.
    pub host_memory_max: Bytes,
    /// Power of the whole product at full load, GPUs and interfaces included.
    pub power: Watts,
    /// Room that it takes; `None` where nobody says.
    pub space: Option<Space>,
    /// The HB domain can forward a message to the GPU on the right rail (PXN and the like).
    pub forwards: bool,
}

/// What joins the GPUs inside the HB domains of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside {
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
    pub fn inside(&self, domains: u64) -> Option<Inside> {
        let (switches, links) = (self.hb_switches?, self.hb_links?);
        let all = |each: u32| u64::from(each) * domains;
        let (all_switches, all_links) = (all(switches), all(links));
        Some(Inside { switches, links, all_switches, all_links })
    }
}
