//! The layout from arguments of Megatron-LM: degrees, virtual stages, the ZeRO stage.

use super::arguments::{Arguments, flag_name};
use super::script::ScriptJob;
use crate::import::deepspeed::{STATES_ON_HOST, WEIGHTS_ON_HOST};
use crate::import::draft::{Draft, DraftValue};
use crate::import::problems::ImportProblem;

const PARALLEL: &str = "parallelism";

/// The degrees of a layout.
#[derive(Clone, Copy)]
pub(super) struct Degrees {
    pub(super) tensor: u64,
    pub(super) pipeline: u64,
    pub(super) context: u64,
    pub(super) expert: u64,
    pub(super) expert_tensor: u64,
    pub(super) chunks: u64,
    pub(super) zero: u64,
}

impl Degrees {
    pub(super) fn replica(&self) -> u64 {
        self.tensor.saturating_mul(self.pipeline).saturating_mul(self.context)
    }

    /// The fewest GPUs that hold one replica and all experts.
    pub(super) fn least_gpus(&self) -> u64 {
        let (stage, experts) = (
            self.tensor.saturating_mul(self.context),
            self.expert.saturating_mul(self.expert_tensor),
        );
        let copies = (1..=experts)
            .find(|copies| stage.saturating_mul(*copies).is_multiple_of(experts.max(1)));
        self.replica().saturating_mul(copies.unwrap_or(1))
    }
}

/// The degrees of a layout of a model with so many layers, where their number is known.
pub(super) fn read_degrees(
    arguments: &Arguments,
    layers: Option<u64>,
) -> Result<Degrees, ImportProblem> {
    let degree = |names: &[&'static str]| {
        Ok::<u64, ImportProblem>(arguments.first_count(names)?.unwrap_or(1).clamp(1, 1 << 20))
    };
    let tensor = degree(&["tensor_model_parallel_size", "model_parallel_size"])?;
    let pipeline = degree(&["pipeline_model_parallel_size"])?;
    let context = degree(&["context_parallel_size", "ds_sequence_parallel_size"])?;
    let expert = degree(&["expert_model_parallel_size", "moe_expert_parallel_size"])?;
    let inside = arguments.get_count("expert_tensor_parallel_size")?;
    // Experts of Megatron-DeepSpeed are not cut.
    let own = arguments.has_any(&["moe_expert_parallel_size"]);
    let expert_tensor = inside.unwrap_or(if own { 1 } else { tensor }).clamp(1, 1 << 20);
    let chunks = virtual_stages(arguments, layers, pipeline)?;
    Ok(Degrees { tensor, pipeline, context, expert, expert_tensor, chunks, zero: 0 })
}

/// The ZeRO stage, in the words of all releases.
pub(super) fn zero_stage(job: &ScriptJob) -> Result<u64, ImportProblem> {
    let arguments = &job.arguments;
    let sharded = arguments.has_flag("use_megatron_fsdp") || arguments.has_flag("use_custom_fsdp");
    let strategy = arguments.get_text("data_parallel_sharding_strategy");
    let optimizer = arguments.has_flag("use_distributed_optimizer");
    let own = arguments.get_count("zero_stage")?;
    let torch = arguments.has_flag("use_torch_fsdp2");
    arguments.has_flag("deepspeed_config");
    let written = job.deepspeed.as_ref().and_then(|text| {
        let file: serde_json::Value = serde_json::from_str(text).ok()?;
        file.get("zero_optimization")?.get("stage")?.as_u64()
    });
    let deepspeed = arguments.has_flag("deepspeed");
    Ok(match strategy {
        _ if torch => 3,
        Some("optim_grads_params") if sharded => 3,
        Some("optim_grads") if sharded => 2,
        Some("optim") if sharded => 1,
        // What Megatron-FSDP does where nothing is said.
        _ if sharded => 0,
        _ => match written.or(own) {
            Some(stage) => stage,
            None if deepspeed => 1,
            None => u64::from(optimizer),
        },
    })
}

