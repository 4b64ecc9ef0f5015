//! Figures of any unit, and their changes, as cells. The unit comes with the figure.

use super::super::super::amount::amount_text;
use super::super::super::number;
use super::super::super::table::Cell;
use crate::units::{Unit, Usd};

/// A figure.
pub(in super::super) fn figure_cell(unit: Unit, figure: Option<f64>) -> Cell {
    figure.map_or_else(Cell::no_value, |figure| {
        Cell::with_text_and_value(figure_text(unit, figure), figure)
    })
}

/// By how much a figure changed, with its sign.
pub(super) fn change_cell(unit: Unit, change: Option<f64>) -> Cell {
    let Some(change) = change else { return Cell::no_value() };
    let sign = if change > 0.0 { "+" } else { "-" };
    let shown = match unit {
        Unit::Money => number::money_change(Usd::from_f64(change)),
        _ if change == 0.0 => "0".to_owned(),
        // Percent would read like the share of the old value that stands beside it.
        Unit::Share => format!("{sign}{:.2} points", change.abs() * 100.0),
        _ => format!("{sign}{}", figure_text(unit, change.abs())),
    };
    Cell::with_text_and_value(shown, change)
}

/// The change as a share of the old value.
pub(super) fn change_share_cell(old: Option<f64>, new: Option<f64>) -> Cell {
    match (old, new) {
        (Some(old), Some(new)) if old != 0.0 && old != new => {
            let share = (new - old) / old.abs();
            Cell::with_text_and_value(fine_percent(share), share)
        }
        _ => Cell::default(),
    }
}

/// A change as percent; one that a decimal would hide says that it is there.
fn fine_percent(share: f64) -> String {
    const HIDDEN: f64 = 0.000_5;
    match share {
        _ if share > 0.0 && share < HIDDEN => "<+0.1 %".to_owned(),
        _ if share < 0.0 && share > -HIDDEN => ">-0.1 %".to_owned(),
        _ => number::percent_change(share),
    }
}

/// A figure in its unit.
pub(in super::super) fn figure_text(unit: Unit, figure: f64) -> String {
    match unit {
        Unit::Count | Unit::Number if figure.fract() == 0.0 && figure >= 0.0 => {
            number::count(figure as u128)
        }
        Unit::Count | Unit::Number => {
            number::exact_number((figure * 1e4).round() / 1e4).to_string()
        }
        _ => amount_text(&unit.to_amount(figure)),
    }
}
