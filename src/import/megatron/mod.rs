//! A job of Megatron-LM, or overrides of Megatron-Bridge, as a draft of a spec.

mod adapters;
mod arguments;
mod degrees;
mod environment;
mod flags;
mod folded;
mod launcher;
mod model;
mod pattern;
mod primus;
mod program;
mod recipe;
mod run;
mod script;
mod sharding;
mod tuning;
mod yaml;

use std::collections::BTreeMap;

use super::draft::{Draft, UserChoices};
use super::problems::ImportProblem;
use super::questions::Question;
use arguments::{Arguments, split_words};
use script::ScriptJob;
pub(super) use yaml::yaml_keys;

/// Whether a text is a log of Megatron-LM, or a YAML file of its flags.
pub(super) fn is_printed(text: &str) -> bool {
    let is_key = |line: &str| line.trim_start().starts_with("--") && line.contains(": ");
    text.contains("tensor_model_parallel_size ..") || text.lines().any(is_key)
}

/// Whether a text has overrides of Megatron-Bridge.
pub(super) fn is_bridge(text: &str) -> bool {
    ["model.tensor_model_parallel_size=", "train.micro_batch_size=", "model.num_layers="]
        .iter()
        .any(|key| text.contains(key))
}

/// The draft of a log or a YAML file.
pub(super) fn import_printed(text: &str, wanted: &UserChoices) -> Result<Draft, ImportProblem> {
    let mode = text.lines().find_map(|line| line.strip_prefix("MODE:")).map(str::trim);
    if mode.is_some_and(|mode| mode.trim_matches(['"', '\'']).contains("inference")) {
        return Err(ImportProblem::Purpose {
            name: "MODE: inference".to_owned(),
            reason: "generates text",
        });
    }
    let text = select_section(text, wanted.line)?;
    let mut arguments = Arguments::parse_arguments(&text);
    if let Some(padded) = padded_size(&text) {
        arguments.set_word("padded_vocab_size", &padded.to_string());
    }
    draft_arguments(bare_job(arguments), "arguments of Megatron-LM", wanted)
}

/// The text of one job of a test that starts several: what all have, and the section on a line.
fn select_section(text: &str, line: Option<u64>) -> Result<String, ImportProblem> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |at: &usize| lines[*at].starts_with("MODEL_ARGS");
    let starts: Vec<usize> = (0..lines.len()).filter(begins).collect();
    let Some(first) = starts.first().filter(|_| starts.len() > 1) else {
        return Ok(text.to_owned());
    };
    let chosen = starts.iter().position(|at| Some(*at as u64 + 1) == line);
    let Some(chosen) = chosen else {
        let numbers: Vec<usize> = starts.iter().map(|at| at + 1).collect();
        return Err(script::ask_for_line(&numbers));
    };
    let end = starts.get(chosen + 1).copied().unwrap_or(lines.len());
    Ok([&lines[..*first], &lines[starts[chosen]..end]].concat().join("\n"))
}

