//! What launchers on top of Megatron call otherwise or fill in: ms-swift's command, and the script of
//! Megatron-Bridge's performance recipes.

use super::adapters::check_adapters;
use super::arguments::{Arguments, hole_question};
use super::flags;
use crate::import::problems::ImportProblem;

/// Renames what such a launcher calls otherwise, and sets what it fills in; gives what was assumed.
///
/// # Errors
/// Where the launcher is told to train something else than the model.
pub(super) fn fill_in(
    words: &[String],
    arguments: &mut Arguments,
) -> Result<Vec<String>, ImportProblem> {
    let is_swift = words.first().is_some_and(|word| word == "megatron");
    if is_swift {
        check_program(words.get(1).map_or("", String::as_str), arguments)?;
        fill_in_swift(arguments)
    } else if arguments.has_any(&["model_recipe_name"]) {
        check_adapters(&|name| arguments.get_text(name).map(str::to_owned))?;
        rename_recipe_flags(arguments);
        Ok(fill_in_bridge(arguments))
    } else {
        Ok(Vec::new())
    }
}

/// Refuses what is no training among the programs of ms-swift.
fn check_program(program: &str, arguments: &Arguments) -> Result<(), ImportProblem> {
    if let Some(hole) = arguments.holes.holes_in(program).first().copied() {
        arguments.ask(hole_question(hole, "behind `megatron`"));
    } else if !["sft", "pt", "rlhf"].contains(&program) {
        let name = format!("megatron {program}");
        return Err(ImportProblem::Purpose { name, reason: "is no training of ms-swift" });
    }
    Ok(())
}

/// ms-swift, `megatron sft` and the like: its `megatron_args.py`.
fn fill_in_swift(arguments: &mut Arguments) -> Result<Vec<String>, ImportProblem> {
    check_adapters(&|name| arguments.get_text(name).map(str::to_owned))?;
    if !arguments.has_any(&["seq_length"]) {
        let length = arguments.peek_text("packing_length").or(arguments.peek_text("max_length"));
        if let Some(length) = length.map(str::to_owned) {
            arguments.set_word("seq_length", &length);
        }
    }
    if let Some(word) = arguments.peek_text("torch_dtype").map(str::to_owned) {
        arguments.set_word(if word == "float16" { "fp16" } else { "bf16" }, "true");
    }
    const BATCH: FilledIn = (&["global_batch_size"], "global_batch_size", "16");
    Ok(set_usual_flags(&[PRECISION, OPTIMIZER, BATCH], "a default of ms-swift", arguments))
}

/// A flag with its word, and those that stand in its place.
type FilledIn = (&'static [&'static str], &'static str, &'static str);

const PRECISION: FilledIn = (&["bf16", "fp16"], "bf16", "true");
const OPTIMIZER: FilledIn = (
    &["use_distributed_optimizer", "use_megatron_fsdp", "use_torch_fsdp2"],
    "use_distributed_optimizer",
    "true",
);

/// What recipes of Megatron-Bridge have where nothing is said.
pub(super) fn fill_in_bridge(arguments: &mut Arguments) -> Vec<String> {
    set_usual_flags(&[PRECISION, OPTIMIZER], "recipes of Megatron-Bridge have it", arguments)
}

/// What Primus has where nothing is said: its `pre_trainer.yaml` and `trainer_base.yaml`.
pub(super) fn fill_in_primus(arguments: &mut Arguments) -> Vec<String> {
    const BATCH: FilledIn = (&["global_batch_size"], "global_batch_size", "16");
    const MICRO: FilledIn = (&["micro_batch_size"], "micro_batch_size", "2");
    const SEQUENCE: FilledIn = (&["seq_length"], "seq_length", "1024");
    let usual = [PRECISION, OPTIMIZER, BATCH, MICRO, SEQUENCE];
    set_usual_flags(&usual, "a default of Primus", arguments)
}

/// Sets what is not stated, and gives what was assumed.
fn set_usual_flags(usual: &[FilledIn], whose: &str, arguments: &mut Arguments) -> Vec<String> {
    let mut assumed = Vec::new();
    for (known, name, value) in usual {
        if !arguments.has_any(known) {
            arguments.set_word(name, value);
            assumed.push(format!("--{name} {value}: {whose}"));
        }
    }
    assumed
}

/// Megatron-Bridge's `run_script.py` and `setup_experiment.py`: GPUs and format have other names.
fn rename_recipe_flags(arguments: &mut Arguments) {
    if let Some(gpus) = arguments.peek_text("num_gpus").map(str::to_owned) {
        arguments.set_word("world_size", &gpus);
    }
    let format = arguments.peek_text("compute_dtype").map(str::to_owned).unwrap_or_default();
    let all = flags::precision_flags(&format).unwrap_or_default();
    all.iter().for_each(|(name, value)| arguments.set_word(name, value));
}
