//! The fabrics of several clusters in one file: no cable joins them, so a graph of all is theirs side
//! by side, with names of nodes that say whose they are.

use std::fmt::Write as _;

use super::super::json;
use super::super::sheet::ClusterSheets;
use super::format::{TopologyFormat, topology_text};
use super::{cabling, dot, drawing::draw_fabric, graphml, json as graph_json};
use crate::fabric::{Counts, FabricGraph, Failure};

/// The graphs of all clusters as text, ending in a line feed; that of the only one as it is.
#[must_use]
pub fn topologies_text(sheets: &ClusterSheets<'_, &FabricGraph>, format: TopologyFormat) -> String {
    if let Some(only) = sheets.single_sheet() {
        return topology_text(only, format);
    }
    let all: Vec<(String, &FabricGraph)> =
        node_name_prefixes(sheets).zip(cluster_graphs(sheets)).collect();
    match format {
        TopologyFormat::Dot => dot::write_dot(&all),
        TopologyFormat::GraphMl => graphml::write_graphml(&all),
        TopologyFormat::Json => json::clusters_json(sheets, |graph| graph_json::write(graph), None),
        TopologyFormat::Cabling => cabling::write_cabling_csv(&all),
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

/// What a drawing of one cluster shows: its name, its fabric, the graph where it is wired, failures.
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
