//! One spec with techniques and without: the fabric is sized again for each, and all steps
//! are held to one limit. Every difference is that of two plans; no headline number of a paper
//! enters.

use super::baseline::{Freed, nearest_workload};
use crate::design::{self, Infeasible, Plan, StepPlan, list_clusters};
use crate::parallel::LayoutProblem;
use crate::scenario::{Assumption, ClusterName, ClusterShape, Objective, Pace, Scenario, Workload};
use crate::sizing::Options;
use crate::step::{self, Step, rank_matrices};
use crate::technique::{
    Recipe, break_even_replicas, frees_memory, own_payload, schedule_techniques,
    technique_assumptions,
};
use crate::units::{Bytes, Seconds};
use crate::workload::{DemoScope, Technique};

/// A spec with techniques beside the same without.
#[derive(Clone, Debug, PartialEq)]
pub struct TechniqueStudy {
    pub name: String,
    /// Longest step that any case may take, and what says so; `None` where nothing runs without the
    /// techniques, and so nothing bounds it, and where each case has the step that makes a token
    /// cheapest.
    pub limit: Option<(Seconds, &'static str)>,
    /// Without them, with each, and with all together where there are several.
    pub cases: Vec<TechniqueCase>,
    /// What DeMo exchanges, where it is one of them.
    pub demo: Option<DemoExchange>,
    /// What half of the interfaces would cost in the last case, where DeMo is one of them and its
    /// design has one product.
    pub fewer_nics: Option<FewerNics>,
    /// Validity and assumptions of all that is on in any case.
    pub notes: Vec<Assumption>,
}

/// A design for machines of a product with half of their interfaces.
#[derive(Clone, Debug, PartialEq)]
pub struct FewerNics {
    pub node: String,
    /// Interfaces of one of its machines there.
    pub nics: u32,
    /// The cheapest design with them, or why there is none.
    pub plan: Result<Plan, Infeasible>,
}

impl FewerNics {
    /// Designs a scenario for machines with half of their interfaces; `None` where several products
    /// or clusters are asked for, and where machines have an odd number.
    fn design_with_half_nics(scenario: &Scenario, options: &Options) -> Option<Self> {
        let mut scenario = scenario.clone();
        if scenario.cluster_shape() != ClusterShape::One {
            return None;
        }
        let [node] = scenario.cluster.nodes.as_mut_slice() else { return None };
        if node.nics == 0 || !node.nics.is_multiple_of(2) {
            return None;
        }
        node.nics /= 2;
        let (name, nics) = (node.name.clone(), node.nics);
        Some(Self { node: name, nics, plan: design::design_with_default_rules(&scenario, options) })
    }
}

/// One set of techniques.
#[derive(Clone, Debug, PartialEq)]
pub struct TechniqueCase {
    /// Those of the study that are on; none in the first case.
    pub on: Vec<Technique>,
    /// What is the planner's, whatever the spec states: stages where offload frees memory that only
    /// fewer of them use, more where the technique does not allow the stated layout.
    pub freed: Freed,
    /// One step of the design's layout on a network that never blocks, of the fastest one where
    /// there is no design;
    /// `None` where none runs, and `plan` says why.
    pub step: Option<StepPlan>,
    /// The cheapest design, or why there is none.
    pub plan: Result<Plan, Infeasible>,
}

/// What one replica exchanges with the others in a step, on the stage that exchanges most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DemoExchange {
    pub replicas: u32,
    pub payload: Bytes,
    /// What it receives of all others: (N−1)·T.
    pub received: Bytes,
    /// What a ring all-reduce of its gradients would bring: 2·(N−1)/N of them.
    pub ring: Bytes,
    /// Replicas N* at which both are equal.
    pub break_even: f64,
}

/// Why a study can't be made: rules of a technique that no layout keeps.
pub type Refused = Vec<LayoutProblem>;

/// Sets of techniques of every cluster of a scenario at once.
#[derive(Clone, Debug, PartialEq)]
pub struct TechniqueStudies {
    /// The designs of all clusters together, one for each set.
    pub whole: Vec<ClustersCase>,
    /// Of each cluster what the sets make of it.
    pub each: Vec<(ClusterName, TechniqueStudy)>,
}

/// All clusters under one set of techniques.
#[derive(Clone, Debug, PartialEq)]
pub struct ClustersCase {
    /// Those of the study that are on.
    pub on: Vec<Technique>,
    /// The most that is left to the planner in any cluster: see [`TechniqueCase::freed`].
    pub freed: Freed,
    /// The cheapest design, or why there is none.
    pub plan: Result<Plan, Infeasible>,
}

