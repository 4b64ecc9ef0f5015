//! More than a hundred inputs with money in them that are wrong: each is refused by a message that names
//! the place and what to do, so that no price is taken for another and none is ignored. What a message
//! has to say stands beside each input; the whole of all messages is in `bad_inputs.txt`, to be read as a
//! buyer would: `BLESS=1 cargo test --test inputs bad_inputs` writes it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use planner::spec::{SpecText, price_book, read_with};

/// The spec that everything stands beside.
const SPEC: &str = "[model]\npreset = \"llama3-8b\"\n[training]\nglobal_batch = 64\n[cluster]\ngpus = 16\n\
                    node = \"dgx-h100\"\n";

/// A price beside the starter, in `[prices]`, and what the message says.
const AMOUNTS: [(&str, &str); 50] = [
    ("€ 33.894,00", "could mean 33,894.00"),
    ("EUR 33.894,00", "could mean 33,894.00"),
    ("$33.894,00", "could mean 33,894.00"),
    ("$33,89", "could mean 33.89 or 3,389"),
    ("$33,8940", "could mean 33.8940 or 338,940"),
    ("$33.894", "could mean 33,894 or 33.8940"),
    ("$1.2.3", "could mean 123"),
    ("$1.000.000", "could mean 1,000,000"),
    ("$1,000,00", "could mean 100,000"),
    ("$1_", "could mean 1"),
    ("$1__0", "could mean 10"),
    ("$1,", "could mean 1"),
    ("£1.000,5", "could mean 1,000.5"),
    ("33894", "not an amount of money"),
    ("$", "not an amount of money"),
    ("$-5", "not an amount of money"),
    ("-$5", "not an amount of money"),
    ("$1e", "not an amount of money"),
    ("$1e400", "not an amount of money"),
    ("$NaN", "not an amount of money"),
    ("$inf", "not an amount of money"),
    ("$0x10", "not an amount of money"),
    ("$1 000", "not an amount of money"),
    ("$1'000", "not an amount of money"),
    ("$5kk", "not an amount of money"),
    ("$5T", "not an amount of money"),
    ("US$5", "not an amount of money"),
    ("usd 5", "not an amount of money"),
    ("EURO 5", "not an amount of money"),
    ("¥5", "not an amount of money"),
    ("5$", "not an amount of money"),
    ("$5 USD", "not an amount of money"),
    ("$5-6", "not an amount of money"),
    ("$5%", "not an amount of money"),
    ("$½", "not an amount of money"),
    ("free", "not an amount of money"),
    ("", "not an amount of money"),
    ("CHF 5", "there is no rate for `CHF`"),
    ("$1e99", "not an amount of money"),
    ("$,", "separators in places where a number has none"),
    ("$0", "a price of nothing"),
    ("$0.00", "a price of nothing"),
    ("$0.00001", "a price of nothing"),
    ("EUX 5", "there is no currency `EUX`"),
    ("DEM 5", "there is no currency `DEM`"),
    ("XAU 5", "there is no currency `XAU`"),
    ("BTC 5", "there is no currency `BTC`"),
    ("$99999999999999", "a price that exists"),
    ("$5/unit", "not an amount of money"),
    ("~$5", "not an amount of money"),
];

