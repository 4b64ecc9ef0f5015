//! Flags of model and run for Megatron-LM.

use super::script::{LaunchJob, Script, is_same_rank_order};
use crate::parallel::{Order, Zero};
use crate::workload::{
    ContextExchange, Dispatcher, FeedForward, Graphs, Layer, Model, Moe, Precision, Recompute,
};

/// Flags with their values; a switch has none.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags(pub(super) Vec<(&'static str, Option<String>)>);

impl Flags {
    fn set_flag(&mut self, flag: &'static str, value: impl ToString) {
        self.0.push((flag, Some(value.to_string())));
    }

    fn set_switch(&mut self, flag: &'static str) {
        self.0.push((flag, None));
    }

    fn switch_if(&mut self, is: bool, flag: &'static str) {
        if is {
            self.set_switch(flag);
        }
    }

    /// The flags as lines of a shell command; what a shell would read as its own is quoted.
    pub(super) fn command_lines(&self) -> String {
        let line = |(flag, value): &(&str, Option<String>)| match value {
            None => format!("  {flag} \\\n"),
            Some(value) if value.contains(['(', '|', '*', '[']) => {
                format!("  {flag} '{value}' \\\n")
            }
            Some(value) => format!("  {flag} {value} \\\n"),
        };
        self.0.iter().map(line).collect()
    }
}

/// The flags of the model.
pub(super) fn model_flags(job: &LaunchJob<'_>, flags: &mut Flags, script: &mut Script) {
    let model = job.model;
    flags.set_flag("--num-layers", model.layers);
    flags.set_flag("--hidden-size", model.hidden);
    flags.set_flag("--ffn-hidden-size", model.ffn);
    flags.set_flag("--num-attention-heads", model.heads);
    set_attention_flags(model, flags);
    flags.set_flag("--seq-length", model.sequence);
    flags.set_flag("--max-position-embeddings", model.sequence);
    if model.gated_ffn {
        flags.set_switch("--swiglu");
        flags.set_flag("--normalization", "RMSNorm");
        let biases = model.moe.as_ref().is_some_and(|moe| moe.biases);
        flags.switch_if(!biases, "--disable-bias-linear");
        flags.switch_if(biases, "--no-bias-dropout-fusion");
        flags.set_flag("--position-embedding-type", "rope");
        script.note_unset(if biases {
            "norms and positions: RMSNorm and rotary positions are a guess that costs little"
        } else {
            "norms, biases and positions: RMSNorm, no biases and rotary positions are a guess that \
             costs little"
        });
    } else if model.mtp_layers > 0 {
        flags.set_flag("--position-embedding-type", "rope");
    }
    flags.set_flag("--vocab-size", model.vocab);
    script.note_unset(
        "--vocab-size counts where the tokenizer is NullTokenizer; else the tokenizer decides",
    );
    flags.switch_if(!model.tied_embeddings, "--untie-embeddings-and-output-weights");
    if model.mtp_layers > 0 {
        flags.set_flag("--mtp-num-layers", model.mtp_layers);
    }
    script.unset_if(
        model.parallel_blocks,
        "model.parallel_blocks: the flags run attention and feed-forward block one after the other",
    );
    flags.switch_if(model.attention_gate, "--attention-output-gate");
    if model.attention_sinks {
        flags.set_flag("--softmax-type", "learnable");
    }
    if let Some(moe) = &model.moe {
        set_expert_flags(model, moe, flags, script);
    }
}

fn set_attention_flags(model: &Model, flags: &mut Flags) {
    match &model.latent_attention {
        Some(attention) => {
            flags.set_switch("--multi-latent-attention");
            if attention.q_lora > 0 {
                flags.set_flag("--q-lora-rank", attention.q_lora);
            }
            flags.set_flag("--kv-lora-rank", attention.kv_lora);
            flags.set_flag("--qk-head-dim", attention.qk_nope);
            flags.set_flag("--qk-pos-emb-head-dim", attention.qk_rope);
            flags.set_flag("--v-head-dim", attention.v_dim);
        }
        None => {
            flags.set_flag("--kv-channels", model.head_dim);
            if model.kv_heads < model.heads {
                flags.set_switch("--group-query-attention");
                flags.set_flag("--num-query-groups", model.kv_heads);
            }
        }
    }
    if let Some(window) = &model.window {
        flags.set_flag("--window-size", format!("({},0)", window.tokens - 1));
        if window.layers < model.layers {
            let limited = (0..model.layers).map(|layer| model.layer_kind(layer).has_window());
            flags.set_flag("--window-attn-skip-freq", window_list(&limited.collect::<Vec<_>>()));
        }
    }
}