/// The scenario without `with`, with each of them, and with all of them together, on all clusters
/// at once. Techniques that a workload has on besides stay on in every case.
///
/// # Errors
/// The rules of a technique that the stated layout of a cluster breaks, where no layout keeps them.
pub fn study_techniques(
    scenario: &Scenario,
    with: &[Technique],
    options: &Options,
) -> Result<TechniqueStudies, Refused> {
    let clusters = list_clusters(scenario);
    let sets = technique_sets(
        with,
        clusters.iter().any(|question| is_staged(question.scenario.lead_workload())),
    );
    let asked =
        clusters.iter().map(|question| ClusterQuestion::new(&question.scenario, with, &sets));
    let asked: Vec<ClusterQuestion> = asked.collect::<Result<_, _>>()?;
    let design = |(place, (on, _)): (usize, &(Vec<Technique>, bool))| {
        let plan =
            design::design_with_default_rules(&scenario_with_set(scenario, &asked, place), options);
        let freed = asked.iter().map(|question| question.workloads[place].1).max();
        ClustersCase { on: on.clone(), freed: freed.unwrap_or(Freed::Nothing), plan }
    };
    let whole: Vec<ClustersCase> = sets.iter().enumerate().map(design).collect();
    let exchanges_less = with.contains(&Technique::Demo);
    let last = whole.last().filter(|last| exchanges_less && last.plan.is_ok());
    let fewer_nics = last.and_then(|_| {
        FewerNics::design_with_half_nics(
            &scenario_with_set(scenario, &asked, whole.len() - 1),
            options,
        )
    });
    let each = clusters.into_iter().zip(&asked).enumerate();
    let each = each.map(|(place, (question, asked))| {
        let on: Vec<Technique> = [asked.others.as_slice(), with].concat();
        let all = schedule_techniques(question.scenario.lead_workload(), &on);
        let cases: Vec<TechniqueCase> = whole
            .iter()
            .zip(&asked.workloads)
            .map(|(whole, (workload, freed))| {
                let scenario = asked.base.with_lead_workload(workload.clone());
                let plan = whole.plan.clone().map(|plan| plan.cluster_plans()[place].clone());
                // Of what is bought, and not of the fastest layout, where that is another one.
                let step = match &plan {
                    Ok(plan) => design::step_of_plan(&scenario, plan),
                    Err(_) => design::plan_step(&scenario),
                };
                TechniqueCase { on: whole.on.clone(), freed: *freed, step: step.ok(), plan }
            })
            .collect();
        let demo = with.contains(&Technique::Demo).then(|| demo_exchange(&cases[0], &asked.base));
        let study = TechniqueStudy {
            name: question.scenario.name,
            limit: asked.limit,
            cases,
            demo: demo.flatten(),
            fewer_nics: fewer_nics.clone(),
            notes: technique_assumptions(&all),
        };
        (question.name, study)
    });
    let each = each.collect();
    Ok(TechniqueStudies { whole, each })
}

/// Sets of techniques, none first; where a layout has stages, also each that frees memory with as
/// many stages as the planner likes.
fn technique_sets(with: &[Technique], staged: bool) -> Vec<(Vec<Technique>, bool)> {
    let mut sets = vec![(Vec::new(), false)];
    for technique in with {
        sets.push((vec![*technique], false));
        if frees_memory(*technique) && staged {
            sets.push((vec![*technique], true));
        }
    }
    if with.len() > 1 {
        sets.push((with.to_vec(), false));
    }
    sets
}

/// The layout states several pipeline stages.
fn is_staged(workload: &Workload) -> bool {
    workload.layout.pipeline.is_some_and(|stages| stages > 1)
}

