//! Formulas of work, memory, traffic and bubble, computed from the inputs that stand beside them, on
//! specs of every kind; and which formulas are words, so that no other goes unchecked.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::sheet::{explained_with, f64, float, iterator, near, text};

/// Interleaved; experts by a de-duplicated exchange under zero-bubble; full recomputation and ZeRO;
/// experts by all-to-all; offload and messages; ZeRO-3; activations on the host.
const SPECS: [&[&str]; 11] = [
    &["gpt3-175b-a100-1536"],
    &["deepseek-v3-h800-2048"],
    &["llama3-405b-h100-16384"],
    &["starter"],
    &["gpt-1t-h100-32768"],
    &["rail-only-2024-moe"],
    &["rail-only-2023-gpt3"],
    &["axonn-2022-12b"],
    &["starter", "--set", "parallelism.zero=3", "--set", "parallelism.schedule=gpipe"],
    &["starter", "--set", "technique.demo={}", "--set", "parallelism.zero=0"],
    &["starter", "--set", "technique.narrow_pipeline={}", "--set", "technique.swap={}"],
];

/// Formulas in words, or whose inputs are a whole fabric or all kernels: what they say is held by
/// the tests of what they explain.
const WORDS: [&str; 37] = [
    // Every number is tried in tests/design/standby.rs.
    "failures.standby_domains",
    "step.exposed_communication_s.",
    "step.optimizer_s",
    "step.host_s",
    "step.host_link_s",
    "step.interfaces_busy_s",
    "step.error_band",
    "memory.stage",
    "traffic.idle_pairs",
    "traffic.max_pair_bytes",
    "fabric.planes",
    "fabric.spines",
    "fabric.cores",
    "fabric.across_links",
    "fabric.bisection_share",
    "fabric.across_rails_share",
    "fabric.cheapest_oversubscription",
    "fabric.oversubscription_usd",
    "fabric.oversubscription_w",
    // An independent reader of the topology counts these in tests/design/regular.rs.
    "fabric.units",
    "fabric.unit_machines",
    "fabric.smallest_unit_machines",
    "fabric.shared_leafs",
    "fabric.regular_",
    "failures.survival_",
    "fabric.tiers.",
    "cluster.gpus",
    "layout.expert_tensor",
    "layout.shard",
    "routing.calls.",
    "routing.loads.",
    "failures.faults.",
    "failures.worst_",
    "bom.",
    "solver.",
    "alternatives.",
    "all_to_all.",
];

/// Formulas that another test computes.
const ELSEWHERE: [&str; 14] = [
    "layout.data",
    "layout.micro_batches",
    "step.tokens",
    "step.mfu",
    "step.hfu",
    "step.tokens_per_s_per_gpu",
    "step.stragglers_s",
    "step.slowdown",
    "traffic.pairs",
    "traffic.idle_pair_share",
    "fabric.endpoints",
    "fabric.link_gbit_per_s",
    "fabric.host_links",
    "goodput_share",
];

/// The names of what follows a beginning, as `calls of all GPUs: NAME` has it.
fn labels(of: &Value, start: &str) -> Vec<String> {
    let inputs = of["inputs"].as_array().expect("inputs are a list");
    let named = |input: &Value| text(&input["name"]).strip_prefix(start).map(str::to_owned);
    inputs.iter().filter_map(named).collect()
}

/// Σ calls · D · times that a GPU sends D; each factor is held against its own rule, from n.
fn traffic(of: &Value) -> f64 {
    let one = |label: &String| {
        let value = |what: &str| f64(of, &format!("{what}: {label}"));
        let times = value("times D that a GPU sends");
        let inputs = of["inputs"].as_array().expect("inputs are a list");
        let name = format!("times D that a GPU sends: {label}");
        let input = inputs.iter().find(|input| input["name"] == name.as_str()).expect("it is one");
        let (rule, n) = (text(&input["origin"]), value("members n"));
        let expected = match rule.split(':').next().unwrap_or_default() {
            "2(n − 1)/n" => 2.0 * (n - 1.0) / n,
            "(n − 1)/n" => (n - 1.0) / n,
            "n − 1" => n - 1.0,
            _ => times,
        };
        assert!((times / expected - 1.0).abs() < 1e-4, "{label}: {times} by the rule {rule}");
        assert!(times > 0.0 && times <= n, "{label}: {times}");
        value("calls of all GPUs") * value("bytes D of a call") * times
    };
    labels(of, "calls of all GPUs: ").iter().map(one).sum()
}

/// bytes · (φ/n + φ_e/n_e), of bytes whose name begins so.
fn states(of: &Value, width: &str) -> f64 {
    let dense = f64(of, "parameters of the rank") / f64(of, "ranks that share the former");
    let routed = f64(of, "parameters of its routed") / f64(of, "ranks that share the latter");
    f64(of, width) * (dense + routed)
}

