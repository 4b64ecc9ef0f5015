//! `planner validate` as its users and their scripts see it. How good the numbers are is
//! `tests/validation`'s business.

use serde::Deserialize;

use crate::support::page::shown_part;
use crate::support::program::{Program, fresh_folder, planner_in};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    schema: String,
    sets: Vec<Set>,
    collectives: Vec<Call>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Call {
    node: String,
    domains: u32,
    gpus: u32,
    collective: String,
    bytes: u64,
    published_s: f64,
    predicted_s: f64,
    time_error: f64,
    counted: bool,
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "reading them is the test")]
struct Set {
    name: String,
    title: String,
    rule: String,
    fitted: bool,
    reference_tool: Option<String>,
    reference_mean_percent: Option<f64>,
    time: Option<Errors>,
    unseen_time: Option<Errors>,
    memory: Option<Errors>,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Errors {
    rows: usize,
    mean_error: f64,
    largest_error: f64,
    bias: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    source: String,
    published_s: Option<f64>,
    predicted_s: f64,
    time_error: Option<f64>,
    unseen_time_error: Option<f64>,
    measured_mfu: Option<f64>,
    fitted: bool,
    published_gib: Option<f64>,
    predicted_gib: f64,
    memory_error: Option<f64>,
}

#[track_caller]
fn done(program: &Program) -> &str {
    assert_eq!((program.status, program.stderr.as_str()), (0, ""), "{}", program.stdout);
    &program.stdout
}

fn validated(format: &str) -> String {
    let program =
        planner_in(&fresh_folder(&format!("validate-{format}")), &["validate", "--format", format]);
    done(&program).to_owned()
}

/// Mean, largest and bias of errors, worked out anew from what the rows say.
#[track_caller]
fn check(name: &str, this_errors: Option<&Errors>, values: impl Iterator<Item = Option<f64>>) {
    let errors: Vec<f64> = values.flatten().collect();
    let Some(this_errors) = this_errors else { return assert!(errors.is_empty(), "{name}") };
    let rows = errors.len() as f64;
    let mean = errors.iter().map(|error| error.abs()).sum::<f64>() / rows;
    let largest = errors.iter().fold(0.0_f64, |largest, error| largest.max(error.abs()));
    let bias = errors.iter().sum::<f64>() / rows;
    assert_eq!(this_errors.rows, errors.len(), "{name}");
    for (said, found) in [
        (this_errors.mean_error, mean),
        (this_errors.largest_error, largest),
        (this_errors.bias, bias),
    ] {
        assert!((said - found).abs() < 1e-9, "{name}: {said} and {found}");
    }
}

#[test]
fn errors_follow_from_the_rows_beside_them() {
    let text = validated("json");
    let sheet: Sheet = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(sheet.schema, "planner/validate/1");
    assert!(sheet.sets.len() >= 10);
    assert!(sheet.collectives.len() > 200);
    for call in &sheet.collectives {
        let error = call.predicted_s / call.published_s - 1.0;
        assert!((call.time_error - error).abs() < 1e-6, "{}: {error}", call.source);
    }
    for set in &sheet.sets {
        assert!(!set.rows.is_empty(), "{}", set.name);
        assert_eq!(set.reference_tool.is_some(), set.reference_mean_percent.is_some());
        check(&set.name, set.time.as_ref(), set.rows.iter().map(|row| row.time_error));
        let is_share = |mfu: f64| 0.0 < mfu && mfu < 1.0;
        assert!(set.rows.iter().all(|row| row.measured_mfu.is_none_or(is_share)), "{}", set.name);
        let unseen = set.rows.iter().map(|row| row.unseen_time_error);
        check(&set.name, set.unseen_time.as_ref(), unseen);
        assert_eq!(set.fitted, set.rows.iter().any(|row| row.fitted), "{}", set.name);
        check(&set.name, set.memory.as_ref(), set.rows.iter().map(|row| row.memory_error));
        for row in &set.rows {
            assert!(!row.source.is_empty(), "{}", row.name);
            let pairs = [
                (row.published_s, row.predicted_s, row.time_error),
                (row.published_gib, row.predicted_gib, row.memory_error),
            ];
            for (published, predicted, error) in pairs {
                let expected = published.map(|published| predicted / published - 1.0);
                let apart = expected.zip(error).map_or(0.0, |(a, b)| (a - b).abs());
                assert!(expected.is_some() == error.is_some() && apart < 1e-9, "{}", row.name);
            }
        }
    }
}

#[test]
fn markdown_is_the_page_of_the_documentation() {
    assert_eq!(validated("markdown"), shown_part("validation.md", "steps"));
    let folder = fresh_folder("validate-rows");
    let run = planner_in(&folder, &["validate", "--format", "markdown", "--all"]);
    let sheet: Sheet = serde_json::from_str(&validated("json")).expect("it is JSON");
    for row in sheet.sets.iter().flat_map(|set| &set.rows) {
        assert!(run.stdout.contains(&format!("\n| {} | ", row.name)), "no row `{}`", row.name);
    }
}

#[test]
fn a_page_names_every_set_and_fits_its_width() {
    let (text, csv) = (validated("table"), validated("csv"));
    let sheet: Sheet = serde_json::from_str(&validated("json")).expect("it is JSON");
    for set in &sheet.sets {
        assert!(text.contains(&format!("\n  {} ", set.name)), "{} in\n{text}", set.name);
        assert!(csv.contains(&format!("\n{},", set.name)), "{} in\n{csv}", set.name);
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert_eq!(
        csv.lines().next(),
        Some(
            "set,quantity,rows,mean_error,largest_error,bias,unseen_mean_error,fitted,\
             reference_mean_percent,reference_tool"
        )
    );
}

#[test]
fn the_same_bytes_come_out_twice_and_bad_usage_is_status_two() {
    for format in ["table", "json", "csv", "markdown"] {
        assert_eq!(validated(format), validated(format), "{format}");
    }
    let folder = fresh_folder("validate-usage");
    assert_eq!(planner_in(&folder, &["validate", "starter"]).status, 2);
    assert_eq!(planner_in(&folder, &["validate", "--format", "png"]).status, 2);
}
