//! Graphviz: one statement per node and per group of parallel links.

use std::fmt::Write as _;

use super::{kind, model, name};
use crate::fabric::{FabricGraph, Node};

/// The whole graph.
pub(super) fn write(graph: &FabricGraph) -> String {
    let mut out = String::from("graph fabric {\n");
    for node in graph.nodes() {
        let attributes = match node {
            Node::Endpoint { domain, rail } => format!("domain={domain}, rail={rail}"),
            Node::Host { index } => format!("index={index}"),
            Node::Switch { tier, plane, .. } => {
                let (tier, model) = (tier.name(), model(graph, node));
                format!("tier=\"{tier}\", plane={plane}, model=\"{model}\", shape=box")
            }
        };
        let _ = writeln!(out, "  \"{}\" [kind={}, {attributes}];", node.name(), kind(node));
    }
    for (a, b, cable) in graph.cables() {
        let [a, b] = [a, b].map(|number| name(graph, number));
        let _ = writeln!(
            out,
            "  \"{a}\" -- \"{b}\" [links={}, class=\"{}\"];",
            cable.links,
            cable.class.name()
        );
    }
    out.push_str("}\n");
    out
}
