//! The way of a cable from port to port: up to the tray, along the row, across the rows, and down.

use super::rack::RackPlace;
use super::spot::Spot;
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

#[cfg(test)]
mod tests {
    use super::super::rack::{RackPlace, RackRole};
    use super::super::spot::Spot;
    use super::cable_length;
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

    /// By hand: 0.4 + 0.3 a side; rows 0 and 3 are three racks and two hot aisles and a cold one apart.
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
