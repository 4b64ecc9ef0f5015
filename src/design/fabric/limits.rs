//! What the limits of a cluster leave to its network: the one place where they become rows of the
//! integer program, and what those count of a column. Moves none.

use super::racks::{racks_left_to_switches, racks_of_machines};
use super::terms::Terms;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::money::{MachineCost, energy_price};
use crate::scenario::{Minimize, Scenario};
use crate::sizing::{Ownership, ProgramLimits, Racks};
use crate::units::Seconds;

/// What a limit counts of a network: so much for each dollar of its price and each watt that it draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LimitCoefficient {
    pub(super) money: f64,
    pub(super) watts: f64,
}

/// Each limit on money and power that is in force, by what it counts: columns that are no heavier by all
/// of these can stand in for others.
pub(super) fn limit_coefficients(terms: &Terms<'_>, scenario: &Scenario) -> Vec<LimitCoefficient> {
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

/// The limits of clusters that one program sizes, less what their machines take: those of the network.
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
    (pace, per_rack): (Seconds, &[u64]),
) -> Result<ProgramLimits, Infeasible> {
    let Terms { limits, caps, .. } = terms;
    let racks = match limits.bound_racks() {
        true => {
            let taken =
                jobs.map(|job| racks_of_machines(job, terms)).sum::<Result<u64, Infeasible>>()?;
            let racks = |most| {
                let most = racks_left_to_switches(most, taken + limits.reserved)?;
                Ok::<_, Infeasible>(Racks { most, per_rack: per_rack.to_vec() })
            };
            limits.racks.map(racks).transpose()?
        }
        false => None,
    };
    Ok(ProgramLimits {
        power: left_by_tighter_limit(limits.power, caps.power, machines.power),
        budget: left_by_tighter_limit(limits.budget, caps.capex, machines.capex),
        tco: caps.tco_cap_at_step_time(pace).map(|most| Ownership {
            energy_per_watt: energy_price(scenario, Minimize::Tco),
            most: most - machines.tco,
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
