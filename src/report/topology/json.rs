//! JSON: `nodes` and `cables`, streamed so that a large fabric needs no tree of values.

use serde::{Serialize, Serializer};

use super::failures::FailureSheet;
use super::graph_files::{cable_medium, node_kind, node_name, node_switch_model};
use crate::design::Reliability;
use crate::fabric::{FabricCable, FabricGraph, FabricNode};
use crate::report::words::exact_number;
use crate::units::Seconds;

/// The whole document.
#[derive(Serialize)]
struct TopologyJson<'a> {
    schema: &'static str,
    #[serde(serialize_with = "serialize_nodes")]
    nodes: &'a FabricGraph,
    #[serde(serialize_with = "serialize_cables")]
    cables: &'a FabricGraph,
}

#[derive(Serialize)]
struct NodeRow {
    name: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tier: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plane: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rail: Option<u32>,
}

#[derive(Serialize)]
struct CableRow {
    from: String,
    to: String,
    links: u32,
    gbps: f64,
    class: &'static str,
    medium: &'static str,
}

/// What is left after failures, and a year of them.
#[derive(Serialize)]
struct FailuresJson {
    schema: &'static str,
    failures: Vec<String>,
    cut_off: u64,
    degraded: u64,
    separated: u64,
    stopped_domains: Vec<u32>,
    least_ports: u64,
    least_ports_of: u64,
    least_uplinks: u64,
    least_uplinks_of: u64,
    step_s: Option<f64>,
    /// Nothing where no step ends before a repair.
    step_after_s: Option<f64>,
    slowest: Option<SlowedCallJson>,
    /// What the failures do to every fabric, the design first.
    fabrics: Vec<AftermathJson>,
    reliability: Vec<FabricYear>,
}

/// A fabric after the failures.
#[derive(Serialize)]
struct AftermathJson {
    fabric: String,
    failures: usize,
    cut_off: u64,
    separated: u64,
    stopped_domains: usize,
    /// Nothing where no step ends on that fabric.
    step_s: Option<f64>,
    step_after_s: Option<f64>,
    /// Pace that the job keeps with nothing replaced.
    kept_pace_share: f64,
    slowest: Option<SlowedCallJson>,
    /// Workloads beside the one that a design leads with.
    others: Vec<DegradedStepJson>,
}

/// How a workload goes on after the failures.
#[derive(Serialize)]
struct DegradedStepJson {
    workload: String,
    step_s: Option<f64>,
    step_after_s: Option<f64>,
    kept_pace_share: f64,
    slowest: Option<SlowedCallJson>,
}

impl DegradedStepJson {
    fn new(step: &crate::design::DegradedStep) -> Self {
        Self {
            workload: step.name.clone(),
            step_s: finite_seconds(step.before),
            step_after_s: finite_seconds(step.after),
            kept_pace_share: exact_number(step.kept),
            slowest: step.slowest.as_ref().map(SlowedCallJson::new),
        }
    }
}

/// The communication that is slowed down most.
#[derive(Serialize)]
struct SlowedCallJson {
    communication: &'static str,
    link: String,
    times: f64,
}

impl AftermathJson {
    fn new(report: &crate::design::AftermathReport) -> Self {
        Self {
            fabric: report.name.clone(),
            failures: report.failures.len(),
            cut_off: report.left.cut_off,
            separated: report.left.separated,
            stopped_domains: report.left.stopped.len(),
            step_s: finite_seconds(report.lead.before),
            step_after_s: finite_seconds(report.lead.after),
            kept_pace_share: exact_number(report.lead.kept),
            slowest: report.lead.slowest.as_ref().map(SlowedCallJson::new),
            others: report.others.iter().map(DegradedStepJson::new).collect(),
        }
    }
}

impl SlowedCallJson {
    fn new(call: &crate::design::SlowedCall) -> Self {
        Self { communication: call.label, link: call.link.clone(), times: exact_number(call.times) }
    }
}

/// Seconds of what ends.
fn finite_seconds(time: Seconds) -> Option<f64> {
    (!time.is_endless()).then(|| exact_number(time.get()))
}

/// A year of failures on one fabric.
#[derive(Serialize)]
struct FabricYear {
    fabric: String,
    switches: u64,
    spare_switches: u64,
    nics_of_a_leaf: u64,
    stops: f64,
    network_stops: f64,
    slowdowns: f64,
    checkpoint_interval_s: Option<f64>,
    saving_share: f64,
    rework_share: f64,
    restarting_share: f64,
    degraded_share: f64,
    waiting_share: f64,
    goodput: f64,
    broken_gpus: f64,
    standby_units: u64,
    standby_wired_units: u64,
    gpus_a_unit: u32,
    days_lost: f64,
    network_days_lost: f64,
    worst_part: Option<String>,
    worst_gpus: u64,
    worst_pace_share: f64,
}

