//! What graphs call their nodes and cables, in every format alike.

use crate::fabric::{FabricCable, FabricGraph, FabricNode, Medium};

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
