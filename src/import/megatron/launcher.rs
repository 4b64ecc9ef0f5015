//! What launchers on top of Megatron call otherwise or fill in: ms-swift's command, and the script of
//! Megatron-Bridge's performance recipes.

use super::arguments::Arguments;
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
        fill_in_swift(arguments)
    } else if arguments.has_any(&["model_recipe_name"]) {
        rename_recipe_flags(arguments);
        Ok(Vec::new())
    } else {
        Ok(Vec::new())
    }
}

/// ms-swift, `megatron sft` and the like: its `megatron_args.py`.
fn fill_in_swift(arguments: &mut Arguments) -> Result<Vec<String>, ImportProblem> {
    for tuner in ["tuner_type", "train_type"] {
        if arguments.peek_text(tuner).is_some_and(|word| word.contains("lora")) {
            let name = format!("--{tuner} lora");
            return Err(ImportProblem::Purpose {
                name,
                reason: "trains adapters of a model alone",
            });
        }
    }
    if !arguments.has_any(&["seq_length"]) {
        let length = arguments.peek_text("packing_length").or(arguments.peek_text("max_length"));
        if let Some(length) = length.map(str::to_owned) {
            arguments.set_word("seq_length", &length);
        }
    }
    if let Some(word) = arguments.peek_text("torch_dtype").map(str::to_owned) {
        arguments.set_word(if word == "float16" { "fp16" } else { "bf16" }, "true");
    }
    let mut assumed = Vec::new();
    let usual: [(&[&str], &str, &str); 3] = [
        (&["bf16", "fp16"], "bf16", "true"),
        (&["use_distributed_optimizer"], "use_distributed_optimizer", "true"),
        (&["global_batch_size"], "global_batch_size", "16"),
    ];
    for (known, name, value) in usual {
        if !arguments.has_any(known) {
            arguments.set_word(name, value);
            assumed.push(format!("--{name} {value}: a default of ms-swift"));
        }
    }
    Ok(assumed)
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
