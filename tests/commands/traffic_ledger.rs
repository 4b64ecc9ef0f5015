//! `planner traffic` call by call as a user runs it: the ledger, its forms for simulators, and a
//! recorded run beside what is predicted.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::program::{Program, fresh_folder, planner_in};

/// A model of experts on 32 GPUs: every kind of group, two chunks a stage.
const SPEC: &str = r#"
name = "small"
model = { layers = 8, hidden = 256, heads = 8, kv_heads = 4, ffn = 1024, gated_ffn = true, vocab = 1024, sequence = 128, moe = { experts = 8, top_k = 2, ffn = 128, dense_layers = 4 } }
training = { global_batch = 32, micro_batch = 1, precision = "bf16", recompute = "none" }
parallelism = { tensor = 2, pipeline = 2, data = 4, context = 2, expert = 4, expert_tensor = 1, interleave = 2, zero = 1 }
cluster = { gpus = 32, node = "dgx-h100" }
"#;

fn folder(name: &str, spec: &str) -> PathBuf {
    let folder = fresh_folder(name);
    fs::write(folder.join("model.toml"), spec).expect("the folder is this test's own");
    folder
}

#[track_caller]
fn done(run: &Program) -> &str {
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    &run.stdout
}

#[track_caller]
fn document(run: &Program) -> Value {
    serde_json::from_str(done(run)).expect("JSON")
}

/// Recorded over predicted bytes by kind.
fn ratios(value: &Value) -> BTreeMap<String, f64> {
    let kind = |kind: &Value| {
        let ratio = kind["ratio"].as_f64().expect("a ratio: the kind is predicted");
        (kind["kind"].as_str().expect("a name").to_owned(), ratio)
    };
    value["kinds"].as_array().expect("kinds").iter().map(kind).collect()
}

#[test]
fn a_ledger_of_one_s_own_differs_nowhere() {
    let folder = folder("ledger-round", SPEC);
    done(&planner_in(&folder, &["traffic", "--format", "ledger", "-o", "calls.jsonl"]));
    let text = fs::read_to_string(folder.join("calls.jsonl")).expect("it was written");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["schema"], "planner/ledger/1");
    assert_eq!(lines[0]["gpus"], 32);
    let kinds: std::collections::BTreeSet<&str> =
        lines[1..].iter().filter_map(|line| line["kind"].as_str()).collect();
    assert_eq!(
        kinds.into_iter().collect::<Vec<_>>(),
        ["context", "data", "expert", "pipeline", "tensor"]
    );
    let same = ["traffic", "--against", "calls.jsonl", "--format", "json", "--within", "0"];
    let found = document(&planner_in(&folder, &same));
    assert_eq!(found["gpus_recorded"], 32);
    assert!(ratios(&found).values().all(|ratio| *ratio == 1.0), "{found}");
    for value in found["groups"].as_array().expect("groups") {
        assert_eq!(value["recorded_calls"], value["predicted_calls"], "{value}");
    }
    // The calls of one GPU are those of its row.
    done(&planner_in(
        &folder,
        &["traffic", "--format", "ledger", "--gpu", "9", "-o", "nine.jsonl"],
    ));
    let nine = ["traffic", "--against", "nine.jsonl", "--format", "json", "--within", "0"];
    let found = document(&planner_in(&folder, &nine));
    assert_eq!(found["gpus_recorded"], 1);
    let to: Vec<u64> = found["pairs"]
        .as_array()
        .expect("pairs")
        .iter()
        .map(|pair| {
            assert_eq!(pair["from"], 9);
            pair["to"].as_u64().expect("a receiver")
        })
        .collect();
    let row = document(&planner_in(&folder, &["traffic", "--gpu", "9", "--format", "json"]));
    let mut wanted: Vec<u64> = row["cells"]
        .as_array()
        .expect("cells")
        .iter()
        .filter_map(|value| value["to"].as_u64())
        .collect();
    let mut to = to;
    to.sort_unstable();
    to.dedup();
    wanted.sort_unstable();
    assert_eq!(to, wanted);
}

