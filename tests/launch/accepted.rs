//! Each file of `cases` is what the program writes, and the stack's own reader took these very bytes:
//! `accept.py` has noted their digests. `BLESS=1` writes the files anew; then run `accept.py`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::program::planner_in;

/// File, and what is typed for it.
pub(crate) const CASES: [(&str, &str); 22] = [
    ("gpt3.sh", "gpt3-175b-a100-1536 --for megatron"),
    (
        "gpt3-1f1b.sh",
        "gpt3-175b-a100-1536 --for megatron --set parallelism.interleave=1 --set parallelism.schedule=1f1b",
    ),
    (
        "llama3-405b.sh",
        "llama3-405b-h100-16384 --for megatron --set parallelism.order=tp-cp-ep-dp-pp",
    ),
    ("deepseek-v3.sh", "deepseek-v3-h800-2048 --for megatron --set parallelism.schedule=1f1b"),
    (
        "starter.sh",
        "starter --for megatron --set parallelism.tensor=1 --set parallelism.pipeline=1",
    ),
    (
        "starter-zero3.sh",
        "starter --for megatron --set parallelism.tensor=1 --set parallelism.pipeline=1 --set parallelism.zero=3",
    ),
    (
        "starter-instances.sh",
        "starter --for megatron --set parallelism.tensor=1 --set parallelism.pipeline=1 --set parallelism.zero=1 --set parallelism.shard=32",
    ),
    (
        "starter-fp8.sh",
        "starter --for megatron --set parallelism.tensor=2 --set parallelism.pipeline=2 --set training.precision=fp8 --set parallelism.context=2 --set framework.context_exchange=ring",
    ),
    (
        "qwen3-30b.sh",
        "starter --for megatron --set model.preset=qwen3-30b-a3b --set parallelism.tensor=2 --set parallelism.pipeline=2 --set parallelism.expert=8 --set parallelism.expert_tensor=1 --set framework.dispatcher=hybrid-ep",
    ),
    (
        "gpt-oss-120b.sh",
        "starter --for megatron --set model.preset=gpt-oss-120b --set parallelism.tensor=1 --set parallelism.pipeline=4 --set parallelism.expert=8 --set parallelism.expert_tensor=1 --set training.precision=mxfp8 --set cluster.node=hgx-b200",
    ),
    (
        "llama3-405b.txt",
        "llama3-405b-h100-16384 --for bridge --set parallelism.order=tp-cp-ep-dp-pp",
    ),
    ("deepseek-v3.txt", "deepseek-v3-h800-2048 --for bridge --set parallelism.schedule=1f1b"),
    (
        "starter.toml",
        "starter --for torchtitan --set parallelism.tensor=1 --set parallelism.pipeline=1 --set parallelism.zero=3",
    ),
    (
        "starter-hsdp.toml",
        "starter --for torchtitan --set parallelism.tensor=2 --set parallelism.pipeline=1 --set parallelism.zero=3 --set parallelism.shard=16",
    ),
    (
        "llama3-405b.toml",
        "llama3-405b-h100-16384 --for torchtitan --set parallelism.zero=2 --set parallelism.order=tp-cp-ep-dp-pp --set parallelism.pipeline=16 --set parallelism.interleave=4",
    ),
    (
        "qwen3-30b.toml",
        "starter --for torchtitan --set model.preset=qwen3-30b-a3b --set parallelism.tensor=2 --set parallelism.pipeline=1 --set parallelism.expert=8 --set parallelism.expert_tensor=1 --set parallelism.zero=3 --set training.precision=fp8",
    ),
    (
        "starter.py",
        "starter --for torchtitan-python --set parallelism.tensor=1 --set parallelism.pipeline=1 --set parallelism.zero=3",
    ),
    (
        "starter-hsdp.py",
        "starter --for torchtitan-python --set parallelism.tensor=2 --set parallelism.pipeline=1 --set parallelism.zero=3 --set parallelism.shard=16",
    ),
    (
        "llama3-405b.py",
        "llama3-405b-h100-16384 --for torchtitan-python --set parallelism.zero=2 --set parallelism.order=tp-cp-ep-dp-pp --set parallelism.pipeline=16 --set parallelism.interleave=4",
    ),
    (
        "qwen3-30b.py",
        "starter --for torchtitan-python --set model.preset=qwen3-30b-a3b --set parallelism.tensor=2 --set parallelism.pipeline=1 --set parallelism.expert=8 --set parallelism.expert_tensor=1 --set parallelism.zero=3 --set training.recompute=full",
    ),
    (
        "starter.json",
        "starter --for deepspeed --set parallelism.tensor=1 --set parallelism.pipeline=1 --set parallelism.zero=3",
    ),
    (
        "gpt3.json",
        "gpt3-175b-a100-1536 --for deepspeed --set parallelism.interleave=1 --set parallelism.schedule=1f1b --set parallelism.zero=1",
    ),
];