/// What is asked of one cluster.
struct ClusterQuestion {
    /// Techniques that are on in every case.
    others: Vec<Technique>,
    /// Its workload under each set, and what of its layout is left to the planner there.
    workloads: Vec<(Workload, Freed)>,
    /// The cluster without the techniques.
    base: Scenario,
    /// The limit that all cases share.
    limit: Option<(Seconds, &'static str)>,
}

impl ClusterQuestion {
    fn new(
        cluster: &Scenario,
        with: &[Technique],
        sets: &[(Vec<Technique>, bool)],
    ) -> Result<Self, Refused> {
        let own = &cluster.lead_workload().techniques.on;
        let others: Vec<Technique> =
            own.iter().copied().filter(|technique| !with.contains(technique)).collect();
        let under = |(set, free): &(Vec<Technique>, bool)| {
            let on = [others.as_slice(), set].concat();
            let workload = cluster
                .lead_workload()
                .map_products(|own_workload| schedule_techniques(&own_workload, &on));
            if *free && is_staged(cluster.lead_workload()) {
                let freed = Freed::Stages;
                return nearest_workload(
                    cluster,
                    workload.map_products(|own_workload| freed.free_workload(own_workload)),
                )
                .map(|(workload, more)| (workload, freed.max(more)));
            }
            nearest_workload(cluster, workload)
        };
        let workloads: Vec<(Workload, Freed)> = sets.iter().map(under).collect::<Result<_, _>>()?;
        let base = cluster.with_lead_workload(workloads[0].0.clone());
        let limit = shared_step_limit(&base);
        Ok(Self { others, workloads, base, limit })
    }
}

/// The scenario with the workload of every cluster under a set, and the limits that all cases
/// share.
fn scenario_with_set(scenario: &Scenario, asked: &[ClusterQuestion], set: usize) -> Scenario {
    let longest = |question: &ClusterQuestion| question.limit.map(|(longest, _)| longest);
    let workload = |question: &ClusterQuestion| question.workloads[set].0.clone();
    let alone = |scenario: &Scenario, question: &ClusterQuestion| {
        let mut scenario = scenario.with_lead_workload(workload(question));
        scenario.limits.step_time = longest(question);
        scenario.objective.max_slowdown = Some(Objective::ANY_SLOWDOWN);
        scenario
    };
    if scenario.cluster_shape() == ClusterShape::Parts {
        // Parts have no limits of their own but those of their workloads.
        let part = |(own, question): (&Workload, &ClusterQuestion)| {
            let limits = |own_workload: Workload, step_time| Workload {
                gpus: own.gpus,
                limits: Pace { step_time, ..own_workload.limits },
                ..own_workload
            };
            workload(question).map_products(|one| limits(one, longest(question)))
        };
        let workloads = scenario.workloads.iter().zip(asked).map(part).collect();
        let mut scenario = Scenario { workloads, ..scenario.clone() };
        scenario.objective.max_slowdown = Some(Objective::ANY_SLOWDOWN);
        return scenario;
    }
    scenario.map_stages(|place, stage| alone(&stage, &asked[place]))
}

/// The limit that all cases share: the spec's own, or the slowdown that it allows over a step
/// without the techniques on a network that never blocks.
fn shared_step_limit(base: &Scenario) -> Option<(Seconds, &'static str)> {
    if let Some(stated) = base.limits.step_time {
        return Some((stated, "limits.step_time"));
    }
    let name = "objective.max_slowdown, over the step without them on a network that never blocks";
    let plan = design::plan_step(base).ok()?;
    let slowdown = base.objective.allowed_slowdown(base.objective.minimize);
    // Each case has the cheapest token that it can have: a longer step costs by itself.
    let limits = slowdown < Objective::ANY_SLOWDOWN;
    limits.then(|| (plan.step.time.total_time() * slowdown, name))
}

/// What DeMo exchanges in the layout of the first case.
fn demo_exchange(case: &TechniqueCase, base: &Scenario) -> Option<DemoExchange> {
    let layout = &case.step.as_ref()?.layout;
    let workload = base.lead_workload().for_product(&case.step.as_ref()?.nodes.node);
    let step: Step = Recipe::from_workload(workload).heaviest_step(layout).ok()?;
    let settings = &workload.techniques.demo;
    if settings.scope != DemoScope::Replicas {
        return None; // across domains only, a ring still sums gradients inside
    }
    let sends = |stage: &step::PipelineStage| {
        let [dense, _] = rank_matrices(&workload.model, layout, stage);
        own_payload(&dense, settings)
    };
    let stage = step.stages.iter().max_by_key(|stage| sends(stage))?;
    let replicas = layout.data * layout.context;
    if replicas < 2 || stage.layer_count() == 0 {
        return None;
    }
    let (payload, others) = (sends(stage), u128::from(replicas - 1));
    let width = u128::from(workload.framework.gradient_bytes);
    let gradients = Bytes::new(stage.dense_parameters * width);
    Some(DemoExchange {
        replicas,
        payload,
        received: payload * others,
        ring: (gradients * (2 * others)).equal_share(u128::from(replicas)),
        break_even: break_even_replicas(gradients, payload)?,
    })
}
