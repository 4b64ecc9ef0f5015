//! Flags of the model's shape.

use super::super::job::LaunchJob;
use super::super::script::Script;
use super::flags::Flags;
use crate::workload::{FeedForward, Layer, Model, Moe};

/// The flags of the model.
pub(super) fn model_flags(job: &LaunchJob<'_>, flags: &mut Flags, script: &mut Script) {
    let model = job.model;
    flags.set("--num-layers", model.layers);
    flags.set("--hidden-size", model.hidden);
    flags.set("--ffn-hidden-size", model.ffn);
    flags.set("--num-attention-heads", model.heads);
    set_attention_flags(model, flags);
    flags.set("--seq-length", model.sequence);
    flags.set("--max-position-embeddings", model.sequence);
    if model.gated_ffn {
        flags.set_switch("--swiglu");
        flags.set("--normalization", "RMSNorm");
        flags.set_switch("--disable-bias-linear");
        flags.set("--position-embedding-type", "rope");
        script.note_unset("norms, biases and positions: RMSNorm, no biases and rotary positions are a guess that costs little");
    } else if model.mtp_layers > 0 {
        flags.set("--position-embedding-type", "rope");
    }
    flags.set("--vocab-size", model.vocab);
    script.note_unset(
        "--vocab-size counts where the tokenizer is NullTokenizer; else the tokenizer decides",
    );
    flags.switch_if(!model.tied_embeddings, "--untie-embeddings-and-output-weights");
    if model.mtp_layers > 0 {
        flags.set("--mtp-num-layers", model.mtp_layers);
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
        Some(of) => {
            flags.set_switch("--multi-latent-attention");
            if of.q_lora > 0 {
                flags.set("--q-lora-rank", of.q_lora);
            }
            flags.set("--kv-lora-rank", of.kv_lora);
            flags.set("--qk-head-dim", of.qk_nope);
            flags.set("--qk-pos-emb-head-dim", of.qk_rope);
            flags.set("--v-head-dim", of.v_dim);
        }
        None => {
            flags.set("--kv-channels", model.head_dim);
            if model.kv_heads < model.heads {
                flags.set_switch("--group-query-attention");
                flags.set("--num-query-groups", model.kv_heads);
            }
        }
    }
    if let Some(window) = &model.window {
        flags.set("--window-size", format!("({},0)", window.tokens - 1));
        if window.layers < model.layers {
            let limited = (0..model.layers).map(|layer| model.layer_kind(layer).has_window());
            flags.set("--window-attn-skip-freq", window_list(&limited.collect::<Vec<_>>()));
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
        limited.iter().take(period).map(|of| if *of { "1" } else { "0" }).collect();
    format!("[{}]*{}", bits.join(","), limited.len() / period)
}

fn set_expert_flags(model: &Model, moe: &Moe, flags: &mut Flags, script: &mut Script) {
    flags.set("--num-experts", moe.experts);
    flags.set("--moe-router-topk", moe.top_k);
    flags.set("--moe-ffn-hidden-size", moe.ffn);
    if moe.shared_experts > 0 {
        flags.set("--moe-shared-expert-intermediate-size", moe.shared_width());
    }
    if let Some(latent) = moe.latent {
        flags.set("--moe-latent-size", latent);
    }
    if moe.dense_layers > 0 {
        let sparse = model.layers - moe.dense_layers;
        flags.set("--moe-layer-freq", format!("([0]*{}+[1]*{sparse})", moe.dense_layers));
    } else if model.pattern.is_some() {
        let has = |layer: Layer| layer.network() == Some(FeedForward::Experts);
        let one = |index| if has(model.layer_kind(index)) { "1" } else { "0" };
        let list: Vec<&str> = (0..model.layers).map(one).collect();
        flags.set("--moe-layer-freq", format!("[{}]", list.join(",")));
    }
    if let Some(limit) = moe.limit {
        flags.set("--moe-router-num-groups", limit.groups);
        flags.set("--moe-router-group-topk", limit.most);
    }
    flags.set_switch("--moe-grouped-gemm");
    script.unset_if(
        moe.is_uneven(),
        "model.moe: the flags drop no token, whatever load the fullest expert has",
    );
}