/// A 1 for each layer with a window and a 0 for each without, as often as it repeats.
fn window_list(limited: &[bool]) -> String {
    let repeats = |period: &usize| {
        limited.len().is_multiple_of(*period)
            && limited.iter().zip(&limited[*period..]).all(|(one, other)| one == other)
    };
    let period = (1..=limited.len()).find(repeats).unwrap_or(limited.len()).max(1);
    let bits: Vec<&str> =
        limited.iter().take(period).map(|flag| if *flag { "1" } else { "0" }).collect();
    format!("[{}]*{}", bits.join(","), limited.len() / period)
}

fn set_expert_flags(model: &Model, moe: &Moe, flags: &mut Flags, script: &mut Script) {
    flags.set_flag("--num-experts", moe.experts);
    flags.set_flag("--moe-router-topk", moe.top_k);
    flags.set_flag("--moe-ffn-hidden-size", moe.ffn);
    if moe.shared_experts > 0 {
        flags.set_flag("--moe-shared-expert-intermediate-size", moe.shared_width());
    }
    if let Some(latent) = moe.latent {
        flags.set_flag("--moe-latent-size", latent);
    }
    if moe.dense_layers > 0 {
        let sparse = model.layers - moe.dense_layers;
        flags.set_flag("--moe-layer-freq", format!("([0]*{}+[1]*{sparse})", moe.dense_layers));
    } else if model.pattern.is_some() {
        let has = |layer: Layer| layer.network() == Some(FeedForward::Experts);
        let one = |index| if has(model.layer_kind(index)) { "1" } else { "0" };
        let list: Vec<&str> = (0..model.layers).map(one).collect();
        flags.set_flag("--moe-layer-freq", format!("[{}]", list.join(",")));
    }
    if let Some(limit) = moe.limit {
        flags.set_flag("--moe-router-num-groups", limit.groups);
        flags.set_flag("--moe-router-group-topk", limit.most);
    }
    flags.set_switch("--moe-grouped-gemm");
    script.unset_if(
        moe.is_uneven(),
        "model.moe: the flags drop no token, whatever load the fullest expert has",
    );
}

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
        Recompute::Selective => {
            flags.set_flag("--recompute-granularity", "selective");
            if let Some(modules) = job.training.recompute_modules {
                let names: Vec<&str> = modules.module_names().collect();
                flags.set_flag("--recompute-modules", names.join(" "));
            }
        }
        Recompute::Full => {
            flags.set_flag("--recompute-granularity", "full");
            flags.set_flag("--recompute-method", "uniform");
            flags.set_flag("--recompute-num-layers", 1);
        }
    }
    script.unset_if(
        job.training.offload_layers > 0,
        "training.offload_layers: activations stay on the GPU (--cpu-offloading-num-layers has \
         limits of its own)",
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
        let gathers = framework.dispatcher == Dispatcher::AllGather;
        let kind = match () {
            () if fast => "flex",
            () if gathers => "allgather",
            () => "alltoall",
        };
        flags.set_flag("--moe-token-dispatcher-type", kind);
        if fast {
            flags.set_flag("--moe-flex-dispatcher-backend", "hybridep");
        }
        script.unset_if(
            framework.overlap_expert && layout.expert > 1,
            "framework.overlap_expert: --overlap-moe-expert-parallel-comm has limits on \
             recomputation and stages",
        );
        script.unset_if(framework.narrow_dispatch, "framework.narrow_dispatch: no flag sets it");
        let pads = kind == "alltoall";
        if framework.padded_experts && pads {
            flags.set_flag("--moe-expert-capacity-factor", "1.0");
            flags.set_switch("--moe-pad-expert-input-to-capacity");
        }
        script.unset_if(
            framework.padded_experts && !pads,
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
    // FlashAttention has no learned entry in the softmax.
    let attention = match (framework.flash_attention, job.model.attention_sinks) {
        (false, _) => "unfused",
        (true, true) => "fused",
        (true, false) => "flash",
    };
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
