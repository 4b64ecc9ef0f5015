//! What no design on a machine takes less of, before its layouts are looked for. Sizes nothing.

use super::breakdowns::broken;
use super::faults::most_goodput;
use super::fleet::Fleet;
use super::looked_for::least_step;
use super::machine::Machine;
use super::money::machines;
use crate::scenario::{Minimize, Scenario};

/// Relative rounding of shares of the time.
const ROUNDING: f64 = 1e-6;

/// What no design on a machine takes less of, in the units of a design's value: of machines those that have as
/// many GPUs as are wanted, of a step its kernels, of a network nothing.
///
/// For a token of the time that trains, with as many machines on standby as make the least of it: more of them
/// cost more, and more that train fail more often.
pub(super) fn least(scenario: &Scenario, machine: Machine<'_>, quantity: Minimize) -> f64 {
    let fleet = Fleet::fewest(scenario, machine);
    let alone = |fleet: &Fleet<'_>| machines(fleet).alone(quantity);
    if quantity != Minimize::UsdPerToken {
        return alone(&fleet);
    }
    let planes = machine.planes(&scenario.cluster).into_iter().max().unwrap_or(1);
    let each = fleet.by_standby(broken(&fleet));
    let each = each.map(|of| alone(&of) / most_goodput(&of, planes, 1.0));
    let step = least_step(scenario, &scenario.workload, machine);
    each.fold(f64::INFINITY, f64::min) * (1.0 - ROUNDING) * step.get()
}
