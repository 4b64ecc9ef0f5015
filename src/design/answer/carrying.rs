//! Whether a wired fabric carries the scenarios of its job, each routed in its own placement, and how many
//! uplinks each needs. Chooses nothing.

use super::robustness::{CarriedScenario, Robustness};
use crate::design::candidate::carried::RobustRun;
use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::design::fabric::routes::{graph_paths, route_robust_run, routed_slowdowns};
use crate::fabric::{Counts, FabricGraph};
use crate::units::Seconds;

/// Routes every scenario of a job, spread evenly, and keeps what takes longer than the clock says; true where
/// something does. What can't be routed can't be known.
pub(super) fn correct_scenario_clock(
    job: &Job<'_>,
    level: Level,
    graph: &FabricGraph,
    wide: bool,
) -> bool {
    if job.scenarios.all.is_empty() {
        return false;
    }
    let paths = graph_paths(level, graph);
    let mut any = false;
    for run in &job.scenarios.all {
        let Ok(found) = route_robust_run(run, level, &paths) else { continue };
        if !found.is_within_clock_time() {
            run.run.record_correction(
                run.slower_placement_level(level),
                &routed_slowdowns(&run.run, &found),
                wide,
            );
            any = true;
        }
    }
    any
}

/// What a fabric makes of the scenarios of its job; `None` where none were asked for.
pub(super) fn route_robust_scenarios(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    graph: Option<&FabricGraph>,
) -> Option<Robustness> {
    let asked = job.scenario.robust.as_ref()?;
    if job.scenarios.all.is_empty() && job.scenarios.left_out.is_empty() {
        return None; // a job of a plan that was made before
    }
    let paths = graph.map(|graph| graph_paths(level, graph));
    let row = |run: &RobustRun<'_>| {
        let found = paths.as_ref().map(|paths| route_robust_run(run, level, paths));
        let step = match &found {
            Some(Ok(found)) if !found.is_within_clock_time() => {
                run.run.effective_step_time_corrected(
                    run.slower_placement_level(level),
                    &routed_slowdowns(&run.run, found),
                )
            }
            _ => run.step_time(level),
        };
        let not_routed = match found {
            Some(Ok(_)) => None,
            Some(Err(reason)) => Some(reason.to_string()),
            None => Some("its cables are not known".to_owned()),
        };
        CarriedScenario {
            name: run.name.clone(),
            step,
            slowdown: step / run.run.full,
            most: run.most,
            uplinks: least_uplinks(job, run, counts, level),
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

/// The least uplinks of a leaf switch within a rail over its endpoints with which a scenario is fast enough by
/// the clock, all else as it is; 0 where no leaf switch has a border, `None` where no number will do.
fn least_uplinks(job: &Job<'_>, run: &RobustRun<'_>, counts: &Counts, level: Level) -> Option<f64> {
    let Some(leaf) = level.leaf_domains.or(counts.leaf_domains) else { return Some(0.0) };
    let joint = level.across > 0.0 && (level.across - level.within).abs() <= JOINT * level.within;
    let fast = |uplinks: u32| {
        let within = f64::from(uplinks) / f64::from(leaf);
        let across = if joint { within } else { level.across };
        let spread = (job.machine.balance, counts.planes);
        let pace: Seconds =
            run.step_time(Level::with_leaf_border(Some(leaf), [within, across], spread));
        pace <= run.most
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
