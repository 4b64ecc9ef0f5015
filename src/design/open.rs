//! What is known of a fabric where the effort for making builds came to its end: builds that were
//! left out may be better, but none takes less than its ports and links. Makes none.

use super::choose::Sized;
use super::pieces::Site;
use super::priced::at_market;
use crate::sizing::{Solution, Status};
use crate::units::Usd;

/// An answer beside which builds were left out, where it is known already that no network costs less
/// than so much.
pub(super) fn left_open(sized: Sized, site: &Site<'_>, known: Usd) -> Sized {
    let cost = sized.solution.cost;
    let bound = known.get().max(least_network(site).get()).min(cost.get());
    if bound >= cost.get() {
        return sized;
    }
    let solution = Solution { status: Status::Incumbent, ..sized.solution };
    Sized { solution, ..sized }.proven(Usd::of(bound))
}

/// What no network costs less than: every interface has a link in every plane, and a port of a
/// switch at its end. Parts in stock cost nothing.
pub(super) fn least_network(site: &Site<'_>) -> Usd {
    let links = (site.job.endpoints() * u64::from(site.planes)) as f64;
    let market = at_market(site, 0.0);
    let ports = market.switches.iter().zip(site.skus).filter(|(_, sku)| sku.radix > 0);
    let port = ports.map(|(price, sku)| price / f64::from(sku.radix)).fold(f64::INFINITY, f64::min);
    let each = market.link + if port.is_finite() { port } else { 0.0 };
    Usd::of(links * each)
}
