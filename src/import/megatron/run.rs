//! Batch, layout and stack from arguments of Megatron-LM.

use super::arguments::Arguments;
use super::degrees::{Degrees, read_degrees, write_degrees, zero_stage};
use super::model::ask_for_loose_words;
use super::script::ScriptJob;
use crate::import::draft::{self, Draft, DraftValue, UserChoices};
use crate::import::problems::ImportProblem;
use crate::import::questions::Question;
use crate::workload::{ModelPart, RecomputeModule};

const TRAINING: &str = "training";
const FRAMEWORK: &str = "framework";

/// Writes the tables of the run.
pub(super) fn write_run(
    job: &ScriptJob,
    wanted: &UserChoices,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let arguments = &job.arguments;
    let gpus = count_gpus(job, wanted, draft)?;
    let stated = arguments.has_any(&STATED) || !job.list;
    if !stated {
        // A list of the model's flags alone leaves batch and layout open.
        draft::put_usual_run(wanted, draft);
        if arguments.has_any(&["bf16", "fp16"]) {
            let word = DraftValue::Word(precision_name(arguments).to_owned());
            draft.set_key(TRAINING, "precision", word, "");
        }
        return Ok(());
    }
    if !arguments.has_any(&["tensor_model_parallel_size", "model_parallel_size"]) {
        ask_for_loose_words(arguments);
    }
    let layers = draft.find_count("model", "layers").or(wanted.layers);
    let degrees = Degrees { zero: zero_stage(job)?, ..read_degrees(arguments, layers)? };
    let gpus_text = "the least that hold the layout; `--gpus` states all";
    let all = gpus.unwrap_or(degrees.least_gpus());
    let known = wanted.gpus.is_none() && !arguments.has_questions();
    if let Some(stated) = gpus.filter(|gpus| known && !gpus.is_multiple_of(degrees.least_gpus())) {
        let missing = format!(
            "the file has {stated} GPUs, and its layout goes over multiples of {}",
            degrees.least_gpus()
        );
        arguments.ask(Question::new(String::new(), missing, "--gpus N"));
    }
    let micro = arguments.first_count(&["micro_batch_size", "batch_size"])?.unwrap_or(1);
    let own = arguments.get_count("global_batch_size")?.or(rollout_batch(arguments)?);
    let batch = wanted.global_batch.or(own);
    let ranks = (all / degrees.replica().max(1)).max(1);
    let steps = arguments.get_count("gradient_accumulation_steps")?;
    let accumulated = |steps: u64| micro.saturating_mul(steps).saturating_mul(ranks);
    let batch = batch.or(steps.filter(|_| gpus.is_some()).map(accumulated));
    // Without a global batch there is no accumulation.
    let usual = accumulated(steps.unwrap_or(1));
    draft.put_or_assume(
        TRAINING,
        "global_batch",
        batch.map(DraftValue::Count),
        DraftValue::Count(usual),
        "a micro-batch of each data rank: `--global-batch-size` is not there",
    );
    draft.set_count(TRAINING, "micro_batch", micro);
    if arguments.has_flag("use_dynamic_batch_size") {
        draft
            .lost
            .push("--use-dynamic-batch-size: micro-batches of one sequence are taken".to_owned());
    }
    if let Some(words) = arguments.get_words("rampup_batch_size") {
        draft.lost.push(format!(
            "--rampup-batch-size {}: the batch at its end is taken",
            words.join(" ")
        ));
    }
    write_tokens(arguments, draft)?;
    let word = |word: &str| DraftValue::Word(word.to_owned());
    draft.set_key(TRAINING, "precision", word(precision_name(arguments)), "");
    write_recomputation(arguments, draft)?;
    if let Some(layers) = arguments.get_count("cpu_offloading_num_layers")? {
        draft.set_count(TRAINING, "offload_layers", layers);
    }
    write_degrees(job, degrees, gpus, draft)?;
    write_framework(arguments, degrees, draft)?;
    let least = DraftValue::Count(degrees.least_gpus());
    draft.put_or_assume("cluster", "gpus", gpus.map(DraftValue::Count), least, gpus_text);
    draft::put_usual_node(wanted, draft);
    Ok(())
}

/// Flags that say how a model is trained, not what it is.
const STATED: [&str; 7] = [
    "tensor_model_parallel_size",
    "model_parallel_size",
    "pipeline_model_parallel_size",
    "expert_model_parallel_size",
    "micro_batch_size",
    "global_batch_size",
    "train_iters",
];

