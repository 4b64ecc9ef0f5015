//! How many trays HB domains leave to spare on purpose: a rule, as that of machines on standby. Times and sizes
//! nothing.

use super::breakdowns::breakdowns;
use super::fleet::{Fleet, domains_of};
use super::machine::Machine;
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
    let node = machine.node;
    let seated = |seats| Placement::seated(&even.step.grid, node.gpus, node.nics, seats);
    let used = |spare| match spare {
        0 => seated(Seats::Most).used(),
        _ => seated(Seats::Sparing(spare)).used(),
    };
    let spare = most_of_trays(scenario, machine, (even.step.grid.ranks(), &used))?;
    (used(spare) != even.placement().used()).then_some(Seats::Sparing(spare))
}

/// GPUs to spare by that rule, of as many ranks as are given, where so many GPUs of a domain are used beside each
/// number to spare; `None` where it is none.
pub(super) fn most_of_trays(
    scenario: &Scenario,
    machine: Machine<'_>,
    (ranks, used): (u32, &dyn Fn(u32) -> u32),
) -> Option<u32> {
    machine.replaceable_tray()?;
    let is_priced = node_price(&scenario.prices, machine.node).is_some();
    let cost = |fleet: &Fleet<'_>| match is_priced {
        true => machines_new(fleet).tco.get(),
        false => f64::from(fleet.domains) + fleet.standby as f64,
    };
    let mut best = (f64::INFINITY, 0);
    let mut before = None;
    for spare in machine.spares() {
        let seats = used(spare);
        let of_domain = seats.min(ranks);
        if before.replace(of_domain) == Some(of_domain) || spare > 0 && seats == used(0) {
            continue; // blocks of ranks leave as many GPUs, or have no room beside so many trays
        }
        let domains = domains_of(scenario, machine, (ranks, seats));
        let fleet =
            Fleet { scenario, machine, domains, standby: 0, used: of_domain, host_memory: 0 };
        // More domains cost more, and none trains more than all of the time.
        if cost(&fleet) >= best.0 {
            break;
        }
        let fleet = Fleet { standby: standby(&fleet), ..fleet };
        let of = cost(&fleet) / trains(&fleet, &breakdowns(&fleet));
        if of < best.0 {
            best = (of, spare);
        }
    }
    Some(best.1).filter(|spare| used(*spare) != used(0))
}
