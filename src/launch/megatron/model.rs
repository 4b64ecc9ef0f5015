//! Flags of the model's shape.

use super::super::job::LaunchJob;
use super::super::script::Script;
use super::flags::Flags;
use crate::workload::{FeedForward, Layer, Model, Moe};

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
        flags.set_switch("--disable-bias-linear");
        flags.set_flag("--position-embedding-type", "rope");
        script.note_unset("norms, biases and positions: RMSNorm, no biases and rotary positions are a guess that costs little");
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
