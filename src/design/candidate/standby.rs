//! How many HB domains stand by for broken ones: a rule, the same whatever the network. Weighs no fabric.

use super::breakdowns::breakdowns;
use super::faults::LEAST_GOODPUT;
use super::fleet::Fleet;
use super::money::machines_new;
use crate::cost::node_price;
use crate::reliability::{Failures, Fault, alone, fewest, year};

/// HB domains that stand by: as many as the spec states, or suffice for the share of the time that it states.
/// Else as many as make a token of the machines alone cheapest, of equals the fewest. Where machines have no
/// price, as many as suffice for [`Failures::FILL_RATE`].
///
/// Machines in stock count as if they were bought: another of them has the same worth. What breaks is what does on any network: machines, and NICs that their domain can't do without.
pub(super) fn standby(fleet: &Fleet<'_>) -> u64 {
    let rates = &fleet.scenario.failures;
    let faults = breakdowns(fleet);
    let broken = alone(&faults);
    if let Some(stated) = rates.stated_standby(broken) {
        return stated;
    }
    if node_price(&fleet.scenario.prices, fleet.machine.node).is_none() {
        return fewest(broken, Failures::FILL_RATE);
    }
    let token = |of: &Fleet<'_>| machines_new(of).tco.get() / trains(of, &faults);
    let costs = fleet.by_standby(broken).map(|of| (token(&of), of.standby));
    costs.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, standby)| standby)
}

/// Share of the time that trains where nothing fails but that.
pub(super) fn trains(fleet: &Fleet<'_>, faults: &[Fault]) -> f64 {
    year(faults.to_vec(), &fleet.scenario.failures, fleet.standby).goodput.max(LEAST_GOODPUT)
}
