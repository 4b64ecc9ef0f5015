//! Networks to hold a design against: its own machines on the cheapest fabric of a family.

use crate::cost::BillLine;
use crate::design::assemble::assemble::assemble_plan;
use crate::design::assemble::hall_cables::bill_of_network;
use crate::design::assemble::routing_check::{
    RoutingRound, correct_clock_by_routing, route_and_report,
};
use crate::design::candidate::candidates::max_used_gpus;
use crate::design::candidate::machine_cost::bill_of_materials;
use crate::design::candidate::priced_links::{LinkPurchase, allowed_protocols, drop_unpriced};
use crate::design::columns::four_tier_trees::level_of_counts;
use crate::design::columns::terms::Terms;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::{Job, NodeChoice};
use crate::design::job::machine::{Level, Machine};
use crate::design::job::run::JobRun;
use crate::design::job::scenario_runs::RobustScenarios;
use crate::design::network::best_network::size_network;
use crate::design::network::cheapest_network::cheapest_at_ratio;
use crate::design::network::program::SizingTools;
use crate::design::network::sized_fabric::SizedFabric;
use crate::design::plan::alternatives;
use crate::design::plan::plan::{Plan, SolverReport, StepReport};
use crate::design::plan::plan_values::PlanInputs;
use crate::design::plan::proof::{Programs, SolverStatus};
use crate::fabric::{Blueprint, Counts, Ratio};
use crate::hardware::Protocol;
use crate::parallel::{Layout, Seats};
use crate::scenario::{FabricChoice, Limits, Minimize, Scenario, Workload};
use crate::search::NoLayout;
use crate::sizing::Options;
use crate::timing::UplinkBalance;
use crate::traffic::TrafficMatrix;
use crate::units::{ROUNDING, Usd};

/// What a fabric to compare with has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaselineRequest<'a> {
    pub family: FabricChoice,
    /// Least uplinks per downlink, within rails and, where the family joins them, across.
    pub share: Ratio,
    pub least_planes: u32,
    /// Most planes, of those that the interface can be split into.
    pub most_planes: u32,
    /// The one switch model that may be used; `None` for every model of the scenario.
    pub model: Option<&'a str>,
    /// The product's own interface in place of the design's.
    pub own_nic: bool,
}

/// A fabric that machines of a design could have.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineFabric {
    pub counts: Counts,
    /// What they were counted from; `None` where nobody says how it is wired.
    pub blueprint: Option<Blueprint>,
    pub(super) level: Level,
}

impl BaselineFabric {
    fn from_sized_fabric(SizedFabric { counts, blueprint, level, .. }: SizedFabric) -> Self {
        Self { counts, blueprint: Some(blueprint), level }
    }

    /// The fabric of a plan.
    #[must_use]
    pub fn from_plan(plan: &Plan) -> Self {
        let Plan { fabric, blueprint, level, .. } = plan;
        Self { counts: fabric.clone(), blueprint: blueprint.clone(), level: *level }
    }

    /// A fabric that was counted elsewhere and spreads messages so.
    #[must_use]
    pub fn from_counts(counts: Counts, balance: UplinkBalance) -> Self {
        Self { level: level_of_counts(&counts, balance), counts, blueprint: None }
    }
}

/// The cheapest fabric of each number of planes that is wanted, the cheapest of all first; of equal
/// ones that with fewer planes. Limits of the scenario count for the design alone; what is owned is
/// used. Empty where nothing on offer builds one.
///
/// # Errors
/// Rules that the plan's layout breaks: none where the plan is of this scenario.
pub fn cheapest_fabrics_by_planes(
    scenario: &Scenario,
    plan: &Plan,
    wanted: &BaselineRequest<'_>,
    options: &Options,
) -> Result<Vec<BaselineFabric>, NoLayout> {
    let mut scenario = scenario.clone();
    scenario.limits = drop_resource_limits(&scenario.limits);
    scenario.cluster.fabric = wanted.family;
    if let Some(model) = wanted.model {
        scenario.cluster.switches = vec![model.to_owned()];
    }
    let mut plan = plan.clone();
    if wanted.own_nic {
        let nic = plan.nodes.node.nic.clone();
        plan.nodes = NodeChoice { nic, ..plan.nodes };
    }
    let job = job_of_plan(&scenario, &plan)?;
    let range = wanted.least_planes..=wanted.most_planes;
    let splits = job.machine.plane_options(&scenario.cluster).into_iter();
    let splits: Vec<u32> = splits.filter(|planes| range.contains(planes)).collect();
    let all = planes_and_protocols(&scenario, job.machine, &splits);
    let mut tools = SizingTools::new(options);
    let mut found: Vec<SizedFabric> = Vec::new();
    for planes in splits {
        let each = all.iter().filter(|pair| pair.0 == planes);
        let sized = each.filter_map(|&(_, protocol)| {
            let terms = Terms {
                fabric: wanted.family,
                minimize: Minimize::Capex,
                silent: true,
                protocol,
                ..Terms::from_scenario(&scenario)
            };
            cheapest_at_ratio(&job, planes, wanted.share, &terms, &mut tools)
        });
        found.extend(sized.min_by(|a, b| a.value.total_cmp(&b.value)));
    }
    found.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ok(found.into_iter().map(BaselineFabric::from_sized_fabric).collect())
}

