//! What ships in `presets/`: names that specs count on, origins, and figures that have to agree
//! with each other. Whether an entry fits the format is checked where the format is.

use std::fs;
use std::path::Path;

use planner::units::parse as units;
use planner::units::{FlopRate, Watts};
use toml::{Table, Value};

/// Names that other people's specs may count on; adding is free, renaming is not.
const PROMISED: [(&str, &str); 5] = [
    (
        "nodes",
        "dgx-a100-80gb dgx-a100-40gb dgx-h100 h800-node dgx2-v100 summit-v100 hgx-b200 \
         gb200-nvl72 gb300-nvl72 dgx-gh200-256",
    ),
    ("gpus", "v100-16gb a100-80gb a100-40gb h100 h800 b200 gb200 gb300"),
    ("nics", "hdr-200g ndr-400g xdr-800g"),
    (
        "models",
        "gpt3-175b gpt-1t mt-nlg-530b opt-175b palm-540b llama3-8b llama3-70b llama3-405b \
         deepseek-v3 mixtral-8x7b qwen3-30b-a3b qwen3-235b-a22b gpt-oss-120b bloom-176b",
    ),
    (
        "frameworks",
        "megatron-2020 megatron-2021 megatron-2022 megatron-2024 megatron-2025 megatron-2026 \
         deepspeed-2021 deepspeed-2026 fsdp-2023 fsdp-2024 fsdp-2025",
    ),
];

#[test]
fn promised_names_exist() {
    for (kind, names) in PROMISED {
        let entries = entries(kind);
        for name in names.split_whitespace() {
            assert!(entries.contains_key(name), "{kind}: no `{name}`");
        }
    }
}

#[test]
fn every_entry_states_source_and_date() {
    for kind in ["models", "gpus", "nodes", "nics", "switches", "optics", "frameworks"] {
        for (name, entry) in &entries(kind) {
            let place = format!("{kind}.{name}");
            assert!(!text(entry, "source").is_empty(), "{place}: empty source");
            dated(text(entry, "date"), &place);
        }
    }
}

#[test]
fn every_price_states_basis_source_and_date() {
    for (book, table) in books() {
        assert_eq!(table["name"].as_str(), Some(book.as_str()), "a book is named like its file");
        for price in prices(&table) {
            let place = format!("{book}: {price}");
            dated(text(price, "date"), &place);
            let basis = text(price, "basis");
            assert!(["list", "street", "paper", "analyst", "assumed"].contains(&basis), "{place}");
            let confessed = text(price, "source").starts_with("assumed");
            assert_eq!(basis == "assumed", confessed, "{place}: an assumption says that it is one");
            assert!(
                units::parse_usd(text(price, "price")).is_ok_and(|usd| usd.get() > 0.0),
                "{place}"
            );
        }
    }
}

#[test]
fn a_node_draws_more_than_its_gpus() {
    let gpus = entries("gpus");
    for (name, node) in &entries("nodes") {
        let gpu = gpus.get(text(node, "gpu")).expect("a node names a GPU that exists");
        let inside = power(gpu).get() * number(node, "gpus") as f64;
        assert!(power(node).get() > inside, "{name}: {inside} W of GPUs alone");
    }
}

#[test]
fn rails_serve_the_gpus_of_a_node_evenly() {
    for (name, node) in &entries("nodes") {
        assert_eq!(number(node, "gpus") % number(node, "nics"), 0, "{name}");
    }
}

#[test]
fn halving_the_width_of_a_number_doubles_the_peak() {
    // Rubin's rates of 8 bits are stated as more than twice those of 16.
    for (name, gpu) in entries("gpus").iter().filter(|(name, _)| name.as_str() != "rubin") {
        let peak = |key| gpu.get(key).and_then(Value::as_str).map(rate);
        if let (Some(wide), Some(narrow)) = (peak("peak_bf16"), peak("peak_fp8")) {
            assert!((narrow / wide - 2.0).abs() < 0.01, "{name}: sparse and dense rates mixed");
        }
        if let (Some(wide), Some(narrow)) = (peak("peak_fp8"), peak("peak_fp4")) {
            assert!((2.0..=3.0).contains(&(narrow / wide)), "{name}: sparse and dense rates mixed");
        }
    }
}

#[test]
fn the_default_book_prices_every_part() {
    let (_, book) =
        books().into_iter().find(|(name, _)| name == "street-2026").expect("the default book");
    let named: Vec<&str> = prices(&book).map(|price| text(price, "item")).collect();
    let by_rate = |item: &str, wanted: &str| {
        prices(&book).any(|price| {
            text(price, "item") == item && price.get("rate").and_then(Value::as_str) == Some(wanted)
        })
    };
    // What no design takes before a price has its name.
    let quoted = |entry: &Value| {
        entry.get("quote_only").and_then(Value::as_bool) == Some(true)
            || entry
                .get("note")
                .and_then(Value::as_str)
                .is_some_and(|word| word.contains("no price is public"))
    };
    for kind in ["nodes", "switches", "appliances"] {
        for (name, _) in entries(kind).iter().filter(|(_, entry)| !quoted(entry)) {
            assert!(named.contains(&name.as_str()), "{kind}.{name} has no price");
        }
    }
    for (kind, item) in [("nics", "nic"), ("optics", "transceiver")] {
        for (name, entry) in entries(kind).iter().filter(|(_, entry)| !quoted(entry)) {
            let known = named.contains(&name.as_str()) || by_rate(item, text(entry, "bandwidth"));
            assert!(known, "{kind}.{name} has no price");
        }
    }
    assert!(named.contains(&"electricity"));
}

