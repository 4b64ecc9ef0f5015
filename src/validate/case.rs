//! One measured row as a question to the planner: model, training, layout, machine.

use super::problem::DataProblem;
use super::sets::MODELS;
use super::table::{Record, records};
use crate::parallel::{Layout, Order, Schedule, Zero};
use crate::units::Seconds;
use crate::workload::{
    Dispatcher, Framework, Graphs, GroupLimit, LatentAttention, Mamba, Model, Moe, Pattern,
    Precision, Recompute, SlidingWindow, Training,
};

/// A measured step.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationCase {
    /// Name of the row.
    pub id: String,
    /// Node in the presets.
    pub node: String,
    /// Interfaces of a node, where they differ from the preset's.
    pub nics: Option<u32>,
    /// Framework in the presets.
    pub framework: String,
    /// Framework settings that the source states otherwise, as `key=value`.
    pub overrides: Vec<(String, String)>,
    /// What was trained.
    pub model: Model,
    /// In which batches.
    pub training: Training,
    /// How it was spread.
    pub layout: Layout,
    /// Measured time of a step; `None` where only memory was measured.
    pub seconds: Option<Seconds>,
    /// Measured memory of the fullest GPU in GiB; `None` where it was not.
    pub memory_gib: Option<f64>,
    /// Where it was published.
    pub source: String,
}

/// The rows of a set.
pub(super) fn cases(text: &str) -> Result<Vec<ValidationCase>, DataProblem> {
    records(text).map(|record| case(&record)).collect()
}

