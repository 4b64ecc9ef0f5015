//! Flags of the run: batch, layout, precision, what overlaps.

use super::super::job::LaunchJob;
use super::super::order::is_same_rank_order;
use super::super::script::Script;
use super::flags::Flags;
use crate::parallel::{Order, Zero};
use crate::workload::{ContextExchange, Dispatcher, Graphs, Precision, Recompute};

/// The flags of the run.
pub(super) fn run_flags(job: &LaunchJob<'_>, flags: &mut Flags, script: &mut Script) {
    flags.set_flag("--micro-batch-size", job.layout.micro_batch);
    flags.set_flag("--global-batch-size", job.training.global_batch);
    match job.run_steps() {
        Some(steps) => flags.set_flag("--train-iters", steps),
        None => {
            script.note_unset("the length of the run: the spec does not say it, add --train-iters")
        }
    }
    set_degree_flags(job, flags);
    set_precision_flags(job, flags, script);
    set_recompute_flags(job, flags, script);
    set_sharding_flags(job, flags);
    set_overlap_flags(job, flags, script);
    set_kernel_flags(job, flags, script);
    for technique in job.techniques {
        script.note_unset(format!("technique.{}: no flag sets it", technique.key()));
    }
}

fn set_degree_flags(job: &LaunchJob<'_>, flags: &mut Flags) {
    let layout = job.layout;
    flags.set_flag("--tensor-model-parallel-size", layout.tensor);
    flags.switch_if(layout.sequence_parallel && layout.tensor > 1, "--sequence-parallel");
    flags.set_flag("--pipeline-model-parallel-size", layout.pipeline);
    if layout.pipeline > 1 && !job.is_even() {
        flags.set_flag("--pipeline-model-parallel-layout", stage_layout(job));
    } else if layout.pipeline > 1 && layout.interleave > 1 {
        flags.set_flag("--num-virtual-stages-per-pipeline-rank", layout.interleave);
    }
    flags.set_flag("--context-parallel-size", layout.context);
    if job.model.moe.is_some() {
        flags.set_flag("--expert-model-parallel-size", layout.expert);
        flags.set_flag("--expert-tensor-parallel-size", layout.expert_tensor);
    }
    let inside = is_same_rank_order(layout, Order::DP_INSIDE_PP);
    flags.switch_if(!inside, "--use-tp-pp-dp-mapping");
}

/// The layers of each virtual stage, as Megatron-LM's layout writes them: `Ett|tt|ttL`.
fn stage_layout(job: &LaunchJob<'_>) -> String {
    let chunks = job.layout.interleave.max(1);
    let mut cut: Vec<String> = Vec::new();
    for chunk in 0..chunks {
        for count in job.stages {
            // Whatever does not divide goes to the first virtual stages of a rank.
            let layers = count / chunks + u32::from(chunk < count % chunks);
            cut.push("t".repeat(layers as usize));
        }
    }
    let last = cut.len() - 1;
    cut[0].insert(0, 'E');
    cut[last].push_str(&"m".repeat(job.model.mtp_layers as usize));
    cut[last].push('L');
    cut.join("|")
}

fn set_precision_flags(job: &LaunchJob<'_>, flags: &mut Flags, script: &mut Script) {
    match job.training.precision {
        Precision::Fp32 => {}
        Precision::Fp16 => flags.set_switch("--fp16"),
        narrow => {
            flags.set_switch("--bf16");
            match narrow {
                Precision::Fp8 => {
                    flags.set_flag("--fp8-format", "hybrid");
                    flags.set_flag("--fp8-recipe", "tensorwise");
                }
                Precision::Mxfp8 => {
                    flags.set_flag("--fp8-format", "e4m3");
                    flags.set_flag("--fp8-recipe", "mxfp8");
                }
                Precision::Nvfp4 => {
                    flags.set_flag("--fp4-format", "e2m1");
                    flags.set_flag("--fp4-recipe", "nvfp4");
                }
                _ => {}
            }
        }
    }
    let framework = job.framework;
    let wide = job.training.precision == Precision::Fp32;
    let bf16 = !wide && job.training.precision != Precision::Fp16;
    flags.switch_if(bf16 && framework.gradient_bytes == 2, "--grad-reduce-in-bf16");
    let eight = matches!(job.training.precision, Precision::Fp8 | Precision::Mxfp8);
    let gathered = framework.parameter_bytes == 1;
    flags.switch_if(gathered && eight, "--fp8-param-gather");
    script.unset_if(
        gathered && !eight,
        "framework.parameter_bytes = 1: weights are gathered in 16 bits",
    );
    if framework.moment_bytes == 2 && job.layout.zero == Zero::Optimizer {
        flags.set_switch("--use-precision-aware-optimizer");
        flags.set_flag("--exp-avg-dtype", "bf16");
        flags.set_flag("--exp-avg-sq-dtype", "bf16");
    } else if framework.moment_bytes == 2 {
        script.note_unset("framework.moment_bytes = 2: it takes the distributed optimizer");
    }
}

