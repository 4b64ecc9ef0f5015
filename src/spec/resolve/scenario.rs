//! Puts one question together, its stages and its gate.

use super::context::Context;
use super::{cluster, hardware, layout, limits, price_items, scenario_prices, shelf, workload};
use crate::cost::node_price;
use crate::gate::{Rule, RuleOrigin, Severity, StatedRule};
use crate::scenario::{
    Assumption, Cluster, ClusterShape, Limits, Minimize, Scenario, Stage, StatedKeys, StatedRules,
};
use crate::spec::document::{SpannedEntry, SpannedValue, SpecTable, SpecValue};
use crate::spec::problem::{Problem, ProblemKind};
use crate::spec::reader::Reader;
use crate::spec::schema::{ROOT, TABLES};

/// The question of a document's own tables; `None` where a part of it could not be resolved.
pub(super) fn resolve_scenario(context: &mut Context<'_>) -> Option<Scenario> {
    let shelf = shelf::Shelf::new(context);
    let prices = scenario_prices::resolve_prices(context, &shelf);
    let catalogue = hardware::resolve_catalogue(context, &shelf);
    let cluster = cluster::resolve_cluster(context, &shelf, prices.as_ref());
    let chosen = cluster.as_ref().map_or(&[][..], |cluster| &cluster.nodes);
    let prices = prices.map(|book| shelf::price_family_domains(&catalogue.families, chosen, book));
    if let Some(book) = &prices {
        price_items::refuse_priced_fabric(context, chosen, book);
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
    let networks = cluster::resolve_networks(context, &shelf);
    let installation = cluster::resolve_installation(context);
    let split = cluster::sum_part_gpus(context);
    let gpus = split.or_else(|| layout::resolve_cluster_gpus(context));
    let nodes = cluster.as_ref().map_or(&[][..], |cluster| &cluster.nodes);
    let trained = workload::resolve_workloads(context, nodes, gpus)?;
    let workloads = trained.workloads;
    let model = workloads.first()?.model.name.clone();
    let gpus = gpus?;
    let cluster = Cluster { gpus, ..cluster? };
    limits::planes_survive(context, limits.as_ref(), &cluster);
    cluster::check_in_switch_reduction(context, &workloads, &cluster, &catalogue);
    cluster::check_routed_family(context, &workloads, &cluster);
    let robust = limits::resolve_robust(context, &workloads, &cluster);
    let name = match context.root.read_text("name") {
        Some(name) => name.to_owned(),
        None => format!("{model}-{gpus}"),
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
        workloads,
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
        stated: StatedKeys::default(),
    })
}

/// The later stages of a cluster, the earliest first; `None` where one could not be resolved.
pub(super) fn resolve_stages(context: &mut Context<'_>, first: &Scenario) -> Option<Vec<Stage>> {
    let written = context.root.sub_tables("stage");
    if written.is_empty() {
        return Some(Vec::new());
    }
    if first.cluster_shape() == ClusterShape::Parts {
        let reader = context.root.clone();
        let message = "workloads have parts of a cluster that grows";
        let hint = "plan each part in a spec of its own";
        context.report_contradiction(&reader, "stage", message, hint);
        return None;
    }
    let sound = is_counted_in_money(context, first);
    let mut all: Vec<Option<Stage>> = Vec::new();
    let mut before = StageTerms { gpus: Some(first.cluster.gpus), year: Some(0.0), price: 1.0 };
    for reader in written {
        context.require_key(&reader, "");
        let (gpus, year) = (reader.small_count("gpus"), reader.read_number("year"));
        let price = reader.read_number("price_change").map_or(before.price, |change| 1.0 + change);
        check_stage_order(context, &reader, before, StageTerms { gpus, year, price });
        before = StageTerms { gpus: gpus.or(before.gpus), year: year.or(before.year), price };
        let stage = resolve_stage_scenario(context, &reader, first.objective.minimize);
        all.push(stage.zip(year).map(|(scenario, year)| Stage { year, price, scenario }));
    }
    let years = first.objective.years;
    if let Some(last) = before.year.filter(|last| *last >= years) {
        let message = format!("the last stage begins after {last} years, and {years} count");
        let reader = context.section_reader("objective");
        let hint = "raise `years`, or begin the stage earlier";
        context.report_contradiction(&reader, "years", message, hint);
    }
    let all: Option<Vec<Stage>> = all.into_iter().collect();
    all.filter(|_| sound)
}

/// Whether the objective is one that stages can be added up by.
fn is_counted_in_money(context: &mut Context<'_>, first: &Scenario) -> bool {
    let counted = matches!(first.objective.minimize, Minimize::Capex | Minimize::Tco);
    let sound = counted && first.objective.then.is_empty();
    if !sound {
        let objective = context.section_reader("objective");
        let message = "the stages of a cluster are minimised by one sum of money";
        context.report_contradiction(&objective, "minimize", message, "take capex or tco");
    }
    sound
}

/// What a stage says of itself: GPUs, year, and prices over those of the first.
#[derive(Clone, Copy)]
struct StageTerms {
    gpus: Option<u32>,
    year: Option<f64>,
    price: f64,
}

