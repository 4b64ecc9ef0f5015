//! `planner calibrate` on the output of nccl-tests and rccl-tests, as its owners published it
//! (`tests/data/nccl_tests`): what is read, what is refused, and whether the shares that fit tell more
//! of rows that they have not seen.

use std::fs;
use std::path::{Path, PathBuf};

use planner::recording::RecordingFile;
use planner::recording::steps::read_test_tables;
use serde_json::Value;

use crate::support::dice::Dice;
use crate::support::program::{Program, fresh_folder, planner_in};

const LOGS: [&str; 6] = [
    "h100_one_host.log",
    "h100_two_hosts_srun.log",
    "h200_all_gather_mpirun.log",
    "mi300x_rccl.log",
    "gb300_collectives.log",
    "gb300_two_racks.log",
];
const MI300X: &str = "cluster.node=mi300x-8";
/// Rows of the run over two machines that `mi300x_rccl.log` leaves out, from the same source: bytes,
/// elements, µs, algorithm and bus bandwidth.
const UNSEEN: &str = "
   134217728      33554432     float     sum      -1   1448.8   92.64  173.70      0
   536870912     134217728     float     sum      -1   3096.3  173.39  325.10      0
  2147483648     536870912     float     sum      -1    11574  185.55  347.90      0
  8589934592    2147483648     float     sum      -1    45224  189.94  356.14      0
";
/// As that, of the run on one machine.
const UNSEEN_INSIDE: &str = "
     8388608       2097152     float     sum      -1    84.78   98.95  173.16      0
    33554432       8388608     float     sum      -1    246.3  136.25  238.45      0
   134217728      33554432     float     sum      -1    800.3  167.72  293.50      0
   536870912     134217728     float     sum      -1   3027.1  177.35  310.37      0
  2147483648     536870912     float     sum      -1    11940  179.86  314.75      0
";

fn log(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/nccl_tests");
    fs::read_to_string(folder.join(name)).expect("it ships")
}

fn asked(folder: &Path, name: &str, text: &str, rest: &[&str]) -> Program {
    fs::write(folder.join(name), text).expect("the folder is this test's own");
    let arguments = ["calibrate", "--format", "json", name, "starter"];
    planner_in(folder, &[&arguments[..], rest].concat())
}

fn calibrated(folder: &Path, name: &str, text: &str, rest: &[&str]) -> Value {
    let run = asked(folder, name, text, rest);
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

/// A number of the answer.
#[track_caller]
fn number(found: &Value, key: &str) -> f64 {
    found[key].as_f64().unwrap_or_else(|| panic!("no number `{key}` in {found}"))
}

/// Size and out-of-place time of the rows from a size on: what stands before and behind the words
/// for a row, by hand.
fn rows_by_hand(text: &str, least: u64) -> Vec<(u64, f64)> {
    let mut rows = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let Some(place) = words.iter().position(|word| *word == "float") else { continue };
        let bytes: u64 = words[place - 2].parse().expect("a size");
        let micros: f64 = words[place + 3].parse().expect("a time");
        rows.extend((bytes >= least).then_some((bytes, micros)));
    }
    rows
}

#[test]
fn rows_are_read_whatever_stands_before_them() {
    let folder = fresh_folder("network-rows");
    for (name, node, gpus, domains) in [
        ("h100_one_host.log", "dgx-h100", 8, 1),
        ("h100_two_hosts_srun.log", "dgx-h100", 16, 2),
        ("h200_all_gather_mpirun.log", "dgx-h200", 16, 2),
    ] {
        let text = log(name);
        let node = format!("cluster.node={node}");
        let found = calibrated(&folder, name, &text, &["--set", &node]);
        let calls = found["calls"].as_array().expect("a list");
        let read: Vec<(u64, f64)> = calls
            .iter()
            .map(|call| (call["bytes"].as_u64().expect("bytes"), number(call, "measured_s") * 1e6))
            .collect();
        let by_hand = rows_by_hand(&text.replace("<stdout>:", " "), 1 << 20);
        assert_eq!(read.len(), by_hand.len(), "{name}");
        for (one, other) in read.iter().zip(&by_hand) {
            assert_eq!(one.0, other.0, "{name}");
            assert!((one.1 / other.1 - 1.0).abs() < 1e-9, "{name}: {one:?} and {other:?}");
        }
        let machines = (calls[0]["gpus"].as_u64(), calls[0]["domains"].as_u64());
        assert_eq!(machines, (Some(gpus), Some(domains)), "{name}");
        // Other launchers, or none, before each line.
        for before in ["", "0: ", "[1,0]<stdout>:", "[0] ", "2026-11-28T10:00:00.1Z "] {
            let strip = |line: &str| {
                let line = line.rsplit_once("<stdout>:").map_or(line, |pair| pair.1);
                format!("{before}{}\n", line.strip_prefix(" 0: ").unwrap_or(line))
            };
            let other: String = text.lines().map(strip).collect();
            assert_eq!(calibrated(&folder, name, &other, &["--set", &node]), found, "{before:?}");
        }
    }
}