/// A book's entry after `[[price]]`, or a whole book where it names itself, and what the message says.
const BOOKS: [(&str, &str); 58] = [
    ("item=\"n9600-64-od\"\nprice=\"$1\"", "did you mean `n9600-64od`?"),
    ("item=\"QM9700\"\nprice=\"$1\"", "did you mean `qm9700`?"),
    ("item=\"qm 9700\"\nprice=\"$1\"", "did you mean `qm9700`?"),
    ("item=\"ndr-400\"\nprice=\"$1\"", "did you mean `ndr-400g`?"),
    ("item=\"Electricity\"\nprice=\"$1\"", "did you mean `electricity`?"),
    ("item=\"host memory\"\nprice=\"$1\"", "did you mean `host-memory`?"),
    ("item=\"transciever\"\nrate=\"400 Gb/s\"\nprice=\"$1\"", "did you mean `transceiver`?"),
    ("item=\"switchport\"\nrate=\"400 Gb/s\"\nprice=\"$1\"", "did you mean `switch-port`?"),
    ("item=\"transceiver-400g\"\nprice=\"$1\"", "did you mean `transceiver`?"),
    ("item=\"h100\"\nprice=\"$1\"", "there is no part `h100`"),
    ("item=\"llama3-8b\"\nprice=\"$1\"", "there is no part `llama3-8b`"),
    ("item=\"\"\nprice=\"$1\"", "text that says something"),
    ("item=9700\nprice=\"$1\"", "has to be text in quotes"),
    ("price=\"$1\"", "`price.item` is missing"),
    ("item=\"qm9700\"", "`price.price` is missing"),
    ("item=\"qm9700\"\nprice=33894", "with its currency, in quotes"),
    ("item=\"nic\"\nprice=\"$1\"", "`price.rate` is missing"),
    ("item=\"nic\"\nrate=\"400\"\nprice=\"$1\"", "`400` has no unit"),
    ("item=\"nic\"\nrate=400\nprice=\"$1\"", "a bandwidth with its unit"),
    ("item=\"nic\"\nrate=\"0 Gb/s\"\nprice=\"$1\"", "a bandwidth that exists"),
    ("item=\"nic\"\nrate=\"450 Gb/s\"\nprice=\"$1\"", "did you mean `400 Gb/s`?"),
    ("item=\"nic\"\nrate=\"399.6 Gb/s\"\nprice=\"$1\"", "a line rate of whole Gb/s"),
    ("item=\"qm9700\"\nrate=\"400 Gb/s\"\nprice=\"$1\"", "so a rate has no effect"),
    ("item=\"electricity\"\nrate=\"1 Gb/s\"\nprice=\"$1\"", "so a rate has no effect"),
    ("item=\"qm9700\"\nprice=\"$1\"\nlow=\"$2\"", "outside its range"),
    ("item=\"qm9700\"\nprice=\"$3\"\nhigh=\"$2\"", "outside its range"),
    ("item=\"qm9700\"\nprice=\"$3\"\nlow=\"2\"", "not an amount of money"),
    ("item=\"qm9700\"\nprice=\"$3\"\nlow=\"EUR 2\"", "there is no rate for `EUR`"),
    ("item=\"qm9700\"\nprice=\"$3\"\nbasis=\"lst\"", "did you mean `list`?"),
    ("item=\"qm9700\"\nprice=\"$3\"\ndate=\"13/2026\"", "a date such as"),
    ("item=\"qm9700\"\nprice=\"$3\"\ncurrency=\"EUR\"", "unknown key `currency`"),
    ("item=\"qm9700\"\nprice=\"$3\"\nquantity=10", "unknown key `quantity`"),
    ("item=\"qm9700\"\nprize=\"$3\"", "did you mean `price`?"),
    ("item=\"qm9700\"\nprice=\"$3\"\n[[price]]\nitem=\"qm9700\"\nprice=\"$4\"", "priced twice"),
    ("name=\"b\"\n[price]\nqm9700=\"$3\"", "write `[[price]]` in front of each"),
    ("name=\"b\"\nprice=[]", "the book prices nothing"),
    (
        "name=\"b\"\nprice=[{item=\"qm9700\",price=\"$3\"}]\n[rates]\nUSD={usd=1.1,date=\"2026\"}",
        "prices are in US dollars already",
    ),
    (
        "name=\"b\"\nprice=[{item=\"qm9700\",price=\"$3\"}]\n[rates]\nEURO={usd=1.1,date=\"2026\"}",
        "a currency in use (ISO 4217)",
    ),
    (
        "name=\"b\"\nprice=[{item=\"qm9700\",price=\"$3\"}]\n[rates]\nEUR={usd=0,date=\"2026\"}",
        "a number from",
    ),
    (
        "name=\"b\"\nprice=[{item=\"qm9700\",price=\"$3\"}]\n[rates]\nEUR={usd=1.1}",
        "a rate has a value and a date",
    ),
    ("item=\"qm9700\"\nprice=\"$0\"", "a price of nothing"),
    ("item=\"nic\"\nrate=\"400 Gb/s\"\nprice=\"$0\"", "a price of nothing"),
    ("item=\"electricity\"\nprice=\"$0\"", "a price of nothing"),
    ("item=\"electricity\"\nprice=\"$78\"", "a price of a MWh is 1,000 times"),
    ("item=\"qm9700\"\nprice=\"$3\"\nbasis=\"included\"", "has one of its own"),
    ("item=\"qm9700\"\nprice=\"$3\"\nlow=\"$0\"", "a range from a price of nothing"),
    ("item=\"qm9700\"\nprice=\"$3\"\ndate=\"2999-01\"", "of 2000 to 2049"),
    ("item=\"qm9700\"\nprice=\"$3\"\ndate=\"2041-03\"", "years after every price that ships"),
    ("item=\"qm9700\"\nprice=\"$3\"\ndate=\"1926-09\"", "of 2000 to 2049"),
    ("name=\"b\"\ndate=\"2999-01\"\nprice=[{item=\"qm9700\",price=\"$3\"}]", "of 2000 to 2049"),
    (
        "name=\"b\"\ndate=\"2045\"\nprice=[{item=\"qm9700\",price=\"$3\"}]",
        "the book is of 2045, years after every price that ships",
    ),
    (
        "name=\"b\"\nprice=[{item=\"qm9700\",price=\"$3\"}]\n[rates]\nEUR={usd=1.1,date=\"2026\"}",
        "nothing here is quoted in `EUR`",
    ),
    (
        "name=\"b\"\nprice=[{item=\"qm9700\",price=\"$3\"}]\n[rates]\nEUX={usd=1.1,date=\"2026\"}",
        "a currency in use (ISO 4217)",
    ),
    (
        "name=\"b\"\nprice=[{item=\"qm9700\",price=\"$3\"}]\n[rates]\nHRK={usd=0.15,date=\"2026\"}",
        "a currency in use (ISO 4217)",
    ),
    (
        "name=\"b\"\nprice=[{item=\"qm9700\",price=\"JPY 3000\"}]\n[rates]\nJPY={usd=150,date=\"2026\"}",
        "state US dollars for one JPY",
    ),
    (
        "name=\"b\"\nprice=[{item=\"qm9700\",price=\"EUR 3\"}]\n[rates]\nEUR={usd=1.1,date=\"2043\"}",
        "the rate of `EUR` is of 2043",
    ),
    ("name=\"b\"\nprice=[{item=\"qm9700\",price=\"EUX 3\"}]", "there is no currency `EUX`"),
    ("date=\"2026-09\"\nprice=[{item=\"qm9700\",price=\"$3\"}]", "`name` is missing"),
];

