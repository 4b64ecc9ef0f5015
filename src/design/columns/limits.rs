//! What limits on money, power and racks leave to the network.

use super::offers::switches_per_rack;
use super::terms::Terms;
use crate::design::candidate::machine_cost::{MachineCost, energy_price, links_of_fabric};
use crate::design::candidate::other_networks::{NetworkSite, count_other_networks};
use crate::design::candidate::priced_links::{LinkPurchase, switches_on_offer};
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::fabric::Counts;
use crate::hardware::{Protocol, Rack, Switch};
use crate::scenario::{Limits, Minimize, Scenario};
use crate::sizing::{Ownership, ProgramLimits, Racks};
use crate::units::{Seconds, Watts};

/// What a limit counts of a network: so much for each dollar of its price and each watt that it
/// draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::design) struct LimitCoefficient {
    pub(in crate::design) money: f64,
    pub(in crate::design) watts: f64,
}

/// Each limit on money and power that is in force, by what it counts: columns that are no heavier
/// by all of these can stand in for others.
pub(in crate::design) fn limit_coefficients(
    terms: &Terms<'_>,
    scenario: &Scenario,
) -> Vec<LimitCoefficient> {
    let Terms { limits, caps, .. } = terms;
    let energy = energy_price(scenario, Minimize::Tco).get();
    let rows = [
        (
            limits.power.is_some() || caps.power.is_some(),
            LimitCoefficient { money: 0.0, watts: 1.0 },
        ),
        (
            limits.budget.is_some() || caps.capex.is_some(),
            LimitCoefficient { money: 1.0, watts: 0.0 },
        ),
        (caps.bound_tco(), LimitCoefficient { money: 1.0, watts: energy }),
    ];
    rows.into_iter().filter_map(|(stated, row)| stated.then_some(row)).collect()
}

/// The limits of clusters that one program sizes, less what their machines take: those of the
/// network.
/// `pace` is the step in which earlier objectives allow what clusters may cost, and `per_rack` says how
/// many switches of each model fit into one.
///
/// # Errors
/// Where machines alone fill the racks, or nobody says how much room they take.
pub(crate) fn limits_left_to_network<'j, 'a: 'j>(
    terms: &Terms<'_>,
    scenario: &Scenario,
    machines: &MachineCost,
    jobs: impl Iterator<Item = &'j Job<'a>>,
    pace: Seconds,
    per_rack: &[u64],
) -> Result<ProgramLimits, Infeasible> {
    let Terms { limits, caps, .. } = terms;
    let racks = if limits.bound_racks() {
        let taken =
            jobs.map(|job| racks_of_machines(job, terms)).sum::<Result<u64, Infeasible>>()?;
        let racks = |most| {
            let most = racks_left_to_switches(most, taken + limits.reserved)?;
            Ok::<_, Infeasible>(Racks { max_racks: most, per_rack: per_rack.to_vec() })
        };
        limits.racks.map(racks).transpose()?
    } else {
        None
    };
    Ok(ProgramLimits {
        power: left_by_tighter_limit(limits.power, caps.power, machines.power),
        budget: left_by_tighter_limit(limits.budget, caps.capex, machines.capex),
        tco: caps.tco_cap_at_step_time(pace).map(|most| Ownership {
            energy_per_watt: energy_price(scenario, Minimize::Tco),
            max_cost: most - machines.tco,
        }),
        racks,
    })
}

/// What the lower of two bounds leaves to the network.
fn left_by_tighter_limit<T: PartialOrd + std::ops::Sub<Output = T> + Copy>(
    limit: Option<T>,
    cap: Option<T>,
    used: T,
) -> Option<T> {
    let both = limit.into_iter().chain(cap);
    both.reduce(|a, b| if b < a { b } else { a }).map(|most| most - used)
}

/// Racks of a cluster. A rack holds machines, or switches of one model, or what manages them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RackReport {
    pub nodes: u64,
    /// Racks of switches of the compute network.
    pub switches: u64,
    /// Racks of the other networks.
    pub others: u64,
    /// Power of the fullest, every port of a switch lit.
    pub fullest: Watts,
    /// Racks that there are; `None` where that is no limit.
    pub most: Option<u64>,
    /// What one of them offers.
    pub rack: Rack,
    /// Racks that would do if all scalable units shared them; what limits hold.
    pub least: u64,
}

impl RackReport {
    /// All racks.
    #[must_use]
    pub const fn total_racks(&self) -> u64 {
        self.nodes + self.switches + self.others
    }

    /// Racks of both; those of one part are not filled up by another.
    pub(crate) fn add_racks(&self, other: &Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            switches: self.switches + other.switches,
            others: self.others + other.others,
            fullest: self.fullest.max(other.fullest),
            least: self.least + other.least,
            ..*self
        }
    }
}