#[test]
fn fitted_shares_tell_more_of_rows_that_they_have_not_seen() {
    let folder = fresh_folder("network-unseen");
    let seen = log("mi300x_rccl.log");
    let found = calibrated(&folder, "rccl.log", &seen, &["--set", MI300X]);
    assert!(number(&found, "mean_error_now") < number(&found, "mean_error_before"), "{found}");
    assert_eq!(found["constants"][0]["name"], "hb_share", "{found}");
    let toml = found["toml"].as_str().expect("text");
    let starter = planner_in(&folder, &["presets", "show", "starter"]).stdout;
    fs::write(folder.join("own.toml"), format!("{starter}\n{toml}\n")).expect("likewise");
    let head = "# size count type redop root time algbw busbw #wrong\n";
    let hidden = format!("# ranks=8 domains=1\n{head}{UNSEEN_INSIDE}");
    let hidden = hidden + &format!("# ranks=16 domains=2\n{head}{UNSEEN}");
    let before = calibrated(&folder, "hidden.log", &hidden, &["--set", MI300X]);
    let now = ["calibrate", "--format", "json", "hidden.log", "own.toml", "--set", MI300X];
    let now: Value = serde_json::from_str(&planner_in(&folder, &now).stdout).expect("JSON");
    let [before, now] = [before, now].map(|found| number(&found, "mean_error_before"));
    assert!(now < before, "{now} and {before}");
}

/// A table is judged by a fit without it: the mean of what comes of leaving one out after the other by
/// hand. The second table is another site's, of 16 H200 too.
#[test]
fn a_table_is_held_out_as_a_whole() {
    let folder = fresh_folder("network-held-out");
    let h200 = ["--set", "cluster.node=dgx-h200"];
    let rows = include_str!("../../presets/validation/collectives.csv").lines();
    let rows = rows.filter_map(|row| row.strip_prefix("dgx-h200,2,16,400,all_reduce,"));
    let mut reduce =
        "# ranks=16 domains=2\n# size count type redop root time algbw busbw #wrong\n".to_owned();
    for row in rows {
        let fields: Vec<&str> = row.split(',').collect();
        let [bytes, micros]: [f64; 2] = [0, 1].map(|place| fields[place].parse().expect("one"));
        let rate = bytes / micros / 1e3;
        reduce += &format!("{bytes} 1 float sum -1 {micros} {rate:.2} {:.2} 0\n", 1.875 * rate);
    }
    let gather = log("h200_all_gather_mpirun.log");
    fs::write(folder.join("reduce.log"), &reduce).expect("the folder is this test's own");
    let both = [&h200[..], &["--also", "reduce.log"]].concat();
    let found = calibrated(&folder, "all_gather.log", &gather, &both);
    let starter = planner_in(&folder, &["presets", "show", "starter"]).stdout;
    let (mut sum, mut count) = (0.0, 0.0);
    for (name, text, other) in
        [("all_gather.log", &gather, &reduce), ("reduce.log", &reduce, &gather)]
    {
        let fitted = calibrated(&folder, "other_all_gather.log", other, &h200);
        let toml = fitted["toml"].as_str().expect("text");
        fs::write(folder.join("own.toml"), format!("{starter}\n{toml}\n")).expect("likewise");
        fs::write(folder.join(name), text).expect("likewise");
        let held = [&["calibrate", "--format", "json", name, "own.toml"], &h200[..]].concat();
        let held: Value = serde_json::from_str(&planner_in(&folder, &held).stdout).expect("JSON");
        let rows = held["calls"].as_array().expect("a list").len() as f64;
        (sum, count) = (sum + rows * number(&held, "mean_error_before"), count + rows);
    }
    let unseen = number(&found, "mean_unseen_error");
    // Shares are written with four digits.
    assert!((unseen - sum / count).abs() < 1e-3, "{unseen} and {}", sum / count);
}

