//! Programs that a command runs: which trains a language model, and which does something else.

use super::arguments::split_flag;
use super::flags;

/// Programs that train no language model, by a part of their names, with what they do.
const OTHERS: [(&str, &str); 17] = [
    ("bert", "trains BERT, which is no causal language model"),
    ("t5", "trains T5, which has an encoder beside its decoder"),
    ("vision", "trains a model of pictures"),
    ("vlm", "trains a model of pictures and text"),
    ("mimo", "trains a model of pictures and text"),
    ("multimodal", "trains a model of pictures and text"),
    ("ict", "trains a retriever"),
    ("biencoder", "trains a retriever"),
    ("retro", "trains a model with retrieval"),
    ("generat", "generates text"),
    ("inference", "generates text"),
    ("server", "generates text"),
    ("eval", "evaluates a model"),
    ("tasks", "evaluates a model"),
    ("convert", "converts a checkpoint"),
    ("conversion", "converts a checkpoint"),
    ("preprocess", "prepares data"),
];

/// What the program of a command does, where it trains no language model.
pub(super) fn other_purpose(words: &[String]) -> Option<(&str, &'static str)> {
    let program = program_name(words)?;
    let parts: Vec<&str> = program.split(['/', '_', '.', '-']).collect();
    let is = |part: &str| match part {
        "t5" | "ict" | "eval" | "server" | "tasks" | "vlm" => parts.contains(&part),
        "convert" | "conversion" | "generat" => {
            program.contains(part) || program.contains("checkpoint/")
        }
        _ => program.contains(part),
    };
    OTHERS.iter().find(|(part, _)| is(part)).map(|(_, purpose)| (program, *purpose))
}

/// The file in Python, or the module, that a command runs.
pub(super) fn program_name(words: &[String]) -> Option<&str> {
    let module = words.iter().position(|word| word == "-m").and_then(|at| words.get(at + 1));
    let launches = |name: &&String| !name.starts_with("torch.distributed");
    let file = program_place(words).map(|at| &words[at]);
    file.or(module.filter(launches)).map(String::as_str)
}

/// Where the file in Python stands that a command runs: before all flags of a job, as one behind
/// them is the value of a flag.
pub(super) fn program_place(words: &[String]) -> Option<usize> {
    let place = words.iter().position(|word| is_program(word))?;
    (telling_flags(&words[..place]) == 0).then_some(place)
}

/// Whether a word is a file in Python.
fn is_program(word: &str) -> bool {
    word.ends_with(".py") && !word.starts_with('-')
}

/// How many flags of a job some words have.
pub(super) fn telling_flags(words: &[String]) -> usize {
    let name = |word: &String| split_flag(word).map(|(name, _)| name);
    words.iter().filter_map(name).filter(|name| flags::TELLING.contains(&name.as_str())).count()
}
