//! `planner calibrate`: steps of a machine with known constants give those constants back, and what
//! supports none is refused.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::program::{Program, fresh_folder, planner_in};

const SPEC: &str = r#"
model = { preset = "llama3-70b" }
training = { global_batch = 128, micro_batch = 1, precision = "bf16", recompute = "none" }
framework = { preset = "megatron-2025" }
parallelism = { tensor = 4, pipeline = 4, interleave = 5 }
cluster = { gpus = 64, node = "dgx-h100" }
"#;
/// Degrees and batches of the runs: tensor, pipeline, data, virtual stages, batch.
const RUNS: [[u64; 5]; 6] = [
    [4, 4, 4, 5, 128],
    [8, 4, 2, 5, 128],
    [4, 4, 8, 5, 128],
    [8, 2, 4, 10, 256],
    [4, 8, 4, 5, 128],
    [8, 8, 2, 5, 64],
];
/// The rate of the machine that is made up, TFLOP/s; an H100 of those measured has more.
const RATE: f64 = 600.0;

fn folder(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    fs::write(folder.join("model.toml"), SPEC).expect("the folder is this test's own");
    folder
}

/// Seconds of a step as `planner step` has it.
fn step(folder: &Path, spec: &str, counts: &[u64; 5], more: &[&str]) -> f64 {
    let [tensor, pipeline, data, interleave, batch] = counts;
    let sets = [
        format!("parallelism.tensor={tensor}"),
        format!("parallelism.pipeline={pipeline}"),
        format!("parallelism.data={data}"),
        format!("parallelism.interleave={interleave}"),
        format!("training.global_batch={batch}"),
        format!("cluster.gpus={}", tensor * pipeline * data),
    ];
    let sets = sets.iter().map(String::as_str).chain(more.iter().copied());
    let sets: Vec<&str> = sets.flat_map(|set| ["--set", set]).collect();
    let run = planner_in(folder, &[&["step", spec, "--format", "json"][..], &sets].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let value: Value = serde_json::from_str(&run.stdout).expect("JSON");
    value["step"]["time_s"].as_f64().expect("a number")
}

/// The runs as a table, with the times of a machine of that rate, one of them so many times as long.
fn table(folder: &Path, outlier: Option<(usize, f64)>) {
    let mut text = "name,seconds,tensor,pipeline,data,interleave,global_batch,note\n".to_owned();
    let rate = format!("hardware.calibrations.hopper.gemm_bf16={RATE} TFLOP/s");
    for (place, run) in RUNS.iter().enumerate() {
        let mut time = step(folder, "model.toml", run, &[&rate]);
        if let Some((_, times)) = outlier.filter(|(at, _)| *at == place) {
            time *= times;
        }
        let [tensor, pipeline, data, interleave, batch] = run;
        text += &format!("r{place},{time},{tensor},{pipeline},{data},{interleave},{batch},x\n");
    }
    fs::write(folder.join("runs.csv"), text).expect("the folder is this test's own");
}

fn calibrated(folder: &Path, arguments: &[&str]) -> Value {
    let run = planner_in(folder, &[&["calibrate", "--format", "json"], arguments].concat());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[track_caller]
fn refused(run: &Program, words: &[&str]) {
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    for word in words {
        assert!(run.stderr.contains(word), "no `{word}` in {}", run.stderr);
    }
}

#[test]
fn the_rate_of_the_machine_that_was_measured_is_found() {
    let folder = folder("calibrate-rate");
    table(&folder, None);
    let found = calibrated(&folder, &["runs.csv", "model.toml"]);
    let constants = found["constants"].as_array().expect("a list");
    assert_eq!(constants[0]["name"], "gemm_bf16", "{found}");
    let rate = constants[0]["after"].as_f64().expect("a number");
    assert!((rate / RATE - 1.0).abs() < 0.02, "{rate}");
    let number = |key: &str| found[key].as_f64().expect("a number");
    assert!(number("mean_error_before") > 0.04, "{found}");
    assert!(number("mean_unseen_error") < 0.01, "{found}");
    // The table that is printed, in the spec, predicts what was measured.
    let toml = found["toml"].as_str().expect("text");
    fs::write(folder.join("own.toml"), format!("{SPEC}{toml}\n")).expect("it is this test's own");
    let rate = format!("hardware.calibrations.hopper.gemm_bf16={RATE} TFLOP/s");
    for run in &RUNS {
        let [own, measured] =
            [step(&folder, "own.toml", run, &[]), step(&folder, "model.toml", run, &[&rate])];
        assert!((own / measured - 1.0).abs() < 0.01, "{own} and {measured}");
    }
}

#[test]
fn a_step_unlike_the_others_is_named() {
    let folder = folder("calibrate-outlier");
    table(&folder, Some((3, 1.6)));
    let found = calibrated(&folder, &["runs.csv", "model.toml"]);
    let steps = found["steps"].as_array().expect("a list");
    let far: Vec<&str> = steps
        .iter()
        .filter(|value| value["disagrees"] == true)
        .filter_map(|value| value["name"].as_str())
        .collect();
    assert_eq!(far, ["r3"], "{found}");
}

#[test]
fn one_run_gives_no_calibration_however_often_it_is_repeated() {
    let folder = folder("calibrate-one");
    fs::write(folder.join("one.csv"), "name,seconds\na,9.0\n").expect("it is this test's own");
    let alone = planner_in(&folder, &["calibrate", "one.csv", "model.toml"]);
    refused(&alone, &["one run", "takes two that differ", "`--also`"]);
    fs::write(folder.join("one.csv"), "name,seconds\na,9.0\nb,9.1\nc,9.2\n").expect("likewise");
    refused(&planner_in(&folder, &["calibrate", "one.csv", "model.toml"]), &["one run"]);
}

#[test]
fn no_constant_is_bent_beyond_its_range_for_times_in_another_unit() {
    let folder = folder("calibrate-unit");
    // Minutes for seconds: a GPU would have to run at many times its peak.
    let mut text = "seconds,tensor,pipeline,data,interleave,global_batch\n".to_owned();
    for run in &RUNS {
        let time = step(&folder, "model.toml", run, &[]) / 60.0;
        let [tensor, pipeline, data, interleave, batch] = run;
        text += &format!("{time},{tensor},{pipeline},{data},{interleave},{batch}\n");
    }
    fs::write(folder.join("minutes.csv"), text).expect("the folder is this test's own");
    let found = calibrated(&folder, &["minutes.csv", "model.toml"]);
    assert_eq!((&found["toml"], &found["unexplained"]), (&"".into(), &true.into()), "{found}");
}

#[test]
fn a_layout_that_is_left_open_was_not_measured() {
    let folder = folder("calibrate-open");
    fs::write(folder.join("open.csv"), "seconds,tensor\n9.0,auto\n8.0,8\n").expect("likewise");
    let open = planner_in(&folder, &["calibrate", "open.csv", "model.toml"]);
    refused(&open, &["`open.csv`, line 2", "`parallelism.tensor`", "left to the planner"]);
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    let folder = folder("calibrate-bad");
    let asked = |text: &str| {
        fs::write(folder.join("bad.csv"), text).expect("the folder is this test's own");
        planner_in(&folder, &["calibrate", "bad.csv", "model.toml"])
    };
    refused(&asked("a,b\n1,2\n"), &["`bad.csv`", "a column `seconds`"]);
    refused(&asked("name,seconds\nx,fast\n"), &["line 2", "`fast` is no time"]);
    refused(&asked("name,seconds\nx\n"), &["line 2", "1 fields, and the header has 2"]);
    refused(&asked("name,seconds\n\"x,y\",3\n"), &["line 2", "quotes"]);
    refused(&asked("seconds,tensor\n3,eight\n4,4\n"), &["line 2", "`parallelism.tensor`"]);
    refused(&asked("seconds,tensor\n3,3\n4,4\n"), &["line 2"]);
    let log = " iteration 4/ 9 | elapsed time per iteration (ms): 10.0 |\n";
    refused(&asked(log), &["line 1", "before any arguments"]);
    let short = format!("--- arguments ---\n--- end of arguments ---\n{log}{log}");
    refused(&asked(&short), &["line 1", "no step with a time"]);
}

fn shipped(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    fs::read_to_string(path).expect("it ships")
}

#[test]
fn a_log_of_megatron_lm_is_a_run_of_its_arguments() {
    let folder = folder("calibrate-megatron");
    // A second run, on half the replicas, in the log of the first.
    let first = shipped("megatron.log");
    let second = first
        .replace("data_parallel_size .............................. 4", "data_parallel_size .... 2")
        .replace("world_size ...................................... 64", "world_size ........ 32")
        .replace("14640.0", "28100.0")
        .replace("15900.0", "29000.0")
        .replace("14600.0", "28000.0");
    fs::write(folder.join("both.log"), first + &second).expect("the folder is this test's own");
    let found = calibrated(&folder, &["both.log", "model.toml"]);
    let steps = found["steps"].as_array().expect("a list");
    // Medians of the steps after the first three.
    let times: Vec<f64> = steps.iter().filter_map(|value| value["measured_s"].as_f64()).collect();
    assert_eq!(times, [14.64, 28.1]);
    let before = steps[0]["error_before"].as_f64().expect("a number");
    let own = step(&folder, "model.toml", &[4, 4, 4, 5, 128], &["framework.overlap_tensor=true"]);
    assert!((before - (own / 14.64 - 1.0)).abs() < 1e-6, "{before}, {own} s");
    // The model of a dense log is in its arguments.
    let bare =
        ["both.log", "--set", "cluster.node=dgx-h100", "--set", "framework.preset=megatron-2025"];
    let alone = calibrated(&folder, &bare);
    let alone = alone["steps"][0]["error_before"].as_f64().expect("a number");
    assert!((alone - before).abs() < 1e-6, "{alone} and {before}");
}

#[test]
fn a_log_of_torchtitan_has_tokens_a_second_of_a_gpu() {
    let folder = folder("calibrate-torchtitan");
    let first = shipped("torchtitan.log");
    let second = first
        .replace("[16, 2]", "[32, 1]")
        .replace("global batch size 32", "global batch size 64")
        .replace("tps: 5,7", "tps: 6,1");
    fs::write(folder.join("first.log"), first).expect("the folder is this test's own");
    fs::write(folder.join("second.log"), second).expect("likewise");
    let spec = "model = { preset = \"llama3-8b\" }\ntraining = { precision = \"bf16\" }\n\
                framework = { preset = \"fsdp-2025\" }\ncluster = { node = \"dgx-h100\" }\n";
    fs::write(folder.join("titan.toml"), spec).expect("likewise");
    let found = calibrated(&folder, &["first.log", "titan.toml", "--also", "second.log"]);
    let steps = found["steps"].as_array().expect("a list");
    let times: Vec<f64> = steps.iter().filter_map(|value| value["measured_s"].as_f64()).collect();
    // Median of 5,750, 5,760 and 5,740 tokens a second on each of 32 GPUs.
    let by_hand = [32.0 * 8192.0 / (5750.0 * 32.0), 64.0 * 8192.0 / (6150.0 * 32.0)];
    for (time, by_hand) in times.iter().zip(by_hand) {
        assert!((time / by_hand - 1.0).abs() < 1e-9, "{time} and {by_hand}");
    }
    assert_eq!(times.len(), 2);
}

#[test]
fn a_log_of_mlperf_has_its_batch_and_the_speed_of_its_steps() {
    let folder = folder("calibrate-mlperf");
    let event = |key: &str, value: &str| {
        format!("0: :::MLLOG {{\"key\": \"{key}\", \"value\": {value}, \"time_ms\": 1}}\n")
    };
    let log = |batch: u32, speeds: [&str; 4]| {
        // Every rank prints what the job is.
        let job = event("submission_benchmark", "\"llama31_8b\"")
            + &event("global_batch_size", &batch.to_string())
            + &event("max_sequence_length", "8192");
        let steps: String = speeds.iter().map(|speed| event("tracked_stats", speed)).collect();
        job.repeat(2) + &steps
    };
    // As AMD logs it for 8 MI355X (MLPerf Training 5.1), samples a second; and as NeMo does.
    let samples = [30.15, 30.62, 30.63, 30.65].map(|rate| format!("{{\"throughput\": {rate}}}"));
    let seconds = [9.0, 2.0, 2.1, 2.2].map(|time| format!("{{\"train_step_time\": {time}}}"));
    let texts = [
        log(32, samples.each_ref().map(String::as_str)),
        log(64, seconds.each_ref().map(String::as_str)),
    ];
    fs::write(folder.join("first.log"), &texts[0]).expect("the folder is this test's own");
    fs::write(folder.join("second.log"), &texts[1]).expect("likewise");
    let layout = [
        "cluster.node=dgx-h100",
        "cluster.gpus=8",
        "parallelism.tensor=1",
        "parallelism.pipeline=1",
        "training.micro_batch=1",
        "training.recompute=full",
    ];
    let mut arguments = vec!["first.log", "--also", "second.log"];
    arguments.extend(layout.iter().flat_map(|setting| ["--set", setting]));
    let found = calibrated(&folder, &arguments);
    let steps = found["steps"].as_array().expect("a list");
    let times: Vec<f64> = steps.iter().filter_map(|step| step["measured_s"].as_f64()).collect();
    assert_eq!(times.len(), 2);
    assert!((times[0] - 32.0 / 30.63).abs() < 1e-6 && (times[1] - 2.1).abs() < 1e-9, "{times:?}");
    let tuned = texts[0].replace("llama31_8b", "llama2_70b_lora");
    fs::write(folder.join("first.log"), tuned).expect("likewise");
    let run = planner_in(&folder, &[&["calibrate"][..], &arguments].concat());
    refused(&run, &["`llama2_70b_lora` does not train a whole"]);
    let bare = texts[0].replace("global_batch_size", "batch");
    fs::write(folder.join("first.log"), bare).expect("likewise");
    let run = planner_in(&folder, &[&["calibrate"][..], &arguments].concat());
    refused(&run, &["no `global_batch_size` stands before the first `tracked_stats`"]);
}
