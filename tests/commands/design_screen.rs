//! The screen of `planner design`: what it says is what JSON says, and it stays as short as it is.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::support::program::planner_in;

/// Specs with the most lines that their screens may have: those of a cluster, of parts, of stages,
/// of several workloads.
const SPECS: [(&str, usize); 7] = [
    ("starter", 18),
    ("gpt3-175b-a100-1536", 18),
    ("llama3-405b-h100-16384", 18),
    ("clos-as-cheap", 18),
    ("tenants-need-a-spine", 20),
    ("two-stages", 20),
    ("two-products", 20),
];

/// Output of a command that succeeds.
fn output(arguments: &[&str]) -> String {
    let program = planner_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments);
    assert_eq!((program.status, program.stderr.as_str()), (0, ""), "{arguments:?}");
    program.stdout
}

/// The screens as they are: `BLESS=1` writes them.
#[test]
fn screens_are_those_of_the_golden_file() {
    let mut found = String::new();
    for (spec, _) in SPECS {
        for arguments in [&["design", spec][..], &["design", spec, "-q"]] {
            writeln!(found, "$ planner {}\n{}", arguments.join(" "), output(arguments))
                .expect("a string takes all");
        }
    }
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/design_screens.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &found).expect("a writable folder");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        found, known,
        "`BLESS=1 cargo test --test commands design_screen`, then read the diff"
    );
}

#[test]
fn a_screen_is_short_and_ends_in_its_verdict() {
    for (spec, most) in SPECS {
        let usual = output(&["design", spec]);
        assert!(usual.lines().count() <= most, "{spec}: {usual}");
        let narrow = output(&["design", spec, "--width", "80"]);
        assert!(narrow.lines().count() <= most + 10, "{spec}: {narrow}");
        let value = json_of(spec);
        let verdict = value["verdict"]["text"].as_str().expect("it has one");
        let last = usual.rsplit("\n\n").next().expect("the verdict stands apart");
        assert_eq!(last.split_whitespace().collect::<Vec<_>>().join(" "), verdict, "{spec}");
        for name in value["cost"]["not_counted"].as_array().expect("a list") {
            assert!(usual.contains(name.as_str().expect("a name")), "{spec}: {name} {usual}");
        }
    }
}

fn json_of(spec: &str) -> Value {
    serde_json::from_str(&output(&["design", spec, "--format", "json"])).expect("it is JSON")
}

/// `$508k`, `$5.18M`: three digits of what JSON has.
fn three_digits_of_money(value: f64) -> String {
    let (value, unit) = match value {
        value if value < 999_500.0 => (value / 1e3, "k"),
        value if value < 999_500_000.0 => (value / 1e6, "M"),
        value => (value / 1e9, "B"),
    };
    let decimals = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("${value:.decimals$}{unit}")
}

/// `53 %`, `4.2 %`.
fn two_digits_of_share(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = usize::from(percent < 9.95);
    format!("{percent:.decimals$} %")
}

#[test]
fn each_number_of_the_verdict_is_in_json() {
    let mut seen = 0;
    for (spec, _) in SPECS {
        let value = json_of(spec);
        let reference = &value["reference"];
        let verdict = value["verdict"]["text"].as_str().expect("it has one");
        if value["verdict"]["form"] != "saves" || reference.is_null() {
            continue;
        }
        seen += 1;
        let number = |key: &str| reference[key].as_f64().expect("it is known");
        let saving = three_digits_of_money(number("saving_usd"));
        assert!(verdict.contains(&format!(" saves {saving} against ")), "{spec}: {verdict}");
        let network = two_digits_of_share(number("network_saving_share"));
        assert!(verdict.contains(&format!("{network} of the network")), "{spec}: {verdict}");
        let token = two_digits_of_share(number("token_saving_share"));
        assert!(verdict.contains(&format!("{token} of the cost per token")), "{spec}: {verdict}");
        // The reference is the Clos of the alternatives, and shares are of it.
        let alternatives = value["alternatives"].as_array().expect("a list");
        let name = reference["name"].as_str().expect("a name");
        let clos = alternatives
            .iter()
            .find(|other| other["name"].as_str().is_some_and(|other| other.starts_with(name)))
            .expect("it is one of them");
        let change = |key: &str| clos[key].as_f64().expect("it is known");
        let paid = value["cost"]["network_capex_usd"].as_f64().expect("it is known");
        let share =
            change("network_capex_change_usd") / (paid + change("network_capex_change_usd"));
        assert!((share - number("network_saving_share")).abs() < 1e-9, "{spec}");
        let token = 1.0 - 1.0 / change("usd_per_token_ratio");
        assert!((token - number("token_saving_share")).abs() < 1e-9, "{spec}");
    }
    assert!(seen > 3, "{seen}");
}

/// No design of the table is better than one of which nothing compared is said to be.
#[test]
fn a_proof_is_not_beside_its_refutation() {
    for (spec, _) in SPECS {
        let value = json_of(spec);
        let verdict = value["verdict"]["text"].as_str().expect("it has one");
        if !verdict.contains("costs less per token.") {
            continue;
        }
        for other in value["alternatives"].as_array().expect("a list") {
            let rival = other["standing"] == "worse" || other["standing"] == "tied";
            let ratio = other["usd_per_token_ratio"].as_f64().unwrap_or(1.0);
            assert!(!rival || ratio > 1.0 - 1e-3, "{spec}: {other} beside {verdict}");
        }
    }
}
