//! `planner compare` as programs read it.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::bill::range_ends;
use super::common::{AssumptionJson, Figures};
use super::plan::PlanJson;
use crate::compare::{
    Attribution, BaselineResult, ClustersCase, Comparison, FewerNics, Freed, TechniqueCase,
    TechniqueStudies, TechniqueStudy,
};
use crate::design::LimitMove;
use crate::gate::Snapshot;
use crate::quantity::FigureSource;
use crate::report::sheet::{SideBySide, case_name as name_of};
use crate::report::words::exact_number;
use crate::units::Usd;

#[derive(Serialize)]
struct CompareJson {
    schema: &'static str,
    name: String,
    #[serde(flatten)]
    whole: BaselineJson,
    /// Of several clusters each by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    each: Vec<ComparedDesign>,
}

/// One of several clusters.
#[derive(Serialize)]
struct ComparedDesign {
    name: String,
    #[serde(flatten)]
    beside: BaselineJson,
}

#[derive(Serialize)]
struct BaselineJson {
    /// The design first, then the baselines in the order asked for.
    designs: Vec<PlanJson>,
    /// One for each design but the first.
    against: Vec<DifferenceJson>,
    missing: Vec<String>,
    attribution: Option<SavingOrigin>,
}

/// How the design compares with a baseline; savings without a unit are shares of the baseline.
#[derive(Serialize)]
struct DifferenceJson {
    baseline: String,
    name: String,
    network_capex_saving: Option<f64>,
    network_capex_saving_usd: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    network_capex_saving_range_usd: Option<[f64; 2]>,
    capex_saving_usd: f64,
    power_saving: Option<f64>,
    power_saving_w: f64,
    slowdown: f64,
    usd_per_million_tokens_saving: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usd_per_million_tokens_saving_interval: Option<[f64; 2]>,
    usd_per_million_tokens_intervals_overlap: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    present_value_saving_usd: Option<f64>,
    /// Parts without a price that keep savings in dollars from saying which is cheaper.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unpriced: Vec<String>,
    /// Limits of the spec that the baseline breaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    breaks: Vec<Broken>,
}

/// A limit that a baseline breaks, in the unit of its key.
#[derive(Serialize)]
struct Broken {
    limit: String,
    has: f64,
    needs: f64,
}

/// Where the saving against the paper's Clos comes from.
#[derive(Serialize)]
struct SavingOrigin {
    contributions: Vec<Contribution>,
    planes: u32,
    clos_tiers: usize,
    rail_tiers: usize,
    rails_share: f64,
    sentence: String,
}

#[derive(Serialize)]
struct Contribution {
    cause: &'static str,
    saving_usd: f64,
}

/// The comparison as pretty JSON.
pub(in crate::report) fn comparison_json(comparison: &Comparison) -> String {
    let one = |this_comparison: &Comparison| ComparedDesign {
        name: this_comparison.design.name.clone(),
        beside: BaselineJson::new(this_comparison),
    };
    super::write(&CompareJson {
        schema: "planner/compare/1",
        name: comparison.design.name.clone(),
        whole: BaselineJson::new(comparison),
        each: comparison.each.iter().map(one).collect(),
    })
}

impl BaselineJson {
    fn new(comparison: &Comparison) -> Self {
        let mut designs = vec![PlanJson::from_named_plan("design", &comparison.design)];
        designs.extend(
            comparison
                .contenders
                .iter()
                .map(|result| PlanJson::from_named_plan(&result.name, &result.plan)),
        );
        Self {
            designs,
            against: comparison.contenders.iter().map(DifferenceJson::new).collect(),
            missing: comparison.missing.iter().map(ToString::to_string).collect(),
            attribution: comparison.attribution.as_ref().map(SavingOrigin::new),
        }
    }
}

