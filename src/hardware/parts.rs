//! Network parts: interfaces, switches, optics.

use crate::keys::choices;
use crate::units::{Bandwidth, Watts};

/// A network interface card. Its bandwidth may be split over several ports, one per plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Nic {
    /// Name in the catalogue; the key of its price.
    pub name: String,
    /// Line rate over all ports, one way.
    pub bandwidth: Bandwidth,
    /// Power.
    pub power: Watts,
    /// Most planes that its bandwidth can be split over.
    pub max_planes: u32,
}

/// A switch of fixed capacity: `ports` ports of `port_bandwidth`, which may be split.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// Name in the catalogue; the key of its price.
    pub name: String,
    /// Ports at their full rate.
    pub ports: u32,
    /// Line rate of a port, one way.
    pub port_bandwidth: Bandwidth,
    /// Most logical ports that one port can be split into.
    pub max_split: u32,
    /// Power at typical load, without optics.
    pub power: Watts,
    /// What its links speak.
    pub protocol: Protocol,
    /// Height in rack units; `None` where nobody says.
    pub rack_units: Option<u32>,
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

/// How an optical module is bought: the same module differs by 4.5 times in price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpticGrade {
    /// Compatible module of a third party.
    Generic,
    /// Module with the switch vendor's coding or label.
    Branded,
}

/// An optical transceiver: one end of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Optic {
    /// Name in the catalogue; the key of its price.
    pub name: String,
    /// Line rate of the link that it ends.
    pub bandwidth: Bandwidth,
    /// Power.
    pub power: Watts,
}

#[cfg(test)]
mod tests {
    use super::{Bandwidth, Protocol, Switch, Watts};

    #[test]
    fn a_fast_port_splits_into_slower_ones() {
        let switch = Switch {
            name: "64x800g".into(),
            ports: 64,
            port_bandwidth: Bandwidth::gigabits(800.0),
            max_split: 8,
            power: Watts::of(940.0),
            protocol: Protocol::Ethernet,
            rack_units: None,
        };
        assert_eq!(switch.radix(Bandwidth::gigabits(800.0)), 64);
        assert_eq!(switch.radix(Bandwidth::gigabits(400.0)), 128);
        assert_eq!(switch.radix(Bandwidth::gigabits(200.0)), 256);
        assert_eq!(switch.radix(Bandwidth::gigabits(1600.0)), 0);
    }
}
