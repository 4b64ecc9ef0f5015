//! Cost against step time: every design that nothing beats in both, each proven by a program of its
//! own. Weighs neither against the other.

use super::contenders::frontier_candidates;
use super::front::SAME;
use super::unmet::explain_no_design;
use super::walk::{FrontierWalk, WalkResult};
use crate::design::answer::assemble::{assemble_plan, solver_report};
use crate::design::answer::finding::PlanInputs;
use crate::design::answer::plan::Plan;
use crate::design::answer::programs::Programs;
use crate::design::answer::rounds::RoutingRound;
use crate::design::answer::verify::correct_clock_by_routing;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::list::{Candidate, list_candidates};
use crate::design::fabric::instance::SizingTools;
use crate::design::fabric::sized::{SizedFabric, is_preferred};
use crate::design::fabric::terms::Terms;
use crate::scenario::{Minimize, Objective, Pace, Scenario, Stage, Workload};
use crate::sizing::{Options, Proof, ProofStatus, Status};
use crate::units::{Seconds, Usd};

/// The designs of a frontier.
#[derive(Clone, Debug, PartialEq)]
pub struct Frontier {
    /// Name of the scenario.
    pub name: String,
    /// What is weighed against the time of a step: capex, or TCO where the objective counts energy.
    pub cost: Minimize,
    /// What the scenario minimises, one after another.
    pub minimized: Vec<Minimize>,
    /// Cheapest first: each costs more than the one before it, and its step is shorter.
    pub plans: Vec<Plan>,
    /// Candidates that were sized, each at every step time that a fabric of it can have.
    pub candidates: u64,
    /// Layouts that break no rule and were looked at, on all machines; `None` where none is open.
    pub layouts: Option<u64>,
    /// Cost and step that designs of layouts which were not sized can't be below, where no design of the frontier
    /// has both: there may be more designs.
    pub open: Vec<(Usd, Seconds)>,
}

/// Steps longer than the shortest by this factor are left out: nobody buys GPUs to let them wait
/// for as long as they compute.
pub(crate) const SLOWEST: f64 = 2.0;

/// Every design of one cluster that no other beats in both cost and step time. All limits hold but
/// that on slowdown, which the frontier replaces.
///
/// Per candidate, cost is a falling step function of the time that a step may take: the cheapest
/// fabric that is fast enough makes everything between its own time and that limit needless, so the
/// next point is the cheapest one that is faster (docs/formulation.md). Layouts that are open are
/// candidates likewise, up to those of which bounds tell that a known design beats them.
///
/// # Errors
/// As [`crate::design::design`].
pub fn find_cluster_frontier(
    scenario: &Scenario,
    options: &Options,
) -> Result<Frontier, Infeasible> {
    if scenario.is_several() {
        return Err(Infeasible::Several);
    }
    let Objective { minimize, then, .. } = &scenario.objective;
    let minimized = std::iter::once(*minimize).chain(then.iter().copied()).collect();
    let scenario = &with_slowdown_limit(
        scenario,
        scenario.objective.max_slowdown.unwrap_or(SLOWEST).max(SLOWEST),
    );
    let terms = Terms::from_scenario(scenario);
    let mut tools = SizingTools::new(options);
    let (all, mut failed) = list_candidates(scenario, options);
    let field = frontier_candidates(all, &terms);
    let mut round = RoutingRound::default();
    // What a point takes at least by times that routing refuted: cost and time of each.
    let mut refuted: Vec<(f64, Seconds)> = Vec::new();
    let open: Vec<(f64, Seconds)>;
    let (found, looked_at) = loop {
        let mut walk = FrontierWalk::default();
        for candidate in field.iter().flat_map(|frontier_candidate| &frontier_candidate.candidates)
        {
            if let Err(reason) = walk.walk_candidate(candidate, &terms, &mut tools) {
                failed = Some(Infeasible::pick_further(failed, reason));
            }
        }
        if walk.found.is_empty() {
            let all: Vec<Candidate<'_>> = field
                .into_iter()
                .flat_map(|frontier_candidate| frontier_candidate.candidates)
                .collect();
            return Err(explain_no_design(&all, failed, &terms, &tools));
        }
        let looked_at = walk.walk_layouts(&field, &terms, &mut tools);
        let found = drop_dominated_designs(std::mem::take(&mut walk.found));
        // What routing finds slower than the clock may be beaten then, or beat others no more.
        let mut slower = Vec::new();
        for (job, sized) in &found {
            if correct_clock_by_routing(job, sized.level, &sized.blueprint, round) {
                slower.push((sized.value, sized.time));
            }
        }
        let Some(next) = round.next_round().filter(|_| !slower.is_empty()) else {
            open = walk.unsized_but_undominated();
            refuted.extend(open.iter().copied());
            break (found, looked_at);
        };
        refuted.extend(slower);
        tools.cache.clear_step_times();
        round = next;
    };
    let plan = |(job, sized): (&Job<'_>, SizedFabric)| {
        let firm = point_proof_status(&sized, &refuted);
        let programs = Programs::default();
        let solver = solver_report(firm, looked_at.sized, Vec::new(), programs, options);
        let finding = PlanInputs::new_without_study(solver);
        let graph = sized.blueprint.build_fabric_graph().ok();
        assemble_plan(job, &sized.counts, sized.level, graph.as_ref(), finding)
    };
    let plans = found.into_iter().map(plan).collect();
    let WalkResult { layouts, sized } = looked_at;
    let (name, cost) = (scenario.name.clone(), terms.minimize);
    let open = open.into_iter().map(|(cost, step)| (Usd::from_f64(cost), step)).collect();
    Ok(Frontier { name, cost, minimized, plans, candidates: sized, layouts, open })
}