/// Refused, each with what is said of it.
const REFUSED: [(&str, &str); 10] = [
    ("deepseek-v3-h800-2048 --for megatron", "Megatron-LM has no schedule `zero-bubble`"),
    (
        "starter --for megatron --set parallelism.tensor=2 --set parallelism.pipeline=2 --set parallelism.order=pp-tp-dp",
        "Megatron-LM has no rank order",
    ),
    (
        "starter --for megatron --set parallelism.tensor=2 --set parallelism.pipeline=2 --set parallelism.context=2 --set parallelism.order=tp-cp-ep-pp-dp",
        "no context parallelism with stages inside replicas",
    ),
    ("gpt3-175b-a100-1536 --for deepspeed", "DeepSpeed's pipeline has no schedule `interleaved`"),
    ("llama3-405b-h100-16384 --for torchtitan", "(ZeRO 1)"),
    (
        "deepseek-v3-h800-2048 --for deepspeed",
        "DeepSpeed takes the expert degree from the model's code",
    ),
    (
        "starter --for torchtitan --set parallelism.zero=3 --set parallelism.tensor=2 --set parallelism.pipeline=1 --set parallelism.sequence_parallel=false",
        "with sequence parallelism only",
    ),
    (
        "starter --for torchtitan-python --set parallelism.zero=3 --set parallelism.tensor=1 --set parallelism.pipeline=1 --set parallelism.context=2 --set framework.context_exchange=ring",
        "has no field for a ring",
    ),
    ("two-products --for megatron", "a launch file is of one job"),
    (
        "starter --for megatron --set parallelism.tensor=1 --set parallelism.pipeline=2 --set parallelism.zero=3",
        "are not offered with pipeline stages",
    ),
];

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn beside(name: &str) -> PathBuf {
    root().join("tests/launch").join(name)
}

fn typed(line: &str) -> Vec<&str> {
    ["launch"].into_iter().chain(line.split_whitespace()).collect()
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo), as accept.py has it.
fn digest(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

#[test]
fn every_file_is_as_the_stacks_took_it() {
    let taken = fs::read_to_string(beside("accepted.txt")).unwrap_or_default();
    let mut wrong = Vec::new();
    for (name, line) in CASES {
        let run = planner_in(root(), &typed(line));
        assert_eq!(run.status, 0, "{name}: {}", run.stderr);
        let path = beside("cases").join(name);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &run.stdout).expect("a writable folder");
        }
        if fs::read_to_string(&path).unwrap_or_default() != run.stdout {
            wrong.push(format!("{name} changed: `BLESS=1`, then read the difference"));
        } else if !taken.contains(&format!("{} {name} ", digest(run.stdout.as_bytes()))) {
            wrong.push(format!("{name} was not taken by its stack: run accept.py"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_a_stack_cannot_run_is_said_and_not_offered() {
    for (line, said) in REFUSED {
        let run = planner_in(root(), &typed(line));
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{line}");
        assert!(run.stderr.contains(said) && run.stderr.contains("help: "), "{}", run.stderr);
    }
}