#[test]
fn a_gate_on_a_recording_stops_a_script() {
    let folder = folder("ledger-gate", SPEC);
    done(&planner_in(&folder, &["traffic", "--format", "ledger", "-o", "calls.jsonl"]));
    let other = ["--set", "model.hidden=512", "--set", "model.ffn=1024"];
    let asked = ["traffic", "--against", "calls.jsonl", "--within", "5"];
    let run = planner_in(&folder, &[&asked[..], &other[..]].concat());
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert_eq!(run.stderr, "error: rule broken: `--within 5`\n");
    assert!(run.stdout.contains("0.5000"), "twice the width, half of it recorded: {}", run.stdout);
}

/// The spec of a recorded job.
pub(crate) fn spec(cfg: &Value) -> String {
    let word = |key: &str| cfg[key].to_string();
    let count = |key: &str| cfg[key].as_u64().unwrap_or_else(|| panic!("{key} is no count"));
    let wide = cfg["dtype"] == "fp32";
    let gradient = if wide || cfg["grad_fp32"] == true { 4 } else { 2 };
    let moe = if count("experts") > 0 {
        format!(
            "moe = {{ experts = {}, top_k = {}, ffn = {}, shared_experts = {}, dense_layers = {} }}",
            word("experts"),
            word("topk"),
            word("moe_ffn"),
            word("shared"),
            word("dense_layers")
        )
    } else {
        String::new()
    };
    let latent = cfg["mla"].as_object().map_or(String::new(), |mla| {
        let width = |key: &str| mla[key].as_u64().unwrap_or(0);
        format!(
            "latent_attention = {{ q_lora = {}, kv_lora = {}, qk_nope = {}, qk_rope = {}, v_dim = {} }}\n",
            width("q_lora_rank"),
            width("kv_lora_rank"),
            width("qk_head_dim"),
            width("qk_pos_emb_head_dim"),
            width("v_head_dim"),
        )
    });
    let context = cfg["cx"].as_str().unwrap_or("gather");
    let gpus = count("tp") * count("pp") * count("dp") * count("cp");
    format!(
        r#"
name = "recorded"
[model]
layers = {layers}
hidden = {hidden}
heads = {heads}
kv_heads = {kv}
ffn = {ffn}
gated_ffn = {gated}
vocab = {vocab}
sequence = {seq}
tied_embeddings = {tied}
mtp_layers = {mtp}
{latent}{moe}
[training]
global_batch = {gbs}
micro_batch = {mb}
precision = "{precision}"
recompute = {recompute}
[parallelism]
tensor = {tp}
pipeline = {pp}
data = {dp}
context = {cp}
expert = {ep}
expert_tensor = {etp}
interleave = {vpp}
sequence_parallel = {sp}
zero = {zero}
{shard}order = {order}
[framework]
gradient_bytes = {gradient}
parameter_bytes = {parameter}
scatter_pipeline = false
narrow_dispatch = false
single_ring_sharding = false
bucket_all_reduce = {buckets}
native_pytorch = {native}
balanced_stages = false
context_exchange = "{context}"
dispatcher = "all-to-all"
[cluster]
gpus = {gpus}
node = "dgx-h100"
"#,
        layers = word("layers"),
        hidden = word("hidden"),
        heads = word("heads"),
        kv = word("kv"),
        ffn = word("ffn"),
        gated = word("gated"),
        vocab = word("vocab"),
        seq = word("seq"),
        tied = word("tied"),
        gbs = word("gbs"),
        mb = word("mb"),
        precision = if wide { "fp32" } else { "bf16" },
        recompute = word("recompute"),
        tp = word("tp"),
        pp = word("pp"),
        dp = word("dp"),
        cp = word("cp"),
        ep = word("ep"),
        etp = word("etp"),
        vpp = word("vpp"),
        sp = word("sp"),
        zero = word("zero"),
        shard = cfg["shard"].as_u64().map_or(String::new(), |number| format!("shard = {number}\n")),
        order = word("order"),
        parameter = if wide { 4 } else { 2 },
        mtp = cfg["mtp"].as_u64().unwrap_or(0),
        buckets = cfg["by"] == "deepspeed",
        native = cfg["by"] == "fsdp",
    )
}