fn case(record: &Record<'_>) -> Result<ValidationCase, DataProblem> {
    let mut model = model(record.text("model"))?;
    if let Some(layers) = record.optional("layers")? {
        model.layers = layers;
        if let Some(moe) = &mut model.moe {
            moe.dense_layers = moe.dense_layers.min(layers);
        }
    }
    model.sequence = record.number("sequence")?;
    let name = |column| record.text(column);
    let training = Training {
        global_batch: record.number("global_batch")?,
        tokens: None,
        precision: Precision::ALL
            .into_iter()
            .find(|precision| precision.name() == name("precision"))
            .ok_or_else(|| record.problem("precision"))?,
        offload_layers: record.optional("offload_layers")?.unwrap_or(0),
    };
    let overrides = record
        .text("overrides")
        .split(' ')
        .filter_map(|pair| pair.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    Ok(ValidationCase {
        id: record.text("id").to_owned(),
        node: record.text("node").to_owned(),
        nics: record.optional("nics")?,
        framework: record.text("framework").to_owned(),
        overrides,
        layout: layout(record)?,
        model,
        training,
        seconds: record.optional("seconds")?.map(Seconds::new_saturating),
        memory_gib: record.optional("memory_gib")?,
        source: record.text("source").to_owned(),
    })
}

fn layout(record: &Record<'_>) -> Result<Layout, DataProblem> {
    Ok(Layout {
        tensor: record.number("tensor")?,
        pipeline: record.number("pipeline")?,
        data: record.number("data")?,
        context: record.number("context")?,
        expert: record.number("expert")?,
        expert_tensor: record.optional("expert_tensor")?.unwrap_or(1),
        interleave: record.number("interleave")?,
        micro_batch: record.number("micro_batch")?,
        sequence_parallel: record.flag("sequence_parallel")?,
        shard: record.optional("shard")?,
        zero: Zero::from_stage(record.number("zero")?).ok_or_else(|| record.problem("zero"))?,
        recompute: Recompute::ALL
            .into_iter()
            .find(|recompute| recompute.name() == record.text("recompute"))
            .ok_or_else(|| record.problem("recompute"))?,
        order: Order::DP_INSIDE_PP,
        schedule: Schedule::ALL
            .into_iter()
            .find(|schedule| schedule.name() == record.text("schedule"))
            .ok_or_else(|| record.problem("schedule"))?,
    })
}

fn model(name: &str) -> Result<Model, DataProblem> {
    let record = records(MODELS)
        .find(|record| record.text("name") == name)
        .ok_or_else(|| DataProblem::Unknown { what: "model", name: name.to_owned() })?;
    let limit =
        GroupLimit { groups: record.number("groups")?, most: record.number("groups_per_token")? };
    let moe = Moe {
        experts: record.number("experts")?,
        top_k: record.number("top_k")?,
        shared_experts: record.number("shared_experts")?,
        ffn: record.number("moe_ffn")?,
        shared_ffn: record.optional("shared_ffn")?,
        latent: record.optional("moe_latent")?,
        dense_layers: record.number("dense_layers")?,
        capacity_factor: 1.0,
        loads: Vec::new(),
        load_deviation: 0.0,
        limit: (limit.groups > 0).then_some(limit),
    };
    let latent = LatentAttention {
        q_lora: record.number("q_lora")?,
        kv_lora: record.number("kv_lora")?,
        qk_nope: record.number("qk_nope")?,
        qk_rope: record.number("qk_rope")?,
        v_dim: record.number("v_dim")?,
    };
    let window = SlidingWindow {
        tokens: record.number("window")?,
        layers: record.number("window_layers")?,
        every: None,
    };
    Ok(Model {
        name: name.to_owned(),
        layers: record.number("layers")?,
        hidden: record.number("hidden")?,
        heads: record.number("heads")?,
        kv_heads: record.number("kv_heads")?,
        head_dim: record.number("head_dim")?,
        ffn: record.number("ffn")?,
        gated_ffn: record.flag("gated")?,
        vocab: record.number("vocab")?,
        sequence: 0,
        pattern: pattern(&record)?,
        attention_gate: false,
        mamba: mamba(&record)?,
        delta: None,
        tied_embeddings: record.flag("tied")?,
        moe: (moe.experts > 0).then_some(moe),
        latent_attention: (latent.kv_lora > 0).then_some(latent),
        window: (window.layers > 0).then_some(window),
        parallel_blocks: false,
        mtp_layers: record.number("mtp")?,
    })
}

/// Kinds of the layers, where they are not all alike.
fn pattern(record: &Record<'_>) -> Result<Option<Pattern>, DataProblem> {
    match record.text("pattern") {
        "" => Ok(None),
        text => Pattern::parse(text).map(Some).map_err(|_| record.problem("pattern")),
    }
}

/// The mixer of Mamba-2 layers, with the convolution over four tokens that all of them have.
fn mamba(record: &Record<'_>) -> Result<Option<Mamba>, DataProblem> {
    let Some(heads) = record.optional("mamba_heads")? else { return Ok(None) };
    Ok(Some(Mamba {
        heads,
        head_dim: record.number("mamba_head_dim")?,
        state: record.number("mamba_state")?,
        groups: record.number("mamba_groups")?,
        conv: 4,
    }))
}

impl ValidationCase {
    /// The framework with what the source states otherwise.
    pub(super) fn framework(&self, preset: &Framework) -> Result<Framework, DataProblem> {
        let mut framework = preset.clone();
        for (key, value) in &self.overrides {
            set(&mut framework, key, value).ok_or_else(|| DataProblem::Unknown {
                what: "framework setting",
                name: format!("{key}={value}"),
            })?;
        }
        Ok(framework)
    }
}

fn set(framework: &mut Framework, key: &str, value: &str) -> Option<()> {
    match key {
        "gradient_bytes" => framework.gradient_bytes = value.parse().ok()?,
        "parameter_bytes" => framework.parameter_bytes = value.parse().ok()?,
        "moment_bytes" => framework.moment_bytes = value.parse().ok()?,
        "overlap_data" => framework.overlap_data = value.parse().ok()?,
        "overlap_tensor" => framework.overlap_tensor = value.parse().ok()?,
        "overlap_pipeline" => framework.overlap_pipeline = value.parse().ok()?,
        "overlap_context" => framework.overlap_context = value.parse().ok()?,
        "overlap_expert" => framework.overlap_expert = value.parse().ok()?,
        "expert_overlap_visible" => framework.expert_overlap_visible = Some(value.parse().ok()?),
        "tensor_overlap_visible" => framework.tensor_overlap_visible = Some(value.parse().ok()?),
        "sharding_overlap_visible" => {
            framework.sharding_overlap_visible = Some(value.parse().ok()?);
        }
        "context_overlap_visible" => framework.context_overlap_visible = Some(value.parse().ok()?),
        "flash_attention" => framework.flash_attention = value.parse().ok()?,
        "earlier_attention" => framework.earlier_attention = value.parse().ok()?,
        "causal_attention" => framework.causal_attention = value.parse().ok()?,
        "fused_weight_gradient" => framework.fused_weight_gradient = value.parse().ok()?,
        "fused_loss" => framework.fused_loss = value.parse().ok()?,
        "padded_experts" => framework.padded_experts = value.parse().ok()?,
        "fp8_attention" => framework.fp8_attention = value.parse().ok()?,
        "balanced_stages" => framework.balanced_stages = value.parse().ok()?,
        "fragmentation" => framework.fragmentation = value.parse().ok()?,
        "cuda_graphs" => framework.cuda_graphs = Graphs::parse(value)?,
        "dispatcher" => framework.dispatcher = Dispatcher::parse(value)?,
        _ => return None,
    }
    Some(())
}