impl DifferenceJson {
    fn new(contender: &BaselineResult) -> Self {
        let difference = &contender.against;
        let power = contender.plan.cost.network_power;
        Self {
            baseline: contender.baseline.to_string(),
            name: contender.name.clone(),
            network_capex_saving: difference.network_capex_share.map(exact_number),
            network_capex_saving_usd: exact_number(difference.network_capex_saving.get()),
            network_capex_saving_range_usd: difference.network_capex_saving_range.map(range_ends),
            capex_saving_usd: exact_number(difference.capex_saving.get()),
            power_saving: (power.get() > 0.0)
                .then(|| exact_number(difference.power_saving / power)),
            power_saving_w: exact_number(difference.power_saving.get()),
            slowdown: exact_number(difference.slowdown),
            usd_per_million_tokens_saving: difference
                .usd_per_million_tokens_saving
                .map(Usd::get)
                .map(exact_number),
            usd_per_million_tokens_saving_interval: difference
                .usd_per_million_tokens_saving_interval
                .map(range_ends),
            usd_per_million_tokens_intervals_overlap: difference.intervals_overlap,
            present_value_saving_usd: difference
                .present_value_saving
                .map(|usd| exact_number(usd.get())),
            unpriced: difference.unpriced.clone(),
            breaks: contender.breaks.iter().map(Broken::new).collect(),
        }
    }
}

impl Broken {
    fn new(limit_move: &LimitMove) -> Self {
        let [has, needs] =
            [&limit_move.has, &limit_move.needs].map(|amount| exact_number(amount.scalar()));
        Self { limit: limit_move.limit.clone(), has, needs }
    }
}

impl SavingOrigin {
    fn new(attribution: &Attribution) -> Self {
        Self {
            contributions: attribution
                .contributions
                .iter()
                .map(|contribution| Contribution {
                    cause: contribution.cause.name(),
                    saving_usd: exact_number(contribution.saving.get()),
                })
                .collect(),
            planes: attribution.planes,
            clos_tiers: attribution.clos_tiers,
            rail_tiers: attribution.rail_tiers,
            rails_share: exact_number(attribution.rails_share),
            sentence: attribution.to_string(),
        }
    }
}

#[derive(Serialize)]
struct TechniquesJson {
    schema: &'static str,
    name: String,
    step_limit_s: Option<f64>,
    step_limit_of: Option<&'static str>,
    /// Without the techniques first.
    cases: Vec<CaseSheet>,
    demo: Option<DemoExchange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fewer_nics: Option<Fewer>,
    assumptions: Vec<AssumptionJson>,
}

/// A case: one step on a network that never blocks, and the cheapest design.
#[derive(Serialize)]
struct CaseSheet {
    name: String,
    techniques: Vec<&'static str>,
    pipeline_free: bool,
    /// What of the stated layout is left to the planner.
    freed: &'static str,
    layout: Option<Figures>,
    step: Option<Figures>,
    memory: Option<Figures>,
    traffic: Option<Figures>,
    design: Option<PlanJson>,
    why_no_design: Option<String>,
}

/// What one replica exchanges under DeMo.
#[derive(Serialize)]
struct DemoExchange {
    replicas: u32,
    own_payload_bytes: u128,
    received_bytes: u128,
    ring_all_reduce_bytes: u128,
    break_even_replicas: f64,
}

/// The last case on machines with half of the interfaces.
#[derive(Serialize)]
struct Fewer {
    node: String,
    nics: u32,
    capex_usd: Option<f64>,
    step_s: Option<f64>,
    usd_per_million_tokens: Option<f64>,
    why_no_design: Option<String>,
}

impl Fewer {
    fn new(fewer: &FewerNics) -> Self {
        let plan = fewer.plan.as_ref().ok();
        let tokens = plan.and_then(|plan| plan.cost.usd_per_million_tokens);
        Self {
            node: fewer.node.clone(),
            nics: fewer.nics,
            capex_usd: plan.map(|plan| exact_number(plan.cost.capex.get())),
            step_s: plan.map(|plan| exact_number(plan.step.time.total_time().get())),
            usd_per_million_tokens: tokens.map(|usd| exact_number(usd.get())),
            why_no_design: fewer.plan.as_ref().err().map(ToString::to_string),
        }
    }
}

/// A case of all clusters.
#[derive(Serialize)]
struct JointCase {
    name: String,
    techniques: Vec<&'static str>,
    network_capex_usd: Option<f64>,
    capex_usd: Option<f64>,
    why_no_design: Option<String>,
}

