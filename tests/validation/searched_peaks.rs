//! No layout that a search finds runs above the peak, on the products that ship and on hardware that
//! dice make up: the search looks for whatever is wrong in the clock's favour.

use planner::hardware::Peaks;
use planner::search::{
    Breadth, Effort, Layouts, RankBy, RankingRequest, SearchQuery, best_layouts,
};
use planner::spec::{SpecText, presets, read_scenario};

use crate::support::dice::Dice;

/// Models with their parameters in linear layers that a token meets, counted by hand from the sizes
/// in their publications: attention, feed-forward block and head, without the embedding.
const MODELS: [(&str, f64); 3] = [
    // 32 layers of 4096·(4096·2 + 1024·2) + 3·4096·14336, and 4096·128256.
    ("llama3-8b", 7.5e9),
    // 96 layers of 12·12288², and 12288·51200.
    ("gpt3-175b", 174.0e9),
    // 32 layers of 4096·(4096·2 + 1024·2) + 2·3·4096·14336, and 4096·32000.
    ("mixtral-8x7b", 12.7e9),
];
/// Passes over each of them: forward one, backward two, each a multiplication and an addition.
const FLOPS: f64 = 6.0;
/// Of a sum of products of floats.
const ROUNDING: f64 = 1e-12;

fn found(text: &str) -> Option<(Layouts, Vec<Peaks>)> {
    let source = SpecText::new("job.toml", text.to_owned());
    let scenario = read_scenario(&source, &[]).ok()?;
    let query = SearchQuery {
        breadth: Breadth::Whole,
        filters: &[],
        wanted: RankingRequest { top: 20, by: RankBy::StepTime },
    };
    let peaks = scenario.cluster.nodes.iter().map(|node| node.gpu.peaks.clone()).collect();
    Some((best_layouts(&scenario, &query, &Effort::SINGLE).ok()?, peaks))
}

/// Searches, and holds every layout found against the peak; how many were found.
#[track_caller]
fn below(text: &str, per_token: f64, tokens: f64, gpus: f64, precision: &str) -> usize {
    let Some((all, peaks)) = found(text) else { return 0 };
    let peak = match precision {
        "nvfp4" => peaks[0].fp4,
        "fp8" | "mxfp8" => peaks[0].fp8,
        _ => peaks[0].bf16,
    };
    let peak = peak.expect("the spec was read").get();
    for ranked in &all.ranked {
        let layout = &ranked.candidate.layout;
        let seconds = ranked.candidate.time.total_time().get();
        let least = FLOPS * per_token * tokens / (seconds * gpus * peak);
        let shares = [ranked.efficiency.mfu, ranked.efficiency.hfu, least];
        assert!(
            shares.iter().all(|share| *share > 0.0 && *share <= 1.0 + ROUNDING),
            "{shares:?} of the peak by {layout:?} in\n{text}"
        );
    }
    all.ranked.len()
}

fn job(dice: &mut Dice, node: &str, precision: &str) -> (String, f64, f64, f64) {
    let (model, per_token) = MODELS[dice.roll(MODELS.len() as u64) as usize];
    let gpus = 8 << dice.roll(4);
    let batch = gpus * (1 << dice.between(0, 4));
    let sequence = 1u64 << dice.between(11, 15);
    let text = format!(
        "model = {{ preset = \"{model}\", sequence = {sequence} }}\n\
         training = {{ global_batch = {batch}, precision = \"{precision}\" }}\n\
         cluster = {{ gpus = {gpus}, node = \"{node}\" }}\n"
    );
    (text, per_token, (batch * sequence) as f64, gpus as f64)
}

#[test]
fn no_searched_layout_of_a_shipped_product_runs_above_its_peak() {
    let mut dice = Dice(16);
    let mut seen = 0;
    for node in presets::preset_nodes().keys() {
        for precision in ["bf16", "fp8", "nvfp4"] {
            let (text, per_token, tokens, gpus) = job(&mut dice, node, precision);
            seen += below(&text, per_token, tokens, gpus, precision);
        }
    }
    assert!(seen > 100, "only {seen} layouts found");
}

#[test]
fn no_searched_layout_of_random_hardware_runs_above_its_peak() {
    let mut dice = Dice(1616);
    let mut seen = 0;
    for _ in 0..40 {
        let wide = dice.between(1, 6000);
        let narrow = wide * dice.between(1, 4);
        let precision = ["bf16", "fp8", "mxfp8", "nvfp4"][dice.roll(4) as usize];
        let set = ["", "", "ampere", "hopper", "gb300"][dice.roll(5) as usize];
        let set = if set.is_empty() { String::new() } else { format!("calibration = \"{set}\"\n") };
        let (text, per_token, tokens, gpus) = job(&mut dice, "mine", precision);
        let text = text
            + &format!(
                "[hardware.gpus.mine]\npeak_bf16 = \"{wide} TFLOP/s\"\n\
                 peak_fp8 = \"{narrow} TFLOP/s\"\npeak_fp4 = \"{} TFLOP/s\"\n\
                 memory = \"{} GiB\"\nmemory_bandwidth = \"{} GB/s\"\npower = \"500 W\"\n{set}\
                 [hardware.nodes.mine]\ngpu = \"mine\"\ngpus = 8\nhb_bandwidth = \"{} GB/s\"\n\
                 nics = 8\nnic = \"ndr-400g\"\npower = \"6 kW\"\n",
                narrow * dice.between(1, 4),
                dice.between(64, 4000),
                dice.between(100, 60_000),
                dice.between(10, 20_000),
            );
        seen += below(&text, per_token, tokens, gpus, precision);
    }
    assert!(seen > 100, "only {seen} layouts found");
}