#[test]
fn a_network_that_is_slow_is_not_blamed_on_the_domain() {
    let folder = fresh_folder("network-slow");
    fs::write(folder.join("two.log"), log("h100_two_hosts_srun.log")).expect("likewise");
    let also = ["--also", "two.log"];
    let found = calibrated(&folder, "one.log", &log("h100_one_host.log"), &also);
    let constants = found["constants"].as_array().expect("a list");
    assert_eq!((constants.len(), &constants[0]["name"]), (1, &"nic_share".into()), "{found}");
    // 155 GB/s of bus bandwidth over eight interfaces of 50 GB/s, all-reduce on two hosts: a ring has
    // to send as much through each interface, trees half of it.
    let share = number(&constants[0], "after");
    let ring = 155.57 / (8.0 * 50.0);
    assert!((0.45 * ring..1.1 * ring).contains(&share), "{share}");
    assert!(
        number(&found, "mean_error_now") < 0.3 * number(&found, "mean_error_before"),
        "{found}"
    );
    let alone = calibrated(&folder, "one.log", &log("h100_one_host.log"), &[]);
    let notes = alone["notes"].to_string();
    assert!(notes.contains("nic_share stays: no table over several HB domains"), "{notes}");
}

#[test]
fn rows_that_say_nothing_are_counted_by_their_reason() {
    let folder = fresh_folder("network-unused");
    let node = ["--set", "cluster.node=gb300-nvl72"];
    let found = calibrated(&folder, "racks.log", &log("gb300_collectives.log"), &node);
    assert_eq!(found["calls"].as_array().map(Vec::len), Some(4), "{found}");
    let node = ["--set", "cluster.node=dgx-h200"];
    let gather = log("h200_all_gather_mpirun.log");
    // One wrong result, one row that is cut, and two that are small.
    let wrong = gather.replace("325.72      0", "325.72      7");
    let cut = wrong.replace("  345.92  324.30      0    12133  354.00  331.87      0", "  34");
    let found = calibrated(&folder, "all_gather.log", &cut, &node);
    let notes = found["notes"].to_string();
    for note in ["1 with wrong results", "1 that are cut", "2 below 1 MiB"] {
        assert!(notes.contains(&format!("not used: {note}")), "no `{note}` in {notes}");
    }
    assert_eq!(found["calls"].as_array().map(Vec::len), Some(12), "{found}");
}

#[test]
fn what_the_log_does_not_say_is_asked_for() {
    let folder = fresh_folder("network-asked");
    let h200 = ["--set", "cluster.node=dgx-h200"];
    let gather = log("h200_all_gather_mpirun.log");
    // Gathers and all-to-alls have the same columns; reductions tell themselves.
    refused(&asked(&folder, "nccl.log", &gather, &h200), &["line 22", "which test", "all_gather"]);
    let named = format!("$ mpirun ./build/all_gather_perf -b 1K -e 8G\n{gather}");
    let whole = calibrated(&folder, "nccl.log", &named, &h200);
    // Ranks, and how many domains they are in.
    let lines = |keep: &dyn Fn(&&str) -> bool| -> String {
        named.lines().filter(keep).map(|line| format!("{line}\n")).collect()
    };
    let without = lines(&|line| !line.contains(" Rank "));
    refused(&asked(&folder, "nccl.log", &without, &h200), &["name every rank", "# ranks=16"]);
    let stated = format!("# ranks=16 domains=2\n{without}");
    assert_eq!(calibrated(&folder, "nccl.log", &stated, &h200), whole);
    let elided = lines(&|line| !line.contains(" Rank  5 "));
    refused(&asked(&folder, "nccl.log", &elided, &h200), &["name every rank"]);
    let racks = log("gb300_two_racks.log");
    let gb300 = ["--set", "cluster.node=gb300-nvl72"];
    refused(&asked(&folder, "racks.log", &racks, &gb300), &["name every rank"]);
    let ranks = format!("# ranks=128\n{racks}");
    refused(&asked(&folder, "racks.log", &ranks, &gb300), &["128 GPUs", "HB domains", "# domains"]);
    let found = calibrated(&folder, "racks.log", &format!("# domains=2\n{ranks}"), &gb300);
    assert_eq!(found["calls"][0]["domains"], 2, "{found}");
    // Machines that do not fit, and none.
    let one = log("h100_one_host.log");
    let summit = ["--set", "cluster.node=summit-v100"];
    refused(&asked(&folder, "one.log", &one, &summit), &["`summit-v100` has 6", "cluster.node="]);
    refused(&asked(&folder, "one.log", &one, &["--set", "cluster.node=auto"]), &["cluster.node="]);
    refused(&planner_in(&folder, &["calibrate", "one.log"]), &["which machines", "starter"]);
    fs::write(folder.join("steps.csv"), "seconds\n3\n").expect("likewise");
    refused(&asked(&folder, "one.log", &one, &["--also", "steps.csv"]), &["one after the other"]);
    // Each process its own world: built without MPI.
    let alone = one.replace("Rank  1", "Rank  0");
    refused(&asked(&folder, "one.log", &alone, &[]), &["line 14", "MPI=1"]);
    let split = one.replace("Rank  1 Group  0", "Rank  1 Group  1");
    refused(&asked(&folder, "one.log", &split, &[]), &["NCCL_TESTS_SPLIT"]);
    let small = rows_below(&one, 6);
    refused(&asked(&folder, "one.log", &small, &[]), &["no row", "below 1 MiB"]);
}