/// What the formula makes of the inputs shown; `None` where it is not one of these.
fn computed(key: &str, of: &Value) -> Option<f64> {
    let formula = text(&of["formula"]);
    Some(match key {
        _ if key.starts_with("traffic.bytes_by_kind.") => traffic(of),
        "model.parameters" | "model.active_parameters" => {
            f64(of, "elements of all layers")
                + f64(of, "tables") * f64(of, "vocabulary") * f64(of, "hidden width")
                + f64(of, "hidden width")
        }
        "model.embedding_parameters" => {
            f64(of, "tables") * f64(of, "vocabulary") * f64(of, "hidden width")
        }
        "memory.weights_bytes" => states(of, "bytes of a weight on the GPU"),
        "memory.gradients_bytes" => states(of, "bytes of a gradient"),
        "memory.optimizer_bytes" => states(of, "bytes of states on the GPU"),
        "memory.activations_bytes" => {
            f64(of, "micro-batches in flight") * f64(of, "kept of each") + f64(of, "transient")
        }
        "memory.overhead_bytes" => {
            f64(of, "framework and libraries")
                + f64(of, "buffers of techniques")
                + f64(of, "whole parameters at hand")
        }
        "memory.fragmentation_bytes" => f64(of, "share") * f64(of, "allocated"),
        "memory.host_bytes" => {
            let whole = f64(of, "parameters of the rank") + f64(of, "parameters of its routed");
            states(of, "bytes of states on the host")
                + f64(of, "bytes of weights there") * whole
                + f64(of, "micro-batches in flight") * f64(of, "kept of each there")
        }
        "step.model_flop" => {
            let token = 2.0 * f64(of, "matrix elements") + f64(of, "FLOPs of attention");
            3.0 * f64(of, "global batch") * f64(of, "sequence") * token
        }
        "step.hardware_flop" => f64(of, "model FLOPs") * (1.0 + f64(of, "recomputed FLOPs")),
        "step.model_tflops_per_gpu" => {
            f64(of, "model FLOPs") / f64(of, "step time") / f64(of, "GPUs N") / 1e12
        }
        "step.compute_s" => f64(of, "micro-batches m") * f64(of, "Σ kernels"),
        "step.optimizer_s" if formula.starts_with("bytes that it moves /") => {
            f64(of, "bytes that it moves")
                / (f64(of, "memory bandwidth") * f64(of, "share of memory bandwidth"))
        }
        "step.bubble_s" => {
            let (sum, slowest) = (f64(of, "through all"), f64(of, "on the slowest"));
            let others = sum - slowest;
            match formula.as_str() {
                "T_sum − T_max" => others,
                "(T_sum − T_max) · share of the largest of v chunks" => {
                    others * f64(of, "share of the largest")
                }
                "(T_sum − T_max) · max(0, 1 − 2W/T_max)" => {
                    others * (1.0 - 2.0 * f64(of, "its weight") / slowest).max(0.0)
                }
                _ => 0.0,
            }
        }
        "cluster.hb_inside.all_switches" | "cluster.hb_inside.all_links" => {
            let one = if key.ends_with("links") { "links of" } else { "switch chips of" };
            f64(of, "HB domains") * f64(of, one)
        }
        "layout.gpus_training" => {
            let degrees = f64(of, "tensor") * f64(of, "pipeline") * f64(of, "context");
            degrees * f64(of, "replicas")
        }
        "cluster.hb_domains" => {
            let whole = (f64(of, "GPUs N") / f64(of, "GPUs of an HB domain")).ceil();
            whole.max((f64(of, "ranks of the layout") / f64(of, "used GPUs")).ceil())
        }
        "fabric.transceivers" => 2.0 * (f64(of, "links") - f64(of, "copper links")),
        "fabric.leaf_spine_links" | "fabric.spine_core_links" => iterator(of, "switches ")
            .zip(iterator(of, "up of "))
            .map(|(switches, up)| switches * up)
            .sum(),
        "fabric.ports_free" => {
            let ports = iterator(of, "switches of ").zip(iterator(of, "ports of one of "));
            let ports: f64 = ports.map(|(switches, ports)| switches * ports).sum();
            ports - iterator(of, "ports used of ").sum::<f64>()
        }
        "headroom.gpus_before_another_tier" => {
            let most = iterator(of, "ports down of a ").product::<f64>() * f64(of, "trees");
            let domains = (most / f64(of, "NICs of a domain")).floor();
            f64(of, "GPUs of an HB domain") * (domains - f64(of, "HB domains M"))
        }
        "headroom.gpus_on_free_ports" => {
            let free = f64(of, "ports down of all") - f64(of, "host links");
            let domains = (free / (f64(of, "planes") * f64(of, "NICs of a domain"))).floor();
            let most = f64(of, "GPUs before another tier");
            (f64(of, "GPUs of an HB domain") * domains).min(most)
        }
        "all_to_all.stored_share" | "all_to_all.pipelined_share" if formula.starts_with("1 / ") => {
            let nic = f64(of, "NIC bandwidth") * 1e9 / 8.0;
            let (domain, domains) = (f64(of, "GPUs of an HB"), f64(of, "HB domains M"));
            let beta = nic * f64(of, "NICs of a domain") / domain / f64(of, "HB bandwidth");
            let (other, across) = (f64(of, "of what leaves"), f64(of, "bandwidth across"));
            let uplinks = f64(of, "slowdown by");
            match key.ends_with("stored_share") {
                true => 1.0 / (uplinks + beta * (other - across).max(0.0)),
                false => {
                    let inside = (domain - 1.0) / (domain * (domains - 1.0));
                    let forwarded = (inside + other) / (1.0 / beta + across);
                    1.0 / uplinks.max(forwarded).max(beta * inside)
                }
            }
        }
        "routing.unverified" => {
            let inputs = of["inputs"].as_array().expect("inputs are a list");
            f64::from(u8::from(inputs[0]["value"] != true))
        }
        "routing.worst_ratio" => {
            let calls = labels(of, "slowest link of call ");
            let ratio = |call: &String| {
                let granted = f64(of, &format!("granted to call {call}"));
                f64(of, &format!("slowest link of call {call}")) / granted
            };
            calls.iter().map(ratio).fold(0.0, f64::max)
        }
        "cost.opex_usd_per_year" => {
            let energy = f64(of, "power") / 1e3 * f64(of, "hours");
            // Electricity without a price costs nothing, and the design lists it as unpriced.
            energy * f64(of, "PUE") * iterator(of, "price").next().unwrap_or(0.0)
        }
        key if key.starts_with("cost.quotes.") && key.ends_with("share_of_capex") => {
            iterator(of, "paid for ").sum::<f64>() / f64(of, "capital")
        }
        "cost.network_capex_share" => f64(of, "network") / f64(of, "cluster"),
        "cost.usd_per_million_tokens" => {
            const YEAR: f64 = 8760.0 * 3600.0;
            let pace = f64(of, "tokens") / f64(of, "step time");
            1e6 * f64(of, "TCO") / (pace * f64(of, "goodput") * f64(of, "years") * YEAR)
        }
        "failures.days_lost_per_year" => (1.0 - f64(of, "goodput")) * 365.25,
        "failures.usd_lost_per_year" => {
            f64(of, "TCO") / f64(of, "years") * (1.0 - f64(of, "goodput"))
        }
        key if key.starts_with("failures.faults.") && key.ends_with("per_year") => {
            match formula.as_str() {
                "N · λ" => f64(of, "pieces") * f64(of, "failures of one"),
                _ => f64(of, "failures a year") * f64(of, "one takes") / 86_400.0,
            }
        }
        "cost.run_usd" => f64(of, "tokens of the run") / 1e6 * f64(of, "cost per million tokens"),
        "step.low_time_s"
        | "step.high_time_s"
        | "cost.low_usd_per_million_tokens"
        | "cost.high_usd_per_million_tokens"
        | "cost.low_training_days"
        | "cost.high_training_days" => f64(of, "predicted") * f64(of, "share of the interval"),
        "cost.training_days" => {
            let steps = f64(of, "tokens of the run") / f64(of, "tokens of a step");
            steps * f64(of, "step time") / 86_400.0
        }
        _ => return None,
    })
}

