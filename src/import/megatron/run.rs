//! Batch, layout and stack from arguments of Megatron-LM.

use super::arguments::Arguments;
use crate::import::draft::{self, Draft, DraftValue, ImportProblem, UserChoices};

const TRAINING: &str = "training";
const PARALLEL: &str = "parallelism";
const FRAMEWORK: &str = "framework";

/// Writes the tables of the run.
pub(super) fn write_run(
    arguments: &Arguments,
    wanted: &UserChoices,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let word = |word: &str| DraftValue::Word(word.to_owned());
    let batch =
        arguments.get_count("global_batch_size")?.or(wanted.global_batch).map(DraftValue::Count);
    draft.put_or_assume(
        TRAINING,
        "global_batch",
        batch,
        DraftValue::Count(1024),
        "sequences in one step",
    );
    draft.set_count(TRAINING, "micro_batch", arguments.get_count("micro_batch_size")?.unwrap_or(1));
    write_tokens(arguments, draft)?;
    draft.set_key(TRAINING, "precision", word(precision_name(arguments)), "");
    let recompute = arguments.get_text("recompute_granularity").unwrap_or("none");
    draft.set_key(TRAINING, "recompute", word(recompute), "");
    if let Some(modules) = arguments.get_text("recompute_modules") {
        draft.lost.push(format!("--recompute-modules {modules}: a spec has no finer choice"));
    }
    let machines = match (arguments.get_count("nnodes")?, arguments.get_count("nproc_per_node")?) {
        (Some(nodes), Some(each)) => Some(nodes * each),
        _ => None,
    };
    let gpus = wanted.gpus.or(machines).or(arguments.get_count("world_size")?);
    let layout = write_degrees(arguments, gpus, draft)?;
    write_framework(arguments, layout, draft)?;
    let least = DraftValue::Count(layout.replica);
    let comment = "ranks of one replica; give `--gpus` for all";
    draft.put_or_assume("cluster", "gpus", gpus.map(DraftValue::Count), least, comment);
    draft::put_usual_node(wanted, draft);
    Ok(())
}

fn write_tokens(arguments: &Arguments, draft: &mut Draft) -> Result<(), ImportProblem> {
    let sequence = arguments.get_count("seq_length")?;
    let batch = arguments.get_count("global_batch_size")?;
    let samples = arguments.get_count("train_samples")?;
    let steps = arguments.get_count("train_iters")?;
    let samples = samples.or_else(|| steps?.checked_mul(batch?));
    if let Some(tokens) = samples.and_then(|samples| samples.checked_mul(sequence?)) {
        draft.set_key(TRAINING, "tokens", DraftValue::Word(tokens.to_string()), "");
    }
    Ok(())
}

fn precision_name(arguments: &Arguments) -> &'static str {
    let wide = arguments.has_flag("bf16");
    match (
        arguments.get_text("fp4_format"),
        arguments.get_text("fp8_format"),
        arguments.get_text("fp8_recipe"),
    ) {
        (Some(_), ..) => "nvfp4",
        (_, Some(_), Some("mxfp8")) => "mxfp8",
        (_, Some(_), _) => "fp8",
        _ if wide => "bf16",
        _ if arguments.has_flag("fp16") => "fp16",
        _ => "fp32",
    }
}

/// What later parts need of the layout.
#[derive(Clone, Copy)]
struct Degrees {
    replica: u64,
    chunks: u64,
    zero: u64,
}

