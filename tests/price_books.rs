//! Prices as a buyer brings them: a book of one's own, discounts, mark-ups, currencies, and the age of
//! what is on the bill.

#[allow(dead_code, reason = "nothing is fed here")]
#[path = "support/program.rs"]
mod program;

use std::fs;
use std::path::Path;

use planner::hardware::{Basis, Item};
use planner::spec::{Override, Source, presets, price_book, read, read_with};
use planner::units::Usd;
use program::{fresh_folder, planner_in};
use serde_json::Value;

/// The example of docs/prices.md: the first block is a book, the second terms of a spec.
fn example(place: usize) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/prices.md");
    let page = fs::read_to_string(path).expect("the page is part of the project");
    let block = page.split("```toml\n").nth(place + 1).expect("there are two blocks");
    block.split("```").next().unwrap_or_default().to_owned()
}

fn starter(more: &str) -> Source {
    let ready = presets::ready("starter").expect("it ships");
    Source::new("model.toml", ready.text + "\n" + more)
}

fn price(more: &str, sets: &[&str], part: &str) -> (f64, String) {
    let book = price_book(&Source::new("prices.toml", example(0))).expect("the page is right");
    let sets: Vec<Override> = sets.iter().map(|set| Override::new(*set)).collect();
    let scenario = read_with(&starter(more), &sets, Some(&book));
    let scenario = scenario.unwrap_or_else(|problems| panic!("{problems}"));
    let price = &scenario.prices.prices[&Item::Part(part.to_owned())];
    (price.amount.get(), price.source.clone())
}

#[test]
fn the_book_of_the_page_is_one() {
    let book = price_book(&Source::new("prices.toml", example(0))).expect("the page is right");
    assert_eq!(book.name, "contract 2026");
    let switch = &book.prices[&Item::Part("n9600-64od".into())];
    assert!((switch.amount.get() - 33_894.0 * 1.16).abs() < 1e-6);
    assert_eq!(
        (switch.date.as_str(), switch.basis, switch.source.as_str()),
        ("2026-10", Basis::User, "framework contract 4711; at 1.16 USD per EUR of 2026-09-15")
    );
    assert_eq!(book.prices[&Item::Transceiver(400)].basis, Basis::List);
    assert_eq!(book.prices[&Item::Electricity].amount, Usd::of(0.078));
}

#[test]
fn each_layer_lies_over_the_one_before() {
    // The user's book over the shipped one, and the shipped one where it says nothing.
    assert_eq!(price("", &[], "n9600-64od").0, 33_894.0 * 1.16);
    assert_eq!(price("", &[], "sn5600").0, 51_999.0);
    // Terms on both: the nearest holds, and a mark-up comes on after a discount.
    let terms = example(1);
    assert_eq!(price(&terms, &[], "n9600-64od").0, 33_894.0 * 1.16 * (1.0 - 0.15) * (1.0 + 0.05));
    let (qm9700, source) = price(&terms, &[], "qm9700");
    let list = price("", &[], "qm9700").0;
    assert_eq!(qm9700, list * (1.0 - 0.2) * (1.0 + 0.05));
    assert!(source.ends_with(", less 20 %, plus 5 %"), "{source}");
    // The spec's own prices are net.
    let own = ["prices.n9600-64od=EUR 30000"];
    let (amount, source) = price(&terms, &own, "n9600-64od");
    assert_eq!(
        (amount, source.as_str()),
        (30_000.0 * 1.16, "the spec; at 1.16 USD per EUR of 2026-09-15")
    );
}

#[test]
fn electricity_has_no_terms_but_its_own() {
    let kwh = |more: &str| {
        let scenario = read(&starter(more), &[]).unwrap_or_else(|problems| panic!("{problems}"));
        scenario.prices.prices[&Item::Electricity].amount.get()
    };
    let plain = kwh("");
    assert_eq!(kwh("[pricing]\nmark_ups = { all = 0.5 }"), plain);
    assert_eq!(kwh("[pricing]\nmark_ups = { electricity = 0.5 }"), plain * 1.5);
}

#[track_caller]
fn refused(text: &str, message: &str) {
    let problems = match price_book(&Source::new("prices.toml", text)) {
        Ok(book) => panic!("accepted: {book:?}"),
        Err(problems) => problems.render(false),
    };
    assert!(problems.contains(message), "{problems}");
}