/// A value that is its one input.
fn stated(of: &Value) -> Option<f64> {
    match of["inputs"].as_array().expect("inputs are a list").as_slice() {
        [only] => only["value"].as_f64(),
        _ => None,
    }
}

/// Memory is rounded up to bytes, and times are printed with twelve digits.
#[track_caller]
fn agree(key: &str, found: f64, result: f64) {
    if key.ends_with("_bytes") {
        assert!((found - result).abs() <= 2.0 + 1e-8 * result, "{key}: {found} is not {result}");
    } else {
        near(key, found, result);
    }
}

#[test]
fn every_formula_gives_its_number_or_is_listed_as_words() {
    let mut seen = BTreeSet::new();
    for arguments in SPECS {
        for of in explained_with(arguments) {
            let key = text(&of["key"]);
            let result = float(&of["result"]["value"]);
            if let Some(found) = computed(&key, &of) {
                agree(&format!("{arguments:?} {key}"), found, result);
                seen.insert(key);
                continue;
            }
            let sum = !of["parts"].as_array().expect("parts are a list").is_empty();
            let listed = |list: &[&str]| list.iter().any(|start| key.starts_with(start));
            if !sum && !listed(&WORDS) && !listed(&ELSEWHERE) {
                let stated = stated(&of).unwrap_or_else(|| panic!("{key}: {}", of["formula"]));
                near(&key, stated, result);
            }
        }
    }
    assert!(seen.len() >= 20, "{seen:?}");
}
