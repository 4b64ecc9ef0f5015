//! A checked document into a [`Scenario`]: presets and defaults filled in, names looked up, and
//! everything found that is wrong with several values together. Each part is resolved even where
//! another could not be, so that all problems come out at once.

mod book;
mod calibration;
mod cluster;
mod context;
mod degrees;
mod framework;
mod gate;
mod hardware;
mod items;
mod layout;
mod limits;
mod model;
mod overruled;
mod parts;
mod prices;
mod pricing;
mod product;
mod rules;
mod shipped;
mod stage;
mod technique;
mod training;
mod workload;

pub(crate) use book::price_book;
pub(crate) use gate::gates;
pub(crate) use shipped::{frameworks, nodes, switches};

use context::Context;

use super::book::Book;
use super::document::Table;
use super::problem::Problem;
use crate::scenario::{Assumption, Cluster, Scenario, StatedRules};

/// The scenario and the problems found; `None` where a part of it could not be resolved.
pub(crate) fn resolve(document: &Table, book: Option<&Book>) -> (Option<Scenario>, Vec<Problem>) {
    let mut context = Context { book, ..Context::new(document) };
    let scenario = scenario(&mut context).and_then(|first| {
        let later = stage::stages(&mut context, &first)?;
        Some(Scenario { later, ..first })
    });
    // Rules are no part of the question, but a slip in them is told with all others, and a result
    // keeps them.
    let rules = gate::stated(&gate::rules(&mut context));
    (scenario.map(|scenario| Scenario { rules, ..scenario }), context.problems)
}

fn scenario(context: &mut Context<'_>) -> Option<Scenario> {
    let shelf = hardware::Shelf::new(context);
    let prices = prices::prices(context, &shelf);
    let catalogue = hardware::catalogue(context, &shelf);
    let cluster = cluster::cluster(context, &shelf, prices.as_ref());
    let objective = limits::objective(context);
    let limits = limits::limits(context, &shelf);
    let inventory = limits::inventory(context, &shelf);
    let spares = limits::spares(context);
    let split = parts::gpus(context);
    let gpus = split.or_else(|| degrees::gpus(context));
    let nodes = cluster.as_ref().map_or(&[][..], |cluster| &cluster.nodes);
    let trained = workload::workloads(context, nodes, gpus)?;
    let mut workloads = trained.workloads.into_iter();
    let workload = workloads.next()?;
    let gpus = gpus?;
    let cluster = Cluster { gpus, ..cluster? };
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
    Some(Scenario {
        name,
        workload,
        others: workloads.collect(),
        cluster,
        objective: objective?,
        limits: limits?,
        inventory: inventory?,
        spares,
        later: Vec::new(),
        catalogue,
        prices: prices?,
        assumptions: with_shared(trained.assumed),
        by_product,
        rules: StatedRules::default(),
    })
}
