//! What a cable ends in: a device and a port of it.

use std::fmt;

use super::spot::Spot;

/// A device of a hall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Device {
    /// A machine, by the number of its HB domain.
    Machine(u32),
    /// A switch, or another host, by the number of its node in the graph.
    Node(usize),
    /// A device of the other networks, by its number among them.
    Beside(usize),
}

/// A port: a lane of a cage, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Port {
    /// Cage.
    pub cage: u32,
    /// Lane of it: the link of so many that share the cage.
    pub lane: u32,
    /// Links that share the cage at most.
    pub lanes: u32,
}

/// Cage and lane, as in `12.1`; the cage alone where one link fills it.
impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lanes {
            1 => write!(f, "{}", self.cage),
            _ => write!(f, "{}.{}", self.cage, self.lane),
        }
    }
}

/// An end of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// What it ends in.
    pub device: Device,
    /// Where.
    pub port: Port,
    /// Where that is in the hall.
    pub spot: Spot,
}

impl End {
    /// Rack unit of the port, from 1.
    #[must_use]
    pub const fn rack_unit(&self) -> u32 {
        self.spot.half_units / 2
    }
}
