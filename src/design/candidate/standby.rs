//! How many HB domains may stand by for broken ones, and with ports of their own or without: those of which one is
//! best with some network. Weighs no fabric; each choice is a candidate of its own.

use super::breakdowns::machine_faults;
use super::faults::LEAST_GOODPUT;
use super::fleet::Fleet;
use super::money::machines_new;
use crate::cost::node_price;
use crate::reliability::{
    Failures, Fault, Standby, failure_year, mean_broken_domains, poisson_quantile,
};
use crate::scenario::Minimize;

/// What the network of a cluster costs at most, over its machines.
const DEAREST_NETWORK: f64 = 1.0;

/// What networks of a cluster with other machines on standby differ by at most, over its machines.
const MOST_APART: f64 = 0.05;

/// Domains that are broken at most with what a network adds, over those that break on any network.
const MOST_BROKEN: f64 = 1.25;

/// Both kinds, each of so many HB domains, that with ports first: a machine that no network joins needs none.
const KINDS: [fn(u64) -> Standby; 2] = [Standby::new_wired, Standby::new_cold];

/// HB domains on standby that may be best, of each kind the fewest first: as many as the spec states, or as suffice for
/// the share of the time that it states. Where machines have no price, as many as suffice for
/// [`Failures::FILL_RATE`].
///
/// Else by what is minimised. A domain that stands by costs money, and only cost per token counts the time that it
/// saves: of other quantities none is best. Of cost per token the most of a kind make it least with a network that
/// costs as much as the machines, and that breaks a quarter more of them. Fewer with ports of their own may need fewer
/// switches, by any number. Of those without ports fewer are best only with cheaper networks, or where money or racks
/// are limited or quantities are minimised in turn. What is best only if its network is cheaper than that of the best by
/// a twentieth of the machines is left out.
pub(super) fn standby_choices(fleet: &Fleet<'_>) -> Vec<Standby> {
    let scenario = fleet.scenario;
    let faults = machine_faults(fleet);
    let broken = mean_broken_domains(&faults);
    let kinds = if fleet.domains < 2 { &KINDS[..1] } else { &KINDS };
    let of_each_kind = |number: u64| match number {
        0 => vec![Standby::NONE],
        some => kinds.iter().map(|read| read(some)).collect(),
    };
    if let Some(stated) = scenario.failures.stated_standby(broken) {
        return of_each_kind(stated);
    }
    let objective = &scenario.objective;
    let mut all = std::iter::once(objective.minimize).chain(objective.then.iter().copied());
    if !all.any(|quantity| quantity == Minimize::UsdPerToken) {
        return vec![Standby::NONE];
    }
    if node_price(&scenario.prices, fleet.machine.node).is_none() {
        return of_each_kind(poisson_quantile(broken, Failures::FILL_RATE));
    }
    let limits = &scenario.limits;
    let has_less_room =
        limits.budget.is_some() || limits.bound_racks() || !objective.then.is_empty();
    let mut choices = vec![Standby::NONE];
    for kind in kinds {
        let alone = cheapest_standby(fleet, *kind, (0.0, 1.0));
        let most = cheapest_standby(fleet, *kind, (DEAREST_NETWORK, MOST_BROKEN));
        let any = has_less_room || kind(1) == Standby::new_wired(1);
        let least = if any { 1 } else { alone.min(most).max(1) };
        choices.extend((least..=most.max(alone)).map(kind));
    }
    if has_less_room {
        return choices;
    }
    let tokens: Vec<f64> =
        choices.iter().map(|standby| token_cost(fleet, *standby, &faults, 0.0)).collect();
    let least = tokens.iter().copied().fold(f64::INFINITY, f64::min);
    let may_be_best = |(_, token): &(Standby, f64)| *token <= least * (1.0 + MOST_APART);
    choices.into_iter().zip(tokens).filter(may_be_best).map(|(standby, _)| standby).collect()
}

/// The number of a kind on standby that makes a token cheapest, of equals the fewest, with a network that costs such a
/// share of the machines and where so many times as much breaks as without one. Machines in stock count as if they were
/// bought: another of them has the same worth.
pub(crate) fn cheapest_standby(
    fleet: &Fleet<'_>,
    kind: fn(u64) -> Standby,
    (network, more_broken): (f64, f64),
) -> u64 {
    let faults: Vec<Fault> = machine_faults(fleet)
        .into_iter()
        .map(|fault| Fault { repair: fault.repair * more_broken, ..fault })
        .collect();
    let network = machines_new(&Fleet { standby: Standby::NONE, ..*fleet }).tco.get() * network;
    let costs = fleet.options_by_standby(mean_broken_domains(&faults)).map(|this_fleet| {
        let number = this_fleet.standby.domains;
        (token_cost(fleet, kind(number), &faults, network), number)
    });
    costs.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, number)| number)
}

/// What a token costs, in dollars over the share of the time that trains, of the machines with those on standby and a
/// network of that price.
fn token_cost(fleet: &Fleet<'_>, standby: Standby, faults: &[Fault], network: f64) -> f64 {
    let fleet = Fleet { standby, ..*fleet };
    (machines_new(&fleet).tco.get() + network) / trained_share(&fleet, faults)
}

/// Share of the time that trains where nothing fails but that.
pub(super) fn trained_share(fleet: &Fleet<'_>, faults: &[Fault]) -> f64 {
    failure_year(faults.to_vec(), &fleet.scenario.failures, fleet.standby)
        .goodput
        .max(LEAST_GOODPUT)
}
