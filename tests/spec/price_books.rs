//! Prices as a buyer brings them: a book of one's own, discounts, mark-ups, currencies, and the age of
//! what is on the bill.

mod bad_inputs;
mod bill;
#[allow(dead_code, reason = "nothing is fed here")]
use std::fs;
use std::path::Path;

use planner::hardware::{PriceBasis, PricedItem};
use planner::spec::{Override, SpecText, presets, price_book, read_scenario, read_with};
use planner::units::Usd;
use serde_json::Value;

use crate::support::program::{fresh_folder, planner_in};

/// The example of docs/prices.md: the first block is a book, the third terms of a spec.
fn example(place: usize) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/prices.md");
    let page = fs::read_to_string(path).expect("the page is part of the project");
    let block = page.split("```toml\n").nth(place + 1).expect("there are three blocks");
    block.split("```").next().unwrap_or_default().to_owned()
}

fn starter(more: &str) -> SpecText {
    let ready = presets::ready_spec("starter").expect("it ships");
    SpecText::new("model.toml", ready.text + "\n" + more)
}

fn price(more: &str, sets: &[&str], part: &str) -> (f64, String) {
    let book = price_book(&SpecText::new("prices.toml", example(0))).expect("the page is right");
    let sets: Vec<Override> = sets.iter().map(|set| Override::new(*set)).collect();
    let scenario = read_with(&starter(more), &sets, Some(&book));
    let scenario = scenario.unwrap_or_else(|problems| panic!("{problems}"));
    let price = &scenario.prices.prices[&PricedItem::Part(part.to_owned())];
    (price.amount.get(), price.source.clone())
}

#[test]
fn the_book_of_the_page_is_one() {
    let book = price_book(&SpecText::new("prices.toml", example(0))).expect("the page is right");
    let book = book.prices;
    assert_eq!(book.name, "contract 2026");
    let switch = &book.prices[&PricedItem::Part("n9600-64od".into())];
    assert!((switch.amount.get() - 33_894.0 * 1.16).abs() < 1e-6);
    assert_eq!(
        (switch.date.as_str(), switch.basis, switch.source.as_str()),
        ("2026-10", PriceBasis::User, "framework contract 4711; at 1.16 USD per EUR of 2026-09-15")
    );
    assert_eq!(book.prices[&PricedItem::Transceiver(400)].basis, PriceBasis::List);
    assert_eq!(book.prices[&PricedItem::Electricity].amount, Usd::from_f64(0.078));
}

#[test]
fn each_layer_lies_over_the_one_before() {
    // The user's book over the shipped one, and the shipped one where it says nothing.
    assert_eq!(price("", &[], "n9600-64od").0, 33_894.0 * 1.16);
    assert_eq!(price("", &[], "sn5600").0, 51_999.0);
    // Terms on both: the nearest holds, and a mark-up comes on after a discount.
    let terms = example(2);
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
        let scenario =
            read_scenario(&starter(more), &[]).unwrap_or_else(|problems| panic!("{problems}"));
        scenario.prices.prices[&PricedItem::Electricity].amount.get()
    };
    let plain = kwh("");
    assert_eq!(kwh("[pricing]\nmark_ups = { all = 0.5 }"), plain);
    assert_eq!(kwh("[pricing]\nmark_ups = { electricity = 0.5 }"), plain * 1.5);
}

#[test]
fn a_price_of_a_gpu_is_said_to_have_no_effect() {
    let gpu = "[hardware.gpus.h100]\nprice = \"$1\"";
    let topics = |more: &str| {
        let scenario =
            read_scenario(&starter(more), &[]).unwrap_or_else(|problems| panic!("{problems}"));
        scenario
            .assumptions
            .iter()
            .filter(|assumption| assumption.topic == "hardware.gpus.h100.price")
            .count()
    };
    assert_eq!((topics(""), topics(gpu)), (0, 1));
}