/// What a recorded job sends of a kind over what is predicted, where it is not 1, and why
/// (docs/validation.md, "Held against real jobs").
const OTHERWISE: [(&str, &str, f64); 12] = [
    ("all_16", "context", 2.0 / 3.0),
    ("cp_ep", "context", 2.0 / 3.0),
    ("cp_gather", "context", 2.0 / 3.0),
    ("cp_ring", "context", 14.0 / 9.0),
    ("fsdp_tp2sp", "tensor", 88.0 / 72.0),
    ("moe_dense_first", "data", 1.5),
    ("moe_etp2", "data", 1.5),
    ("moe_pp", "data", 1.5),
    ("moe_shared", "data", 1.5),
    ("moe_tp2_ep4", "data", 1.5),
    ("t_fsdp", "data", 0.917),
    ("t_hsdp", "data", 0.925),
];

/// Norms and router that every tensor rank holds whole, at hidden 64 (recorded.rs has them exactly).
const HELD_WHOLE: f64 = 0.02;
/// Norms beside the matrices of latent attention, whose gradients one call sums, and those of FSDP2.
const NORMS: f64 = 0.002;
/// Experts are drawn at random.
const ROUTED: f64 = 0.04;

#[test]
fn every_recorded_job_is_read_and_sends_what_is_predicted() {
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings");
    let mut names: Vec<PathBuf> = fs::read_dir(recordings)
        .expect("the recordings")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|os_str| os_str == "json"))
        .collect();
    names.sort();
    assert!(names.len() >= 20);
    for path in names {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a recording");
        let record: Value = serde_json::from_str(&text).expect("JSON");
        let folder = folder(&format!("recorded-{name}"), &spec(&record["cfg"]));
        let path = path.to_string_lossy().into_owned();
        let found =
            document(&planner_in(&folder, &["traffic", "--against", &path, "--format", "json"]));
        for (kind, ratio) in ratios(&found) {
            let other = OTHERWISE.iter().find(|parts| parts.0 == name && parts.1 == kind);
            let wanted = other.map_or(1.0, |parts| parts.2);
            let within = match kind.as_str() {
                "expert" => ROUTED,
                "data" => HELD_WHOLE,
                "tensor" if record["cfg"]["mla"].is_object() => NORMS,
                "tensor" if record["cfg"]["by"] == "fsdp" => NORMS,
                _ => 1e-9,
            };
            assert!((ratio / wanted - 1.0).abs() <= within, "{name} {kind}: {ratio}, not {wanted}");
        }
        let sum = |list: &str| -> f64 {
            let all = found[list].as_array().expect("a list").iter();
            all.filter_map(|value| value["recorded_bytes"].as_f64()).sum()
        };
        let left_out = sum("not_predicted");
        assert!(left_out <= 0.02 * sum("kinds"), "{name}: {left_out} left out");
        // A pair that carries what is not predicted, or nothing of what is, is a wrong group.
        for pair in found["pairs"].as_array().expect("pairs") {
            let (kind, to) = (pair["kind"].as_str().expect("a kind"), &pair["to"]);
            let both = ["recorded_bytes", "predicted_bytes"].map(|key| pair[key].as_u64());
            assert!(!both.contains(&Some(0)), "{name} {kind} {} to {to}: {both:?}", pair["from"]);
        }
    }
}

