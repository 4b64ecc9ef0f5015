//! The matrix against recordings of real jobs: every collective call of a step of megatron-core
//! 0.16.1, DeepSpeed, FSDP2 and torch.distributed.pipelining on 4 to 16 CPU ranks (tests/data/recordings).
//! Calls are put on pairs here by arithmetic of their own: rings by rank, splits as recorded.

use std::collections::BTreeMap;
use std::path::Path;

use planner::parallel::{Group, Layout, Order, Placement, Rank, Schedule, Zero};
use planner::step::{Step, TrafficKind};
use planner::traffic::TrafficMatrix;
use planner::workload::{
    ContextExchange, Framework, LatentAttention, Model, Moe, Precision, Recompute, Training,
};
use serde_json::Value;

use crate::support::experts::even_experts;
use crate::support::job::model;

/// Bytes by kind and pair.
type Bytes = BTreeMap<(TrafficKind, u32, u32), f64>;

/// Where a recorded job sends other than the matrix says, and why.
struct Exception {
    jobs: &'static [&'static str],
    kind: TrafficKind,
    /// Recorded bytes over predicted ones, by arithmetic from the reason.
    factor: f64,
}

const EXCEPTIONS: [Exception; 4] = [
    // The attention of these jobs keeps the keys and values that it gathered; Llama 3's and
    // Transformer Engine's gather them again backward: one gather and one scatter, not three.
    Exception {
        jobs: &["all_16", "cp_ep", "cp_gather"],
        kind: TrafficKind::Context,
        factor: 2.0 / 3.0,
    },
    // This ring sends gradients of keys and values in fp32 and once more round, to their owner:
    // 3 hops of 1 forward, 3 of 1 and 4 of 2 backward, where 3 of 1 and 3 of 2 are predicted.
    Exception { jobs: &["cp_ring"], kind: TrafficKind::Context, factor: 14.0 / 9.0 },
    // Without overlap, each of the two chained optimizers (dense, experts) has all parameters
    // gathered: one scatter and two gathers.
    Exception {
        jobs: &["moe_tp2_ep4", "moe_etp2", "moe_pp", "moe_shared", "moe_dense_first"],
        kind: TrafficKind::Data,
        factor: 1.5,
    },
    // This job gathers its logits, 8 times as wide as its hidden width, beside 72 calls a step.
    Exception {
        jobs: &["fsdp_tp2sp"],
        kind: TrafficKind::Tensor,
        factor: (72.0 + 2.0 * 8.0) / 72.0,
    },
];

/// Of a kind as a whole, and of every pair.
const WITHIN: (f64, f64) = (0.005, 0.005);

/// Of experts as a whole: their routing is drawn at random. With shards of an expert also the number of
/// tokens that they gather is.
const ROUTED: f64 = 0.012;

/// Four standard deviations of the copies of tokens that a pair carries, which are drawn forward and go
/// again backward.
fn drawn(bytes: f64, cfg: &Value) -> f64 {
    let row = (2 * count(cfg, "hidden")) as f64;
    4.0 / (bytes / (2.0 * row)).sqrt()
}

/// Most of a job's bytes that are of no kind: gradients of norms, the norm of all gradients,
/// counts of tokens, weights of the router. The models are tiny: at hidden 4,096 it is 1e-4.
const LEFT_OUT: f64 = 0.02;

fn recordings() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings");
    let mut all: Vec<(String, Value)> = std::fs::read_dir(folder)
        .expect("the recordings")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|str| str == "json"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a recording");
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, serde_json::from_str(&text).expect("JSON"))
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn count(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} is no count"))
}

fn flag(value: &Value, key: &str) -> bool {
    value[key].as_bool().unwrap_or_else(|| panic!("{key} is no flag"))
}

