//! The host's time for parts with experts: by hand from what it launches after it waited for the counts of
//! tokens, and nothing where no count is waited for.

use planner::design::plan_step;
use planner::spec::{Override, SpecText, presets, read_scenario};

const JOB: &str = "
model = { preset = \"mixtral-8x7b\" }
training = { global_batch = 64, micro_batch = 1, precision = \"bf16\", recompute = \"none\" }
parallelism = { tensor = 1, pipeline = 1, data = 8, expert = 8, zero = 1 }
framework = { preset = \"megatron-2026\" }
cluster = { gpus = 8, node = \"dgx-h100\" }
";

fn host(changes: &[&str]) -> f64 {
    let changes: Vec<Override> = changes.iter().map(|text| Override::new(*text)).collect();
    let job = read_scenario(&SpecText::new("job.toml", JOB), &changes);
    let job = job.unwrap_or_else(|problems| panic!("{}", problems.render(false)));
    let step = plan_step(&job).unwrap_or_else(|reason| panic!("{reason}")).step;
    // Once a step, whatever its layers do.
    step.time.host.get() - job.cluster.nodes[0].gpu.calibration.host_step.get()
}

#[test]
fn each_multiplication_after_the_wait_takes_the_host_as_long() {
    let constants = &presets::preset_nodes()["dgx-h100"].gpu.calibration;
    let one = constants.host_experts.expect("it was fitted").get() / 3.0;
    // 32 layers of 8 micro-batches: router, and the two of the experts.
    let layers = 32.0 * 8.0;
    let shared = "model.moe.shared_experts=1";
    let cases = [
        (&[][..], 3.0),
        (&[shared][..], 5.0),
        (&["model.moe.latent=1024"][..], 5.0),
        (&[shared, "model.moe.latent=1024"][..], 7.0),
    ];
    for (changes, multiplications) in cases {
        let by_hand = layers * multiplications * one;
        let host = host(changes);
        assert!((host / by_hand - 1.0).abs() < 1e-9, "{changes:?}: {host} s, not {by_hand} s");
    }
}

#[test]
fn experts_of_a_fixed_number_of_tokens_are_not_waited_for() {
    // Launches of each part hide behind kernels that take longer.
    assert!(host(&["framework.padded_experts=true"]) < 1e-12);
    assert!(host(&["framework.cuda_graphs=\"full\""]) < 1e-12);
}
