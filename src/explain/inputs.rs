//! Inputs that several families share, each with its origin. One function an input, so that a
//! name, its value and where it comes from stand in one place.

use std::borrow::Cow;

use super::explanation::{ExplainedInput, InputOrigin};
use crate::design::Plan;
use crate::hardware::{Calibration, Gpu};
use crate::scenario::Scenario;
use crate::step::Step;
use crate::units::Amount;
use crate::workload::Technique;

/// The question and its answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) plan: &'a Plan,
    /// The step of the leading workload in the layout of the plan.
    pub(super) step: Option<&'a Step>,
}

/// An input from anywhere.
pub(super) fn explained_input(
    name: impl Into<String>,
    value: Amount,
    origin: InputOrigin,
) -> ExplainedInput {
    ExplainedInput { name: name.into(), value, origin }
}

/// Another quantity as an input.
pub(super) fn quantity_input(
    name: &str,
    key: impl Into<Cow<'static, str>>,
    value: Amount,
) -> ExplainedInput {
    explained_input(name, value, InputOrigin::Quantity(key.into()))
}

/// A switch of a spec.
pub(super) fn switch_input(value: bool) -> Amount {
    Amount::from_word(if value { "true" } else { "false" })
}

impl Facts<'_> {
    pub(super) const fn gpu(&self) -> &Gpu {
        &self.plan.nodes.node.gpu
    }

    /// True where the technique is on.
    pub(super) fn has_technique(&self, technique: Technique) -> bool {
        self.scenario.workload.techniques.has_technique(technique)
    }

    fn calibration(&self) -> &Calibration {
        &self.gpu().calibration
    }

    /// An entry of the model.
    pub(super) fn model_entry(
        &self,
        name: &str,
        entry: &'static str,
        value: Amount,
    ) -> ExplainedInput {
        explained_input(
            name,
            value,
            preset_origin("model", &self.scenario.workload.model.name, entry),
        )
    }

    /// An entry of the GPU's data sheet.
    pub(super) fn data_sheet_entry(
        &self,
        name: &str,
        entry: &'static str,
        value: Amount,
    ) -> ExplainedInput {
        explained_input(name, value, preset_origin("gpu", &self.gpu().name, entry))
    }

    /// An entry of the HB-domain product.
    pub(super) fn node_entry(
        &self,
        name: &str,
        entry: &'static str,
        value: Amount,
    ) -> ExplainedInput {
        explained_input(name, value, preset_origin("node", &self.plan.nodes.node.name, entry))
    }

    /// A setting of the training stack.
    pub(super) fn framework_setting(
        &self,
        name: &str,
        entry: &'static str,
        value: Amount,
    ) -> ExplainedInput {
        explained_input(
            name,
            value,
            preset_origin("framework", &self.scenario.workload.framework.name, entry),
        )
    }

    /// A constant of the step-time model.
    pub(super) fn calibrated_constant(
        &self,
        name: &str,
        entry: &'static str,
        value: impl Fn(&Calibration) -> Amount,
    ) -> ExplainedInput {
        let calibration = self.calibration();
        explained_input(
            name,
            value(calibration),
            preset_origin("calibration", &calibration.name, entry),
        )
    }

    /// A rate of the step-time model, which is a share of peak where nobody measured the GPU.
    pub(super) fn calibrated_rate(
        &self,
        name: &str,
        entry: &'static str,
        value: impl Fn(&Calibration) -> Amount,
    ) -> ExplainedInput {
        match self.calibration().shares_of {
            None => self.calibrated_constant(name, entry, value),
            Some(_) => explained_input(
                name,
                value(self.calibration()),
                InputOrigin::Assumed(
                    "the GPU's own peak times the share of peak that the measured GPU of the \
                     calibration reaches",
                ),
            ),
        }
    }

    pub(super) fn gpus(&self) -> ExplainedInput {
        let count = Amount::from_count(self.plan.nodes.gpus);
        explained_input("GPUs N", count, InputOrigin::Spec("cluster.gpus"))
    }

    pub(super) fn domain_gpus(&self) -> ExplainedInput {
        self.node_entry(
            "GPUs of an HB domain K",
            "gpus",
            Amount::from_count(self.plan.nodes.node.gpus),
        )
    }

    pub(super) fn domain_count(&self) -> ExplainedInput {
        let count = Amount::from_count(self.plan.nodes.domains);
        let origin = InputOrigin::Found("GPUs over those of a domain, rounded up");
        explained_input("HB domains M", count, origin)
    }

    /// HB domains that the network joins.
    pub(super) fn networked_domains(&self) -> ExplainedInput {
        let origin = InputOrigin::Found("HB domains, and those on standby that have ports");
        explained_input(
            "HB domains M with ports",
            Amount::from_count(self.plan.nodes.cabled),
            origin,
        )
    }

    pub(super) fn standby_domains(&self) -> ExplainedInput {
        let count = Amount::from_count(self.plan.failures.year.standby.domains);
        quantity_input("standby domains S", "failures.standby_domains", count)
    }

    pub(super) fn domain_nics(&self) -> ExplainedInput {
        self.node_entry("NICs of a domain", "nics", Amount::from_count(self.plan.nodes.node.nics))
    }

    pub(super) fn planes(&self) -> ExplainedInput {
        quantity_input("planes P", "fabric.planes", Amount::from_count(self.plan.fabric.planes))
    }

    pub(super) fn gpu_hb_bandwidth(&self) -> ExplainedInput {
        let value = Amount::Bandwidth(self.plan.nodes.node.hb_bandwidth);
        self.node_entry("HB bandwidth of a GPU B_F", "hb_bandwidth", value)
    }

    pub(super) fn nic_line_rate(&self) -> ExplainedInput {
        let nic = &self.plan.nodes.nic;
        let origin = preset_origin("nic", &nic.name, "bandwidth");
        explained_input("NIC bandwidth B_S", Amount::Link(nic.bandwidth), origin)
    }

    pub(super) fn layers(&self) -> ExplainedInput {
        self.model_entry(
            "layers L",
            "layers",
            Amount::from_count(self.scenario.workload.model.layers),
        )
    }

    pub(super) fn hidden_width(&self) -> ExplainedInput {
        self.model_entry(
            "hidden width h",
            "hidden",
            Amount::from_count(self.scenario.workload.model.hidden),
        )
    }

    pub(super) fn sequence_length(&self) -> ExplainedInput {
        self.model_entry(
            "sequence length s",
            "sequence",
            Amount::from_count(self.scenario.workload.model.sequence),
        )
    }

    pub(super) fn vocabulary(&self) -> ExplainedInput {
        self.model_entry(
            "vocabulary V",
            "vocab",
            Amount::from_count(self.scenario.workload.model.vocab),
        )
    }

    pub(super) fn global_batch_size(&self) -> ExplainedInput {
        let batch = Amount::from_count(self.scenario.workload.training.global_batch);
        explained_input("global batch G", batch, InputOrigin::Spec("training.global_batch"))
    }

    pub(super) fn precision(&self) -> ExplainedInput {
        let name = Amount::from_word(self.scenario.workload.training.precision.name());
        explained_input("number format", name, InputOrigin::Spec("training.precision"))
    }

    pub(super) fn recompute(&self) -> ExplainedInput {
        let given = self.scenario.workload.layout.recompute.is_some();
        let name = Amount::from_word(self.plan.layout.recompute.name());
        explained_input("recomputation", name, setting_origin("training.recompute", given))
    }

    pub(super) fn bytes_per_activation(&self) -> ExplainedInput {
        let bytes = self.scenario.workload.training.precision.activation_bytes();
        let origin = InputOrigin::Found("follows from the number format");
        explained_input("bytes of an activation w", Amount::from_count(bytes), origin)
    }

    pub(super) fn tensor(&self) -> ExplainedInput {
        let (given, value) = (self.scenario.workload.layout.tensor, self.plan.layout.tensor);
        degree_input("tensor degree t", "parallelism.tensor", given.is_some(), value)
    }

    pub(super) fn pipeline(&self) -> ExplainedInput {
        let (given, value) = (self.scenario.workload.layout.pipeline, self.plan.layout.pipeline);
        degree_input("pipeline stages p", "parallelism.pipeline", given.is_some(), value)
    }

    pub(super) fn data_parallel(&self) -> ExplainedInput {
        let (given, value) = (self.scenario.workload.layout.data, self.plan.layout.data);
        degree_input("replicas D_p", "parallelism.data", given.is_some(), value)
    }

    pub(super) fn context(&self) -> ExplainedInput {
        let (given, value) = (self.scenario.workload.layout.context, self.plan.layout.context);
        degree_input("context degree c", "parallelism.context", given.is_some(), value)
    }

    pub(super) fn expert(&self) -> ExplainedInput {
        let (given, value) = (self.scenario.workload.layout.expert, self.plan.layout.expert);
        degree_input("expert degree e", "parallelism.expert", given.is_some(), value)
    }

    pub(super) fn interleave(&self) -> ExplainedInput {
        let (given, value) =
            (self.scenario.workload.layout.interleave, self.plan.layout.interleave);
        degree_input("virtual stages v", "parallelism.interleave", given.is_some(), value)
    }

    pub(super) fn micro_batch(&self) -> ExplainedInput {
        let given = self.scenario.workload.layout.micro_batch.is_some();
        let value = self.plan.layout.micro_batch;
        degree_input("micro-batch b", "training.micro_batch", given, value)
    }

    pub(super) fn micro_batches(&self) -> ExplainedInput {
        let count = Amount::from_count(self.plan.step.micro_batches);
        explained_input("micro-batches m", count, InputOrigin::Found("G over D_p and b"))
    }

    pub(super) fn schedule(&self) -> ExplainedInput {
        let name = Amount::from_word(self.plan.layout.schedule.name());
        explained_input("schedule", name, InputOrigin::Spec("parallelism.schedule"))
    }

    pub(super) fn zero(&self) -> ExplainedInput {
        let given = self.scenario.workload.layout.zero.is_some();
        let stage = Amount::from_count(self.plan.layout.zero.stage_number());
        explained_input("ZeRO stage", stage, setting_origin("parallelism.zero", given))
    }

    /// Replicas that share a copy of what is sharded.
    pub(super) fn shard_replicas(&self) -> ExplainedInput {
        let given = self.scenario.workload.layout.shard.is_some();
        let origin =
            if given { InputOrigin::Spec("parallelism.shard") } else { InputOrigin::Found("D_p") };
        explained_input(
            "replicas that share a copy",
            Amount::from_count(self.plan.layout.replicas_per_copy()),
            origin,
        )
    }

    pub(super) fn step_time(&self) -> ExplainedInput {
        quantity_input("step time", "step.time_s", Amount::Time(self.plan.step.time.total_time()))
    }

    /// The step time, or what phases make of it.
    pub(super) fn mean_step_time(&self) -> ExplainedInput {
        if self.plan.phases.is_empty() {
            self.step_time()
        } else {
            quantity_input("pace", "step.pace_s", Amount::Time(self.plan.step.pace))
        }
    }

    pub(super) fn step_tokens(&self) -> ExplainedInput {
        quantity_input("tokens of a step", "step.tokens", Amount::from_count(self.plan.step.tokens))
    }
}

pub(super) fn preset_origin(kind: &'static str, name: &str, entry: &'static str) -> InputOrigin {
    InputOrigin::Preset { kind, name: name.to_owned(), entry }
}

fn degree_input(
    name: &str,
    key: &'static str,
    given: bool,
    value: impl Into<u128>,
) -> ExplainedInput {
    explained_input(name, Amount::from_count(value), setting_origin(key, given))
}

/// A setting that the spec gives, or that the planner chose.
const fn setting_origin(key: &'static str, given: bool) -> InputOrigin {
    if given { InputOrigin::Spec(key) } else { InputOrigin::Chosen(key) }
}
