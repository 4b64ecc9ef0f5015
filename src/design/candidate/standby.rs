//! Standby machines, spare trays, upper bound of goodput: rules.

use super::machine_cost::machines_new;
use crate::cost::node_price;
use crate::design::effort;
use crate::design::job::fleet::{
    Fleet, broken_domains_of_fleet, domain_count, faults_of_machines, machine_faults,
};
use crate::design::job::job::Job;
use crate::design::job::machine::{Level, Machine, all_but_one};
use crate::design::job::run::{JobRun, pace_at_nic_rate_share};
use crate::parallel::{Placement, Seats};
use crate::reliability::{
    Failures, Fault, PerYear, Standby, failure_year, goodput_upper_bound, mean_broken_domains,
    poisson_quantile,
};
use crate::scenario::{Minimize, Scenario};
use crate::units::Seconds;

/// What the network of a cluster costs at most, over its machines.
const DEAREST_NETWORK: f64 = 1.0;

/// Domains that are broken at most with what a network adds, over those that break on any network.
const MOST_BROKEN: f64 = 1.25;

/// Both kinds, each of so many HB domains, that with ports first: a machine that no network joins
/// needs none.
const KINDS: [fn(u64) -> Standby; 2] = [Standby::new_wired, Standby::new_cold];

/// HB domains on standby that may be best, of each kind the fewest first: as many as the spec
/// states, or as suffice for the share of the time that it states. Where machines have no price, as
/// many as suffice for
/// [`Failures::FILL_RATE`].
///
/// Where days of a run are limited any number may be the least that ends it in time. Else by what is
/// minimised. A domain on standby costs money, and only cost per token counts the time that it
/// saves: of other quantities none is best. Of cost per token the most of a kind make it least with
/// a network that costs as much as the machines, and that breaks a quarter more of them. Fewer with ports of their own may need fewer switches, by any number. Of those without
/// ports fewer are best only with cheaper networks, or where money or racks are limited or
/// quantities are minimised in turn. What is best only if its network is cheaper than that of the
/// best by a twentieth of the machines is left out.
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
    let limits = &scenario.limits;
    let limits_days =
        scenario.workloads.iter().any(|workload| workload.limits.longest_run(limits).is_some());
    if limits_days {
        let numbers = fleet.options_by_standby(broken).map(|fleet| fleet.standby.domains);
        return numbers.flat_map(of_each_kind).collect();
    }
    let mut all = std::iter::once(objective.minimize).chain(objective.then.iter().copied());
    if !all.any(|quantity| quantity == Minimize::UsdPerToken) {
        return vec![Standby::NONE];
    }
    if node_price(&scenario.prices, fleet.machine.node).is_none() {
        return of_each_kind(poisson_quantile(broken, Failures::FILL_RATE));
    }
    let has_less_room =
        limits.budget.is_some() || limits.bound_racks() || !objective.then.is_empty();
    let mut choices = vec![Standby::NONE];
    for kind in kinds {
        let alone = cheapest_standby(fleet, *kind, 0.0, 1.0);
        let most = cheapest_standby(fleet, *kind, DEAREST_NETWORK, MOST_BROKEN);
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
    let may_be_best =
        |(_, token): &(Standby, f64)| *token <= least * (1.0 + effort::NETWORKS_APART);
    choices.into_iter().zip(tokens).filter(may_be_best).map(|(standby, _)| standby).collect()
}

