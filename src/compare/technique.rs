//! One spec with techniques and without: the fabric is sized again for each, and all steps
//! are held to one limit. Every difference is that of two plans; no headline number of a paper
//! enters.

use crate::design::{self, Infeasible, Plan, StepPlan};
use crate::parallel::{LayoutProblem, LayoutRequest};
use crate::scenario::{Assumption, Scenario, Workload};
use crate::sizing::Options;
use crate::step::{BlockKind, Stage, Step};
use crate::technique::{
    Recipe, break_even_replicas, frees_memory, matrices, notes, own_payload, switched,
};
use crate::units::{Bytes, Seconds};
use crate::workload::{Scope, Technique};

/// A spec with techniques beside the same without.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Name of the scenario.
    pub name: String,
    /// Longest step that any case may take, and what says so; `None` where nothing runs without the
    /// techniques, and so nothing bounds it.
    pub limit: Option<(Seconds, &'static str)>,
    /// Without them, with each, and with all together where there are several.
    pub cases: Vec<Case>,
    /// What DeMo exchanges, where it is one of them.
    pub demo: Option<Exchange>,
    /// Validity and assumptions of all that is on in any case.
    pub notes: Vec<Assumption>,
}

/// One set of techniques.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Those of the study that are on; none in the first case.
    pub on: Vec<Technique>,
    /// The number of stages is the planner's, whatever the spec states: offload frees memory that
    /// only fewer stages use.
    pub free: bool,
    /// One step on a network that never blocks; `None` where the layout does not run, and `plan`
    /// says why.
    pub step: Option<StepPlan>,
    /// The cheapest design, or why there is none.
    pub plan: Result<Plan, Infeasible>,
}

/// What one replica exchanges with the others in a step, on the stage that exchanges most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    /// Replicas N.
    pub replicas: u32,
    /// Own payload T.
    pub payload: Bytes,
    /// What it receives of all others: (N−1)·T.
    pub received: Bytes,
    /// What a ring all-reduce of its gradients would bring: 2·(N−1)/N of them.
    pub ring: Bytes,
    /// Replicas N* at which both are equal.
    pub break_even: f64,
}

/// Why a study can't be made: rules that the stated layout breaks under a technique.
pub type Refused = Vec<LayoutProblem>;

/// The scenario without `with`, with each of them, and with all of them together. Techniques that
/// the scenario has on besides stay on in every case.
///
/// # Errors
/// The rules of a technique that the stated layout breaks.
pub fn study(scenario: &Scenario, with: &[Technique], options: &Options) -> Result<Study, Refused> {
    let on = &scenario.workload.techniques.on;
    let others: Vec<Technique> = on.iter().copied().filter(|of| !with.contains(of)).collect();
    let mut sets = vec![(Vec::new(), false)];
    let stated = scenario.workload.layout.pipeline.is_some_and(|stages| stages > 1);
    for technique in with {
        sets.push((vec![*technique], false));
        if frees_memory(*technique) && stated {
            sets.push((vec![*technique], true));
        }
    }
    if with.len() > 1 {
        sets.push((with.to_vec(), false));
    }
    let workloads: Vec<Workload> = sets
        .iter()
        .map(|(set, free)| {
            let on = [others.as_slice(), set].concat();
            let workload = scenario.workload.clone().on_each(|of| switched(&of, &on));
            if *free { workload.on_each(with_free_stages) } else { workload }
        })
        .collect();
    for workload in &workloads {
        refuse(workload)?;
    }
    let all = switched(&scenario.workload, &[others.as_slice(), with].concat());
    let base = Scenario { workload: workloads[0].clone(), ..scenario.clone() };
    let limit = limit(&base);
    let cases: Vec<Case> = sets
        .into_iter()
        .zip(workloads)
        .map(|((on, free), workload)| {
            let longest = limit.map(|(longest, _)| longest);
            let (step, plan) = planned(&base, workload, longest, options);
            Case { on, free, step, plan }
        })
        .collect();
    let demo = with.contains(&Technique::Demo).then(|| exchange(&cases[0], &base)).flatten();
    Ok(Study { name: scenario.name.clone(), limit, cases, demo, notes: notes(&all) })
}

/// The rules of techniques that no open degree can mend.
fn refuse(workload: &Workload) -> Result<(), Refused> {
    let request = &workload.layout;
    let layout =
        LayoutRequest { pipeline: request.pipeline.or(Some(2)), ..request.clone() }.plainest(None);
    let problems = Recipe::of(workload).problems(&layout);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The limit that all cases share: the spec's own, or the slowdown that it allows over a step
/// without the techniques on a network that never blocks.
fn limit(base: &Scenario) -> Option<(Seconds, &'static str)> {
    if let Some(stated) = base.limits.step_time {
        return Some((stated, "limits.step_time"));
    }
    let name = "objective.max_slowdown, over the step without them on a network that never blocks";
    let plan = design::step(base).ok()?;
    Some((plan.step.time.total() * base.objective.max_slowdown, name))
}

/// A limit on slowdown that never binds: the shared limit on the step takes its place.
const UNLIMITED: f64 = 1e6;

/// The workload with as many stages as the planner likes, and the other GPUs as replicas.
fn with_free_stages(mut workload: Workload) -> Workload {
    workload.layout.pipeline = None;
    workload.layout.data = None;
    workload
}

fn planned(
    base: &Scenario,
    workload: Workload,
    limit: Option<Seconds>,
    options: &Options,
) -> (Option<StepPlan>, Result<Plan, Infeasible>) {
    let mut scenario = Scenario { workload, ..base.clone() };
    let step = design::step(&scenario).ok();
    scenario.limits.step_time = limit;
    scenario.objective.max_slowdown = UNLIMITED;
    (step, design::design_with(&scenario, options))
}

/// What DeMo exchanges in the layout of the first case.
fn exchange(case: &Case, base: &Scenario) -> Option<Exchange> {
    let layout = &case.step.as_ref()?.layout;
    let workload = base.workload.on(&case.step.as_ref()?.nodes.node);
    let step: Step = Recipe::of(workload).step(layout).ok()?;
    let settings = &workload.techniques.demo;
    if settings.scope != Scope::Replicas {
        return None; // across domains only, a ring still sums gradients inside
    }
    let sends = |stage: &Stage| {
        let [dense, _] = matrices(&workload.model, layout, stage);
        own_payload(&dense, settings)
    };
    let stage = step.stages.iter().max_by_key(|stage| sends(stage))?;
    let replicas = layout.data * layout.context;
    if replicas < 2 || stage.count(BlockKind::Dense) + stage.count(BlockKind::Moe) == 0 {
        return None;
    }
    let (payload, others) = (sends(stage), u128::from(replicas - 1));
    let width = u128::from(workload.framework.gradient_bytes);
    let gradients = Bytes::new(stage.dense_parameters * width);
    Some(Exchange {
        replicas,
        payload,
        received: payload * others,
        ring: (gradients * (2 * others)).share(u128::from(replicas)),
        break_even: break_even_replicas(gradients, payload)?,
    })
}
