//! `[cluster]`, `[networks]`, `[installation]`, routed families, in-switch sums.

use super::context::Context;
use super::shelf::{Drawer, Shelf, part_asker};
use super::training::{computes_in, stated_precision};
use crate::hardware::{Appliance, Catalogue, Nic, Node, PriceBook, PricedItem, Switch};
use crate::keys::{Key, Values};
use crate::scenario::{
    Cluster, Control, FabricChoice, InBandNetwork, Installation, LoadBalancing, Networks,
    OutOfBandNetwork, StorageNetwork, Workload,
};
use crate::spec::problem::ProblemKind;
use crate::spec::reader::Reader;
use crate::workload::{Algorithms, Precision};

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
        context.note_assumption("cluster.fabric", "auto: searched");
    }
    let switches = resolve_switch_names(context, &reader, shelf);
    let (nodes, nics) = (nodes?, nics?);
    let own = nodes.iter().map(|node| &node.nic);
    let most = own.filter(|_| nics.is_empty()).chain(&nics).map(|nic| nic.max_planes).max();
    let planes = most.unwrap_or(1);
    if reader.small_count("max_planes").is_none() {
        context.note_assumption("cluster.max_planes", format!("{planes}: what the NICs support"));
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
                let kind = ProblemKind::new_contradiction(message, hint);
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
        let hint = "name a node, or another price book";
        let kind = ProblemKind::new_contradiction(message, hint);
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
        context.note_assumption("cluster.nic", "each machine's own NIC");
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

/// The networks that the spec has tables for; `None` where one names what nothing is.
pub(super) fn resolve_networks(context: &mut Context<'_>, shelf: &Shelf) -> Option<Networks> {
    let all = context.section_reader("networks");
    if context.root.is_stated("networks") {
        let message = "other networks are sized for one cluster, not for parts or stages";
        context.refuse_several_clusters(&all, "storage", message, "take [networks] out");
    }
    let mut networks = Networks::default();
    if let Some(reader) = all.sub_table("storage") {
        let name = name_or_default(&reader, "switch");
        let found = shelf.switches.find_part(context, &name, part_asker(&reader, "switch"))?;
        let model = Switch::read(&found, name)?;
        networks.storage = Some(StorageNetwork::read(&reader, model)?);
    }
    if let Some(reader) = all.sub_table("in_band") {
        let model = resolve_appliance(context, &shelf.appliances, &reader, "switch")?;
        networks.in_band = Some(InBandNetwork::read(&reader, model)?);
    }
    if let Some(reader) = all.sub_table("out_of_band") {
        let model = resolve_appliance(context, &shelf.appliances, &reader, "switch")?;
        networks.out_of_band = Some(OutOfBandNetwork::read(&reader, model)?);
    }
    if let Some(reader) = all.sub_table("control") {
        let manager = resolve_appliance(context, &shelf.appliances, &reader, "manager")?;
        let server = resolve_appliance(context, &shelf.appliances, &reader, "server")?;
        networks.control = Some(Control::read(&reader, manager, server)?);
    }
    Some(networks)
}

/// The name that a key has, stated or by default.
fn name_or_default(reader: &Reader<'_>, key: &str) -> String {
    let declared: Option<&Key> = reader.section().find_key(key);
    declared.and_then(|key| reader.text_value(key)).unwrap_or_default()
}

/// The appliance that a key names.
fn resolve_appliance(
    context: &mut Context<'_>,
    drawer: &Drawer,
    reader: &Reader<'_>,
    key: &str,
) -> Option<Appliance> {
    let name = name_or_default(reader, key);
    let found = drawer.find_part(context, &name, part_asker(reader, key))?;
    Appliance::read(&found, name)
}

/// What installing takes; `None` where the spec does not ask.
pub(super) fn resolve_installation(context: &mut Context<'_>) -> Option<Installation> {
    if !context.root.is_stated("installation") {
        return None;
    }
    let reader = context.section_reader("installation");
    let message = "installation is counted for one cluster, not for parts or stages";
    context.refuse_several_clusters(&reader, "hours_per_cable", message, "take [installation] out");
    Installation::read(&reader)
}

/// Refuses parts, stages, single paths and sums by switches on a fabric whose step is timed by
/// routing it.
pub(super) fn check_routed_family(
    context: &mut Context<'_>,
    workloads: &[Workload],
    cluster: &Cluster,
) {
    let family = cluster.fabric;
    if !family.is_routed() && family != FabricChoice::Any {
        return;
    }
    let name = family.name();
    let reader = context.section_reader("cluster");
    if cluster.load_balancing != LoadBalancing::Spray {
        let message =
            format!("`{name}` is timed with messages that are spread, not on single paths");
        let hint = "take `load_balancing = \"spray\"`, or another `fabric`";
        context.report_contradiction(&reader, "load_balancing", message, hint);
    }
    let sums =
        |workload: &Workload| workload.framework.collectives.has_algorithm(Algorithms::Sharp);
    if family != FabricChoice::TaperedClos && workloads.iter().any(sums) {
        let message = match family {
            FabricChoice::Any => {
                "`sharp` sums on the way up a tree, and not every family of `any` is one".to_owned()
            }
            _ => format!("`sharp` sums on the way up a tree, and `{name}` has none"),
        };
        let hint = "take another `fabric`, or another algorithm in [collectives]";
        context.report_contradiction(&reader, "fabric", message, hint);
    }
    if family == FabricChoice::Any
        && context.section_reader("objective").read_names("minimize").len() > 1
    {
        let message =
            "`any` takes the family with the least of one quantity, not of several in turn";
        let hint = "name one quantity in `objective.minimize`, or one `fabric`";
        context.report_contradiction(&reader, "fabric", message, hint);
    }
    let message = format!("`{name}` is chosen for one cluster, not for parts or stages");
    context.refuse_several_clusters(&reader, "fabric", message, "take another `fabric`");
}

/// Refuses sums by switches that do not sum.
pub(super) fn check_in_switch_reduction(
    context: &mut Context<'_>,
    workloads: &[Workload],
    cluster: &Cluster,
    catalogue: &Catalogue,
) {
    let uses =
        |by| workloads.iter().any(|workload| workload.framework.collectives.has_algorithm(by));
    let reader = context.section_reader("collectives");
    let offered = |name: &String| cluster.switches.is_empty() || cluster.switches.contains(name);
    let summing: Vec<&str> = catalogue
        .switches
        .iter()
        .filter(|switch| switch.reduces)
        .map(|switch| switch.name.as_str())
        .collect();
    let found = |switch_model: &Switch| switch_model.reduces && offered(&switch_model.name);
    if uses(Algorithms::Sharp) && !catalogue.switches.iter().any(found) {
        let message = "`sharp` needs switches that sum what they forward: none on offer does";
        let hint = format!(
            "name one of {} in `cluster.switches`, or another algorithm",
            summing.join(", ")
        );
        context.report_contradiction(&reader, "all", message, hint);
    }
    if uses(Algorithms::Nvls) {
        for node in cluster.nodes.iter().filter(|node| !node.hb_reduces) {
            refuse_domain_sums(context, &reader, "all", node);
        }
    }
}

/// Refuses sums by the switches of HB domains that have none.
pub(super) fn refuse_domain_sums(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    key: &str,
    node: &Node,
) {
    let name = &node.name;
    let message =
        format!("`nvls` needs HB domains whose switches sum: nothing says so of `{name}`");
    let hint = "take another algorithm, or state `hb_reduces = true` of the product";
    context.report_contradiction(reader, key, message, hint);
}

/// GPUs of all parts; `None` where workloads share the whole cluster.
pub(super) fn sum_part_gpus(context: &mut Context<'_>) -> Option<u32> {
    let readers = context.root.sub_tables("workload");
    if !readers.iter().any(|reader| reader.is_stated("gpus")) {
        return None;
    }
    let mut sum = 0_u32;
    for reader in &readers {
        if !reader.is_stated("gpus") {
            let message = "others have GPUs of their own, and this one shares the cluster";
            let hint = "state `gpus` for all workloads or none";
            context.report_contradiction(reader, "gpus", message, hint);
        }
        if reader.is_stated("share") {
            let message = "a workload with GPUs of its own has them all the time";
            context.report_contradiction(reader, "share", message, "leave `share` out, or `gpus`");
        }
        sum = sum.saturating_add(reader.small_count("gpus").unwrap_or(0));
    }
    let cluster = context.section_reader("cluster");
    if let Some(stated) = cluster.small_count("gpus").filter(|stated| *stated != sum) {
        let message = format!("the workloads have {sum} GPUs, and the cluster {stated}");
        context.report_contradiction(&cluster, "gpus", message, "leave it out: it is their sum");
    }
    let objective = context.section_reader("objective");
    let quantities = objective.read_names("minimize");
    if quantities.len() > 1 || quantities.iter().any(|(name, _)| *name == "usd-per-token") {
        let message = "parts with workloads of their own are minimised by one quantity, and have \
                       no common cost per token";
        let hint = "take capex, tco or power";
        context.report_contradiction(&objective, "minimize", message, hint);
    }
    Some(sum)
}
