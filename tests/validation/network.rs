//! A better network never makes a step slower, and a full one is the best.

use planner::parallel::{Layout, Order, Zero};
use planner::spec::presets;
use planner::step::Step;
use planner::timing::{NetworkModel, step_time};
use planner::workload::{Dispatcher, Model, Moe, Precision, Training};

use crate::support::experts::even_experts;

fn step(moe: bool, order: Order) -> Step {
    let model = Model {
        name: "test".into(),
        layers: 32,
        hidden: 4096,
        heads: 32,
        kv_heads: 8,
        head_dim: 128,
        ffn: 14_336,
        gated_ffn: true,
        vocab: 128_256,
        sequence: 8192,
        tied_embeddings: false,
        moe: moe.then(|| Moe { dense_layers: 0, ..even_experts(64, 8, 2048) }),
        latent_attention: None,
        window: None,
        attention_sinks: false,
        parallel_blocks: false,
        pattern: None,
        attention_gate: false,
        mamba: None,
        delta: None,
        mtp_layers: 0,
    };
    let layout = Layout {
        tensor: 2,
        pipeline: 4,
        data: 64,
        // Stages inside data leave experts the tensor ranks only.
        expert: match order {
            _ if !moe => 1,
            Order::PP_INSIDE_DP => 2,
            _ => 32,
        },
        sequence_parallel: true,
        zero: Zero::Optimizer,
        order,
        ..Layout::ONE_GPU
    };
    let training = Training {
        global_batch: 1024,
        tokens: None,
        precision: Precision::Bf16,
        offload_layers: 0,
        recompute_modules: None,
    };
    let mut framework = presets::preset_frameworks()["megatron-2026"].clone();
    framework.dispatcher = Dispatcher::AllToAll; // crosses rails, so that the spine matters
    Step::new(&model, &training, &framework, &layout).expect("a legal layout")
}

fn seconds(step: &Step, within_rail: f64, across_rails: f64) -> f64 {
    let node = &presets::preset_nodes()["dgx-h100"];
    let network = NetworkModel {
        domain: node.gpus,
        hb: node.hb_bandwidth,
        nics: node.nics,
        nic: node.nic.bandwidth,
        leaf_domains: Some(8),
        within_rail,
        across_rails,
        planes: 1,
        forwards: true,
        has_summing_switches: false,
        seats: planner::parallel::Seats::Even,
        balance: planner::timing::UplinkBalance::SPRAY,
    };
    let framework = &presets::preset_frameworks()["megatron-2026"];
    step_time(step, &node.gpu, &network, framework).total_time().get()
}

#[test]
fn a_step_never_gets_slower_with_uplinks_or_spine() {
    const LEVELS: [f64; 5] = [0.0, 0.125, 0.25, 0.5, 1.0];
    for order in [Order::DP_INSIDE_PP, Order::PP_INSIDE_DP] {
        for moe in [false, true] {
            let step = step(moe, order);
            let wide = moe && order == Order::DP_INSIDE_PP; // experts over several domains
            let best = seconds(&step, 1.0, 1.0);
            for spine in LEVELS {
                let times: Vec<f64> =
                    LEVELS[1..].iter().map(|uplinks| seconds(&step, *uplinks, spine)).collect();
                assert!(times.is_sorted_by(|a, b| a >= b), "uplinks {order} {moe}: {times:?}");
                // Where stages share a domain, dense rings leave a leaf by one flow only.
                let felt = order == Order::DP_INSIDE_PP;
                assert!(!felt || times[0] > times[3], "uplinks {order} {moe}: {times:?}");
                assert!(times[3] >= best);
            }
            let times: Vec<f64> = LEVELS.iter().map(|spine| seconds(&step, 1.0, *spine)).collect();
            assert!(times.is_sorted_by(|a, b| a >= b), "spine {order} {moe}: {times:?}");
            assert_eq!(times[4], best);
            assert_eq!(times[0] > best, wide, "only all-to-alls cross rails here: {times:?}");
        }
    }
}
