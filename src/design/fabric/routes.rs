//! A job's steps on the ways through a wired fabric, and what the clock is told of them.

use crate::design::candidate::carried::Carried;
use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::design::candidate::member::Member;
use crate::design::candidate::run::Run;
use crate::fabric::FabricGraph;
use crate::parallel::Placed;
use crate::routing::{self, Granted, Manner, NotRouted, Paths, Routed, Rules};
use crate::scenario::Seating;
use crate::timing::GrantedCall;

/// The ways through a fabric of a level.
pub(crate) fn paths(level: Level, graph: &FabricGraph) -> Paths {
    along(level, Paths::new(graph))
}

/// Ways as fabrics of a level take them: rails apart where nothing joins them, by detours too where shortest
/// ways are few.
pub(crate) fn along(level: Level, paths: Paths) -> Paths {
    match level.across > 0.0 {
        true if level.member.is_some_and(Member::takes_detours) => paths.with_detours(),
        true => paths,
        false => paths.with_rails_apart(),
    }
}

/// Routes a run's step.
pub(crate) fn routed(
    run: &Run<'_>,
    level: Level,
    paths: &Paths,
    manner: Manner<'_>,
) -> Result<Routed, NotRouted> {
    let granted: Vec<Granted> = run
        .granted(level)
        .into_iter()
        .map(|GrantedCall { policy, time, straight, .. }| Granted { policy, time, straight })
        .collect();
    let placed = Placed::new(&run.step.grid, run.placement());
    let manner = Manner { messages: Some(&run.messages), ..manner };
    routing::route(&run.step, &placed, paths, manner, &granted)
}

/// How many times as long each communication of a run takes as the clock says, or as long.
pub(crate) fn over(run: &Run<'_>, routed: &Routed) -> Vec<f64> {
    let mut over = vec![1.0; run.step.communications.len()];
    for call in &routed.calls {
        over[call.place] = call.over_granted().max(1.0);
    }
    over
}

/// Routes a scenario beside the workloads, spread evenly, in its own placement.
pub(crate) fn route(of: &Carried<'_>, level: Level, paths: &Paths) -> Result<Routed, NotRouted> {
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

/// Routes everything that a job runs over a wired fabric of a level, spread evenly, and keeps what takes
/// longer than the clock says, until the clock stands.
///
/// # Errors
/// The first that can't be routed.
pub(super) fn settled(job: &Job<'_>, level: Level, graph: &FabricGraph) -> Result<(), NotRouted> {
    let paths = paths(level, graph);
    let manner = Manner { rules: Rules::SPREAD, ..Manner::default() };
    // Where orders compete, what one is found to take may bring another to the fore.
    for _ in 0..=job.others.iter().map(Vec::len).sum::<usize>() + 1 {
        let mut stands = true;
        for run in job.running(level) {
            let found = routed(run, level, &paths, manner)?;
            if !found.holds() {
                run.strain(level, &over(run, &found), false);
                stands = false;
            }
        }
        if stands || job.others.is_empty() {
            break;
        }
    }
    for of in &job.scenarios.all {
        let found = route(of, level, &paths)?;
        if !found.holds() {
            of.run.strain(of.level(level), &over(&of.run, &found), false);
        }
    }
    Ok(())
}

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
