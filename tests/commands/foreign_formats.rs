//! Files of others that `planner traffic` reads or writes: traces that PyTorch and Chakra's converter
//! write, and workload text as Alibaba publishes it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::program::{fresh_folder, planner_in};
use crate::traffic_ledger::spec;

fn folder(name: &str, spec: &str) -> PathBuf {
    let folder = fresh_folder(name);
    fs::write(folder.join("model.toml"), spec).expect("the folder is this test's own");
    folder
}

#[track_caller]
fn against(folder: &Path, files: &[String]) -> Value {
    let mut asked = vec!["traffic", "--format", "json", "--against"];
    asked.extend(files.iter().map(String::as_str));
    let run = planner_in(folder, &asked);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn what_pytorch_itself_writes_gives_the_calls_that_were_made() {
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings/profiler");
    let file = |name: &str| recordings.join(name).to_string_lossy().into_owned();
    let of_all = |name: &str| (0..4).map(|rank| file(&format!("{name}.{rank}.json"))).collect();
    let calls = fs::read_to_string(recordings.join("calls.json")).expect("a recording");
    let calls: Value = serde_json::from_str(&calls).expect("JSON");
    let folder = folder("formats-profiler", &spec(&calls["cfg"]));
    let by_calls = against(&folder, &[file("calls.json")]);
    let of_kind = |value: &Value| value["kinds"][0]["recorded_bytes"].as_u64().expect("bytes");
    let ratio = by_calls["kinds"][0]["ratio"].as_f64().expect("a ratio");
    // As t_fsdp: the root stays gathered between the passes.
    assert!((ratio - 0.917).abs() < 0.02, "{ratio}");
    let packed = |rank: usize| {
        let plain = fs::read(file(&format!("trace.{rank}.json"))).expect("a recording");
        let path = folder.join(format!("trace.{rank}.json.gz"));
        let file = fs::File::create(&path).expect("the folder is this test's own");
        let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        packer.write_all(&plain).and_then(|()| packer.finish()).expect("it is written");
        path.to_string_lossy().into_owned()
    };
    for name in ["trace", "execution", "packed"] {
        let files: Vec<String> =
            if name == "packed" { (0..4).map(packed).collect() } else { of_all(name) };
        let found = against(&folder, &files);
        assert_eq!(found["gpus_recorded"], 4);
        assert_eq!(of_kind(&found), of_kind(&by_calls), "{name}");
        assert_eq!(found["groups"], by_calls["groups"], "{name}");
        assert_eq!(found["pairs"], by_calls["pairs"], "{name}");
        assert_eq!(found["not_predicted"], json!([]), "{name}");
    }
}

/// What recorded jobs of Megatron-Core sent and the matrix leaves out, against the sizes that the report
/// states: to the byte, but for weights of tokens, whose routing is drawn at random.
#[test]
fn what_is_not_counted_is_what_recorded_jobs_sent_besides() {
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings");
    let mut held = 0;
    for name in
        ["sp_z1", "vpp2", "z1_gated", "grouped_queries", "moe_tp2_ep4", "moe_etp2", "moe_pp"]
    {
        let path = recordings.join(format!("{name}.json"));
        let record = fs::read_to_string(&path).expect("a recording");
        let record: Value = serde_json::from_str(&record).expect("JSON");
        let folder = folder(&format!("formats-besides-{name}"), &spec(&record["cfg"]));
        let found = against(&folder, &[path.to_string_lossy().into_owned()]);
        let run = planner_in(&folder, &["traffic", "--format", "json"]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
        let own: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let bytes = |value: &Value, list: &str, key: &str, what: &str| -> f64 {
            let all = value[list].as_array().expect("a list").iter();
            let of_this = all
                .filter(|value| value["what"].as_str().is_some_and(|text| text.starts_with(what)));
            of_this.map(|value| value[key].as_f64().expect("bytes")).sum()
        };
        for (theirs, ours, within) in [
            ("gradients that every", "gradients of norms", 0.0),
            ("norm of all", "norm of all", 0.0),
            ("counts of tokens", "counts of tokens", 0.0),
            ("small, on", "weights of tokens", 0.02),
        ] {
            let theirs = bytes(&found, "not_predicted", "recorded_bytes", theirs);
            let ours = bytes(&own, "not_counted", "bytes", ours);
            held += u32::from(theirs > 0.0);
            assert!((ours - theirs).abs() <= within * theirs, "{name} {theirs}: {ours}");
        }
    }
    assert!(held >= 7 + 7 + 3 + 3, "{held} sizes held");
}

/// A message of protocol buffers from its fields: whole numbers, and what stands behind a length.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(mut self, mut number: u64) -> Self {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
        self
    }

    fn number(self, field: u64, number: u64) -> Self {
        self.varint(field << 3).varint(number)
    }

    fn bytes(self, field: u64, bytes: &[u8]) -> Self {
        let mut own = self.varint(field << 3 | 2).varint(bytes.len() as u64);
        own.0.extend_from_slice(bytes);
        own
    }

    /// An attribute of a node: a flag (field 27) or a number (field 9).
    fn attribute(self, name: &str, field: u64, number: u64) -> Self {
        let attribute = Self::default().bytes(1, name.as_bytes()).number(field, number);
        self.bytes(10, &attribute.0)
    }

    /// A node of a collective.
    fn node(id: u64, name: &str, of_host: bool) -> Self {
        let node = Self::default().number(1, id).bytes(2, name.as_bytes()).number(3, 7);
        node.attribute("is_cpu_op", 27, u64::from(of_host))
    }
}

