//! The cabling list: one line per link, with the port at either end, in the order of laying.

use std::fmt::Write as _;

use super::name;
use crate::fabric::FabricGraph;

/// The whole list. Ports of a node are numbered from 1 in the order of its lines; a link that
/// takes several ports is named by its first one.
pub(super) fn write(graph: &FabricGraph) -> String {
    let mut out = String::from("cable,from,from_port,to,to_port,ports,rate_gbps\n");
    let mut next_port = vec![1_u32; graph.nodes().count()];
    let mut number: u64 = 0;
    for (a, b, cable) in graph.cables() {
        let [from, to] = [a, b].map(|number| name(graph, number));
        let rate = graph.link().as_gigabits() * f64::from(cable.ports);
        for _ in 0..cable.links {
            number += 1;
            let [from_port, to_port] = [a, b].map(|node| next_port[node]);
            next_port[a] += cable.ports;
            next_port[b] += cable.ports;
            let ports = cable.ports;
            let _ = writeln!(out, "{number},{from},{from_port},{to},{to_port},{ports},{rate}");
        }
    }
    out
}
