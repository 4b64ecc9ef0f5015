//! Racks, places in them and what stands there; why something has no place. Places nothing.

use std::fmt;

use crate::hardware::Rack;
use crate::units::{Amount, ExactAmount, Watts};

/// What a rack holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RackRole {
    /// Machines.
    Machines,
    /// Leaf switches of a scalable unit.
    Leafs,
    /// Switches above the leafs.
    Spines,
    /// Switches and servers of the other networks.
    Others,
}

impl RackRole {
    /// Name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Machines => "machines",
            Self::Leafs => "leaf switches",
            Self::Spines => "spine switches",
            Self::Others => "other networks",
        }
    }
}

/// A rack where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct RackPlace {
    /// Row, from 0.
    pub row: u32,
    /// Place in the row, from 0.
    pub place: u32,
    pub role: RackRole,
    /// Scalable unit that it belongs to, from 0; `None` where it serves all.
    pub unit: Option<u32>,
    /// What stands in it draws so much, every port of a switch lit.
    pub power: Watts,
}

/// Letters of the alphabet that name rows.
const LETTERS: u32 = 26;

/// Row by letters and place by two digits or more, as in `A07`; rows after Z are AA, AB and so on.
impl fmt::Display for RackPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = Vec::new();
        let mut left = Some(self.row);
        while let Some(row) = left {
            letters.push(char::from(b'A' + (row % LETTERS) as u8));
            left = (row / LETTERS).checked_sub(1);
        }
        let row: String = letters.into_iter().rev().collect();
        write!(f, "{row}{:02}", self.place + 1)
    }
}

/// Where a device stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RackSeat {
    /// Index of its rack, or of the first of them.
    pub rack: usize,
    /// Racks that it takes; several only of a device that has them to itself.
    pub racks: u32,
    /// Lowest rack unit that it takes, from 1.
    pub bottom: u32,
    /// Rack units that it is high.
    pub height: u32,
}

impl RackSeat {
    /// The middle of the device.
    #[must_use]
    pub const fn device_middle(&self) -> Spot {
        Spot { rack: self.rack, half_units: 2 * self.bottom + self.height - 1 }
    }

    /// The port of a number out of so many: at the middle of a device that shares its rack; spread
    /// over the height, tray by tray, of one that has racks to itself.
    #[must_use]
    pub fn port_spot(&self, number: u32, count: u32, whole: bool) -> Spot {
        if !whole {
            return self.device_middle();
        }
        let racks = self.racks.max(1);
        let each = count.div_ceil(racks).max(1);
        let rack = self.rack + (number / each).min(racks - 1) as usize;
        let bottom = u64::from(number % each) * u64::from(self.height) / u64::from(each);
        Spot { rack, half_units: 2 * (self.bottom + bottom as u32) }
    }
}

/// A port in a rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// Index of the rack.
    pub rack: usize,
    /// Twice the rack unit at which it is, from 2: the middle of a device may be between two units.
    pub half_units: u32,
}

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

/// Why a cluster can't be placed in a hall.
#[derive(Clone, Debug, PartialEq)]
pub enum HallProblem {
    /// Nobody says how high a machine is.
    NoMachineSpace { node: String },
    /// Nobody says how high a switch is.
    NoSwitchSpace {
        /// The model; empty where it is anonymous.
        model: String,
    },
    /// A rack holds not one of them.
    TooBig {
        part: String,
        /// Its height in rack units; 0 where it takes whole racks.
        units: u32,
        power: Watts,
        rack: Rack,
    },
    /// There are fewer rows than it takes.
    Rows { needs: u32, has: u32 },
}

impl fmt::Display for HallProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMachineSpace { node } => write!(
                f,
                "nobody says how much room `{node}` takes: state \
                 `hardware.nodes.{node}.rack_units`, or `racks`"
            ),
            Self::NoSwitchSpace { model } => write!(
                f,
                "nobody says how high the switch `{model}` is: state \
                 `hardware.switches.{model}.rack_units`"
            ),
            Self::TooBig { part, units, power, rack } => {
                let height = match units {
                    0 => String::new(),
                    units => format!("is {units} U high and "),
                };
                let fed = rack.most_power().map_or(String::new(), |most| {
                    format!(" and {}", ExactAmount(&Amount::Power(most)))
                });
                write!(
                    f,
                    "a rack of {} U{fed} can't hold `{part}`, which {height}draws {}: raise {}",
                    rack.units,
                    ExactAmount(&Amount::Power(*power)),
                    more_of(rack)
                )
            }
            Self::Rows { needs, has } => write!(
                f,
                "the cluster takes {needs} rows of racks, and the hall has {has}: raise \
                 `hall.rows` or `hall.racks_per_row`"
            ),
        }
    }
}

/// The keys that give a rack more room.
pub(crate) fn more_of(rack: &Rack) -> &'static str {
    match (rack.power, rack.fed) {
        (Some(limit), Some(fed)) if limit > fed => "`hall.rack_units` or `hall.rack_power`",
        (Some(_), _) => "`limits.rack_power` or `limits.rack_units`",
        _ => "`hall.rack_units` or `hall.rack_power`",
    }
}

impl std::error::Error for HallProblem {}

#[cfg(test)]
mod tests {
    use super::{RackPlace, RackRole, RackSeat};
    use crate::units::Watts;

    #[test]
    fn rows_have_letters_and_places_numbers() {
        let name = |row, place| {
            let role = RackRole::Machines;
            RackPlace { row, place, role, unit: None, power: Watts::ZERO }.to_string()
        };
        assert_eq!([name(0, 6), name(25, 99), name(26, 0)], ["A07", "Z100", "AA01"]);
        assert_eq!(name(26 + 26 * 26, 0), "AAA01");
    }

    #[test]
    fn ports_of_whole_racks_are_spread_over_their_height() {
        let seat = RackSeat { rack: 3, racks: 2, bottom: 1, height: 42 };
        assert_eq!(seat.port_spot(0, 72, true).rack, 3);
        assert_eq!(
            (seat.port_spot(36, 72, true).rack, seat.port_spot(71, 72, true).half_units),
            (4, 82)
        );
        let seat = RackSeat { rack: 0, racks: 1, bottom: 5, height: 8 };
        assert_eq!(seat.port_spot(7, 8, false).half_units, 17);
    }
}
