//! Megatron-LM script and limits; Megatron-Bridge overrides.

use super::megatron_flags::{self, Flags};
use super::script::{LaunchJob, Script, is_same_rank_order};
use crate::parallel::{Order, Schedule, Zero};
use crate::workload::{ContextExchange, Precision};

/// The script of a job.
pub(super) fn megatron_script(job: &LaunchJob<'_>) -> Script {
    let mut script = Script::default();
    check_limits(job, &mut script);
    let flags = flags_by_group(job, &mut script);
    let per_node = u64::from(job.per_node).min(job.gpus()).max(1);
    let lead = [
        format!("{}: flags of Megatron-LM, written by `planner launch`.", job.name),
        "Add what planner does not know, as arguments: data, tokenizer, learning rate, \
         checkpoints."
            .to_owned(),
    ];
    script.text = format!(
        "#!/bin/sh\n{}{}exec torchrun --nnodes {} --nproc-per-node {per_node} \\\n  --node-rank \
         \"$NODE_RANK\" --master-addr \"$MASTER_ADDR\" \\\n  pretrain_gpt.py \\\n{}  \"$@\"\n",
        script.remark_comments("#", &lead),
        if job.rails_apart { RAILS_APART } else { "" },
        job.gpus().div_ceil(per_node),
        flags.command_lines(),
    );
    script
}

/// What NCCL is told where no switch joins the rails: the network reaches a GPU on its own rail alone.
const RAILS_APART: &str = "\
# No switch joins the rails: rings stay on theirs (NCCL_CROSS_NIC), and a message to another rail goes over
# NVLink to the GPU on it first (PXN).
export NCCL_CROSS_NIC=0 NCCL_PXN_DISABLE=0
";

/// The flags by group.
fn flags_by_group(job: &LaunchJob<'_>, script: &mut Script) -> Flags {
    let mut flags = Flags::default();
    megatron_flags::model_flags(job, &mut flags, script);
    megatron_flags::run_flags(job, &mut flags, script);
    flags
}

