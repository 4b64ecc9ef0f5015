//! What has to hold of each parser, whatever its input. Shared by the fuzz targets and by
//! `tests/spec/fuzz_corpus.rs`, which needs no nightly Rust. A property that fails panics.

use planner::gate::{Judges, Rule, RuleOrigin, Severity, Sides, StatedRule, check_snapshots};
use planner::report::{self, CheckSheet, Detail, Format, RenderOptions};
use planner::results;
use planner::spec::{self, Problems, SpecText};
use planner::sweep::{Shard, SweepAxis, SweepPart, merge_sweeps};
use planner::units::{Money, parse};

/// Longest text that any refusal may print: what is wrong with a spec fits on some pages.
const LONGEST_MESSAGE: usize = 200_000;

/// A refusal can be printed: it is not endless, and holds nothing that could steer a terminal.
fn printable(message: &str) {
    assert!(message.len() <= LONGEST_MESSAGE, "{} bytes of message", message.len());
    let steers = |c: char| c.is_control() && c != '\n';
    assert!(!message.contains(steers), "a control character in {message:?}");
}

fn refused(problems: &Problems) {
    assert!(!problems.list.is_empty(), "a refusal without a reason");
    printable(&problems.render(false));
}

/// A spec: read or refused, the same both times.
pub(crate) fn spec(bytes: &[u8]) {
    let source = match SpecText::from_bytes("model.toml", bytes) {
        Ok(source) => source,
        Err(problems) => return refused(&problems),
    };
    match (spec::read_scenario(&source, &[]), spec::read_scenario(&source, &[])) {
        (Ok(first), Ok(second)) => {
            assert!(first == second, "two readings differ");
            assert!(spec::read_gate(&source, &[]).is_ok(), "rules are part of the spec");
        }
        (Err(first), Err(second)) => {
            assert_eq!(first.render(false), second.render(false));
            refused(&first);
        }
        _ => panic!("a spec is read once and refused once"),
    }
}

/// Quantities with units: finite and not negative, or refused.
pub(crate) fn units(bytes: &[u8]) {
    let Ok(input) = std::str::from_utf8(bytes) else { return };
    let read = [
        parse::parse_bytes(input).map(|value| value.as_f64()),
        parse::parse_bandwidth(input).map(|value| value.get()),
        parse::flop_rate(input).map(|value| value.get()),
        parse::parse_watts(input).map(|value| value.get()),
        parse::parse_seconds(input).map(|value| value.get()),
        parse::parse_usd(input).map(|value| value.get()),
        parse::parse_count(input),
        Money::parse(input).map(|value| value.to_usd(1.0).get()),
    ];
    for value in read {
        match value {
            Ok(value) => assert!(value.is_finite() && value >= 0.0, "{input:?} is {value}"),
            // What is wrong is shown in a frame that cleans it, so only the length matters here.
            Err(error) => assert!(error.message.len() + error.hint.len() < 2000, "{error:?}"),
        }
    }
}

/// A price book: every price finite and not negative, or refused.
pub(crate) fn price_book(bytes: &[u8]) {
    let source = match SpecText::from_bytes("prices.toml", bytes) {
        Ok(source) => source,
        Err(problems) => return refused(&problems),
    };
    match spec::price_book(&source) {
        Ok(book) => {
            for (item, price) in &book.prices.prices {
                assert!(price.amount.get().is_finite() && price.amount.get() >= 0.0, "{item}");
            }
        }
        Err(problems) => refused(&problems),
    }
}

/// A rule, and the axes and shards of a sweep: written back, it reads the same.
pub(crate) fn rule(bytes: &[u8]) {
    let Ok(input) = std::str::from_utf8(bytes) else { return };
    match Rule::parse(input) {
        Ok(rule) => assert_eq!(Rule::parse(&rule.to_string()), Ok(rule)),
        Err(error) => printable(&format!("{error} {}", error.hint())),
    }
    match SweepAxis::parse(input) {
        Ok(axis) => assert!(!axis.values.iter().any(String::is_empty)),
        Err(error) => printable(&format!("{error} {}", error.hint())),
    }
    if let Ok(shard) = Shard::parse(input) {
        assert_eq!(Shard::parse(&shard.to_string()), Ok(shard));
    }
}

/// A result or a part of a sweep: a result is the same as itself, a sweep is written as it was read.
pub(crate) fn result(bytes: &[u8]) {
    let json = RenderOptions { format: Format::Json, colour: false, detail: Detail::Usual };
    match results::read_snapshot(bytes) {
        Ok(snapshot) => {
            let rule = Rule::parse("capex>+0%").expect("it is a rule");
            let gate = StatedRule { rule, severity: Severity::Fail, origin: RuleOrigin::Spec };
            let sides = Sides {
                old: &snapshot,
                new: &snapshot,
                middle: Some(&snapshot),
                on_terms: Some(Ok(&snapshot)),
            };
            let judges = Judges { rules: &[gate], guard: Severity::Fail, allowed: Some(&[]) };
            let report = check_snapshots(&sides, judges);
            let report = report.expect("capex is a figure of every result");
            assert!(report.is_unchanged(), "a result differs from itself: {report:?}");
            let sheet = CheckSheet { report: &report, old: "a", new: "b", is_diff: false };
            for look in [json, RenderOptions::default()] {
                printable(&report::render_check(&sheet, look));
            }
        }
        Err(problem) => printable(&format!("{problem} {}", problem.hint())),
    }
    if let Ok(part) = results::read_sweep(bytes) {
        printable(&report::render_sweep(&part, RenderOptions::default()));
        let written = report::render_sweep(&part, json);
        let again = results::read_sweep(written.as_bytes()).expect("what is written can be read");
        assert_eq!(report::render_sweep(&again, json), written);
        drop(merge_sweeps(&[SweepPart { file: "a".into(), sweep: part }]));
    }
}
