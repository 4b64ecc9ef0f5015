//! `Catalogue`, `LinkKind`, `Cable`: parts that a design may use, and what a link is bought as.

use super::{Cage, Family, Nic, Optic, Switch};
use crate::keys::{DATE, Kind, NOTE, PRICE, SOURCE, choices, table};
use crate::units::{Bandwidth, Watts};

/// Parts to choose from, each list in the order of its names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalogue {
    pub switches: Vec<Switch>,
    pub optics: Vec<Optic>,
    pub nics: Vec<Nic>,
    pub cables: Vec<Cable>,
    /// What links are bought as.
    pub links: Vec<LinkKind>,
    pub families: Vec<Family>,
}

impl Catalogue {
    /// The optic that ends a link of that rate; `None` where there is none.
    #[must_use]
    pub fn find_optic(&self, link: Bandwidth) -> Option<&Optic> {
        self.optics.iter().find(|optic| optic.bandwidth == link)
    }

    /// The optic of that name.
    #[must_use]
    pub fn optic_named(&self, name: &str) -> Option<&Optic> {
        self.optics.iter().find(|optic| optic.name == name)
    }
}

const METRES: Kind = Kind::Count { min: 1, max: 100_000 };
const SHARED: Kind = Kind::Count { min: 1, max: 64 };

choices! {
    /// A family of cables: alike but for their length.
    pub enum CableKind {
        /// Multimode fibre, one plug at each end.
        Om4 = "om4",
        /// Multimode fibre, one plug at the switch and two at the far end.
        Om4Split = "om4-split",
        /// Single-mode fibre, one plug at each end.
        Os2 = "os2",
        /// Passive copper between two twin cages.
        Copper = "copper",
        /// Passive copper from a twin cage to two flat ones of 400 Gb/s.
        CopperTwoFlat = "copper-2-flat",
        /// Passive copper from a twin cage to two QSFP112 of 400 Gb/s.
        CopperTwoQsfp = "copper-2-qsfp",
        /// Passive copper from a twin cage to four flat ones of 200 Gb/s.
        CopperFourFlat = "copper-4-flat",
        /// Passive copper from a twin cage to four QSFP112 of 200 Gb/s.
        CopperFourQsfp = "copper-4-qsfp",
        /// Retimed copper from a twin cage to two flat ones of 400 Gb/s.
        ActiveTwoFlat = "active-2-flat",
        /// Active optical cable from a cage of 400 Gb/s to two QSFP56 of 200 Gb/s.
        AocTwoHdr = "aoc-2-hdr",
        /// Fibres crossed in a box, so that each of four lanes leads to another switch.
        Shuffle = "shuffle",
    }
}

choices! {
    /// What the links of a network are priced as.
    pub enum LinkPricing {
        /// One transceiver at each end, by the rate: what published comparisons count.
        ByEnd = "by-end",
        /// Modules and cables, where the parts at both ends state their cages.
        Parts = "parts",
    }
}

table! {
    /// A cable of one length.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Cable, "a cable of one length" {
        kind: CableKind, "family: cables that differ in length only".required;
        /// Length in metres.
        length_m: u32, in METRES, "length in metres".required;
        /// Power of both ends together.
        power: Watts = "0 W", "power of both ends together";
    } besides {
        /// Name in the catalogue; the key of its price.
        name: String,
    }
    last [PRICE, SOURCE, DATE, NOTE]
}

table! {
    /// What joins a port of a switch to a port of a card or of another switch.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LinkKind, "what joins a port of a switch to a port of a card or another switch" {
        /// Rate of the link.
        rate: Bandwidth, "rate of the link".required;
        near: Cage, "cage of the switch".required;
        /// Cage at the other end.
        far: Cage, "cage at the other end".required;
        /// Module in the switch; `None` where the cable ends in the cage itself.
        near_module: Option<String>, in Kind::Name, "module in the switch" or "none" => near_part;
        /// Links that share the cage of the switch: its mode.
        near_links: u32 = 1, in SHARED, "links that share the switch's cage: its mode";
        /// Module at the other end; `None` where the cable ends in the cage itself.
        far_module: Option<String>, in Kind::Name, "module at the other end" or "none" => far_part;
        /// Links that share the cage of the other end.
        far_links: u32 = 1, in SHARED, "links that share the cage of the other end";
        cable: CableKind, "family of its cables".required;
        cables: u32 = 1, in SHARED, "cables that it takes";
        /// Links that share these.
        cable_links: u32 = 1, in SHARED, "links that share these";
        /// Most metres that its modules carry; `None` where the cables' lengths say so.
        reach_m: Option<u32>, in METRES, "most metres that its modules \
                                          carry" or "the longest cable";
    } besides {
        name: String,
    } given { near_part: Option<String>, far_part: Option<String> }
    last [SOURCE, DATE, NOTE]
}