/// Refuses what it can't run.
fn check_limits(job: &LaunchJob<'_>, script: &mut Script) {
    let layout = job.layout;
    let inside = is_same_rank_order(layout, Order::DP_INSIDE_PP);
    let outside = is_same_rank_order(layout, Order::PP_INSIDE_DP);
    script.refuse_when(
        !inside && !outside,
        format!("Megatron-LM has no rank order {}", layout.order),
        "it has tp-cp-ep-dp-pp and tp-cp-ep-pp-dp: `--set parallelism.order=tp-cp-ep-dp-pp`",
    );
    let experts = layout.expert * layout.expert_tensor;
    let is_dense = job.model.moe.is_none();
    script.refuse_when(
        !inside && outside && is_dense && layout.context > 1,
        "Megatron-LM runs no context parallelism with stages inside replicas",
        "`--set parallelism.order=tp-cp-ep-dp-pp`",
    );
    script.refuse_when(
        !inside && outside && !is_dense && experts != layout.tensor * layout.context,
        "with stages inside replicas Megatron-LM wants as many replicas of experts as of the rest, \
         and ranks that share a sequence are replicas of experts",
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
        layout.context > 1
            && job.model.attention_sinks
            && job.framework.context_exchange != ContextExchange::AllToAll,
        "Transformer Engine shares a sequence with attention sinks by all-to-alls alone",
        "`--set framework.context_exchange=all-to-all`",
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

/// Flags of Megatron-LM as keys of a recipe's configuration.
const KEYS: &[(&str, &str)] = &[
    ("--num-layers", "model.num_layers"),
    ("--hidden-size", "model.hidden_size"),
    ("--ffn-hidden-size", "model.ffn_hidden_size"),
    ("--num-attention-heads", "model.num_attention_heads"),
    ("--num-query-groups", "model.num_query_groups"),
    ("--kv-channels", "model.kv_channels"),
    ("--mtp-num-layers", "model.mtp_num_layers"),
    ("--q-lora-rank", "model.q_lora_rank"),
    ("--kv-lora-rank", "model.kv_lora_rank"),
    ("--qk-head-dim", "model.qk_head_dim"),
    ("--qk-pos-emb-head-dim", "model.qk_pos_emb_head_dim"),
    ("--v-head-dim", "model.v_head_dim"),
    ("--num-experts", "model.num_moe_experts"),
    ("--moe-router-topk", "model.moe_router_topk"),
    ("--moe-ffn-hidden-size", "model.moe_ffn_hidden_size"),
    ("--moe-shared-expert-intermediate-size", "model.moe_shared_expert_intermediate_size"),
    ("--moe-layer-freq", "model.moe_layer_freq"),
    ("--moe-router-num-groups", "model.moe_router_num_groups"),
    ("--moe-router-group-topk", "model.moe_router_group_topk"),
    ("--softmax-type", "model.softmax_type"),
    ("--window-size", "model.window_size"),
    ("--window-attn-skip-freq", "model.window_attn_skip_freq"),
    ("--moe-token-dispatcher-type", "model.moe_token_dispatcher_type"),
    ("--moe-flex-dispatcher-backend", "model.moe_flex_dispatcher_backend"),
    ("--micro-batch-size", "train.micro_batch_size"),
    ("--global-batch-size", "train.global_batch_size"),
    ("--train-iters", "train.train_iters"),
    ("--tensor-model-parallel-size", "model.tensor_model_parallel_size"),
    ("--sequence-parallel", "model.sequence_parallel"),
    ("--pipeline-model-parallel-size", "model.pipeline_model_parallel_size"),
    ("--pipeline-model-parallel-layout", "model.pipeline_model_parallel_layout"),
    ("--num-virtual-stages-per-pipeline-rank", "model.virtual_pipeline_model_parallel_size"),
    ("--context-parallel-size", "model.context_parallel_size"),
    ("--cp-comm-type", "model.cp_comm_type"),
    ("--expert-model-parallel-size", "model.expert_model_parallel_size"),
    ("--expert-tensor-parallel-size", "model.expert_tensor_parallel_size"),
    ("--use-tp-pp-dp-mapping", "dist.use_tp_pp_dp_mapping"),
    ("--recompute-granularity", "model.recompute_granularity"),
    ("--recompute-modules", "model.recompute_modules"),
    ("--recompute-method", "model.recompute_method"),
    ("--recompute-num-layers", "model.recompute_num_layers"),
    ("--use-distributed-optimizer", "ddp.use_distributed_optimizer"),
    ("--num-distributed-optimizer-instances", "ddp.num_distributed_optimizer_instances"),
    ("--overlap-grad-reduce", "ddp.overlap_grad_reduce"),
    ("--overlap-param-gather", "ddp.overlap_param_gather"),
    ("--use-megatron-fsdp", "ddp.use_megatron_fsdp"),
    ("--data-parallel-sharding-strategy", "ddp.data_parallel_sharding_strategy"),
    ("--tp-comm-overlap", "comm_overlap.tp_comm_overlap"),
];

/// The overrides of a job.
pub(super) fn bridge_script(job: &LaunchJob<'_>) -> Script {
    let mut script = Script::default();
    check_limits(job, &mut script);
    let flags = flags_by_group(job, &mut script);
    let mut lines = vec![
        format!("model.seq_length={}", job.model.sequence),
        format!("dataset.seq_length={}", job.model.sequence),
        format!("model.vocab_size={}", job.model.vocab),
        format!("model.share_embeddings_and_output_weights={}", job.model.tied_embeddings),
        format!("model.gated_linear_unit={}", job.model.gated_ffn),
        format!("ddp.grad_reduce_in_fp32={}", job.framework.gradient_bytes == 4),
        format!("mixed_precision={}", precision_name(job.training.precision)),
    ];
    if job.model.moe.as_ref().is_some_and(|moe| moe.biases) {
        lines.push("model.add_bias_linear=true".to_owned());
    }
    for (flag, value) in &flags.0 {
        if let Some((_, key)) = KEYS.iter().find(|(text, _)| text == flag) {
            let value = match (*flag, value.as_deref()) {
                ("--recompute-modules", Some(names)) => format!("[{}]", names.replace(' ', ",")),
                (_, Some(value)) => expand_list(value),
                (_, None) => "true".to_owned(),
            };
            let quote = if value.contains(['|', '[']) { "'" } else { "" };
            lines.push(format!("{quote}{key}={value}{quote}"));
        }
    }
    if job.layout.zero == Zero::None {
        // Recipes shard the optimizer's state.
        lines.push("ddp.use_distributed_optimizer=false".to_owned());
    }
    if job.layout.pipeline > 1 && job.layout.interleave > 1 {
        lines.push(format!("comm_overlap.overlap_p2p_comm={}", job.framework.overlap_pipeline));
    }
    script.refuse_when(
        job.training.precision == Precision::Fp32,
        "Megatron-Bridge has no recipe for 32 bits",
        "`--set training.precision=bf16`",
    );
    let lead = [
        format!("{}: overrides of a Megatron-Bridge recipe, by `planner launch`.", job.name),
        format!("Start {} ranks of the recipe of your model with them:", job.gpus()),
        "torchrun ... run_recipe.py --recipe NAME $(grep -v '^#' THIS_FILE)".to_owned(),
    ];
    script.text = format!("{}{}\n", script.remark_comments("#", &lead), lines.join("\n"));
    script
}

/// A pair or a pattern of layers, which Megatron-LM evaluates, as the list that it stands for.
fn expand_list(value: &str) -> String {
    if let Some(pair) = value.strip_prefix('(').filter(|_| !value.contains('*')) {
        return format!("[{}]", pair.trim_end_matches(')'));
    }
    let part = |part: &str| {
        let (item, times) = part.trim_matches(['(', ')']).split_once("]*")?;
        Some(vec![item.trim_start_matches('[').to_owned(); times.parse().ok()?])
    };
    let items: Option<Vec<Vec<String>>> = value.split('+').map(part).collect();
    items.map_or_else(|| value.to_owned(), |items| format!("[{}]", items.concat().join(",")))
}

/// Name of a precision among those that Megatron-Bridge registers.
fn precision_name(precision: Precision) -> &'static str {
    match precision {
        Precision::Fp32 => "32",
        Precision::Fp16 => "fp16_mixed",
        Precision::Bf16 => "bf16_mixed",
        Precision::Fp8 => "bf16_with_fp8_current_scaling_mixed",
        Precision::Mxfp8 => "bf16_with_mxfp8_mixed",
        Precision::Nvfp4 => "bf16_with_nvfp4_mixed",
    }
}