/// Designs take the first optic of a rate by name; documented as the one priced by rate.
#[test]
fn the_first_optic_of_a_rate_has_no_price_of_its_own() {
    let books = books();
    let named: Vec<&str> =
        books.iter().flat_map(|(_, book)| prices(book)).map(|price| text(price, "item")).collect();
    let mut optics: Vec<(String, String)> = entries("optics")
        .iter()
        .map(|(name, entry)| (text(entry, "bandwidth").to_owned(), name.clone()))
        .collect();
    // No link has that rate: two share such a module.
    optics.retain(|(rate, _)| rate != "1600 Gb/s");
    optics.sort();
    optics.dedup_by_key(|(rate, _)| rate.clone());
    assert_eq!(optics.len(), 4, "100G, 200G, 400G, 800G");
    for (rate, name) in optics {
        assert!(!named.contains(&name.as_str()), "{rate}: `{name}` has its own price");
    }
}

/// The entries of `presets/KIND.toml`.
fn entries(kind: &str) -> Table {
    let file = parsed(&format!("{kind}.toml"));
    file[kind].as_table().expect("a preset file holds one table, named like the file").clone()
}

/// Price books by the stem of their file.
fn books() -> Vec<(String, Table)> {
    let folder = root().join("prices");
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("the price books")
        .map(|entry| entry.expect("a readable directory").file_name().into_string())
        .map(|name| name.expect("file names are text"))
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| {
            let stem = name.strip_suffix(".toml").expect("price books are TOML").to_owned();
            (stem, parsed(&format!("prices/{name}")))
        })
        .collect()
}

fn prices(book: &Table) -> impl Iterator<Item = &Value> {
    book["price"].as_array().expect("a book prices something").iter()
}

fn parsed(path: &str) -> Table {
    let path = root().join(path);
    let content = fs::read_to_string(&path).expect("a preset file");
    content.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/presets"))
}

#[track_caller]
fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().unwrap_or_else(|| panic!("`{key}` is text in {entry}"))
}

#[track_caller]
fn number(entry: &Value, key: &str) -> i64 {
    entry[key].as_integer().unwrap_or_else(|| panic!("`{key}` is a number in {entry}"))
}

#[track_caller]
fn power(entry: &Value) -> Watts {
    units::parse_watts(text(entry, "power")).expect("a power")
}

#[track_caller]
fn rate(text: &str) -> f64 {
    units::flop_rate(text).map(FlopRate::get).expect("a compute rate")
}

/// `2024` or `2024-08`.
#[track_caller]
fn dated(date: &str, place: &str) {
    let (year, month) = date.split_once('-').unwrap_or((date, "01"));
    let whole = |text: &str, digits| text.len() == digits && text.parse::<u32>().is_ok();
    assert!(whole(year, 4) && whole(month, 2), "{place}: `{date}` is no year or month");
}

/// Links of a GPU are its bandwidth over that of one link; where switches stand in two layers,
/// those between them come on top. No chip has more ends of links than ports.
#[test]
fn what_is_inside_a_domain_carries_the_bandwidth_of_its_gpus() {
    // Gigabytes per second of a link one way and ports of a chip, by the bandwidth of a GPU.
    let generation = |hb: f64| match hb {
        150.0 => (25.0, 18),
        300.0 => (25.0, 36),
        450.0 | 200.0 => (25.0, 64),
        _ => (50.0, 72),
    };
    let mut checked = 0;
    for (name, node) in &entries("nodes") {
        let number = |key: &str| node[key].as_integer().expect("a count");
        let (chips, links) = (number("hb_switches"), number("hb_links"));
        if chips == 0 {
            continue;
        }
        let hb =
            units::parse_bandwidth(node["hb_bandwidth"].as_str().expect("text")).expect("a rate");
        let hb = hb.get() / 1e9;
        let (link, ports) = generation(hb);
        let of_gpus = number("gpus") * (hb / link).round() as i64;
        let between = match name.as_str() {
            "dgx2-v100" => 6 * 8,
            "dgx-gh200-256" => of_gpus,
            _ => 0,
        };
        assert_eq!(links, of_gpus + between, "{name}");
        assert!(of_gpus + 2 * between <= chips * ports, "{name}: too few ports");
        checked += 1;
    }
    assert!(checked >= 11, "{checked}");
}
