//! One measured row as a question to the planner: model, training, layout, machine.

use super::measured_rows::{DataProblem, Record, read_records};
use super::sets::MODELS;
use crate::parallel::{Layout, Order, Schedule, Zero};
use crate::units::Seconds;
use crate::workload::{
    Dispatcher, Framework, Graphs, GroupLimit, LatentAttention, Mamba, Model, Moe, Pattern,
    Precision, Recompute, RecomputeModule, RecomputeModules, SlidingWindow, Training,
};

/// A measured step.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationCase {
    pub id: String,
    pub node: String,
    /// Interfaces of a node, where they differ from the preset's.
    pub nics: Option<u32>,
    pub framework: String,
    /// Framework settings that the source states otherwise, as `key=value`.
    pub overrides: Vec<(String, String)>,
    pub model: Model,
    pub training: Training,
    pub layout: Layout,
    /// Measured time of a step; `None` where only memory was measured.
    pub seconds: Option<Seconds>,
    /// Measured memory of the fullest GPU in GiB; `None` where it was not.
    pub memory_gib: Option<f64>,
    /// Rate of large multiplications on its machine over that of other machines of the kind, by
    /// tables of kernels that were measured on both.
    pub machine_rate: f64,
    /// Where it was published.
    pub source: String,
}

/// The rows of a set.
pub(super) fn read_cases(text: &str) -> Result<Vec<ValidationCase>, DataProblem> {
    read_records(text).map(|record| read_case(&record)).collect()
}

