//! Writes the plan of a chosen fabric. Decides nothing.

use super::cables::cable_assumptions;
use super::certificate::Certificate;
use super::error_band::measured_time_interval;
use super::exchange::all_to_all_throughput;
use super::failures::{
    failure_report, single_point, warn_late_with_failures, warn_too_little_left,
};
use super::finding::PlanInputs;
use super::fixed::{fixed_keys, gap_over_layouts, keys_chosen_before_sizing};
use super::headroom::fabric_headroom;
use super::housed::racks_as_placed;
use super::inputs::Inputs;
use super::installation::installation_lines;
use super::left_out_as_slow::slow_layout_assumption;
use super::links::bill_of_wired_fabric;
use super::machine_price::nic_price_in_words;
use super::on_cables::routed_family_assumptions;
use super::placement::leaf_sharing_sentence;
use super::plan::{
    BindingLimit, ClusterPlans, ExpertLoad, NodeChoice, Plan, SolverReport, StepReport,
    WorkloadPlan,
};
use super::programs::Programs;
use super::solver_status::SolverStatus;
use super::standby;
use super::warnings::{Facts, list_warnings};
use crate::cost::{BillLine, Cost, OperatingTime, electricity_price, grand_total};
use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::design::candidate::money::{run_days, total_cost};
use crate::design::candidate::phases::phase_reports;
use crate::design::candidate::run::JobRun;
use crate::design::candidate::unpriced::unpriced_notes;
use crate::fabric::{Counts, FabricGraph};
use crate::reliability::FailureYear;
use crate::scenario::{Assumption, FabricChoice, LoadBalancing, Scenario, Workload};
use crate::sizing::{Options, Proof, ProofStatus, Status};
use crate::technique::technique_assumptions;
use crate::timing::{StepTime, UplinkBalance, hardware_flops, model_flops, step_efficiency};
use crate::traffic::{TrafficMatrix, TrafficSummary};
use crate::units::{Seconds, format_price as usd};
use crate::workload::{Model, Parameters};

/// How messages are spread over uplinks, and what the fullest of them carries.
fn flow_spreading_sentence(job: &Job<'_>, level: Level) -> String {
    let UplinkBalance { by, flows } = job.machine.balance;
    let on = match by {
        LoadBalancing::Spray => {
            return "switches spread the packets of each message evenly over all shortest paths: \
                    ROUTING has what other load balancing would take"
                .into();
        }
        LoadBalancing::Adaptive => "the uplink that has fewest",
        LoadBalancing::Ecmp => "the uplink that a hash names (ECMP)",
    };
    let each = job.runs_at_level(level).into_iter().flat_map(|run| run.assumed_call_times(level));
    let fullest = each.map(|call| call.fullest).fold(1.0, f64::max);
    let count =
        if flows == 1 { "a message".into() } else { format!("each of {flows} flows of a message") };
    format!(
        "{count} takes {on}: the fullest uplink of all leaf switches is expected to carry up to \
         {fullest:.2} × the mean, and the step is timed with it"
    )
}

/// The plan of a job on a fabric.
pub(crate) fn assemble_plan(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    graph: Option<&FabricGraph>,
    finding: PlanInputs,
) -> Plan {
    let scenario = job.scenario;
    let lead = &job.lead;
    let lines: Vec<BillLine> = bill_of_wired_fabric(job, counts, graph);
    let failures = failure_report(job, counts, level, graph);
    let pace = job.blend_step_times(&job.step_times(level));
    let (racks, networks) = racks_as_placed(job, counts, graph);
    let work = installation_lines(job, counts, &lines, networks.as_ref(), racks.as_ref());
    let beside = networks.as_ref().map_or(&[][..], |other_networks| &other_networks.bill);
    let all = total_cost(job, &lines, pace, failures.year.goodput);
    let asked = networks.is_some() || scenario.installation.is_some();
    let grand = asked.then(|| {
        grand_total(
            &all,
            beside,
            &work,
            &OperatingTime::from_step_time(scenario, pace, failures.year.goodput),
        )
    });
    let cost = Cost { whole: grand, ..all };
    let failures = failures.with_cost_of_lost_time(&cost);
    let traffic = traffic_of(lead);
    let facts = Facts { job, level, bill: &lines, cost: &cost, traffic: &traffic };
    let left = warn_too_little_left(&failures, &scenario.limits);
    let proven = gap_over_layouts(&finding.solver);
    let late = warn_late_with_failures(job, level, &failures);
    let single = single_point(&failures).into_iter().chain(left).chain(late).collect();
    let warnings = [finding.warnings, list_warnings(&facts), single].concat();
    let assumptions = design_assumptions(job, counts, level, &lines, &failures.year);
    Plan {
        name: scenario.name.clone(),
        minimize: scenario.objective.minimize,
        nodes: NodeChoice::from_job(job, counts.planes),
        layout: lead.layout().clone(),
        step: step_report(scenario, lead, (level, lead.step_time(level))),
        pace,
        phases: phase_reports(lead, level),
        memory: lead.memory.clone(),
        memory_capacity: job.machine.node.gpu.memory,
        traffic,
        workloads: workload_plans(job, level),
        fabric: counts.clone(),
        level,
        blueprint: None,
        routing: None,
        lengths: scenario.lengths.clone(),
        bill: lines,
        cost,
        racks,
        networks,
        installation: work,
        headroom: fabric_headroom(job, counts),
        all_to_all: all_to_all_throughput(job, level, counts),
        failures,
        oversubscription: None,
        regularity: None,
        regular: None,
        robust: None,
        solver: SolverReport {
            fixed: fixed_keys(job, level),
            chosen_first: match finding.solver.layouts {
                Some(_) => Vec::new(),
                None => keys_chosen_before_sizing(job, level),
            },
            gap: finding.solver.gap.max(proven.unwrap_or(0.0)),
            ..finding.solver
        },
        priorities: Vec::new(),
        price_bands: Vec::new(),
        alternatives: finding.alternatives,
        not_sized: finding.not_sized,
        assumptions,
        warnings,
        inputs: Inputs::from_scenario(scenario),
        together: ClusterPlans::One,
    }
}