/// The cases of all clusters together as pretty JSON.
pub(in crate::report) fn technique_cases_json(studies: &TechniqueStudies) -> String {
    let cases = studies.each.first().map_or(&[][..], |(_, study)| &study.cases);
    let case = |(case, whole): (&TechniqueCase, &ClustersCase)| JointCase {
        name: name_of(case),
        techniques: case.on.iter().map(|technique| technique.key()).collect(),
        network_capex_usd: whole
            .plan
            .as_ref()
            .ok()
            .map(|plan| exact_number(plan.cost.network_capex.get())),
        capex_usd: whole.plan.as_ref().ok().map(|plan| exact_number(plan.cost.capex.get())),
        why_no_design: whole.plan.as_ref().err().map(ToString::to_string),
    };
    super::write(&cases.iter().zip(&studies.whole).map(case).collect::<Vec<_>>())
}

/// The study as pretty JSON.
pub(in crate::report) fn technique_study_json(study: &TechniqueStudy) -> String {
    super::write(&TechniquesJson {
        schema: "planner/compare-with/1",
        name: study.name.clone(),
        step_limit_s: study.limit.map(|(limit, _)| exact_number(limit.get())),
        step_limit_of: study.limit.map(|(_, says)| says),
        cases: study.cases.iter().map(CaseSheet::new).collect(),
        demo: study.demo.as_ref().map(|exchange| DemoExchange {
            replicas: exchange.replicas,
            own_payload_bytes: exchange.payload.count(),
            received_bytes: exchange.received.count(),
            ring_all_reduce_bytes: exchange.ring.count(),
            break_even_replicas: exact_number(exchange.break_even),
        }),
        fewer_nics: study.fewer_nics.as_ref().map(Fewer::new),
        assumptions: study.notes.iter().map(AssumptionJson::new).collect(),
    })
}

impl CaseSheet {
    fn new(case: &TechniqueCase) -> Self {
        let answer = case.step.as_ref().map(|step_plan| FigureSource {
            layout: Some(&step_plan.layout),
            micro_batches: Some(step_plan.step.micro_batches),
            time: Some(&step_plan.step.time),
            memory: Some(&step_plan.memory),
            memory_capacity: Some(step_plan.memory_capacity),
            traffic: Some(&step_plan.traffic),
            ..FigureSource::default()
        });
        let figures =
            |section| answer.as_ref().map(|answer| Figures::section_figures(section, answer));
        Self {
            name: name_of(case),
            techniques: case.on.iter().map(|technique| technique.key()).collect(),
            pipeline_free: matches!(case.freed, Freed::Stages | Freed::Memory | Freed::Degrees),
            freed: case.freed.name(),
            layout: figures("layout"),
            step: figures("step"),
            memory: figures("memory"),
            traffic: figures("traffic"),
            design: case
                .plan
                .as_ref()
                .ok()
                .map(|plan| PlanJson::from_named_plan(&name_of(case), plan)),
            why_no_design: case.plan.as_ref().err().map(ToString::to_string),
        }
    }
}

#[derive(Serialize)]
struct SideBySideJson {
    schema: &'static str,
    designs: Vec<DesignColumn>,
}

#[derive(Serialize)]
struct DesignColumn {
    file: String,
    name: String,
    figures: Map<String, Value>,
}

/// The designs as pretty JSON: figures by their dotted keys.
pub(in crate::report) fn side_by_side(sheet: &SideBySide<'_>) -> String {
    let value =
        |snapshot: &Snapshot, key: &str| match (snapshot.words.get(key), snapshot.figures.get(key))
        {
            (Some(word), _) => json!(word),
            (None, Some(figure)) => json!(exact_number(*figure)),
            (None, None) => Value::Null,
        };
    let design = |(file, snapshot): &(&str, &Snapshot)| DesignColumn {
        file: (*file).to_owned(),
        name: snapshot.name.clone(),
        figures: sheet
            .figure_rows()
            .map(|row| (row.key.to_owned(), value(snapshot, row.key)))
            .collect(),
    };
    super::write(&SideBySideJson {
        schema: "planner/side-by-side/1",
        designs: sheet.all.iter().map(design).collect(),
    })
}
