//! Fields of torchtitan since 0.3, which are set in Python or on its command line, as the tables
//! that its TOML had. Only literals are read: what a program works out is told as lost.

use toml::{Table, Value as Toml};

use crate::import::problems::ImportProblem;
use crate::import::questions::Question;

/// Sections that have fields of a layout, with the class of each.
const SECTIONS: [(&str, &str); 3] = [
    ("training", "TrainingConfig"),
    ("parallelism", "ParallelismConfig"),
    ("compile", "CompileConfig"),
];

/// Most characters of one call that are read.
const LONGEST: usize = 4_096;

/// Whether a text sets such fields.
pub(super) fn is_python(text: &str) -> bool {
    ["ParallelismConfig(", "config.parallelism", "--parallelism."]
        .iter()
        .any(|name| text.contains(name))
}

/// The function of a file that sets such fields: the only one, or the one around the line that the
/// user names. A file without functions is all of it.
///
/// # Errors
/// A question where several functions set fields.
pub(super) fn chosen_function(text: &str, line: Option<u64>) -> Result<String, ImportProblem> {
    let lines: Vec<&str> = text.lines().collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with("def ")).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let setting = |(start, end): (usize, usize)| {
        let body = lines[start..end].join("\n");
        let (tables, lost) = parse_tables(&body);
        (!tables.is_empty() || !lost.is_empty()).then_some((start, end, body))
    };
    let found: Vec<(usize, usize, String)> =
        starts.iter().copied().zip(ends).filter_map(setting).collect();
    let around = |(start, end, _): &&(usize, usize, String)| {
        line.is_some_and(|line| (*start as u64 + 1..=*end as u64).contains(&line))
    };
    match found.as_slice() {
        [] | [_] => Ok(text.to_owned()),
        several => match several.iter().find(around) {
            Some((_, _, body)) => Ok(body.clone()),
            None => {
                /// Most functions that are named.
                const MOST: usize = 8;
                let name = |(start, ..): &(usize, usize, String)| {
                    let head = lines[*start].trim_start_matches("def ");
                    let name = head.split('(').next().unwrap_or_default();
                    format!("{name} on line {}", start + 1)
                };
                let names: Vec<String> = several.iter().take(MOST).map(name).collect();
                let more = if several.len() > MOST { " and more" } else { "" };
                let missing =
                    format!("{} functions set fields: {}{more}", several.len(), names.join(", "));
                let answer = format!("--line {}", several[0].0 + 1);
                let question = Question::new(String::new(), missing, &answer);
                Err(question.into())
            }
        },
    }
}

/// The fields by section, and those whose values are no literals.
pub(super) fn parse_tables(text: &str) -> (Table, Vec<String>) {
    let text: String =
        text.lines().map(|line| line.split('#').next().unwrap_or("").to_owned() + "\n").collect();
    let mut found = PythonFields::default();
    for (section, class) in SECTIONS {
        for lead in [
            format!("{class}("),
            format!("replace(config.{section},"),
            format!("replace(\n        config.{section},"),
        ] {
            for (at, _) in text.match_indices(&lead) {
                found.read_arguments(section, &text[at + lead.len()..]);
            }
        }
        let lead = format!("config.{section}.");
        for (at, _) in text.match_indices(&lead) {
            let line = text[at + lead.len()..].lines().next().unwrap_or_default();
            if let Some((key, value)) = line.split_once('=') {
                found.add_field(section, key, value);
            }
        }
        let lead = format!("--{section}.");
        for (at, _) in text.match_indices(&lead) {
            found.read_flag(section, &text[at + lead.len()..]);
        }
    }
    found.read_recomputation(&text);
    found.rename_fields();
    (found.tables, found.lost)
}

#[derive(Default)]
struct PythonFields {
    tables: Table,
    lost: Vec<String>,
}

