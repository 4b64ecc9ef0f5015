//! `planner compare` as programs read it.

use super::common::section_figures;
use super::plan::plan_json;
use crate::compare::{
    Attribution, BaselineResult, ClustersCase, Comparison, Contribution, FewerNics, Freed,
    TechniqueCase, TechniqueStudies, TechniqueStudy,
};
use crate::design::LimitMove;
use crate::gate::Snapshot;
use crate::quantity::FigureSource;
use crate::report::list::{
    ASSUMPTION_COLUMNS, JsonObject, JsonValue, ListColumn, json_column, known_column, list_json,
    range_json, row_json,
};
use crate::report::sheet::{SideBySide, case_name as name_of};

/// The comparison as pretty JSON; of several clusters also each by itself.
pub(in crate::report) fn comparison_json(comparison: &Comparison) -> String {
    let one = |cluster: &Comparison| {
        JsonObject::new().with("name", &cluster.design.name).with_all(baselines_json(cluster))
    };
    super::write(
        &JsonObject::with_schema("planner/compare/1")
            .with("name", &comparison.design.name)
            .with_all(baselines_json(comparison))
            .with_known("each", JsonValue::from_entries(comparison.each.iter().map(one))),
    )
}

/// The design first, then the baselines in the order asked for; one of `against` for each of
/// those.
fn baselines_json(comparison: &Comparison) -> JsonObject {
    let contenders = comparison.contenders.iter();
    let baselines = contenders.map(|result| plan_json(&result.name, &result.plan));
    let designs = std::iter::once(plan_json("design", &comparison.design)).chain(baselines);
    JsonObject::new()
        .with_list("designs", designs)
        .with("against", list_json(AGAINST_COLUMNS, &comparison.contenders))
        .with_list("missing", comparison.missing.iter().map(ToString::to_string))
        .with("attribution", comparison.attribution.as_ref().map(attribution_json))
}

/// How the design compares with a baseline; savings without a unit are shares of the baseline.
const AGAINST_COLUMNS: &[ListColumn<BaselineResult>] = &[
    json_column("baseline", |result| result.baseline.to_string().into()),
    json_column("name", |result| (&result.name).into()),
    json_column("network_capex_saving", |result| result.against.network_capex_share.into()),
    json_column("network_capex_saving_usd", |result| result.against.network_capex_saving.into()),
    known_column("network_capex_saving_range_usd", |result| {
        result.against.network_capex_saving_range.map(range_json).into()
    }),
    json_column("capex_saving_usd", |result| result.against.capex_saving.into()),
    json_column("power_saving", |result| {
        let power = result.plan.cost.network_power;
        (power.get() > 0.0).then(|| result.against.power_saving / power).into()
    }),
    json_column("power_saving_w", |result| result.against.power_saving.into()),
    json_column("slowdown", |result| result.against.slowdown.into()),
    json_column("usd_per_million_tokens_saving", |result| {
        result.against.usd_per_million_tokens_saving.into()
    }),
    known_column("usd_per_million_tokens_saving_interval", |result| {
        result.against.usd_per_million_tokens_saving_interval.map(range_json).into()
    }),
    json_column("usd_per_million_tokens_intervals_overlap", |result| {
        result.against.intervals_overlap.into()
    }),
    known_column("present_value_saving_usd", |result| result.against.present_value_saving.into()),
    // Parts without a price that keep savings in dollars from saying which is cheaper.
    known_column("unpriced", |result| JsonValue::from_entries(result.against.unpriced.clone())),
    // Limits of the spec that the baseline breaks.
    known_column("breaks", |result| {
        JsonValue::from_entries(
            result.breaks.iter().map(|broken| row_json(BROKEN_LIMIT_COLUMNS, broken)),
        )
    }),
];

/// Limits that a baseline breaks, in the unit of their key.
const BROKEN_LIMIT_COLUMNS: &[ListColumn<LimitMove>] = &[
    json_column("limit", |broken| (&broken.limit).into()),
    json_column("has", |broken| broken.has.scalar().into()),
    json_column("needs", |broken| broken.needs.scalar().into()),
];

/// Where the saving against the paper's Clos comes from.
fn attribution_json(attribution: &Attribution) -> JsonObject {
    JsonObject::new()
        .with("contributions", list_json(CONTRIBUTION_COLUMNS, &attribution.contributions))
        .with("planes", attribution.planes)
        .with("clos_tiers", attribution.clos_tiers)
        .with("rail_tiers", attribution.rail_tiers)
        .with("rails_share", attribution.rails_share)
        .with("sentence", attribution.to_string())
}

const CONTRIBUTION_COLUMNS: &[ListColumn<Contribution>] = &[
    json_column("cause", |contribution| contribution.cause.name().into()),
    json_column("saving_usd", |contribution| contribution.saving.into()),
];

