//! Sliding windows layer by layer, against masks and lists of layers that `transformers` made
//! (tests/data/windows.txt, written by tests/import/windows.py).

use planner::step::{BlockKind, Kernel, Pass, Step};
use planner::timing::work_of_a_token;
use planner::workload::{Layer, Model, SlidingWindow};

use crate::support::job::{framework, layout, model, training};

const RECORDED: &str = include_str!("../data/windows.txt");

/// Words of the lines that start with one.
fn lines(first: &str) -> impl Iterator<Item = Vec<&'static str>> {
    RECORDED
        .lines()
        .filter_map(move |line| Some(line.strip_prefix(first)?.split_whitespace().collect()))
}

fn with_window(layers: u32, sequence: u64, window: SlidingWindow) -> Model {
    Model { sequence, window: Some(window), ..model(layers) }
}

fn step(model: &Model, pipeline: u32) -> Step {
    let layout = layout(1, 1, pipeline);
    let training = training(&layout, u64::from(pipeline));
    Step::new(model, &training, &framework(), &layout).expect("legal")
}

/// FLOPs of fused attention of a layer in the forward pass of one sequence.
fn attention(step: &Step, layer: Layer) -> f64 {
    let block = step
        .blocks
        .iter()
        .find(|this_block| this_block.kind == BlockKind::Layer(layer))
        .expect("a kind");
    let kernels = block.parts.iter().flat_map(|part| part.kernels_of_pass(Pass::Forward));
    let flops = kernels.map(|kernel| match kernel {
        Kernel::Attention(attention) => attention.flops.get(),
        _ => 0.0,
    });
    flops.sum()
}

#[test]
fn a_window_has_as_many_scores_as_the_mask_leaves() {
    let mut seen = 0;
    for words in lines("pairs ") {
        let [sequence, tokens, pairs] =
            [0, 1, 2].map(|at| words[at].parse::<u64>().expect("a count"));
        let window = SlidingWindow { tokens, layers: 3, every: Some(4) };
        let limited = with_window(4, sequence, window);
        let full = Model { window: None, ..limited.clone() };
        let per_pair = 4.0 * (limited.heads * limited.head_dim) as f64;
        let [of_model, of_full] = [&limited, &full]
            .map(|model| work_of_a_token(model, &framework()).scores * sequence as f64 / per_pair);
        // An area has half of the diagonal less than a count of pairs has.
        let counted = (of_model - of_full / 4.0) / 3.0;
        let least = pairs as f64 - tokens.min(sequence) as f64 / 2.0;
        assert!((counted - least).abs() < 1e-6 * least.max(1.0), "{words:?}: {counted}");
        // Kernels compute whole tiles: some more than the mask leaves, never more than without one.
        let step = step(&limited, 1);
        let [window, whole] =
            [Layer::WindowDense, Layer::Dense].map(|kind| attention(&step, kind) / per_pair);
        assert!((whole - (sequence * sequence) as f64 / 2.0).abs() < 1e-6, "{words:?}: {whole}");
        let most = (least + 256.0 * sequence as f64).min(whole);
        assert!(least <= window && window <= most, "{words:?}: {window}");
        seen += 1;
    }
    assert_eq!(seen, 8);
}

#[test]
fn a_stage_has_the_windows_of_its_own_layers() {
    for words in lines("layers ") {
        let letters: Vec<char> = words[2].chars().collect();
        let layers = letters.len() as u32;
        let tokens = words[1].parse().expect("tokens");
        let limited = letters.iter().filter(|window_letter| **window_letter == 's').count() as u32;
        let every =
            letters.iter().position(|window_letter| *window_letter == 'f').expect("one sees all")
                as u32
                + 1;
        let window = SlidingWindow { tokens, layers: limited, every: Some(every) };
        let model = with_window(layers, 8192, window);
        for pipeline in (1..=8).filter(|stages| layers.is_multiple_of(*stages)) {
            let step = step(&model, pipeline);
            for (stage, own) in step.stages.iter().zip(letters.chunks((layers / pipeline) as usize))
            {
                let read = |letter| {
                    own.iter().filter(|window_letter| **window_letter == letter).count() as u32
                };
                let found = [Layer::WindowDense, Layer::Dense]
                    .map(|kind| stage.block_count(BlockKind::Layer(kind)));
                assert_eq!(found, [read('s'), read('f')], "{words:?}, stage {}", stage.index);
            }
        }
    }
}

#[test]
fn parameters_do_not_know_of_windows() {
    let window = SlidingWindow { tokens: 32, layers: 3, every: None };
    let limited = with_window(6, 96, window);
    let full = Model { window: None, ..limited.clone() };
    assert_eq!(limited.parameters(), full.parameters());
    assert_eq!(limited.active_parameters(), full.active_parameters());
}
