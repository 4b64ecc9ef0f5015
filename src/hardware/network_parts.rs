//! Network parts: interfaces, switches, optics, and the cages that they fit.

use crate::keys::{DATE, Kind, NOTE, PRICE, SOURCE, choices, table};
use crate::units::{Bandwidth, Watts};

table! {
    /// A network interface card. Its bandwidth may be split over several ports, one per plane.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Nic, "a NIC" {
        /// Line rate over all ports, one way.
        bandwidth: Bandwidth, "line rate over all ports, one way".required;
        power: Watts, "power".required;
        /// Most planes that its bandwidth can be split over.
        max_planes: u32 = 1, in Kind::Count { min: 1, max: 64 }, "planes that it can be split over";
        /// Fewest planes of its ports in Ethernet, where links are bought as parts.
        min_planes_ethernet: u32 = 1, in Kind::Count { min: 1, max: 64 },
            "fewest planes that its Ethernet ports make; heeded where links are parts";
        /// Most planes of its ports in InfiniBand, where links are bought as parts; `None` for as
        /// many as of any protocol.
        max_planes_infiniband: Option<u32>, in Kind::Count { min: 1, max: 64 },
            "most planes that its InfiniBand ports make; heeded where links are \
             parts" or "max_planes";
        /// Cage of the card with one port; `None` where none is usual at its rate, and links are
        /// counted by their ends.
        cage: Option<Cage>, "cage of the card" or "the usual one of its rate";
        /// Cage of the card with a port for each of several planes; `None` where that is no other.
        plane_cage: Option<Cage>, "cage of the card with a port for each plane" or "cage";
        /// Taken by `nic = "auto"` only where a price has its name; no price by the rate counts.
        quote_only: bool = false, "no price is public: auto takes it only where a price has its \
                                   name";
    } besides {
        /// Name in the catalogue; the key of its price.
        name: String,
    }
    last [PRICE, SOURCE, DATE, NOTE]
}

impl Nic {
    /// The card with the usual cages of its rate where none is stated.
    #[must_use]
    pub fn with_usual_cages(self) -> Self {
        if self.cage.is_some() {
            return self;
        }
        let cage = usual_card_cage(self.bandwidth);
        // Cards of 400 Gb/s with two ports are sold with smaller cages.
        let plane_cage = match cage {
            Some(Cage::OsfpFlat) => self.plane_cage.or(Some(Cage::Qsfp112)),
            _ => self.plane_cage,
        };
        Self { cage, plane_cage, ..self }
    }

    /// Whether the card is sold with ports for so many planes of a protocol.
    #[must_use]
    pub fn has_ports_for(&self, planes: u32, protocol: Protocol) -> bool {
        match protocol {
            Protocol::Ethernet => planes >= self.min_planes_ethernet,
            Protocol::Infiniband => planes <= self.max_planes_infiniband.unwrap_or(self.max_planes),
        }
    }
}

table! {
    /// A switch of fixed capacity: `ports` ports of `port_bandwidth`, which may be split.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Switch, "a switch of fixed capacity" {
        /// Ports at their full rate.
        ports: u32, in Kind::Count { min: 1, max: 65_536 }, "ports at their full rate".required;
        /// Line rate of a port, one way.
        port_bandwidth: Bandwidth as "port_speed", "line rate of a port, one way".required;
        /// Most logical ports that one port can be split into.
        max_split: u32 = 1, in Kind::Count { min: 1, max: 64 },
            "links that one port can be split into";
        /// Power at typical load, without optics.
        power: Watts, "power at typical load, without optics".required;
        protocol: Protocol = (Protocol::Ethernet),
            "what its links speak; the switches of a fabric all speak the same";
        /// It sums what it forwards (SHARP).
        reduces: bool = false, "it sums what all-reduces send through it (SHARP)";
        /// Chosen only where it is named or a price has its name; no price by the rate counts.
        quote_only: bool = false,
            "no price is public: taken only where `switches` names it or a price has its name";
        /// Height in rack units; `None` where nobody says.
        rack_units: Option<u32>, in Kind::Count { min: 1, max: 1_000 },
            "height in rack units" or "not stated";
        /// Kind of its cages; `None` where none is usual at its rate, and links are counted by
        /// their ends.
        cage: Option<Cage>, "kind of its cages" or "the usual one of its ports' rate";
        /// Cages; `None` where nobody says.
        cages: Option<u32>, in Kind::Count { min: 1, max: 65_536 }, "cages" or "not stated";
    } besides {
        /// Name in the catalogue; the key of its price.
        name: String,
    }
    last [PRICE, SOURCE, DATE, NOTE]
}

choices! {
    /// What the links of a network speak. Switches of one fabric all speak the same; interfaces are
    /// taken to speak either, as ConnectX adapters do.
    #[derive(Default)]
    pub enum Protocol {
        /// Ethernet, with RoCE for remote memory access.
        #[default]
        Ethernet = "ethernet",
        /// InfiniBand.
        Infiniband = "infiniband",
    }
}

impl Protocol {
    /// Name in reports.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Ethernet => "Ethernet",
            Self::Infiniband => "InfiniBand",
        }
    }
}

impl Switch {
    /// The switch with the usual cage of its ports' rate where none is stated.
    #[must_use]
    pub fn with_usual_cage(self) -> Self {
        let cage = self.cage.or(usual_switch_cage(self.port_bandwidth, self.protocol));
        Self { cage, ..self }
    }

