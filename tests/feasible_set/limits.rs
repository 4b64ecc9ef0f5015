//! Limits drawn close around what the feasible set holds: at the edge a design is still there, a
//! dollar or a watt below it none is.

use crate::feasible_set::instance::{Goal, Instance};
use crate::feasible_set::network::{Best, best};
use crate::feasible_set::product::{Answer, answer};
use crate::feasible_set::site::Freedom;
use crate::support::dice::Dice;

/// The instance with limits at or just below the edge; as it was where it has no design.
pub(crate) fn tightened(mut instance: Instance, dice: &mut Dice) -> Instance {
    let goals = std::mem::replace(&mut instance.goals, vec![Goal::Capex]);
    let least = |instance: &Instance, goal: Goal| -> Option<Best> {
        let asked = Instance { goals: vec![goal], ..instance.clone() };
        // The program's own answer only keeps the enumeration short.
        let Answer::Design(design) = answer(&asked) else { return None };
        best(&asked, Freedom::Alike, design.amount(goal))
    };
    let below = u64::from(dice.chance(40));
    match dice.roll(5) {
        0 => {
            let best = least(&instance, Goal::Capex);
            instance.budget = best.map(|best| best.totals.capex as u64 - below);
        }
        1 => {
            let best = least(&instance, Goal::Power);
            instance.power = best.map(|best| best.totals.power.ceil() as u64 - below);
        }
        2 => {
            // The least power that a budget allows, and at that power no dollar less than needed.
            if let Some(best) = least(&instance, Goal::Capex) {
                let room = best.totals.capex / 100.0 * dice.between(0, 20) as f64;
                instance.budget = Some((best.totals.capex + room) as u64);
                if let Some(frugal) = least(&instance, Goal::Power) {
                    instance.power = Some(frugal.totals.power.ceil() as u64 - below);
                }
            }
        }
        3 => {
            let best = least(&instance, goals[0]);
            instance.racks = best.map(|best| best.totals.racks - below as u32);
        }
        _ => {
            if let Some(best) = least(&instance, goals[0]) {
                for (switch, count) in instance.switches.iter_mut().zip(best.counts.switches) {
                    if count > 0 && dice.chance(60) {
                        let bought = count.saturating_sub(switch.stock);
                        let supply = bought.saturating_sub(dice.roll(3) as u32);
                        switch.supply = Some(supply.min(switch.supply.unwrap_or(supply)));
                    }
                }
            }
        }
    }
    instance.goals = goals;
    instance
}
