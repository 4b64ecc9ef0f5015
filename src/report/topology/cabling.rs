//! The cabling list: one line per link, with the port at either end, its medium and how long a
//! cable it is likely to need, in the order of laying. It knows no floor plan.

use std::fmt::Write as _;

use super::name;
use crate::fabric::{FabricGraph, Node, TierName};

/// The whole list. Ports of a node are numbered from 1 in the order of its lines; a link that
/// takes several ports is named by its first one.
pub(super) fn write(graph: &FabricGraph) -> String {
    let mut out =
        String::from("cable,from,from_port,to,to_port,ports,rate_gbps,medium,length_class_m\n");
    let mut next_port = vec![1_u32; graph.nodes().count()];
    let mut number: u64 = 0;
    for (a, b, cable) in graph.cables() {
        let [from, to] = [a, b].map(|number| name(graph, number));
        let rate = graph.link().as_gigabits() * f64::from(cable.ports);
        let length = length_class(graph, a, b);
        for _ in 0..cable.links {
            number += 1;
            let [from_port, to_port] = [a, b].map(|node| next_port[node]);
            next_port[a] += cable.ports;
            next_port[b] += cable.ports;
            let ports = cable.ports;
            let ends = format!("{from},{from_port},{to},{to_port}");
            let _ = writeln!(out, "{number},{ends},{ports},{rate},optical,{length}");
        }
    }
    out
}

/// The longest cable of the usual three classes, in metres: a NIC to its leaf 15, neighbouring
/// layers of switches 30, layers further apart and links between pods 50 (Yan et al., SIGCOMM
/// 2025, doi 10.1145/3718958.3750503). All of them are too long for copper at 400 Gb/s, and are
/// counted and priced as optical.
fn length_class(graph: &FabricGraph, low: usize, high: usize) -> u32 {
    const NIC_TO_LEAF: u32 = 15;
    const NEIGHBOURS: u32 = 30;
    const BETWEEN_PODS: u32 = 50;
    match (graph.node(low), graph.node(high)) {
        (Some(Node::Switch { .. }), Some(Node::Switch { tier: TierName::Spine, .. })) => NEIGHBOURS,
        (Some(Node::Switch { .. }), Some(Node::Switch { .. })) => BETWEEN_PODS,
        _ => NIC_TO_LEAF,
    }
}
