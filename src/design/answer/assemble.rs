//! Writes the plan of a chosen fabric. Decides nothing.

use super::cables::cables;
use super::certificate::Certificate;
use super::error_band::interval;
use super::exchange::reached;
use super::failures::{failures, late, single_point, too_little_left};
use super::finding::Finding;
use super::fixed::{chosen_first, fixed, proven_over_layouts};
use super::headroom::headroom;
use super::housed::stood;
use super::inputs::Inputs;
use super::installation::installation;
use super::left_out_as_slow::left_out_as_slow;
use super::links::bill_on;
use super::machine_price::interfaces;
use super::on_cables::on_cables;
use super::placement::placement;
use super::plan::{
    Bound, ExpertLoad, NodeChoice, Plan, SolverReport, StepReport, Together, WorkloadPlan,
};
use super::programs::Programs;
use super::solver_status::SolverStatus;
use super::standby;
use super::warnings::{Facts, warnings};
use crate::cost::{BillLine, Cost, Running, electricity, whole};
use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::design::candidate::money::{cost_of, run_days};
use crate::design::candidate::phases::phases;
use crate::design::candidate::run::Run;
use crate::design::candidate::unpriced::left_out;
use crate::fabric::{Counts, FabricGraph};
use crate::reliability::Year;
use crate::scenario::{Assumption, FabricChoice, LoadBalancing, Scenario, Workload};
use crate::sizing::{Firmness, Options, Proof, Status};
use crate::technique::notes;
use crate::timing::{Balance, StepTime, efficiency, hardware_flops, model_flops};
use crate::traffic::{Matrix, Summary};
use crate::units::{Seconds, price as usd};
use crate::workload::{Model, Parameters};

/// How messages are spread over uplinks, and what the fullest of them carries.
fn spreading(job: &Job<'_>, level: Level) -> String {
    let Balance { by, flows } = job.machine.balance;
    let on = match by {
        LoadBalancing::Spray => {
            return "switches spread the packets of each message evenly over all shortest paths: \
                    ROUTING has what other load balancing would take"
                .into();
        }
        LoadBalancing::Adaptive => "the uplink that has fewest",
        LoadBalancing::Ecmp => "the uplink that a hash names (ECMP)",
    };
    let each = job.running(level).into_iter().flat_map(|run| run.granted(level));
    let fullest = each.map(|call| call.fullest).fold(1.0, f64::max);
    let count =
        if flows == 1 { "a message".into() } else { format!("each of {flows} flows of a message") };
    format!(
        "{count} takes {on}: the fullest uplink of all leaf switches is expected to carry up to \
         {fullest:.2} × the mean, and the step is timed with it"
    )
}