/// How the sizing of the chosen fabric came about.
pub(crate) fn solver_report(
    firm: ProofStatus,
    candidates: u64,
    binding: Vec<BindingLimit>,
    programs: Programs,
    options: &Options,
) -> SolverReport {
    SolverReport {
        name: solver_name(firm.proof, options),
        status: match firm.status {
            Status::Optimal => SolverStatus::Optimal,
            Status::Incumbent => SolverStatus::NodeLimit,
        },
        gap: firm.gap,
        rival: None,
        candidates,
        settled: None,
        products_excluded: 0,
        fixed: Vec::new(),
        chosen_first: Vec::new(),
        layouts: None,
        binding,
        programs,
    }
}

/// How the choice among all candidates came about.
pub(crate) fn solver_report_with_certificate(
    certificate: &Certificate,
    candidates: u64,
    binding: Vec<BindingLimit>,
    programs: Programs,
    options: &Options,
) -> SolverReport {
    SolverReport {
        name: solver_name(certificate.proof, options),
        status: match certificate.is_optimal() {
            true => SolverStatus::Optimal,
            false if certificate.only_goodput => SolverStatus::GoodputBound,
            false => SolverStatus::NodeLimit,
        },
        gap: certificate.relative_gap(),
        rival: certificate.rival.clone(),
        candidates,
        settled: None,
        products_excluded: 0,
        fixed: Vec::new(),
        chosen_first: Vec::new(),
        layouts: None,
        binding,
        programs,
    }
}

/// What the proof of the answer rests on.
fn solver_name(proof: Proof, options: &Options) -> String {
    match proof {
        Proof::Bound => "arithmetic bound".to_owned(),
        Proof::Enumeration => "enumeration".to_owned(),
        Proof::Solver | Proof::Check => options.back_end.name().to_owned(),
    }
}

/// Every workload where there are several.
fn workload_plans(job: &Job<'_>, level: Level) -> Vec<WorkloadPlan> {
    if job.others.is_empty() {
        return Vec::new();
    }
    let plan = |run: &JobRun<'_>| {
        let step = step_report(job.scenario, run, (level, run.step_time(level)));
        WorkloadPlan {
            name: run.workload.name.clone(),
            share: run.workload.share,
            layout: run.layout().clone(),
            used: run.placement().used_gpus_per_domain(),
            training_days: run_days(run, step.pace),
            step,
            memory: run.memory.clone(),
            traffic: traffic_of(run),
        }
    };
    job.runs_at_level(level).into_iter().map(plan).collect()
}

fn traffic_of(run: &JobRun<'_>) -> TrafficSummary {
    TrafficMatrix::new(&run.step, run.placement()).summary()
}

/// A step in numbers.
pub(crate) fn step_report(
    scenario: &Scenario,
    run: &JobRun<'_>,
    (level, time): (Level, StepTime),
) -> StepReport {
    let Workload { model, training, framework, .. } = &*run.workload;
    let parameters = Parameters::count_parameters(model);
    let model = model_flops(model, training, framework);
    let gpu = &run.machine.node.gpu;
    let total: Seconds = time.total_time();
    let reached = step_efficiency(&run.step, training, gpu, model, total);
    let (pace, reference) = (run.effective_step_time_by_clock(level), run.reference.get());
    StepReport {
        pace,
        slowdown: if reference > 0.0 { pace.get() / reference } else { 1.0 },
        time,
        interval: measured_time_interval(scenario, &run.workload, gpu, &run.step.layout),
        model_flops: model,
        hardware_flops: hardware_flops(&run.step, model),
        mfu: reached.mfu,
        hfu: reached.hfu,
        tokens: run.step.tokens,
        tokens_per_gpu_second: reached.tokens_per_gpu_second,
        micro_batches: run.step.micro_batches,
        parameters,
        experts: expert_load(run, level),
    }
}

