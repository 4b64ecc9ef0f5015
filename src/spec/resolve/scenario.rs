//! One question: everything but the stages that a cluster grows to.

use super::context::Context;
use super::{
    cluster, contents, degrees, family, hardware, installation, limits, networks, parts, prices,
    robust, routed, shelf, sums, workload,
};
use crate::cost::node_price;
use crate::scenario::{Assumption, Cluster, Limits, Scenario, StatedRules};

/// The question of a document's own tables; `None` where a part of it could not be resolved.
pub(super) fn resolve_scenario(context: &mut Context<'_>) -> Option<Scenario> {
    let shelf = shelf::Shelf::new(context);
    let prices = prices::resolve_prices(context, &shelf);
    let catalogue = hardware::resolve_catalogue(context, &shelf);
    let cluster = cluster::resolve_cluster(context, &shelf, prices.as_ref());
    let chosen = cluster.as_ref().map_or(&[][..], |cluster| &cluster.nodes);
    let prices = prices.map(|book| family::price_family_domains(&catalogue.families, chosen, book));
    if let Some(book) = &prices {
        contents::refuse_priced_fabric(context, chosen, book);
    }
    let priced = prices
        .as_ref()
        .is_some_and(|book| chosen.iter().any(|node| node_price(book, node).is_some()));
    let objective = limits::resolve_objective(context, priced);
    let limits = limits::resolve_limits(context, &shelf);
    let hall = limits::resolve_hall(context);
    let inventory = limits::resolve_inventory(context, &shelf);
    let spares = limits::resolve_spares(context);
    let failures = limits::resolve_failures(context);
    let networks = networks::resolve_networks(context, &shelf);
    let installation = installation::resolve_installation(context);
    let split = parts::sum_part_gpus(context);
    let gpus = split.or_else(|| degrees::resolve_cluster_gpus(context));
    let nodes = cluster.as_ref().map_or(&[][..], |cluster| &cluster.nodes);
    let trained = workload::resolve_workloads(context, nodes, gpus)?;
    let mut workloads = trained.workloads.into_iter();
    let workload = workloads.next()?;
    let gpus = gpus?;
    let cluster = Cluster { gpus, ..cluster? };
    limits::planes_survive(context, limits.as_ref(), &cluster);
    let each = [&[workload.clone()][..], workloads.as_slice()].concat();
    sums::check_in_switch_reduction(context, &each, &cluster, &catalogue);
    routed::check_routed_family(context, &each, &cluster, split.is_some());
    let robust = robust::resolve_robust(context, &each, &cluster);
    let name = match context.root.read_text("name") {
        Some(name) => name.to_owned(),
        None => format!("{}-{gpus}", workload.model.name),
    };
    let shared = std::mem::take(&mut context.assumptions);
    let with_shared = |own: Vec<Assumption>| {
        let mut all = [shared.clone(), own].concat();
        all.sort();
        all
    };
    let by_product = trained.assumed_by_product.into_iter();
    let by_product = by_product.map(|(name, own)| (name, with_shared(own))).collect();
    let (limits, hall, networks) = (limits?, hall?, networks?);
    let rack = hall.offered_rack(limits.rack, networks.control.as_ref());
    Some(Scenario {
        name,
        workload,
        others: workloads.collect(),
        cluster,
        objective: objective?,
        limits: Limits { rack, ..limits },
        robust: robust?,
        hall,
        lengths: None,
        inventory: inventory?,
        spares,
        networks,
        installation,
        failures: failures?,
        later: Vec::new(),
        catalogue,
        prices: prices?,
        assumptions: with_shared(trained.assumed),
        by_product,
        rules: StatedRules::default(),
    })
}