fn step(cfg: &Value) -> Step {
    let small = |key| count(cfg, key) as u32;
    let chunks = small("vpp");
    let layout = Layout {
        tensor: small("tp"),
        pipeline: small("pp"),
        data: small("dp"),
        context: small("cp"),
        expert: small("ep"),
        expert_tensor: small("etp"),
        interleave: chunks,
        micro_batch: count(cfg, "mb"),
        sequence_parallel: flag(cfg, "sp"),
        zero: Zero::from_stage(count(cfg, "zero")).expect("a stage"),
        shard: cfg["shard"].as_u64().map(|shard| shard as u32),
        recompute: if cfg["recompute"] == "full" { Recompute::Full } else { Recompute::None },
        order: Order::parse(cfg["order"].as_str().expect("an order")).expect("an order"),
        schedule: if chunks > 1 { Schedule::Interleaved } else { Schedule::OneFOneB },
    };
    let (hidden, heads, experts) =
        (count(cfg, "hidden"), count(cfg, "heads"), count(cfg, "experts"));
    let model = Model {
        hidden,
        heads,
        kv_heads: count(cfg, "kv"),
        head_dim: hidden / heads,
        ffn: count(cfg, "ffn"),
        gated_ffn: flag(cfg, "gated"),
        vocab: count(cfg, "vocab"),
        sequence: count(cfg, "seq"),
        tied_embeddings: flag(cfg, "tied"),
        moe: (experts > 0).then(|| Moe {
            shared_experts: count(cfg, "shared"),
            dense_layers: small("dense_layers"),
            ..even_experts(experts, count(cfg, "topk"), count(cfg, "moe_ffn"))
        }),
        latent_attention: cfg["mla"].is_object().then(|| {
            let mla = &cfg["mla"];
            LatentAttention {
                q_lora: mla["q_lora_rank"].as_u64().unwrap_or(0),
                kv_lora: count(mla, "kv_lora_rank"),
                qk_nope: count(mla, "qk_head_dim"),
                qk_rope: count(mla, "qk_pos_emb_head_dim"),
                v_dim: count(mla, "v_head_dim"),
            }
        }),
        mtp_layers: cfg["mtp"].as_u64().unwrap_or(0) as u32,
        ..model(small("layers"))
    };
    let wide = cfg["dtype"] == "fp32";
    let training = Training {
        global_batch: count(cfg, "gbs"),
        tokens: None,
        precision: if wide { Precision::Fp32 } else { Precision::Bf16 },
        offload_layers: 0,
        recompute_modules: None,
    };
    let framework = Framework {
        gradient_bytes: if wide || flag(cfg, "grad_fp32") { 4 } else { 2 },
        parameter_bytes: if wide { 4 } else { 2 },
        context_exchange: match cfg["cx"].as_str() {
            Some("ring") => ContextExchange::Ring,
            Some("all-to-all") => ContextExchange::AllToAll,
            _ => ContextExchange::Gather,
        },
        bucket_all_reduce: cfg["by"] == "deepspeed",
        native_pytorch: cfg["by"] == "fsdp",
        ..Framework::new_without_features("recorded")
    };
    Step::new(&model, &training, &framework, &layout).expect("a legal layout")
}

fn predicted(step: &Step) -> Bytes {
    let ranks = step.grid.ranks();
    let matrix = TrafficMatrix::new(step, Placement::with_packed_domains(ranks, ranks));
    let mut all = Bytes::new();
    for from in 0..matrix.rank_count() {
        for (to, bytes) in matrix.row_of_rank(Rank(from)) {
            for kind in TrafficKind::ALL {
                let sent = bytes.bytes_of_kind(kind).as_f64();
                if sent > 0.0 {
                    *all.entry((kind, from, to.0)).or_default() += sent;
                }
            }
        }
    }
    all
}

/// What caused a call; `None` for what the matrix leaves out: gradients of norms and the norm of
/// all gradients, counts of tokens, weights of the router.
fn kind(cfg: &Value, call: &Value, ranks: &[u64]) -> Option<TrafficKind> {
    let place = call["where"].as_str().unwrap_or_default();
    let op = call["op"].as_str().unwrap_or_default();
    let has = |text: &str| place.contains(text);
    if has("_allreduce_non_tensor_model_parallel_grads") {
        // Beside the matrices of latent attention norms are a part in 40.
        return cfg["mla"].is_object().then_some(TrafficKind::Tensor);
    }
    // In FSDP2's jobs the tensor group sums gradients of norms alone.
    if has("clip_grads") || has("funcol.all_reduce") {
        return None;
    }
    if cfg["by"] == "deepspeed" {
        // Beside gradients and parameters only scalars: the norm of all, and whether one overflowed.
        return (call["bytes"].as_f64() > Some(8.0)).then_some(TrafficKind::Data);
    }
    if has("MoEAlltoAllTokenDispatcher.preprocess") {
        return None;
    }
    if ["attention.Gather", "attention.exchange", "attention.passed_on"].into_iter().any(has) {
        return Some(TrafficKind::Context);
    }
    if op == "all_to_all_single" {
        return Some(TrafficKind::Expert);
    }
    // Shards of an expert gather lists of unlike pieces.
    if matches!(op, "all_gather" | "reduce_scatter") {
        // Weights of the router: one value a token.
        let weights = call["bytes"].as_f64().expect("bytes") < 2000.0;
        return (!weights).then_some(TrafficKind::Expert);
    }
    if op == "isend" || has("embedding_grad") {
        return Some(TrafficKind::Pipeline);
    }
    if has("grad_sync") || has("param_sync") || has("fsdp") {
        return Some(TrafficKind::Data);
    }
    assert_eq!(ranks.len() as u64, count(cfg, "tp"), "{op} {place}");
    Some(TrafficKind::Tensor)
}

