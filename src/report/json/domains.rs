//! `planner domain` as programs read it.

use serde::Serialize;

use super::super::number::exact_number;
use super::body::WarningJson;
use crate::sweep::{DomainDesign, DomainPoint, DomainSizes};
use crate::units::Usd;

#[derive(Serialize)]
struct DomainsJson<'a> {
    schema: &'static str,
    name: &'a str,
    answers: Vec<BestDomainSize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningJson>,
    points: Vec<DomainPointJson<'a>>,
}

/// The best size of a cluster.
#[derive(Serialize)]
struct BestDomainSize {
    gpus: u32,
    cheapest_domain_gpus: Option<u32>,
    usd_per_million_tokens: Option<f64>,
    knee_domain_gpus: Option<u32>,
}

#[derive(Serialize)]
struct DomainPointJson<'a> {
    gpus: u32,
    domain_gpus: u32,
    node: &'a str,
    gpus_lost: u32,
    chips: Option<u32>,
    hb_usd_per_gpu: Option<f64>,
    hb_usd_per_gpu_low: Option<f64>,
    hb_usd_per_gpu_high: Option<f64>,
    worth_usd_per_gpu: Option<f64>,
    #[serde(flatten)]
    design: Option<DomainDesignJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impossible: Option<&'a str>,
}

#[derive(Serialize)]
struct DomainDesignJson {
    tensor: u32,
    pipeline: u32,
    data: u32,
    step_s: f64,
    goodput_share: Option<f64>,
    stranded_share: Option<f64>,
    machine_usd_per_gpu: Option<f64>,
    network_usd_per_gpu: f64,
    usd_per_million_tokens: Option<f64>,
}

impl From<&DomainDesign> for DomainDesignJson {
    fn from(design: &DomainDesign) -> Self {
        let [tensor, pipeline, data] = design.layout;
        let money = |amount: Option<Usd>| amount.map(|amount| exact_number(amount.get()));
        Self {
            tensor,
            pipeline,
            data,
            step_s: exact_number(design.step.get()),
            goodput_share: design.goodput.map(exact_number),
            stranded_share: design.stranded.map(exact_number),
            machine_usd_per_gpu: money(design.machine),
            network_usd_per_gpu: exact_number(design.network.get()),
            usd_per_million_tokens: money(design.per_token),
        }
    }
}

/// The sizes as pretty JSON.
pub(in super::super) fn domain_sizes_json(sizes: &DomainSizes) -> String {
    let answers = sizes.cluster_sizes().into_iter().map(|gpus| BestDomainSize {
        gpus,
        cheapest_domain_gpus: sizes.cheapest_point(gpus).map(|(point, _)| point.domain),
        usd_per_million_tokens: sizes
            .cheapest_point(gpus)
            .map(|(_, cost)| exact_number(cost.get())),
        knee_domain_gpus: sizes.knee_point(gpus).map(|point| point.domain),
    });
    super::write(&DomainsJson {
        schema: "planner/domain/1",
        name: &sizes.name,
        answers: answers.collect(),
        warnings: sizes.warnings.iter().map(WarningJson::new).collect(),
        points: sizes.points.iter().map(|point| self::domain_point_json(sizes, point)).collect(),
    })
}

fn domain_point_json<'a>(all: &DomainSizes, point: &'a DomainPoint) -> DomainPointJson<'a> {
    let each = |amount: Usd| exact_number(amount.get() / f64::from(point.domain.max(1)));
    DomainPointJson {
        gpus: point.gpus,
        domain_gpus: point.domain,
        node: &point.node,
        gpus_lost: point.lost,
        chips: point.chips,
        hb_usd_per_gpu: point.hb.map(|cost| each(cost.amount)),
        hb_usd_per_gpu_low: point.hb.map(|cost| each(cost.low)),
        hb_usd_per_gpu_high: point.hb.map(|cost| each(cost.high)),
        worth_usd_per_gpu: all.break_even(point).map(|worth| exact_number(worth.get())),
        design: point.outcome.as_ref().ok().map(Into::into),
        impossible: point.outcome.as_ref().err().map(String::as_str),
    }
}
