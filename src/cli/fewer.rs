//! What to type where a cluster is too large for its limits. Runs nothing but the question whether
//! fewer GPUs have a design.

use std::path::Path;

use super::args::Options;
use super::failure::Failure;
use crate::design::{Infeasible, fewer_gpus_that_work};
use crate::scenario::Scenario;

/// Why there is no design, with the sizes of the cluster that may have one and the command that
/// compares them.
pub(super) fn infeasible_with_size_hint(
    reason: Infeasible,
    scenario: &Scenario,
    spec: &Path,
    options: &Options,
) -> Failure {
    let sizes = fewer_gpus_that_work(scenario, &reason, &options.solver_options());
    let Some(first) = sizes.first() else { return reason.into() };
    let listed: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    let hint = format!(
        "{first} GPUs have a design within these limits; `{} --vary cluster.gpus={}` compares sizes",
        sweep_command(spec, options),
        listed.join(",")
    );
    Failure::TooLarge { reason: Box::new(reason), hint }
}

/// `planner sweep` of the same spec, with the same changes and prices.
fn sweep_command(spec: &Path, options: &Options) -> String {
    let mut words = vec!["planner".to_owned(), "sweep".to_owned(), spec.display().to_string()];
    // The size is what is varied.
    for set in options.set.iter().filter(|set| !set.trim_start().starts_with("cluster.gpus")) {
        words.extend(["--set".to_owned(), set.clone()]);
    }
    if let Some(prices) = &options.prices {
        words.extend(["--prices".to_owned(), prices.display().to_string()]);
    }
    if let Some(part) = &options.part {
        words.extend(["--part".to_owned(), part.clone()]);
    }
    let words: Vec<String> = words.iter().map(|word| quote_shell_word(word)).collect();
    words.join(" ")
}

/// A word as a shell takes it.
fn quote_shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::quote_shell_word;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        assert_eq!(quote_shell_word("cluster.gpus=512"), "cluster.gpus=512");
        assert_eq!(quote_shell_word("limits.budget=$9M"), "'limits.budget=$9M'");
        assert_eq!(quote_shell_word("it's"), "'it'\\''s'");
        assert_eq!(quote_shell_word(""), "''");
    }
}