/// Sequences of one step of those that are rolled out before it.
fn rollout_batch(arguments: &Arguments) -> Result<Option<u64>, ImportProblem> {
    let prompts = arguments.get_count("rollout_batch_size")?;
    let each = arguments.get_count("n_samples_per_prompt")?.unwrap_or(1);
    let steps = arguments.get_count("num_steps_per_rollout")?.unwrap_or(1).max(1);
    Ok(prompts.and_then(|prompts| prompts.checked_mul(each)).map(|all| (all / steps).max(1)))
}

/// GPUs that the user, the launcher or the log says.
fn count_gpus(
    job: &ScriptJob,
    wanted: &UserChoices,
    draft: &mut Draft,
) -> Result<Option<u64>, ImportProblem> {
    /// GPUs of a node where only the nodes are stated.
    const USUAL_NODE: u64 = 8;
    let world = job.arguments.get_count("world_size")?;
    if wanted.gpus.is_some() {
        return Ok(wanted.gpus);
    }
    job.arguments.ask_for_machines();
    Ok(match (job.nodes, job.per_node) {
        (Some(nodes), Some(each)) => nodes.checked_mul(each),
        (Some(nodes), None) => {
            draft.assumed.push(format!("{USUAL_NODE} GPUs of a node: the file says {nodes} nodes"));
            nodes.checked_mul(USUAL_NODE)
        }
        _ => world,
    })
}

/// What is recomputed, in the words of all releases.
fn write_recomputation(arguments: &Arguments, draft: &mut Draft) -> Result<(), ImportProblem> {
    let old = [
        "checkpoint_activations",
        "deepspeed_activation_checkpointing",
        "distribute_checkpointed_activations",
    ];
    let all = old.iter().filter(|flag| arguments.has_flag(flag)).count() > 0;
    let selective = arguments.has_flag("recompute_activations");
    let method = arguments.get_text("activations_checkpoint_method");
    let granularity = arguments.get_text("recompute_granularity");
    let kind = match granularity.or(arguments.get_text("activations_checkpoint_granularity")) {
        Some(kind) => kind,
        None if all || method.is_some() => "full",
        None if selective => "selective",
        None => "none",
    };
    // A flag of older releases for one of the modules.
    let whole_experts = arguments.has_flag("moe_layer_recompute");
    let kind = if kind == "none" && whole_experts { "selective" } else { kind };
    draft.set_key(TRAINING, "recompute", DraftValue::Word(kind.to_owned()), "");
    let mut modules = arguments.get_words("recompute_modules").unwrap_or_default().to_vec();
    if whole_experts && kind == "selective" {
        modules.push(RecomputeModule::Moe.name().to_owned());
    }
    let (known, other): (Vec<String>, Vec<String>) =
        modules.into_iter().partition(|module| RecomputeModule::parse(module).is_some());
    if !other.is_empty() {
        let names = RecomputeModule::NAMES.join(", ");
        draft.lost.push(format!("--recompute-modules {}: a spec knows {names}", other.join(" ")));
    }
    let experts = arguments.get_count("num_experts")?.is_some();
    let has_part = |module: &String| {
        let part = RecomputeModule::parse(module).and_then(RecomputeModule::needed_part);
        part.is_none_or(|part| match part {
            ModelPart::LatentAttention => arguments.has_flag("multi_latent_attention"),
            ModelPart::Experts => experts,
            ModelPart::SharedExperts => arguments.has_any(&["moe_shared_expert_intermediate_size"]),
        })
    };
    let (known, absent): (Vec<String>, Vec<String>) = known.into_iter().partition(has_part);
    if !absent.is_empty() {
        let names = absent.join(" ");
        draft.lost.push(format!("--recompute-modules {names}: the model has no such part"));
    }
    if kind == "selective" && !known.is_empty() {
        draft.set_key(TRAINING, "recompute_modules", DraftValue::Words(known), "");
    }
    let layers =
        arguments.first_count(&["recompute_num_layers", "activations_checkpoint_num_layers"])?;
    let by_block = [method, arguments.get_text("recompute_method")].contains(&Some("block"));
    if let Some(layers) = layers.filter(|_| by_block) {
        draft.lost.push(format!(
            "--recompute-num-layers {layers} with --recompute-method block: all layers are taken"
        ));
    }
    Ok(())
}