/// The best fabric of a family that is timed on its cables, of each number of planes, as a design
/// has it of which the spec asks for that family: by the scenario's objective, with the bandwidth
/// and the losses that it asks for or the [house rule](crate::design::plan::alternatives::MOST), no
/// slower than it allows or, where all are slower, than the fastest; the best of all first. Limits
/// on money, power, racks and supply count for the design alone. Empty where nothing on offer
/// builds one.
///
/// # Errors
/// Rules that the plan's layout breaks: none where the plan is of this scenario.
pub fn best_routed_fabrics(
    scenario: &Scenario,
    plan: &Plan,
    family: FabricChoice,
    options: &Options,
) -> Result<Vec<BaselineFabric>, NoLayout> {
    let mut scenario = scenario.clone();
    scenario.limits = bandwidth_and_loss_limits(&scenario.limits);
    scenario.cluster.fabric = family;
    let job = job_of_plan(&scenario, plan)?.without_routing_corrections();
    let all =
        planes_and_protocols(&scenario, job.machine, &job.machine.plane_options(&scenario.cluster));
    let mut tools = SizingTools::new(options);
    let sized = all.into_iter().filter_map(|(planes, protocol)| {
        let terms = Terms { silent: true, protocol, ..Terms::from_scenario(&scenario) };
        match size_network(&job, planes, &terms, &mut tools) {
            Err(Infeasible::Slow { has, best, .. }) => {
                let max_slowdown = terms.max_slowdown * (best / has) * (1.0 + ROUNDING);
                let terms = Terms { max_slowdown, own_slowdowns: false, ..terms };
                size_network(&job, planes, &terms, &mut tools).ok()
            }
            found => found.ok(),
        }
    });
    let mut found: Vec<SizedFabric> = sized.collect();
    found.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ok(found.into_iter().map(BaselineFabric::from_sized_fabric).collect())
}

/// Planes and protocols that something joins the machine in; those with parts that no book prices
/// only where no other is.
fn planes_and_protocols(
    scenario: &Scenario,
    machine: Machine<'_>,
    splits: &[u32],
) -> Vec<(u32, Protocol)> {
    let each = |planes: &u32| {
        let planes = *planes;
        allowed_protocols(scenario).into_iter().map(move |protocol| (planes, protocol))
    };
    let mut all: Vec<(u32, Protocol)> = splits.iter().flat_map(each).collect();
    all.retain(|(planes, protocol)| {
        LinkPurchase::for_machine(scenario, machine, *planes, *protocol) != LinkPurchase::Apart
    });
    drop_unpriced(scenario, &mut all, |pair| (machine, pair.0, pair.1));
    all
}

/// What a network has to give, and no limit on what it takes.
fn bandwidth_and_loss_limits(limits: &Limits) -> Limits {
    let Limits { within_rail, across_rails, survive_pace, .. } = *limits;
    let ruled = within_rail.is_none().then_some(alternatives::MOST);
    let max_oversubscription = limits.max_oversubscription.or(ruled);
    let survive = limits.survive.clone();
    let free = drop_resource_limits(limits);
    Limits { within_rail, max_oversubscription, across_rails, survive_pace, survive, ..free }
}

/// What says how a rail is built, and no limit on what the whole takes.
pub(super) fn drop_resource_limits(limits: &Limits) -> Limits {
    let rack = limits.rack.without_power_limit();
    Limits { models_per_rail: limits.models_per_rail, ..Limits::new_unlimited(rack) }
}

