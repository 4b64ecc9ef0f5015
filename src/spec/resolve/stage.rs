//! `[[stage]]`: what a cluster grows to. Each is a spec of its own, the stage's tables laid over
//! those of the top level; checks what has to hold from one stage to the next.

use super::context::Context;
use super::scenario::resolve_scenario;
use crate::scenario::{ClusterShape, Minimize, Scenario, Stage};
use crate::spec::document::{SpannedEntry, SpannedValue, SpecTable, SpecValue};
use crate::spec::reader::Reader;
use crate::spec::schema::TABLES;

/// The later stages of a cluster, the earliest first; `None` where one could not be resolved.
pub(super) fn resolve_stages(context: &mut Context<'_>, first: &Scenario) -> Option<Vec<Stage>> {
    let written = context.root.sub_tables("stage");
    if written.is_empty() {
        return Some(Vec::new());
    }
    if first.cluster_shape() == ClusterShape::Parts {
        let reader = context.root.clone();
        let message = "workloads have parts of a cluster that grows".to_owned();
        context.report_contradiction(
            &reader,
            "stage",
            message,
            "plan each part in a spec of its own",
        );
        return None;
    }
    let sound = is_counted_in_money(context, first);
    let mut all: Vec<Option<Stage>> = Vec::new();
    let mut before = (first.cluster.gpus, 0.0, 1.0);
    for reader in written {
        context.require_key(&reader, "");
        let gpus = reader.small_count("gpus");
        let year = reader.read_number("year");
        let price = reader.read_number("price_change").map_or(before.2, |change| 1.0 + change);
        check_stage_order(context, &reader, before, (gpus, year, price));
        before = (gpus.unwrap_or(before.0), year.unwrap_or(before.1), price);
        let stage = resolve_stage_scenario(context, &reader, first.objective.minimize);
        all.push(stage.zip(year).map(|(scenario, year)| Stage { year, price, scenario }));
    }
    if before.1 >= first.objective.years {
        let message = format!(
            "the last stage begins after {} years, and {} count",
            before.1, first.objective.years
        );
        let reader = context.section_reader("objective");
        context.report_contradiction(
            &reader,
            "years",
            message,
            "raise `years`, or begin the stage earlier",
        );
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
        let message = "the stages of a cluster are minimised by one sum of money".to_owned();
        context.report_contradiction(&objective, "minimize", message, "take capex or tco");
    }
    sound
}

/// What has to hold from one stage to the next.
fn check_stage_order(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    (gpus, year, price): (u32, f64, f64),
    next: (Option<u32>, Option<f64>, f64),
) {
    if let Some(fewer) = next.0.filter(|next| *next < gpus) {
        let message = format!("{fewer} GPUs, after {gpus}");
        context.report_contradiction(
            reader,
            "gpus",
            message,
            "a cluster keeps its machines: state more",
        );
    }
    if let Some(early) = next.1.filter(|next| *next <= year) {
        let message = format!("year {early}, after year {year}");
        context.report_contradiction(reader, "year", message, "list stages in their order");
    }
    if next.2 > price {
        let message = "parts cost more than at the stage before".to_owned();
        let hint = "where prices rise all is best bought at once: plan the last stage alone";
        context.report_contradiction(reader, "price_change", message, hint);
    }
    let limits = reader.sub_table("limits");
    for key in ["budget", "supply"] {
        if let Some(limits) = limits.as_ref().filter(|limits| limits.is_stated(key)) {
            let message = "it holds for all stages together".to_owned();
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