fn set_recompute_flags(job: &LaunchJob<'_>, flags: &mut Flags, script: &mut Script) {
    match job.layout.recompute {
        Recompute::None => {}
        Recompute::Selective => flags.set_flag("--recompute-granularity", "selective"),
        Recompute::Full => {
            flags.set_flag("--recompute-granularity", "full");
            flags.set_flag("--recompute-method", "uniform");
            flags.set_flag("--recompute-num-layers", 1);
        }
    }
    script.unset_if(
        job.training.offload_layers > 0,
        "training.offload_layers: activations stay on the GPU (--cpu-offloading-num-layers has limits of its own)",
    );
}

fn set_sharding_flags(job: &LaunchJob<'_>, flags: &mut Flags) {
    let sharding = match job.layout.zero {
        Zero::None => return,
        Zero::Optimizer => {
            flags.set_switch("--use-distributed-optimizer");
            if job.layout.parameter_copies() > 1 {
                flags.set_flag(
                    "--num-distributed-optimizer-instances",
                    job.layout.parameter_copies(),
                );
            }
            return;
        }
        Zero::Gradients => "optim_grads",
        Zero::Parameters => "optim_grads_params",
    };
    flags.set_switch("--use-megatron-fsdp");
    flags.set_flag("--data-parallel-sharding-strategy", sharding);
    flags.set_flag("--ckpt-format", "fsdp_dtensor");
    flags.set_switch("--use-distributed-optimizer");
    flags.set_switch("--no-gradient-accumulation-fusion");
}

fn set_overlap_flags(job: &LaunchJob<'_>, flags: &mut Flags, script: &mut Script) {
    let (layout, framework) = (job.layout, job.framework);
    if framework.overlap_data {
        flags.set_switch("--overlap-grad-reduce");
        flags.switch_if(layout.zero >= Zero::Optimizer, "--overlap-param-gather");
    }
    let tensor = framework.overlap_tensor && layout.tensor > 1;
    flags.switch_if(tensor && layout.sequence_parallel, "--tp-comm-overlap");
    script.unset_if(
        tensor && !layout.sequence_parallel,
        "framework.overlap_tensor: Megatron-LM overlaps it with sequence parallelism only",
    );
    let chunks = layout.interleave > 1;
    flags.switch_if(chunks && !framework.overlap_pipeline, "--no-overlap-p2p-communication");
    script.unset_if(
        framework.overlap_pipeline && !chunks && layout.pipeline > 1,
        "framework.overlap_pipeline: with one virtual stage Megatron-LM does not overlap messages",
    );
    if job.model.moe.is_some() {
        let fast = framework.dispatcher == Dispatcher::HybridEp && layout.expert > 1;
        flags.set_flag("--moe-token-dispatcher-type", if fast { "flex" } else { "alltoall" });
        if fast {
            flags.set_flag("--moe-flex-dispatcher-backend", "hybridep");
        }
        script.unset_if(
            framework.overlap_expert && layout.expert > 1,
            "framework.overlap_expert: --overlap-moe-expert-parallel-comm has limits on recomputation and stages",
        );
        script.unset_if(framework.narrow_dispatch, "framework.narrow_dispatch: no flag sets it");
        if framework.padded_experts && !fast {
            flags.set_flag("--moe-expert-capacity-factor", "1.0");
            flags.set_switch("--moe-pad-expert-input-to-capacity");
        }
        script.unset_if(
            framework.padded_experts && fast,
            "framework.padded_experts: Megatron-LM pads with the all-to-all dispatcher only",
        );
    }
    if layout.context > 1 {
        let kind = match framework.context_exchange {
            ContextExchange::Gather => "allgather",
            ContextExchange::Ring => "p2p",
            ContextExchange::AllToAll => "a2a",
        };
        flags.set_flag("--cp-comm-type", kind);
    }
}

fn set_kernel_flags(job: &LaunchJob<'_>, flags: &mut Flags, script: &mut Script) {
    let framework = job.framework;
    let fused = framework.fused_weight_gradient || job.layout.zero >= Zero::Gradients;
    flags.switch_if(!fused, "--no-gradient-accumulation-fusion");
    if framework.fused_loss {
        flags.set_switch("--cross-entropy-loss-fusion");
        flags.set_flag("--cross-entropy-fusion-impl", "native");
    }
    let attention = if framework.flash_attention { "flash" } else { "unfused" };
    flags.set_flag("--attention-backend", attention);
    script.unset_if(
        framework.cuda_graphs != Graphs::None,
        "framework.cuda_graphs: --cuda-graph-impl and its modules depend on the release",
    );
    script.unset_if(
        framework.balanced_stages && job.is_even() && job.layout.pipeline > 1,
        "framework.balanced_stages: the layers divide evenly, so there is nothing to move",
    );
}
