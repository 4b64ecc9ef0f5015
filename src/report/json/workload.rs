//! One of several workloads of a cluster, as programs read it.

use serde::Serialize;

use super::super::number::exact_number;
use super::figures::Figures;
use crate::design::{Plan, WorkloadPlan};
use crate::quantity::FigureSource;
use crate::units::Usd;

/// One of several workloads.
#[derive(Serialize)]
pub(super) struct WorkloadJson {
    name: String,
    share: f64,
    model: Figures,
    layout: Figures,
    step: Figures,
    memory: Figures,
    traffic: Figures,
    training_days: Option<f64>,
    usd_per_million_tokens: Option<f64>,
}

impl WorkloadJson {
    pub(super) fn new(workload_plan: &WorkloadPlan, plan: &Plan) -> Self {
        let answer = FigureSource::from_workload(workload_plan, plan);
        let figures = |section| Figures::section_figures(section, &answer);
        Self {
            name: workload_plan.name.clone(),
            share: exact_number(workload_plan.share),
            model: figures("model"),
            layout: figures("layout"),
            step: figures("step"),
            memory: figures("memory"),
            traffic: figures("traffic"),
            training_days: workload_plan.training_days.map(exact_number),
            usd_per_million_tokens: plan
                .usd_per_million_tokens_of(workload_plan)
                .map(Usd::get)
                .map(exact_number),
        }
    }
}
