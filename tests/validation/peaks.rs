//! Nothing runs above the peak: not a GPU that ships, and not one that a spec makes up.

use planner::design::{StepPlan, plan_step};
use planner::hardware::Peaks;
use planner::scenario::Scenario;
use planner::spec::{SpecText, presets, read_scenario};

use crate::support::dice::Dice;

const MODELS: [&str; 5] = ["llama3-8b", "llama3-70b", "gpt3-175b", "mixtral-8x7b", "deepseek-v3"];
/// Of a sum of products of floats: a framework that is ideal runs at the peak itself.
const ROUNDING: f64 = 1e-12;
const SETS: [&str; 6] = ["", "ampere", "hopper", "b200", "gb300", "volta"];

fn read_or_say(text: &str) -> Result<Scenario, String> {
    read_scenario(&SpecText::new("job.toml", text.to_owned()), &[])
        .map_err(|problems| problems.render(false))
}

/// Peak of the format in FLOP/s as the spec or the data sheet states it.
fn peak(peaks: &Peaks, precision: &str) -> f64 {
    let peak = match precision {
        "fp32" => peaks.fp32,
        "fp16" | "bf16" => peaks.bf16,
        "nvfp4" => peaks.fp4,
        _ => peaks.fp8,
    };
    peak.expect("the spec was read").get()
}

/// A job of any model in any format, long sequences among them, on one of the products.
fn job(dice: &mut Dice, node: &str, precision: &str, frameworks: &[&String]) -> String {
    let tensor = 1 << dice.roll(3);
    let pipeline = 1 << dice.roll(3);
    let data = 1 << dice.roll(2);
    let gpus = tensor * pipeline * data;
    let model = MODELS[dice.roll(MODELS.len() as u64) as usize];
    let sequence = 1 << dice.between(11, 19);
    let framework = frameworks[dice.roll(frameworks.len() as u64) as usize];
    let recompute = ["none", "selective", "full"][dice.roll(3) as usize];
    format!(
        "model = {{ preset = \"{model}\", sequence = {sequence} }}\n\
         training = {{ global_batch = {}, micro_batch = 1, precision = \"{precision}\", \
         recompute = \"{recompute}\" }}\n\
         parallelism = {{ tensor = {tensor}, pipeline = {pipeline}, data = {data} }}\n\
         framework = {{ preset = \"{framework}\" }}\n\
         cluster = {{ gpus = {gpus}, node = \"{node}\" }}\n",
        data * (1 << dice.roll(7)),
    )
}

#[track_caller]
fn below_the_peak(text: &str, precision: &str) -> Option<StepPlan> {
    let scenario = read_or_say(text).ok()?;
    let plan = plan_step(&scenario).ok()?;
    let report = &plan.step;
    let peak = peak(&plan.nodes.node.gpu.peaks, precision);
    // Shares of peak by hand, from what is printed beside them.
    let gpus = f64::from(plan.nodes.gpus);
    let rate = |flops: f64| flops / report.time.total_time().get() / gpus / peak;
    let shares =
        [report.mfu, report.hfu, rate(report.model_flops.get()), rate(report.hardware_flops.get())];
    assert!(
        shares.iter().all(|share| *share > 0.0 && *share <= 1.0 + ROUNDING),
        "{shares:?} in\n{text}"
    );
    Some(plan)
}

#[test]
fn no_shipped_product_runs_above_its_peak() {
    let mut dice = Dice(14);
    let (nodes, frameworks) = (presets::preset_nodes(), presets::preset_frameworks());
    let frameworks: Vec<&String> = frameworks.keys().collect();
    let mut seen = 0;
    for node in nodes.keys() {
        for precision in ["fp32", "fp16", "bf16", "fp8", "mxfp8", "nvfp4"] {
            for _ in 0..4 {
                let text = job(&mut dice, node, precision, &frameworks);
                seen += usize::from(below_the_peak(&text, precision).is_some());
            }
        }
    }
    assert!(seen > 100, "only {seen} jobs run");
}

#[test]
fn no_gpu_of_ones_own_runs_above_its_peak() {
    let mut dice = Dice(205);
    let frameworks = presets::preset_frameworks();
    let frameworks: Vec<&String> = frameworks.keys().collect();
    let mut seen = 0;
    for _ in 0..250 {
        let wide = dice.between(1, 4000);
        let mut peaks = format!("peak_bf16 = \"{wide} TFLOP/s\"\n");
        let mut formats = vec!["bf16", "fp16"];
        if dice.chance(60) {
            peaks += &format!("peak_fp32 = \"{} TFLOP/s\"\n", dice.between(1, 2000));
            formats.push("fp32");
        }
        if dice.chance(60) {
            let narrow = wide * dice.between(1, 4);
            peaks += &format!("peak_fp8 = \"{narrow} TFLOP/s\"\n");
            formats.extend(["fp8", "mxfp8"]);
            if dice.chance(60) {
                peaks += &format!("peak_fp4 = \"{} TFLOP/s\"\n", narrow * dice.between(1, 4));
                formats.push("nvfp4");
            }
        }
        let set = SETS[dice.roll(SETS.len() as u64) as usize];
        if !set.is_empty() {
            peaks += &format!("calibration = \"{set}\"\n");
        }
        let precision = formats[dice.roll(formats.len() as u64) as usize];
        let memory = dice.between(1, 16);
        let text = job(&mut dice, "mine", precision, &frameworks)
            + &format!(
                "[hardware.gpus.mine]\n{peaks}memory = \"96 GiB\"\n\
                 memory_bandwidth = \"{memory} TB/s\"\npower = \"500 W\"\n\
                 [hardware.nodes.mine]\ngpu = \"mine\"\ngpus = 8\nhb_bandwidth = \"450 GB/s\"\n\
                 nics = 8\nnic = \"ndr-400g\"\npower = \"6 kW\"\n"
            );
        let Some(plan) = below_the_peak(&text, precision) else { continue };
        seen += 1;
        let assumed = plan
            .assumptions
            .iter()
            .any(|assumption| assumption.topic == "hardware.gpus.mine.calibration");
        assert!(assumed, "rates that nobody measured are said to be assumed: {text}");
        assert!(plan.step.interval.max_deviation_share() >= 0.35, "{text}");
    }
    assert!(seen > 120, "only {seen} jobs run");
}

