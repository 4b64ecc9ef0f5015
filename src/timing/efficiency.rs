//! Model and hardware FLOPs of a step, and the shares of peak that follow (MFU, HFU).

use crate::hardware::Gpu;
use crate::step::{Pass, Step};
use crate::units::{Flops, Seconds};
use crate::workload::{Delta, Framework, Mamba, Mixer, Model, SlidingWindow, Training};

/// How well the GPUs are used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Efficiency {
    /// Share of peak that the model's FLOPs reach.
    pub mfu: f64,
    /// Share of peak that all FLOPs reach, recomputation included.
    pub hfu: f64,
    /// Tokens per second and GPU.
    pub tokens_per_gpu_second: f64,
}

/// FLOPs that the model needs for one step: forward, and twice that backward.
///
/// Per token and layer twice the matrix elements that the token meets and 4·a·d·s for scores and
/// their product with values, halved where the framework's attention is causal (published MFU
/// figures differ in this; arXiv 2104.04473 eq. 3 counts the full square); what recurrences take;
/// then twice the LM head. Norms, softmax and the optimizer count nothing.
#[must_use]
pub fn model_flops(model: &Model, training: &Training, framework: &Framework) -> Flops {
    let tokens = training.global_batch as f64 * model.sequence as f64;
    let TokenWork { matrices, scores, scans } = work_of_a_token(model, framework);
    Flops::from_f64(3.0 * tokens * (2.0 * matrices + scores + scans))
}

/// What a token takes on its way through the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenWork {
    /// Matrix elements that it meets.
    pub matrices: f64,
    /// Forward FLOPs of its attention scores and values.
    pub scores: f64,
    /// Forward FLOPs of recurrences: 7·d·N for each Mamba-2 layer, as Megatron-LM counts them, and
    /// 6 for each element of a state of the gated delta rule.
    pub scans: f64,
}

/// What a token takes on its way through a model.
#[must_use]
pub fn work_of_a_token(model: &Model, framework: &Framework) -> TokenWork {
    let head = model.embedding_parameters() as f64;
    let heads = f64::from(1 + model.mtp_layers);
    let tables = if model.tied_embeddings { head } else { 2.0 * head };
    let top_k = model.moe.as_ref().map_or(0, |moe| moe.top_k);
    let further =
        model.layer_parameters(model.multi_token_layer(), top_k) + model.projection_parameters();
    let extra = f64::from(model.mtp_layers) * further as f64;
    let matrices = model.active_parameters() as f64 - tables + extra - model.norm_elements() as f64;
    TokenWork {
        matrices: if framework.embedding { matrices + head * heads } else { matrices },
        scores: if framework.attention_scores { score_flops(model, framework) } else { 0.0 },
        scans: scan_flops(model),
    }
}

/// Forward FLOPs per token of recurrences over all layers.
fn scan_flops(model: &Model) -> f64 {
    let layers = |mixer| f64::from(model.layers_that(|layer| layer.mixer() == Some(mixer)));
    let mamba = model.mamba.as_ref().map_or(0.0, Mamba::scan_flops);
    let delta = model.delta.as_ref().map_or(0.0, Delta::scan_flops);
    layers(Mixer::Mamba) * mamba + layers(Mixer::Delta) * delta
}

/// Forward FLOPs per token of scores and values over all layers.
fn score_flops(model: &Model, framework: &Framework) -> f64 {
    let s = model.sequence as f64;
    let seen = if framework.causal_attention { s / 2.0 } else { s };
    let widths = match &model.latent_attention {
        None => 2 * model.head_dim,
        Some(latent) => latent.qk_nope + latent.qk_rope + latent.v_dim,
    };
    let layers = model.layers_that(|layer| layer.mixer() == Some(Mixer::Attention));
    let windowed = model.window.as_ref().map_or(0, |window| window.limited_layers(layers));
    let window = model.window.as_ref().map_or(seen, |window| {
        if framework.causal_attention {
            SlidingWindow::mean_keys_seen(window.tokens, model.sequence)
        } else {
            seen.min(window.tokens as f64)
        }
    });
    let full = f64::from(layers + model.mtp_layers - windowed);
    2.0 * (model.heads * widths) as f64 * (full * seen + f64::from(windowed) * window)
}

