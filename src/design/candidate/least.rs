//! What no design on a machine takes less of, before its layouts are looked for. Sizes nothing.

use super::breakdowns::broken_domains_of_fleet;
use super::faults::candidate_goodput_upper_bound;
use super::fleet::Fleet;
use super::looked_for::kernel_step_bound;
use super::machine::Machine;
use super::money::cost_of_machines;
use crate::scenario::{Minimize, Scenario};

/// Relative rounding of shares of the time.
const ROUNDING: f64 = 1e-6;

/// What no design on a machine takes less of, in the units of a design's value: of machines those that have as
/// many GPUs as are wanted, of a step its kernels, of a network nothing.
///
/// For a token of the time that trains, with as many machines on standby as make the least of it: more of them
/// cost more, and more that train fail more often.
pub(super) fn machine_lower_bound(
    scenario: &Scenario,
    machine: Machine<'_>,
    quantity: Minimize,
) -> f64 {
    let fleet = Fleet::fewest_machines(scenario, machine);
    let alone = |fleet: &Fleet<'_>| cost_of_machines(fleet).value_without_network(quantity);
    if quantity != Minimize::UsdPerToken {
        return alone(&fleet);
    }
    let planes = machine.plane_options(&scenario.cluster).into_iter().max().unwrap_or(1);
    let each = fleet.options_by_standby(broken_domains_of_fleet(&fleet));
    let each = each.map(|this_fleet| {
        alone(&this_fleet) / candidate_goodput_upper_bound(&this_fleet, planes, 1.0)
    });
    let step = kernel_step_bound(scenario, &scenario.workload, machine);
    each.fold(f64::INFINITY, f64::min) * (1.0 - ROUNDING) * step.get()
}
