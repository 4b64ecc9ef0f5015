//! Words for what relaxing a limit is worth.

use super::amount::amount;
use super::number;
use crate::design::Worth;
use crate::scenario::Minimize;
use crate::units::{Amount, Exact, Usd};

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
        Worth::Lifted { needs, saved, of, design } => {
            let moved = needs.as_ref().map_or_else(
                || "without it the best design".to_owned(),
                |needs| format!("raised to {} it", Exact(needs)),
            );
            let of = match of {
                Minimize::Capex => " of capex",
                Minimize::Tco => " of TCO",
                Minimize::UsdPerToken => " per million tokens",
                Minimize::Power => "",
            };
            format!("{moved} would save {}{of}: {design}", amount(saved))
        }
        Worth::Tiers { endpoints, radix, tiers } => format!(
            "a rail of {} endpoints needs {tiers} tiers of {radix}-port switches; up to {radix} \
             endpoints need one",
            number::count(*endpoints)
        ),
    }
}

fn step(by: Option<&Amount>) -> String {
    by.map_or_else(|| "leaving it out".to_owned(), |by| format!("{} more", amount(by)))
}

/// The money in it; `None` where it is none, or money per token.
pub(super) const fn saved(worth: &Worth) -> Option<Usd> {
    match worth {
        Worth::Saves { saved, .. } => Some(*saved),
        Worth::Lifted { of: Minimize::UsdPerToken, .. } => None,
        Worth::Lifted { saved: Amount::Money(saved), .. } => Some(*saved),
        Worth::Lifted { .. } | Worth::Spares { .. } | Worth::Tiers { .. } => None,
    }
}

/// Money per million tokens in it; `None` where it is none.
pub(super) const fn saved_per_token(worth: &Worth) -> Option<Usd> {
    match worth {
        Worth::Lifted { of: Minimize::UsdPerToken, saved: Amount::Money(saved), .. } => {
            Some(*saved)
        }
        _ => None,
    }
}
