//! The README and the pages in `docs/` are true: every command in them runs, and the output that
//! they show is what comes out.

use std::fs;
use std::path::Path;

use crate::pages::budget::pages;
use crate::support::program::{fresh_folder, planner_in};

/// Pages that show what commands print.
const PAGES: [&str; 3] = ["README.md", "docs/architecture.md", "docs/guide.md"];

/// A block of a page between fences.
struct Block {
    language: String,
    lines: Vec<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(page)).expect("there is such a page");
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), open.as_mut()) {
            (Some(language), None) => {
                open = Some(Block { language: language.to_owned(), lines: Vec::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence of {page} is not closed");
    blocks
}

/// Arguments of `planner` in a command of the README: also through `cargo run … -- `.
fn arguments(command: &str) -> Option<Vec<String>> {
    let command = command.split('#').next().unwrap_or_default().trim();
    let tail = match command.strip_prefix("planner ") {
        Some(tail) => tail,
        None => command.strip_prefix("cargo run --release --locked -- ")?,
    };
    Some(tail.split_whitespace().map(|word| word.trim_matches('\'').to_owned()).collect())
}

/// A model as Hugging Face describes it.
const CONFIG: &str = "\
{\"model_type\": \"llama\", \"hidden_size\": 4096, \"num_hidden_layers\": 32,
\"num_attention_heads\": 32, \"num_key_value_heads\": 8, \"intermediate_size\": 14336,
\"vocab_size\": 128256, \"max_position_embeddings\": 8192}
";

/// Measured steps of that layout, as `planner validate` reads them.
const RUNS: &str = "\
name,seconds,tensor,pipeline,data,global_batch
first,6.21,4,4,16,512
second,5.87,8,2,16,512
";

/// Launch scripts of a page: file and text.
const SCRIPTS: [(&str, &str); 5] = [
    (
        "run.sh",
        "torchrun --nnodes ${NNODES} --nproc_per_node 8 pretrain_gpt.py --bf16 \\
        --tensor-model-parallel-size ${TP} --num-layers 32 --hidden-size 4096 \\
        --num-attention-heads 32 --vocab-size 128256 --seq-length 4096 \\
        --max-position-embeddings 4096 --micro-batch-size 1 --global-batch-size 128\n",
    ),
    (
        "train.sh",
        "torchrun --nproc_per_node 8 pretrain_gpt.py --bf16 --seq-length 4096 \\
        --tensor-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 64\n",
    ),
    (
        "qwen.sh",
        "source ../models/qwen3-4B.sh\ntorchrun --nproc_per_node 8 pretrain_gpt.py --bf16 \\
        ${MODEL_ARGS[@]} --seq-length 4096 --max-position-embeddings 4096 \\
        --micro-batch-size 1 --global-batch-size 64\n",
    ),
    (
        "models/qwen3-4B.sh",
        "MODEL_ARGS=(--num-layers 36 --hidden-size 2560 \\
        --num-attention-heads 32 --vocab-size 151936)\n",
    ),
    (
        "all.sh",
        "torchrun --nproc_per_node 8 pretrain_gpt.py --bf16 --num-layers 36 \\
        --hidden-size 2560 --num-attention-heads 32 --vocab-size 151936 --seq-length 4096 \\
        --max-position-embeddings 4096 --micro-batch-size 1 --global-batch-size 64\n",
    ),
];

/// Commands of a page's shell blocks, less those that only a shell can run: variables and patterns,
/// which other tests do.
fn commands(page: &str) -> Vec<String> {
    let shells = blocks(page).into_iter().filter(|block| block.language == "sh");
    shells
        .flat_map(|block| {
            let text = block.lines.join("\n").replace("\\\n", " ");
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .filter(|line| !line.contains(['$', '*']))
        .collect()
}

/// How many commands of a page ran.
fn run_commands(page: &str) -> usize {
    let folder = fresh_folder(&page.replace('/', "-"));
    fs::write(folder.join("config.json"), CONFIG).expect("a writable folder");
    let indexed = r#"{"model_type": "deepseek_v32"}"#;
    fs::write(folder.join("deepseek-v3.2.json"), indexed).expect("a writable folder");
    fs::write(folder.join("runs.csv"), RUNS).expect("a writable folder");
    fs::create_dir_all(folder.join("models")).expect("a writable folder");
    for (name, text) in SCRIPTS {
        // The job that a page means stands on line 42.
        let above = if name == "all.sh" { "\n".repeat(41) } else { String::new() };
        fs::write(folder.join(name), above + text).expect("a writable folder");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let logs = root.join("tests/data/nccl_tests");
    for (name, log) in
        [("nccl.log", "h100_one_host.log"), ("two_hosts.log", "h100_two_hosts_srun.log")]
    {
        fs::copy(logs.join(log), folder.join(name)).expect("the log ships");
    }
    let mut ran = 0;
    for line in commands(page) {
        let Some(arguments) = arguments(&line) else { continue };
        // Paths of the project work from its root; everything else from an empty folder.
        let of_project = ["presets/", "docs/"].iter().any(|path| line.contains(path));
        let place = if of_project { root } else { &folder };
        let done = planner_in(place, &arguments);
        assert_eq!(done.status, 0, "{page}: {line}\n{}", done.stderr);
        ran += 1;
    }
    ran
}

#[test]
fn every_command_of_every_page_runs() {
    let pages = pages().into_iter();
    let started: Vec<_> =
        pages.map(|page| std::thread::spawn(move || run_commands(&page))).collect();
    let ran: usize = started.into_iter().map(|page| page.join().expect("its commands run")).sum();
    assert!(ran >= 30, "only {ran} commands were found");
}

/// What the README adds to a spec makes one that has a design within the limits stated there.
#[test]
fn the_example_of_the_readme_can_be_built() {
    let blocks = blocks("README.md");
    let mut own = blocks.iter().filter(|block| block.language == "toml");
    let block = own.next().expect("the README has an example");
    assert!(own.next().is_none(), "which one?");
    let folder = fresh_folder("readme-example");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec = fs::read_to_string(root.join("presets/specs/starter.toml")).expect("it ships");
    fs::write(folder.join("own.toml"), spec + &block.lines.join("\n")).expect("a writable folder");
    let done = planner_in(&folder, &["design", "own.toml", "--format", "json"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let found: serde_json::Value = serde_json::from_str(&done.stdout).expect("it is JSON");
    let machine = |line: &&serde_json::Value| line["part"] == "dgx-h100";
    let bill = found["bom"].as_array().expect("it has a bill");
    assert_eq!(bill.iter().find(machine).expect("machines")["basis"], "user");
}

/// A row of the README's errors: what it says, and the sets that it sums up.
const ERRORS: [(&str, &[&str]); 9] = [
    ("dense, A100, Megatron-LM 2021 and 2022", &["narayanan", "korthikanti"]),
    ("dense, H100, NVIDIA's recipes", &["nemo-h100"]),
    ("dense, Megatron-Bridge, H100 to GB300", &["megatron-bridge"]),
    ("PyTorch FSDP2", &["fsdp"]),
    ("PyTorch FSDP on A100: which kernels ran is not published", &["fsdp-a100"]),
    ("experts, Megatron-Bridge", &["megatron-bridge-moe"]),
    ("PyTorch FSDP, llm-foundry, 125M to 70B: next to all judged only", &["llm-foundry"]),
    ("MLPerf 405B and 8B, to 8,192 GPUs: next to all judged only", &["mlperf"]),
    ("GPT-OSS, Megatron-Bridge: judged only", &["megatron-bridge-gpt-oss"]),
];

#[test]
fn the_errors_of_the_readme_are_those_of_the_validation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("README.md")).expect("there is a README");
    let run = planner_in(root, &["validate", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let sets = found["sets"].as_array().expect("it has sets");
    for (label, names) in ERRORS {
        let number = |name: &str, key: &str| {
            let set = sets.iter().find(|set| set["name"] == name).expect("the set ships");
            set["unseen_time"][key].as_f64().expect("it was measured")
        };
        let rows: f64 = names.iter().map(|name| number(name, "rows")).sum();
        let mean = names.iter().map(|name| number(name, "rows") * number(name, "mean_error"));
        let mean = 100.0 * mean.sum::<f64>() / rows;
        let largest = names.iter().map(|name| 100.0 * number(name, "largest_error"));
        let largest = largest.fold(0.0, f64::max);
        let short = |percent: f64| match percent {
            10.0.. => format!("{percent:.0} %"),
            _ => format!("{percent:.1} %"),
        };
        let row = format!("| {label} | {rows} | {} | {} |", short(mean), short(largest));
        assert!(text.contains(&row), "the README does not say: {row}");
    }
}

/// A page with the output of each shown command put in anew.
fn renewed(page: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(page)).expect("there is such a page");
    let mut lines = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("$ ") {
            Some(command) if inside => {
                let arguments = arguments(command).expect("it is a command of the planner");
                lines.push(line.to_owned());
                lines.extend(planner_in(root, &arguments).stdout.lines().map(str::to_owned));
            }
            _ if inside && line != "```" => {}
            _ => {
                inside = line == "```console";
                lines.push(line.to_owned());
            }
        }
    }
    lines.join("\n") + "\n"
}

/// Where this fails because the output was meant to change: run it once with `RENEW_README=1`,
/// and read what it wrote.
#[test]
fn the_output_that_a_page_shows_is_what_comes_out() {
    for page in PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
        let shown = fs::read_to_string(&path).expect("there is such a page");
        assert!(shown.contains("\n```console\n$ "), "{page} shows no output");
        let renewed = renewed(page);
        if std::env::var_os("RENEW_README").is_some() {
            fs::write(&path, &renewed).expect("the page can be written");
            continue;
        }
        for (place, (old, new)) in shown.lines().zip(renewed.lines()).enumerate() {
            assert_eq!(old, new, "line {} of {page} is no longer true", place + 1);
        }
        assert_eq!(shown.lines().count(), renewed.lines().count(), "{page}: another length");
    }
}
