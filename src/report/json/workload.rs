//! One of several workloads of a cluster, as programs read it.

use serde::Serialize;

use super::super::number::exact;
use super::figures::Figures;
use crate::design::{Plan, WorkloadPlan};
use crate::quantity::Answer;

/// One of several workloads.
#[derive(Serialize)]
pub(super) struct Workload {
    name: String,
    share: f64,
    layout: Figures,
    step: Figures,
    memory: Figures,
    traffic: Figures,
    training_days: Option<f64>,
}

impl Workload {
    pub(super) fn new(of: &WorkloadPlan, plan: &Plan) -> Self {
        let answer = Answer {
            nodes: Some(&plan.nodes),
            layout: Some(&of.layout),
            micro_batches: Some(of.step.micro_batches),
            time: Some(&of.step.time),
            step: Some(&of.step),
            memory: Some(&of.memory),
            memory_capacity: Some(plan.memory_capacity),
            traffic: Some(&of.traffic),
            ..Answer::default()
        };
        let figures = |section| Figures::of(section, &answer);
        Self {
            name: of.name.clone(),
            share: exact(of.share),
            layout: figures("layout"),
            step: figures("step"),
            memory: figures("memory"),
            traffic: figures("traffic"),
            training_days: of.training_days.map(exact),
        }
    }
}
