//! Whether the machines of a candidate alone exceed a limit. Sizes nothing.

use super::racks::racks_of_machines;
use super::sized::ROUNDING;
use super::terms::Terms;
use crate::design::candidate::list::Candidate;
use crate::scenario::Minimize;

/// True where the machines of a candidate alone exceed what is allowed of money or power, whatever layouts run, or one of
/// them what a rack offers: no network makes a design of it.
pub(crate) fn machines_exceed_limits(candidate: &Candidate<'_>, terms: &Terms<'_>) -> bool {
    let alone =
        |minimize| candidate.lower_bound_for_any_layout(&Terms { minimize, ..*terms }, None);
    let exceeds = |most: f64, quantity| alone(quantity) > most * (1.0 + ROUNDING);
    let limits = terms.limits;
    limits.budget.is_some_and(|most| exceeds(most.get(), Minimize::Capex))
        || limits.power.is_some_and(|most| exceeds(most.get(), Minimize::Power))
        || (limits.bound_racks() && racks_of_machines(&candidate.job, terms).is_err())
}
