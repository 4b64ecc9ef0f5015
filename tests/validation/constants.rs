//! Constants: which are fitted is declared, their values are within the range that physics allows, and
//! what ships beside them was computed with them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use planner::hardware::Calibration;
use planner::spec::{SpecText, presets, read_scenario};
use planner::timing::measured_predictions;
use planner::validate::{SETS, ValidationBench, fit_calibration_constants};

use crate::validation::results;

fn shipped(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets").join(file);
    fs::read_to_string(path).expect("it ships")
}

/// Table, key and rest of each line of a file of presets.
fn lines(text: &str) -> Vec<(String, String, String)> {
    let mut table = String::new();
    let mut all = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[') {
            let name = name.trim_end_matches(']');
            table = name.rsplit('.').next().unwrap_or_default().to_owned();
        } else if let Some((key, rest)) = line.split_once(" = ") {
            all.push((table.clone(), key.to_owned(), rest.to_owned()));
        }
    }
    all
}

/// Constant, table of presets, least and largest value of each line that declares fitted constants.
fn declared() -> Vec<(String, String, f64, f64)> {
    let text = shipped("validation/constants.csv");
    let mut all = Vec::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |place: usize| fields[place].parse::<f64>().expect("a number");
        for set in fields[2].split(' ') {
            let (name, ratio) = set.split_once(':').unwrap_or((set, "1"));
            let ratio: f64 = ratio.parse().expect("a number");
            let range = [number(4) * ratio, number(5) * ratio];
            all.push((fields[0].to_owned(), name.to_owned(), range[0], range[1]));
        }
    }
    all
}

#[test]
fn a_constant_is_called_fitted_where_it_is_declared_and_nowhere_else() {
    let said: BTreeSet<(String, String)> =
        [shipped("calibrations.toml"), shipped("frameworks.toml")]
            .iter()
            .flat_map(|text| lines(text))
            .filter(|(_, _, rest)| rest.contains("# fitted"))
            .map(|(table, key, _)| (key, table))
            .collect();
    let declared: BTreeSet<(String, String)> =
        declared().into_iter().map(|(key, name, ..)| (key, name)).collect();
    let without: Vec<_> = said.difference(&declared).collect();
    let unsaid: Vec<_> = declared.difference(&said).collect();
    assert!(without.is_empty() && unsaid.is_empty(), "{without:?} {unsaid:?}");
}

#[test]
fn fitted_constants_are_within_the_range_that_physics_allows() {
    let texts = [shipped("calibrations.toml"), shipped("frameworks.toml")];
    let all: Vec<_> = texts.iter().flat_map(|text| lines(text)).collect();
    for (key, name, least, most) in declared() {
        let (.., rest) = all.iter().find(|pair| pair.0 == name && pair.1 == key).expect("it ships");
        let value = rest.split('#').next().unwrap_or_default().trim().trim_matches('"');
        let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
        let number: f64 = number.parse().expect("a number");
        let number = if unit == "ms" { number * 1e3 } else { number };
        assert!(least < number && number < most, "{name}.{key}: {number}, not {least} to {most}");
    }
}

/// Values in the presets are rounded, and errors with them.
const ROUNDING: f64 = 0.006;

#[test]
fn errors_that_ship_are_those_of_the_constants_that_ship() {
    let mut rows = 0;
    for set in results() {
        for row in &set.rows {
            let Some(error) = row.time_error() else { continue };
            let read = |prediction: &&planner::timing::MeasuredPrediction| {
                prediction.set == set.set.name && prediction.id == row.case.id
            };
            let shipped = measured_predictions().iter().find(read);
            let seen = shipped.unwrap_or_else(|| panic!("{}: not in the file", row.case.id)).seen;
            assert!((seen - error).abs() < ROUNDING, "{}: {seen}, now {error}", row.case.id);
            rows += 1;
        }
    }
    assert_eq!(rows, measured_predictions().len(), "a row that no set has");
}

#[test]
fn a_gpu_without_measured_steps_reaches_no_more_than_any_with_them() {
    let nodes = presets::preset_nodes();
    let spec = "model = { preset = \"llama3-8b\" }\ntraining = { global_batch = 64 }\n\
                cluster = { gpus = 8, node = \"mine\" }\n[hardware.nodes.mine]\n\
                gpu = \"mi300x\"\ngpus = 8\nhb_bandwidth = \"448 GB/s\"\nnics = 8\n\
                nic = \"ndr-400g\"\npower = \"10 kW\"\n";
    let own = read_scenario(&SpecText::new("own.toml", spec), &[]).expect("the spec is sound");
    let lacking = &own.cluster.nodes[0].gpu;
    let least = &lacking.calibration;
    assert_eq!(least.name, "unmeasured");
    let shares = |calibration: &Calibration| {
        [
            calibration.gemm_memory_share,
            calibration.elementwise_share,
            calibration.attention_forward_share
                / (1.0 + calibration.attention_forward_half_length / 1024.0),
            calibration.attention_forward_share,
            calibration.attention_backward_share
                / (1.0 + calibration.attention_backward_half_length / 1024.0),
            calibration.attention_backward_share,
            calibration.narrow_head_share,
            calibration.first_attention_share,
            calibration.hb_share,
            calibration.nic_share,
        ]
    };
    for node in nodes.values().filter(|node| node.gpu.calibration.name != "unmeasured") {
        let theirs = &node.gpu.calibration;
        for (ours, theirs) in shares(least).into_iter().zip(shares(theirs)) {
            assert!(ours <= theirs, "{}: {ours} and {theirs}", node.name);
        }
        let rates = [
            (
                Some(least.gemm_bf16),
                lacking.peaks.bf16,
                Some(theirs.gemm_bf16),
                node.gpu.peaks.bf16,
            ),
            (least.gemm_fp8, lacking.peaks.fp8, theirs.gemm_fp8, node.gpu.peaks.fp8),
        ];
        for (ours, rate, theirs, peak) in rates {
            let (Some(theirs), Some(peak)) = (theirs, peak) else { continue };
            let ours = ours.expect("it has the format") / rate.expect("it has the format");
            assert!(ours <= theirs / peak + 1e-9, "{}: {ours}", node.name);
        }
    }
}

#[test]
fn a_refit_of_one_set_fits_no_worse_than_what_ships() {
    let (nodes, frameworks) = (presets::preset_nodes(), presets::preset_frameworks());
    let bench = ValidationBench { nodes: &nodes, frameworks: &frameworks };
    let set = SETS.into_iter().find(|set| set.name == "korthikanti").expect("it ships");
    let fitted = fit_calibration_constants(&bench, &[set]).expect("the rows are sound");
    let mean = |errors: Vec<f64>| {
        errors.iter().map(|error| error.abs()).sum::<f64>() / errors.len() as f64
    };
    let now = mean(fitted.rows.iter().map(|row| row.seen).collect());
    let before = results()
        .iter()
        .find(|result| result.set.name == "korthikanti")
        .expect("so")
        .time_errors()
        .mean;
    assert!(now <= before + 1e-3, "{now}, shipped {before}");
    // Its rows say nothing of a V100: such a constant is refused.
    let volta = fitted
        .constants
        .iter()
        .find(|fitted_constant| fitted_constant.constant.sets[0].name == "volta")
        .expect("declared");
    assert!(volta.rows == 0 && volta.refusal().is_some());
    assert!((volta.value - volta.constant.prior).abs() < 1e-9);
}