/// The plan of a job on a fabric.
pub(crate) fn assemble(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    graph: Option<&FabricGraph>,
    finding: Finding,
) -> Plan {
    let scenario = job.scenario;
    let lead = &job.lead;
    let lines: Vec<BillLine> = bill_on(job, counts, graph);
    let failures = failures(job, counts, level, graph);
    let pace = job.blended(&job.paces(level));
    let (racks, networks) = stood(job, counts, graph);
    let work = installation(job, counts, &lines, networks.as_ref(), racks.as_ref());
    let beside = networks.as_ref().map_or(&[][..], |of| &of.bill);
    let all = cost_of(job, &lines, pace, failures.year.goodput);
    let asked = networks.is_some() || scenario.installation.is_some();
    let grand = asked
        .then(|| whole(&all, beside, &work, &Running::of(scenario, pace, failures.year.goodput)));
    let cost = Cost { whole: grand, ..all };
    let failures = failures.paid_by(&cost);
    let traffic = traffic_of(lead);
    let facts = Facts { job, level, bill: &lines, cost: &cost, traffic: &traffic };
    let left = too_little_left(&failures, &scenario.limits);
    let proven = proven_over_layouts(&finding.solver);
    let late = late(job, level, &failures);
    let single = single_point(&failures).into_iter().chain(left).chain(late).collect();
    let warnings = [finding.warnings, warnings(&facts), single].concat();
    let assumptions = assumptions(job, counts, level, &lines, &failures.year);
    Plan {
        name: scenario.name.clone(),
        minimize: scenario.objective.minimize,
        nodes: NodeChoice::of(job, counts.planes),
        layout: lead.layout().clone(),
        step: step_report(scenario, lead, (level, lead.time(level))),
        pace,
        phases: phases(lead, level),
        memory: lead.memory.clone(),
        memory_capacity: job.machine.node.gpu.memory,
        traffic,
        workloads: workloads(job, level),
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
        headroom: headroom(job, counts),
        all_to_all: reached(job, level, counts),
        failures,
        oversubscription: None,
        regularity: None,
        regular: None,
        robust: None,
        solver: SolverReport {
            fixed: fixed(job, level),
            chosen_first: match finding.solver.layouts {
                Some(_) => Vec::new(),
                None => chosen_first(job, level),
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
        inputs: Inputs::of(scenario),
        together: Together::One,
    }
}

/// How the sizing of the chosen fabric came about.
pub(crate) fn solver_report(
    firm: Firmness,
    candidates: u64,
    binding: Vec<Bound>,
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
pub(crate) fn certified(
    certificate: &Certificate,
    candidates: u64,
    binding: Vec<Bound>,
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
        gap: certificate.gap(),
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
fn workloads(job: &Job<'_>, level: Level) -> Vec<WorkloadPlan> {
    if job.others.is_empty() {
        return Vec::new();
    }
    let plan = |run: &Run<'_>| {
        let step = step_report(job.scenario, run, (level, run.time(level)));
        WorkloadPlan {
            name: run.workload.name.clone(),
            share: run.workload.share,
            layout: run.layout().clone(),
            used: run.placement().used(),
            training_days: run_days(run, step.pace),
            step,
            memory: run.memory.clone(),
            traffic: traffic_of(run),
        }
    };
    job.running(level).into_iter().map(plan).collect()
}

fn traffic_of(run: &Run<'_>) -> Summary {
    Matrix::new(&run.step, run.placement()).summary()
}

/// A step in numbers.
pub(crate) fn step_report(
    scenario: &Scenario,
    run: &Run<'_>,
    (level, time): (Level, StepTime),
) -> StepReport {
    let Workload { model, training, framework, .. } = &*run.workload;
    let parameters = Parameters::of(model);
    let model = model_flops(model, training, framework);
    let gpu = &run.machine.node.gpu;
    let total: Seconds = time.total();
    let reached = efficiency(&run.step, training, gpu, model, total);
    let (pace, reference) = (run.clocked_pace(level), run.reference.get());
    StepReport {
        pace,
        slowdown: if reference > 0.0 { pace.get() / reference } else { 1.0 },
        time,
        interval: interval(scenario, &run.workload, gpu, &run.step.layout),
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
fn expert_load(run: &Run<'_>, level: Level) -> Option<ExpertLoad> {
    let moe = run.workload.model.moe.as_ref()?;
    let fullest = moe.fullest_over_mean(run.step.layout.expert);
    if fullest <= 1.0 {
        return None;
    }
    let model = Model { moe: Some(moe.evenly_loaded()), ..run.workload.model.clone() };
    let workload = Workload { model, ..Workload::clone(&run.workload) };
    let even = Run::new(&workload, run.machine, &run.step.layout, run.seats).ok()?;
    Some(ExpertLoad { fullest, even: even.time(level).total() })
}

/// The scenario's assumptions and those that the design itself rests on.
fn assumptions(
    job: &Job<'_>,
    counts: &Counts,
    level: Level,
    bill: &[BillLine],
    year: &Year,
) -> Vec<Assumption> {
    let mut all = job.scenario.assumed_on(job.machine.node).to_vec();
    for run in job.each() {
        all.extend(
            notes(&run.workload).into_iter().filter(|note| !all.contains(note)).collect::<Vec<_>>(),
        );
    }
    let unused = job.each().filter_map(|run| run.beyond(job.scenario));
    all.extend(unused.map(|of| of.assumption()));
    all.extend(left_out_as_slow(job, counts));
    all.extend(on_cables(job.scenario.cluster.fabric, level.member));
    let mut take = |topic: &str, text: String| {
        all.push(Assumption { topic: topic.to_owned(), text, default: false });
    };
    take("cost.cables", cables(job, counts));
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
    if let Some(text) = standby::assumed(job, bill, year) {
        take("failures.standby", text);
    }
    let book = &job.scenario.prices;
    if let Some(price) = electricity(book) {
        let of = price.origin();
        take("cost.electricity", format!("{} a kWh ({of}), all year", usd(price.amount)));
    }
    if let Some(text) = interfaces(book, job.machine.node, job.machine.nic) {
        take("cost.nics", text);
    }
    let unpriced = left_out(job.scenario);
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
    if let Some(text) = standby::idle(job) {
        take("cluster.idle_gpus", text);
    }
    if counts.leaf_spine_links > 0 {
        take("routing.spread", spreading(job, level));
    }
    if level.leaf_domains.is_some() {
        take("cluster.placement", placement(job, level));
    }
    all
}