/// Four GPUs on two nodes as NCCL logs them: an all-reduce of all, an all-gather of two, a send.
const LOG: &str = "\
node-0:101:101 [0] NCCL INFO ncclCommInitRankConfig comm 0x55aa10 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 1000 commId 0xabc1 - Init COMPLETE
node-0:102:102 [1] NCCL INFO ncclCommInitRankConfig comm 0x66aa10 rank 1 nranks 4 cudaDev 1 nvmlDev 1 busId 2000 commId 0xabc1 - Init COMPLETE
[2026-11-01 10:00:00] node-1:201:201 [0] NCCL INFO ncclCommInitRankConfig comm 0x55aa10 rank 2 nranks 4 cudaDev 0 nvmlDev 0 busId 1000 commId 0xabc1 - Init COMPLETE
node-1:202:202 [1] NCCL INFO ncclCommInitRankConfig comm 0x88aa10 rank 3 nranks 4 cudaDev 1 nvmlDev 1 busId 2000 commId 0xabc1 - Init COMPLETE
node-0:101:101 [0] NCCL INFO ncclCommSplit comm 0x55bb20 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 parent 0x55aa10 childCount 1 color 7 key 0 - Init COMPLETE
node-0:102:102 [1] NCCL INFO ncclCommSplit comm 0x66bb20 rank 1 nranks 2 cudaDev 1 nvmlDev 1 busId 2000 parent 0x66aa10 childCount 1 color 7 key 1 - Init COMPLETE
node-0:101:150 [0] NCCL INFO Channel 00/0 : 0[0] -> 2[0] [send] via NET/IB/0/GDRDMA
node-0:101:101 [0] NCCL INFO AllReduce: opCount 3 sendbuff 0x7f01 recvbuff 0x7f01 count 1048576 datatype 9 op 0 root 0 comm 0x55aa10 [nranks=4] stream 0x99
node-1:201:201 [0] NCCL INFO AllReduce: opCount 3 sendbuff 0x7f01 recvbuff 0x7f01 count 1048576 datatype 9 op 0 root 0 comm 0x55aa10 [nranks=4] stream 0x99
node-0:101:101 [0] NCCL INFO AllGather: opCount 4 sendbuff 0x7f01 recvbuff 0x7f02 count 524288 datatype 9 op 0 root 0 comm 0x55bb20 [nranks=2] stream 0x99
node-0:101:101 [0] NCCL INFO Send: opCount 5 sendbuff (nil) recvbuff 0x7f02 count 262144 datatype 9 op 0 root 2 comm 0x55aa10 [nranks=4] stream 0x98
node-1:201:201 [0] NCCL INFO Recv: opCount 5 sendbuff (nil) recvbuff 0x7f02 count 262144 datatype 9 op 0 root 0 comm 0x55aa10 [nranks=4] stream 0x98
";

/// Two tensor ranks, two stages.
const FOUR: &str = r#"
model = { layers = 4, hidden = 256, heads = 8, ffn = 1024, vocab = 1024, sequence = 128 }
training = { global_batch = 8, micro_batch = 1, precision = "bf16", recompute = "none" }
parallelism = { tensor = 2, pipeline = 2, data = 1, sequence_parallel = true }
framework = { scatter_pipeline = false }
cluster = { gpus = 4, node = "dgx-h100" }
"#;