    /// Ports k at a link rate: a port faster than the link is split, within `max_split`.
    /// 0 where the port is slower than the link.
    #[must_use]
    pub fn radix(&self, link: Bandwidth) -> u32 {
        if link.get() <= 0.0 {
            return 0;
        }
        let split = (self.port_bandwidth / link + 1e-9).floor();
        self.ports.saturating_mul((split as u32).min(self.max_split))
    }
}

/// Usual cage of a card of that rate over all ports, with one port; `None` where none is usual.
fn usual_card_cage(rate: Bandwidth) -> Option<Cage> {
    match rate.as_gigabits().round() as u32 {
        100 => Some(Cage::Qsfp28),
        200 => Some(Cage::Qsfp56),
        400 => Some(Cage::OsfpFlat),
        800 => Some(Cage::Osfp224Flat),
        _ => None,
    }
}

/// Usual cage of a switch with ports of that rate; `None` where none is usual.
fn usual_switch_cage(port: Bandwidth, protocol: Protocol) -> Option<Cage> {
    match (port.as_gigabits().round() as u32, protocol) {
        (100, _) => Some(Cage::Qsfp28),
        (200, _) => Some(Cage::Qsfp56),
        (400, _) | (800, Protocol::Ethernet) => Some(Cage::OsfpTwin),
        (800, Protocol::Infiniband) => Some(Cage::Osfp224),
        _ => None,
    }
}

/// How an optical module is bought: the same module differs by 4.5 times in price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpticGrade {
    /// Compatible module of a third party.
    Generic,
    /// Module with the switch vendor's coding or label.
    Branded,
}

table! {
    /// An optical transceiver: one end of a link.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Optic, "an optic: one end of a link" {
        /// Line rate of the link that it ends.
        bandwidth: Bandwidth, "line rate of the link".required;
        power: Watts, "power".required;
    } besides {
        /// Name in the catalogue; the key of its price.
        name: String,
    }
    last [PRICE, SOURCE, DATE, NOTE]
}

choices! {
    /// A kind of cage. One part goes into one; its ports share it. Switches have finned shells,
    /// cards flat ones, and neither fits the other (vendor product specifications;
    /// docs/equations.md §7.14).
    pub enum Cage {
        /// Four lanes of 25 Gb/s.
        Qsfp28 = "qsfp28",
        /// Four lanes of 50 Gb/s: HDR and its like.
        Qsfp56 = "qsfp56",
        /// Four lanes of 100 Gb/s: cards with two ports.
        Qsfp112 = "qsfp112",
        /// Four lanes of 100 Gb/s in a flat shell: cards with one port.
        OsfpFlat = "osfp-flat",
        /// Eight lanes of 100 Gb/s in a flat shell: two cards behind one cage.
        OsfpTwinFlat = "osfp-twin-flat",
        /// Eight lanes of 100 Gb/s in a finned shell: 1 x 800, 2 x 400 or 4 x 200 as a whole.
        OsfpTwin = "osfp-twin",
        /// A card's cage of 800 Gb/s: four lanes of 200 Gb/s, or eight of 100.
        Osfp224Flat = "osfp224-flat",
        /// Eight lanes of 200 Gb/s in a finned shell: 2 x 800.
        Osfp224 = "osfp224",
        /// No cage: fibres end at the switch itself (co-packaged optics), four lanes of 200 Gb/s a
        /// port.
        CoPackaged = "co-packaged",
    }
}

impl Cage {
    /// Lanes of one, at their rate.
    #[must_use]
    pub const fn lanes(self) -> (u32, u32) {
        match self {
            Self::Qsfp28 => (4, 25),
            Self::Qsfp56 => (4, 50),
            Self::Qsfp112 | Self::OsfpFlat => (4, 100),
            Self::OsfpTwinFlat | Self::OsfpTwin | Self::Osfp224Flat => (8, 100),
            Self::Osfp224 => (8, 200),
            Self::CoPackaged => (4, 200),
        }
    }

    /// What all its lanes carry, one way.
    #[must_use]
    pub fn bandwidth(self) -> Bandwidth {
        let (lanes, gigabits) = self.lanes();
        Bandwidth::from_gigabits(f64::from(lanes * gigabits))
    }
}

#[cfg(test)]
mod tests {
    use super::{Cage, Protocol, Switch};
    use crate::units::quantity::{Bandwidth, Watts};

    #[test]
    fn a_fast_port_splits_into_slower_ones() {
        let switch = Switch {
            name: "64x800g".into(),
            ports: 64,
            port_bandwidth: Bandwidth::from_gigabits(800.0),
            max_split: 8,
            power: Watts::from_f64(940.0),
            reduces: false,
            quote_only: false,
            protocol: Protocol::Ethernet,
            rack_units: None,
            cage: None,
            cages: None,
        };
        assert_eq!(switch.radix(Bandwidth::from_gigabits(800.0)), 64);
        assert_eq!(switch.radix(Bandwidth::from_gigabits(400.0)), 128);
        assert_eq!(switch.radix(Bandwidth::from_gigabits(200.0)), 256);
        assert_eq!(switch.radix(Bandwidth::from_gigabits(1600.0)), 0);
    }

    #[test]
    fn a_cage_carries_what_its_lanes_do() {
        assert_eq!(Cage::OsfpTwin.bandwidth(), Bandwidth::from_gigabits(800.0));
        assert_eq!(Cage::Qsfp56.bandwidth(), Bandwidth::from_gigabits(200.0));
    }
}