fn read_case(record: &Record<'_>) -> Result<ValidationCase, DataProblem> {
    let mut model = read_model(record.field_text("model"))?;
    if let Some(layers) = record.optional_number("layers")? {
        model.layers = layers;
        if let Some(moe) = &mut model.moe {
            moe.dense_layers = moe.dense_layers.min(layers);
        }
    }
    model.sequence = record.field_number("sequence")?;
    // Benchmarks that force even loads may keep a token's experts together.
    if let (Some(moe), Some(groups)) = (&mut model.moe, record.optional_number("expert_groups")?) {
        moe.limit = Some(GroupLimit { groups, most: 1 });
    }
    let name = |column| record.field_text(column);
    let training = Training {
        global_batch: record.field_number("global_batch")?,
        tokens: None,
        precision: Precision::ALL
            .into_iter()
            .find(|precision| precision.name() == name("precision"))
            .ok_or_else(|| record.field_problem("precision"))?,
        offload_layers: record.optional_number("offload_layers")?.unwrap_or(0),
        recompute_modules: read_recomputed_modules(record)?,
    };
    let overrides = record
        .field_text("overrides")
        .split(' ')
        .filter_map(|pair| pair.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    Ok(ValidationCase {
        id: record.field_text("id").to_owned(),
        node: record.field_text("node").to_owned(),
        nics: record.optional_number("nics")?,
        framework: record.field_text("framework").to_owned(),
        overrides,
        layout: read_layout(record)?,
        model,
        training,
        seconds: record.optional_number("seconds")?.map(Seconds::from_f64),
        memory_gib: record.optional_number("memory_gib")?,
        machine_rate: record.optional_number("machine_rate")?.unwrap_or(1.0),
        source: record.field_text("source").to_owned(),
    })
}

/// The parts of a layer that the recipe of a row recomputes; `None` where it names none.
fn read_recomputed_modules(record: &Record<'_>) -> Result<Option<RecomputeModules>, DataProblem> {
    let names = record.field_text("recompute_modules").split_whitespace();
    let modules: Option<Vec<_>> = names.map(RecomputeModule::parse).collect();
    let modules = modules.ok_or_else(|| record.field_problem("recompute_modules"))?;
    Ok((!modules.is_empty()).then(|| RecomputeModules::from_list(&modules)))
}

fn read_layout(record: &Record<'_>) -> Result<Layout, DataProblem> {
    Ok(Layout {
        tensor: record.field_number("tensor")?,
        pipeline: record.field_number("pipeline")?,
        data: record.field_number("data")?,
        context: record.field_number("context")?,
        expert: record.field_number("expert")?,
        expert_tensor: record.optional_number("expert_tensor")?.unwrap_or(1),
        interleave: record.field_number("interleave")?,
        micro_batch: record.field_number("micro_batch")?,
        sequence_parallel: record.field_flag("sequence_parallel")?,
        shard: record.optional_number("shard")?,
        zero: Zero::from_stage(record.field_number("zero")?)
            .ok_or_else(|| record.field_problem("zero"))?,
        recompute: Recompute::ALL
            .into_iter()
            .find(|recompute| recompute.name() == record.field_text("recompute"))
            .ok_or_else(|| record.field_problem("recompute"))?,
        order: Order::DP_INSIDE_PP,
        schedule: Schedule::ALL
            .into_iter()
            .find(|schedule| schedule.name() == record.field_text("schedule"))
            .ok_or_else(|| record.field_problem("schedule"))?,
    })
}

fn read_model(name: &str) -> Result<Model, DataProblem> {
    let record = read_records(MODELS)
        .find(|record| record.field_text("name") == name)
        .ok_or_else(|| DataProblem::Unknown { what: "model", name: name.to_owned() })?;
    let limit = GroupLimit {
        groups: record.field_number("groups")?,
        most: record.field_number("groups_per_token")?,
    };
    let moe = Moe {
        experts: record.field_number("experts")?,
        top_k: record.field_number("top_k")?,
        shared_experts: record.field_number("shared_experts")?,
        ffn: record.field_number("moe_ffn")?,
        shared_ffn: record.optional_number("shared_ffn")?,
        latent: record.optional_number("moe_latent")?,
        dense_layers: record.field_number("dense_layers")?,
        capacity_factor: 1.0,
        loads: Vec::new(),
        biases: record.field_flag("sinks_and_biases")?,
        load_deviation: 0.0,
        limit: (limit.groups > 0).then_some(limit),
    };
    let latent = LatentAttention {
        q_lora: record.field_number("q_lora")?,
        kv_lora: record.field_number("kv_lora")?,
        qk_nope: record.field_number("qk_nope")?,
        qk_rope: record.field_number("qk_rope")?,
        v_dim: record.field_number("v_dim")?,
    };
    let window = SlidingWindow {
        tokens: record.field_number("window")?,
        layers: record.field_number("window_layers")?,
        every: None,
    };
    Ok(Model {
        name: name.to_owned(),
        layers: record.field_number("layers")?,
        hidden: record.field_number("hidden")?,
        heads: record.field_number("heads")?,
        kv_heads: record.field_number("kv_heads")?,
        head_dim: record.field_number("head_dim")?,
        ffn: record.field_number("ffn")?,
        gated_ffn: record.field_flag("gated")?,
        vocab: record.field_number("vocab")?,
        sequence: 0,
        pattern: read_pattern(&record)?,
        attention_gate: false,
        mamba: read_mamba(&record)?,
        delta: None,
        tied_embeddings: record.field_flag("tied")?,
        moe: (moe.experts > 0).then_some(moe),
        latent_attention: (latent.kv_lora > 0).then_some(latent),
        window: (window.layers > 0).then_some(window),
        attention_sinks: record.field_flag("sinks_and_biases")?,
        parallel_blocks: false,
        mtp_layers: record.field_number("mtp")?,
    })
}

/// Kinds of the layers, where they are not all alike.
fn read_pattern(record: &Record<'_>) -> Result<Option<Pattern>, DataProblem> {
    match record.field_text("pattern") {
        "" => Ok(None),
        text => Pattern::parse(text).map(Some).map_err(|_| record.field_problem("pattern")),
    }
}

/// The mixer of Mamba-2 layers, with the convolution over four tokens that all of them have.
fn read_mamba(record: &Record<'_>) -> Result<Option<Mamba>, DataProblem> {
    let Some(heads) = record.optional_number("mamba_heads")? else { return Ok(None) };
    Ok(Some(Mamba {
        heads,
        head_dim: record.field_number("mamba_head_dim")?,
        state: record.field_number("mamba_state")?,
        groups: record.field_number("mamba_groups")?,
        conv: 4,
    }))
}

impl ValidationCase {
    /// The framework with what the source states otherwise.
    pub(super) fn case_framework(&self, preset: &Framework) -> Result<Framework, DataProblem> {
        let mut framework = preset.clone();
        for (key, value) in &self.overrides {
            set_framework_key(&mut framework, key, value).ok_or_else(|| DataProblem::Unknown {
                what: "framework setting",
                name: format!("{key}={value}"),
            })?;
        }
        Ok(framework)
    }
}

fn set_framework_key(framework: &mut Framework, key: &str, value: &str) -> Option<()> {
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
        "first_attention" => framework.first_attention = value.parse().ok()?,
        "causal_attention" => framework.causal_attention = value.parse().ok()?,
        "fused_weight_gradient" => framework.fused_weight_gradient = value.parse().ok()?,
        "native_pytorch" => framework.native_pytorch = value.parse().ok()?,
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
