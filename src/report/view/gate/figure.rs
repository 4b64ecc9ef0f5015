//! Figures of any unit, and their changes, as cells. The unit comes with the figure.

use super::super::super::number;
use super::super::super::table::Cell;
use crate::gate::Unit;
use crate::units::{Bandwidth, Bytes, Seconds, Usd, Watts};

/// Above it, a plain number is a count and shown whole.
const COUNT_FROM: f64 = 100.0;

/// A figure.
pub(in super::super) fn value(unit: Unit, figure: Option<f64>) -> Cell {
    figure.map_or_else(Cell::none, |figure| Cell::shown(text(unit, figure), figure))
}

/// By how much a figure changed, with its sign.
pub(super) fn changed(unit: Unit, change: Option<f64>) -> Cell {
    let Some(change) = change else { return Cell::none() };
    let plus = if change > 0.0 { "+" } else { "" };
    let shown = match unit {
        Unit::Usd => number::money_change(Usd::of(change)),
        Unit::Bytes | Unit::Memory if change < 0.0 => format!("-{}", text(unit, -change)),
        _ if change == 0.0 => "0".to_owned(),
        // Percent would read like the share of the old value that stands beside it.
        Unit::Share => format!("{plus}{:.2} points", change * 100.0),
        _ => format!("{plus}{}", text(unit, change)),
    };
    Cell::shown(shown, change)
}

/// The change as a share of the old value.
pub(super) fn share(old: Option<f64>, new: Option<f64>) -> Cell {
    match (old, new) {
        (Some(old), Some(new)) if old != 0.0 && old != new => {
            let share = (new - old) / old.abs();
            Cell::shown(fine_percent(share), share)
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
pub(in super::super) fn text(unit: Unit, figure: f64) -> String {
    match unit {
        Unit::Usd => number::money(Usd::of(figure)),
        Unit::Seconds => number::time(Seconds::of(figure)),
        Unit::Days => format!("{figure:.1} days"),
        Unit::Watts => number::power(Watts::of(figure)),
        Unit::Bytes => number::volume(Bytes::new(figure.max(0.0) as u128)),
        Unit::Memory => number::memory(Bytes::new(figure.max(0.0) as u128)),
        Unit::Share => number::percent(figure),
        Unit::Gigabits => number::link_rate(Bandwidth::gigabits(figure)),
        Unit::Plain if figure.fract() == 0.0 && figure.abs() >= COUNT_FROM => {
            let sign = if figure < 0.0 { "-" } else { "" };
            format!("{sign}{}", number::count(figure.abs() as u128))
        }
        Unit::Plain if figure.fract() == 0.0 => format!("{figure:.0}"),
        Unit::Plain => format!("{}", number::exact((figure * 1e4).round() / 1e4)),
    }
}
