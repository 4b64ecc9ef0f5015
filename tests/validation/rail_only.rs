//! The rail-only paper's model comes out of the ordinary pipeline once overheads, attention
//! scores and embedding are switched off: iteration times of its Fig. 7a.

use planner::hardware::{Gpu, Peaks};
use planner::parallel::Layout;
use planner::spec::presets;
use planner::step::Step;
use planner::timing::{NetworkModel, step_time};
use planner::units::{Bandwidth, Bytes, FlopRate, Watts};
use planner::workload::{Algorithms, Collectives, Framework, Model, Precision, Training};

/// Tolerance: the figure was read off a plot at ±0.02 s, 1 % to 2 % of its values.
const TOLERANCE: f64 = 0.02;
/// HB-domain sizes K of the figure.
const DOMAINS: [u32; 6] = [32, 64, 128, 256, 512, 1024];
/// GPUs N, model-parallel group N_M, seconds for each K (arXiv 2307.12169 v1, Fig. 7a, GPT-3).
const FIGURE: [(u32, u32, [f64; 6]); 3] = [
    (16_384, 4, [3.482, 3.085, 2.865, 2.766, 2.706, 2.686]),
    (32_768, 8, [2.308, 1.890, 1.692, 1.592, 1.532, 1.512]),
    (65_536, 8, [1.652, 1.254, 1.035, 0.935, 0.895, 0.856]),
];

fn gpt3() -> Model {
    Model {
        name: "gpt3-175b".into(),
        layers: 96,
        hidden: 12_288,
        heads: 96,
        kv_heads: 96,
        head_dim: 128,
        ffn: 49_152,
        gated_ffn: false,
        vocab: 51_200,
        sequence: 1953, // 16,384 sequences of 1,953 are the paper's 32M tokens
        tied_embeddings: true,
        moe: None,
        latent_attention: None,
        window: None,
        attention_sinks: false,
        parallel_blocks: false,
        pattern: None,
        attention_gate: false,
        mamba: None,
        delta: None,
        mtp_layers: 0,
    }
}

fn iteration(gpus: u32, tensor: u32, domain: u32) -> f64 {
    let frameworks = presets::preset_frameworks();
    // Two stages: inside the HB domain, then along the rail.
    let collectives = Collectives { all: Algorithms::Hierarchical, ..Collectives::DEFAULT };
    let framework = &Framework { collectives, ..frameworks["rail-only-paper"].clone() };
    let peak = Some(FlopRate::from_tera(989.0));
    let hopper = &presets::preset_nodes()["dgx-h100"].gpu;
    let gpu = Gpu {
        peaks: Peaks { fp32: peak, bf16: peak, fp8: None, fp4: None },
        memory: Bytes::from_gib(80),
        power: Watts::ZERO,
        ..hopper.clone()
    };
    let network = NetworkModel {
        domain,
        hb: Bandwidth::from_gigabytes(960.0),
        nics: domain,
        nic: Bandwidth::from_gigabytes(50.0),
        leaf_domains: None,
        within_rail: 1.0,
        across_rails: 0.0,
        planes: 1,
        forwards: true,
        has_summing_switches: false,
        seats: planner::parallel::Seats::Even,
        balance: planner::timing::UplinkBalance::SPRAY,
    };
    let layout = Layout { tensor, data: gpus / tensor, ..Layout::ONE_GPU };
    let training = Training {
        global_batch: 16_384,
        tokens: None,
        precision: Precision::Fp32,
        offload_layers: 0,
        recompute_modules: None,
    };
    let step = Step::new(&gpt3(), &training, framework, &layout).expect("the paper's layout");
    step_time(&step, &gpu, &network, framework).total_time().get()
}

#[test]
fn figure_7a_follows_from_the_ordinary_pipeline() {
    for (gpus, tensor, row) in FIGURE {
        for (domain, published) in DOMAINS.into_iter().zip(row) {
            let time = iteration(gpus, tensor, domain);
            assert!(
                (time / published - 1.0).abs() <= TOLERANCE,
                "arXiv 2307.12169 v1 Fig. 7a, N={gpus} K={domain}: {time:.3} s, not {published} s"
            );
        }
    }
}
