//! `[framework]`: the settings of a training stack, by default those of the GPUs' time.

use super::context::Context;
use super::training::without_bf16;
use crate::hardware::Node;
use crate::spec::reader::Reader;
use crate::spec::schema::FRAMEWORK;
use crate::workload::{ContextExchange, Dispatcher, Framework, Graphs, Precision};

/// Training stacks by the newest number format that the GPUs have: the stack of the years in
/// which such GPUs set the records.
const BY_FORMAT: [(Precision, &str); 3] = [
    (Precision::Nvfp4, "megatron-2026"),
    (Precision::Fp8, "megatron-2024"),
    (Precision::Bf16, "megatron-2022"),
];

/// The stack for GPUs without bfloat16.
const BEFORE_BF16: &str = "megatron-2020";

/// Stacks in which sequence parallelism and a sharded optimizer are what one gets without asking.
const SHARDED: [&str; 3] = ["megatron-2024", "megatron-2026", "deepseek-2024"];

/// Stacks on Megatron-Core, as its tuned recipes set it.
const MEGATRON_CORE: [&str; 2] = ["megatron-2024", "megatron-2026"];

/// What those sum gradients in.
const GRADIENTS: &str = "2: gradients are summed over replicas in 16 bits, as in tuned recipes \
                         (--grad-reduce-in-bf16); Megatron-Core's --bf16 alone sums them in 32, \
                         state 4 then";

/// True where the stack shards norms, dropouts and optimizer states by default.
pub(super) fn shards_by_default(framework: &Framework) -> bool {
    SHARDED.contains(&framework.name.as_str())
}

pub(super) fn framework(
    context: &mut Context<'_>,
    nodes: &[Node],
    precision: Option<Precision>,
) -> Option<Framework> {
    let own = context.section("framework");
    let name = match own.text("preset") {
        Some(name) => name,
        None if own.stated("preset") => return None,
        None => default_preset(context, nodes, precision?),
    };
    let stacks = context.presets.kind("frameworks");
    let Some(below) = stacks.table(name) else {
        let place = own.place_of("preset");
        let known = stacks.entries.keys().cloned();
        context.unknown(own.path_of("preset"), place, "framework", name, known);
        return None;
    };
    let empty = Default::default();
    let merged = below.overlaid(context.document.table("framework").unwrap_or(&empty));
    let reader = Reader::new(&merged, &FRAMEWORK, "framework", own.place());
    context.demand(&reader, "");
    let framework = read(&reader, name)?;
    if MEGATRON_CORE.contains(&name) && !own.stated("gradient_bytes") {
        context.rests_on("framework.gradient_bytes", GRADIENTS);
    }
    Some(framework)
}

fn default_preset(context: &mut Context<'_>, nodes: &[Node], precision: Precision) -> &'static str {
    let has = |format: Precision| nodes.iter().any(|node| node.gpu.peaks.of(format).is_some());
    let newest = BY_FORMAT.into_iter().find(|(format, _)| has(*format));
    let name = match newest {
        Some((_, name)) if !nodes.iter().all(without_bf16) => name,
        _ => BEFORE_BF16,
    };
    let text = format!("{name}: the stack of these GPUs' years, training in {}", precision.name());
    context.assume("framework.preset", text);
    name
}

pub(super) fn read(reader: &Reader<'_>, name: &str) -> Option<Framework> {
    let cuda_graphs = match reader.text("cuda_graphs")? {
        "none" => Graphs::None,
        "partial" => Graphs::Partial,
        _ => Graphs::Full,
    };
    let dispatcher = match reader.text("dispatcher")? {
        "all-to-all" => Dispatcher::AllToAll,
        _ => Dispatcher::HybridEp,
    };
    let context_exchange = match reader.text_or_default("context_exchange").as_str() {
        "ring" => ContextExchange::Ring,
        "all-to-all" => ContextExchange::AllToAll,
        _ => ContextExchange::Gather,
    };
    Some(Framework {
        name: name.to_owned(),
        gradient_bytes: reader.count("gradient_bytes")?,
        gradient_copy_bytes: reader.count_or_default("gradient_copy_bytes"),
        parameter_bytes: reader.count("parameter_bytes")?,
        moment_bytes: reader.count_or_default("moment_bytes"),
        overlap_data: reader.flag("overlap_data")?,
        overlap_tensor: reader.flag("overlap_tensor")?,
        overlap_pipeline: reader.flag("overlap_pipeline")?,
        overlap_context: reader.flag_or_default("overlap_context"),
        overlap_expert: reader.flag("overlap_expert")?,
        expert_overlap_visible: reader.number("expert_overlap_visible"),
        fused_weight_gradient: reader.flag("fused_weight_gradient")?,
        flash_attention: reader.flag("flash_attention")?,
        causal_attention: reader.flag("causal_attention")?,
        fused_elementwise: reader.flag("fused_elementwise")?,
        fused_loss: reader.flag_or_default("fused_loss"),
        fp8_attention: reader.flag("fp8_attention")?,
        balanced_stages: reader.flag("balanced_stages")?,
        single_ring_sharding: reader.flag("single_ring_sharding")?,
        narrow_dispatch: reader.flag_or_default("narrow_dispatch"),
        scatter_pipeline: reader.flag("scatter_pipeline")?,
        context_exchange,
        cuda_graphs,
        dispatcher,
        attention_scores: reader.flag_or_default("attention_scores"),
        embedding: reader.flag_or_default("embedding"),
        overheads: reader.flag_or_default("overheads"),
        fragmentation: reader.number_or_default("fragmentation"),
        production_factor: reader.number_or_default("production_factor"),
    })
}
