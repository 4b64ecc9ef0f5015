//! What has to hold of each parser, whatever its input. Shared by the fuzz targets and by
//! `tests/spec/fuzz_corpus.rs`, which needs no nightly Rust. A property that fails panics.

use planner::gate::{Judges, Rule, RuleOrigin, Severity, Sides, StatedRule, check_snapshots};
use planner::import::{ScriptInput, UserChoices, evaluate_script, import_file};
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

/// Longest spec that a file may be made into: a key each, and what is told about it.
const LONGEST_SPEC: usize = 400_000;

/// A file that a script sources.
fn file_beside(name: &str) -> Option<String> {
    (name == "model.sh").then(|| "source model.sh\nTP=2; A+=(--bf16)\n".to_owned())
}

/// A file of a training stack: a spec that is TOML, or a refusal that can be printed.
fn check_import(text: &str, wanted: &UserChoices) {
    match import_file(text, "run.sh", wanted, &file_beside) {
        Ok(draft) => {
            let made = draft.spec_text();
            assert!(made.len() <= LONGEST_SPEC, "{} bytes of spec", made.len());
            let table = made.parse::<toml::Table>();
            assert!(table.is_ok(), "{table:?}\n{made}");
        }
        // Where it is shown, it is cleaned.
        Err(problem) => {
            let message = format!("{problem} {}", problem.hint());
            assert!(message.len() <= LONGEST_MESSAGE, "{} bytes of message", message.len());
        }
    }
}

/// What a user may say beside a file.
fn full_choices() -> UserChoices {
    UserChoices {
        sequence: Some(4096),
        preset: Some("llama3-8b".to_owned()),
        layers: Some(32),
        global_batch: Some(256),
        gpus: Some(64),
        vocab: Some(32_000),
        environment: [("SIZE".to_owned(), "7B".to_owned())].into(),
        arguments: ["7B", "8", "--bf16"].map(str::to_owned).into(),
        line: Some(1),
        ..UserChoices::default()
    }
}

/// A file that is no script: with the model beside it, and without.
pub(crate) fn recipe(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    check_import(&text, &UserChoices::default());
    check_import(&text, &full_choices());
}

/// A script: what it comes to is no more than was paid for.
pub(crate) fn script(bytes: &[u8]) {
    /// Most bytes of all words that a script may come to.
    const MOST: usize = 64 << 20;
    let text = String::from_utf8_lossy(bytes);
    let wanted = full_choices();
    let input = ScriptInput {
        name: "run.sh",
        environment: &wanted.environment,
        preset: &wanted.environment,
        arguments: &wanted.arguments,
        open: text.len() % 2 == 1,
        read_file: &file_beside,
    };
    let made = evaluate_script(&text, &input);
    let words = made.commands.iter().flat_map(|command| command.words.iter());
    let held: usize = words.chain(made.lists.values().flatten()).map(String::len).sum();
    assert!(held <= MOST, "{held} bytes of words");
    check_import(&text, &UserChoices::default());
}
