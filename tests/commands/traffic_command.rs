//! `planner traffic` as a user runs it: sums, cells, maps and files.

use std::fs;
use std::path::PathBuf;

use crate::support::program::{Program, fresh_folder, planner_in};

/// GPT-3 on 64 GPUs: 8 tensor x 4 stages x 2 replicas.
const SPEC: &str = r#"
name = "small"
model = { preset = "gpt3-175b", layers = 8 }
training = { global_batch = 16, micro_batch = 1, precision = "bf16", recompute = "full" }
parallelism = { tensor = 8, pipeline = 4, data = 2 }
cluster = { gpus = 64, node = "dgx-a100-80gb" }
"#;

fn folder(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    fs::write(folder.join("model.toml"), SPEC).expect("the folder is this test's own");
    folder
}

#[track_caller]
fn done(run: &Program) -> &str {
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    &run.stdout
}

#[test]
fn one_gpu_says_all_that_its_pairs_say() {
    let folder = folder("traffic-cells");
    let all = planner_in(&folder, &["traffic", "--by", "gpu", "--format", "csv"]);
    let wanted = |line: &&str| line.starts_with("9,");
    let of_nine: Vec<&str> = done(&all).lines().filter(wanted).collect();
    let gpu = planner_in(&folder, &["traffic", "--gpu", "9", "--format", "csv"]);
    let row: Vec<&str> = done(&gpu).lines().skip(1).collect();
    assert_eq!(row.len(), of_nine.len());
    assert!(row[0].starts_with("9,1,along_rail,"), "the other replica: {row:?}");
    assert!(row[1].starts_with("9,10,inside_domain,"), "the next shard: {row:?}");
    let pair = planner_in(&folder, &["traffic", "--pair", "9", "10", "--format", "csv"]);
    assert_eq!(done(&pair).lines().nth(1), Some(row[1]));
}

#[test]
fn maps_and_files_come_out() {
    let folder = folder("traffic-files");
    let map = planner_in(&folder, &["traffic", "--by", "stage"]);
    assert_eq!(done(&map).lines().count(), 4 + 2, "four stages and a legend");
    let drawing = planner_in(&folder, &["traffic", "--format", "svg"]);
    assert!(done(&drawing).starts_with("<svg "));
    for (format, magic) in [("png", &b"\x89PNG"[..]), ("npy", b"\x93NUMPY"), ("svg", b"<svg")] {
        let written =
            planner_in(&folder, &["traffic", "--format", format, "-o", &format!("a.{format}")]);
        assert_eq!(done(&written), "");
        let file = fs::read(folder.join(format!("a.{format}"))).expect("it was written");
        assert!(file.starts_with(magic), "{format}");
    }
    assert_eq!(fs::read_dir(&folder).expect("it exists").count(), 1 + 3, "nothing is left over");
}

#[test]
fn a_gpu_and_itself_are_one_pair() {
    let folder = folder("traffic-itself");
    let pair = planner_in(&folder, &["traffic", "--pair", "9", "9", "--format", "csv"]);
    assert_eq!(done(&pair).lines().count(), 1 + 1, "a header and one row");
}

#[test]
fn drawings_show_what_sums_are_by() {
    let folder = folder("traffic-sums");
    let drawn = |by: &str| {
        let drawing = planner_in(&folder, &["traffic", "--by", by, "--format", "svg"]);
        let png = format!("{by}.png");
        done(&planner_in(&folder, &["traffic", "--by", by, "--format", "png", "-o", &png]));
        (done(&drawing).to_owned(), fs::read(folder.join(png)).expect("it was written"))
    };
    let headings = [
        ("gpu", "all 64 GPUs"),
        ("domain", "8 HB domains"),
        ("rail", "8 rails"),
        ("stage", "4 stages, sums of all GPUs in each"),
    ];
    let all = headings.map(|(by, heading)| {
        let (svg, png) = drawn(by);
        assert!(svg.contains(&format!(">{heading}")), "{by}: no {heading}");
        (svg, png)
    });
    for (k, (svg, png)) in all.iter().enumerate() {
        assert!(all[..k].iter().all(|(other, digits)| other != svg && digits != png), "{k}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = folder("traffic-refused");
    let refused = |arguments: &[&str]| {
        let run = planner_in(&folder, arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}");
        run.stderr
    };
    assert_eq!(
        refused(&["traffic", "--pair", "0", "64"]),
        "error: GPU `64` does not exist: they are counted from 0 to 63\n"
    );
    assert!(refused(&["traffic", "--gpu", "0", "--format", "png"]).contains("`--pair`"));
    assert!(refused(&["design", "--format", "png"]).contains("invalid value 'png'"));
    assert!(refused(&["traffic", "--gpu", "0", "--by", "rail"]).contains("cannot be used with"));
}

/// What the report says is not counted, by hand: 2,048 ids of 4 bytes in each of 16 sequences; 14 bytes a parameter.
#[test]
fn what_is_not_counted_has_its_size() {
    let folder = folder("traffic-not-counted");
    let run = |more: &[&str]| {
        let asked = [&["traffic", "--format", "json"], more].concat();
        let found: serde_json::Value =
            serde_json::from_str(done(&planner_in(&folder, &asked))).expect("JSON");
        found
    };
    let read = |found: &serde_json::Value, what: &str| {
        let all = found["not_counted"].as_array().expect("a list").clone();
        all.into_iter()
            .find(|value| value["what"].as_str().is_some_and(|text| text.starts_with(what)))
    };
    let found = run(&[]);
    assert_eq!(read(&found, "token ids").expect("ids")["bytes"], 16 * 2048 * 4);
    let written = read(&found, "weights and optimizer").expect("a checkpoint");
    let elements = 8 * (12 * 12_288_u64.pow(2) + 4 * 12_288) + 51_200 * 12_288;
    let ratio = written["bytes"].as_f64().expect("bytes") / (14 * elements) as f64;
    assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
    assert!(written["bytes_a_step"].is_null(), "nobody says how often");
    assert!(
        read(&found, "gradients of norms").is_none() || read(&found, "counts of tokens").is_none()
    );
    let hourly = run(&["--set", "failures.interval_minutes=60"]);
    let written = read(&hourly, "weights and optimizer").expect("a checkpoint");
    let (whole, a_step) = (&written["bytes"], &written["bytes_a_step"]);
    assert!(a_step.as_f64().expect("known") < whole.as_f64().expect("bytes") / 100.0);
    let table = planner_in(&folder, &["traffic", "--all"]);
    assert!(done(&table).contains("token ids read from storage"), "{}", table.stdout);
}
