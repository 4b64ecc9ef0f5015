//! The cabling list: one line per link, with the port at either end, its medium and how long a
//! cable it is likely to need, in the order of laying. It knows no floor plan.

use std::fmt::Write as _;

use super::names::{cable_medium, node_name};
use crate::fabric::{FabricCable, FabricGraph, LinkClass, Medium};

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