/// Lines of a spec, and what the message says.
const SPECS: [(&str, &str); 57] = [
    ("[installation]\nhours_per_cabel=1", "did you mean `hours_per_cable`?"),
    ("[installation]\nhours_per_cable=-1", "a number from 0"),
    ("[installation]\nhours_per_switch=\"2 h\"", "a number from 0"),
    ("[prices]\nlabor=\"$1\"", "did you mean `labour`?"),
    ("[prices]\nqm97000=\"$1\"", "did you mean `qm9700`?"),
    ("[prices]\nh100=\"$1\"", "there is no part `h100`"),
    ("[prices]\nqm9700=3", "with its currency, in quotes"),
    ("[prices]\nqm9700={prce=\"$1\"}", "did you mean `price`?"),
    ("[prices]\nqm9700={price=\"$1\",low=\"$2\"}", "outside its range"),
    ("[prices]\nqm9700=\"EUR 1\"", "there is no rate for `EUR`"),
    ("[prices]\ntransceiver-450g=\"$1\"", "did you mean `transceiver-400g`?"),
    ("[prices]\ntransceiver-0400g=\"$1\"", "did you mean `transceiver-400g`?"),
    ("[prices]\ntransceiver-400G=\"$1\"", "did you mean `transceiver-400g`?"),
    ("[pricing]\ndiscounts={qm97=0.1}", "did you mean `qm9700`?"),
    ("[pricing]\ndiscounts={switches=0.1}", "did you mean `switch`?"),
    ("[pricing]\ndiscounts={electricty=0.1}", "did you mean `electricity`?"),
    ("[pricing]\ndiscounts={switch=15}", "a number from 0 to 0.99 (15 % is 0.15)"),
    ("[pricing]\ndiscounts={switch=\"15 %\"}", "a number from 0 to 0.99"),
    ("[pricing]\nmark_ups={all=-1}", "a number from 0 to 2"),
    ("[pricing]\ndiscount={switch=0.1}", "did you mean `discounts`?"),
    ("[pricing]\nas_of=\"2026-13\"", "a month such as 2026-11"),
    ("[pricing]\nmax_age_months=1.5", "a whole number"),
    ("[pricing]\nrates={EUR={usd=1.1}}", "a rate has a value and a date"),
    ("[inventory]\nqm97=3", "did you mean `qm9700`?"),
    ("[inventory]\nqm9700=-3", "a whole number from 0"),
    ("[limits]\nbudget=\"33.894,00\"", "starts with `$`"),
    ("[limits]\nsupply={qm97=5}", "did you mean `qm9700`?"),
    ("[prices]\nqm9700={price=\"$0\",basis=\"list\"}", "a price of nothing"),
    ("[prices]\nqm9700={price=\"$3\",basis=\"included\"}", "has one of its own"),
    ("[prices]\nelectricity=\"$0\"", "a price of nothing"),
    ("[prices]\nelectricity=\"$95\"", "a price of a MWh is 1,000 times"),
    ("[prices]\ntransceiver-400g=\"$0\"", "a price of nothing"),
    ("[prices]\nqm9700={price=\"$3\",date=\"2999-01\"}", "of 2000 to 2049"),
    ("[prices]\nqm9700={price=\"$3\",date=\"2040\"}", "say when that is planned in"),
    (
        "[prices]\nqm9700={price=\"$3\",date=\"2027-02\"}\n[pricing]\nas_of=\"2026-11\"",
        "is of 2027-02, after 2026-11",
    ),
    ("[pricing]\ndiscounts={qm9700=1}", "a number from 0 to 0.99 (1 % is 0.01)"),
    ("[pricing]\ndiscounts={all=1.0}", "a number from 0 to 0.99 (1 % is 0.01)"),
    ("[pricing]\ndiscounts={all=-0.1}", "a number from 0 to 0.99"),
    ("[pricing]\nmark_ups={all=19}", "a number from 0 to 2"),
    ("[pricing]\nmark_ups={swich=0.1}", "did you mean `switch`?"),
    (
        "[pricing]\ndiscounts={qm9700=0.1}\n[prices]\nqm9700=\"$9\"",
        "states a price of `qm9700` itself",
    ),
    ("[pricing]\ndiscounts={sn6810=0.1}", "no book has a price of `sn6810`"),
    ("[pricing]\nmark_ups={ufm=0.2}\n[prices]\nufm=\"$9\"", "states a price of `ufm` itself"),
    (
        "[pricing]\ndiscounts={labour=0.1}\n[prices]\nlabour=\"$95\"",
        "states a price of `labour` itself",
    ),
    ("[pricing]\nrates={EUR={usd=1.1,date=\"2026\"}}", "nothing here is quoted in `EUR`"),
    ("[pricing]\nrates={EUX={usd=1.1,date=\"2026\"}}", "a currency in use (ISO 4217)"),
    ("[pricing]\nrates={USD={usd=1.1,date=\"2026\"}}", "prices are in US dollars already"),
    (
        "[prices]\nqm9700=\"CNY 9\"\n[pricing]\nrates={CNY={usd=11,date=\"2026\"}}",
        "state US dollars for one CNY",
    ),
    (
        "[prices]\nqm9700=\"EUR 9\"\n[pricing]\nas_of=\"2026-11\"\nrates={EUR={usd=1.1,date=\"2026-12\"}}",
        "the rate of `EUR` is of 2026-12, after 2026-11",
    ),
    ("[pricing]\nas_of=\"1999-01\"", "a month such as 2026-11, of 2000 to 2049"),
    ("[pricing]\nas_of=\"2999-01\"", "a month such as 2026-11, of 2000 to 2049"),
    ("[pricing]\nas_of=\"2009-01\"", "is before prices of the book"),
    ("[pricing]\nas_of=\"2026-08\"", "is before prices of the book"),
    ("[pricing]\nmax_age_months=0", "a whole number from 1"),
    ("[objective]\ndiscount=1", "a number from 0 to 0.5 (1 % is 0.01)"),
    ("[objective]\ndiscount=8", "a number from 0 to 0.5 (8 % is 0.08)"),
    (
        "[hardware.switches.x]\nports=64\nport_speed=\"400 Gb/s\"\npower=\"1 W\"\nprice=\"5\"",
        "not an amount of money",
    ),
];

