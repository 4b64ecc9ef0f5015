//! A job's steps on the ways through a wired fabric, and what the clock is told of them.

use crate::design::job::job::Job;
use crate::design::job::machine::{FamilyMember, Level};
use crate::design::job::run::JobRun;
use crate::design::job::scenario_runs::RobustRun;
use crate::fabric::FabricGraph;
use crate::parallel::Placed;
use crate::routing::{
    self, AssumedCall, NotRouted, Paths, RoutedStepLoads, RoutingManner, RoutingRules,
};
use crate::scenario::RobustPlacement;
use crate::timing::GrantedCall;

/// The ways through a fabric of a level.
pub(crate) fn graph_paths(level: Level, graph: &FabricGraph) -> Paths {
    paths_at_level(level, Paths::new(graph))
}

/// Ways as fabrics of a level take them: rails apart where nothing joins them, by detours too where
/// shortest ways are few.
pub(crate) fn paths_at_level(level: Level, paths: Paths) -> Paths {
    match level.across > 0.0 {
        true if level.member.is_some_and(FamilyMember::takes_detours) => paths.with_detours(),
        true => paths,
        false => paths.with_rails_apart(),
    }
}

/// Routes a run's step.
pub(crate) fn route_run(
    run: &JobRun<'_>,
    level: Level,
    paths: &Paths,
    manner: RoutingManner<'_>,
) -> Result<RoutedStepLoads, NotRouted> {
    let granted: Vec<AssumedCall> = run
        .assumed_call_times(level)
        .into_iter()
        .map(|GrantedCall { policy, time, straight, .. }| AssumedCall { policy, time, straight })
        .collect();
    let placed = Placed::new(&run.step.grid, run.placement());
    let manner = RoutingManner { messages: Some(&run.messages), ..manner };
    routing::route_step(&run.step, &placed, paths, manner, &granted)
}

/// How many times as long each communication of a run takes as the clock says, or as long.
pub(crate) fn routed_slowdowns(run: &JobRun<'_>, routed: &RoutedStepLoads) -> Vec<f64> {
    let mut over = vec![1.0; run.step.communications.len()];
    for call in &routed.calls {
        over[call.place] = call.slowdown_against_clock().max(1.0);
    }
    over
}

/// Routes a scenario beside the workloads, spread evenly, in its own placement.
pub(crate) fn route_robust_run(
    run: &RobustRun<'_>,
    level: Level,
    paths: &Paths,
) -> Result<RoutedStepLoads, NotRouted> {
    let seats = run.seating.map(|seating| domain_seat_order(seating, &paths.domains_by_leaf()));
    let manner = RoutingManner {
        rules: RoutingRules::SPREAD,
        seats: seats.as_deref(),
        ..RoutingManner::default()
    };
    route_run(&run.run, run.slower_placement_level(level), paths, manner)
}

/// The domains of a fabric in the order in which those of the jobs take them.
fn domain_seat_order(seating: RobustPlacement, leafs: &[Vec<u32>]) -> Vec<u32> {
    match seating {
        // As cards are dealt, one to each leaf switch in turn.
        RobustPlacement::Fragmented => {
            let longest = leafs.iter().map(Vec::len).max().unwrap_or(0);
            let turn = |place: usize| leafs.iter().filter_map(move |leaf| leaf.get(place));
            (0..longest).flat_map(turn).copied().collect()
        }
        // The first half of every leaf switch, then the second; of odd numbers each has the larger
        // half in turn.
        RobustPlacement::PartFilled => {
            let halves = leafs.iter().enumerate().map(|(place, leaf)| {
                let first = if place % 2 == 0 { leaf.len().div_ceil(2) } else { leaf.len() / 2 };
                leaf.split_at(first)
            });
            let (first, second): (Vec<&[u32]>, Vec<&[u32]>) = halves.unzip();
            [first, second].concat().concat()
        }
    }
}

/// Routes everything that a job runs over a wired fabric of a level, spread evenly, and keeps what
/// takes longer than the clock says, until the clock stands.
///
/// # Errors
/// The first that can't be routed.
pub(super) fn route_until_settled(
    job: &Job<'_>,
    level: Level,
    graph: &FabricGraph,
) -> Result<(), NotRouted> {
    let paths = graph_paths(level, graph);
    let manner = RoutingManner { rules: RoutingRules::SPREAD, ..RoutingManner::default() };
    // Where orders compete, what one is found to take may bring another to the fore.
    for _ in 0..=job.possible_runs().count() {
        let mut stands = true;
        for run in job.runs_at_level(level) {
            let found = route_run(run, level, &paths, manner)?;
            if !found.is_within_clock_time() {
                run.record_correction(level, &routed_slowdowns(run, &found), false);
                stands = false;
            }
        }
        if stands || job.runs.len() == 1 {
            break;
        }
    }
    for robust_run in &job.scenarios.runs {
        let found = route_robust_run(robust_run, level, &paths)?;
        if !found.is_within_clock_time() {
            robust_run.run.record_correction(
                robust_run.slower_placement_level(level),
                &routed_slowdowns(&robust_run.run, &found),
                false,
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::domain_seat_order;
    use crate::scenario::objective::RobustPlacement;

    #[test]
    fn placements_take_every_domain_once_and_no_two_in_a_row_of_one_leaf_switch() {
        let leafs: [&[u32]; 3] = [&[0, 1, 2], &[3, 4, 5], &[6, 7]];
        let leafs: Vec<Vec<u32>> = leafs.iter().map(|leaf| leaf.to_vec()).collect();
        let dealt = domain_seat_order(RobustPlacement::Fragmented, &leafs);
        assert_eq!(dealt, [0, 3, 6, 1, 4, 7, 2, 5]);
        let halves = domain_seat_order(RobustPlacement::PartFilled, &leafs);
        assert_eq!(halves, [0, 1, 3, 6, 2, 4, 5, 7]);
    }
}
