//! The script that starts a job: `LaunchJob`, and in which order its ranks stand.

use std::fmt;

use crate::parallel::{Axis, Layout, Order};
use crate::workload::{Framework, Model, Technique, Training};

/// Something that a stack can't run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unable {
    /// What, and whose fault it is.
    pub what: String,
    pub hint: String,
}

impl fmt::Display for Unable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// A file to start a job with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The file, with its remarks as comments.
    pub text: String,
    /// What the step assumes and the file does not set.
    pub unset: Vec<String>,
    pub(super) unable: Vec<Unable>,
}

impl Script {
    /// Says that the step assumes what the file does not set.
    pub(super) fn note_unset(&mut self, what: impl Into<String>) {
        self.unset.push(what.into());
    }

    /// As [`Self::unset`], where that is so.
    pub(super) fn unset_if(&mut self, is: bool, what: &str) {
        if is {
            self.note_unset(what);
        }
    }

    /// Refuses the layout where it can't run.
    pub(super) fn refuse_when(&mut self, is: bool, what: impl Into<String>, hint: &str) {
        if is {
            self.unable.push(Unable { what: what.into(), hint: hint.to_owned() });
        }
    }

    /// Refuses orders of ranks in which pipeline stages are not outermost.
    pub(super) fn refuse_orders(&mut self, stack: &str, layout: &Layout) {
        self.refuse_when(
            !is_same_rank_order(layout, Order::DP_INSIDE_PP),
            format!("{stack} has no rank order {}", layout.order),
            "`--set parallelism.order=tp-cp-ep-dp-pp`",
        );
    }

    /// The remarks, each a line of comment.
    pub(super) fn remark_comments(&self, mark: &str, lead: &[String]) -> String {
        let mut text: String = lead.iter().map(|line| format!("{mark} {line}\n")).collect();
        if !self.unset.is_empty() {
            text.push_str(&format!("{mark} The step assumes, and this file does not set:\n"));
            text.extend(self.unset.iter().map(|line| format!("{mark} - {line}\n")));
        }
        text
    }
}

/// A model in a layout on machines.
#[derive(Clone, Copy, Debug)]
pub struct LaunchJob<'a> {
    pub name: &'a str,
    pub model: &'a Model,
    pub training: &'a Training,
    pub layout: &'a Layout,
    /// What the step assumes of the stack.
    pub framework: &'a Framework,
    pub techniques: &'a [Technique],
    /// Layers of each pipeline stage.
    pub stages: &'a [u32],
    /// Ranks of a host.
    pub per_node: u32,
    /// No switch joins the rails of its network.
    pub rails_apart: bool,
}

impl LaunchJob<'_> {
    /// Ranks of the job.
    pub(super) fn gpus(&self) -> u64 {
        self.layout.gpus()
    }

    /// Steps of the run, rounded up; `None` where the spec does not say how long it is.
    pub(super) fn run_steps(&self) -> Option<u64> {
        let step = self.training.global_batch as f64 * self.model.sequence as f64;
        self.training.tokens.map(|tokens| (tokens / step).ceil() as u64)
    }

    /// Whether every stage, and every virtual stage of it, has as many layers.
    pub(super) fn is_even(&self) -> bool {
        let chunks = u64::from(self.layout.pipeline) * u64::from(self.layout.interleave);
        u64::from(self.model.layers).is_multiple_of(chunks)
    }
}

/// Whether ranks lie as they do in `other`: axes of one rank have no place.
pub(super) fn is_same_rank_order(layout: &Layout, other: Order) -> bool {
    parallel_axes(layout, layout.order) == parallel_axes(layout, other)
}

fn parallel_axes(layout: &Layout, order: Order) -> Vec<Axis> {
    let degree = |axis: &Axis| match axis {
        Axis::Tensor => layout.tensor,
        Axis::Context => layout.context,
        Axis::Expert => layout.expert,
        Axis::Data => layout.data,
        Axis::Pipeline => layout.pipeline,
    };
    order.axes().iter().copied().filter(|axis| degree(axis) > 1).collect()
}