/// What has to hold from one stage to the next.
fn check_stage_order(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    before: StageTerms,
    next: StageTerms,
) {
    if let (Some(fewer), Some(gpus)) = (next.gpus, before.gpus)
        && fewer < gpus
    {
        let message = format!("{fewer} GPUs, after {gpus}");
        let hint = "a cluster keeps its machines: state more";
        context.report_contradiction(reader, "gpus", message, hint);
    }
    if let (Some(early), Some(year)) = (next.year, before.year)
        && early <= year
    {
        let message = format!("year {early}, after year {year}");
        context.report_contradiction(reader, "year", message, "list stages in their order");
    }
    if next.price > before.price {
        let message = "parts cost more than at the stage before";
        let hint = "where prices rise all is best bought at once: plan the last stage alone";
        context.report_contradiction(reader, "price_change", message, hint);
    }
    let limits = reader.sub_table("limits");
    for key in ["budget", "supply"] {
        if let Some(limits) = limits.as_ref().filter(|limits| limits.is_stated(key)) {
            let message = "it holds for all stages together";
            context.report_contradiction(limits, key, message, "state it in [limits]");
        }
    }
}

/// The question about a cluster of that stage. Problems that the first stage has too are told once.
/// It minimises what the first does.
fn resolve_stage_scenario(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    minimize: Minimize,
) -> Option<Scenario> {
    let table = reader.table();
    let gpus = table.entries.get("gpus")?;
    let mut over = table.clone();
    over.entries.retain(|name, _| TABLES.contains(&name.as_str()) || name == "limits");
    let mut cluster = SpecTable::default();
    cluster.entries.insert("gpus".to_owned(), gpus.clone());
    let place = reader.place()?;
    let item = SpannedValue { value: SpecValue::Table(cluster), place };
    over.entries.insert("cluster".to_owned(), SpannedEntry { key: place, item });
    if !context.section_reader("objective").is_stated("minimize") {
        let quantity = SpannedValue { value: SpecValue::Text(minimize.name().to_owned()), place };
        let path = ["objective", "minimize"].map(|name| (name.to_owned(), place));
        over.set_path(&path, quantity).ok()?;
    }
    let mut merged = context.document.overlay_with(&over);
    merged.entries.remove("stage");
    let mut inner = Context { book: context.book, ..Context::new(&merged) };
    let found = resolve_scenario(&mut inner);
    for problem in inner.problems {
        if !context.problems.contains(&problem) {
            context.problems.push(problem);
        }
    }
    found
}

/// Rules of a checked document, the keys that its `allow` names, and the problems found.
pub(crate) fn document_gate(document: &SpecTable) -> (Vec<StatedRule>, Vec<String>, Vec<Problem>) {
    let mut context = Context::new(document);
    let (rules, allowed) = resolve_gate(&mut context);
    (rules, allowed, context.problems)
}

/// Keys that `allow` names; what is in no table of a spec becomes a problem.
fn allowed_keys(context: &mut Context<'_>) -> Vec<String> {
    let reader = context.section_reader("gate");
    let mut allowed = Vec::new();
    for (key, place) in reader.read_names("allow") {
        let table = key.split(['.', '[']).next().unwrap_or_default();
        if ROOT.keys.iter().all(|known| known.name != table) {
            let names = ROOT.keys.iter().map(|known| known.name.to_owned());
            let path = reader.path_of("allow");
            context.report_unknown_name(path, Some(place), "table", table, names);
        }
        allowed.push(key.to_owned());
    }
    allowed
}

/// The rules as they are written.
pub(super) fn rules_as_written(gates: &[StatedRule]) -> StatedRules {
    let read = |severity| {
        let rules = gates.iter().filter(move |gate| gate.severity == severity);
        rules.map(|gate| gate.rule.to_string()).collect()
    };
    StatedRules { fail_on: read(Severity::Fail), warn_on: read(Severity::Warn) }
}

/// Rules, and keys that `allow` names; those that are none become problems.
pub(super) fn resolve_gate(context: &mut Context<'_>) -> (Vec<StatedRule>, Vec<String>) {
    let allowed = allowed_keys(context);
    let reader = context.section_reader("gate");
    let mut gates = Vec::new();
    for (key, severity) in [("fail_on", Severity::Fail), ("warn_on", Severity::Warn)] {
        // A list of names leaves the word `auto` out, which is no rule either.
        let auto = reader.place_of(key).filter(|_| reader.is_auto(key));
        let texts = reader.read_names(key).into_iter().chain(auto.map(|place| ("auto", place)));
        for (text, place) in texts {
            match Rule::parse(text) {
                Ok(rule) => gates.push(StatedRule { rule, severity, origin: RuleOrigin::Spec }),
                Err(error) => {
                    let (message, hint) = (error.to_string(), error.hint());
                    let kind = ProblemKind::new_contradiction(message, hint);
                    context.add_problem(reader.path_of(key), Some(place), kind);
                }
            }
        }
    }
    (gates, allowed)
}