/// Terms of an offer after `item` and `price = "$3"`, and what the message says.
const OFFERS: [(&str, &str); 29] = [
    ("tiers=[]", "there is no tier"),
    ("tiers=100", "has to be"),
    ("tiers=[{from=100}]", "does not say the price of one"),
    ("tiers=[{price=\"$2\"}]", "does not say the pieces that it begins with"),
    ("tiers=[{from=1,price=\"$2\"}]", "a whole number from 2"),
    ("tiers=[{from=-5,price=\"$2\"}]", "a whole number from 2"),
    ("tiers=[{from=2.5,price=\"$2\"}]", "a whole number"),
    ("tiers=[{from=\"100\",price=\"$2\"}]", "a whole number"),
    ("tiers=[{form=100,price=\"$2\"}]", "did you mean `from`?"),
    ("tiers=[{from=100,price=\"2\"}]", "not an amount of money"),
    ("tiers=[{from=100,price=2}]", "with its currency, in quotes"),
    ("tiers=[{from=100,price=\"EUR 2\"}]", "another currency than the price"),
    ("tiers=[{from=100,price=\"$4\"}]", "each costs more than of fewer pieces"),
    ("tiers=[{from=9,price=\"$2\"},{from=9,price=\"$1\"}]", "does not follow the one before"),
    ("tiers=[{from=9,price=\"$2\"},{from=5,price=\"$1\"}]", "does not follow the one before"),
    ("tiers=[{from=9,price=\"$2\"}]\nlow=\"$1\"", "two prices for the same pieces"),
    ("tiers=[{from=9,price=\"$0\"}]", "a tier of nothing"),
    (
        "tiers=[{from=9,price=\"$2\"},{from=20,price=\"$2.5\"}]",
        "each costs more than of fewer pieces",
    ),
    ("tiers=[{from=9,price=\"$2\"}]\nhigh=\"$4\"", "two prices for the same pieces"),
    ("valid_until=\"2026-08\"\ndate=\"2026-09\"", "before it was made (2026-09)"),
    ("valid_until=\"2026-09-01\"\ndate=\"2026-09-15\"", "before it was made (2026-09-15)"),
    ("valid_until=\"2999-01\"", "of 2000 to 2049"),
    ("lead_days=100000", "a whole number from 0 to 3650"),
    ("lead_days=\"12 weeks\"", "a whole number from 0 to 3650"),
    ("valid_until=\"soon\"", "a date such as"),
    ("valid_until=\"2026-02-30\"", "a date such as"),
    ("valid_untill=\"2026-12\"", "did you mean `valid_until`?"),
    ("lead_days=-1", "a whole number from 0"),
    ("lead_time=\"12 weeks\"", "unknown key `lead_time`"),
];

