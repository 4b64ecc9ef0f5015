//! How many trays HB domains may leave to spare on purpose: the numbers of which one is best with some number of HB
//! domains on standby. Times and sizes nothing.

use super::breakdowns::{broken_domains_of_fleet, machine_faults};
use super::fleet::{Fleet, domain_count};
use super::machine::Machine;
use super::money::machines_new;
use super::run::JobRun;
use super::standby::trained_share;
use crate::cost::node_price;
use crate::parallel::{Placement, Seats};
use crate::reliability::Standby;
use crate::scenario::Scenario;

/// Seats that leave to spare what makes a token of the machines alone cheapest, with each number on standby, where a
/// step is as long on any number of GPUs of a domain. Without those that are weighed in any case: those of a run that
/// borders of domains cut evenly, and all.
pub(super) fn sparing_seats(scenario: &Scenario, even: &JobRun<'_>) -> Vec<Seats> {
    let machine = even.machine;
    let node = machine.node;
    let seated =
        |seats| Placement::place_groups_whole(&even.step.grid, node.gpus, node.nics, seats);
    let used = |spare| match spare {
        0 => seated(Seats::Most).used_gpus_per_domain(),
        _ => seated(Seats::Sparing(spare)).used_gpus_per_domain(),
    };
    let ranks = even.step.grid.ranks();
    let all = spare_gpus(scenario, machine, ranks, &used).into_iter();
    let others = all.filter(|spare| used(*spare) != even.placement().used_gpus_per_domain());
    others.map(Seats::Sparing).collect()
}

/// GPUs to spare by that rule, of as many ranks as are given, where so many GPUs of a domain are used beside each
/// number to spare. Of machines without a price as many as take the fewest, over the share of the time that trains.
/// Of equals the fewest; none to spare is left out.
pub(super) fn spare_gpus(
    scenario: &Scenario,
    machine: Machine<'_>,
    ranks: u32,
    used: &dyn Fn(u32) -> u32,
) -> Vec<u32> {
    if machine.replaceable_tray().is_none() {
        return Vec::new();
    }
    let is_priced = node_price(&scenario.prices, machine.node).is_some();
    let cost = |fleet: &Fleet<'_>| match is_priced {
        true => machines_new(fleet).tco.get(),
        false => f64::from(fleet.domains) + fleet.standby.domains as f64,
    };
    let mut least: Vec<Least> = Vec::new();
    let mut before = None;
    for spare in machine.spare_gpu_options() {
        let seats = used(spare);
        let of_domain = seats.min(ranks);
        if before.replace(of_domain) == Some(of_domain) || spare > 0 && seats == used(0) {
            continue; // blocks of ranks leave as many GPUs, or have no room beside so many trays
        }
        let domains = domain_count(scenario, machine, (ranks, seats));
        let fleet = Fleet {
            scenario,
            machine,
            domains,
            standby: Standby::NONE,
            used: of_domain,
            host_memory: 0,
        };
        let numbers = fleet
            .options_by_standby(broken_domains_of_fleet(&fleet))
            .map(|this_fleet| this_fleet.standby);
        // More domains cost more, and none trains more than all of the time.
        let alone = cost(&fleet);
        if !least.is_empty() && least.iter().all(|least_token| alone >= least_token.token) {
            break;
        }
        let faults = machine_faults(&fleet);
        for standby in numbers {
            let fleet = Fleet { standby, ..fleet };
            let token = cost(&fleet) / trained_share(&fleet, &faults);
            match least.iter_mut().find(|least_token| least_token.standby == standby) {
                Some(known) if token < known.token => (known.token, known.spare) = (token, spare),
                Some(_) => {}
                None => least.push(Least { standby, token, spare }),
            }
        }
    }
    let mut all: Vec<u32> = least.into_iter().map(|least_token| least_token.spare).collect();
    all.retain(|spare| used(*spare) != used(0));
    all.sort_unstable();
    all.dedup();
    all
}

/// The least that a token of the machines alone takes with so many on standby, and the GPUs to spare that take it.
struct Least {
    standby: Standby,
    token: f64,
    spare: u32,
}
