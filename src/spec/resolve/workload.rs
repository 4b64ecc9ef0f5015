//! What is trained: the tables of the top level, or `[[workload]]` tables laid over them. Knows
//! nothing of the cluster but its GPUs.

use std::collections::BTreeMap;

use super::context::Context;
use super::{layout, layout_rules, limits, model, training};
use crate::hardware::Node;
use crate::scenario::{Assumption, Pace, Workload};
use crate::spec::document::{SourceId, SpannedEntry, SpecTable, SpecValue};
use crate::spec::problem::{Problem, ProblemKind};
use crate::spec::reader::Reader;
use crate::spec::schema::TABLES;
use crate::technique::schedule_techniques;
use crate::units::Seconds;

/// How far the shares may be from summing to 1: what is written with three digits.
const SHARES: f64 = 2e-3;

/// Every workload, and what is taken for granted about them.
pub(super) struct ResolvedWorkloads {
    /// The leading one first.
    pub(super) workloads: Vec<Workload>,
    /// What they assume on the first product.
    pub(super) assumed: Vec<Assumption>,
    /// What they assume on products where that is something else, by name.
    pub(super) assumed_by_product: BTreeMap<String, Vec<Assumption>>,
}

/// Every workload as each of `nodes` trains it; `None` where one could not be resolved.
pub(super) fn resolve_workloads(
    context: &mut Context<'_>,
    nodes: &[Node],
    gpus: Option<u32>,
) -> Option<ResolvedWorkloads> {
    let written = context.root.sub_tables("workload");
    let mut found = Vec::new();
    let mut assumed = Vec::new();
    if written.is_empty() {
        let document = context.document;
        let mut on = resolve_per_product(document, nodes, |inner, product| {
            resolve_workload(inner, product, gpus)
        });
        context.problems.append(&mut on.problems);
        found.push(on.workload);
        assumed.push((String::new(), on.assumed));
    }
    for (number, reader) in (1..).zip(&written) {
        let table = reader.table();
        check_overruled_overrides(context, table, number);
        let merged = merge_workload_tables(context.document, table);
        let own_gpus = reader.small_count("gpus").or(gpus);
        let mut on = resolve_per_product(&merged, nodes, |inner, product| {
            let workload = resolve_workload(inner, product, own_gpus)
                .map(|workload| apply_workload_table(reader, workload));
            limits::days_need_tokens(inner, reader);
            workload
        });
        context.problems.append(&mut on.problems);
        let name =
            on.workload.as_ref().map_or_else(String::new, |own_workload| own_workload.name.clone());
        assumed.push((name, on.assumed));
        found.push(on.workload);
    }
    let mut workloads: Vec<Workload> = found.into_iter().collect::<Option<_>>()?;
    check_workload_names(context, &written, &workloads);
    if !written.is_empty() && workloads.iter().all(|workload| workload.gpus.is_none()) {
        workloads = resolve_workload_shares(context, &written, workloads);
    }
    let (assumed, assumed_by_product) = assumptions_by_product(nodes, &assumed);
    Some(ResolvedWorkloads { workloads, assumed, assumed_by_product })
}

/// What all workloads assume on the first product, and on those where that is something else.
fn assumptions_by_product(
    nodes: &[Node],
    assumed: &[(String, Vec<Vec<Assumption>>)],
) -> (Vec<Assumption>, BTreeMap<String, Vec<Assumption>>) {
    let on =
        |place: usize| {
            let each = assumed.iter();
            Assumption::merge_by_owner(each.filter_map(|(name, assumptions)| {
                Some((name.as_str(), &assumptions.get(place)?[..]))
            }))
        };
    let first = on(0);
    let others = nodes.iter().enumerate().skip(1);
    let others = others.map(|(place, node)| (node.name.clone(), on(place)));
    let others = others.filter(|(_, assumed)| *assumed != first).collect();
    (first, others)
}

