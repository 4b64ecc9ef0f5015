//! Writes the plan of a chosen fabric. Decides nothing.

use super::assumptions::{
    self, cable_assumptions, leaf_sharing_sentence, routed_family_assumptions,
    slow_layout_assumption,
};
use super::detect_warnings::{
    Facts, fixed_keys, gap_over_layouts, keys_chosen_before_sizing, list_warnings,
};
use super::hall_cables::bill_of_wired_fabric;
use super::hall_racks::racks_as_placed;
use super::workload_plans::{step_report, traffic_of, workload_plans};
use crate::cost::{BillLine, Cost, OperatingTime, electricity_price, grand_total};
use crate::design::candidate::machine_cost::total_cost;
use crate::design::candidate::priced_links::unpriced_notes;
use crate::design::job::job::{Job, NodeChoice};
use crate::design::job::machine::Level;
use crate::design::job::run::phase_reports;
use crate::design::plan::failure_report::{
    failure_report, single_point, warn_late_with_failures, warn_too_little_left,
};
use crate::design::plan::other_networks::installation_lines;
use crate::design::plan::plan::{BindingLimit, Plan, SolverReport};
use crate::design::plan::plan_values::PlanInputs;
use crate::design::plan::proof::{Certificate, Programs, SolverStatus};
use crate::design::plan::provenance::Inputs;
use crate::design::plan::routing_report::{all_to_all_throughput, fabric_headroom};
use crate::design::plan::warning::nic_price_in_words;
use crate::fabric::{Counts, FabricGraph};
use crate::reliability::FailureYear;
use crate::scenario::{Assumption, FabricChoice, LoadBalancing};
use crate::sizing::{Options, Proof, ProofStatus, Status};
use crate::technique::technique_assumptions;
use crate::timing::UplinkBalance;
use crate::units::format_price as usd;

/// How messages are spread over uplinks, and what the fullest of them carries.
fn flow_spreading_sentence(job: &Job<'_>, level: Level) -> String {
    let UplinkBalance { by, flows } = job.machine.balance;
    let on = match by {
        LoadBalancing::Spray => {
            return "switches spread the packets of each message evenly over all shortest paths: \
                    LOAD BALANCING has what other ways would take"
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
    let lead = job.lead_run();
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
        step: step_report(scenario, lead, level, lead.step_time(level)),
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
        limits: Vec::new(),
        assumptions,
        warnings,
        inputs: Inputs::from_scenario(scenario),
        clusters: Vec::new(),
        growth: None,
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
            "not in this price: storage and management networks ([networks] counts them)".into(),
        );
    }
    let offers = |line: &BillLine| line.unit.as_ref()?.quote.valid_until.clone();
    if job.scenario.prices.as_of.is_none() && bill.iter().any(|line| offers(line).is_some()) {
        let text =
            "no month is stated, so that offers that have ended are not named: state it".to_owned();
        take("pricing.as_of", text);
    }
    take(
        "cost.utilisation",
        "tokens count only the time spent training (goodput), power counts all year".into(),
    );
    if let Some(text) = assumptions::standby_assumption(job, bill, year) {
        take("failures.standby", text);
    }
    let book = &job.scenario.prices;
    if let Some(price) = electricity_price(book) {
        let name = price.origin();
        take("cost.electricity", format!("{} per kWh ({name}), all year", usd(price.amount)));
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
                "no price is known for {parts}: designs with them are left out beside those that \
                 have prices"
            ),
        );
    }
    let memory = job.host_memory_bought();
    if memory > 0 {
        take(
            "cost.host_memory",
            format!(
                "{memory} GiB per host beyond what ships, bought as modules that fit beside it; \
                 the power at full load is the machine's as it ships"
            ),
        );
    }
    if job.scenario.limits.names_losses() && job.scenario.cluster.fabric == FabricChoice::Auto {
        take(
            "limits.survive",
            "networks in which a spine joins rails that have spines of their own are left out: \
             what a loss leaves of them is not known before they are wired"
                .into(),
        );
    }
    if counts.ports_per_uplink() > 1 && job.scenario.cluster.fabric != FabricChoice::RailOnly {
        take(
            "fabric.uplinks",
            format!(
                "switches are joined at {} Gb/s, {} ports per link, as no part for {} Gb/s between \
                 them has a price; trees of four tiers, and spines across rails that have spines \
                 of their own, are left out",
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
    if let Some(text) = assumptions::idle_gpus_assumption(job) {
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