fn write_degrees(
    arguments: &Arguments,
    gpus: Option<u64>,
    draft: &mut Draft,
) -> Result<Degrees, ImportProblem> {
    let degree = |name: &str| Ok(arguments.get_count(name)?.unwrap_or(1).max(1));
    let tensor = degree("tensor_model_parallel_size")?;
    let pipeline = degree("pipeline_model_parallel_size")?;
    let context = degree("context_parallel_size")?;
    draft.set_count(PARALLEL, "tensor", tensor);
    draft.set_count(PARALLEL, "pipeline", pipeline);
    draft.set_count(PARALLEL, "context", context);
    let experts = arguments.get_count("num_experts")?.is_some();
    let expert = degree("expert_model_parallel_size")?;
    if experts || expert > 1 {
        draft.set_count(PARALLEL, "expert", expert);
        let inside = arguments.get_count("expert_tensor_parallel_size")?.unwrap_or(tensor);
        draft.set_count(PARALLEL, "expert_tensor", inside);
    }
    let chunks = virtual_stages(arguments, pipeline)?;
    draft.set_count(PARALLEL, "interleave", chunks);
    // Megatron-LM drops it without tensor parallelism.
    draft.set_flag(
        PARALLEL,
        "sequence_parallel",
        arguments.has_flag("sequence_parallel") && tensor > 1,
    );
    let zero = match (
        arguments.has_flag("use_megatron_fsdp"),
        arguments.get_text("data_parallel_sharding_strategy"),
    ) {
        (true, Some("optim_grads_params")) => 3,
        (true, Some("optim_grads")) => 2,
        (true, Some("optim")) => 1,
        (true, Some("no_shard")) => 0,
        _ => u64::from(arguments.has_flag("use_distributed_optimizer")),
    };
    draft.set_count(PARALLEL, "zero", zero);
    let copies = arguments.get_count("num_distributed_optimizer_instances")?.unwrap_or(1).max(1);
    if zero > 0 && copies > 1 {
        let comment = "replicas that share one copy of the optimizer states; give `--gpus`";
        let sharing = gpus.map(|gpus| (gpus / (tensor * pipeline * context * copies)).max(1));
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
    for flag in ["account_for_embedding_in_pipeline_split", "account_for_loss_in_pipeline_split"] {
        if arguments.has_flag(flag) {
            draft.lost.push(format!(
                "--{}: the planner splits layers by its own rule",
                flag.replace('_', "-")
            ));
        }
    }
    Ok(Degrees { replica: tensor * pipeline * context, chunks, zero })
}

/// Virtual stages of a rank, in whichever of three ways they are stated.
fn virtual_stages(arguments: &Arguments, pipeline: u64) -> Result<u64, ImportProblem> {
    let stated = arguments
        .get_count("num_virtual_stages_per_pipeline_rank")?
        .or(arguments.get_count("virtual_pipeline_model_parallel_size")?);
    if let Some(chunks) = stated {
        return Ok(chunks);
    }
    if let Some(layout) = arguments.get_text("pipeline_model_parallel_layout") {
        return Ok((count_stages(layout) / pipeline).max(1));
    }
    let per_chunk =
        arguments.get_count("num_layers_per_virtual_pipeline_stage")?.filter(|each| *each > 0);
    let more = ["account_for_embedding_in_pipeline_split", "account_for_loss_in_pipeline_split"];
    let more = more.iter().filter(|flag| arguments.has_flag(flag)).count() as u64;
    Ok(match (per_chunk, arguments.get_count("num_layers")?) {
        (Some(each), Some(layers)) => ((layers + more) / pipeline / each).max(1),
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
                    times = times * 10 + u64::from(digit);
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

fn write_framework(
    arguments: &Arguments,
    layout: Degrees,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let mut flag = |key, value| draft.set_flag(FRAMEWORK, key, value);
    flag("overlap_data", arguments.has_flag("overlap_grad_reduce"));
    flag("overlap_tensor", arguments.has_flag("tp_comm_overlap"));
    flag(
        "overlap_pipeline",
        layout.chunks > 1 && !arguments.has_flag("no_overlap_p2p_communication"),
    );
    flag("overlap_expert", arguments.has_flag("overlap_moe_expert_parallel_comm"));
    flag("fused_loss", arguments.has_flag("cross_entropy_loss_fusion"));
    if layout.zero < 2 {
        flag("fused_weight_gradient", !arguments.has_flag("no_gradient_accumulation_fusion"));
    }
    if let Some(backend) = arguments.get_text("attention_backend") {
        flag("flash_attention", backend != "unfused");
    }
    let narrow = arguments.has_flag("grad_reduce_in_bf16") || arguments.has_flag("fp16");
    draft.set_count(FRAMEWORK, "gradient_bytes", if narrow { 2 } else { 4 });
    let eight = arguments.has_flag("fp8_param_gather") || arguments.has_flag("fp8_param");
    draft.set_count(FRAMEWORK, "parameter_bytes", if eight { 1 } else { 2 });
    let moments = arguments.get_text("exp_avg_dtype").is_some_and(|text| text != "fp32");
    draft.set_count(FRAMEWORK, "moment_bytes", if moments { 2 } else { 4 });
    let mut word =
        |key, value: &str| draft.set_key(FRAMEWORK, key, DraftValue::Word(value.to_owned()), "");
    if arguments.get_count("num_experts")?.is_some() {
        let kind = match arguments.get_text("moe_token_dispatcher_type") {
            Some("flex") => "hybrid-ep",
            // What Megatron-Core does where nothing is said.
            Some("allgather") | None => "all-gather",
            Some(_) => "all-to-all",
        };
        word("dispatcher", kind);
    }
    match arguments.get_text("cp_comm_type") {
        Some("a2a") => word("context_exchange", "all-to-all"),
        Some("allgather") => word("context_exchange", "gather"),
        Some("a2a+p2p") => draft.lost.push("--cp-comm-type a2a+p2p: taken as a ring".to_owned()),
        _ => word("context_exchange", "ring"),
    }
    match arguments.get_text("cuda_graph_impl") {
        Some("full_iteration") => {
            draft.set_key(FRAMEWORK, "cuda_graphs", DraftValue::Word("full".into()), "")
        }
        Some("local" | "transformer_engine") => {
            draft.set_key(FRAMEWORK, "cuda_graphs", DraftValue::Word("partial".into()), "");
        }
        _ => {}
    }
    Ok(())
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
