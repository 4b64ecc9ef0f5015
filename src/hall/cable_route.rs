//! Way of a cable, kinds of link, colours.

use super::rack::{RackPlace, Spot};
use crate::scenario::Hall;
use crate::units::Metres;

/// Height of a rack unit (EIA-310).
pub const RACK_UNIT: Metres = Metres::from_f64(0.04445);

/// Length of a cable between two ports in racks of so many units, slack included (docs/equations.md
/// §7.16).
#[must_use]
pub fn cable_length(hall: &Hall, units: u32, racks: &[RackPlace], [a, b]: [Spot; 2]) -> Metres {
    let (Some(from), Some(to)) = (racks.get(a.rack), racks.get(b.rack)) else {
        return hall.slack;
    };
    if a.rack == b.rack {
        let apart = f64::from(a.half_units.abs_diff(b.half_units)) / 2.0;
        return RACK_UNIT * apart + hall.side + hall.slack;
    }
    let up =
        |spot: Spot| RACK_UNIT * (f64::from(units) - f64::from(spot.half_units) / 2.0).max(0.0);
    let along = hall.rack_pitch * f64::from(from.place.abs_diff(to.place));
    let across = row_depth(hall, from.row.max(to.row)) - row_depth(hall, from.row.min(to.row));
    let trays = (hall.tray + hall.side) * 2.0;
    up(a) + up(b) + trays + along + across + hall.slack
}

/// Metres from the first row to another. Rows stand back to back and face to face in turn.
fn row_depth(hall: &Hall, row: u32) -> Metres {
    let hot = f64::from(row.div_ceil(2));
    let cold = f64::from(row / 2);
    hall.rack_depth * f64::from(row) + hall.hot_aisle * hot + hall.cold_aisle * cold
}

/// A kind of link with a cable of a length that is sold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkKindInHall {
    /// The kind, by its name in the catalogue.
    pub kind: String,
    /// The cable, by its name in the catalogue.
    pub cable: String,
    /// Its length in metres.
    pub cable_m: u32,
    pub family: String,
    /// Links that share a cage of the switch.
    pub near_links: u32,
    /// Links that share the cage of the other end.
    pub far_links: u32,
    /// Cables that a link takes.
    pub cables: u32,
    /// Links that share a cable.
    pub cable_links: u32,
    /// Module in the switch; empty where the cable ends in the cage.
    pub near_module: String,
    /// Module at the other end; likewise.
    pub far_module: String,
}

/// Chooses what links are bought as.
pub trait LinkKinds {
    /// The kind that reaches so many metres, with its shortest cable of so many at least; `None`
    /// where nothing does. Of links between an interface and its leaf switch, or between switches.
    fn kind_for_reach(&self, host: bool, reach_m: u32, cable_m: u32) -> Option<LinkKindInHall>;
}

/// Lengths that cables are commonly sold in, in metres: what a way is rounded up to where no part
/// is known.
const STOCKED: [u32; 12] = [1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50];

/// The shortest of [`STOCKED`] that is long enough; beyond, whole tens of metres.
pub(super) fn stocked_cable_length(metres: u32) -> u32 {
    let known = STOCKED.into_iter().find(|length| *length >= metres);
    known.unwrap_or_else(|| metres.div_ceil(10).saturating_mul(10))
}

/// A colour of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Colour {
    pub name: &'static str,
    /// Red, green and blue as six hexadecimal digits.
    pub hex: &'static str,
}

/// The order of the twelve colours of fibres (TIA-598): rail 0 has the first, rail 12 the first
/// again.
pub const COLOURS: [Colour; 12] = [
    Colour { name: "blue", hex: "2196f3" },
    Colour { name: "orange", hex: "ff9800" },
    Colour { name: "green", hex: "4caf50" },
    Colour { name: "brown", hex: "795548" },
    Colour { name: "slate", hex: "9e9e9e" },
    Colour { name: "white", hex: "ffffff" },
    Colour { name: "red", hex: "f44336" },
    Colour { name: "black", hex: "111111" },
    Colour { name: "yellow", hex: "ffeb3b" },
    Colour { name: "violet", hex: "9c27b0" },
    Colour { name: "rose", hex: "e91e63" },
    Colour { name: "aqua", hex: "00bcd4" },
];

impl Colour {
    /// The colour of a rail.
    #[must_use]
    pub const fn rail_colour(rail: u32) -> Self {
        COLOURS[rail as usize % COLOURS.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::cable_length;
    use crate::hall::rack::{RackPlace, RackRole, Spot};
    use crate::scenario::{Hall, LeafRacks};
    use crate::units::{Metres, Watts};

    fn hall(tray: f64, side: f64) -> Hall {
        Hall {
            cold_aisle: Metres::from_f64(1.0),
            tray: Metres::from_f64(tray),
            side: Metres::from_f64(side),
            rack_units: None,
            rack_power: None,
            machines_per_rack: None,
            switches_per_rack: None,
            racks_per_row: 20,
            rows: None,
            rack_pitch: Metres::from_f64(0.6),
            rack_depth: Metres::from_f64(1.2),
            hot_aisle: Metres::from_f64(1.2),
            slack: Metres::from_f64(0.5),
            unit_machines: 32,
            leaf_racks: LeafRacks::Middle,
            stated: true,
            packed: false,
        }
    }

    #[track_caller]
    fn case(hall: &Hall, places: [(u32, u32); 2], units: [u32; 2], metres: f64) {
        let racks = places.map(|(row, place)| {
            let role = RackRole::Machines;
            RackPlace { row, place, role, unit: None, power: Watts::ZERO }
        });
        let [a, b] = units.map(|unit| 2 * unit);
        let far = usize::from(places[0] != places[1]);
        let spots = [Spot { rack: 0, half_units: a }, Spot { rack: far, half_units: b }];
        let found = cable_length(hall, 42, &racks, spots).get();
        assert!((found - metres).abs() < 5e-3, "{found} m, not {metres} m");
    }

    /// Two racks apart: 2.5 m between ports at the top, 4.2 m between ports half-way up: the worked
    /// example of public cable planning notes, whose tray is 0.3 m above the racks.
    #[test]
    fn racks_of_one_row_are_as_far_apart_as_published() {
        case(&hall(0.4, 0.0), [(0, 0), (0, 2)], [42, 42], 2.5);
        case(&hall(0.3, 0.0), [(0, 0), (0, 2)], [21, 21], 4.17);
    }

    /// By hand: 0.4 + 0.3 a side; rows 0 and 3 are three racks and two hot aisles and a cold one
    /// apart.
    #[test]
    fn rows_are_apart_by_racks_and_aisles() {
        case(&hall(0.4, 0.3), [(0, 4), (3, 1)], [42, 42], 1.4 + 1.8 + 3.6 + 2.4 + 1.0 + 0.5);
        case(&hall(0.4, 0.3), [(2, 0), (1, 0)], [42, 42], 1.4 + 1.2 + 1.0 + 0.5);
    }

    #[test]
    fn in_one_rack_a_cable_runs_down_its_side() {
        case(&hall(0.4, 0.3), [(0, 4), (0, 4)], [42, 22], 20.0 * 0.04445 + 0.3 + 0.5);
    }
}