/// Two replicas as Chakra's converter writes them (its own test data, a job of 2023 on GPUs): nodes of the host
/// that name no size, a broadcast, and all-reduces without a group.
#[test]
fn traces_of_chakra_s_converter_have_nodes_of_the_host_and_no_groups() {
    let folder = folder(
        "formats-chakra",
        r#"
name = "two"
model = { layers = 2, hidden = 64, heads = 4, ffn = 256, vocab = 256, sequence = 32 }
training = { global_batch = 2, micro_batch = 1, precision = "fp32", recompute = "none" }
parallelism = { tensor = 1, pipeline = 1, data = 2, zero = 0 }
cluster = { gpus = 2, node = "dgx-h100" }
"#,
    );
    let call = |id, kind, bytes| {
        Message::node(id, "ncclKernel", false).attribute("comm_type", 9, kind).attribute(
            "comm_size",
            9,
            bytes,
        )
    };
    let trace: Vec<u8> = [
        Message::default().bytes(1, b"0.0.4"),
        Message::node(1, "c10d::broadcast_(0)", true),
        call(2, 5, 424),
        Message::node(3, "c10d::allreduce_", true),
        call(4, 0, 400_000),
        call(5, 9, 0),
    ]
    .into_iter()
    .flat_map(|message| {
        Message::default().varint(message.0.len() as u64).0.into_iter().chain(message.0)
    })
    .collect();
    for rank in 0..2 {
        fs::write(folder.join(format!("chakra.{rank}.et")), &trace).expect("own folder");
    }
    let both = ["chakra.0.et", "chakra.1.et"].map(str::to_owned);
    let found = against(&folder, &both);
    assert_eq!(found["kinds"][0]["kind"], "data");
    assert_eq!(found["kinds"][0]["recorded_bytes"], 2 * 400_000);
    let left: Vec<&Value> = found["not_predicted"].as_array().expect("a list").iter().collect();
    assert_eq!((left.len(), &left[0]["what"]), (1, &json!("broadcasts")), "{left:?}");
    let alone = planner_in(&folder, &["traffic", "--against", "chakra.0.et"]);
    assert_eq!(alone.status, 2);
    assert!(alone.stderr.contains("give the traces of all ranks"), "{}", alone.stderr);
}

/// Lines of workload text by column, operation and bytes.
fn counted(text: &str) -> BTreeMap<(usize, String, u64), u64> {
    let mut all = BTreeMap::new();
    for line in text.lines().skip(2) {
        let fields: Vec<&str> = line.split('\t').collect();
        for column in [3, 6, 9].into_iter().filter(|at| fields[*at] != "NONE") {
            let bytes = fields[column + 1].parse().expect("bytes");
            *all.entry((column, fields[column].to_owned(), bytes)).or_default() += 1;
        }
    }
    all
}

/// Columns of the text: forward pass, gradients of the inputs.
const FORWARD: usize = 3;
const BACKWARD: usize = 6;