/// Racks that the machines of a job take, and least those of the other networks around them.
///
/// # Errors
/// Where nobody says how much room they take, or one draws more than a rack offers.
pub(crate) fn racks_of_machines(job: &Job<'_>, terms: &Terms<'_>) -> Result<u64, Infeasible> {
    let (node, rack) = (job.machine.node, terms.limits.rack);
    let Some(space) = node.space else {
        return Err(Infeasible::NoSpace { node: node.name.clone() });
    };
    let racks = rack.racks_of(space, node.power, job.domains_to_buy());
    let racks = racks.ok_or_else(|| Infeasible::RackPower {
        node: node.name.clone(),
        needs: node.power,
        has: rack,
    })?;
    if job.scenario.networks.is_empty() {
        return Ok(racks);
    }
    // What depends on switches of the compute network is counted with the answer.
    let site = NetworkSite {
        nodes: job.domains_to_buy(),
        switches: 0,
        infiniband: terms.protocol == Protocol::Infiniband,
        racks: Some((racks, 0)),
    };
    let others = count_other_networks(job.scenario, &site, &rack).others.racks_needed(&rack);
    Ok(racks + others.map_err(Infeasible::Hall)?)
}

/// The fewest racks that the switches of a network take: each port of an interface ends in a port
/// of one, and a rack has as many of these as the model of which most fit it.
pub(in crate::design) fn min_racks_of_switches(
    job: &Job<'_>,
    planes: u32,
    terms: &Terms<'_>,
) -> u64 {
    if job.domains < 2 {
        return 0; // nothing joins one domain
    }
    let link = job.machine.link_rate(planes);
    let ports = |switch: &Switch| {
        switches_per_rack(switch, link, Watts::ZERO, terms.limits) * u64::from(switch.radix(link))
    };
    let most = switches_on_offer(job.scenario, terms.protocol, link).map(ports).max().unwrap_or(0);
    // Where none fits, sizing says so.
    if most == 0 { 0 } else { (job.endpoints() * u64::from(planes)).div_ceil(most) }
}

/// Racks that machines leave to switches.
///
/// # Errors
/// Where the machines alone need more.
pub(crate) fn racks_left_to_switches(most: u64, taken: u64) -> Result<u64, Infeasible> {
    most.checked_sub(taken).ok_or(Infeasible::Racks { needs: taken, has: most })
}

/// Power of what is plugged into a switch, for a port.
pub(crate) fn port_power(job: &Job<'_>, counts: &Counts) -> Watts {
    let catalogue = &job.scenario.catalogue;
    match links_of_fabric(&job.fleet(), counts) {
        LinkPurchase::Parts(parts, _) => parts.port_power(catalogue),
        LinkPurchase::ByEnd | LinkPurchase::Apart => {
            catalogue.find_optic(counts.link).map_or(Watts::ZERO, |optic| optic.power)
        }
    }
}

/// The least racks of a fabric, its machines and the networks beside it: scalable units share them.
/// `None` where nobody says how much room a part takes, or it fits no rack.
pub(crate) fn count_racks(job: &Job<'_>, counts: &Counts, limits: &Limits) -> Option<RackReport> {
    let (node, rack) = (job.machine.node, limits.rack);
    let (space, domains) = (node.space?, job.domains_to_buy());
    let nodes = rack.racks_of(space, node.power, domains)?;
    let mut fullest = rack.fullest_rack_power(space, node.power, domains);
    let catalogue = &job.scenario.catalogue;
    let end = port_power(job, counts);
    let mut switches = 0;
    let mut infiniband = false;
    for switch in &catalogue.switches {
        let used = counts.switches_of(&switch.name);
        if used == 0 {
            continue;
        }
        infiniband |= switch.protocol == Protocol::Infiniband;
        let fit = switches_per_rack(switch, counts.link, end, limits);
        if fit == 0 {
            return None;
        }
        switches += used.div_ceil(fit);
        let lit = |switch_model: &Switch| {
            switch_model.power + end * f64::from(switch_model.radix(counts.link))
        };
        fullest = fullest.max(lit(switch) * fit.min(used) as f64);
    }
    let site = NetworkSite {
        nodes: domains,
        switches: counts.switch_count(),
        infiniband,
        racks: Some((nodes, switches)),
    };
    let others = if job.scenario.networks.is_empty() {
        0
    } else {
        count_other_networks(job.scenario, &site, &rack).racks?
    };
    let least = nodes + switches + others;
    Some(RackReport { nodes, switches, others, fullest, most: limits.racks, rack, least })
}