fn recorded(record: &Value) -> (Bytes, f64) {
    let cfg = &record["cfg"];
    let mut all = Bytes::new();
    let mut left_out = 0.0;
    for rank in record["ranks"].as_array().expect("ranks") {
        let own = count(rank, "rank");
        for call in rank["calls"].as_array().expect("calls") {
            let op = call["op"].as_str().expect("a name");
            if op == "irecv" {
                continue;
            }
            let members: Vec<u64> = call["ranks"]
                .as_array()
                .expect("members")
                .iter()
                .filter_map(Value::as_u64)
                .collect();
            let n = members.len() as f64;
            let bytes =
                call["bytes"].as_f64().expect("bytes") * call["calls"].as_f64().expect("calls");
            if op != "isend" && n < 2.0 {
                continue;
            }
            let ring = match op {
                "all_reduce" => 2.0 * (n - 1.0) / n * bytes,
                "isend" | "all_to_all_single" => bytes,
                _ => (n - 1.0) / n * bytes,
            };
            let Some(kind) = kind(cfg, call, &members) else {
                left_out += ring;
                continue;
            };
            let mut send = |to: u64, bytes: f64| {
                *all.entry((kind, own as u32, to as u32)).or_default() += bytes;
            };
            match op {
                "isend" => send(members[1], bytes),
                "all_to_all_single" => {
                    let splits = call["extra"].as_array().expect("splits");
                    let sum: f64 = splits.iter().filter_map(Value::as_f64).sum();
                    // Weights of the router: one value a token, not a row of the hidden width.
                    let each = call["bytes"].as_f64().expect("bytes");
                    if sum < each * 0.9 || each < 2000.0 {
                        left_out += bytes;
                        continue;
                    }
                    for (to, split) in members.iter().zip(splits) {
                        if *to != own {
                            send(*to, bytes * split.as_f64().expect("a split") / sum);
                        }
                    }
                }
                _ => {
                    let at = members.iter().position(|member| *member == own).expect("a member");
                    send(members[(at + 1) % members.len()], ring);
                }
            }
        }
    }
    (all, left_out)
}

/// Parameters of a rank that the matrix takes to be split over the tensor group and that every
/// rank holds whole, norms and router, and the last norm, which it leaves out.
fn held_whole(cfg: &Value, step: &Step, stage: u32) -> f64 {
    let (hidden, tensor) = (count(cfg, "hidden") as f64, count(cfg, "tp") as f64);
    let layers = count(cfg, "layers") as f64 / f64::from(step.layout.pipeline);
    let norm = if flag(cfg, "gated") { hidden } else { 2.0 * hidden };
    let router = hidden * count(cfg, "experts") as f64;
    let split = layers * (2.0 * norm + router) * (1.0 - 1.0 / tensor);
    if stage + 1 < step.layout.pipeline {
        return split;
    }
    // Layers that predict further tokens have their own norms and three more.
    let further = cfg["mtp"].as_f64().unwrap_or(0.0);
    split + norm + further * norm * (2.0 * (1.0 - 1.0 / tensor) + 3.0)
}

