//! Whether a wired fabric carries the scenarios of its job, each routed in its own placement, and how many
//! uplinks each needs. Chooses nothing.

use super::robustness::{Carrying, Robustness};
use super::routes::{over, paths, routed};
use crate::design::candidate::carried::Carried;
use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::fabric::{Counts, FabricGraph};
use crate::routing::{Manner, NotRouted, Paths, Routed, Rules};
use crate::scenario::Seating;
use crate::units::Seconds;

/// Routes every scenario of a job, spread evenly, and keeps what takes longer than the clock says; true where
/// something does. What can't be routed can't be known.
pub(super) fn corrected(job: &Job<'_>, level: Level, graph: &FabricGraph, wide: bool) -> bool {
    if job.scenarios.all.is_empty() {
        return false;
    }
    let paths = paths(level, graph);
    let mut any = false;
    for of in &job.scenarios.all {
        let Ok(found) = route(of, level, &paths) else { continue };
        if !found.holds() {
            of.run.strain(of.level(level), &over(&of.run, &found), wide);
            any = true;
        }
    }
    any
}

/// What a fabric makes of the scenarios of its job; `None` where none were asked for.
pub(super) fn carrying(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    graph: Option<&FabricGraph>,
) -> Option<Robustness> {
    let asked = job.scenario.robust.as_ref()?;
    if job.scenarios.all.is_empty() && job.scenarios.left_out.is_empty() {
        return None; // a job of a plan that was made before
    }
    let paths = graph.map(|graph| paths(level, graph));
    let row = |of: &Carried<'_>| {
        let found = paths.as_ref().map(|paths| route(of, level, paths));
        let step = match &found {
            Some(Ok(found)) if !found.holds() => {
                of.run.time_strained(of.level(level), &over(&of.run, found)).total()
            }
            _ => of.pace(level),
        };
        let not_routed = match found {
            Some(Ok(_)) => None,
            Some(Err(reason)) => Some(reason.to_string()),
            None => Some("its cables are not known".to_owned()),
        };
        Carrying {
            name: of.name.clone(),
            step,
            slowdown: step / of.run.full,
            most: of.most,
            uplinks: least_uplinks(job, of, counts, level),
            not_routed,
        }
    };
    Some(Robustness {
        max_slowdown: asked.max_slowdown,
        scenarios: job.scenarios.all.iter().map(row).collect(),
        left_out: job.scenarios.left_out.clone(),
        price: None,
    })
}

fn route(of: &Carried<'_>, level: Level, paths: &Paths) -> Result<Routed, NotRouted> {
    let seats = of.seating.map(|seating| seats(seating, &paths.domains_by_leaf()));
    let manner = Manner { rules: Rules::SPREAD, seats: seats.as_deref(), ..Manner::default() };
    routed(&of.run, of.level(level), paths, manner)
}

/// The domains of a fabric in the order in which those of the jobs take them.
fn seats(seating: Seating, leafs: &[Vec<u32>]) -> Vec<u32> {
    match seating {
        // As cards are dealt, one to each leaf switch in turn.
        Seating::Fragmented => {
            let longest = leafs.iter().map(Vec::len).max().unwrap_or(0);
            let turn = |place: usize| leafs.iter().filter_map(move |leaf| leaf.get(place));
            (0..longest).flat_map(turn).copied().collect()
        }
        // The first half of every leaf switch, then the second; of odd numbers each has the larger half in
        // turn.
        Seating::PartFilled => {
            let halves = leafs.iter().enumerate().map(|(place, leaf)| {
                let first = if place % 2 == 0 { leaf.len().div_ceil(2) } else { leaf.len() / 2 };
                leaf.split_at(first)
            });
            let (first, second): (Vec<&[u32]>, Vec<&[u32]>) = halves.unzip();
            [first, second].concat().concat()
        }
    }
}

/// The least uplinks of a leaf switch within a rail over its endpoints with which a scenario is fast enough by
/// the clock, all else as it is; 0 where no leaf switch has a border, `None` where no number will do.
fn least_uplinks(job: &Job<'_>, of: &Carried<'_>, counts: &Counts, level: Level) -> Option<f64> {
    let Some(leaf) = level.leaf_domains.or(counts.leaf_domains) else { return Some(0.0) };
    let joint = level.across > 0.0 && (level.across - level.within).abs() <= JOINT * level.within;
    let fast = |uplinks: u32| {
        let within = f64::from(uplinks) / f64::from(leaf);
        let across = if joint { within } else { level.across };
        let spread = (job.machine.balance, counts.planes);
        let pace: Seconds = of.pace(Level::bordered(Some(leaf), [within, across], spread));
        pace <= of.most
    };
    // Steps get no longer as uplinks are added.
    let (mut low, mut high) = (1, leaf);
    while low < high {
        let middle = low.midpoint(high);
        if fast(middle) { high = middle } else { low = middle + 1 }
    }
    fast(high).then(|| f64::from(high) / f64::from(leaf))
}

/// Relative rounding of a share of uplinks.
const JOINT: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::{Seating, seats};

    #[test]
    fn placements_take_every_domain_once_and_no_two_in_a_row_of_one_leaf_switch() {
        let leafs: [&[u32]; 3] = [&[0, 1, 2], &[3, 4, 5], &[6, 7]];
        let leafs: Vec<Vec<u32>> = leafs.iter().map(|leaf| leaf.to_vec()).collect();
        let dealt = seats(Seating::Fragmented, &leafs);
        assert_eq!(dealt, [0, 3, 6, 1, 4, 7, 2, 5]);
        let halves = seats(Seating::PartFilled, &leafs);
        assert_eq!(halves, [0, 1, 3, 6, 2, 4, 5, 7]);
    }
}
