//! `[framework]`: the settings of a training stack, by default the newest one for the GPUs.

use super::context::Context;
use super::training::lacks_bf16;
use crate::hardware::Node;
use crate::spec::reader::Reader;
use crate::workload::{Algorithms, Collectives, Framework, Precision};

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
                    nodes; inside HB domains rings";

const NVLS: &str = "nvls: as NCCL 2.30.7's tuner chooses, and the switches inside HB domains sum what \
                    all-reduces send: 1.3 times the bus bandwidth of rings, as measured on H100";
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
        let place = own.place_of("preset");
        let known = stacks.entries.keys().cloned();
        context.report_unknown_name(own.path_of("preset"), place, "framework", name, known);
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
