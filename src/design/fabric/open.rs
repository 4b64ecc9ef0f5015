//! What is known of a fabric where the effort for making builds came to its end: builds that were
//! left out may be better, but none takes less than its ports and links. Makes none.

use super::context::Context;
use super::market::least_network;
use super::sized::Sized;
use crate::sizing::{Solution, Status};
use crate::units::Usd;

/// An answer beside which builds were left out, where it is known already that no network costs less
/// than so much.
pub(super) fn left_open(sized: Sized, context: &Context<'_>, known: Usd) -> Sized {
    let cost = sized.solution.cost;
    let bound = known.get().max(least_network(context).get()).min(cost.get());
    if bound >= cost.get() {
        return sized;
    }
    let solution = Solution { status: Status::Incumbent, ..sized.solution };
    Sized { solution, ..sized }.proven(Usd::of(bound))
}
