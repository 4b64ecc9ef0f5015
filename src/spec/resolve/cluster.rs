//! `[cluster]`: how many GPUs, in what products, around which network.

use super::context::Context;
use super::shelf::Shelf;
use super::training::{computes_in, stated_precision};
use crate::hardware::{Nic, Node, PriceBook, PricedItem};
use crate::scenario::Cluster;
use crate::spec::problem::ProblemKind;
use crate::spec::reader::Reader;
use crate::workload::Precision;

/// The cluster; its GPUs are 0 until the degrees are known.
pub(super) fn resolve_cluster(
    context: &mut Context<'_>,
    shelf: &Shelf,
    prices: Option<&PriceBook>,
) -> Option<Cluster> {
    let reader = context.section_reader("cluster");
    let nodes = resolve_nodes(context, &reader, shelf, prices);
    let nics = resolve_nics(context, &reader, shelf, prices);
    if !reader.is_stated("fabric") {
        context.note_assumption("cluster.fabric", "auto: the planner chooses");
    }
    let switches = resolve_switch_names(context, &reader, shelf);
    let (nodes, nics) = (nodes?, nics?);
    let own = nodes.iter().map(|node| &node.nic);
    let most = own.filter(|_| nics.is_empty()).chain(&nics).map(|nic| nic.max_planes).max();
    let planes = most.unwrap_or(1);
    if reader.small_count("max_planes").is_none() {
        context.note_assumption(
            "cluster.max_planes",
            format!("{planes}: what the interfaces support"),
        );
    }
    Cluster::read(&reader, 0, nodes, nics, planes, switches?)
}

fn resolve_nodes(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    shelf: &Shelf,
    prices: Option<&PriceBook>,
) -> Option<Vec<Node>> {
    if reader.is_stated("node") && !reader.is_auto("node") {
        let names = reader.read_names("node");
        if names.is_empty() {
            return None; // refused already
        }
        let asked = |place| Some((reader.path_of("node"), place));
        let mut found: Vec<Option<Node>> = Vec::new();
        for (name, place) in names {
            if shelf.nodes.has_part(name) || !shelf.families.has_part(name) {
                found.push(shelf.resolve_node(context, name, asked(place)));
                continue;
            }
            let domains = shelf.family_domain_names(context, name);
            if domains.is_empty() {
                let message = format!("no domain of family `{name}` divides the cluster");
                let hint = format!("state `gpus` in [hardware.families.{name}]");
                let kind = ProblemKind::Contradiction { message, hint };
                context.add_problem(reader.path_of("node"), Some(place), kind);
                return None;
            }
            let each = domains.iter().map(|name| shelf.resolve_node(context, name, asked(place)));
            found.extend(each.collect::<Vec<_>>());
        }
        return found.into_iter().collect();
    }
    let book = prices?;
    let priced = |name: &&String| book.prices.contains_key(&PricedItem::Part((*name).clone()));
    let names: Vec<&String> = shelf.nodes.item_names().filter(priced).collect();
    let (names, gone): (Vec<&String>, Vec<&String>) =
        names.into_iter().partition(|name| shelf.is_sold(name));
    let place = reader.place_of("node").or(reader.place());
    if names.is_empty() {
        let what = if gone.is_empty() { "to choose from" } else { "that is still sold" };
        let message = format!("price book `{}` has no node {what}", book.name);
        let hint = "name a node, or another price book".into();
        let kind = ProblemKind::Contradiction { message, hint };
        context.add_problem(reader.path_of("node"), place, kind);
        return None;
    }
    let asked = place.map(|place| (reader.path_of("node"), place));
    let nodes: Option<Vec<Node>> =
        names.into_iter().map(|name| shelf.resolve_node(context, name, asked.clone())).collect();
    let precision =
        stated_precision(&context.section_reader("training")).unwrap_or(Precision::Bf16);
    let mut nodes = nodes?;
    let priced = nodes.len();
    nodes.retain(|node| computes_in(node, precision));
    let precision = precision.name();
    if nodes.is_empty() {
        let message = format!("none of the {priced} nodes with a price computes in {precision}");
        context.report_contradiction(reader, "node", message, "name a node, or another precision");
        return None;
    }
    let mut text =
        format!("auto: {} nodes that have a price and compute in {precision}", nodes.len());
    if !gone.is_empty() {
        let gone: Vec<&str> = gone.iter().map(|name| name.as_str()).collect();
        text.push_str(&format!("; not sold any more, name them to use them: {}", gone.join(", ")));
    }
    context.note_assumption("cluster.node", text);
    Some(nodes)
}

fn resolve_nics(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    shelf: &Shelf,
    prices: Option<&PriceBook>,
) -> Option<Vec<Nic>> {
    if reader.is_auto("nic") {
        let names: Vec<String> = shelf.nics.item_names().cloned().collect();
        let priced = |name: &str| {
            prices.is_some_and(|book| book.prices.contains_key(&PricedItem::Part(name.to_owned())))
        };
        let nics: Option<Vec<Nic>> =
            names.iter().map(|name| shelf.resolve_nic(context, name, None)).collect();
        return nics.map(|mut nics| {
            nics.retain(|nic| !nic.quote_only || priced(&nic.name));
            nics
        });
    }
    if !reader.is_stated("nic") {
        context.note_assumption("cluster.nic", "each product's own interface");
    }
    let asked = |place| Some((reader.path_of("nic"), place));
    let found: Vec<Option<Nic>> = reader
        .read_names("nic")
        .into_iter()
        .map(|(name, place)| shelf.resolve_nic(context, name, asked(place)))
        .collect();
    found.into_iter().collect()
}

fn resolve_switch_names(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    shelf: &Shelf,
) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for (name, place) in reader.read_names("switches") {
        let asked = Some((reader.path_of("switches"), place));
        shelf.switches.find_part(context, name, asked)?;
        names.push(name.to_owned());
    }
    names.sort();
    names.dedup();
    Some(names)
}