/// How uneven the loads of ranks with experts are, and the step without that.
fn expert_load(run: &JobRun<'_>, level: Level) -> Option<ExpertLoad> {
    let moe = run.workload.model.moe.as_ref()?;
    let fullest = moe.max_over_mean_load(run.step.layout.expert);
    if fullest <= 1.0 {
        return None;
    }
    let model = Model { moe: Some(moe.evenly_loaded()), ..run.workload.model.clone() };
    let workload = Workload { model, ..Workload::clone(&run.workload) };
    let even = JobRun::new(&workload, run.machine, &run.step.layout, run.seats).ok()?;
    Some(ExpertLoad { fullest, even: even.step_time(level).total_time() })
}

/// The scenario's assumptions and those that the design itself rests on.
fn design_assumptions(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    bill: &[BillLine],
    year: &FailureYear,
) -> Vec<Assumption> {
    let mut all = job.scenario.assumed_on(job.machine.node).to_vec();
    for run in job.one_run_per_workload() {
        all.extend(
            technique_assumptions(&run.workload)
                .into_iter()
                .filter(|note| !all.contains(note))
                .collect::<Vec<_>>(),
        );
    }
    let unused =
        job.one_run_per_workload().filter_map(|run| run.faster_unused_layout(job.scenario));
    all.extend(unused.map(|layout| layout.unused_layout_assumption()));
    all.extend(slow_layout_assumption(job, counts));
    all.extend(routed_family_assumptions(job.scenario.cluster.fabric, level.member));
    let mut take = |topic: &str, text: String| {
        all.push(Assumption { topic: topic.to_owned(), text, default: false });
    };
    take("cost.cables", cable_assumptions(job, counts));
    if job.scenario.networks.is_empty() {
        take(
            "networks",
            "storage, management and their servers are not counted: tables of [networks] size them"
                .into(),
        );
    }
    let offers = |line: &BillLine| line.unit.as_ref()?.quote.valid_until.clone();
    if job.scenario.prices.as_of.is_none() && bill.iter().any(|line| offers(line).is_some()) {
        let text = "no month is stated, so offers that ended are not told: state it".to_owned();
        take("pricing.as_of", text);
    }
    take(
        "cost.utilisation",
        "tokens are those of the share of the time that trains (goodput), power is drawn all year by what \
         trains"
            .into(),
    );
    if let Some(text) = standby::standby_assumption(job, bill, year) {
        take("failures.standby", text);
    }
    let book = &job.scenario.prices;
    if let Some(price) = electricity_price(book) {
        let name = price.origin();
        take("cost.electricity", format!("{} a kWh ({name}), all year", usd(price.amount)));
    }
    if let Some(text) = nic_price_in_words(book, job.machine.node, job.machine.nic) {
        take("cost.nics", text);
    }
    let unpriced = unpriced_notes(job.scenario);
    if !unpriced.is_empty() {
        let parts = unpriced.join(", ");
        take(
            "cost.unpriced",
            format!(
                "no price is known for {parts}: designs with them are left out beside those that have prices"
            ),
        );
    }
    let memory = job.host_memory_bought();
    if memory > 0 {
        take(
            "cost.host_memory",
            format!(
                "{memory} GiB a host beyond what ships, bought as modules that fit beside it; the \
                 power at full load is the machine's as it ships"
            ),
        );
    }
    if job.scenario.limits.names_losses() && job.scenario.cluster.fabric == FabricChoice::Auto {
        take(
            "limits.survive",
            "networks in which a spine joins rails that have spines of their own are left out: what a \
             loss leaves of them is not known before they are wired"
                .into(),
        );
    }
    if counts.ports_per_uplink() > 1 && job.scenario.cluster.fabric != FabricChoice::RailOnly {
        take(
            "fabric.uplinks",
            format!(
                "switches are joined at {} Gb/s, {} ports a link, as no part for {} Gb/s between them has \
                 a price; trees of four tiers, and spines across rails that have spines of their own, \
                 are left out",
                counts.uplink.as_gigabits(),
                counts.ports_per_uplink(),
                counts.link.as_gigabits()
            ),
        );
    }
    if job.scenario.spares.is_some() {
        take("spares", "added to the fabric that was chosen, not weighed in the choice".into());
    }
    if level.member.is_none() && level.across < 1.0 && job.machine.node.forwards {
        take(
            "fabric.forwarding",
            "messages across rails are forwarded through the HB domain (NCCL's PXN or the like)"
                .into(),
        );
    }
    if counts.planes > 1 {
        take(
            "fabric.planes",
            format!("every NIC spreads its packets over {} planes", counts.planes),
        );
    }
    if let Some(text) = standby::idle_gpus_assumption(job) {
        take("cluster.idle_gpus", text);
    }
    if counts.leaf_spine_links > 0 {
        take("routing.spread", flow_spreading_sentence(job, level));
    }
    if level.leaf_domains.is_some() {
        take("cluster.placement", leaf_sharing_sentence(job, level));
    }
    all
}