/// The log with sizes so many digits shorter, times too.
fn rows_below(text: &str, digits: i32) -> String {
    let mut shorter = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.get(2) == Some(&"float") {
            let factor = 10_f64.powi(digits);
            let [bytes, micros]: [f64; 2] = [0, 5].map(|place| words[place].parse().expect("one"));
            let (bytes, micros) = ((bytes / factor).round(), micros / factor);
            shorter += &format!("{bytes} 1 float sum -1 {micros} {} {} 0\n", words[6], words[7]);
        } else {
            shorter += &format!("{line}\n");
        }
    }
    shorter
}

#[test]
fn a_spec_of_another_gpu_is_told() {
    let folder = fresh_folder("network-other");
    let node = ["--set", "cluster.node=hgx-b200"];
    let found = calibrated(&folder, "one.log", &log("h100_one_host.log"), &node);
    let notes = found["notes"].to_string();
    assert!(notes.contains("NVIDIA H100 80GB HBM3") && notes.contains("`b200`"), "{notes}");
}

/// Logs with lines cut, words swapped for what parsers stumble over, and bytes lost: an answer or a
/// refusal, and no number that is none.
#[test]
fn broken_logs_break_nothing() {
    const WORDS: [&str; 12] = [
        "NaN",
        "inf",
        "-1",
        "0",
        "1e308",
        "18446744073709551616",
        "99999999999999999999999",
        "float",
        "Rank",
        "ranks=4294967295",
        "size type time algbw busbw",
        "\u{fffd}",
    ];
    let mut dice = Dice(20_261_128);
    let paths: Vec<PathBuf> = LOGS.iter().map(PathBuf::from).collect();
    for path in &paths {
        let whole = log(&path.display().to_string());
        for _ in 0..200 {
            let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
            for _ in 0..=dice.roll(4) {
                let place = dice.roll(lines.len() as u64) as usize;
                let words: Vec<&str> = lines[place].split(' ').collect();
                let at = dice.roll(words.len() as u64) as usize;
                lines[place] = match dice.roll(3) {
                    0 => words[..at].join(" "),
                    1 => words[at..].join(" "),
                    _ => {
                        let word = WORDS[dice.roll(WORDS.len() as u64) as usize];
                        [&words[..at], &[word], &words[at + 1..]].concat().join(" ")
                    }
                };
            }
            let mut bytes = lines.join("\n").into_bytes();
            bytes.truncate(bytes.len() - dice.roll(bytes.len() as u64 / 2) as usize);
            let file = RecordingFile { name: "all_gather.log".to_owned(), bytes };
            for table in read_test_tables(&file).into_iter().flatten() {
                let sound = |time: f64| time.is_finite() && time > 0.0;
                assert!(table.calls.iter().all(|call| sound(call.time.get())), "{table:?}");
                assert!(table.ranks > 0 && table.domains != Some(0), "{table:?}");
            }
        }
    }
}
