//! How many trays HB domains leave to spare on purpose: a rule, as that of machines on standby. Times and sizes
//! nothing.

use super::breakdowns::breakdowns;
use super::fleet::Fleet;
use super::money::machines_new;
use super::run::Run;
use super::standby::{standby, trains};
use crate::cost::node_price;
use crate::parallel::{Placement, Seats};
use crate::scenario::Scenario;

/// Seats that leave as many trays as make a token of the machines alone cheapest, of equals the fewest, where a
/// step is as long on any number of GPUs of a domain; of machines without a price as many as take the fewest,
/// over the share of the time that trains. `None` where these are seats that are weighed in any case: those of
/// a run that borders of domains cut evenly, and all.
///
/// What no network takes away is all that counts, as for [machines on standby](standby), so it may
/// not be the best number for the network that is chosen.
pub(super) fn sparing(scenario: &Scenario, even: &Run<'_>) -> Option<Seats> {
    let machine = even.machine;
    machine.replaceable_tray()?;
    let node = machine.node;
    let seated = |seats| Placement::seated(&even.step.grid, node.gpus, node.nics, seats);
    let most = seated(Seats::Most);
    let ranks = even.step.grid.ranks();
    let is_priced = node_price(&scenario.prices, node).is_some();
    let cost = |fleet: &Fleet<'_>| match is_priced {
        true => machines_new(fleet).tco.get(),
        false => f64::from(fleet.domains) + fleet.standby as f64,
    };
    let mut best = (f64::INFINITY, Seats::Most);
    let mut before = None;
    for spare in machine.spares() {
        let placement = seated(Seats::Sparing(spare));
        let used = placement.used().min(ranks);
        if before.replace(used) == Some(used) || spare > 0 && placement == most {
            continue; // blocks of ranks leave as many GPUs, or have no room beside so many trays
        }
        let domains = even.domains_where(scenario, placement);
        let fleet = Fleet { scenario, machine, domains, standby: 0, used, host_memory: 0 };
        // More domains cost more, and none trains more than all of the time.
        if cost(&fleet) >= best.0 {
            break;
        }
        let fleet = Fleet { standby: standby(&fleet), ..fleet };
        let of = cost(&fleet) / trains(&fleet, &breakdowns(&fleet));
        if of < best.0 {
            best = (of, Seats::Sparing(spare));
        }
    }
    let known = [most, even.placement()];
    Some(best.1).filter(|seats| !known.contains(&seated(*seats)))
}