/// The workload of a document's own tables on one product.
fn resolve_workload(
    context: &mut Context<'_>,
    product: &[Node],
    gpus: Option<u32>,
) -> Option<Workload> {
    let model = model::resolve_model(context);
    let training = training::resolve_training(context, product);
    let precision = training.as_ref().map(|training| training.precision);
    let framework = training::resolve_framework(context, product, precision);
    let limits = context.section_reader("limits");
    limits::days_need_tokens(context, &limits);
    let mut layout = layout::resolve_layout(context, model.as_ref(), framework.as_ref())?;
    let job = model.as_ref().zip(training.as_ref());
    if let Some((model, training)) = job {
        training::check_recomputed_modules(context, model, training);
    }
    let data = gpus.and_then(|gpus| layout::resolve_data_degree(context, &layout, gpus, job));
    layout.data = data.unwrap_or(layout.data);
    let (model, training) = (model?, training?);
    let workload = Workload {
        name: model.name.clone(),
        gpus: None,
        share: 1.0,
        unforwardable: 0.0,
        limits: Pace::default(),
        model,
        training,
        layout,
        framework: framework?,
        techniques: training::resolve_techniques(context)?,
        by_product: BTreeMap::new(),
    };
    let on = workload.techniques.on.clone();
    let workload = if on.is_empty() { workload } else { schedule_techniques(&workload, &on) };
    layout_rules::check_layout_rules(context, &workload);
    Some(workload)
}

/// The document of one workload: its tables over those of the top level.
fn merge_workload_tables(document: &SpecTable, workload: &SpecTable) -> SpecTable {
    let mut over = workload.clone();
    over.entries.retain(|name, _| TABLES.contains(&name.as_str()));
    let mut merged = document.overlay_with(&over);
    merged.entries.remove("workload");
    merged
}

/// The workload with what its own table says beside those tables.
fn apply_workload_table(reader: &Reader<'_>, workload: Workload) -> Workload {
    Workload {
        name: reader.read_text("name").map_or(workload.name, str::to_owned),
        gpus: reader.small_count("gpus"),
        unforwardable: reader.number_or_default("unforwardable"),
        limits: Pace {
            survive: None,
            max_slowdown: reader.read_number("max_slowdown"),
            run: reader.read_number("days").map(Seconds::from_days),
            step_time: reader.read_seconds("step_time"),
        },
        ..workload
    }
}

/// Two workloads of one name could not be told apart in a report.
fn check_workload_names(context: &mut Context<'_>, written: &[Reader<'_>], found: &[Workload]) {
    for (place, workload) in found.iter().enumerate() {
        if found[..place].iter().any(|known| known.name == workload.name) {
            let message = format!("two workloads are called `{}`", workload.name);
            let reader = &written[place];
            context.report_contradiction(reader, "name", message, "give each a `name` of its own");
        }
    }
}

