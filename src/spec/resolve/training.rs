//! `[training]`, `[framework]`, `[technique]`.
//!
//! `[training]`, and whether the GPUs can compute in the precision that it names. Micro-batch and
//! recomputation belong to the layout, which [`super::layout`] reads.

use super::context::Context;
use crate::hardware::Node;
use crate::spec::reader::Reader;
use crate::workload::{
    Algorithms, Collectives, Framework, Model, ModelPart, Precision, RecomputeModule, Techniques,
    Training,
};

/// Calibrations of GPUs that have no bfloat16: a peak rate of 16 bits does not say which.
const WITHOUT_BF16: [&str; 2] = ["volta", "volta-sxm2"];

/// True where the GPU has no bfloat16.
fn lacks_bf16(node: &Node) -> bool {
    WITHOUT_BF16.contains(&node.gpu.calibration.name.as_str())
}

/// True where the GPU computes in that format.
pub(super) fn computes_in(node: &Node, precision: Precision) -> bool {
    let named = node.gpu.peaks.peak_of_precision(precision).is_some();
    named && !(precision == Precision::Bf16 && lacks_bf16(node))
}

/// The precision that the spec states.
pub(super) fn stated_precision(reader: &Reader<'_>) -> Option<Precision> {
    Precision::parse(reader.read_text("precision")?)
}

pub(super) fn resolve_training(context: &mut Context<'_>, nodes: &[Node]) -> Option<Training> {
    let reader = context.section_reader("training");
    context.require_key(&reader, "");
    let usual = if nodes.iter().any(lacks_bf16) { Precision::Fp16 } else { Precision::Bf16 };
    let precision = stated_precision(&reader).unwrap_or(usual);
    check_precision(context, &reader, nodes, precision);
    if !reader.is_stated("tokens") {
        context.note_assumption("training.tokens", "not stated: no length or cost of the run");
    }
    Training::read(&reader, usual)
}

/// Says which precision is taken, and refuses one that a GPU has not.
fn check_precision(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
    nodes: &[Node],
    precision: Precision,
) {
    if !reader.is_stated("precision") {
        let why = match precision {
            Precision::Fp16 => "this GPU has no bf16",
            _ => "what this GPU trains in without scaling",
        };
        let text = format!("{}: {why}", precision.name());
        context.note_assumption("training.precision", text);
    }
    if let Some(node) = nodes.iter().find(|node| !computes_in(node, precision)) {
        let can: Vec<&str> = Precision::ALL
            .into_iter()
            .filter(|precision| computes_in(node, *precision))
            .map(Precision::name)
            .collect();
        let message = format!(
            "GPU `{}` of node `{}` can't compute in {}",
            node.gpu.name,
            node.name,
            precision.name()
        );
        let hint = if can.is_empty() {
            format!("give `{}` a peak rate, such as peak_bf16", node.gpu.name)
        } else {
            format!("it can in {}; or choose another node", can.join(", "))
        };
        context.report_contradiction(reader, "precision", message, hint);
    }
}

/// Refuses to recompute what the model has not, as Megatron-Core does.
pub(super) fn check_recomputed_modules(
    context: &mut Context<'_>,
    model: &Model,
    training: &Training,
) {
    let Some(modules) = training.recompute_modules else { return };
    for module in RecomputeModule::ALL.into_iter().filter(|module| modules.has_module(*module)) {
        let Some(part) = module.needed_part() else { continue };
        let has_part = match part {
            ModelPart::LatentAttention => model.latent_attention.is_some(),
            ModelPart::Experts => model.moe.is_some(),
            ModelPart::SharedExperts => {
                model.moe.as_ref().is_some_and(|moe| moe.shared_experts > 0)
            }
        };
        if !has_part {
            let reader = context.section_reader("training");
            let (name, part) = (module.name(), part.name());
            let message = format!("`{name}` can't be recomputed: the model has no {part}");
            context.report_contradiction(&reader, "recompute_modules", message, "leave it out");
        }
    }
}

/// The newest training stack by the newest number format that the GPUs have. The exchange of tokens
/// and the graphs of 2026 ask for Hopper; all else of Megatron-Core runs on Ampere too.
const BY_FORMAT: [(Precision, &str); 2] =
    [(Precision::Fp8, "megatron-2026"), (Precision::Bf16, "megatron-2025")];

/// The newest stack for GPUs without bfloat16: fused attention asks for Ampere.
const BEFORE_BF16: &str = "megatron-2020";

