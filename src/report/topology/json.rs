//! JSON: `nodes` and `cables`, streamed so that a large fabric needs no tree of values.

use serde::{Serialize, Serializer};

use super::{kind, model, name};
use crate::fabric::{Aftermath, Cable, FabricGraph, Node};

/// The whole document.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    #[serde(serialize_with = "nodes")]
    nodes: &'a FabricGraph,
    #[serde(serialize_with = "cables")]
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
}

/// What is left after failures.
#[derive(Serialize)]
struct Left {
    schema: &'static str,
    cut_off: u64,
    degraded: u64,
    separated: u64,
    least_uplinks: u64,
    least_uplinks_of: u64,
}

/// What is left after failures, for programs.
pub(super) fn aftermath(left: &Aftermath) -> String {
    let (least_uplinks, least_uplinks_of) = left.least_uplinks;
    let mut out = serde_json::to_string_pretty(&Left {
        schema: "planner/failures/1",
        cut_off: left.cut_off,
        degraded: left.degraded,
        separated: left.separated,
        least_uplinks,
        least_uplinks_of,
    })
    .expect("plain numbers can always be written as JSON");
    out.push('\n');
    out
}

/// The whole graph on one line.
pub(super) fn write(graph: &FabricGraph) -> String {
    let document = Document { schema: "planner/topology/1", nodes: graph, cables: graph };
    let mut out = serde_json::to_string(&document)
        .expect("strings and finite numbers can always be written as JSON");
    out.push('\n');
    out
}

fn nodes<S: Serializer>(graph: &FabricGraph, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(graph.nodes().map(|node| node_row(graph, node)))
}

fn cables<S: Serializer>(graph: &FabricGraph, serializer: S) -> Result<S::Ok, S::Error> {
    let row = |(a, b, cable): (usize, usize, Cable)| CableRow {
        from: name(graph, a),
        to: name(graph, b),
        links: cable.links,
        gbps: graph.link().as_gigabits() * f64::from(cable.ports),
    };
    serializer.collect_seq(graph.cables().map(row))
}

fn node_row(graph: &FabricGraph, node: Node) -> NodeRow {
    let row = NodeRow {
        name: node.name(),
        kind: kind(node),
        tier: None,
        model: None,
        plane: None,
        domain: None,
        rail: None,
    };
    match node {
        Node::Endpoint { domain, rail } => {
            NodeRow { domain: Some(domain), rail: Some(rail), ..row }
        }
        Node::Host { .. } => row,
        Node::Switch { tier, plane, .. } => {
            let model = Some(model(graph, node)).filter(|name| !name.is_empty());
            NodeRow { tier: Some(tier.name()), model, plane: Some(plane), ..row }
        }
    }
}
