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
    fn from(of: &DomainDesign) -> Self {
        let [tensor, pipeline, data] = of.layout;
        let money = |amount: Option<Usd>| amount.map(|amount| exact_number(amount.get()));
        Self {
            tensor,
            pipeline,
            data,
            step_s: exact_number(of.step.get()),
            goodput_share: of.goodput.map(exact_number),
            stranded_share: of.stranded.map(exact_number),
            machine_usd_per_gpu: money(of.machine),
            network_usd_per_gpu: exact_number(of.network.get()),
            usd_per_million_tokens: money(of.per_token),
        }
    }
}

/// The sizes as pretty JSON.
pub(in super::super) fn domain_sizes_json(of: &DomainSizes) -> String {
    let answers = of.cluster_sizes().into_iter().map(|gpus| BestDomainSize {
        gpus,
        cheapest_domain_gpus: of.cheapest_point(gpus).map(|(point, _)| point.domain),
        usd_per_million_tokens: of.cheapest_point(gpus).map(|(_, cost)| exact_number(cost.get())),
        knee_domain_gpus: of.knee_point(gpus).map(|point| point.domain),
    });
    super::write(&DomainsJson {
        schema: "planner/domain/1",
        name: &of.name,
        answers: answers.collect(),
        warnings: of.warnings.iter().map(WarningJson::new).collect(),
        points: of.points.iter().map(|point| self::domain_point_json(of, point)).collect(),
    })
}

fn domain_point_json<'a>(all: &DomainSizes, of: &'a DomainPoint) -> DomainPointJson<'a> {
    let each = |amount: Usd| exact_number(amount.get() / f64::from(of.domain.max(1)));
    DomainPointJson {
        gpus: of.gpus,
        domain_gpus: of.domain,
        node: &of.node,
        gpus_lost: of.lost,
        chips: of.chips,
        hb_usd_per_gpu: of.hb.map(|cost| each(cost.amount)),
        hb_usd_per_gpu_low: of.hb.map(|cost| each(cost.low)),
        hb_usd_per_gpu_high: of.hb.map(|cost| each(cost.high)),
        worth_usd_per_gpu: all.break_even(of).map(|worth| exact_number(worth.get())),
        design: of.outcome.as_ref().ok().map(Into::into),
        impossible: of.outcome.as_ref().err().map(String::as_str),
    }
}
