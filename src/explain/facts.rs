//! Inputs that several families share, each with its origin. One function an input, so that a
//! name, its value and where it comes from stand in one place.

use std::borrow::Cow;

use super::explanation::ExplainedInput;
use super::origin::InputOrigin;
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
pub(super) fn input(name: impl Into<String>, value: Amount, origin: InputOrigin) -> ExplainedInput {
    ExplainedInput { name: name.into(), value, origin }
}

/// Another quantity as an input.
pub(super) fn quantity(
    name: &str,
    key: impl Into<Cow<'static, str>>,
    value: Amount,
) -> ExplainedInput {
    input(name, value, InputOrigin::Quantity(key.into()))
}

/// A switch of a spec.
pub(super) fn switch_input(value: bool) -> Amount {
    Amount::word(if value { "true" } else { "false" })
}

impl Facts<'_> {
    pub(super) const fn gpu(&self) -> &Gpu {
        &self.plan.nodes.node.gpu
    }

    /// True where the technique is on.
    pub(super) fn has_technique(&self, technique: Technique) -> bool {
        self.scenario.workload.techniques.has(technique)
    }

    fn calibration(&self) -> &Calibration {
        &self.gpu().calibration
    }

    /// An entry of the model.
    pub(super) fn model(&self, name: &str, entry: &'static str, value: Amount) -> ExplainedInput {
        input(name, value, preset("model", &self.scenario.workload.model.name, entry))
    }

    /// An entry of the GPU's data sheet.
    pub(super) fn sheet(&self, name: &str, entry: &'static str, value: Amount) -> ExplainedInput {
        input(name, value, preset("gpu", &self.gpu().name, entry))
    }

    /// An entry of the HB-domain product.
    pub(super) fn node(&self, name: &str, entry: &'static str, value: Amount) -> ExplainedInput {
        input(name, value, preset("node", &self.plan.nodes.node.name, entry))
    }

    /// A setting of the training stack.
    pub(super) fn framework(
        &self,
        name: &str,
        entry: &'static str,
        value: Amount,
    ) -> ExplainedInput {
        input(name, value, preset("framework", &self.scenario.workload.framework.name, entry))
    }

    /// A constant of the step-time model.
    pub(super) fn calibrated(
        &self,
        name: &str,
        entry: &'static str,
        value: impl Fn(&Calibration) -> Amount,
    ) -> ExplainedInput {
        let calibration = self.calibration();
        input(name, value(calibration), preset("calibration", &calibration.name, entry))
    }

    /// A rate of the step-time model, which is a share of peak where nobody measured the GPU.
    pub(super) fn rate(
        &self,
        name: &str,
        entry: &'static str,
        value: impl Fn(&Calibration) -> Amount,
    ) -> ExplainedInput {
        match self.calibration().shares_of {
            None => self.calibrated(name, entry, value),
            Some(_) => input(
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
        let count = Amount::count(self.plan.nodes.gpus);
        input("GPUs N", count, InputOrigin::Spec("cluster.gpus"))
    }

    pub(super) fn domain(&self) -> ExplainedInput {
        self.node("GPUs of an HB domain K", "gpus", Amount::count(self.plan.nodes.node.gpus))
    }

    pub(super) fn domains(&self) -> ExplainedInput {
        let count = Amount::count(self.plan.nodes.domains);
        let origin = InputOrigin::Found("GPUs over those of a domain, rounded up");
        input("HB domains M", count, origin)
    }

    /// HB domains that the network joins.
    pub(super) fn cabled(&self) -> ExplainedInput {
        let origin = InputOrigin::Found("HB domains, and those on standby that have ports");
        input("HB domains M with ports", Amount::count(self.plan.nodes.cabled), origin)
    }

    pub(super) fn standby(&self) -> ExplainedInput {
        let count = Amount::count(self.plan.failures.year.standby.domains);
        quantity("standby domains S", "failures.standby_domains", count)
    }

    pub(super) fn nics(&self) -> ExplainedInput {
        self.node("NICs of a domain", "nics", Amount::count(self.plan.nodes.node.nics))
    }

    pub(super) fn planes(&self) -> ExplainedInput {
        quantity("planes P", "fabric.planes", Amount::count(self.plan.fabric.planes))
    }

    pub(super) fn hb(&self) -> ExplainedInput {
        let value = Amount::Bandwidth(self.plan.nodes.node.hb_bandwidth);
        self.node("HB bandwidth of a GPU B_F", "hb_bandwidth", value)
    }

    pub(super) fn nic(&self) -> ExplainedInput {
        let nic = &self.plan.nodes.nic;
        let origin = preset("nic", &nic.name, "bandwidth");
        input("NIC bandwidth B_S", Amount::Link(nic.bandwidth), origin)
    }

    pub(super) fn layers(&self) -> ExplainedInput {
        self.model("layers L", "layers", Amount::count(self.scenario.workload.model.layers))
    }

    pub(super) fn hidden_width(&self) -> ExplainedInput {
        self.model("hidden width h", "hidden", Amount::count(self.scenario.workload.model.hidden))
    }

    pub(super) fn sequence(&self) -> ExplainedInput {
        self.model(
            "sequence length s",
            "sequence",
            Amount::count(self.scenario.workload.model.sequence),
        )
    }

    pub(super) fn vocabulary(&self) -> ExplainedInput {
        self.model("vocabulary V", "vocab", Amount::count(self.scenario.workload.model.vocab))
    }

    pub(super) fn batch(&self) -> ExplainedInput {
        let batch = Amount::count(self.scenario.workload.training.global_batch);
        input("global batch G", batch, InputOrigin::Spec("training.global_batch"))
    }

    pub(super) fn precision(&self) -> ExplainedInput {
        let name = Amount::word(self.scenario.workload.training.precision.name());
        input("number format", name, InputOrigin::Spec("training.precision"))
    }

    pub(super) fn recompute(&self) -> ExplainedInput {
        let given = self.scenario.workload.layout.recompute.is_some();
        let name = Amount::word(self.plan.layout.recompute.name());
        input("recomputation", name, chosen("training.recompute", given))
    }

    pub(super) fn element(&self) -> ExplainedInput {
        let bytes = self.scenario.workload.training.precision.activation_bytes();
        let origin = InputOrigin::Found("follows from the number format");
        input("bytes of an activation w", Amount::count(bytes), origin)
    }

    pub(super) fn tensor(&self) -> ExplainedInput {
        let (given, value) = (self.scenario.workload.layout.tensor, self.plan.layout.tensor);
        degree("tensor degree t", "parallelism.tensor", given.is_some(), value)
    }

    pub(super) fn pipeline(&self) -> ExplainedInput {
        let (given, value) = (self.scenario.workload.layout.pipeline, self.plan.layout.pipeline);
        degree("pipeline stages p", "parallelism.pipeline", given.is_some(), value)
    }

    pub(super) fn data_parallel(&self) -> ExplainedInput {
        let (given, value) = (self.scenario.workload.layout.data, self.plan.layout.data);
        degree("replicas D_p", "parallelism.data", given.is_some(), value)
    }

    pub(super) fn context(&self) -> ExplainedInput {
        let (given, value) = (self.scenario.workload.layout.context, self.plan.layout.context);
        degree("context degree c", "parallelism.context", given.is_some(), value)
    }

    pub(super) fn expert(&self) -> ExplainedInput {
        let (given, value) = (self.scenario.workload.layout.expert, self.plan.layout.expert);
        degree("expert degree e", "parallelism.expert", given.is_some(), value)
    }

    pub(super) fn interleave(&self) -> ExplainedInput {
        let (given, value) =
            (self.scenario.workload.layout.interleave, self.plan.layout.interleave);
        degree("virtual stages v", "parallelism.interleave", given.is_some(), value)
    }

    pub(super) fn micro_batch(&self) -> ExplainedInput {
        let given = self.scenario.workload.layout.micro_batch.is_some();
        let value = self.plan.layout.micro_batch;
        degree("micro-batch b", "training.micro_batch", given, value)
    }

    pub(super) fn micro_batches(&self) -> ExplainedInput {
        let count = Amount::count(self.plan.step.micro_batches);
        input("micro-batches m", count, InputOrigin::Found("G over D_p and b"))
    }

    pub(super) fn schedule(&self) -> ExplainedInput {
        let name = Amount::word(self.plan.layout.schedule.name());
        input("schedule", name, InputOrigin::Spec("parallelism.schedule"))
    }

    pub(super) fn zero(&self) -> ExplainedInput {
        let given = self.scenario.workload.layout.zero.is_some();
        let stage = Amount::count(self.plan.layout.zero.stage());
        input("ZeRO stage", stage, chosen("parallelism.zero", given))
    }

    /// Replicas that share a copy of what is sharded.
    pub(super) fn shard(&self) -> ExplainedInput {
        let given = self.scenario.workload.layout.shard.is_some();
        let origin =
            if given { InputOrigin::Spec("parallelism.shard") } else { InputOrigin::Found("D_p") };
        input(
            "replicas that share a copy",
            Amount::count(self.plan.layout.replicas_per_copy()),
            origin,
        )
    }

    pub(super) fn step_time(&self) -> ExplainedInput {
        quantity("step time", "step.time_s", Amount::Time(self.plan.step.time.total()))
    }

    /// The step time, or what phases make of it.
    pub(super) fn pace(&self) -> ExplainedInput {
        match self.plan.phases.is_empty() {
            true => self.step_time(),
            false => quantity("pace", "step.pace_s", Amount::Time(self.plan.step.pace)),
        }
    }

    pub(super) fn tokens(&self) -> ExplainedInput {
        quantity("tokens of a step", "step.tokens", Amount::count(self.plan.step.tokens))
    }
}

pub(super) fn preset(kind: &'static str, name: &str, entry: &'static str) -> InputOrigin {
    InputOrigin::Preset { kind, name: name.to_owned(), entry }
}

fn degree(name: &str, key: &'static str, given: bool, value: impl Into<u128>) -> ExplainedInput {
    input(name, Amount::count(value), chosen(key, given))
}

/// A setting that the spec gives, or that the planner chose.
const fn chosen(key: &'static str, given: bool) -> InputOrigin {
    if given { InputOrigin::Spec(key) } else { InputOrigin::Chosen(key) }
}