/// The plan of the same machines and layout on another fabric, routed where it is known how that is
/// wired. Slowdown is against the same reference.
///
/// # Errors
/// Rules that the plan's layout breaks: none where the plan is of this scenario.
pub fn plan_on_fabric(
    scenario: &Scenario,
    plan: &Plan,
    fabric: &BaselineFabric,
) -> Result<Plan, NoLayout> {
    let job = job_of_plan(scenario, plan)?;
    let finding = PlanInputs::new_without_study(SolverReport {
        name: "counted".to_owned(),
        status: SolverStatus::Optimal,
        gap: 0.0,
        rival: None,
        candidates: 1,
        settled: None,
        products_excluded: 0,
        fixed: Vec::new(),
        chosen_first: Vec::new(),
        layouts: None,
        binding: Vec::new(),
        programs: Programs::default(),
    });
    let level = fabric.level;
    let Some(blueprint) = &fabric.blueprint else {
        return Ok(assemble_plan(&job, &fabric.counts, level, None, finding));
    };
    // Where a link is slower than the clock has it, the step is timed by what routing found.
    correct_clock_by_routing(&job, level, blueprint, RoutingRound::default());
    Ok(route_and_report(&job, &fabric.counts, level, blueprint, finding))
}

/// Price of the switches, transceivers and cables of a fabric on top of what is owned, as the bill
/// of a plan on it has them.
///
/// # Errors
/// As [`plan_on_fabric`].
pub fn network_capex(
    scenario: &Scenario,
    plan: &Plan,
    fabric: &BaselineFabric,
) -> Result<Usd, NoLayout> {
    Ok(network_bill(scenario, plan, fabric)?.iter().map(|line| line.total).sum())
}

/// The switches, transceivers and cables of a fabric as they are bought.
///
/// # Errors
/// As [`plan_on_fabric`].
pub fn network_bill(
    scenario: &Scenario,
    plan: &Plan,
    fabric: &BaselineFabric,
) -> Result<Vec<BillLine>, NoLayout> {
    let job = job_of_plan(scenario, plan)?;
    let mut lines = match &fabric.blueprint {
        Some(blueprint) => bill_of_network(&job, &fabric.counts, blueprint),
        None => bill_of_materials(&job, Some(&fabric.counts)),
    };
    lines.retain(|line| line.role.is_network());
    Ok(lines)
}

/// The traffic of a plan's step, pair by pair; of several workloads that of the first.
///
/// # Errors
/// As [`plan_on_fabric`].
pub fn traffic_matrix(scenario: &Scenario, plan: &Plan) -> Result<TrafficMatrix, NoLayout> {
    let job = job_of_plan(scenario, plan)?;
    let lead = job.lead_run();
    Ok(TrafficMatrix::new(&lead.step, lead.placement()))
}

/// The job that a plan was made for.
pub(super) fn job_of_plan<'a>(scenario: &'a Scenario, plan: &'a Plan) -> Result<Job<'a>, NoLayout> {
    let balance = UplinkBalance::from_cluster(&scenario.cluster);
    let machine = Machine { node: &plan.nodes.node, nic: &plan.nodes.nic, balance };
    let run = |workload: &'a Workload, layout: &Layout, step: &StepReport, used: u32| {
        let reference = step.pace * (1.0 / step.slowdown);
        let on = |seats| {
            JobRun::new(workload.for_product(machine.node), machine, layout, seats)
                .map(|run| JobRun { reference, least_across: 0.0, ..run })
                .map_err(|problems| NoLayout::Illegal { gpus: layout.gpus(), problems })
        };
        let even = on(Seats::Even)?;
        if even.placement().used_gpus_per_domain() == used {
            return Ok(even);
        }
        let most = on(Seats::Most)?;
        if most.placement().used_gpus_per_domain() == used {
            return Ok(most);
        }
        on(Seats::Sparing(machine.node.gpus.saturating_sub(used)))
    };
    let lead = run(scenario.lead_workload(), &plan.layout, &plan.step, plan.nodes.used)?;
    let others = scenario.workloads.iter().skip(1).zip(plan.workloads.iter().skip(1));
    let others = others.map(|(workload, plan)| run(workload, &plan.layout, &plan.step, plan.used));
    let runs = std::iter::once(Ok(lead)).chain(others).map(|run| Ok(vec![run?]));
    let runs = runs.collect::<Result<Vec<_>, NoLayout>>()?;
    let used = max_used_gpus(&runs);
    let job = Job {
        id: 0,
        kin: 0,
        scenario,
        machine,
        domains: plan.nodes.domains,
        standby: plan.failures.year.standby,
        used,
        runs,
        scenarios: RobustScenarios::default(),
    };
    // The clock knows nothing of a fabric that is timed on its cables before it was routed.
    if let Some(blueprint) = plan.blueprint.as_ref().filter(|_| plan.level.member.is_some()) {
        correct_clock_by_routing(&job, plan.level, blueprint, RoutingRound::default());
    }
    Ok(job)
}