/// The cost that is weighed against step time where a quantity is minimised.
pub(crate) const fn frontier_cost_quantity(minimize: Minimize) -> Minimize {
    match minimize {
        Minimize::UsdPerToken => Minimize::Tco,
        Minimize::Power => Minimize::Capex,
        cost => cost,
    }
}

/// The scenario where no cluster may be slowed more, whatever its workloads say.
pub(crate) fn with_slowdown_limit(scenario: &Scenario, most: f64) -> Scenario {
    let free = |own_workload: &Workload| {
        own_workload.clone().map_products(|own_workload| Workload {
            limits: Pace { max_slowdown: None, ..own_workload.limits },
            ..own_workload
        })
    };
    let later = |stage: &Stage| Stage {
        scenario: with_slowdown_limit(&stage.scenario, most),
        ..stage.clone()
    };
    let minimize = frontier_cost_quantity(scenario.objective.minimize);
    Scenario {
        workload: free(&scenario.workload),
        others: scenario.others.iter().map(free).collect(),
        objective: Objective { max_slowdown: Some(most), minimize, ..scenario.objective.clone() },
        later: scenario.later.iter().map(later).collect(),
        ..scenario.clone()
    }
}

/// How firm a point is: another fabric of a level that routing refuted may still be as fast as the
/// clock says.
fn point_proof_status(sized: &SizedFabric, refuted: &[(f64, Seconds)]) -> ProofStatus {
    let own = sized.solution.proof_status();
    let rivals = refuted.iter().filter(|(_, time)| *time <= sized.time);
    let least = rivals.map(|(value, _)| *value).fold(sized.value, f64::min);
    if least >= sized.value * (1.0 - SAME) {
        return own;
    }
    let gap = own.gap.max(1.0 - least / sized.value);
    ProofStatus { status: Status::Incumbent, proof: Proof::Check, gap }
}

/// Drops what another design beats: no dearer, and no longer step. Of equals the preferred stays.
fn drop_dominated_designs<'j, 'a>(
    mut found: Vec<(&'j Job<'a>, SizedFabric)>,
) -> Vec<(&'j Job<'a>, SizedFabric)> {
    found.sort_by(|(_, a), (_, b)| {
        let preferred = is_preferred(b, a).cmp(&is_preferred(a, b));
        a.value.total_cmp(&b.value).then(a.time.total_cmp(&b.time)).then(preferred)
    });
    let mut kept: Vec<(&Job<'_>, SizedFabric)> = Vec::new();
    for (job, sized) in found {
        let shorter = |(_, known): &(&Job<'_>, SizedFabric)| sized.time < known.time * (1.0 - SAME);
        if kept.last().is_none_or(shorter) {
            kept.push((job, sized));
        }
    }
    kept
}
