//! Words for what relaxing a limit is worth.

use super::amount::amount;
use super::number;
use crate::design::Worth;
use crate::scenario::Minimize;
use crate::units::{Amount, Usd};

/// The worth as a sentence without its full stop.
pub(super) fn text(worth: &Worth) -> String {
    match worth {
        Worth::Saves { by, saved, of } => {
            let of = match of {
                Minimize::Capex => "capex",
                Minimize::Tco => "TCO",
                Minimize::UsdPerToken => "TCO at the same pace",
                Minimize::Power => "power",
            };
            let step = step(by.as_ref());
            format!("{step} would save {} of {of}", number::money(*saved))
        }
        Worth::Spares { by, power } => {
            format!("{} would spare {}", step(by.as_ref()), number::power(*power))
        }
        Worth::Tiers { endpoints, radix, tiers } => format!(
            "a rail of {} endpoints needs {tiers} tiers of {radix}-port switches; up to {radix} \
             endpoints need one",
            number::count(*endpoints)
        ),
    }
}

fn step(by: Option<&Amount>) -> String {
    by.map_or_else(|| "no such limit".to_owned(), |by| format!("{} more", amount(by)))
}

/// The money in it; `None` where it is none.
pub(super) const fn saved(worth: &Worth) -> Option<Usd> {
    match worth {
        Worth::Saves { saved, .. } => Some(*saved),
        Worth::Spares { .. } | Worth::Tiers { .. } => None,
    }
}
