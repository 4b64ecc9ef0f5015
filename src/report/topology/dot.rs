//! Graphviz: one statement per node and per group of parallel links.

use std::fmt::Write as _;

use super::names::{node_kind, node_name, node_switch_model};
use crate::fabric::{FabricGraph, FabricNode};

/// Whole graphs as one, each with what stands before the names of its nodes.
pub(super) fn write_dot(graphs: &[(String, &FabricGraph)]) -> String {
    let mut out = String::from("graph fabric {\n");
    for (prefix, graph) in graphs {
        add_dot_nodes(&mut out, prefix, graph);
    }
    out.push_str("}\n");
    out
}

fn add_dot_nodes(out: &mut String, prefix: &str, graph: &FabricGraph) {
    for node in graph.nodes() {
        let attributes = match node {
            FabricNode::Endpoint { domain, rail } => format!("domain={domain}, rail={rail}"),
            FabricNode::Host { index } => format!("index={index}"),
            FabricNode::Switch { tier, plane, .. } => {
                let (tier, model) = (tier.name(), node_switch_model(graph, node));
                format!("tier=\"{tier}\", plane={plane}, model=\"{model}\", shape=box")
            }
        };
        let _ = writeln!(
            out,
            "  \"{prefix}{}\" [kind={}, {attributes}];",
            node.name(),
            node_kind(node)
        );
    }
    for (a, b, cable) in graph.cables() {
        let [a, b] = [a, b].map(|number| node_name(graph, number));
        let _ = writeln!(
            out,
            "  \"{prefix}{a}\" -- \"{prefix}{b}\" [links={}, class=\"{}\"];",
            cable.links,
            cable.class.name()
        );
    }
}
