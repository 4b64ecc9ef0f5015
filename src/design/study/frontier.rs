//! The frontier of cost against step time: its points, each designed.

use super::frontier_candidates::{
    BestCase, FrontierCandidate, InLayout, KnownFront, LEAST_GAIN, frontier_candidates,
};
use super::infeasible_limits::explain_no_design;
use crate::design::assemble::assemble::{assemble_plan, solver_report};
use crate::design::assemble::routing_check::{RoutingRound, correct_clock_by_routing};
use crate::design::candidate::candidates::{Candidate, list_candidates};
use crate::design::candidate::layouts::max_layouts_sized;
use crate::design::columns::terms::{Demand, Terms};
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::design::network::cheapest_network::cheapest_within_step_time;
use crate::design::network::program::{ProgramInstance, SizingTools};
use crate::design::network::sized_fabric::{SizedFabric, is_preferred};
use crate::design::plan::plan::Plan;
use crate::design::plan::plan_values::PlanInputs;
use crate::design::plan::proof::Programs;
use crate::scenario::{Minimize, Objective, Pace, Scenario, Workload};
use crate::sizing::{Options, Proof, ProofStatus, Status};
use crate::units::{ROUNDING, Seconds, Usd};

/// The designs of a frontier.
#[derive(Clone, Debug, PartialEq)]
pub struct Frontier {
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
    /// Cost and step that designs of layouts which were not sized can't be below, where no design
    /// of the frontier has both: there may be more designs.
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
        // Where no network does for the fastest layouts, others may have one that does.
        let of_limits = failed.as_ref().is_some_and(Infeasible::is_of_limits);
        let looks_further = !walk.found.is_empty() || of_limits;
        let looked_at = looks_further.then(|| walk.walk_layouts(&field, &terms, &mut tools));
        let Some(looked_at) = looked_at.filter(|_| !walk.found.is_empty()) else {
            let all: Vec<Candidate<'_>> = field
                .into_iter()
                .flat_map(|frontier_candidate| frontier_candidate.candidates)
                .collect();
            return Err(explain_no_design(&all, failed, &terms, &tools));
        };
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
        own_workload.map_products(|own_workload| Workload {
            limits: Pace { max_slowdown: None, ..own_workload.limits },
            ..own_workload
        })
    };
    scenario.map_stages(|_, mut scenario| {
        scenario.workloads = scenario.workloads.iter().map(free).collect();
        scenario.objective.max_slowdown = Some(most);
        scenario.objective.minimize = frontier_cost_quantity(scenario.objective.minimize);
        scenario
    })
}

/// How firm a point is: another fabric of a level that routing refuted may still be as fast as the
/// clock says.
fn point_proof_status(sized: &SizedFabric, refuted: &[(f64, Seconds)]) -> ProofStatus {
    let own = sized.solution.proof_status();
    let rivals = refuted.iter().filter(|(_, time)| *time <= sized.time);
    let least = rivals.map(|(value, _)| *value).fold(sized.value, f64::min);
    if least >= sized.value * (1.0 - ROUNDING) {
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
        let shorter =
            |(_, known): &(&Job<'_>, SizedFabric)| sized.time < known.time * (1.0 - ROUNDING);
        if kept.last().is_none_or(shorter) {
            kept.push((job, sized));
        }
    }
    kept
}

/// Layouts that are sized here, over those that are beside a design: most are beaten before long.
const MORE: usize = 10;

/// What came of it so far.
#[derive(Default)]
pub(super) struct FrontierWalk<'j, 'a> {
    /// Designs that none of those before beat.
    pub(super) found: Vec<(&'j Job<'a>, SizedFabric)>,
    /// Cost and step of what was not sized, each at best.
    open: Vec<(f64, Seconds)>,
    front: KnownFront,
    sized: u64,
}

/// What was looked at on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkResult {
    /// Layouts that break no rule, on all machines; `None` where none is open.
    pub(super) layouts: Option<u64>,
    pub(super) sized: u64,
}

