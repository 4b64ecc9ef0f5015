//! What is known of a fabric where the effort for making builds came to its end: builds that were
//! left out may be better, but none takes less than its ports and links. Makes none.

use super::context::ColumnContext;
use super::market::min_network_cost;
use super::sized::SizedFabric;
use crate::sizing::{Solution, Status};
use crate::units::Usd;

/// An answer beside which builds were left out, where it is known already that no network costs less
/// than so much.
pub(super) fn sized_with_open_bound(
    sized: SizedFabric,
    context: &ColumnContext<'_>,
    known: Usd,
) -> SizedFabric {
    let cost = sized.solution.cost;
    let bound = known.get().max(min_network_cost(context).get()).min(cost.get());
    if bound >= cost.get() {
        return sized;
    }
    let solution = Solution { status: Status::Incumbent, ..sized.solution };
    SizedFabric { solution, ..sized }.with_bound(Usd::from_f64(bound))
}