/// Shares as stated; those left out are equal parts of what is left.
fn resolve_workload_shares(
    context: &mut Context<'_>,
    written: &[Reader<'_>],
    found: Vec<Workload>,
) -> Vec<Workload> {
    let stated: Vec<Option<f64>> =
        written.iter().map(|reader| reader.read_number("share")).collect();
    let sum: f64 = stated.iter().flatten().sum();
    let open = stated.iter().filter(|share| share.is_none()).count();
    let wrong = if open == 0 { (sum - 1.0).abs() > SHARES } else { sum >= 1.0 - SHARES };
    if wrong {
        let message = match open {
            0 => format!("the shares sum to {sum:.3}"),
            _ => format!("the stated shares sum to {sum:.3} and leave nothing to the others"),
        };
        if let Some(last) = written.last() {
            context.report_contradiction(last, "share", message, "they have to sum to 1");
        }
        return found;
    }
    let left = (1.0 - sum) / open.max(1) as f64;
    // Stated with a few digits: scaled, so that they are parts of one whole.
    let scale = if open == 0 { 1.0 / sum } else { 1.0 };
    let read = |(workload, stated): (Workload, Option<f64>)| {
        let share = stated.map_or(left, |share| share * scale);
        workload.map_products(|own_workload| Workload { share, ..own_workload })
    };
    found.into_iter().zip(stated).map(read).collect()
}

/// A workload on all products.
pub(super) struct PerProduct {
    /// `None` where it could not be resolved for one of them.
    pub(super) workload: Option<Workload>,
    /// What is assumed for each product, in the order of the products; at least one list.
    pub(super) assumed: Vec<Vec<Assumption>>,
    /// What is wrong, each once.
    pub(super) problems: Vec<Problem>,
}

/// Resolves a workload for every product by itself.
fn resolve_per_product(
    document: &SpecTable,
    nodes: &[Node],
    resolve: impl Fn(&mut Context<'_>, &[Node]) -> Option<Workload>,
) -> PerProduct {
    // Without a product, which is a problem of its own, the other keys are still read.
    let each: Vec<&[Node]> = if nodes.is_empty() { vec![nodes] } else { nodes.chunks(1).collect() };
    let mut workloads = Vec::new();
    let (mut assumed, mut problems) = (Vec::new(), Vec::new());
    for product in each {
        let mut inner = Context::new(document);
        workloads.push(resolve(&mut inner, product));
        assumed.push(inner.assumptions);
        problems.push(inner.problems);
    }
    let workloads: Option<Vec<Workload>> = workloads.into_iter().collect();
    let workload = workloads.and_then(|all| join_product_workloads(nodes, all));
    PerProduct { workload, assumed, problems: merge_product_problems(&problems) }
}

/// The workload of the first product, with those of products that train it in another way.
fn join_product_workloads(nodes: &[Node], workloads: Vec<Workload>) -> Option<Workload> {
    let mut each = workloads.into_iter();
    let first = each.next()?;
    let names = nodes.iter().skip(1).map(|node| node.name.clone());
    let others = names.zip(each).filter(|(_, workload)| *workload != first);
    let by_product: BTreeMap<String, Workload> = others.collect();
    Some(Workload { by_product, ..first })
}

/// Every problem once. A rule of the layout that holds with the defaults of some product is none of
/// the spec: the products that break it are no candidates.
fn merge_product_problems(problems: &[Vec<Problem>]) -> Vec<Problem> {
    let mut all: Vec<Problem> = Vec::new();
    for problem in problems.iter().flatten() {
        let of_layout = matches!(problem.kind, ProblemKind::Layout { .. });
        let everywhere = problems.iter().all(|this_problems| this_problems.contains(problem));
        if !all.contains(problem) && (everywhere || !of_layout) {
            all.push(problem.clone());
        }
    }
    all
}

/// Refuses every override of a key that the tables of a workload state too.
fn check_overruled_overrides(context: &mut Context<'_>, workload: &SpecTable, number: usize) {
    let mut found = Vec::new();
    for name in TABLES {
        let (top, own) = (context.document.get_table(name), workload.get_table(name));
        if let (Some(top), Some(own)) = (top, own) {
            collect_overridden_keys(top, own, name, &mut found);
        }
    }
    let name = match workload.get("name").map(|item| &item.value) {
        Some(SpecValue::Text(name)) => format!("`{name}`"),
        _ => format!("number {number}"),
    };
    for (key, entry) in found {
        let kind = ProblemKind::Contradiction {
            message: format!(
                "workload {name} states `{key}` itself, so the override has no effect on it"
            ),
            hint: "change the [[workload]] table, or take the key out of it".into(),
        };
        context.add_problem(key, Some(entry.key), kind);
    }
}

/// Overridden keys of one table that stand in the other too, with their paths.
fn collect_overridden_keys<'a>(
    top: &'a SpecTable,
    own: &SpecTable,
    path: &str,
    found: &mut Vec<(String, &'a SpannedEntry)>,
) {
    for (name, entry) in &top.entries {
        let key = format!("{path}.{name}");
        let Some(other) = own.get(name) else { continue };
        match (entry.item.value.as_table(), other.value.as_table()) {
            (Some(top), Some(own)) => collect_overridden_keys(top, own, &key, found),
            _ if matches!(entry.key.source, SourceId::Override(_)) => found.push((key, entry)),
            _ => {}
        }
    }
}