/// Attention is nearly all that a step over half a million tokens computes.
fn long(node: &str, precision: &str, framework: &str) -> String {
    format!(
        "model = {{ preset = \"llama3-8b\", sequence = 524288 }}\n\
         training = {{ global_batch = 8, micro_batch = 1, precision = \"{precision}\", \
         recompute = \"none\" }}\n\
         parallelism = {{ tensor = 1, pipeline = 1, data = 8 }}\n\
         framework = {{ preset = \"{framework}\", fp8_attention = true }}\n\
         cluster = {{ gpus = 8, node = \"{node}\" }}\n"
    )
}

#[test]
fn attention_runs_below_the_peak_of_its_format() {
    let frameworks = ["megatron-2022", "megatron-2024", "megatron-2026"];
    for framework in frameworks {
        for node in ["dgx2-v100", "dgx-a100-80gb", "dgx-h100", "hgx-b200"] {
            let text = long(node, "fp32", framework);
            assert!(below_the_peak(&text, "fp32").is_some(), "{text}");
        }
        // A gain in 8 bits that is beyond what the format has.
        let text = long("dgx-h100", "fp8", framework)
            + "[hardware.calibrations.hopper]\nattention_fp8_gain = 10.0\n\
               attention_forward_share = 1.0\nattention_backward_share = 1.0\n";
        assert!(below_the_peak(&text, "fp8").is_some(), "{text}");
    }
}

const H20: &str = "
model = { preset = \"llama3-70b\" }
training = { global_batch = 256, micro_batch = 1, precision = \"bf16\", recompute = \"none\" }
parallelism = { tensor = 8, pipeline = 4, data = 4, interleave = 5 }
cluster = { gpus = 128, node = \"part\" }
[hardware.gpus.part]
peak_bf16 = \"148 TFLOP/s\"
peak_fp8 = \"296 TFLOP/s\"
memory = \"96 GiB\"
memory_bandwidth = \"4000 GB/s\"
power = \"500 W\"
[hardware.nodes.part]
gpu = \"part\"
gpus = 8
hb_bandwidth = \"450 GB/s\"
nics = 8
nic = \"ndr-400g\"
power = \"6 kW\"
";

#[test]
fn a_gpu_that_nobody_measured_reaches_the_least_share_of_peak() {
    let own = read_or_say(H20).expect("the spec is sound");
    let constants = &own.cluster.nodes[0].gpu.calibration;
    assert_eq!(constants.name, "unmeasured");
    assert!(constants.shares_of.is_some());
    // Of its own 148 TFLOP/s no more than any measured GPU reaches of its peak.
    let share = constants.gemm_bf16.get() / 148e12;
    for node in
        presets::preset_nodes().values().filter(|node| node.gpu.calibration.shares_of.is_none())
    {
        let peak = node.gpu.peaks.bf16.expect("they all have 16 bits");
        assert!(share <= node.gpu.calibration.gemm_bf16 / peak + 1e-9, "{}", node.name);
    }
    // A set that is named is another GPU's too, where the peaks differ; not where they agree.
    let named = H20.replace("memory = \"96", "calibration = \"hopper\"\nmemory = \"96");
    let named = read_or_say(&named).expect("sound");
    let (theirs, h100) =
        (&named.cluster.nodes[0].gpu.calibration, &presets::preset_nodes()["dgx-h100"].gpu);
    assert_eq!(theirs.shares_of.as_deref(), Some("h100"));
    let of_h100 = h100.calibration.gemm_bf16 / h100.peaks.bf16.expect("it has");
    assert!((theirs.gemm_bf16.get() / 148e12 / of_h100 - 1.0).abs() < 1e-12);
    let like = H20.replace("148 T", "989 T").replace("296 T", "1979 T");
    let like = like.replace(
        "memory = \"96",
        "peak_fp32 = \"494.5 TFLOP/s\"\ncalibration = \"hopper\"\nmemory = \"96",
    );
    let like = read_or_say(&like).expect("sound");
    assert_eq!(like.cluster.nodes[0].gpu.calibration.shares_of, None);
}

#[test]
fn the_band_of_a_gpu_that_nobody_measured_is_the_spread_of_those_measured() {
    let measured: Vec<f64> = presets::preset_nodes()
        .values()
        .filter(|node| node.gpu.calibration.shares_of.is_none())
        .filter_map(|node| {
            let peak = node.gpu.peaks.bf16?;
            Some(node.gpu.calibration.gemm_bf16.get() / peak.get())
        })
        .collect();
    let least = measured.iter().copied().fold(f64::INFINITY, f64::min);
    let most = measured.iter().copied().fold(0.0, f64::max);
    let spread = (most - least) / (most + least);
    let plan = plan_step(&read_or_say(H20).expect("sound")).expect("it runs");
    assert!(plan.step.interval.max_deviation_share() >= spread, "{spread}");
    assert!(plan.step.interval.low <= 1.0 - spread, "{spread}");
}
