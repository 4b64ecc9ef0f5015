//! The job of a launch script: the command that trains, and the machines that it is started on.

use std::collections::BTreeMap;

use super::arguments::{Arguments, flag_name, hole_question, split_flag};
use super::program::{other_purpose, program_name, program_place, telling_flags};
use super::{flags, launcher};
use crate::import::draft::UserChoices;
use crate::import::problems::ImportProblem;
use crate::import::questions::Question;
use crate::import::shell::{self, Command, Evaluation, HoleKind, ScriptInput, has_hole};

/// What a script comes to.
#[derive(Default)]
pub(super) struct ScriptJob {
    pub(super) arguments: Arguments,
    /// The file has a list of flags and no command.
    pub(super) list: bool,
    pub(super) nodes: Option<u64>,
    pub(super) per_node: Option<u64>,
    /// Where else the script may have flags: files that are not there.
    pub(super) missing: Vec<String>,
    /// Names with the values that the script falls back to.
    pub(super) defaults: Vec<String>,
    /// What is to be told.
    pub(super) lost: Vec<String>,
    /// What the launcher fills in where the script says nothing.
    pub(super) assumed: Vec<String>,
    /// A configuration of DeepSpeed that the script writes.
    pub(super) deepspeed: Option<String>,
    /// The training program, where it is named.
    pub(super) program: String,
    /// The `config.json` of the model, where the user names it.
    pub(super) config: Option<String>,
    /// The command, where there is one.
    pub(super) command: Option<Command>,
}

/// The jobs of a script; none where nothing in it has flags of a job.
pub(super) fn find_jobs(
    text: &str,
    file: &str,
    wanted: &UserChoices,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<ScriptJob>, ImportProblem> {
    let directives = directives_of(text);
    let preset = scheduler_names(&directives);
    let evaluate = |open| {
        let input = ScriptInput {
            name: file,
            environment: &wanted.environment,
            preset: &preset,
            arguments: &wanted.arguments,
            open,
            read_file,
        };
        shell::evaluate_script(text, &input)
    };
    let is_job = |command: &&Command| telling_flags(&command.words) > 0;
    let mut made = evaluate(false);
    // A guard that ends the script where a name is not set says nothing of the job.
    if made.stopped.is_some() && !made.commands.iter().any(|command| is_job(&command)) {
        let open = evaluate(true);
        made = if open.commands.iter().any(|command| is_job(&command)) { open } else { made };
    }
    if made.exhausted {
        return Err(ImportProblem::Format {
            reason: ": the script does not come to an end".into(),
        });
    }
    let jobs: Vec<&Command> = made.commands.iter().filter(is_job).collect();
    let trains = |command: &&&Command| other_purpose(&command.words).is_none();
    let training: Vec<&Command> = jobs.iter().filter(trains).copied().collect();
    if let (Some(job), true) = (jobs.last(), training.is_empty()) {
        let (name, reason) = other_purpose(&job.words).unwrap_or_default();
        return Err(ImportProblem::Purpose { name: made.holes().shown_text(name), reason });
    }
    if training.is_empty() {
        return Ok(list_of_script(text, made)?.into_iter().collect());
    }
    let read = |command: &&Command| job_of_command(command, &made, &directives);
    select_jobs(&training, wanted.line)?.iter().map(read).collect()
}

fn job_of_command(
    command: &Command,
    made: &Evaluation,
    directives: &BTreeMap<String, String>,
) -> Result<ScriptJob, ImportProblem> {
    let mut words = command.launcher.clone();
    words.extend(command.words.iter().cloned());
    // Flags of the launcher stand before the program.
    let program = program_place(&command.words).map_or(0, |at| at + 1);
    let mut arguments = Arguments::from_words(&command.words[program..], made.holes().clone());
    let assumed = launcher::fill_in(&command.words, &mut arguments)?;
    let (nodes, per_node) = machines_of(&words, &arguments, directives)?;
    let mut found = job_of(arguments, made);
    found.assumed.extend(assumed);
    (found.nodes, found.per_node) = (nodes, per_node);
    found.program = program_name(&command.words).unwrap_or_default().to_owned();
    found.command = Some(command.clone());
    Ok(found)
}

/// Commands that differ, of those that have the shape of a model where there are some: all, or those
/// on a line.
fn select_jobs<'a>(
    jobs: &[&'a Command],
    line: Option<u64>,
) -> Result<Vec<&'a Command>, ImportProblem> {
    let has_shape = |job: &&&Command| {
        job.words.iter().filter_map(|word| split_flag(word)).any(|(name, _)| name == "num_layers")
    };
    let mut shaped: Vec<&Command> = Vec::new();
    for job in jobs.iter().filter(has_shape) {
        if !shaped.iter().any(|other| other.words == job.words) {
            shaped.push(job);
        }
    }
    if shaped.is_empty() {
        shaped.extend(jobs.last());
    }
    let Some(line) = line else { return Ok(shaped) };
    let on_line = |job: &&Command| [job.place.line as u64, job.call as u64].contains(&line);
    let chosen: Vec<&Command> = shaped.iter().copied().filter(on_line).collect();
    if chosen.is_empty() {
        let mut lines: Vec<usize> = shaped.iter().map(|job| job.place.line).collect();
        lines.dedup();
        let missing = format!("no job is on line {line}, but on {}", join_numbers(&lines));
        let answer = format!("--line {}", lines.last().copied().unwrap_or_default());
        return Err(Question::new(String::new(), missing, &answer).into());
    }
    Ok(chosen)
}

