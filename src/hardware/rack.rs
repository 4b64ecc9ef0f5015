//! Racks: how many pieces one holds, and how many racks a fleet takes (docs/equations.md §7.13).
//! Knows no prices and no ports.

use crate::keys::{Field, Key, Kind, Values, key};
use crate::units::{Unit, Watts};

/// What one rack offers: the one rule of what it holds, of limits, halls and bills alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rack {
    /// Usable height in rack units of 44.45 mm (EIA-310).
    pub units: u32,
    /// Power that it may feed and cool by the limits; `None` where they set none.
    pub power: Option<Watts>,
    /// Power that it feeds and cools in its hall; `None` where nobody says.
    pub fed: Option<Watts>,
    /// Machines in it at most; `None` for as many as height and power allow.
    pub machines: Option<u32>,
    /// Switches in it at most; `None` likewise.
    pub switches: Option<u32>,
}

/// Room that a product takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RackSpace {
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
    key("racks", RackSpace::KIND, "whole racks that it takes, whatever its height")
        .with_default_words("none: it shares one");

/// Read at the key of the height; whole racks where those are stated.
impl Field for RackSpace {
    const KIND: Kind = Rack::KIND;

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        let units = u32::read_value(values, key).map(Self::Units);
        u32::read_value(values, &RACKS).map(Self::Racks).or(units)
    }
}

/// Read at the key of its height; its power stands beside it.
impl Field for Rack {
    const KIND: Kind = Kind::Count { min: 1, max: 1_000 };

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        let power = Option::read_value(values, &RACK_POWER)?;
        Some(Self { power, ..Self::with_height(Field::read_value(values, key)?) })
    }
}

impl Rack {
    /// Usable height of common racks.
    pub const UNITS: u32 = 42;

    /// A rack of a height that nothing else limits.
    #[must_use]
    pub const fn with_height(units: u32) -> Self {
        Self { units, power: None, fed: None, machines: None, switches: None }
    }

    /// Power that one can feed and cool: the lesser of limit and hall; `None` where neither says.
    #[must_use]
    pub fn most_power(&self) -> Option<Watts> {
        self.power.into_iter().chain(self.fed).reduce(|a, b| if b < a { b } else { a })
    }

    /// As it is without a limit on its power.
    #[must_use]
    pub const fn without_power_limit(&self) -> Self {
        Self { power: None, fed: None, ..*self }
    }

    /// Machines of that height and power in one; 0 where not one fits.
    #[must_use]
    pub fn holds_machines(&self, units: u32, power: Watts) -> u64 {
        self.pieces_per_rack(units, power).min(self.machines.map_or(u64::MAX, u64::from))
    }

    /// Switches of that height and power in one; 0 where not one fits.
    #[must_use]
    pub fn holds_switches(&self, units: u32, power: Watts) -> u64 {
        self.pieces_per_rack(units, power).min(self.switches.map_or(u64::MAX, u64::from))
    }

    /// Pieces of that height and power that fit into one; 0 where not one does.
    ///
    /// Special cases: no height and no power count as one unit, so that the answer is finite.
    #[must_use]
    pub fn pieces_per_rack(&self, units: u32, power: Watts) -> u64 {
        let by_height = u64::from(self.units / units.max(1));
        match self.most_power() {
            Some(most) if power > Watts::ZERO => by_height.min((most / power).floor() as u64),
            _ => by_height,
        }
    }

    /// Racks that so many machines of that power take; `None` where not one fits.
    #[must_use]
    pub fn racks_of(&self, space: RackSpace, power: Watts, pieces: u64) -> Option<u64> {
        match space {
            RackSpace::Units(units) => match self.holds_machines(units, power) {
                0 => None,
                fit => Some(pieces.div_ceil(fit)),
            },
            RackSpace::Racks(each) => {
                let drawn = power / f64::from(each.max(1));
                let fed = self.most_power().is_none_or(|most| drawn <= most);
                fed.then_some(pieces * u64::from(each.max(1)))
            }
        }
    }

    /// Power of the fullest rack of so many machines.
    #[must_use]
    pub fn fullest_rack_power(&self, space: RackSpace, power: Watts, pieces: u64) -> Watts {
        match space {
            RackSpace::Units(units) => power * self.holds_machines(units, power).min(pieces) as f64,
            RackSpace::Racks(each) => power / f64::from(each.max(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Rack, RackSpace};
    use crate::units::Watts;

    #[track_caller]
    fn case(kilowatts: Option<f64>, space: RackSpace, watts: f64, pieces: u64, racks: Option<u64>) {
        let rack =
            Rack { power: kilowatts.map(|kw| Watts::from_f64(1e3 * kw)), ..Rack::with_height(42) };
        assert_eq!(rack.racks_of(space, Watts::from_f64(watts), pieces), racks);
    }

    #[test]
    fn height_and_power_bound_what_a_rack_holds() {
        case(None, RackSpace::Units(8), 10_200.0, 128, Some(26)); // five of eight units
        case(Some(40.0), RackSpace::Units(8), 10_200.0, 128, Some(43)); // three of 10.2 kW
        case(Some(10.0), RackSpace::Units(8), 10_200.0, 1, None);
        case(Some(40.0), RackSpace::Units(43), 100.0, 1, None);
        case(None, RackSpace::Racks(1), 132_000.0, 57, Some(57));
        case(Some(120.0), RackSpace::Racks(1), 132_000.0, 57, None);
        case(Some(120.0), RackSpace::Racks(2), 132_000.0, 57, Some(114));
        case(None, RackSpace::Units(1), 0.0, 0, Some(0));
    }

    #[test]
    fn limits_and_hall_bound_it_together() {
        let power = |kilowatts: f64| Some(Watts::from_f64(1e3 * kilowatts));
        let rack = Rack { power: power(40.0), fed: power(48.0), ..Rack::with_height(42) };
        assert_eq!(rack.most_power(), power(40.0));
        assert_eq!(Rack { power: None, ..rack }.most_power(), power(48.0));
        assert_eq!(rack.without_power_limit().most_power(), None);
        let few = Rack { machines: Some(4), switches: Some(16), ..Rack::with_height(42) };
        let watts = Watts::from_f64(10_200.0);
        assert_eq!([few.holds_machines(8, watts), few.holds_machines(14, watts)], [4, 3]);
        assert_eq!([few.holds_switches(1, watts), few.pieces_per_rack(1, watts)], [16, 42]);
    }
}