pub(super) fn write_degrees(
    job: &ScriptJob,
    degrees: Degrees,
    gpus: Option<u64>,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let arguments = &job.arguments;
    let Degrees { tensor, pipeline, context, expert, expert_tensor, chunks, zero } = degrees;
    draft.set_count(PARALLEL, "tensor", tensor);
    draft.set_count(PARALLEL, "pipeline", pipeline);
    draft.set_count(PARALLEL, "context", context);
    if arguments.has_any(&["num_experts"]) || expert > 1 {
        draft.set_count(PARALLEL, "expert", expert);
        draft.set_count(PARALLEL, "expert_tensor", expert_tensor);
    }
    draft.set_count(PARALLEL, "interleave", chunks);
    // Megatron-LM drops it without tensor parallelism.
    draft.set_flag(
        PARALLEL,
        "sequence_parallel",
        arguments.has_flag("sequence_parallel") && tensor > 1,
    );
    draft.set_count(PARALLEL, "zero", zero);
    let copies = arguments.get_count("num_distributed_optimizer_instances")?.unwrap_or(1).max(1);
    if zero > 0 && copies > 1 {
        let comment = "replicas that share one copy of the optimizer states; give `--gpus`";
        let sharing = gpus.map(|gpus| (gpus / degrees.replica().saturating_mul(copies)).max(1));
        draft.put_or_assume(
            PARALLEL,
            "shard",
            sharing.map(DraftValue::Count),
            DraftValue::Count(1),
            comment,
        );
    }
    let outside = arguments.has_flag("use_tp_pp_dp_mapping");
    let order = if outside { "tp-cp-ep-pp-dp" } else { "tp-cp-ep-dp-pp" };
    draft.set_key(PARALLEL, "order", DraftValue::Word(order.to_owned()), "");
    for flag in [
        "account_for_embedding_in_pipeline_split",
        "account_for_loss_in_pipeline_split",
        "standalone_embedding_stage",
        "decoder_first_pipeline_num_layers",
        "decoder_last_pipeline_num_layers",
    ] {
        if arguments.has_flag(flag) {
            draft
                .lost
                .push(format!("{}: the planner splits layers by its own rule", flag_name(flag)));
        }
    }
    for (flag, what) in [
        ("optimizer_cpu_offload", STATES_ON_HOST),
        ("cpu_optimizer", STATES_ON_HOST),
        ("remote_device", WEIGHTS_ON_HOST),
    ] {
        if arguments.has_flag(flag) {
            draft.lost.push(format!("{}: {what}", flag_name(flag)));
        }
    }
    if let Some(name) = arguments.get_text("optimizer").filter(|name| *name != "adam") {
        draft.lost.push(format!("--optimizer {name}: states of Adam are taken"));
    }
    Ok(())
}

/// Virtual stages of a rank, in whichever of three ways they are stated.
fn virtual_stages(
    arguments: &Arguments,
    layers: Option<u64>,
    pipeline: u64,
) -> Result<u64, ImportProblem> {
    let stated = arguments
        .get_count("num_virtual_stages_per_pipeline_rank")?
        .or(arguments.get_count("virtual_pipeline_model_parallel_size")?);
    if let Some(chunks) = stated {
        return Ok(chunks);
    }
    if let Some(layout) = arguments.get_text("pipeline_model_parallel_layout") {
        return Ok((count_stages(layout) / pipeline.max(1)).max(1));
    }
    let per_chunk =
        arguments.get_count("num_layers_per_virtual_pipeline_stage")?.filter(|each| *each > 0);
    let more = ["account_for_embedding_in_pipeline_split", "account_for_loss_in_pipeline_split"];
    let more = more.iter().filter(|flag| arguments.has_flag(flag)).count() as u64;
    Ok(match (per_chunk, layers) {
        (Some(each), Some(layers)) => (layers.saturating_add(more) / pipeline / each).max(1),
        _ => 1,
    })
}

/// Stages of a layout such as `Et*3|(tt|)*29m|L`, where `*` repeats a letter or a group.
fn count_stages(layout: &str) -> u64 {
    let mut stages = 1;
    let mut group = 0;
    let mut characters = layout.chars().peekable();
    let (mut inside, mut closed) = (false, false);
    while let Some(character) = characters.next() {
        match character {
            '(' => (inside, group) = (true, 0),
            ')' => (inside, closed) = (false, true),
            '|' if inside => group += 1,
            '|' => stages += 1,
            '*' => {
                let mut times = 0;
                while let Some(digit) = characters.peek().and_then(|c| c.to_digit(10)) {
                    times = (times * 10 + u64::from(digit)).min(100_000);
                    characters.next();
                }
                if closed {
                    stages += group * times;
                    (closed, group) = (false, 0);
                }
            }
            _ => {}
        }
    }
    stages
}

#[cfg(test)]
mod tests {
    use super::count_stages;

    #[test]
    fn stages_of_a_written_layout_are_counted() {
        assert_eq!(count_stages("Ett|tt|ttL"), 3);
        assert_eq!(count_stages("Et*3|(tt|)*29m|L"), 32);
    }
}