/// Asks which of several jobs is meant.
pub(super) fn ask_for_job(commands: &[Command]) -> ImportProblem {
    let places: [fn(&Command) -> usize; 2] = [|command| command.place.line, |command| command.call];
    for place in places {
        let mut lines: Vec<usize> = commands.iter().map(place).collect();
        lines.dedup();
        if lines.len() > 1 {
            return ask_for_line(&lines);
        }
    }
    // One command, of which a loop or a branch makes several.
    let line = commands.first().map_or(0, |command| command.place.line);
    let ask = |missing, answer: &str| {
        ImportProblem::from(Question::new(format!("line {line}"), missing, answer))
    };
    let turns = commands.iter().flat_map(|command| &command.turns);
    let words_of = |name: &str| {
        let mut words: Vec<&str> = Vec::new();
        for (_, word) in turns.clone().filter(|(own, _)| own == name) {
            if !words.contains(&word.as_str()) {
                words.push(word);
            }
        }
        words
    };
    let missing = format!("the command is run as {} different jobs", commands.len());
    match turns.clone().find(|(name, _)| words_of(name).len() > 1) {
        Some((name, _)) => {
            let words = words_of(name).join(", ");
            let missing = format!("{missing}, by the turns of `{name}` (the script knows {words})");
            ask(missing, &format!("--env {name}=VALUE"))
        }
        None => ask(missing, "write the one that is meant into a file of its own"),
    }
}

/// Asks for the line of the job that is meant, among those that have one.
pub(super) fn ask_for_line(lines: &[usize]) -> ImportProblem {
    let missing = format!("there are jobs on lines {}", join_numbers(lines));
    let last = lines.last().copied().unwrap_or_default();
    Question::new(String::new(), missing, &format!("--line {last}")).into()
}