#[test]
fn what_is_wrong_with_a_book_is_told_in_its_place() {
    let entry = |rest: &str| format!("name = \"x\"\n[[price]]\n{rest}\n");
    refused("", "is empty");
    refused("name = \"x\"\n", "`price` is missing");
    refused(&entry("item = \"a\""), "`price.price` is missing");
    refused(&entry("price = \"$1\""), "`price.item` is missing");
    refused(&entry("item = \"nic\"\nprice = \"$1\""), "`price.rate` is missing");
    refused(&entry("item = \"a\"\nprice = \"1\""), "not an amount of money");
    refused(&entry("item = \"a\"\nprice = \"¥1\""), "not an amount of money");
    refused(&entry("item = \"a\"\nprice = \"GBP 1\""), "there is no rate for `GBP`");
    refused(&entry("item = \"a\"\nprice = \"$1\"\nprize = 1"), "did you mean `price`?");
    refused(
        &entry("item = \"a\"\nprice = \"$1\"\n[[price]]\nitem = \"a\"\nprice = \"$2\""),
        "`a` is priced twice",
    );
    refused("name = \"x\"\n[rates]\neur = { usd = 1, date = \"2026\" }\n", "in capitals");
    refused("name = \"x\"\n[rates]\nEUR = { usd = 1.1 }\n", "a rate has a value and a date");
    refused("name = \"x\"\n[rates]\nEUR = { usd = 1.1, date = \"today\" }\n", "a date such as");
}

#[test]
fn slips_in_terms_are_told_too() {
    let told = |more: &str, message: &str| {
        let problems = read(&starter(more), &[]).expect_err("it is wrong").render(false);
        assert!(problems.contains(message), "{problems}");
    };
    told("[pricing]\nas_of = \"soon\"", "a month such as 2026-11");
    told("[pricing]\ndiscounts = { swich = 0.1 }", "did you mean `switch`?");
    told("[pricing]\ndiscounts = { switch = 1.5 }", "a number from 0 to 1");
    told("[prices]\n\"qm9700\" = \"EUR 5\"", "there is no rate for `EUR`");
}

fn design(folder: &Path, more: &[&str]) -> Value {
    let arguments = [&["design", "starter", "--format", "json"], more].concat();
    let done = planner_in(folder, &arguments);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    serde_json::from_str(&done.stdout).expect("it is JSON")
}

#[test]
fn the_program_takes_a_book_and_says_what_is_old() {
    let folder = fresh_folder("price-books");
    fs::write(folder.join("ours.toml"), example(0)).expect("own folder");
    let plain = design(&folder, &[]);
    let ours = design(&folder, &["--prices", "ours.toml"]);
    assert_eq!(plain["inputs"]["price_book"], "street-2026");
    assert_eq!(ours["inputs"]["price_book"], "contract 2026 over street-2026");
    assert_ne!(plain["cost"]["opex_usd_per_year"], ours["cost"]["opex_usd_per_year"]);

    let codes = |result: &Value| -> Vec<String> {
        let warnings = result["warnings"].as_array().expect("a list");
        warnings.iter().map(|of| of["code"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert!(!codes(&plain).contains(&"W09".to_owned()), "no clock is read");
    let later = design(&folder, &["--set", "pricing.as_of=2026-11"]);
    let text = later["warnings"].as_array().expect("a list").iter();
    let text: Vec<&str> =
        text.filter(|of| of["code"] == "W09").filter_map(|of| of["text"].as_str()).collect();
    // The machine's price is of August 2024: 27 months; network prices are of 2025 and later.
    assert_eq!(
        text,
        ["prices up to 27 months old in 2026-11: dgx-h100 of 2024-08; ask again before you sign"]
    );
    let patient =
        design(&folder, &["--set", "pricing.as_of=2026-11", "--set", "pricing.max_age_months=27"]);
    assert!(!codes(&patient).contains(&"W09".to_owned()));

    let slip = planner_in(&folder, &["design", "starter", "--prices", "missing.toml"]);
    assert_eq!(slip.status, 2);
    assert!(slip.stderr.contains("can't read `missing.toml`"), "{}", slip.stderr);
}

#[test]
fn a_part_without_a_price_is_visible_everywhere() {
    let folder = fresh_folder("price-not-found");
    let new = "hardware.switches.mine={ ports = 64, port_speed = \"100 Gb/s\", power = \"500 W\" }";
    let sets = ["--set", new, "--set", "cluster.switches=mine", "--set", "cluster.nic=hdr-200g"];
    let result =
        planner_in(&folder, &[&["design", "starter", "--format", "json"], &sets[..]].concat());
    if result.status != 0 {
        panic!("{}", result.stderr);
    }
    let result: Value = serde_json::from_str(&result.stdout).expect("it is JSON");
    for line in result["bom"].as_array().expect("a bill") {
        assert_eq!(line["price_not_found"], line["unit_usd"].is_null(), "{line}");
    }
}