fn write_tokens(arguments: &Arguments, draft: &mut Draft) -> Result<(), ImportProblem> {
    let sequence = arguments.get_count("seq_length")?;
    let batch = arguments.get_count("global_batch_size")?;
    let samples = arguments.get_count("train_samples")?;
    let steps = arguments.get_count("train_iters")?;
    let samples = samples.or_else(|| steps?.checked_mul(batch?));
    let tokens = samples.and_then(|samples| samples.checked_mul(sequence?));
    if let Some(tokens) = tokens.filter(|tokens| *tokens > 0) {
        draft.set_key(TRAINING, "tokens", DraftValue::Word(tokens.to_string()), "");
    }
    Ok(())
}

fn precision_name(arguments: &Arguments) -> &'static str {
    let wide = arguments.has_flag("bf16");
    let old = arguments.has_flag("fp8_hybrid") || arguments.has_flag("fp8_e4m3");
    let recipe = arguments.get_text("fp8_recipe");
    // A recipe alone changes nothing.
    // Logs have the names by which Megatron-LM keeps the formats.
    let states = |names: [&'static str; 2]| {
        names
            .map(|name| arguments.get_text(name).is_some_and(|word| word != "false"))
            .contains(&true)
    };
    let eight = states(["fp8_format", "fp8"]) || old;
    arguments.has_flag("fp4_recipe");
    match () {
        () if states(["fp4_format", "fp4"]) => "nvfp4",
        () if eight && recipe == Some("mxfp8") => "mxfp8",
        () if eight => "fp8",
        () if wide => "bf16",
        () if arguments.has_flag("fp16") => "fp16",
        () => "fp32",
    }
}

fn write_framework(
    arguments: &Arguments,
    degrees: Degrees,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let mut flag = |key, value| draft.set_flag(FRAMEWORK, key, value);
    flag("overlap_data", arguments.has_flag("overlap_grad_reduce"));
    flag("overlap_tensor", arguments.has_flag("tp_comm_overlap"));
    flag(
        "overlap_pipeline",
        degrees.chunks > 1 && !arguments.has_flag("no_overlap_p2p_communication"),
    );
    flag("overlap_expert", arguments.has_flag("overlap_moe_expert_parallel_comm"));
    flag("fused_loss", arguments.has_flag("cross_entropy_loss_fusion"));
    if degrees.zero < 2 {
        flag("fused_weight_gradient", !arguments.has_flag("no_gradient_accumulation_fusion"));
    }
    let local = arguments.get_text("transformer_impl") == Some("local");
    match arguments.get_text("attention_backend") {
        Some(backend) => flag("flash_attention", backend != "unfused"),
        None if local => flag("flash_attention", arguments.has_flag("use_flash_attn")),
        None => {}
    }
    let kept = arguments.get_text("main_grads_dtype").is_some_and(|text| text != "fp32");
    let narrow = kept || arguments.has_flag("grad_reduce_in_bf16") || arguments.has_flag("fp16");
    draft.set_count(FRAMEWORK, "gradient_bytes", if narrow { 2 } else { 4 });
    let eight = arguments.has_flag("fp8_param_gather") || arguments.has_flag("fp8_param");
    draft.set_count(FRAMEWORK, "parameter_bytes", if eight { 1 } else { 2 });
    let moments = match arguments.get_text("exp_avg_dtype") {
        None | Some("fp32" | "float32") => 4,
        Some("fp8" | "uint8") => {
            draft.lost.push("--exp-avg-dtype fp8: moments of two bytes are taken".to_owned());
            2
        }
        Some(_) => 2,
    };
    draft.set_count(FRAMEWORK, "moment_bytes", moments);
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
    let ulysses = arguments.has_any(&["ds_sequence_parallel_size"]).then_some("a2a");
    let kinds = arguments.get_words("cp_comm_type").unwrap_or_default();
    let alike = kinds.iter().all(|kind| *kind == kinds[0]);
    let kind = kinds.first().map(String::as_str).or(ulysses);
    match kind {
        _ if !alike => draft.lost.push(format!("--cp-comm-type {}", kinds.join(" "))),
        Some("a2a") => word("context_exchange", "all-to-all"),
        Some("allgather") => word("context_exchange", "gather"),
        Some("a2a+p2p") => draft.lost.push("--cp-comm-type a2a+p2p: taken as a ring".to_owned()),
        _ => word("context_exchange", "ring"),
    }
    let old = arguments.has_flag("enable_cuda_graph") || arguments.has_flag("external_cuda_graph");
    match arguments.get_text("cuda_graph_impl").or(old.then_some("local")) {
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