#[test]
fn logs_of_nccl_and_traces_of_the_profiler_give_pairs() {
    let folder = folder("ledger-logs", FOUR);
    fs::write(folder.join("nccl.log"), LOG).expect("own folder");
    let found =
        document(&planner_in(&folder, &["traffic", "--against", "nccl.log", "--format", "json"]));
    let pair = |found: &Value, kind: &str, from: u64, to: u64| {
        let pairs = found["pairs"].as_array().expect("pairs").clone();
        let read =
            |value: &&Value| value["kind"] == kind && value["from"] == from && value["to"] == to;
        pairs.iter().find(read).map(|value| value["recorded_bytes"].as_u64())
    };
    // A gather of 2 x 524,288 numbers of two bytes sends half of them on, the message all of its.
    assert_eq!(pair(&found, "tensor", 0, 1), Some(Some(1_048_576)), "{found}");
    assert_eq!(pair(&found, "pipeline", 0, 2), Some(Some(524_288)), "{found}");
    // An all-reduce of all four is on no group of the layout: two of them send 3/2 of 2 MiB.
    let left = &found["not_predicted"][0];
    assert_eq!((&left["op"], &left["recorded_bytes"]), (&json!("all_reduce"), &json!(6_291_456)));
    let event =
        |name: &str, args: Value| json!({ "ph": "X", "cat": "cpu_op", "name": name, "args": args });
    let call = |name: &str, elements: (u64, u64), group: &str| {
        event(
            "record_param_comms",
            json!({
                "Collective name": name, "dtype": "BFloat16", "In msg nelems": elements.0,
                "Out msg nelems": elements.1, "Group size": 2, "Process Group Name": group,
                "Process Group Ranks": "[0, 1]", "Global rank start": 0, "Global rank stride": 1,
            }),
        )
    };
    let trace = json!({
        "distributedInfo": { "backend": "nccl", "rank": 1, "world_size": 4, "pg_count": 1,
            "pg_config": [{ "pg_name": "5", "pg_size": 2, "ranks": [0, 1] }] },
        "traceEvents": [
            event("ProfilerStep#7", json!({})), event("ProfilerStep#8", json!({})),
            call("_allgather_base", (16384, 32768), "5"), call("_allgather_base", (16384, 32768), "5"),
            call("_reduce_scatter_base", (32768, 16384), "6"), call("barrier", (0, 0), "5"),
        ],
    });
    fs::write(folder.join("rank1.json"), trace.to_string()).expect("own folder");
    let found =
        document(&planner_in(&folder, &["traffic", "--against", "rank1.json", "--format", "json"]));
    assert_eq!((&found["steps_recorded"], &found["gpus_recorded"]), (&json!(2), &json!(1)));
    // Three calls of 32,768 numbers in two steps, half of each sent.
    assert_eq!(pair(&found, "tensor", 1, 0), Some(Some(3 * 32_768 / 2)), "{found}");
}

#[test]
fn chakra_traces_are_written_for_each_gpu_and_read_again() {
    let folder = folder("ledger-chakra", FOUR);
    fs::create_dir(folder.join("et")).expect("own folder");
    done(&planner_in(&folder, &["traffic", "--format", "chakra", "-o", "et"]));
    let mut files: Vec<String> = (0..4).map(|rank| format!("et/step.{rank}.et")).collect();
    files.push("et/groups.json".to_owned());
    let mut asked = vec!["traffic", "--format", "json", "--within", "0", "--against"];
    asked.extend(files.iter().map(String::as_str));
    let found = document(&planner_in(&folder, &asked));
    assert!(ratios(&found).values().all(|ratio| *ratio == 1.0), "{found}");
    assert_eq!(found["not_predicted"], json!([]));
    let alone = planner_in(&folder, &["traffic", "--against", "et/step.0.et"]);
    assert_eq!(alone.status, 2);
    assert!(alone.stderr.contains("no file has the ranks of group"), "{}", alone.stderr);
}

#[test]
fn simulators_get_what_they_read() {
    let folder = folder("ledger-simulators", FOUR);
    let workload = planner_in(&folder, &["traffic", "--format", "simai"]);
    let lines: Vec<&str> = done(&workload).lines().collect();
    assert!(
        lines[0].starts_with("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1")
    );
    assert_eq!(lines[1].parse::<usize>().expect("a count"), lines.len() - 2);
    for line in &lines[2..] {
        assert_eq!(line.split('\t').count(), 12, "{line}");
    }
    let gathers = lines.iter().filter(|line| line.contains("\tALLGATHER\t65536\t")).count();
    assert!(gathers >= 2 * 2, "two layers of two halves: {gathers}");
    let ledger = planner_in(&folder, &["traffic", "--format", "ledger"]);
    let message = done(&ledger).lines().find(|line| line.contains("\"op\":\"send\"")).expect("one");
    let message: Value = serde_json::from_str(message).expect("JSON");
    let id = message["id"].as_str().expect("an id");
    let matrix = planner_in(&folder, &["traffic", "--format", "htsim", "--call", id]);
    let wanted =
        "Nodes 4\nConnections 2\n0->2 id 1 start 0 size 32768\n1->3 id 2 start 0 size 32768\n";
    assert_eq!(done(&matrix), wanted);
}