/// What is said of the spec with more lines, under a book.
fn told(more: &str, book: Option<&str>) -> Option<String> {
    let spec = SpecText::new("model.toml", format!("{SPEC}{more}\n"));
    let book = match book.map(|text| price_book(&SpecText::new("prices.toml", text))) {
        Some(Err(problems)) => return Some(problems.render(false)),
        Some(Ok(book)) => Some(book),
        None => None,
    };
    read_with(&spec, &[], book.as_ref()).err().map(|problems| problems.render(false))
}

/// Every input: where it stands, its text, what is said of it, and what has to be.
fn inputs() -> Vec<(&'static str, String, Option<String>, &'static str)> {
    let mut all = Vec::new();
    for (amount, says) in AMOUNTS {
        let more = format!("[prices]\nqm9700 = \"{amount}\"");
        let told = told(&more, None);
        all.push(("spec", more, told, says));
    }
    for (entry, says) in BOOKS {
        let whole = entry.starts_with("name=") || entry.starts_with("date=");
        let book =
            if whole { format!("{entry}\n") } else { format!("name=\"b\"\n[[price]]\n{entry}\n") };
        let told = told("", Some(&book));
        all.push(("book", book, told, says));
    }
    for (terms, says) in OFFERS {
        let book = format!("name=\"b\"\n[[price]]\nitem=\"qm9700\"\nprice=\"$3\"\n{terms}\n");
        let told_of_it = told("", Some(&book));
        all.push(("book", book, told_of_it, says));
    }
    let by_rate = "name=\"b\"\n[[price]]\nitem=\"nic\"\nrate=\"400 Gb/s\"\nprice=\"$3\"\n\
                   tiers=[{from=9,price=\"$2\"}]\n";
    all.push(("book", by_rate.into(), told("", Some(by_rate)), "is no part by its name"));
    for (lines, says) in SPECS {
        all.push(("spec", lines.to_owned(), told(lines, None), says));
    }
    all
}