/// The number of a kind on standby that makes a token cheapest, of equals the fewest, with a
/// network that costs such a share of the machines and where so many times as much breaks as
/// without one. Machines in stock count as if they were bought: another of them has the same worth.
pub(crate) fn cheapest_standby(
    fleet: &Fleet<'_>,
    kind: fn(u64) -> Standby,
    network: f64,
    more_broken: f64,
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

/// What a token costs, in dollars over the share of the time that trains, of the machines with
/// those on standby and a network of that price.
fn token_cost(fleet: &Fleet<'_>, standby: Standby, faults: &[Fault], network: f64) -> f64 {
    let fleet = Fleet { standby, ..*fleet };
    (machines_new(&fleet).tco.get() + network) / trained_share(&fleet, faults)
}

/// Share of the time that trains where nothing fails but that.
fn trained_share(fleet: &Fleet<'_>, faults: &[Fault]) -> f64 {
    failure_year(faults.to_vec(), &fleet.scenario.failures, fleet.standby)
        .goodput
        .max(LEAST_GOODPUT)
}

/// Seats that leave to spare what makes a token of the machines alone cheapest, with each number on
/// standby, where a step is as long on any number of GPUs of a domain. Without those that are
/// weighed in any case: those of a run that borders of domains cut evenly, and all.
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

/// GPUs to spare by that rule, of as many ranks as are given, where so many GPUs of a domain are
/// used beside each number to spare. Of machines without a price as many as take the fewest, over
/// the share of the time that trains. Of equals the fewest; none to spare is left out.
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
    let cost = |fleet: &Fleet<'_>| {
        if is_priced {
            machines_new(fleet).tco.get()
        } else {
            f64::from(fleet.domains) + fleet.standby.domains as f64
        }
    };
    let mut least: Vec<Least> = Vec::new();
    let mut before = None;
    for spare in machine.spare_gpu_options() {
        let seats = used(spare);
        let of_domain = seats.min(ranks);
        if before.replace(of_domain) == Some(of_domain) || spare > 0 && seats == used(0) {
            continue; // blocks of ranks leave as many GPUs, or have no room beside so many trays
        }
        let domains = domain_count(scenario, machine, ranks, seats);
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

/// The least that a token of the machines alone takes with so many on standby, and the GPUs to
/// spare that take it.
struct Least {
    standby: Standby,
    token: f64,
    spare: u32,
}

/// Clusters of which less than this share of the time trains count as if it were so much: what they
/// train has a price still, and any other is better.
pub(crate) const LEAST_GOODPUT: f64 = 1e-9;

/// No network of so many planes leaves a larger share of a year to training on which a NIC with a
/// port less keeps no more than that of the pace: machines fail, and so do NICs and the links that
/// they have. In one plane the loss of such a link stops a job on any network; in more it goes on
/// with what is kept, or restarts. What other losses take is left out.
pub(crate) fn candidate_goodput_upper_bound(fleet: &Fleet<'_>, planes: u32, kept: f64) -> f64 {
    let rates = &fleet.scenario.failures;
    let mut certain = faults_of_machines(fleet, rates);
    let mut either = Vec::new();
    if fleet.domains > 1 {
        let of_one = |part: &str, (pieces, rate): (u64, f64), repair: Seconds| Fault {
            part: part.to_owned(),
            pieces,
            rate: PerYear::from_events(rate),
            repair,
            network: true,
            stops: true,
            domains: 1,
            gpus: fleet.machine.node.gpus.into(),
            kept: 1.0,
        };
        certain.push(of_one("NIC", (fleet.endpoints(), rates.nic), rates.repair_time()));
        let ports = fleet.endpoints() * u64::from(planes);
        let link = of_one("link", (ports, rates.link), rates.link_repair());
        if planes == 1 {
            certain.push(link);
        } else {
            either.push(Fault { stops: false, kept, ..link });
        }
    }
    goodput_upper_bound(&certain, &either, rates, fleet.standby).max(LEAST_GOODPUT)
}

/// The least time that a step takes on any network of so many planes, with its share of the time
/// that does not train. Step over goodput grows with the step, so the shortest step has the least.
pub(crate) fn min_step_time_over_goodput(job: &Job<'_>, planes: u32) -> Seconds {
    job.full_bisection_step_time()
        / candidate_goodput_upper_bound(
            &job.fleet(),
            planes,
            max_pace_share_left(job, planes, job.full_bisection_step_time()),
        )
}

/// The most that a step of some time keeps of its pace where a NIC has a port less, whatever the
/// network.
pub(crate) fn max_pace_share_left(job: &Job<'_>, planes: u32, step: Seconds) -> f64 {
    kept_where(job, planes, step, || job.lead_run().pace_with_ports(planes - 1, planes))
}

/// As `max_pace_share_left`, of a step on networks of a level.
pub(crate) fn pace_share_left_at_level(
    job: &Job<'_>,
    planes: u32,
    step: Seconds,
    level: Level,
) -> f64 {
    let share = all_but_one(planes);
    kept_where(job, planes, step, || pace_at_nic_rate_share(job.lead_run(), level, share))
}

/// All of it where nothing is known of what a missing port takes.
fn kept_where(job: &Job<'_>, planes: u32, step: Seconds, after: impl Fn() -> Seconds) -> f64 {
    let known = planes > 1 && job.runs.len() == 1 && !job.scenario.cluster.fabric.is_routed();
    if known { (step / after()).min(1.0) } else { 1.0 }
}