/// FLOPs that are computed in one step, recomputation included, as the model's times the share
/// that the recomputed kernels add.
#[must_use]
pub fn hardware_flops(step: &Step, model: Flops) -> Flops {
    let count = |pass: Pass| -> f64 {
        step.stages
            .iter()
            .flat_map(|stage| {
                step.blocks.iter().map(|block| {
                    f64::from(stage.block_count(block.kind)) * block.flops_of_pass(pass)
                })
            })
            .sum()
    };
    let once = count(Pass::Forward) + count(Pass::Backward);
    if once <= 0.0 { model } else { model * (1.0 + count(Pass::Recompute) / once) }
}

/// Shares of peak in the precision of the run; zero where the GPU has no peak for it.
#[must_use]
pub fn step_efficiency(
    step: &Step,
    training: &Training,
    gpu: &Gpu,
    model: Flops,
    time: Seconds,
) -> Efficiency {
    let gpus = step.layout.gpus() as f64;
    let busy = time.get() * gpus;
    if busy <= 0.0 {
        return Efficiency::default();
    }
    let share = |flops: Flops| {
        gpu.peaks
            .peak_of_precision(training.precision)
            .map_or(0.0, |peak| flops.get() / (peak.get() * busy))
    };
    Efficiency {
        mfu: share(model),
        hfu: share(hardware_flops(step, model)),
        tokens_per_gpu_second: step.tokens as f64 / busy,
    }
}

#[cfg(test)]
mod tests {
    use super::{hardware_flops, model_flops};
    use crate::parallel::{Layout, Schedule};
    use crate::step::Step;
    use crate::workload::{Framework, Model, Precision, Recompute, Training};

    fn gpt3() -> Model {
        Model {
            name: "gpt3".into(),
            layers: 96,
            hidden: 12_288,
            heads: 96,
            kv_heads: 96,
            head_dim: 128,
            ffn: 49_152,
            gated_ffn: false,
            vocab: 51_200,
            sequence: 2048,
            tied_embeddings: true,
            pattern: None,
            attention_gate: false,
            mamba: None,
            delta: None,
            moe: None,
            latent_attention: None,
            window: None,
            attention_sinks: false,
            parallel_blocks: false,
            mtp_layers: 0,
        }
    }

    /// Narayanan 2021 (arXiv 2104.04473) eq. 3, with `layer` 96 where layers are recomputed and
    /// 72 where not; the LM head never is.
    fn published(batch: f64, layer: f64) -> f64 {
        let (s, l, h, v) = (2048.0_f64, 96.0_f64, 12_288.0_f64, 51_200.0_f64);
        batch * s * l * h * h * (layer * (1.0 + s / (6.0 * h)) + 6.0 * v / (l * h))
    }

    #[test]
    fn model_and_hardware_flops_are_those_of_the_published_formula() {
        let training = Training {
            global_batch: 1536,
            tokens: None,
            precision: Precision::Fp16,
            offload_layers: 0,
            recompute_modules: None,
        };
        let layout = Layout {
            tensor: 8,
            pipeline: 12,
            data: 16,
            interleave: 2,
            recompute: Recompute::Full,
            schedule: Schedule::Interleaved,
            ..Layout::ONE_GPU
        };
        let (model, framework) = (gpt3(), Framework::new_without_features("test"));
        let step = Step::new(&model, &training, &framework, &layout).expect("published layout");
        let useful = model_flops(&model, &training, &framework);
        let all = hardware_flops(&step, useful);
        assert!((useful.get() / published(1536.0, 72.0) - 1.0).abs() < 1e-12);
        // The formula computes the scores of recomputed layers again, and so does full
        // recomputation.
        assert!((all.get() / published(1536.0, 96.0) - 1.0).abs() < 1e-3);
    }
}