/// Adds what [`held_whole`] is about to the ring of dense parameters.
fn correct(own: &mut Bytes, cfg: &Value, step: &Step) {
    let wide = cfg["dtype"] == "fp32";
    let (gradient, parameter) = if wide {
        (4.0, 4.0)
    } else if flag(cfg, "grad_fp32") {
        (4.0, 2.0)
    } else {
        (2.0, 2.0)
    };
    let micro_batches = step.micro_batches as f64;
    let copied = cfg["shard"].is_u64();
    // An all-reduce is a scatter and a gather.
    let sum = if step.layout.zero == Zero::None || cfg["by"] == "deepspeed" { 2.0 } else { 1.0 };
    let times = match step.layout.zero {
        Zero::Parameters => (gradient + 2.0 * parameter) * micro_batches,
        Zero::Gradients => sum * gradient * micro_batches + parameter,
        Zero::None => sum * gradient,
        Zero::Optimizer => sum * gradient + parameter,
    };
    // FSDP2 keeps its root gathered between the passes, unless it is told not to: embedding, LM head and
    // last norm go round once less in every micro-batch.
    let root = if cfg["by"] == "fsdp" && cfg["root"].is_null() {
        let tables = 2 * count(cfg, "vocab") / count(cfg, "tp");
        (tables + 2) as f64 * count(cfg, "hidden") as f64
    } else {
        0.0
    };
    let ring = if copied { Group::Shard } else { Group::Data };
    let n = f64::from(step.grid.group_size(ring));
    for rank in (0..step.grid.ranks()).map(Rank) {
        let elements = held_whole(cfg, step, step.grid.pipeline_stage(rank));
        let bytes = elements * times - root * parameter * micro_batches;
        add(own, step, (rank, ring), bytes);
        if copied {
            add(own, step, (rank, Group::Copies), elements / n * 2.0 * gradient * micro_batches);
        }
    }
}

/// Adds what goes round the ring of a group, of so many bytes on each of its ranks.
fn add(own: &mut Bytes, step: &Step, (rank, ring): (Rank, Group), bytes: f64) {
    let n = step.grid.group_size(ring);
    if n < 2 {
        return;
    }
    let place = step.grid.position_in_group(rank, ring);
    let next = step.grid.group_member(rank, ring, (place + 1) % n);
    let share = f64::from(n - 1) / f64::from(n);
    *own.entry((TrafficKind::Data, rank.0, next.0)).or_default() += share * bytes;
}

#[track_caller]
fn near(what: &str, recorded: f64, predicted: f64, within: f64) {
    let off = recorded / predicted - 1.0;
    assert!(off.abs() <= within, "{what}: {recorded} recorded, {predicted} predicted, {off:+.4}");
}

#[test]
fn recorded_jobs_send_what_the_matrix_says() {
    let all = recordings();
    assert!(all.len() >= 20, "{} recordings", all.len());
    for (name, record) in all {
        let made_by = &record["made_by"];
        let library = match record["cfg"]["by"].as_str() {
            Some("megatron") => "megatron-core",
            Some("deepspeed") => "deepspeed",
            _ => "torch",
        };
        assert!(made_by[library].is_string(), "{name}: {made_by}");
        let cfg = &record["cfg"];
        let step = step(cfg);
        let mut own = predicted(&step);
        correct(&mut own, cfg, &step);
        let (real, left_out) = recorded(&record);
        assert!(left_out <= LEFT_OUT * real.values().sum::<f64>(), "{name}: {left_out} left out");
        for kind in TrafficKind::ALL {
            let of_kind = |table: &Bytes| -> Bytes {
                table.iter().filter(|((k, ..), _)| *k == kind).map(|(k, v)| (*k, *v)).collect()
            };
            let (own, real) = (of_kind(&own), of_kind(&real));
            let pairs = |table: &Bytes| table.keys().copied().collect::<Vec<_>>();
            assert_eq!(pairs(&own), pairs(&real), "{name}: who sends {}", kind.name());
            if own.is_empty() {
                continue;
            }
            let found = EXCEPTIONS.iter().find(|exception| {
                exception.jobs.contains(&name.as_str()) && exception.kind == kind
            });
            let factor = found.map_or(1.0, |exception| exception.factor);
            let routed = kind == TrafficKind::Expert;
            let sum = if routed { ROUTED } else { WITHIN.0 };
            let total = |table: &Bytes| table.values().sum::<f64>();
            near(&format!("{name} {}", kind.name()), total(&real), factor * total(&own), sum);
            for (at, bytes) in &real {
                let pair = if routed { drawn(own[at], cfg) } else { WITHIN.1 };
                near(&format!("{name} {at:?}"), *bytes, factor * own[at], pair);
            }
        }
    }
}