/// The draft of a recipe in YAML; `None` of any other text.
pub(super) fn import_recipe(
    text: &str,
    wanted: &UserChoices,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Draft>, ImportProblem> {
    let Some(root) = recipe::parse_recipe(text) else { return Ok(None) };
    if let Some(overrides) = recipe::bridge_overrides(&root) {
        return import_bridge(&overrides, wanted).map(Some);
    }
    let Some(recipe) = recipe::read_recipe(root, wanted, read_file) else { return Ok(None) };
    if let Some((name, reason)) = recipe.other {
        return Err(ImportProblem::Purpose { name, reason });
    }
    if let Some(name) = recipe.refused {
        let reason =
            "it is no single stack of layers with causal attention, on ranks that are alike";
        return Err(ImportProblem::Refused { name, reason });
    }
    if recipe.named.is_empty() && !recipe.questions.is_empty() {
        return Err(ImportProblem::Questions { list: recipe.questions });
    }
    let mut job = bare_job(Arguments::new(recipe.named));
    recipe.questions.into_iter().for_each(|question| job.arguments.ask(question));
    (job.lost, job.assumed) = (recipe.lost, recipe.assumed);
    job.config = read_file("../config.json");
    if recipe.primus {
        job.assumed.extend(launcher::fill_in_primus(&mut job.arguments));
    }
    let mut draft = draft_arguments(job, recipe.origin, wanted)?;
    if recipe.foreign {
        // Of these no key was read.
        draft.entries.retain(|entry| entry.table != "framework");
    }
    Ok(Some(draft))
}

/// The size of the embedding by the line of a log that says how it was padded.
fn padded_size(text: &str) -> Option<u64> {
    let line =
        text.lines().find(|line| line.contains("padded vocab") && line.contains("new size:"))?;
    let number = line.rsplit_once("new size:")?.1.trim().trim_end_matches(')');
    number.trim().parse().ok()
}

/// The draft of a script; `None` where it has no flags of a job.
pub(super) fn import_script(
    text: &str,
    file: &str,
    wanted: &UserChoices,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Draft>, ImportProblem> {
    /// Jobs that are compared.
    const MOST: usize = 64;
    let text = folded::join_folded_lines(text);
    let jobs = script::find_jobs(&text, file, wanted, read_file)?;
    let commands: Vec<_> = jobs.iter().filter_map(|job| job.command.clone()).collect();
    let few = jobs.len() <= MOST;
    let config = read_file("../config.json");
    let draft = |job| {
        let job = ScriptJob { config: config.clone(), ..job };
        draft_arguments(job, "arguments of Megatron-LM", wanted)
    };
    let mut drafts: Vec<_> = jobs.into_iter().rev().take(MOST).map(draft).collect();
    let Some(last) = drafts.first() else { return Ok(None) };
    // Jobs that come to one spec are one.
    let alike = |other: &Result<Draft, ImportProblem>| match (other, last) {
        (Ok(other), Ok(last)) => other.entries == last.entries,
        (other, last) => other == last,
    };
    match few && drafts.iter().all(alike) {
        true => drafts.swap_remove(0).map(Some),
        false => Err(script::ask_for_job(&commands)),
    }
}

/// The draft of overrides.
pub(super) fn import_bridge(text: &str, wanted: &UserChoices) -> Result<Draft, ImportProblem> {
    let words = split_words(text);
    let stated = |word: &str, name: &str| {
        let (key, value) = word.split_once('=')?;
        let key = key.trim_start_matches('+');
        let is_own = key == name || (name == "peft" && key.starts_with("peft."));
        is_own.then(|| value.to_owned())
    };
    adapters::check_adapters(&|name| words.iter().find_map(|word| stated(word, name)))?;
    let mut arguments = bridge_arguments(&words);
    let assumed = launcher::fill_in_bridge(&mut arguments);
    if !arguments.has_any(&["num_layers"]) && wanted.preset.is_none() {
        let question =
            Question::of_model("the overrides: they change a recipe that stands elsewhere");
        return Err(question.into());
    }
    let job = ScriptJob { assumed, ..bare_job(arguments) };
    draft_arguments(job, "overrides of Megatron-Bridge", wanted)
}

/// Arguments that no command stands behind.
fn bare_job(arguments: Arguments) -> ScriptJob {
    ScriptJob { arguments, ..ScriptJob::default() }
}

fn draft_arguments(
    job: ScriptJob,
    origin: &str,
    wanted: &UserChoices,
) -> Result<Draft, ImportProblem> {
    let name = wanted.name.clone().unwrap_or_else(|| "megatron".to_owned());
    let mut draft = Draft::new(origin.to_owned(), name);
    draft.origins = &ORIGINS;
    model::write_model(&job, wanted, &mut draft)?;
    run::write_run(&job, wanted, &mut draft)?;
    let arguments = &job.arguments;
    arguments.ask_for_branches();
    let unread = arguments.unread_names()?;
    let questions = arguments.take_questions();
    if !questions.is_empty() {
        return Err(ImportProblem::Questions { list: questions });
    }
    draft.lost.extend(job.lost);
    draft.assumed.extend(job.assumed);
    if arguments.is_complete() {
        draft.unread = unread;
    } else if !unread.is_empty() {
        draft.lost.push(format!("flags that are not read: {}", unread.join(", ")));
    }
    if !job.defaults.is_empty() {
        let text =
            format!("{}: defaults of the script; `--env` states others", job.defaults.join(", "));
        draft.assumed.push(text);
    }
    Ok(draft)
}

/// Keys of the spec with their flags, for a spec that is refused.
const ORIGINS: [(&str, &str); 17] = [
    ("model.heads", "--num-attention-heads"),
    ("model.kv_heads", "--num-query-groups"),
    ("model.head_dim", "--kv-channels"),
    ("model.hidden", "--hidden-size"),
    ("model.layers", "--num-layers"),
    ("model.pattern", "--hybrid-layer-pattern"),
    ("model.moe.top_k", "--moe-router-topk"),
    ("model.moe.groups", "--moe-router-num-groups"),
    ("training.global_batch", "--global-batch-size"),
    ("training.micro_batch", "--micro-batch-size"),
    ("parallelism.tensor", "--tensor-model-parallel-size"),
    ("parallelism.pipeline", "--pipeline-model-parallel-size"),
    ("parallelism.context", "--context-parallel-size"),
    ("parallelism.expert", "--expert-model-parallel-size"),
    ("parallelism.expert_tensor", "--expert-tensor-parallel-size"),
    ("parallelism.interleave", "--num-layers-per-virtual-pipeline-stage"),
    ("parallelism.zero", "--use-distributed-optimizer"),
];

/// Keys whose argument has another name.
const RENAMED: [(&str, &str); 3] = [
    ("num_moe_experts", "num_experts"),
    ("virtual_pipeline_model_parallel_size", "num_virtual_stages_per_pipeline_rank"),
    ("gated_linear_unit", "swiglu"),
];

/// The arguments that overrides stand for.
fn bridge_arguments(words: &[String]) -> Arguments {
    let mut named = BTreeMap::new();
    let mut put = |key: &str, value: &str| {
        named.insert(key.to_owned(), value.to_owned());
    };
    for word in words {
        let Some((key, value)) = word.split_once('=') else { continue };
        let key = key.rsplit_once('.').map_or(key, |(_, last)| last);
        let renamed = RENAMED.iter().find(|(given_text, _)| *given_text == key);
        match (key, value.to_lowercase().as_str()) {
            ("mixed_precision", given_text) => {
                let given_text = given_text.replace('-', "_");
                let keys = flags::precision_flags(&given_text).unwrap_or(&[("bf16", "true")]);
                keys.iter().for_each(|(key, value)| put(key, value));
            }
            ("num_query_groups", _) => {
                put("group_query_attention", "true");
                put(key, value);
            }
            ("kv_lora_rank", _) => {
                put("multi_latent_attention", "true");
                put(key, value);
            }
            ("share_embeddings_and_output_weights", "false") => {
                put("untie_embeddings_and_output_weights", "true");
            }
            ("use_distributed_optimizer" | "bf16", "false") => put(key, "false"),
            ("grad_reduce_in_fp32", "false") => put("grad_reduce_in_bf16", "true"),
            ("overlap_p2p_comm", "false") => put("no_overlap_p2p_communication", "true"),
            (
                "share_embeddings_and_output_weights" | "grad_reduce_in_fp32" | "overlap_p2p_comm",
                _,
            )
            | (_, "false" | "null" | "none") => {}
            _ => put(renamed.map_or(key, |(_, name)| name), value),
        }
    }
    Arguments::new(named)
}
