//! Arguments of Megatron-LM (core 0.20), and overrides of Megatron-Bridge, as a draft.

mod bridge;
mod model;
mod run;
mod words;

use super::draft::{Draft, UserChoices};
use super::problem::ImportProblem;
use words::Arguments;

/// Whether a text has arguments of Megatron-LM.
pub(super) fn is_megatron(text: &str) -> bool {
    [
        "--num-layers",
        "--tensor-model-parallel-size",
        "--micro-batch-size",
        "tensor_model_parallel_size ..",
    ]
    .iter()
    .any(|flag| text.contains(flag))
}

/// Whether a text has overrides of Megatron-Bridge.
pub(super) fn is_bridge(text: &str) -> bool {
    ["model.tensor_model_parallel_size=", "train.micro_batch_size=", "model.num_layers="]
        .iter()
        .any(|key| text.contains(key))
}

/// The draft of arguments.
pub(super) fn import_megatron(text: &str, wanted: &UserChoices) -> Result<Draft, ImportProblem> {
    draft_arguments(&Arguments::parse_arguments(text), "arguments of Megatron-LM", wanted)
}

/// The draft of overrides.
pub(super) fn import_bridge(text: &str, wanted: &UserChoices) -> Result<Draft, ImportProblem> {
    draft_arguments(&bridge::bridge_arguments(text), "overrides of Megatron-Bridge", wanted)
}

fn draft_arguments(
    arguments: &Arguments,
    origin: &str,
    wanted: &UserChoices,
) -> Result<Draft, ImportProblem> {
    let name = wanted.name.clone().unwrap_or_else(|| "megatron".to_owned());
    let mut draft = Draft::new(origin.to_owned(), name);
    model::write_model(arguments, wanted, &mut draft)?;
    run::write_run(arguments, wanted, &mut draft)?;
    draft.unread = arguments.unread_names();
    Ok(draft)
}