impl<'j, 'a> FrontierWalk<'j, 'a> {
    /// Adds the designs of a candidate, unless known ones beat them.
    ///
    /// # Errors
    /// Why it has none, where known ones do not beat it.
    fn walk_candidate(
        &mut self,
        candidate: &'j Candidate<'a>,
        terms: &Terms<'_>,
        tools: &mut SizingTools<'_>,
    ) -> Result<(), Infeasible> {
        let Candidate { job, planes, protocol } = candidate;
        let terms = Terms { protocol: *protocol, ..*terms };
        let (floor, fast) = (candidate.lower_bound(&terms), job.full_bisection_step_time());
        if self.front.has_dominating_design(floor, fast) {
            return Ok(());
        }
        self.sized += 1;
        // What takes more than a design with no longer step is beaten.
        let useful = self.front.value_at(fast);
        let terms = if useful.is_finite() { terms.with_value_limit(useful) } else { terms };
        let instance = ProgramInstance::new(job, *planes, &terms, Demand::from_terms(job, &terms));
        let mut context = instance.column_context(job, *planes, &terms);
        // The fastest is looked for in any case.
        let faster = |step: Seconds| {
            let next = Seconds::from_f64(step.get() * (1.0 - LEAST_GAIN));
            let is_last = next < fast && step > fast * (1.0 + ROUNDING);
            if is_last { fast * (1.0 + ROUNDING) } else { next }
        };
        let mut asked = terms;
        let mut last = None;
        loop {
            // What is slower than a known design and no cheaper is needless.
            context.pace = context.pace.min(faster(self.front.step_at(last.unwrap_or(floor))));
            let sized =
                match cheapest_within_step_time(&instance, &context, context.pace, &asked, tools) {
                    Ok(sized) => sized,
                    Err(reason) if last.is_none() && !asked.silent => return Err(reason),
                    Err(_) => return Ok(()),
                };
            if sized.value > useful {
                return Ok(());
            }
            last = Some(sized.value);
            asked.silent = true;
            context.pace = faster(sized.time);
            if sized.is_fast_enough(job, &terms, &mut tools.cache) {
                self.front.add(sized.value, sized.time);
                self.found.push((job, sized));
            }
        }
    }

    /// Cost and step of what was not sized, each at best, where no known design beats that.
    fn unsized_but_undominated(&self) -> Vec<(f64, Seconds)> {
        let open =
            self.open.iter().filter(|(cost, step)| !self.front.has_dominating_design(*cost, *step));
        open.copied().collect()
    }

    /// Adds the designs in the layouts that are slower than the fastest one of each machine.
    fn walk_layouts(
        &mut self,
        field: &'j [FrontierCandidate<'a>],
        terms: &Terms<'_>,
        tools: &mut SizingTools<'_>,
    ) -> WalkResult {
        let mut all: Vec<(&FrontierCandidate<'a>, &InLayout<'a>)> = Vec::new();
        let mut looked_at: Option<u64> = None;
        for contender in field {
            let (floor, least) = contender.lower_bounds(terms);
            if self.front.has_dominating_design(floor, least) {
                continue;
            }
            let slower = contender.slower_layouts(terms);
            if slower.looked_at > 0 {
                *looked_at.get_or_insert(0) += slower.looked_at;
            }
            self.open.extend(&slower.rest);
            all.extend(slower.layouts.iter().map(|layout| (contender, layout)));
        }
        let least = |in_layout: &InLayout<'_>| {
            let both = |one: BestCase, other: &BestCase| (one.0.min(other.0), one.1.min(other.1));
            in_layout.at_best.iter().fold((f64::INFINITY, Seconds::ENDLESS), both)
        };
        all.sort_by(|(_, one), (_, other)| {
            let (one, other) = (least(one), least(other));
            one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
        });
        let machines = field.iter().map(FrontierCandidate::machine);
        let most = field.first().map_or(0, |frontier_candidate| {
            MORE * max_layouts_sized(frontier_candidate.scenario(), machines)
        });
        let mut sized = 0;
        for (contender, layout) in all {
            if layout
                .at_best
                .iter()
                .all(|(floor, step)| self.front.has_dominating_design(*floor, *step))
            {
                continue;
            }
            if sized == most {
                self.open.extend(&layout.at_best);
                continue;
            }
            sized += 1;
            for candidate in contender.candidates_in(layout) {
                // A layout that no fabric runs fast enough is none of a frontier.
                let _ = self.walk_candidate(candidate, terms, tools);
            }
        }
        WalkResult { layouts: looked_at, sized: self.sized }
    }
}
