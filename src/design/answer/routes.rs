//! A run's step on the ways through a wired fabric. Keeps nothing of what is found.

use crate::design::candidate::machine::Level;
use crate::design::candidate::run::Run;
use crate::fabric::FabricGraph;
use crate::parallel::Placed;
use crate::routing::{Granted, Manner, NotRouted, Paths, Routed, route};
use crate::timing::GrantedCall;

/// The ways through a fabric of a level.
pub(super) fn paths(level: Level, graph: &FabricGraph) -> Paths {
    match level.across > 0.0 {
        true => Paths::new(graph),
        false => Paths::new(graph).with_rails_apart(),
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
    route(&run.step, &placed, paths, manner, &granted)
}

/// How many times as long each communication of a run takes as the clock says, or as long.
pub(crate) fn over(run: &Run<'_>, routed: &Routed) -> Vec<f64> {
    let mut over = vec![1.0; run.step.communications.len()];
    for call in &routed.calls {
        over[call.place] = call.over_granted().max(1.0);
    }
    over
}
