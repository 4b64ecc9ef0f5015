//! A hall from above and its racks from the front. It only draws; where things stand was placed
//! elsewhere.

use super::canvas::{
    Area, Canvas, CanvasAnchor, DrawingTint, FRAME, INK, LEFT, PANEL, RIGHT, SWITCH, TOP,
    tint_for_rail,
};
use crate::hall::{Floor, RackRole, RackSeat};

/// A device as a rack is drawn with it.
#[derive(Clone, Debug)]
pub(in crate::report) struct RackedDevice<'a> {
    pub(in crate::report) name: String,
    /// Where it stands.
    pub(in crate::report) seat: &'a RackSeat,
}

/// Height of a rack from above.
const DEEP: f64 = 34.0;
/// Most racks that are drawn from the front.
const MOST_RACKS: usize = 36;
/// Racks from the front in a line.
const ABREAST: usize = 9;
/// Height of a rack unit.
const UNIT: f64 = 8.0;

/// The hall from above: rows of racks with aisles between them. The same hall gives the same bytes.
#[must_use]
pub(in crate::report) fn draw_hall_rows(name: &str, sentence: &str, floor: &Floor) -> String {
    let mut canvas = Canvas::new();
    canvas.add_title(name, sentence);
    let longest = floor.racks.iter().map(|rack| rack.place + 1).max().unwrap_or(1);
    let wide = ((RIGHT - LEFT) / f64::from(longest)).min(60.0);
    let top = |row: u32| {
        let aisles = f64::from(row.div_ceil(2)) * 22.0 + f64::from(row / 2) * 34.0;
        TOP + 30.0 + f64::from(row) * DEEP + aisles
    };
    for row in 0..floor.rows_in_use() {
        let y = top(row) + DEEP / 2.0 + 4.0;
        let first = floor.racks.iter().find(|rack| rack.row == row);
        let letters = first.map_or_else(String::new, ToString::to_string);
        let letters = letters.trim_end_matches(|letter: char| letter.is_ascii_digit());
        canvas.add_text((30.0, y), CanvasAnchor::Start, &format!("row {letters}"));
        if row + 1 < floor.rows_in_use() {
            let (aisle, y) = match row % 2 {
                0 => ("hot aisle", top(row) + DEEP + 16.0),
                _ => ("cold aisle", top(row) + DEEP + 22.0),
            };
            canvas.add_note((LEFT, y), CanvasAnchor::Start, aisle);
        }
    }
    for rack in &floor.racks {
        let x = LEFT + f64::from(rack.place) * wide;
        let area = Area { x, y: top(rack.row), width: wide - 2.0, height: DEEP };
        let about = format!("{rack}: {}", rack.role.name());
        canvas.add_panel(area, role_fill_tint(rack.role, rack.unit), FRAME, &about);
        if wide >= 34.0 {
            let at = (area.centre_x(), area.y + DEEP / 2.0 + 4.0);
            canvas.add_label(
                at,
                CanvasAnchor::Middle,
                &format!("{:02}", rack.place + 1),
                role_text_tint(rack.role),
            );
        }
    }
    draw_hall_legend(&mut canvas, floor);
    canvas.finish_svg()
}

/// What the tints say.
fn draw_hall_legend(canvas: &mut Canvas, floor: &Floor) {
    let y = canvas.drawn_bottom() + 26.0;
    let mut x = LEFT;
    let others = (floor.racks_of(RackRole::Others) > 0).then_some(RackRole::Others);
    for role in [RackRole::Machines, RackRole::Leafs, RackRole::Spines].into_iter().chain(others) {
        canvas.add_panel(
            Area { x, y, width: 18.0, height: 14.0 },
            role_fill_tint(role, None),
            FRAME,
            "",
        );
        canvas.add_text((x + 26.0, y + 12.0), CanvasAnchor::Start, role.name());
        x += 170.0;
    }
}

const fn role_text_tint(role: RackRole) -> DrawingTint {
    match role {
        RackRole::Machines | RackRole::Others => INK,
        RackRole::Leafs | RackRole::Spines => super::canvas::PAPER,
    }
}

fn role_fill_tint(role: RackRole, _unit: Option<u32>) -> DrawingTint {
    match role {
        RackRole::Machines => PANEL,
        RackRole::Leafs => tint_for_rail(0),
        RackRole::Spines => SWITCH,
        RackRole::Others => FRAME,
    }
}

/// Racks from the front, of those that are asked for; of many the first.
#[must_use]
pub(in crate::report) fn draw_rack_elevations(
    name: &str,
    floor: &Floor,
    devices: &[RackedDevice<'_>],
    wanted: &dyn Fn(usize) -> bool,
) -> String {
    let mut canvas = Canvas::new();
    let all: Vec<usize> = (0..floor.racks.len()).filter(|rack| wanted(*rack)).collect();
    let shown = all.len().min(MOST_RACKS);
    let more = match all.len() - shown {
        0 => String::new(),
        more => format!("; {more} more by `--rack NAME`"),
    };
    canvas.add_title(name, &format!("racks from the front, {} U{more}", floor.height));
    let wide = (RIGHT - 60.0) / ABREAST as f64;
    let high = f64::from(floor.height) * UNIT;
    for (place, rack) in all.iter().take(shown).enumerate() {
        let x = 60.0 + (place % ABREAST) as f64 * wide;
        let y = TOP + 24.0 + (place / ABREAST) as f64 * (high + 60.0);
        let rack_place = &floor.racks[*rack];
        canvas.add_text(
            (x, y - 8.0),
            CanvasAnchor::Start,
            &format!("{rack_place}, {}", rack_place.role.name()),
        );
        let frame = Area { x, y, width: wide - 14.0, height: high };
        canvas.add_panel(frame, super::canvas::PAPER, FRAME, &rack_place.to_string());
        if place % ABREAST == 0 {
            for unit in (1..=floor.height).filter(|unit| unit % 6 == 0 || *unit == 1) {
                let at = y + high - f64::from(unit) * UNIT + UNIT;
                canvas.add_note((30.0, at), CanvasAnchor::Start, &unit.to_string());
            }
        }
        for device in devices.iter().filter(|racked_device| racked_device.seat.rack == *rack) {
            let RackSeat { bottom, height, .. } = device.seat;
            let top = y + high - f64::from(bottom + height - 1) * UNIT;
            let area = Area {
                x: x + 3.0,
                y: top + 0.5,
                width: wide - 20.0,
                height: f64::from(*height) * UNIT - 1.0,
            };
            let machine = matches!(rack_place.role, RackRole::Machines | RackRole::Others);
            let tint = if machine { PANEL } else { role_fill_tint(rack_place.role, None) };
            canvas.add_panel(area, tint, FRAME, &format!("{}, U {bottom}", device.name));
            if *height >= 2 {
                let ink = if machine { INK } else { super::canvas::PAPER };
                let at = (area.centre_x(), area.y + area.height / 2.0 + 4.0);
                canvas.add_label(at, CanvasAnchor::Middle, &device.name, ink);
            }
        }
    }
    canvas.finish_svg()
}