#[track_caller]
fn refused(input: &str, told: Option<&str>, says: &str) -> String {
    let told = told.unwrap_or_else(|| panic!("accepted: {input}"));
    assert!(told.contains(says), "{input}\nshould say: {says}\n{told}");
    assert!(told.contains(".toml"), "{input} has no place:\n{told}");
    told.to_owned()
}

#[test]
fn every_bad_input_is_refused_as_the_page_says() {
    let mut page = String::new();
    let mut distinct = BTreeSet::new();
    for (place, text, told, says) in inputs() {
        let told = refused(&text, told.as_deref(), says);
        let _ = write!(page, "==== {place}\n{}\n----\n{}\n", text.trim_end(), told.trim_end());
        assert!(distinct.insert((place, text)), "twice");
    }
    assert!(distinct.len() >= 150, "{}", distinct.len());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/spec/price_books/bad_inputs.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &page).expect("the page can be written");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(found, page, "run `BLESS=1 cargo test --test inputs bad_inputs`");
}

/// An offer is as wrong in `[prices]` as it is in a book.
#[test]
fn every_bad_offer_is_refused_in_a_spec_too() {
    for (terms, says) in OFFERS {
        let own = format!("[prices.qm9700]\nprice=\"$3\"\n{terms}\n");
        refused(terms, told(&own, None).as_deref(), says);
    }
}

/// What looks like it and is right.
#[test]
fn what_is_meant_is_taken() {
    for right in [
        "[prices]\nqm9700={price=\"$0\",basis=\"included\"}",
        "[prices]\nelectricity={price=\"$0\",basis=\"included\"}",
        "[prices]\nqm9700={price=\"$3\",date=\"2026-11\"}\n[pricing]\nas_of=\"2026-11\"",
        "[prices]\nqm9700={price=\"$3\",date=\"2026\"}\n[pricing]\nas_of=\"2026-10\"",
        "[prices]\nqm9700={price=\"$3\",date=\"2041-03\"}\n[pricing]\nas_of=\"2041-03\"",
        "[prices]\nqm9700={price=\"$3\",date=\"2026-09\",valid_until=\"2026-09-30\"}",
        "[prices]\nqm9700=\"EUR 3\"\n[pricing]\nrates={EUR={usd=1.1,date=\"2026\"}}",
        "[pricing]\nas_of=\"2026-09\"",
        "[cluster]\nprices=\"rail-only-2024\"\n[pricing]\nas_of=\"2025-01\"",
        "[pricing]\ndiscounts={all=0.99}\nmark_ups={qm9700=1.45}",
        "[objective]\ndiscount=0.5",
    ] {
        // A book of its own stands in the table that is there.
        let more = right.strip_prefix("[cluster]\n").unwrap_or(right);
        let told = told(more, None);
        assert!(told.is_none(), "{right}\n{}", told.unwrap_or_default());
    }
}
