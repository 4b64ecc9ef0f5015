//! Racks: how many pieces one holds, and how many racks a fleet takes (docs/equations.md §7.13).
//! Knows no prices and no ports.

use crate::keys::{Field, Key, Kind, Values, key};
use crate::units::{Unit, Watts};

/// What one rack offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rack {
    /// Usable height in rack units of 44.45 mm (EIA-310).
    pub units: u32,
    /// Power that it can feed and cool; `None` where that is no limit.
    pub power: Option<Watts>,
}

/// Room that a product takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// So many rack units; several products may share a rack.
    Units(u32),
    /// So many racks of its own.
    Racks(u32),
}

/// The second key of a rack.
pub const RACK_POWER: Key =
    key("rack_power", Kind::Quantity(Unit::Power), "power that one rack can feed and cool");

/// The second key of the room that a product takes.
pub(super) const RACKS: Key =
    key("racks", Space::KIND, "whole racks that it takes, whatever its height")
        .or("none: it shares one");

/// Read at the key of the height; whole racks where those are stated.
impl Field for Space {
    const KIND: Kind = Rack::KIND;

    fn read(values: &impl Values, key: &Key) -> Option<Self> {
        let units = u32::read(values, key).map(Self::Units);
        u32::read(values, &RACKS).map(Self::Racks).or(units)
    }
}

/// Read at the key of its height; its power stands beside it.
impl Field for Rack {
    const KIND: Kind = Kind::Count { min: 1, max: 1_000 };

    fn read(values: &impl Values, key: &Key) -> Option<Self> {
        let power = Option::read(values, &RACK_POWER)?;
        Some(Self { units: Field::read(values, key)?, power })
    }
}

impl Rack {
    /// Usable height of common racks.
    pub const UNITS: u32 = 42;

    /// Pieces of that height and power that fit into one; 0 where not one does.
    ///
    /// Special cases: no height and no power count as one unit, so that the answer is finite.
    #[must_use]
    pub fn holds(&self, units: u32, power: Watts) -> u64 {
        let by_height = u64::from(self.units / units.max(1));
        match self.power {
            Some(most) if power > Watts::ZERO => by_height.min((most / power).floor() as u64),
            _ => by_height,
        }
    }

    /// Racks that so many products of that power take; `None` where not one fits.
    #[must_use]
    pub fn racks_of(&self, space: Space, power: Watts, pieces: u64) -> Option<u64> {
        match space {
            Space::Units(units) => match self.holds(units, power) {
                0 => None,
                fit => Some(pieces.div_ceil(fit)),
            },
            Space::Racks(each) => {
                let drawn = power / f64::from(each.max(1));
                let fed = self.power.is_none_or(|most| drawn <= most);
                fed.then_some(pieces * u64::from(each.max(1)))
            }
        }
    }

    /// Power of the fullest rack of so many products.
    #[must_use]
    pub fn fullest(&self, space: Space, power: Watts, pieces: u64) -> Watts {
        match space {
            Space::Units(units) => power * self.holds(units, power).min(pieces) as f64,
            Space::Racks(each) => power / f64::from(each.max(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Rack, Space};
    use crate::units::Watts;

    #[track_caller]
    fn case(kilowatts: Option<f64>, space: Space, watts: f64, pieces: u64, racks: Option<u64>) {
        let rack = Rack { units: 42, power: kilowatts.map(|kw| Watts::of(1e3 * kw)) };
        assert_eq!(rack.racks_of(space, Watts::of(watts), pieces), racks);
    }

    #[test]
    fn height_and_power_bound_what_a_rack_holds() {
        case(None, Space::Units(8), 10_200.0, 128, Some(26)); // five of eight units
        case(Some(40.0), Space::Units(8), 10_200.0, 128, Some(43)); // three of 10.2 kW
        case(Some(10.0), Space::Units(8), 10_200.0, 1, None);
        case(Some(40.0), Space::Units(43), 100.0, 1, None);
        case(None, Space::Racks(1), 132_000.0, 57, Some(57));
        case(Some(120.0), Space::Racks(1), 132_000.0, 57, None);
        case(Some(120.0), Space::Racks(2), 132_000.0, 57, Some(114));
        case(None, Space::Units(1), 0.0, 0, Some(0));
    }
}
