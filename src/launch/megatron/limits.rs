//! What Megatron-LM can't run.

use super::super::job::LaunchJob;
use super::super::order::is_same_rank_order;
use super::super::script::Script;
use crate::parallel::{Order, Schedule, Zero};
use crate::workload::{ContextExchange, Precision};

/// Refuses what it can't run.
pub(in super::super) fn check_limits(job: &LaunchJob<'_>, script: &mut Script) {
    let layout = job.layout;
    let inside = is_same_rank_order(layout, Order::DP_INSIDE_PP);
    let outside = is_same_rank_order(layout, Order::PP_INSIDE_DP);
    script.refuse_when(
        !inside && !outside,
        format!("Megatron-LM has no rank order {}", layout.order),
        "it has tp-cp-ep-dp-pp and tp-cp-ep-pp-dp: `--set parallelism.order=tp-cp-ep-dp-pp`",
    );
    let experts = layout.expert * layout.expert_tensor;
    script.refuse_when(
        !inside && outside && layout.expert > 1 && experts != layout.tensor * layout.context,
        "with stages inside replicas Megatron-LM wants as many replicas of experts as of the rest",
        "`--set parallelism.order=tp-cp-ep-dp-pp`",
    );
    let schedule = layout.schedule;
    script.refuse_when(
        layout.pipeline > 1 && !matches!(schedule, Schedule::OneFOneB | Schedule::Interleaved),
        format!("Megatron-LM has no schedule `{}`", schedule.name()),
        "`--set parallelism.schedule=1f1b`, or `interleaved`",
    );
    script.refuse_when(
        layout.expert > 1 && layout.tensor > 1 && !layout.sequence_parallel,
        "Megatron-LM runs experts with tensor parallelism only where sequence parallelism is on",
        "`--set parallelism.sequence_parallel=true`",
    );
    script.refuse_when(
        layout.zero >= Zero::Gradients && layout.pipeline > 1,
        "sharded gradients and parameters (Megatron FSDP) are not offered with pipeline stages",
        "`--set parallelism.zero=1`",
    );
    script.refuse_when(
        layout.context > 1
            && job.model.window.is_some()
            && job.framework.context_exchange == ContextExchange::Ring,
        "Transformer Engine has no ring of contexts for layers with a sliding window",
        "`--set framework.context_exchange=gather`",
    );
    script.refuse_when(
        layout.zero >= Zero::Gradients && layout.parameter_copies() > 1,
        "sharding over some of the replicas is offered with the distributed optimizer alone",
        "`--set parallelism.zero=1`, or `--for torchtitan`",
    );
    script.refuse_when(
        layout.context > 1 && !job.model.sequence.is_multiple_of(2 * u64::from(layout.context)),
        format!("Megatron-LM cuts sequences in twice the context degree, {}", 2 * layout.context),
        "choose a sequence that it divides",
    );
    script.refuse_when(
        job.training.precision == Precision::Fp32 && layout.zero >= Zero::Gradients,
        "Megatron FSDP is not offered in 32 bits",
        "`--set training.precision=bf16`",
    );
}