/// What is left after failures, for programs.
pub(super) fn aftermath_json(sheet: &FailureSheet<'_>, year: &Reliability) -> String {
    let Some(report) = sheet.fabrics.first() else { return String::new() };
    let left = &report.left;
    let design = AftermathJson::new(report);
    let (least_uplinks, least_uplinks_of) = left.least_uplinks;
    let (least_ports, least_ports_of) = left.least_ports;
    let of_year = |fabric_year: &crate::design::FabricYear| FabricYear {
        fabric: fabric_year.name.clone(),
        switches: fabric_year.switches,
        spare_switches: fabric_year.spare_switches,
        nics_of_a_leaf: fabric_year.nics_of_a_leaf,
        stops: exact_number(fabric_year.year().stops.events()),
        network_stops: exact_number(fabric_year.year().network_stops.events()),
        slowdowns: exact_number(fabric_year.year().slowdowns.events()),
        checkpoint_interval_s: finite_seconds(fabric_year.year().interval),
        saving_share: exact_number(fabric_year.year().saving),
        rework_share: exact_number(fabric_year.year().rework),
        restarting_share: exact_number(fabric_year.year().restarting),
        degraded_share: exact_number(fabric_year.year().degraded),
        waiting_share: exact_number(fabric_year.year().waiting),
        goodput: exact_number(fabric_year.year().goodput),
        broken_gpus: exact_number(fabric_year.year().broken),
        standby_units: fabric_year.year().standby.domains,
        standby_wired_units: fabric_year.year().standby.with_ports(),
        gpus_a_unit: year.unit,
        days_lost: exact_number(fabric_year.report.days_lost()),
        network_days_lost: exact_number(fabric_year.report.network_days_lost()),
        worst_part: fabric_year.year().worst_fault().map(|worst| worst.fault.part.clone()),
        worst_gpus: fabric_year.year().worst_fault().map_or(0, |worst| worst.fault.gpus),
        worst_pace_share: fabric_year
            .year()
            .worst_fault()
            .map_or(1.0, |worst| exact_number(worst.fault.kept)),
    };
    let mut out = serde_json::to_string_pretty(&FailuresJson {
        schema: "planner/failures/1",
        failures: report.failures.iter().map(ToString::to_string).collect(),
        cut_off: left.cut_off,
        degraded: left.degraded,
        separated: left.separated,
        stopped_domains: left.stopped.clone(),
        least_ports,
        least_ports_of,
        least_uplinks,
        least_uplinks_of,
        step_s: design.step_s,
        step_after_s: design.step_after_s,
        slowest: design.slowest,
        fabrics: sheet.fabrics.iter().map(AftermathJson::new).collect(),
        reliability: year.fabrics.iter().map(of_year).collect(),
    })
    .expect("plain numbers can always be written as JSON");
    out.push('\n');
    out
}

/// The whole graph on one line.
pub(super) fn write(graph: &FabricGraph) -> String {
    let document = TopologyJson { schema: "planner/topology/1", nodes: graph, cables: graph };
    let mut out = serde_json::to_string(&document)
        .expect("strings and finite numbers can always be written as JSON");
    out.push('\n');
    out
}

fn serialize_nodes<S: Serializer>(graph: &FabricGraph, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(graph.nodes().map(|node| node_row(graph, node)))
}

fn serialize_cables<S: Serializer>(graph: &FabricGraph, serializer: S) -> Result<S::Ok, S::Error> {
    let row = |(a, b, cable): (usize, usize, FabricCable)| CableRow {
        from: node_name(graph, a),
        to: node_name(graph, b),
        links: cable.links,
        gbps: graph.port_rate().as_gigabits() * f64::from(cable.ports),
        class: cable.class.name(),
        medium: cable_medium(cable),
    };
    serializer.collect_seq(graph.cables().map(row))
}

fn node_row(graph: &FabricGraph, node: FabricNode) -> NodeRow {
    let row = NodeRow {
        name: node.name(),
        kind: node_kind(node),
        tier: None,
        model: None,
        plane: None,
        domain: None,
        rail: None,
    };
    match node {
        FabricNode::Endpoint { domain, rail } => {
            NodeRow { domain: Some(domain), rail: Some(rail), ..row }
        }
        FabricNode::Host { .. } => row,
        FabricNode::Switch { tier, plane, .. } => {
            let model = Some(node_switch_model(graph, node)).filter(|name| !name.is_empty());
            NodeRow { tier: Some(tier.name()), model, plane: Some(plane), ..row }
        }
    }
}
