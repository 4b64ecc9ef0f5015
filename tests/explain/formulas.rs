//! Formulas of work, memory, traffic and bubble, computed from the inputs that stand beside them, on
//! specs of every kind; and which formulas are words, so that no other goes unchecked.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::explain::sheet::{explained_with, f64, float, iterator, near, text};

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
const WORDS: [&str; 38] = [
    // Every number is tried in tests/design/standby.rs.
    "failures.standby_domains",
    "step.exposed_communication_s.",
    "step.optimizer_s",
    "step.host_s",
    "step.host_link_s",
    "step.interfaces_busy_s",
    "step.error_band",
    "step.range_rows",
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
fn labels(value: &Value, start: &str) -> Vec<String> {
    let inputs = value["inputs"].as_array().expect("inputs are a list");
    let named = |input: &Value| text(&input["name"]).strip_prefix(start).map(str::to_owned);
    inputs.iter().filter_map(named).collect()
}

/// Σ calls · D · times that a GPU sends D; each factor is held against its own rule, from n.
fn traffic(figure: &Value) -> f64 {
    let one = |label: &String| {
        let value = |what: &str| f64(figure, &format!("{what}: {label}"));
        let times = value("times D that a GPU sends");
        let inputs = figure["inputs"].as_array().expect("inputs are a list");
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
    labels(figure, "calls of all GPUs: ").iter().map(one).sum()
}

/// bytes · (φ/n + φ_e/n_e), of bytes whose name begins so.
fn states(value: &Value, width: &str) -> f64 {
    let dense = f64(value, "parameters of the rank") / f64(value, "ranks that share the former");
    let routed = f64(value, "parameters of its routed") / f64(value, "ranks that share the latter");
    f64(value, width) * (dense + routed)
}

/// What the formula makes of the inputs shown; `None` where it is not one of these.
fn computed(key: &str, value: &Value) -> Option<f64> {
    let formula = text(&value["formula"]);
    Some(match key {
        _ if key.starts_with("traffic.bytes_by_kind.") => traffic(value),
        "model.parameters" | "model.active_parameters" => {
            f64(value, "elements of all layers")
                + f64(value, "tables") * f64(value, "vocabulary") * f64(value, "hidden width")
                + f64(value, "hidden width")
        }
        "model.embedding_parameters" => {
            f64(value, "tables") * f64(value, "vocabulary") * f64(value, "hidden width")
        }
        "memory.weights_bytes" => states(value, "bytes of a weight on the GPU"),
        "memory.gradients_bytes" => states(value, "bytes of a gradient"),
        "memory.optimizer_bytes" => states(value, "bytes of states on the GPU"),
        "memory.activations_bytes" => {
            f64(value, "micro-batches in flight") * f64(value, "kept of each")
                + f64(value, "transient")
        }
        "memory.overhead_bytes" => {
            f64(value, "framework and libraries")
                + f64(value, "buffers of techniques")
                + f64(value, "whole parameters at hand")
        }
        "memory.fragmentation_bytes" => f64(value, "share") * f64(value, "allocated"),
        "memory.host_bytes" => {
            let whole =
                f64(value, "parameters of the rank") + f64(value, "parameters of its routed");
            states(value, "bytes of states on the host")
                + f64(value, "bytes of weights there") * whole
                + f64(value, "micro-batches in flight") * f64(value, "kept of each there")
        }
        "step.model_flop" => {
            let token = 2.0 * f64(value, "matrix elements") + f64(value, "FLOPs of attention");
            3.0 * f64(value, "global batch") * f64(value, "sequence") * token
        }
        "step.hardware_flop" => f64(value, "model FLOPs") * (1.0 + f64(value, "recomputed FLOPs")),
        "step.model_tflops_per_gpu" => {
            f64(value, "model FLOPs") / f64(value, "step time") / f64(value, "GPUs N") / 1e12
        }
        "step.compute_s" => f64(value, "micro-batches m") * f64(value, "Σ kernels"),
        "step.optimizer_s" if formula.starts_with("bytes that it moves /") => {
            f64(value, "bytes that it moves")
                / (f64(value, "memory bandwidth") * f64(value, "share of memory bandwidth"))
        }
        "step.bubble_s" => {
            let (sum, slowest) = (f64(value, "through all"), f64(value, "on the slowest"));
            let others = sum - slowest;
            match formula.as_str() {
                "T_sum − T_max" => others,
                "(T_sum − T_max) · share of the largest of v chunks" => {
                    others * f64(value, "share of the largest")
                }
                "(T_sum − T_max) · max(0, 1 − 2W/T_max)" => {
                    others * (1.0 - 2.0 * f64(value, "its weight") / slowest).max(0.0)
                }
                _ => 0.0,
            }
        }
        "cluster.hb_inside.all_switches" | "cluster.hb_inside.all_links" => {
            let one = if key.ends_with("links") { "links of" } else { "switch chips of" };
            f64(value, "HB domains") * f64(value, one)
        }
        "layout.gpus_training" => {
            let degrees = f64(value, "tensor") * f64(value, "pipeline") * f64(value, "context");
            degrees * f64(value, "replicas")
        }
        "cluster.hb_domains" => {
            let whole = (f64(value, "GPUs N") / f64(value, "GPUs of an HB domain")).ceil();
            whole.max((f64(value, "ranks of the layout") / f64(value, "used GPUs")).ceil())
        }
        "fabric.transceivers" => 2.0 * (f64(value, "links") - f64(value, "copper links")),
        "fabric.leaf_spine_links" | "fabric.spine_core_links" => iterator(value, "switches ")
            .zip(iterator(value, "up of "))
            .map(|(switches, up)| switches * up)
            .sum(),
        "fabric.ports_free" => {
            let ports = iterator(value, "switches of ").zip(iterator(value, "ports of one of "));
            let ports: f64 = ports.map(|(switches, ports)| switches * ports).sum();
            ports - iterator(value, "ports used of ").sum::<f64>()
        }
        "headroom.gpus_before_another_tier" => {
            let most = iterator(value, "ports down of a ").product::<f64>() * f64(value, "trees");
            let domains = (most / f64(value, "NICs of a domain")).floor();
            f64(value, "GPUs of an HB domain") * (domains - f64(value, "HB domains M"))
        }
        "headroom.gpus_on_free_ports" => {
            let free = f64(value, "ports down of all") - f64(value, "host links");
            let domains = (free / (f64(value, "planes") * f64(value, "NICs of a domain"))).floor();
            let most = f64(value, "GPUs before another tier");
            (f64(value, "GPUs of an HB domain") * domains).min(most)
        }
        "all_to_all.stored_share" | "all_to_all.pipelined_share" if formula.starts_with("1 / ") => {
            let nic = f64(value, "NIC bandwidth") * 1e9 / 8.0;
            let (domain, domains) = (f64(value, "GPUs of an HB"), f64(value, "HB domains M"));
            let beta = nic * f64(value, "NICs of a domain") / domain / f64(value, "HB bandwidth");
            let (other, across) = (f64(value, "of what leaves"), f64(value, "bandwidth across"));
            let uplinks = f64(value, "slowdown by");
            if key.ends_with("stored_share") {
                1.0 / (uplinks + beta * (other - across).max(0.0))
            } else {
                let inside = (domain - 1.0) / (domain * (domains - 1.0));
                let forwarded = (inside + other) / (1.0 / beta + across);
                1.0 / uplinks.max(forwarded).max(beta * inside)
            }
        }
        "routing.unverified" => {
            let inputs = value["inputs"].as_array().expect("inputs are a list");
            f64::from(u8::from(inputs[0]["value"] != true))
        }
        "routing.worst_ratio" => {
            let calls = labels(value, "slowest link of call ");
            let ratio = |call: &String| {
                let granted = f64(value, &format!("granted to call {call}"));
                f64(value, &format!("slowest link of call {call}")) / granted
            };
            calls.iter().map(ratio).fold(0.0, f64::max)
        }
        "cost.opex_usd_per_year" => {
            let energy = f64(value, "power") / 1e3 * f64(value, "hours");
            // Electricity without a price costs nothing, and the design lists it as unpriced.
            energy * f64(value, "PUE") * iterator(value, "price").next().unwrap_or(0.0)
        }
        key if key.starts_with("cost.quotes.") && key.ends_with("share_of_capex") => {
            iterator(value, "paid for ").sum::<f64>() / f64(value, "capital")
        }
        "cost.network_capex_share" => f64(value, "network") / f64(value, "cluster"),
        "cost.usd_per_million_tokens" => {
            const YEAR: f64 = 8760.0 * 3600.0;
            let pace = f64(value, "tokens") / f64(value, "step time");
            1e6 * f64(value, "TCO") / (pace * f64(value, "goodput") * f64(value, "years") * YEAR)
        }
        "failures.days_lost_per_year" => (1.0 - f64(value, "goodput")) * 365.25,
        "failures.usd_lost_per_year" => {
            f64(value, "TCO") / f64(value, "years") * (1.0 - f64(value, "goodput"))
        }
        key if key.starts_with("failures.faults.") && key.ends_with("per_year") => {
            match formula.as_str() {
                "N · λ" => f64(value, "pieces") * f64(value, "failures of one"),
                _ => f64(value, "failures a year") * f64(value, "one takes") / 86_400.0,
            }
        }
        "cost.run_usd" => {
            f64(value, "tokens of the run") / 1e6 * f64(value, "cost per million tokens")
        }
        "step.low_time_s"
        | "step.high_time_s"
        | "cost.low_usd_per_million_tokens"
        | "cost.high_usd_per_million_tokens"
        | "cost.low_training_days"
        | "cost.high_training_days"
        | "cost.low_training_days_with_failures"
        | "cost.high_training_days_with_failures" => {
            f64(value, "predicted") * f64(value, "share of the interval")
        }
        "cost.training_days_with_failures" => f64(value, "run") / f64(value, "goodput"),
        "cost.power_with_cooling_w" => f64(value, "power") * f64(value, "PUE"),
        "cost.training_days" => {
            let steps = f64(value, "tokens of the run") / f64(value, "tokens of a step");
            steps * f64(value, "step time") / 86_400.0
        }
        _ => return None,
    })
}

/// A value that is its one input.
fn stated(value: &Value) -> Option<f64> {
    match value["inputs"].as_array().expect("inputs are a list").as_slice() {
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
        for value in explained_with(arguments) {
            let key = text(&value["key"]);
            let result = float(&value["result"]["value"]);
            if let Some(found) = computed(&key, &value) {
                agree(&format!("{arguments:?} {key}"), found, result);
                seen.insert(key);
                continue;
            }
            let sum = !value["parts"].as_array().expect("parts are a list").is_empty();
            let listed = |list: &[&str]| list.iter().any(|start| key.starts_with(start));
            if !sum && !listed(&WORDS) && !listed(&ELSEWHERE) {
                let stated =
                    stated(&value).unwrap_or_else(|| panic!("{key}: {}", value["formula"]));
                near(&key, stated, result);
            }
        }
    }
    assert!(seen.len() >= 20, "{seen:?}");
}
