//! The graph of a fabric as DOT, GraphML and a CSV of cables.

use std::fmt::Write as _;

use crate::fabric::{FabricCable, FabricGraph, FabricNode, LinkClass, Medium};

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

/// The whole lists as one, each with what stands before the names of its nodes. Ports of a node are
/// numbered from 1 in the order of its lines; a link that takes several ports is named by its first
/// one.
pub(super) fn write_cabling_csv(graphs: &[(String, &FabricGraph)]) -> String {
    let mut out = String::from(
        "cable,from,from_port,to,to_port,ports,rate_gbps,medium,length_class_m,class\n",
    );
    let mut number: u64 = 0;
    for (prefix, graph) in graphs {
        add_cabling_rows(&mut out, &mut number, prefix, graph);
    }
    out
}

fn add_cabling_rows(out: &mut String, number: &mut u64, prefix: &str, graph: &FabricGraph) {
    let mut next_port = vec![1_u32; graph.nodes().count()];
    for (a, b, cable) in graph.cables() {
        let [from, to] = [a, b].map(|number| node_name(graph, number));
        let rate = graph.port_rate().as_gigabits() * f64::from(cable.ports);
        let length = length_class(cable);
        let (medium, class) = (cable_medium(cable), cable.class.name());
        for _ in 0..cable.links {
            *number += 1;
            let [from_port, to_port] = [a, b].map(|node| next_port[node]);
            next_port[a] += u32::from(cable.ports);
            next_port[b] += u32::from(cable.ports);
            let ports = u32::from(cable.ports);
            let ends = format!("{prefix}{from},{from_port},{prefix}{to},{to_port}");
            let _ = writeln!(out, "{number},{ends},{ports},{rate},{medium},{length},{class}");
        }
    }
}

/// The longest cable of the usual classes, in metres: copper 3, as passive cables reach at 400
/// Gb/s; of optical ones a NIC to its leaf 15, neighbouring layers or groups of switches 30, layers
/// further apart and links between pods or groups 50 (Yan et al., SIGCOMM 2025, doi
/// 10.1145/3718958.3750503).
const fn length_class(cable: FabricCable) -> u32 {
    const COPPER: u32 = 3;
    const NIC_TO_LEAF: u32 = 15;
    const NEIGHBOURS: u32 = 30;
    const BETWEEN_PODS: u32 = 50;
    match (cable.medium, cable.class) {
        (Medium::Copper, _) => COPPER,
        (Medium::Optical, LinkClass::Host | LinkClass::Direct) => NIC_TO_LEAF,
        (Medium::Optical, LinkClass::LeafSpine | LinkClass::Local) => NEIGHBOURS,
        (Medium::Optical, _) => BETWEEN_PODS,
    }
}

/// What kind of node it is, in one word.
pub(super) const fn node_kind(node: FabricNode) -> &'static str {
    match node {
        FabricNode::Endpoint { .. } => "endpoint",
        FabricNode::Host { .. } => "host",
        FabricNode::Switch { .. } => "switch",
    }
}

/// Model of a switch in the catalogue; empty for other nodes and for an anonymous switch.
pub(super) fn node_switch_model(graph: &FabricGraph, node: FabricNode) -> String {
    let FabricNode::Switch { model, .. } = node else { return String::new() };
    let name = graph.switch_models().get(model as usize).map_or("", |sku| &sku.name);
    name.chars().filter(|c| !c.is_control() && !matches!(c, '"' | '\\' | '<' | '>' | '&')).collect()
}

/// What a cable is made of.
pub(super) const fn cable_medium(cable: FabricCable) -> &'static str {
    match cable.medium {
        Medium::Optical => "optical",
        Medium::Copper => "copper",
    }
}

/// The name of a node.
pub(super) fn node_name(graph: &FabricGraph, number: usize) -> String {
    graph.node(number).expect("a cable joins nodes of its graph").name()
}