/// Four blocks of a tensor pair, fully sharded over eight replicas.
const SHARDED: &str = r#"
model = { layers = 4, hidden = 256, heads = 8, ffn = 1024, vocab = 1024, sequence = 128, tied_embeddings = false }
training = { global_batch = 16, micro_batch = 1, precision = "bf16", recompute = "none" }
parallelism = { tensor = 2, pipeline = 1, data = 8, zero = 3, sequence_parallel = true }
framework = { preset = "fsdp-2024" }
cluster = { gpus = 16, node = "dgx-h100" }
"#;

/// Gradients of 1.07 billion parameters in buckets of 40 million.
const BUCKETS: &str = r#"
model = { layers = 4, hidden = 4096, heads = 32, ffn = 16384, vocab = 32000, sequence = 128, tied_embeddings = false }
training = { global_batch = 16, micro_batch = 1, precision = "bf16", recompute = "none" }
parallelism = { tensor = 1, pipeline = 1, data = 16, zero = 0 }
framework = { preset = "megatron-2026" }
cluster = { gpus = 16, node = "dgx-h100" }
"#;

/// Blocks are gathered and scattered one by one, and buckets of gradients reduced: in a Chakra trace as
/// many calls as the ledger has messages, and no byte more or less.
#[test]
fn a_call_in_several_messages_is_exported_as_so_many_calls() {
    for (name, spec, calls) in [
        // Gathers forward and backward, and scatters, of six blocks and two micro-batches.
        ("sharded", SHARDED, vec![("all_gather", 24), ("reduce_scatter", 12)]),
        // Three of the four matrices of a layer close a bucket, as head and embedding do.
        ("buckets", BUCKETS, vec![("all_reduce", 4 * 3 + 2)]),
    ] {
        let folder = folder(&format!("ledger-messages-{name}"), spec);
        fs::create_dir(folder.join("et")).expect("own folder");
        done(&planner_in(&folder, &["traffic", "--format", "chakra", "-o", "et"]));
        done(&planner_in(&folder, &["traffic", "--format", "ledger", "-o", "calls.jsonl"]));
        let traces: Vec<String> = (0..16).map(|rank| format!("et/step.{rank}.et")).collect();
        let groups = ["et/groups.json".to_owned()];
        let named = name == "sharded"; // a group of all ranks has no name
        let traces = [&traces[..], &groups[..usize::from(named)]].concat();
        for files in [traces, vec!["calls.jsonl".to_owned()]] {
            let mut asked = vec!["traffic", "--format", "json", "--within", "0", "--against"];
            asked.extend(files.iter().map(String::as_str));
            let found = document(&planner_in(&folder, &asked));
            assert!(ratios(&found).values().all(|ratio| *ratio == 1.0), "{found}");
            assert_eq!(found["not_predicted"], json!([]));
            let rows = found["groups"].as_array().expect("groups");
            for row in rows {
                assert_eq!(row["recorded_calls"], row["predicted_calls"], "{name} {row}");
            }
            for (operation, count) in &calls {
                let row = rows.iter().find(|row| row["op"] == *operation && row["kind"] == "data");
                let row = row.unwrap_or_else(|| panic!("{operation}: {found}"));
                assert_eq!(row["recorded_calls"], 16 * count, "{name} {row}");
            }
        }
    }
}