/// Stacks in which sequence parallelism and a sharded optimizer are what one gets without asking.
const SHARDED: [&str; 4] = ["megatron-2024", "megatron-2025", "megatron-2026", "deepseek-2024"];

/// Stacks on Megatron-Core, as its tuned recipes set it.
const MEGATRON_CORE: [&str; 3] = ["megatron-2024", "megatron-2025", "megatron-2026"];

/// What those sum gradients in.
const GRADIENTS: &str = "2: gradients are summed over replicas in 16 bits, as in tuned recipes \
                         (--grad-reduce-in-bf16); Megatron-Core's --bf16 alone sums them in 32, \
                         state 4 then";

/// What collectives take for granted by default. The version is that of `collective::nccl`.
const NCCL: &str = "nccl: rings, trees or PAT as NCCL 2.30.7's tuner chooses by size, members and \
                    nodes; inside HB domains the bytes of rings, and the time of sums by the switches \
                    where these sum";

const NVLS: &str = "nvls: as NCCL 2.30.7's tuner chooses, and the bytes are those of all-reduces that \
                    the switches inside HB domains sum";
const SHARP: &str = "sharp: as NCCL 2.30.7's tuner chooses, and the switches between domains sum what \
                     all-reduces send where its cost model finds that faster than trees; needs \
                     NCCL_COLLNET_ENABLE=1 and a plugin, and was not measured";

/// True where the stack shards norms, dropouts and optimizer states by default.
pub(super) fn shards_by_default(framework: &Framework) -> bool {
    SHARDED.contains(&framework.name.as_str())
}

pub(super) fn resolve_framework(
    context: &mut Context<'_>,
    nodes: &[Node],
    precision: Option<Precision>,
) -> Option<Framework> {
    let own = context.section_reader("framework");
    let name = match own.read_text("preset") {
        Some(name) => name,
        None if own.is_stated("preset") => return None,
        None => default_preset(context, nodes, precision?),
    };
    let stacks = context.presets.entries_of_kind("frameworks");
    let Some(below) = stacks.get_table(name) else {
        let known = stacks.entries.keys().cloned();
        context.report_unknown_value(&own, "preset", "framework", name, known);
        return None;
    };
    let empty = Default::default();
    let merged = below.overlay_with(context.document.get_table("framework").unwrap_or(&empty));
    let reader = Reader::new(&merged, &Framework::SECTION, "framework", own.place());
    context.require_key(&reader, "");
    let framework = Framework::read(&reader, name.to_owned(), resolve_collectives(context)?)?;
    if MEGATRON_CORE.contains(&name) && !own.is_stated("gradient_bytes") {
        context.note_preset_default("framework.gradient_bytes", GRADIENTS);
    }
    let training = context.section_reader("training");
    if framework.native_pytorch && training.is_stated("recompute_modules") {
        let message = format!("framework `{name}` recomputes single operations, not modules");
        let hint = "leave the modules out, or name a framework on Megatron-Core";
        context.report_contradiction(&training, "recompute_modules", message, hint);
    }
    Some(framework)
}

/// `[collectives]`, and what the default takes for granted.
fn resolve_collectives(context: &mut Context<'_>) -> Option<Collectives> {
    let found = Collectives::read(&context.section_reader("collectives"))?;
    for (by, text) in
        [(Algorithms::Nccl, NCCL), (Algorithms::Nvls, NVLS), (Algorithms::Sharp, SHARP)]
    {
        if found.has_algorithm(by) {
            context.note_assumption("collectives.all", text);
        }
    }
    Some(found)
}

fn default_preset(context: &mut Context<'_>, nodes: &[Node], precision: Precision) -> &'static str {
    let has = |format: Precision| {
        nodes.iter().any(|node| node.gpu.peaks.peak_of_precision(format).is_some())
    };
    let newest = BY_FORMAT.into_iter().find(|(format, _)| has(*format));
    let name = match newest {
        Some((_, name)) if !nodes.iter().all(lacks_bf16) => name,
        _ => BEFORE_BF16,
    };
    let text = format!(
        "{name}: the newest stack that supports these GPUs, training in {}",
        precision.name()
    );
    context.note_assumption("framework.preset", text);
    name
}

pub(super) fn resolve_techniques(context: &Context<'_>) -> Option<Techniques> {
    let all = context.section_reader("technique");
    Techniques::read(|technique| all.sub_table(technique.key()))
}
