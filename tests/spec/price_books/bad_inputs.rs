//! A hundred inputs with money in them that are wrong: each is refused by a message that names the key
//! and what to do, so that no price is taken for another and none is ignored.

use planner::spec::{Source, presets, price_book, read_with};

/// A price beside the starter, in `[prices]`, and what the message says.
const AMOUNTS: [(&str, &str); 40] = [
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
];

/// A book's entry after `[[price]]`, or a whole book where it names itself, and what the message says.
const BOOKS: [(&str, &str); 40] = [
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
    ("name=\"b\"\n[rates]\nUSD={usd=1.1,date=\"2026\"}", "prices are in US dollars already"),
    ("name=\"b\"\n[rates]\nEURO={usd=1.1,date=\"2026\"}", "code of a currency in capitals"),
    ("name=\"b\"\n[rates]\nEUR={usd=0,date=\"2026\"}", "a number from"),
    ("name=\"b\"\n[rates]\nEUR={usd=1.1}", "a rate has a value and a date"),
];

/// Lines of a spec, and what the message says.
const SPECS: [(&str, &str); 28] = [
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
    ("[pricing]\ndiscounts={switch=15}", "a number from 0 to 1"),
    ("[pricing]\ndiscounts={switch=\"15 %\"}", "a number from 0 to 1"),
    ("[pricing]\nmark_ups={all=-1}", "a number from 0 to 100"),
    ("[pricing]\ndiscount={switch=0.1}", "did you mean `discounts`?"),
    ("[pricing]\nas_of=\"2026-13\"", "a month such as 2026-11"),
    ("[pricing]\nmax_age_months=1.5", "a whole number"),
    ("[pricing]\nrates={EUR={usd=1.1}}", "a rate has a value and a date"),
    ("[inventory]\nqm97=3", "did you mean `qm9700`?"),
    ("[inventory]\nqm9700=-3", "a whole number from 0"),
    ("[limits]\nbudget=\"33.894,00\"", "starts with `$`"),
    ("[limits]\nsupply={qm97=5}", "did you mean `qm9700`?"),
    (
        "[hardware.switches.x]\nports=64\nport_speed=\"400 Gb/s\"\npower=\"1 W\"\nprice=\"5\"",
        "not an amount of money",
    ),
];

/// Terms of an offer after `item` and `price = "$3"`, and what the message says.
const OFFERS: [(&str, &str); 21] = [
    ("tiers=[]", "there is no tier"),
    ("tiers=100", "has to be"),
    ("tiers=[{from=100}]", "its price"),
    ("tiers=[{price=\"$2\"}]", "pieces that a tier begins with"),
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
    ("valid_until=\"soon\"", "a date such as"),
    ("valid_until=\"2026-02-30\"", "a date such as"),
    ("valid_untill=\"2026-12\"", "did you mean `valid_until`?"),
    ("lead_days=-1", "a whole number from 0"),
    ("lead_time=\"12 weeks\"", "unknown key `lead_time`"),
];

/// What is said of the starter with more lines, under a book.
fn told(more: &str, book: Option<&str>) -> Option<String> {
    let ready = presets::ready("starter").expect("it ships");
    let spec = Source::new("model.toml", format!("{}\n{more}\n", ready.text));
    let book = match book.map(|text| price_book(&Source::new("prices.toml", text))) {
        Some(Err(problems)) => return Some(problems.render(false)),
        Some(Ok(book)) => Some(book),
        None => None,
    };
    read_with(&spec, &[], book.as_ref()).err().map(|problems| problems.render(false))
}

#[track_caller]
fn refused(input: &str, told: Option<String>, says: &str) {
    let told = told.unwrap_or_else(|| panic!("accepted: {input}"));
    assert!(told.contains(says), "{input}\nshould say: {says}\n{told}");
    assert!(told.contains(".toml"), "{input} has no place:\n{told}");
}

#[test]
fn every_bad_amount_is_refused() {
    for (amount, says) in AMOUNTS {
        let more = format!("[prices]\nqm9700 = \"{amount}\"");
        refused(amount, told(&more, None), says);
    }
}

#[test]
fn every_bad_book_is_refused() {
    for (entry, says) in BOOKS {
        let whole = entry.starts_with("name=");
        let book =
            if whole { format!("{entry}\n") } else { format!("name=\"b\"\n[[price]]\n{entry}\n") };
        refused(entry, told("", Some(&book)), says);
    }
}

/// Of a book, and of the same offer in `[prices]`.
#[test]
fn every_bad_offer_is_refused() {
    for (terms, says) in OFFERS {
        let book = format!("name=\"b\"\n[[price]]\nitem=\"qm9700\"\nprice=\"$3\"\n{terms}\n");
        refused(terms, told("", Some(&book)), says);
        let own = format!("[prices.qm9700]\nprice=\"$3\"\n{terms}\n");
        refused(terms, told(&own, None), says);
    }
    let by_rate = "name=\"b\"\n[[price]]\nitem=\"nic\"\nrate=\"400 Gb/s\"\nprice=\"$3\"\n\
                   tiers=[{from=9,price=\"$2\"}]\n";
    refused(by_rate, told("", Some(by_rate)), "tiers have no pieces");
}

#[test]
fn every_bad_term_of_a_spec_is_refused() {
    for (lines, says) in SPECS {
        refused(lines, told(lines, None), says);
    }
}

#[test]
fn there_are_a_hundred_of_them() {
    assert!(AMOUNTS.len() + BOOKS.len() + OFFERS.len() + SPECS.len() >= 100);
}
