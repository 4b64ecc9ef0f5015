//! Words for what relaxing a limit is worth.

use super::number;
use crate::design::{Relaxed, Worth};
use crate::scenario::Minimize;
use crate::units::Usd;

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
            let step = step(by);
            format!("{step} would save {} of {of}", number::money(*saved))
        }
        Worth::Spares { by, power } => {
            format!("{} would spare {}", step(by), number::power(*power))
        }
        Worth::Tiers { endpoints, radix, tiers } => format!(
            "a rail of {} endpoints needs {tiers} tiers of {radix}-port switches; up to {radix} \
             endpoints need one",
            number::count(*endpoints)
        ),
    }
}

fn step(by: &Relaxed) -> String {
    match by {
        Relaxed::Share(share) => format!("{} more", number::percent(*share)),
        Relaxed::Power(power) => format!("{} more", number::power(*power)),
        Relaxed::Pieces(pieces) => format!("{} more", number::count(*pieces)),
        Relaxed::Money(money) => format!("{} more", number::money(*money)),
        Relaxed::Dropped => "no such limit".to_owned(),
    }
}

/// The money in it; `None` where it is none.
pub(super) const fn saved(worth: &Worth) -> Option<Usd> {
    match worth {
        Worth::Saves { saved, .. } => Some(*saved),
        Worth::Spares { .. } | Worth::Tiers { .. } => None,
    }
}