/// A block's parameters stand before its own calls, its gradients behind them, and both add up to
/// what the ledger has in one line.
#[test]
fn messages_stand_beside_the_block_that_they_belong_to() {
    let folder = folder("ledger-order", SHARDED);
    let workload = planner_in(&folder, &["traffic", "--format", "simai"]);
    let lines: Vec<(&str, u64)> = done(&workload)
        .lines()
        .skip(2)
        .map(|line| {
            let bytes = line.split('\t').filter_map(|field| field.parse::<u64>().ok());
            (line.split('\t').next().expect("a name"), bytes.max().expect("bytes"))
        })
        .collect();
    let order: Vec<char> = lines
        .iter()
        .map(|(name, _)| match *name {
            "parameters_gathered_forward" => 'f',
            "parameters_gathered_backward" => 'b',
            "gradients_reduced_and_scattered" => 's',
            _ => '.',
        })
        .collect();
    let mut order: String = order.into_iter().collect();
    while order.contains("..") {
        order = order.replace("..", ".");
    }
    // Embedding, four layers, head; back again, where the last call is a scatter.
    assert_eq!(order, "f.".repeat(6) + &"b.s".repeat(6), "{lines:?}");
    let ledger = planner_in(&folder, &["traffic", "--format", "ledger"]);
    let calls: Vec<Value> = done(&ledger)
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for carries in ["parameters gathered forward", "gradients reduced and scattered"] {
        let call = calls.iter().find(|call| call["carries"] == carries).expect("a call");
        let name = carries.replace(' ', "_");
        let own = lines.iter().filter(|(line, _)| *line == name);
        assert_eq!(own.map(|(_, bytes)| bytes).sum::<u64>(), call["bytes"], "{carries}");
        // To one neighbour in the ring inside, and one along the rail: so many connections each.
        let id = call["id"].as_str().expect("an id");
        let matrix = planner_in(&folder, &["traffic", "--format", "htsim", "--call", id]);
        let sizes: Vec<u64> = done(&matrix)
            .lines()
            .skip(2)
            .map(|line| line.rsplit(' ').next().expect("a size").parse().expect("bytes"))
            .collect();
        let sends = call["sends"].as_array().expect("sends");
        let sent: u64 = sends.iter().map(|send| send["bytes"].as_u64().expect("bytes")).sum();
        assert_eq!(sizes.iter().sum::<u64>(), 16 * sent, "{carries}");
        assert_eq!(sizes.len(), 16 * sends.len() * 6, "{carries}");
    }
}

#[test]
fn what_can_t_be_read_or_written_is_told_with_the_way_out() {
    let folder = folder("ledger-errors", FOUR);
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("own folder");
    write("words.txt", "no recording\n");
    write("empty.json", "[]");
    write("short.jsonl", "{\"rank\":0,\"op\":\"all_reduce\",\"ranks\":[0,1]}\n");
    write("odd.jsonl", "{\"rank\":0,\"op\":\"conjure\",\"ranks\":[0,1],\"bytes\":1}\n");
    write("cut.jsonl", "{\"rank\":0,\n");
    write("far.jsonl", "{\"rank\":7,\"op\":\"all_reduce\",\"ranks\":[6,7],\"bytes\":8}\n");
    #[track_caller]
    fn refused(folder: &Path, args: &[&str], wanted: &str) {
        let run = planner_in(folder, args);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.starts_with("error: ") && run.stderr.contains(wanted), "{}", run.stderr);
        assert!(run.stderr.contains("\nhelp: "), "{}", run.stderr);
    }
    let against = |file| ["traffic", "--against", file];
    refused(&folder, &against("words.txt"), "`words.txt` is no recording that is known");
    refused(&folder, &against("empty.json"), "the recording has no call");
    refused(&folder, &against("short.jsonl"), "`short.jsonl`, line 1: `bytes` is no whole number");
    refused(&folder, &against("odd.jsonl"), "line 1: `op` is `conjure`, which is not known");
    refused(&folder, &against("cut.jsonl"), "`cut.jsonl`, line 1: no JSON");
    refused(&folder, &against("far.jsonl"), "the recording has GPU 7, and the layout has 4");
    refused(&folder, &["traffic", "--format", "htsim"], "the messages of one call");
    refused(&folder, &["traffic", "--format", "htsim", "--call", "9.9"], "no call `9.9`");
    refused(&folder, &["traffic", "--format", "chakra"], "a file for each GPU");
    refused(
        &folder,
        &["traffic", "--format", "chakra", "-o", "words.txt"],
        "`words.txt` is no folder",
    );
    refused(&folder, &["traffic", "--call", "0.1"], "`--call` names the one call");
    refused(&folder, &["traffic", "--format", "ledger", "--by", "gpu"], "lists calls");
    refused(&folder, &["traffic", "--format", "npy", "--against", "far.jsonl"], "no picture");
}
