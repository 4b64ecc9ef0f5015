//! Writes the plan of a chosen fabric. Decides nothing.

use super::alternative::Alternative;
use super::certificate::Certificate;
use super::error_band::interval;
use super::exchange::exchange;
use super::failures::{failures, single_point, too_little_left};
use super::fixed::{chosen_first, fixed};
use super::headroom::headroom;
use super::inputs::Inputs;
use super::plan::{
    Bound, ExpertLoad, NodeChoice, Plan, SolverReport, SolverStatus, StepReport, Together,
    WorkloadPlan,
};
use super::warning::Warning;
use super::warnings::{Facts, warnings};
use crate::cost::{BillLine, Cost, LinkParts, electricity, nic_price};
use crate::design::candidate::job::Job;
use crate::design::candidate::linking::Linking;
use crate::design::candidate::machine::Level;
use crate::design::candidate::money::{bill_of, cost_of, linking_of, run_days};
use crate::design::candidate::phases::phases;
use crate::design::candidate::run::Run;
use crate::design::candidate::unpriced::left_out;
use crate::design::fabric::racks::racks;
use crate::design::fabric::trees::level_of_counts;
use crate::fabric::{Counts, FabricGraph};
use crate::hardware::Price;
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

/// What was found besides the fabric itself.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) solver: SolverReport,
    pub(crate) alternatives: Vec<Alternative>,
    pub(crate) warnings: Vec<Warning>,
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
    let time: StepTime = lead.time(level);
    let lines: Vec<BillLine> = bill_of(job, Some(counts));
    let cost: Cost = cost_of(job, &lines, job.blended(&job.stretched_paces(level)));
    let traffic = traffic_of(lead);
    let failures = failures(job, counts, level, graph, &cost);
    let facts = Facts { job, level, bill: &lines, cost: &cost, traffic: &traffic };
    let left = too_little_left(&failures, &scenario.limits);
    let single = single_point(&failures).into_iter().chain(left).collect();
    let warnings = [finding.warnings, warnings(&facts), single].concat();
    Plan {
        name: scenario.name.clone(),
        nodes: NodeChoice::of(job, counts.planes),
        layout: lead.layout().clone(),
        step: step_report(scenario, lead, (level, time)),
        phases: phases(lead, level),
        memory: lead.memory.clone(),
        memory_capacity: job.machine.node.gpu.memory,
        traffic,
        workloads: workloads(job, level),
        fabric: counts.clone(),
        level,
        blueprint: None,
        routing: None,
        bill: lines,
        cost,
        racks: scenario
            .limits
            .bound_racks()
            .then(|| racks(job, counts, &scenario.limits))
            .flatten(),
        headroom: headroom(job, counts),
        // At worst: leafs of several shapes count as the narrowest with the fewest uplinks.
        all_to_all: exchange(job, level_of_counts(counts, Balance::SPRAY)),
        failures,
        solver: SolverReport {
            fixed: fixed(job),
            chosen_first: chosen_first(job),
            ..finding.solver
        },
        priorities: Vec::new(),
        price_bands: Vec::new(),
        alternatives: finding.alternatives,
        assumptions: assumptions(job, counts, level),
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
        fixed: Vec::new(),
        chosen_first: Vec::new(),
        binding,
    }
}

/// How the choice among all candidates came about.
pub(crate) fn certified(
    certificate: &Certificate,
    candidates: u64,
    binding: Vec<Bound>,
    options: &Options,
) -> SolverReport {
    SolverReport {
        name: solver_name(certificate.proof, options),
        status: match certificate.is_optimal() {
            true => SolverStatus::Optimal,
            false => SolverStatus::NodeLimit,
        },
        gap: certificate.gap(),
        rival: certificate.rival.clone(),
        candidates,
        fixed: Vec::new(),
        chosen_first: Vec::new(),
        binding,
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
            training_days: run_days(run, step.time.total()),
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
    let Workload { model, training, framework, .. } = run.workload;
    let parameters = Parameters::of(model);
    let model = model_flops(model, training, framework);
    let gpu = &run.machine.node.gpu;
    let total: Seconds = time.total();
    let reached = efficiency(&run.step, training, gpu, model, total);
    let reference = run.reference.get();
    StepReport {
        slowdown: if reference > 0.0 { total.get() / reference } else { 1.0 },
        time,
        interval: interval(scenario, run.workload, gpu, &run.step.layout),
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
    let workload = Workload { model, ..run.workload.clone() };
    let even = Run::new(&workload, run.machine, &run.step.layout, run.seats).ok()?;
    Some(ExpertLoad { fullest, even: even.time(level).total() })
}

/// What kind of statement a price is, and of when.
fn origin(price: &Price) -> String {
    match price.date.as_str() {
        "" => price.basis.name().to_owned(),
        date => format!("{}, {date}", price.basis.name()),
    }
}

/// What is assumed of cables.
fn cables(job: &Job<'_>, counts: &Counts) -> String {
    let LinkParts { host, uplink } = match linking_of(job, counts) {
        Linking::Parts(parts, _) => parts,
        Linking::ByEnd | Linking::Apart => {
            return "fibre, copper cables and labour have no dated price: not in the total".into();
        }
    };
    let cluster = &job.scenario.cluster;
    let between = match counts.links() > counts.host_links {
        true => {
            format!(", and {} m between switches ({})", cluster.uplink_cable_m, uplink.kind.name)
        }
        false => String::new(),
    };
    format!(
        "{} m to an interface ({}){between}; labour has no price: not in the total",
        cluster.host_cable_m, host.kind.name
    )
}

/// The scenario's assumptions and those that the design itself rests on.
fn assumptions(job: &Job<'_>, counts: &Counts, level: Level) -> Vec<Assumption> {
    let mut all = job.scenario.assumed_on(job.machine.node).to_vec();
    for run in job.each() {
        all.extend(
            notes(run.workload).into_iter().filter(|note| !all.contains(note)).collect::<Vec<_>>(),
        );
    }
    let mut take = |topic: &str, text: String| {
        all.push(Assumption { topic: topic.to_owned(), text, default: false });
    };
    take("cost.cables", cables(job, counts));
    take(
        "cost.utilisation",
        "the cluster trains all year at the pace of the step: failures and restarts left out"
            .into(),
    );
    let book = &job.scenario.prices;
    if let Some(price) = electricity(book) {
        let of = origin(&price);
        take("cost.electricity", format!("{} a kWh ({of}), all year", usd(price.amount)));
    }
    if let Some(price) = nic_price(book, job.machine.nic) {
        let (name, of) = (&job.machine.nic.name, origin(&price));
        let usd = usd(price.amount);
        take(
            "cost.nics",
            format!("{name} at {usd} ({of}), in the cluster's cost and not in the network's"),
        );
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
    if job.scenario.spares.is_some() {
        take("spares", "added to the fabric that was chosen, not weighed in the choice".into());
    }
    if level.across < 1.0 && job.machine.node.forwards {
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
    if job.domains > 1 && job.lead.placement().used() < job.machine.node.gpus {
        take(
            "cluster.idle_gpus",
            "GPUs of a machine that hold no rank are bought and cabled with it: they can take the \
             place of failed ones"
                .into(),
        );
    }
    if counts.leaf_spine_links > 0 {
        take("routing.spread", spreading(job, level));
    }
    if level.leaf_domains.is_some() {
        take(
            "cluster.placement",
            "the scheduler fills leaf switches in rank order, so that neighbours share one".into(),
        );
    }
    all
}