fn join_numbers(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

fn job_of(arguments: Arguments, made: &Evaluation) -> ScriptJob {
    let mut lost: Vec<String> = made
        .overwritten
        .iter()
        .map(|(name, place)| format!("`--env {name}`: the script sets it on {place}"))
        .collect();
    lost.extend(made.unreadable.iter().map(|place| format!("{place}: it is no command")));
    let assumed = made
        .optionless
        .then(|| "the script's options keep their defaults; `--arg` states others".to_owned());
    let defaults = made.defaults.iter().filter(|(_, value)| value.parse::<u64>().is_ok());
    let deepspeed = made.documents.iter().find(|(_, text)| text.contains("zero_optimization"));
    ScriptJob {
        arguments,
        missing: made.missing.iter().map(|(name, _)| name.clone()).collect(),
        defaults: defaults.map(|(name, value)| format!("{name}={value}")).collect(),
        lost,
        assumed: assumed.into_iter().collect(),
        deepspeed: deepspeed.map(|(_, text)| made.holes().shown_text(text)),
        ..ScriptJob::default()
    }
}

/// Asks for what the script's command hangs on, where all of that command is unknown.
fn ask_for_command(made: &Evaluation) -> Result<(), ImportProblem> {
    let unknown = |command: &Command| {
        let hole = command
            .words
            .first()
            .and_then(|word| made.holes().holes_in(word).first().copied().cloned())?;
        matches!(hole.kind, HoleKind::Variable(_) | HoleKind::Argument(_)).then_some(hole)
    };
    match made.commands.iter().filter_map(unknown).next_back() {
        Some(hole) => {
            let question = hole_question(&hole, "of the command that the script starts");
            Err(question.into())
        }
        None => Ok(()),
    }
}

/// Flags of a script that has lists of them and no command.
fn list_of_script(text: &str, made: Evaluation) -> Result<Option<ScriptJob>, ImportProblem> {
    let others = made.lists.values().filter_map(|words| other_purpose(words));
    if let Some((name, reason)) = others.into_iter().next() {
        return Err(ImportProblem::Purpose { name: made.holes().shown_text(name), reason });
    }
    let has_flags = |words: &[String]| words.iter().any(|word| split_flag(word).is_some());
    let mut lists: Vec<(&String, &Vec<String>)> =
        made.lists.iter().filter(|(_, words)| has_flags(words)).collect();
    let told = lists.iter().any(|(_, words)| telling_flags(words) > 0);
    if told {
        ask_for_command(&made)?;
    } else {
        lists.clear();
    }
    // The longest says most; others have what it lacks, or are parts of it.
    lists.sort_by_key(|(name, words)| (std::cmp::Reverse(telling_flags(words)), (*name).clone()));
    let mut lists = lists.into_iter();
    // What a script has in lists is its job only where it starts nothing itself.
    let starts = made.commands.iter().any(|command| {
        let unread = |word: &String| word.contains(".py ");
        program_name(&command.words).is_some() || command.words.iter().any(unread)
    });
    let first = lists.next().filter(|_| made.stopped.is_none() && !starts);
    let Some((_, first)) = first else {
        let empty = made.defaults.iter().filter(|(_, value)| value.is_empty());
        let names: Vec<String> = empty.map(|(name, _)| format!("--env {name}=VALUE")).collect();
        let told = |name: &&str| text.contains(&flag_name(name));
        let has_flags = flags::TELLING.iter().any(told);
        let Some(place) = made.stopped.as_ref().filter(|_| has_flags) else { return Ok(None) };
        let answer = match made.optionless {
            _ if !names.is_empty() => names.join(" "),
            true => "--arg VALUE".to_owned(),
            false => {
                let reason = format!(": the script ends on {place}, before it starts a job");
                return Err(ImportProblem::Format { reason });
            }
        };
        let missing = "the script ends here, before it starts a job".to_owned();
        let question = Question::new(place.to_string(), missing, &answer);
        return Err(question.into());
    };
    let mut arguments = Arguments::from_words(first, made.holes().clone());
    for (_, words) in lists {
        arguments.add_missing(Arguments::from_words(words, made.holes().clone()));
    }
    let assumed = launcher::fill_in(first, &mut arguments)?;
    let mut found = job_of(arguments, &made);
    (found.list, found.assumed) = (true, assumed);
    Ok(Some(found))
}

/// Flags behind `#SBATCH`, by name.
fn directives_of(text: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.trim().strip_prefix("#SBATCH")) {
        let line = line.split(" #").next().unwrap_or_default();
        found.extend(scheduler_flags(
            &line.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        ));
    }
    found
}

/// Flags of Slurm among some words: numbers of nodes, tasks and GPUs.
fn scheduler_flags(words: &[String]) -> BTreeMap<String, String> {
    const SHORT: [(&str, &str); 3] = [("-N", "nodes"), ("-np", "ntasks"), ("-n", "ntasks")];
    let mut found = BTreeMap::new();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).cloned().unwrap_or_default();
        if let Some((name, value)) = split_flag(word) {
            found.insert(name, value.map_or(next, str::to_owned));
        } else if let Some((short, name)) = SHORT.iter().find(|(short, _)| word.starts_with(short))
        {
            let value = word[short.len()..].trim_start_matches('=');
            found
                .insert((*name).to_owned(), if value.is_empty() { next } else { value.to_owned() });
        }
    }
    found
}

