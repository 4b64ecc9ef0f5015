//! Recomputation by module: what a layer of DeepSeek-V3 keeps less, and what it computes and sends
//! again, from the sizes of its tensors as Megatron-Core checkpoints them (`transformer_layer.py`,
//! `moe_layer.py`, `experts.py`, 0.16).

use planner::parallel::{Group, Layout, Zero};
use planner::spec::presets;
use planner::step::{BlockKind, Kernel, Pass, Step};
use planner::workload::{Layer, Recompute, RecomputeModule, RecomputeModules, Training};

use crate::support::{job, scenario};

/// Tokens of a micro-batch, elements of one, and its visits to routed experts.
const TOKENS: f64 = 4096.0;
const HIDDEN: f64 = 7168.0;
const VISITS: f64 = 8.0 * TOKENS;
/// Inner width of an expert, routed or shared; that of a dense block.
const EXPERT: f64 = 2048.0;
const DENSE: f64 = 18432.0;

/// A step of DeepSeek-V3 on 64 expert ranks with those modules recomputed; `None` for nothing.
fn step(modules: Option<&[RecomputeModule]>) -> Step {
    let work = scenario::ready("deepseek-v3-h800-2048", &[]).lead_workload().clone();
    let layout = Layout {
        expert: 64,
        zero: Zero::Optimizer,
        recompute: if modules.is_some() { Recompute::Selective } else { Recompute::None },
        ..job::layout(1, 64, 8)
    };
    let training = Training {
        recompute_modules: modules.map(RecomputeModules::from_list),
        ..job::training(&layout, 8)
    };
    let framework = presets::preset_frameworks()["megatron-2026"].clone();
    Step::new(&work.model, &training, &framework, &layout).expect("the layout is legal")
}

fn sparse() -> BlockKind {
    BlockKind::Layer(Layer::Moe)
}

fn dense() -> BlockKind {
    BlockKind::Layer(Layer::Dense)
}

#[test]
fn modules_free_the_tensors_that_they_compute_again() {
    use RecomputeModule as Module;
    let kept = |step: &Step, kind: BlockKind| step.activations.kept[kind.index_among_kinds()];
    let whole = step(None);
    let heads = 128.0;
    // Of each head: queries, keys and values, and the copies that rotation makes of the first two.
    let up = heads * (3.0 * 192.0 + 128.0 + 128.0);
    let inner = 3.0; // of a gated block: two into the gate, one out
    for (module, kind, elements) in [
        (Module::LayerNorm, sparse(), 2.0 * TOKENS * HIDDEN),
        (Module::LayerNorm, dense(), 2.0 * TOKENS * HIDDEN),
        (Module::MoeActivation, sparse(), VISITS * EXPERT),
        (Module::SharedExperts, sparse(), TOKENS * inner * EXPERT),
        (Module::MlaUpProjection, sparse(), TOKENS * up),
        (Module::Mlp, dense(), TOKENS * inner * DENSE),
        (Module::Mlp, sparse(), 0.0),
        (Module::MoeActivation, dense(), 0.0),
    ] {
        let freed = kept(&whole, kind) - kept(&step(Some(&[module])), kind);
        assert!((freed - 2.0 * elements).abs() < 1.0, "{module:?} {kind:?}: {freed}");
    }
    // Of the whole layer of experts nothing stays but the norm before it.
    let attention = kept(&step(Some(&[Module::Mlp])), dense());
    let moe = kept(&step(Some(&[Module::Moe])), sparse());
    assert!((attention - moe).abs() < 1.0, "{moe} beside {attention}");
    // What a spec takes that names none.
    let usual = kept(&whole, sparse()) - 2.0 * TOKENS * up;
    let work = scenario::ready("deepseek-v3-h800-2048", &[]).lead_workload().clone();
    let framework = presets::preset_frameworks()["megatron-2026"].clone();
    let taken = RecomputeModules::for_step(
        Recompute::Selective,
        None,
        &work.model,
        framework.flash_attention,
    );
    assert_eq!(taken, RecomputeModules::from_list(&[Module::MlaUpProjection]));
    assert!((kept(&step(Some(&[Module::MlaUpProjection])), sparse()) - usual).abs() < 1.0);
}

#[test]
fn modules_are_computed_and_sent_again() {
    use RecomputeModule as Module;
    let flops = |step: &Step, kind: BlockKind, pass: Pass| -> f64 {
        let block = step.blocks.iter().find(|block| block.kind == kind).expect("it has some");
        block.flops_of_pass(pass)
    };
    let again = |modules: &[Module], kind| flops(&step(Some(modules)), kind, Pass::Recompute);
    let close =
        |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 1e-3, "{found} {wanted}");
    // Two operations each of three matrices.
    close(again(&[Module::Mlp], dense()), 6.0 * TOKENS * HIDDEN * DENSE);
    close(again(&[Module::SharedExperts], sparse()), 6.0 * TOKENS * HIDDEN * EXPERT);
    let router = 2.0 * TOKENS * HIDDEN * 256.0;
    close(again(&[Module::Moe], sparse()), 6.0 * (VISITS + TOKENS) * HIDDEN * EXPERT + router);
    let up = 2.0 * TOKENS * 128.0 * (1536.0 * 192.0 + 512.0 * 256.0);
    close(again(&[Module::MlaUpProjection], sparse()), up);
    // Norms and functions multiply nothing, and are kernels all the same.
    let light = step(Some(&[Module::LayerNorm, Module::MoeActivation]));
    assert!(flops(&light, sparse(), Pass::Recompute) < 1.0);
    let block = light.blocks.iter().find(|block| block.kind == sparse()).expect("it has some");
    let kernels = block.parts.iter().flat_map(|part| part.kernels_of_pass(Pass::Recompute));
    let bytes: Vec<f64> = kernels
        .map(|kernel| match kernel {
            Kernel::Memory { bytes, .. } => *bytes,
            other => panic!("{other:?} is no element-wise work"),
        })
        .collect();
    assert_eq!(bytes.len(), 3, "two norms and a function: {bytes:?}");
    // A layer of experts that runs again sends its tokens again, as in its forward pass.
    let sent = |modules: &[Module]| {
        let calls = step(Some(modules)).communications;
        calls.iter().filter(|call| call.group == Group::Expert).count()
    };
    assert_eq!(2 * sent(&[Module::Moe]), 3 * sent(&[Module::MoeActivation]));
}
