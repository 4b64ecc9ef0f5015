//! One question: everything but the stages that a cluster grows to.

use super::context::Context;
use super::{
    cluster, contents, degrees, family, hardware, installation, limits, networks, parts, prices,
    robust, routed, shelf, sums, workload,
};
use crate::cost::node_price;
use crate::scenario::{Assumption, Cluster, Limits, Scenario, StatedRules};

/// The question of a document's own tables; `None` where a part of it could not be resolved.
pub(super) fn scenario(context: &mut Context<'_>) -> Option<Scenario> {
    let shelf = shelf::Shelf::new(context);
    let prices = prices::prices(context, &shelf);
    let catalogue = hardware::catalogue(context, &shelf);
    let cluster = cluster::cluster(context, &shelf, prices.as_ref());
    let chosen = cluster.as_ref().map_or(&[][..], |cluster| &cluster.nodes);
    let prices = prices.map(|book| family::price_family_domains(&catalogue.families, chosen, book));
    if let Some(book) = &prices {
        contents::without_fabric(context, chosen, book);
    }
    let priced = prices
        .as_ref()
        .is_some_and(|book| chosen.iter().any(|node| node_price(book, node).is_some()));
    let objective = limits::objective(context, priced);
    let limits = limits::limits(context, &shelf);
    let hall = limits::hall(context);
    let inventory = limits::inventory(context, &shelf);
    let spares = limits::spares(context);
    let failures = limits::failures(context);
    let networks = networks::networks(context, &shelf);
    let installation = installation::installation(context);
    let split = parts::gpus(context);
    let gpus = split.or_else(|| degrees::gpus(context));
    let nodes = cluster.as_ref().map_or(&[][..], |cluster| &cluster.nodes);
    let trained = workload::workloads(context, nodes, gpus)?;
    let mut workloads = trained.workloads.into_iter();
    let workload = workloads.next()?;
    let gpus = gpus?;
    let cluster = Cluster { gpus, ..cluster? };
    limits::planes_survive(context, limits.as_ref(), &cluster);
    let each = [&[workload.clone()][..], workloads.as_slice()].concat();
    sums::check_in_switch_reduction(context, &each, &cluster, &catalogue);
    routed::check_routed_family(context, &each, &cluster, split.is_some());
    let robust = robust::robust(context, &each, &cluster);
    let name = match context.root.text("name") {
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
    let rack = hall.rack(limits.rack, networks.control.as_ref());
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
