//! How many HB domains may stand by for broken ones: the numbers of which one is best with some network. Weighs no
//! fabric; each number is a candidate of its own.

use super::breakdowns::breakdowns;
use super::faults::LEAST_GOODPUT;
use super::fleet::Fleet;
use super::money::machines_new;
use crate::cost::node_price;
use crate::reliability::{Failures, Fault, alone, fewest, year};
use crate::scenario::Minimize;

/// What the network of a cluster costs at most, over its machines.
const DEAREST_NETWORK: f64 = 1.0;

/// Domains that are broken at most with what a network adds, over those that break on any network.
const MOST_BROKEN: f64 = 1.25;

/// Numbers of HB domains on standby that may be best, fewest first: the one that the spec states, or that suffices for
/// the share of the time that it states. Where machines have no price, the one that suffices for
/// [`Failures::FILL_RATE`].
///
/// Else by what is minimised. A domain that stands by costs money, and only cost per token counts the time that it
/// saves: of other quantities none is best. Of cost per token the numbers are those that make it least with networks
/// that cost nothing up to as much as the machines, and that break none to a quarter more of them. Where money or
/// racks are limited or quantities are minimised in turn, fewer may be all that there is room for.
pub(super) fn standby_numbers(fleet: &Fleet<'_>) -> Vec<u64> {
    let scenario = fleet.scenario;
    let broken = alone(&breakdowns(fleet));
    if let Some(stated) = scenario.failures.stated_standby(broken) {
        return vec![stated];
    }
    let objective = &scenario.objective;
    let mut all = std::iter::once(objective.minimize).chain(objective.then.iter().copied());
    if !all.any(|of| of == Minimize::UsdPerToken) {
        return vec![0];
    }
    if node_price(&scenario.prices, fleet.machine.node).is_none() {
        return vec![fewest(broken, Failures::FILL_RATE)];
    }
    let alone = cheapest_standby(fleet, 0.0, 1.0);
    let most = cheapest_standby(fleet, DEAREST_NETWORK, MOST_BROKEN);
    let limits = &scenario.limits;
    let has_less_room =
        limits.budget.is_some() || limits.bound_racks() || !objective.then.is_empty();
    let least = if has_less_room { 0 } else { alone.min(most) };
    (least..=most.max(alone)).collect()
}

/// The number on standby that makes a token cheapest, of equals the fewest, with a network that costs such a share of
/// the machines and where so many times as much breaks as without one. Machines in stock count as if they were
/// bought: another of them has the same worth.
pub(crate) fn cheapest_standby(fleet: &Fleet<'_>, network: f64, more_broken: f64) -> u64 {
    let faults: Vec<Fault> = breakdowns(fleet)
        .into_iter()
        .map(|fault| Fault { repair: fault.repair * more_broken, ..fault })
        .collect();
    let network = machines_new(&Fleet { standby: 0, ..*fleet }).tco.get() * network;
    let costs = fleet.by_standby(alone(&faults)).map(|of| {
        let token = (machines_new(&of).tco.get() + network) / trained_share(&of, &faults);
        (token, of.standby)
    });
    costs.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, standby)| standby)
}

/// Share of the time that trains where nothing fails but that.
pub(super) fn trained_share(fleet: &Fleet<'_>, faults: &[Fault]) -> f64 {
    year(faults.to_vec(), &fleet.scenario.failures, fleet.standby).goodput.max(LEAST_GOODPUT)
}
