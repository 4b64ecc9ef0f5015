//! `planner diff` where a rate of exchange moved: what the rate did to the bill is told from what
//! the prices did. Every expected sum is counted by hand from pieces, quotes and rates.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::program::{fresh_folder, planner_in};

/// The design that all of these have: 2 switches and 1,024 transceivers.
const SWITCHES: f64 = 2.0;
const OPTICS: f64 = 1024.0;

/// A folder with the spec.
fn office(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let wrote = planner_in(&folder, &["init", "-q", "--preset", "starter", "model.toml"]);
    assert_eq!(wrote.status, 0, "{}", wrote.stderr);
    folder
}

/// Designs the spec at these quotes; the bill has the pieces that the sums are counted with.
fn designed(folder: &Path, name: &str, rates: &str, switch: &str, optic: &str, more: &[&str]) {
    let book = format!(
        "name = \"quotes\"\ndate = \"2026-09\"\nsource = \"three offers\"\n[rates]\n{rates}\n\
         [[price]]\nitem = \"n9600-64od\"\nprice = \"{switch}\"\n\
         [[price]]\nitem = \"sr4-200g\"\nprice = \"{optic}\"\n"
    );
    fs::write(folder.join("book.toml"), book).expect("the folder is there");
    let file = format!("{name}.json");
    let links = "cluster.links=\"by-end\"";
    let arguments = [
        "design",
        "--prices",
        "book.toml",
        "--set",
        links,
        "--set",
        "failures.standby=0",
        "--format",
        "json",
        "-o",
        &file,
    ];
    let made = planner_in(folder, &[&arguments[..], more].concat());
    assert_eq!((made.status, made.stderr.as_str()), (0, ""));
    let text = fs::read_to_string(folder.join(file)).expect("it was written");
    let result: Value = serde_json::from_str(&text).expect("it is JSON");
    let pieces = |part: &str| {
        let lines = result["bom"].as_array().expect("a bill");
        lines.iter().find(|line| line["part"] == part).and_then(|line| line["count"].as_f64())
    };
    assert_eq!((pieces("n9600-64od"), pieces("sr4-200g")), (Some(SWITCHES), Some(OPTICS)));
}

fn diff(folder: &Path) -> Value {
    let found = planner_in(folder, &["diff", "old.json", "new.json", "--format", "json"]);
    assert_eq!((found.status, found.stderr.as_str()), (0, ""));
    serde_json::from_str(&found.stdout).expect("it is JSON")
}

/// Dollars by price, and of them by rate; and the causes, each with its dollars.
#[track_caller]
fn is(diff: &Value, by_price: f64, by_exchange: f64, causes: &[(&str, f64)]) {
    let near = |found: &Value, expected: f64| {
        let found = found.as_f64().expect("a number");
        assert!((found - expected).abs() < 0.005, "{found} is not {expected}: {diff:#}");
    };
    near(&diff["change"]["by_quantity_usd"], 0.0);
    near(&diff["change"]["by_price_usd"], by_price);
    near(&diff["change"]["by_exchange_usd"], by_exchange);
    let found = diff["causes"].as_array().expect("a list");
    assert_eq!(found.len(), causes.len(), "{diff:#}");
    for (found, (code, usd)) in found.iter().zip(causes) {
        assert_eq!(found["code"], *code);
        near(&found["usd"], *usd);
    }
}

const OLD: &str = "EUR = { usd = 1.10, date = \"2026-09-15\" }";
const NEW: &str = "EUR = { usd = 1.20, date = \"2026-11-02\" }";

#[test]
fn a_rate_alone_is_no_change_of_price() {
    let folder = office("rates-alone");
    designed(&folder, "old", OLD, "EUR 30,000", "EUR 200", &[]);
    designed(&folder, "new", NEW, "EUR 30,000", "EUR 200", &[]);
    // 2 · 30,000 · 0.10 and 1,024 · 200 · 0.10.
    is(&diff(&folder), 26_480.0, 26_480.0, &[("exchange-rate-changed", 26_480.0)]);
}