/// The last case on machines with half of the interfaces.
const FEWER_NICS_COLUMNS: &[ListColumn<FewerNics>] = &[
    json_column("node", |fewer| (&fewer.node).into()),
    json_column("nics", |fewer| fewer.nics.into()),
    json_column("capex_usd", |fewer| fewer.plan.as_ref().ok().map(|plan| plan.cost.capex).into()),
    json_column("step_s", |fewer| {
        fewer.plan.as_ref().ok().map(|plan| plan.step.time.total_time()).into()
    }),
    json_column("usd_per_million_tokens", |fewer| {
        fewer.plan.as_ref().ok().map(|plan| plan.cost.usd_per_million_tokens).into()
    }),
    json_column("why_no_design", |fewer| fewer.plan.as_ref().err().map(ToString::to_string).into()),
];

/// The cases of all clusters together as pretty JSON.
pub(in crate::report) fn technique_cases_json(studies: &TechniqueStudies) -> String {
    let cases = studies.each.first().map_or(&[][..], |(_, study)| &study.cases);
    let case = |(case, whole): (&TechniqueCase, &ClustersCase)| {
        let plan = whole.plan.as_ref();
        JsonObject::new()
            .with("name", name_of(case))
            .with_list("techniques", case.on.iter().map(|technique| technique.key()))
            .with("network_capex_usd", plan.ok().map(|plan| plan.cost.network_capex))
            .with("capex_usd", plan.ok().map(|plan| plan.cost.capex))
            .with("why_no_design", plan.err().map(ToString::to_string))
    };
    let joint: Vec<JsonObject> = cases.iter().zip(&studies.whole).map(case).collect();
    super::write(&joint)
}

/// The study as pretty JSON; the case without the techniques first.
pub(in crate::report) fn technique_study_json(study: &TechniqueStudy) -> String {
    // What one replica exchanges under DeMo.
    let demo = study.demo.as_ref().map(|exchange| {
        JsonObject::new()
            .with("replicas", exchange.replicas)
            .with("own_payload_bytes", exchange.payload)
            .with("received_bytes", exchange.received)
            .with("ring_all_reduce_bytes", exchange.ring)
            .with("break_even_replicas", exchange.break_even)
    });
    let fewer_nics = study.fewer_nics.as_ref().map(|fewer| row_json(FEWER_NICS_COLUMNS, fewer));
    super::write(
        &JsonObject::with_schema("planner/compare-with/1")
            .with("name", &study.name)
            .with("step_limit_s", study.limit.map(|(limit, _)| limit))
            .with("step_limit_of", study.limit.map(|(_, says)| says))
            .with_list("cases", study.cases.iter().map(case_json))
            .with("demo", demo)
            .with_known("fewer_nics", fewer_nics)
            .with("assumptions", list_json(ASSUMPTION_COLUMNS, &study.notes)),
    )
}

/// A case: one step on a network that never blocks, and the cheapest design.
fn case_json(case: &TechniqueCase) -> JsonObject {
    let answer = case.step.as_ref().map(|step_plan| FigureSource {
        layout: Some(&step_plan.layout),
        micro_batches: Some(step_plan.step.micro_batches),
        time: Some(&step_plan.step.time),
        memory: Some(&step_plan.memory),
        memory_capacity: Some(step_plan.memory_capacity),
        traffic: Some(&step_plan.traffic),
        ..FigureSource::default()
    });
    let figures = |section| answer.as_ref().map(|answer| section_figures(section, answer));
    let design = case.plan.as_ref();
    JsonObject::new()
        .with("name", name_of(case))
        .with_list("techniques", case.on.iter().map(|technique| technique.key()))
        .with("pipeline_free", matches!(case.freed, Freed::Stages | Freed::Memory | Freed::Degrees))
        // What of the stated layout is left to the planner.
        .with("freed", case.freed.name())
        .with("layout", figures("layout"))
        .with("step", figures("step"))
        .with("memory", figures("memory"))
        .with("traffic", figures("traffic"))
        .with("design", design.ok().map(|plan| plan_json(&name_of(case), plan)))
        .with("why_no_design", design.err().map(ToString::to_string))
}

/// The designs as pretty JSON: figures by their dotted keys.
pub(in crate::report) fn side_by_side(sheet: &SideBySide<'_>) -> String {
    let figure = |snapshot: &Snapshot, key: &str| -> JsonValue {
        match snapshot.words.get(key) {
            Some(word) => word.into(),
            None => snapshot.figures.get(key).copied().into(),
        }
    };
    let design = |(file, snapshot): &(&str, &Snapshot)| {
        let figures = sheet
            .figure_rows()
            .fold(JsonObject::new(), |object, row| object.with(row.key, figure(snapshot, row.key)));
        JsonObject::new()
            .with("file", (*file).to_owned())
            .with("name", &snapshot.name)
            .with("figures", figures)
    };
    super::write(
        &JsonObject::with_schema("planner/side-by-side/1")
            .with_list("designs", sheet.all.iter().map(design)),
    )
}