/// Names that Slurm sets from its directives.
fn scheduler_names(directives: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let whole = |name: &str| directives.get(name).filter(|text| text.parse::<u64>().is_ok());
    for (directive, set) in [
        ("nodes", "SLURM_NNODES"),
        ("nodes", "SLURM_JOB_NUM_NODES"),
        ("ntasks_per_node", "SLURM_NTASKS_PER_NODE"),
        ("ntasks", "SLURM_NTASKS"),
        ("ntasks", "SLURM_NPROCS"),
    ] {
        if let Some(text) = whole(directive) {
            names.insert(set.to_owned(), text.clone());
        }
    }
    if let Some(gpus) = gpus_of_node(directives) {
        names.insert("SLURM_GPUS_ON_NODE".to_owned(), gpus.to_string());
        names.insert("SLURM_GPUS_PER_NODE".to_owned(), gpus.to_string());
    }
    names
}

/// GPUs of a node by `--gres=gpu:8` or `--gpus-per-node`.
fn gpus_of_node(named: &BTreeMap<String, String>) -> Option<u64> {
    let last = |text: &String| text.rsplit(':').next()?.parse::<u64>().ok();
    let of_gpus = named.get("gres").filter(|text| text.starts_with("gpu"));
    of_gpus.or(named.get("gpus_per_node")).and_then(last)
}

/// Nodes, and GPUs of each, by the launcher or else by the scheduler.
fn machines_of(
    words: &[String],
    arguments: &Arguments,
    directives: &BTreeMap<String, String>,
) -> Result<(Option<u64>, Option<u64>), ImportProblem> {
    let program = program_place(words).unwrap_or(words.len());
    let launcher = scheduler_flags(&words[..program]);
    let holes = &arguments.holes;
    let mut open = Vec::new();
    let mut read = |named: &BTreeMap<String, String>, names: &[&str], whose: &str| -> Option<u64> {
        let text = names.iter().find_map(|name| named.get(*name))?;
        if has_hole(text) {
            open.extend(holes.holes_in(text).first().map(|hole| hole_question(hole, whose)));
            return Some(1);
        }
        text.parse().ok()
    };
    let pairs: [(&[&str], &[&str]); 2] = [
        (&["nnodes", "num_nodes"], &["nproc_per_node", "num_gpus", "nproc"]),
        (&["nodes"], &["gpus_per_node", "ntasks_per_node"]),
    ];
    let (mut nodes, mut each) = (None, None);
    let actors = scheduler_flags(words);
    if actors.contains_key("actor_num_nodes") {
        nodes = read(&actors, &["actor_num_nodes"], "of `--actor-num-nodes`");
        each = read(&actors, &["actor_num_gpus_per_node"], "of `--actor-num-gpus-per-node`")
            .or(Some(8));
    }
    for (of_nodes, of_each) in pairs {
        nodes = nodes.or_else(|| read(&launcher, of_nodes, "of the number of nodes"));
        each = each.or_else(|| read(&launcher, of_each, "of the GPUs of a node"));
    }
    let torch = words[..program]
        .iter()
        .any(|word| word.ends_with("torchrun") || word.starts_with("torch.distributed"));
    each = each.or_else(|| gpus_of_node(&launcher)).or_else(|| gpus_of_node(directives));
    nodes = nodes.or_else(|| directives.get("nodes").and_then(|text| text.parse().ok()));
    if torch && each.is_some() {
        nodes = nodes.or(Some(1));
    }
    each = each.or_else(|| directives.get("ntasks_per_node").and_then(|text| text.parse().ok()));
    // Ranks that the launcher counts, where it starts each of them itself.
    let starts_ranks = ["torchrun", "torch.distributed", "deepspeed", "accelerate", "ray"];
    let apart = words[..program].iter().any(|word| {
        let name = word.rsplit('/').next().unwrap_or_default();
        starts_ranks.iter().any(|own| name.starts_with(own))
    });
    if each.is_none() && !apart {
        let all = ["ntasks", "np", "n"].iter().find_map(|name| launcher.get(*name));
        let all = all.or(directives.get("ntasks")).and_then(|text| text.parse::<u64>().ok());
        let of_each = all.filter(|all| all.is_multiple_of(nodes.unwrap_or(1).max(1)));
        each = of_each.map(|all| all / nodes.unwrap_or(1).max(1));
        nodes = nodes.or(each.map(|_| 1));
    }
    open.into_iter().for_each(|question| arguments.ask_of_machines(question));
    Ok((nodes, each))
}
