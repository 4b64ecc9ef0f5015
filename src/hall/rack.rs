//! Places of a hall: racks by row and place, and what stands where in them.

use std::fmt;

use super::spot::Spot;
use crate::units::Watts;

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
    /// What it holds.
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

    /// The port of a number out of so many: at the middle of a device that shares its rack; spread over
    /// the height, tray by tray, of one that has racks to itself.
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
