//! Published shares of pairs and bytes: rail-only (arXiv 2307.12169 v1), figures 3a and 3b.

use planner::collective::{FlatAlgorithm, Policy};
use planner::parallel::{Locality, Placement};
use planner::step::{Step, TrafficKind};
use planner::traffic::{TrafficMatrix, TrafficSummary};
use planner::workload::{Model, Precision};

use crate::support::job::{framework, layout, model, training};

const GPUS: u32 = 32_768;
const DOMAIN: u32 = 256;

/// The paper's model has matrices only, in 32 bits, and counts neither embedding nor recompute.
fn summary(layers: u32, hidden: u64, tensor: u32, tokens: u64, policy: &Policy) -> TrafficSummary {
    let layout = layout(tensor, GPUS / tensor, 1);
    let model = Model {
        hidden,
        heads: hidden / 128,
        kv_heads: hidden / 128,
        head_dim: 128,
        ffn: 4 * hidden,
        sequence: tokens / u64::from(layout.data),
        tied_embeddings: false,
        ..model(layers)
    };
    let mut framework = framework();
    framework.embedding = false;
    let mut training = training(&layout, 1);
    training.precision = Precision::Fp32;
    let step = Step::new(&model, &training, &framework, &layout).expect("the layout runs");
    TrafficMatrix::with_policy(&step, Placement::with_packed_domains(DOMAIN, DOMAIN), policy)
        .summary()
}

#[track_caller]
fn close(what: &str, value: f64, published: f64, tolerance: f64) {
    let off = (value - published).abs();
    assert!(off <= tolerance, "{what}: {value} against {published} ± {tolerance}");
}

/// Figure 3a counts every two members of a group as a pair that speaks.
#[test]
fn figure_3a_shares_of_pairs() {
    let policy = Policy { flat: FlatAlgorithm::Direct, ..Policy::default() };
    for (name, layers, hidden, tensor, [mp, dp1, dp2, none]) in [
        ("GPT-3", 96, 12_288, 8, [0.0214, 0.3876, 0.0946, 99.496]),
        ("OPT-175B", 96, 12_288, 32, [0.0946, 0.3876, 0.0214, 99.496]),
        ("PaLM-540B", 118, 18_432, 16, [0.0458, 0.3876, 0.0458, 99.521]),
    ] {
        let summary = summary(layers, hidden, tensor, 32_000_000, &policy);
        let percent = |pairs: u128| 100.0 * pairs as f64 / summary.pairs as f64;
        let n = u128::from(GPUS);
        let inside = u128::from(DOMAIN / tensor);
        let idle = percent(summary.idle_pairs);
        close(name, idle, none, 5e-4);
        // The groups' pairs, which together are all that is not idle.
        let parts = [u128::from(tensor) - 1, n / u128::from(DOMAIN) - 1, inside - 1];
        close(name, percent(n * parts[0]), mp, 5e-5);
        close(name, percent(n * parts[1]), dp1, 5e-5);
        close(name, percent(n * parts[2]), dp2, 5e-5);
        assert_eq!(summary.pairs - summary.idle_pairs, n * parts.iter().sum::<u128>());
    }
}

/// Figure 3b, read off the figure to half a percent: model parallel, data parallel across
/// domains, data parallel inside. 32M tokens a batch for GPT-3 as printed, 2M for OPT.
#[test]
fn figure_3b_shares_of_bytes() {
    for (name, tensor, tokens, [mp, dp1, dp2]) in [
        ("GPT-3", 8, 32_000_000, [59.8, 1.2, 39.0]),
        ("OPT-175B", 32, 2_000_000, [62.2, 4.6, 33.2]),
    ] {
        let summary = summary(96, 12_288, tensor, tokens, &Policy::default());
        let percent = |kind, locality| {
            100.0 * summary.bytes_at(kind, locality).as_f64() / summary.total.as_f64()
        };
        close(name, percent(TrafficKind::Tensor, Locality::InsideDomain), mp, 0.5);
        close(name, percent(TrafficKind::Data, Locality::AlongRail), dp1, 0.5);
        close(name, percent(TrafficKind::Data, Locality::InsideDomain), dp2, 0.5);
        assert!(summary.bytes_of_locality(Locality::AcrossRails).is_zero(), "{name}");
    }
}

/// Bytes of one GPU and iteration that follow from the paper's equation 1 for GPT-3.
#[test]
fn equation_1_volumes() {
    let summary = summary(96, 12_288, 8, 32_000_000, &Policy::default());
    let giga = |kind, locality| summary.bytes_at(kind, locality).as_f64() / f64::from(GPUS) / 1e9;
    close("MP", giga(TrafficKind::Tensor, Locality::InsideDomain), 258.05, 0.05);
    close("DP1", giga(TrafficKind::Data, Locality::AlongRail), 5.39, 0.01);
    close("DP2", giga(TrafficKind::Data, Locality::InsideDomain), 168.51, 0.05);
}