/// Calls of tensor and expert groups of one micro-batch that Alibaba's published workloads have, or that
/// its generator writes (aliyun/aicb 23eec3c, workload/simAI/model_workload and
/// SimAI_training_workload_generator): so many lines of column, operation and bytes.
#[test]
fn workload_text_has_the_calls_that_alibaba_s_has() {
    let spec = |layers: u32, hidden: u32, ffn: u32, vocab: u32, sequence: u32, more: &str| {
        format!(
            r#"
name = "simai"
training = {{ global_batch = 16, micro_batch = 1, precision = "bf16", recompute = "none" }}
{more}
[model]
layers = {layers}
hidden = {hidden}
heads = 32
ffn = {ffn}
vocab = {vocab}
sequence = {sequence}
tied_embeddings = false
"#
        )
    };
    let dense = |gpus: u32, tensor: u32, sequence_parallel: bool| {
        format!(
            "parallelism = {{ tensor = {tensor}, pipeline = 1, data = {}, zero = 1, sequence_parallel = \
             {sequence_parallel} }}\ncluster = {{ gpus = {gpus}, node = \"dgx-a100-80gb\" }}",
            gpus / tensor
        )
    };
    let gpt =
        |sequence_parallel| spec(40, 5120, 20480, 50257, 2048, &dense(8, 8, sequence_parallel));
    let experts = "parallelism = { tensor = 2, pipeline = 1, data = 16, expert = 8, expert_tensor = 2, \
                   zero = 1, sequence_parallel = true }\n\
                   cluster = { gpus = 32, node = \"dgx-h100\" }\n\
                   framework = { dispatcher = \"all-to-all\" }";
    let experts = spec(4, 4096, 14336, 32000, 4096, experts)
        + "gated_ffn = true\nmoe = { experts = 8, top_k = 2, ffn = 14336 }\n";
    let reduce = |column, count, bytes| (column, "ALLREDUCE", bytes, count);
    for (name, spec, theirs) in [
        (
            "G13B-M1-C01",
            gpt(false),
            vec![reduce(FORWARD, 81, 20_971_520), reduce(BACKWARD, 81, 20_971_520)],
        ),
        (
            // Their embedding is reduced whole, ours scattered, and they leave the head's input out.
            "G13B-M1-C02",
            gpt(true),
            vec![
                (FORWARD, "ALLGATHER", 20_971_520, 80 + 1),
                (FORWARD, "REDUCESCATTER", 20_971_520, 80 + 1),
                (BACKWARD, "REDUCESCATTER", 20_971_520, 80 + 1),
                // 80 for the gradient of the outputs, 80 of the inputs again for that of the weights, which the
                // published text leaves out; 2 of the head and the embedding.
                (BACKWARD, "ALLGATHER", 20_971_520, 80 + 80 + 2),
            ],
        ),
        (
            "L7B-M1-C04",
            spec(32, 4096, 11008, 32000, 2048, &dense(8, 2, false)),
            vec![reduce(FORWARD, 65, 16_777_216), reduce(BACKWARD, 65, 16_777_216)],
        ),
        (
            // Written by the generator: 8 experts on 8 ranks of two shards each.
            "experts",
            experts,
            vec![
                (FORWARD, "ALLTOALL_EP", 33_554_432, 8),
                (BACKWARD, "ALLTOALL_EP", 33_554_432, 8),
                (FORWARD, "ALLGATHER", 67_108_864, 4),
                (FORWARD, "REDUCESCATTER", 67_108_864, 4),
                (BACKWARD, "ALLGATHER", 67_108_864, 4),
                (BACKWARD, "REDUCESCATTER", 67_108_864, 4),
                (FORWARD, "ALLGATHER", 33_554_432, 5),
                // Four of attention; theirs has none of the embedding.
                (FORWARD, "REDUCESCATTER", 33_554_432, 4 + 1),
            ],
        ),
    ] {
        let folder = folder(&format!("formats-simai-{name}"), &spec);
        let run = planner_in(&folder, &["traffic", "--format", "simai"]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
        let own = counted(&run.stdout);
        for (column, operation, bytes, count) in theirs {
            let found = own.get(&(column, operation.to_owned(), bytes));
            assert_eq!(found, Some(&count), "{name} {column} {operation} {bytes}: {own:?}");
        }
    }
}

/// A model that a spec describes but for some parts is refused, or written and told beside every
/// figure that it makes.
#[test]
fn an_approximated_model_says_so_beside_its_figures() {
    let folder = fresh_folder("formats-approximated");
    fs::write(folder.join("v32.json"), r#"{"model_type": "deepseek_v32"}"#)
        .expect("the folder is this test's own");
    let run = |words: &str| {
        let words: Vec<&str> = words.split_whitespace().collect();
        planner_in(&folder, &words)
    };
    for refused in ["import v32.json", "step v32.json", "design v32.json"] {
        let done = run(refused);
        assert_eq!(done.status, 2, "{refused}: {}", done.stdout);
        assert!(done.stderr.contains("--approximate"), "{refused}: {}", done.stderr);
    }
    let written = run("import v32.json --approximate -o v32.toml");
    assert_eq!(written.status, 0, "{}", written.stderr);
    for said in ["+851.5 million elements", "671877788672 elements", "(-0.13 %)"] {
        assert!(written.stderr.contains(said), "{}", written.stderr);
    }
    for command in ["design", "step"] {
        let shown = run(&format!("{command} v32.toml")).stdout;
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains("the model is an approximation"), "{shown}");
    }
    assert!(run("step v32.toml --section assumptions").stdout.contains("an indexer on 61 of 61"));
    let launched = run("launch v32.toml --for megatron");
    assert!(launched.stderr.contains("warning: model: approximation: "), "{}", launched.stderr);
}
