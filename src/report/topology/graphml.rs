//! GraphML 1.0: nodes with kind, tier, plane, domain and rail; edges with links, rate, class and medium.

use std::fmt::Write as _;

use super::names::{cable_medium, node_kind, node_name, node_switch_model};
use crate::fabric::{FabricGraph, FabricNode};

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="tier" for="node" attr.name="tier" attr.type="string"/>
  <key id="model" for="node" attr.name="model" attr.type="string"/>
  <key id="plane" for="node" attr.name="plane" attr.type="int"/>
  <key id="domain" for="node" attr.name="domain" attr.type="int"/>
  <key id="rail" for="node" attr.name="rail" attr.type="int"/>
  <key id="links" for="edge" attr.name="links" attr.type="int"/>
  <key id="gbps" for="edge" attr.name="gbps" attr.type="double"/>
  <key id="class" for="edge" attr.name="class" attr.type="string"/>
  <key id="medium" for="edge" attr.name="medium" attr.type="string"/>
  <graph id="fabric" edgedefault="undirected">
"#;

/// Whole graphs as one, each with what stands before the names of its nodes.
pub(super) fn write_graphml(graphs: &[(String, &FabricGraph)]) -> String {
    let mut out = String::from(HEAD);
    for (prefix, graph) in graphs {
        add_graphml_nodes(&mut out, prefix, graph);
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

fn add_graphml_nodes(out: &mut String, prefix: &str, graph: &FabricGraph) {
    for node in graph.nodes() {
        let _ = write!(
            out,
            "    <node id=\"{prefix}{}\">{}",
            node.name(),
            data_element("kind", node_kind(node))
        );
        match node {
            FabricNode::Endpoint { domain, rail } => {
                out.push_str(&data_element("domain", domain));
                out.push_str(&data_element("rail", rail));
            }
            FabricNode::Host { .. } => {}
            FabricNode::Switch { tier, plane, .. } => {
                out.push_str(&data_element("tier", tier.name()));
                out.push_str(&data_element("model", node_switch_model(graph, node)));
                out.push_str(&data_element("plane", plane));
            }
        }
        out.push_str("</node>\n");
    }
    for (a, b, cable) in graph.cables() {
        let [a, b] = [a, b].map(|number| node_name(graph, number));
        let rate = graph.port_rate().as_gigabits() * f64::from(cable.ports);
        let links = data_element("links", cable.links);
        let rate = data_element("gbps", rate);
        let what = data_element("class", cable.class.name())
            + &data_element("medium", cable_medium(cable));
        let _ = writeln!(
            out,
            "    <edge source=\"{prefix}{a}\" target=\"{prefix}{b}\">{links}{rate}{what}</edge>"
        );
    }
}

fn data_element(key: &str, value: impl std::fmt::Display) -> String {
    format!("<data key=\"{key}\">{value}</data>")
}