#[test]
fn a_rate_and_a_price_are_told_apart() {
    let folder = office("rates-both");
    designed(&folder, "old", OLD, "EUR 30,000", "EUR 200", &[]);
    designed(&folder, "new", NEW, "EUR 33,000", "EUR 200", &[]);
    // The quote: 2 · 3,000 · 1.20. The rate: 26,480 as before. Together 2 · (39,600 − 33,000) and
    // 1,024 · (240 − 220).
    let causes = [("prices-changed", 7_200.0), ("exchange-rate-changed", 26_480.0)];
    is(&diff(&folder), 33_680.0, 26_480.0, &causes);
    let text = planner_in(&folder, &["diff", "old.json", "new.json", "--all"])
        .stdout
        .replace("\n    ", " ");
    for fact in [
        "+$33,680 from price (new quantities), of it +$26,480 from exchange rates",
        "n9600-64od $36,000 at the new rate to $39,600 (+10.0 %)",
        // 26,480 / 33,680 = 0.786.
        "EUR 1.1 to 1.2 USD (+9.1 %, 2026-09-15 to 2026-11-02): +$26,480 on the bill, 78.6 % of what \
         prices and rates add; prices themselves +$7,200",
    ] {
        assert!(text.contains(fact), "`{fact}` is missing in\n{text}");
    }
}

#[test]
fn a_discount_holds_for_the_rate_too() {
    let folder = office("rates-discount");
    let discount = ["--set", "pricing.discounts.switch=0.2"];
    designed(&folder, "old", OLD, "EUR 30,000", "$220", &discount);
    designed(&folder, "new", NEW, "EUR 30,000", "$220", &discount);
    // 2 · 30,000 · 0.8 · 0.10; transceivers are quoted in dollars.
    is(&diff(&folder), 4_800.0, 4_800.0, &[("exchange-rate-changed", 4_800.0)]);
}

#[test]
fn a_quote_that_falls_as_the_rate_rises_shows_both() {
    let folder = office("rates-against");
    designed(&folder, "old", OLD, "EUR 30,000", "$220", &[]);
    designed(&folder, "new", NEW, "EUR 27,500", "$220", &[]);
    // 30,000 · 1.10 = 27,500 · 1.20: the dollars are the same, and nothing of the bill moved.
    let found = diff(&folder);
    is(&found, 0.0, 6_000.0, &[("prices-changed", -6_000.0), ("exchange-rate-changed", 6_000.0)]);
}

#[test]
fn another_currency_is_another_quote() {
    let folder = office("rates-currency");
    designed(&folder, "old", OLD, "EUR 30,000", "$220", &[]);
    designed(&folder, "new", "", "$34,000", "$220", &[]);
    // 2 · (34,000 − 33,000), and no rate did it.
    is(&diff(&folder), 2_000.0, 0.0, &[("prices-changed", 2_000.0)]);
}

#[test]
fn a_rate_that_nothing_on_the_bill_is_priced_at_says_so() {
    let folder = office("rates-unused");
    let spare = |usd: &str| format!("prices.qm9700=EUR {usd}");
    let rate = |usd: &str| format!("pricing.rates.EUR={{ usd = {usd}, date = \"2026-09\" }}");
    for (name, usd) in [("old", "1.10"), ("new", "1.20")] {
        let (price, rate) = (spare("40,000"), rate(usd));
        designed(&folder, name, "", "$33,000", "$220", &["--set", &price, "--set", &rate]);
    }
    let found = diff(&folder);
    is(&found, 0.0, 0.0, &[("exchange-rate-changed", 0.0)]);
    let text = found["causes"][0]["text"].as_str().expect("a sentence");
    assert_eq!(
        text,
        "1 exchange rate changed: EUR 1.1 to 1.2 USD (+9.1 %): nothing on the bill is priced at it"
    );
}

#[test]
fn a_result_whose_rate_is_none_is_refused() {
    let folder = office("rates-unsound");
    designed(&folder, "old", OLD, "EUR 30,000", "EUR 200", &[]);
    let text = fs::read_to_string(folder.join("old.json")).expect("it was written");
    let mut result: Value = serde_json::from_str(&text).expect("it is JSON");
    result.as_object_mut().expect("a table").remove("digest");
    for (place, key) in
        [("/inputs/exchange/n9600-64od", "inputs.exchange"), ("/bom/2/exchange", "bom.exchange")]
    {
        let mut changed = result.clone();
        changed.pointer_mut(place).expect("it is there")["usd"] = Value::from(0.0);
        fs::write(folder.join("new.json"), changed.to_string()).expect("the folder is there");
        let refused = planner_in(&folder, &["diff", "old.json", "new.json"]);
        assert_eq!(refused.status, 2, "{}", refused.stdout);
        assert!(refused.stderr.contains(key), "{}", refused.stderr);
    }
}
