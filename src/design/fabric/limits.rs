//! What the limits of a cluster leave to its network: the one place where they become rows of the
//! integer program, and what those count of a column. Moves none.

use super::racks::{left, taken};
use super::terms::Terms;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::money::{Machines, energy_price};
use crate::scenario::{Minimize, Scenario};
use crate::sizing::{Limits, Ownership, Racks};
use crate::units::Seconds;

/// What a limit counts of a network: so much for each dollar of its price and each watt that it draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Counted {
    pub(super) money: f64,
    pub(super) watts: f64,
}

/// Each limit on money and power that is in force, by what it counts: columns that are no heavier by all
/// of these can stand in for others.
pub(super) fn counted(terms: &Terms<'_>, scenario: &Scenario) -> Vec<Counted> {
    let Terms { limits, caps, .. } = terms;
    let energy = energy_price(scenario, Minimize::Tco).get();
    let rows = [
        (limits.power.is_some() || caps.power.is_some(), Counted { money: 0.0, watts: 1.0 }),
        (limits.budget.is_some() || caps.capex.is_some(), Counted { money: 1.0, watts: 0.0 }),
        (caps.bound_tco(), Counted { money: 1.0, watts: energy }),
    ];
    rows.into_iter().filter_map(|(stated, row)| stated.then_some(row)).collect()
}

/// The limits of clusters that one program sizes, less what their machines take: those of the network.
/// `pace` is the step in which earlier objectives allow what clusters may cost, and `per_rack` says how
/// many switches of each model fit into one.
///
/// # Errors
/// Where machines alone fill the racks, or nobody says how much room they take.
pub(crate) fn of_network<'j, 'a: 'j>(
    terms: &Terms<'_>,
    scenario: &Scenario,
    machines: &Machines,
    jobs: impl Iterator<Item = &'j Job<'a>>,
    (pace, per_rack): (Seconds, &[u64]),
) -> Result<Limits, Infeasible> {
    let Terms { limits, caps, .. } = terms;
    let racks = match limits.bound_racks() {
        true => {
            let taken = jobs.map(|job| taken(job, terms)).sum::<Result<u64, Infeasible>>()?;
            let racks = |most| {
                let most = left(most, taken + limits.reserved)?;
                Ok::<_, Infeasible>(Racks { most, per_rack: per_rack.to_vec() })
            };
            limits.racks.map(racks).transpose()?
        }
        false => None,
    };
    Ok(Limits {
        power: least(limits.power, caps.power, machines.power),
        budget: least(limits.budget, caps.capex, machines.capex),
        tco: caps.tco(pace).map(|most| Ownership {
            energy_per_watt: energy_price(scenario, Minimize::Tco),
            most: most - machines.tco,
        }),
        racks,
    })
}

/// What the lower of two bounds leaves to the network.
fn least<T: PartialOrd + std::ops::Sub<Output = T> + Copy>(
    limit: Option<T>,
    cap: Option<T>,
    used: T,
) -> Option<T> {
    let both = limit.into_iter().chain(cap);
    both.reduce(|a, b| if b < a { b } else { a }).map(|most| most - used)
}