#[track_caller]
fn refused(text: &str, message: &str) {
    let problems = match price_book(&SpecText::new("prices.toml", text)) {
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
fn an_amount_that_could_be_two_is_refused_in_its_place() {
    let entry =
        |money: &str| format!("name = \"x\"\n[[price]]\nitem = \"qm9700\"\nprice = \"{money}\"\n");
    for (money, readings) in [
        ("€ 33.894,00", "could mean 33,894.00"),
        ("EUR 33894,50", "could mean 33,894.50 or 3,389,450"),
        ("EUR 33.894", "could mean 33,894 or 33.8940"),
        ("$1,5", "could mean 1.5 or 15"),
        ("$0,078", "could mean 0.078 or 78"),
    ] {
        refused(&entry(money), readings);
        refused(&entry(money), " --> prices.toml:4:9\n");
        refused(&entry(money), "a point stands before decimals");
    }
    for (money, usd) in [("$33,894.50", 33_894.5), ("$1.125k", 1125.0), ("$0.078", 0.078)] {
        let book = price_book(&SpecText::new("prices.toml", entry(money))).expect("one meaning");
        assert_eq!(
            book.prices.prices[&PricedItem::Part("qm9700".into())].amount,
            Usd::from_f64(usd)
        );
    }
}

#[test]
fn a_date_is_one_of_the_calendar() {
    let book = |date: &str| {
        format!("name = \"x\"\n[[price]]\nitem = \"qm9700\"\nprice = \"$1\"\ndate = \"{date}\"\n")
    };
    for date in ["next week", "2026-02-30", "2025-02-29", "2026-13", "26-07", "Q3 2026"] {
        refused(&book(date), &format!("`price.date` is {date}, but has to be a date such as"));
        refused(&book(date), " --> prices.toml:5:8\n");
    }
    for date in ["2026", "2026-07", "2026-07-31", "2024-02-29"] {
        let book = price_book(&SpecText::new("prices.toml", book(date))).expect("it is a date");
        assert_eq!(book.prices.prices[&PricedItem::Part("qm9700".into())].date, date);
    }
    let own = "[prices]\nqm9700 = { price = \"$1\", date = \"next week\" }";
    let problems = read_scenario(&starter(own), &[]).expect_err("it is no date").render(false);
    assert!(problems.contains("`prices.qm9700.date` is next week"), "{problems}");
}

/// What a book says of items that the starter has not: each is refused, in its place in the book.
#[track_caller]
fn unknown(entry: &str, message: &str, place: &str, hint: &str) {
    let text = format!("name = \"x\"\n[[price]]\nprice = \"$1\"\n{entry}\n");
    let book =
        price_book(&SpecText::new("ours.toml", text)).expect("what it prices the spec decides");
    let problems = read_with(&starter(""), &[], Some(&book)).expect_err("nothing has that price");
    let told = problems.render(false);
    for fact in [message, place, hint, "1 problem in ours.toml"] {
        assert!(told.contains(fact), "`{fact}` is missing in\n{told}");
    }
}

#[test]
fn a_price_of_what_no_part_is_is_refused_in_its_place() {
    unknown(
        "item = \"n9600-64oe\"",
        "`price.item`: there is no part `n9600-64oe`",
        " --> ours.toml:4:8\n",
        "did you mean `n9600-64od`?",
    );
    unknown(
        "item = \"electricty\"",
        "no part `electricty`",
        ":4:8\n",
        "did you mean `electricity`?",
    );
    unknown("item = \"paint\"", "no part `paint`", ":4:8\n", "known parts: dgx-a100");
    unknown(
        "item = \"transceiver\"\nrate = \"40 Gb/s\"",
        "`price.rate`: there is no line rate `40 Gb/s`",
        " --> ours.toml:5:8\n",
        "400 Gb/s",
    );
    // A part of the spec's own has a price like any other.
    let mine = "[hardware.switches.mine]\nports = 64\nport_speed = \"96 Gb/s\"\npower = \"1 kW\"\n";
    let text = "name = \"x\"\n[[price]]\nprice = \"$1\"\nitem = \"mine\"\n[[price]]\nprice = \"$1\"\nitem = \"switch-port\"\nrate = \"96 Gb/s\"\n";
    let book = price_book(&SpecText::new("ours.toml", text)).expect("it is a book");
    assert!(read_with(&starter(mine), &[], Some(&book)).is_ok());
    assert!(read_with(&starter(""), &[], Some(&book)).is_err());
    let both = read_with(&starter("[prices]\nqm9800 = \"$1\""), &[], Some(&book));
    let told = both.expect_err("both are wrong").render(false);
    assert!(told.contains("3 problems in model.toml and ours.toml"), "{told}");
    // A rate beside a part's name would have no effect.
    refused(
        "name = \"x\"\n[[price]]\nitem = \"qm9700\"\nrate = \"400 Gb/s\"\nprice = \"$1\"\n",
        "`qm9700` is priced by its name",
    );
    refused(
        "name = \"x\"\n[[price]]\nitem = \"qm9700\"\nprice = \"$1\"\nlow = \"EUR 1\"\n",
        "there is no rate for `EUR`",
    );
}

#[test]
fn slips_in_terms_are_told_too() {
    let told = |more: &str, message: &str| {
        let problems = read_scenario(&starter(more), &[]).expect_err("it is wrong").render(false);
        assert!(problems.contains(message), "{problems}");
    };
    told("[pricing]\nas_of = \"soon\"", "a month such as 2026-11");
    told("[pricing]\ndiscounts = { swich = 0.1 }", "did you mean `switch`?");
    told("[pricing]\ndiscounts = { switch = 1.5 }", "a number from 0 to 0.99");
    told("[prices]\n\"qm9700\" = \"EUR 5\"", "there is no rate for `EUR`");
    told("[prices]\n\"transceiver-40g\" = \"$5\"", "there is no part `transceiver-40g`");
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
        warnings.iter().map(|value| value["code"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert!(!codes(&plain).contains(&"W09".to_owned()), "no clock is read");
    let machine = "prices.dgx-h100={price=\"$310000\",date=\"2024-08\"}";
    let later = design(&folder, &["--set", "pricing.as_of=2026-11", "--set", machine]);
    let text = later["warnings"].as_array().expect("a list").iter();
    let text: Vec<&str> = text
        .filter(|value| value["code"] == "W09")
        .filter_map(|value| value["text"].as_str())
        .collect();
    // The machine's price is of August 2024: 27 months; network prices are of 2025 and later.
    assert_eq!(
        text,
        ["prices up to 27 months old in 2026-11: dgx-h100 of 2024-08; ask again before you sign"]
    );
    // A price is old from the first month past the limit on, and not before.
    for (limit, old) in [("26", true), ("27", false), ("28", false)] {
        let limit = format!("pricing.max_age_months={limit}");
        let sets = ["--set", "pricing.as_of=2026-11", "--set", machine, "--set", &limit];
        assert_eq!(codes(&design(&folder, &sets)).contains(&"W09".to_owned()), old, "{limit}");
    }

    let slip = planner_in(&folder, &["design", "starter", "--prices", "missing.toml"]);
    assert_eq!(slip.status, 2);
    assert!(slip.stderr.contains("can't read `missing.toml`"), "{}", slip.stderr);
}

/// The book's newest price that states a month is of September 2026, the A100's of May 2020: where it is
/// chosen among several that says so, and where it is named or its price is new it does not.
#[test]
fn a_product_that_wins_by_an_old_price_says_so() {
    let folder = fresh_folder("price-books-old");
    let text = |sets: &[&str]| -> Vec<String> {
        let result = design(&folder, sets);
        let warnings = result["warnings"].as_array().expect("a list").iter();
        let old = warnings.filter(|value| value["code"] == "W09");
        old.filter_map(|value| value["text"].as_str().map(str::to_owned)).collect()
    };
    let nodes = "cluster.node=[\"dgx-a100-80gb\", \"dgx-h100\"]";
    let two = ["--set", nodes, "--set", "objective.minimize=capex"];
    let [told] = &text(&two)[..] else { panic!("{:?}", text(&two)) };
    assert!(told.contains("76 months older than the newest of the book (2026-09)"), "{told}");
    assert!(told.contains("dgx-a100-80gb of 2020-05"), "{told}");
    assert_eq!(text(&["--set", "cluster.node=dgx-a100-80gb"]), Vec::<String>::new());
    let price = "prices.dgx-a100-80gb={price=\"$199000\", date=\"2026-09\"}";
    assert_eq!(text(&[&two[..], &["--set", price]].concat()), Vec::<String>::new());
}

#[test]
fn a_part_without_a_price_is_visible_everywhere() {
    let folder = fresh_folder("price-not-found");
    let new = "hardware.switches.mine={ ports = 64, port_speed = \"100 Gb/s\", power = \"500 W\" }";
    let sets = ["--set", new, "--set", "cluster.switches=mine", "--set", "cluster.nic=hdr-200g"];
    let sets = [&sets[..], &["--set", "cluster.links=by-end"]].concat();
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

#[test]
fn electricity_without_a_price_is_said_and_not_taken_for_free() {
    let folder = fresh_folder("price-of-power");
    let book = ["--set", "cluster.prices=rail-only-2024", "--set", "cluster.node=dgx-h100"];
    let poor = design(&folder, &book);
    assert_eq!(poor["cost"]["opex_usd_per_year"], 0.0);
    let names = poor["cost"]["unpriced"].as_array().expect("a list");
    assert!(names.contains(&Value::from("electricity")), "{names:?}");
    let warned = poor["warnings"].as_array().expect("a list").iter();
    let told =
        warned.filter(|value| value["code"] == "W02").filter_map(|value| value["text"].as_str());
    assert!(told.into_iter().any(|text| text.contains("electricity")), "{}", poor["warnings"]);
    let set = [&book[..], &["--set", "prices.electricity=$0.10"]].concat();
    let rich = design(&folder, &set);
    let names = rich["cost"]["unpriced"].as_array().expect("a list");
    assert!(!names.contains(&Value::from("electricity")), "{names:?}");
}
