//! Formats of a topology, and several clusters in one file.

use std::fmt::Write as _;

use super::drawing::draw_fabric;
use super::{graph_files, json};
use crate::fabric::{Counts, FabricGraph, Failure};
use crate::report::sheet::ClusterSheets;

/// A format for graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TopologyFormat {
    /// Graphviz.
    Dot,
    /// GraphML, as Gephi, yEd and NetworkX read it.
    GraphMl,
    /// `planner/topology/1`.
    Json,
    /// One line per cable, with the port at either end.
    Cabling,
}

impl TopologyFormat {
    /// The contract's names of the formats.
    pub const ALL: [(&'static str, Self); 4] = [
        ("dot", Self::Dot),
        ("graphml", Self::GraphMl),
        ("json", Self::Json),
        ("csv", Self::Cabling),
    ];

    /// The format of that name; `None` where there is none.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, format)| format)
    }
}

/// The graph as text, ending in a line feed. The same graph gives the same bytes.
#[must_use]
pub fn topology_text(graph: &FabricGraph, format: TopologyFormat) -> String {
    let alone = [(String::new(), graph)];
    match format {
        TopologyFormat::Dot => graph_files::write_dot(&alone),
        TopologyFormat::GraphMl => graph_files::write_graphml(&alone),
        TopologyFormat::Json => json::write(graph),
        TopologyFormat::Cabling => graph_files::write_cabling_csv(&alone),
    }
}

/// The graphs of all clusters as text, ending in a line feed; that of the only one as it is.
#[must_use]
pub fn topologies_text(sheets: &ClusterSheets<'_, &FabricGraph>, format: TopologyFormat) -> String {
    if let Some(only) = sheets.single_sheet() {
        return topology_text(only, format);
    }
    let all: Vec<(String, &FabricGraph)> =
        node_name_prefixes(sheets).zip(cluster_graphs(sheets)).collect();
    match format {
        TopologyFormat::Dot => graph_files::write_dot(&all),
        TopologyFormat::GraphMl => graph_files::write_graphml(&all),
        TopologyFormat::Json => {
            crate::report::json::clusters_json(sheets, |graph| json::write(graph), None)
        }
        TopologyFormat::Cabling => graph_files::write_cabling_csv(&all),
    }
}

fn cluster_graphs<'a>(
    sheets: &ClusterSheets<'_, &'a FabricGraph>,
) -> impl Iterator<Item = &'a FabricGraph> {
    sheets.each.iter().map(|(_, graph)| *graph)
}

/// `part-1.` or `stage-1.` before the names of a cluster's nodes: names of workloads are anything.
fn node_name_prefixes<T>(sheets: &ClusterSheets<'_, T>) -> impl Iterator<Item = String> {
    let what = if sheets.is_staged() { "stage" } else { "part" };
    (1..=sheets.each.len()).map(move |number| format!("{what}-{number}."))
}

/// What a drawing of one cluster shows: its name, its fabric, the graph where it is wired,
/// failures.
pub type Drawn<'a> = (&'a str, &'a Counts, Option<&'a FabricGraph>, &'a [Failure]);

/// An SVG picture of the fabrics of all clusters, one below the other, ending in a line feed.
#[must_use]
pub fn draw_fabrics(all: &[Drawn<'_>]) -> String {
    let each = all
        .iter()
        .map(|(name, counts, graph, failures)| draw_fabric(name, counts, *graph, failures));
    stack_drawings(&each.collect::<Vec<String>>())
}

/// Drawings one below the other as one; the only one as it is.
pub(in crate::report) fn stack_drawings(each: &[String]) -> String {
    if let [only] = each {
        return only.clone();
    }
    let (mut width, mut height, mut body) = (0.0_f64, 0.0_f64, String::new());
    for svg in each {
        let read = |name: &str| svg_attribute(svg, name).unwrap_or_default();
        let moved = svg.replacen("<svg ", &format!("<svg y=\"{height}\" "), 1);
        let _ = write!(body, "{moved}");
        width = width.max(read("width"));
        height += read("height");
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n{body}</svg>\n"
    )
}

/// A number that the first element of a drawing states.
fn svg_attribute(svg: &str, name: &str) -> Option<f64> {
    let (_, rest) = svg.split_once(&format!(" {name}=\""))?;
    rest.split_once('"')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{TopologyFormat, topology_text};
    use crate::fabric::{FabricGraph, FabricKind, Request, SwitchChoice};
    use crate::units::Bandwidth;

    /// Two rails of two NICs on four-port switches.
    fn small() -> FabricGraph {
        let link = Bandwidth::from_gigabits(400.0);
        let switch = SwitchChoice::Radix(4);
        let request = Request::new(FabricKind::RailOnly, 6, 2, switch, link);
        FabricGraph::new(&request).expect("three domains of two NICs")
    }

    #[test]
    fn every_format_is_written_to_the_last_byte() {
        let dot = "graph fabric {\n  \"gpu-0.0\" [kind=endpoint, domain=0, rail=0];\n";
        assert!(topology_text(&small(), TopologyFormat::Dot).starts_with(dot));
        let csv = topology_text(&small(), TopologyFormat::Cabling);
        let expected = "cable,from,from_port,to,to_port,ports,rate_gbps,medium,length_class_m,class\n\
                        1,gpu-0.0,1,leaf-0,1,1,400,optical,15,nic-leaf\n\
                        2,gpu-0.1,1,leaf-1,1,1,400,optical,15,nic-leaf\n\
                        3,gpu-1.0,1,leaf-0,2,1,400,optical,15,nic-leaf\n\
                        4,gpu-1.1,1,leaf-1,2,1,400,optical,15,nic-leaf\n\
                        5,gpu-2.0,1,leaf-0,3,1,400,optical,15,nic-leaf\n\
                        6,gpu-2.1,1,leaf-1,3,1,400,optical,15,nic-leaf\n";
        assert_eq!(csv, expected);
    }

    #[test]
    fn json_is_valid_and_whole() {
        let text = topology_text(&small(), TopologyFormat::Json);
        let value: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
        assert_eq!(value["schema"], "planner/topology/1");
        assert_eq!(value["nodes"].as_array().map(Vec::len), Some(8));
        assert_eq!(value["cables"].as_array().map(Vec::len), Some(6));
        assert_eq!(value["nodes"][7]["tier"], "leaf");
    }

    #[test]
    fn graphml_has_a_node_and_an_edge_for_each() {
        let text = topology_text(&small(), TopologyFormat::GraphMl);
        assert_eq!(text.matches("<node ").count(), 8);
        assert_eq!(text.matches("<edge ").count(), 6);
        assert!(text.ends_with("</graphml>\n"));
    }

    #[test]
    fn formats_are_known_by_the_contracts_names() {
        for (name, format) in TopologyFormat::ALL {
            assert_eq!(TopologyFormat::parse(name), Some(format));
        }
        assert_eq!(TopologyFormat::parse("svg"), None);
    }
}