impl PythonFields {
    /// Arguments of a call up to the bracket that ends it.
    fn read_arguments(&mut self, section: &str, text: &str) {
        let (mut depth, mut start) = (0_usize, 0);
        for (at, letter) in text.char_indices().take(LONGEST) {
            let ends = depth == 0 && letter == ')';
            if ends || depth == 0 && letter == ',' {
                if let Some((key, value)) = text[start..at].split_once('=') {
                    self.add_field(section, key, value);
                }
                start = at + 1;
            }
            match letter {
                _ if ends => return,
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// A flag with its value behind it: `key=8`, `key 8`, or a switch.
    fn read_flag(&mut self, section: &str, text: &str) {
        let ends = |c: char| c.is_whitespace() || c == '=';
        let (key, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
        let word = rest.trim_start_matches(['=', ' ', '\\', '\n']).split_whitespace().next();
        let word = word.unwrap_or_default();
        if word.is_empty() || word.starts_with("--") {
            return match key.strip_prefix("no-").or(key.strip_prefix("no_")) {
                Some(key) => self.add_field(section, key, "False"),
                None => self.add_field(section, key, "True"),
            };
        }
        let bare = word.trim_matches(['"', '\'']);
        let plain = bare.parse::<i64>().is_ok() || ["True", "False"].contains(&bare);
        self.add_field(section, key, &if plain { bare.to_owned() } else { format!("\"{bare}\"") });
    }

    fn add_field(&mut self, section: &str, key: &str, value: &str) {
        let (key, value) = (key.trim().replace('-', "_"), value.trim());
        if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return;
        }
        match parse_literal(value) {
            Some(value) => self.insert_value(section, key, value),
            None if value == "None" => {}
            None => self.lost.push(format!("{section}.{key} = {value}: no number, word or switch")),
        }
    }

    fn insert_value(&mut self, section: &str, key: String, value: Toml) {
        let table = self.tables.entry(section).or_insert_with(|| Toml::Table(Table::new()));
        if let Some(table) = table.as_table_mut() {
            table.insert(key, value);
        }
    }

    /// What is recomputed, which is a class since 0.3.
    fn read_recomputation(&mut self, text: &str) {
        let set = text.match_indices("activation_checkpoint").filter_map(|(at, lead)| {
            text[at + lead.len()..].trim_start().strip_prefix('=').map(str::trim_start)
        });
        for value in set {
            let mode = match value {
                _ if value.starts_with("FullAC") => "full",
                _ if value.starts_with("MemoryBudgetAC") => "memory_budget",
                _ if value.starts_with("None") => "none",
                _ => "selective",
            };
            self.insert_value(
                "activation_checkpoint",
                "mode".to_owned(),
                Toml::String(mode.to_owned()),
            );
        }
    }

    /// Names that changed since: the TOML's are read further on.
    fn rename_fields(&mut self) {
        let get =
            |section: &str, key: &str| self.tables.get(section)?.as_table()?.get(key)?.as_integer();
        let sequence = get("training", "max_context_length");
        let each = get("training", "num_tokens_per_microbatch_per_dp_rank");
        let step = get("training", "num_tokens_per_train_step");
        let cut = get("parallelism", "num_pp_microbatches");
        let overlaps = self.tables.get("compile").and_then(Toml::as_table);
        let overlaps =
            overlaps.and_then(|table| table.get("enable_async_tensor_parallel")).cloned();
        if let Some(sequence) = sequence.filter(|count| *count > 0) {
            self.insert_value("training", "seq_len".to_owned(), Toml::Integer(sequence));
            if let Some(each) = each {
                self.insert_value(
                    "training",
                    "local_batch_size".to_owned(),
                    Toml::Integer(each / sequence),
                );
                if let Some(cut) = cut.filter(|count| *count > 0) {
                    let micro = (each / sequence / cut).max(1);
                    let key = "pipeline_parallel_microbatch_size".to_owned();
                    self.insert_value("parallelism", key, Toml::Integer(micro));
                }
            }
            if let Some(step) = step.filter(|count| *count > 0) {
                self.insert_value(
                    "training",
                    "global_batch_size".to_owned(),
                    Toml::Integer(step / sequence),
                );
            }
        }
        if let Some(overlaps) = overlaps {
            self.insert_value("parallelism", "enable_async_tensor_parallel".to_owned(), overlaps);
        }
    }
}

/// A number, a product of numbers, a switch, or a word in quotes.
fn parse_literal(text: &str) -> Option<Toml> {
    match text {
        "True" => return Some(Toml::Boolean(true)),
        "False" => return Some(Toml::Boolean(false)),
        _ => {}
    }
    let quoted = |mark: char| text.strip_prefix(mark)?.strip_suffix(mark);
    if let Some(word) = quoted('"').or_else(|| quoted('\'')) {
        return Some(Toml::String(word.to_owned()));
    }
    let factor = |name: &str| name.trim().replace('_', "").parse::<i64>().ok();
    text.split('*')
        .map(factor)
        .try_fold(1_i64, |all, count| all.checked_mul(count?))
        .map(Toml::Integer)
}

#[cfg(test)]
mod tests {
    use super::parse_tables;

    #[test]
    fn literals_are_read_wherever_they_are_set() {
        let text = "def mine():\n    config = llama3_8b()\n    config.parallelism = \
                    ParallelismConfig(\n        tensor_parallel_degree=8,  # of a machine\n        \
                    module_fqns_per_model_part=[[1, 2]],\n    )\n    config.training.steps = \
                    100\n    config.training.seq_len = 2 * 4_096\n    config.activation_checkpoint \
                    = FullAC.Config()\n";
        let (tables, lost) = parse_tables(text);
        assert_eq!(tables["parallelism"]["tensor_parallel_degree"].as_integer(), Some(8));
        assert_eq!(tables["training"]["steps"].as_integer(), Some(100));
        assert_eq!(tables["training"]["seq_len"].as_integer(), Some(8192));
        assert_eq!(tables["activation_checkpoint"]["mode"].as_str(), Some("full"));
        assert_eq!(lost.len(), 1, "{lost:?}");
    }

    #[test]
    fn names_of_later_releases_and_flags_are_read() {
        let text = "torchrun -m torchtitan.train --parallelism.tensor_parallel_degree 4 \
                    --parallelism.pipeline_parallel_schedule=Interleaved1F1B \
                    --training.max_context_length \
                    2048\nTrainingConfig(num_tokens_per_microbatch_per_dp_rank=8 * 2048)";
        let (tables, _) = parse_tables(text);
        let schedule = &tables["parallelism"]["pipeline_parallel_schedule"];
        assert_eq!(schedule.as_str(), Some("Interleaved1F1B"));
        assert_eq!(tables["training"]["local_batch_size"].as_integer(), Some(8));
    }
}
