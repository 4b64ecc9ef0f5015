//! `planner bill`: its workbook read by a library that others wrote (calamine), every product and sum of
//! it reckoned again from the cells that are stated, and held against the JSON of the same bill.
//! `tests/workbook/recalculate.py` has the formulas themselves recalculated.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use calamine::{Data, Range, Reader, Xlsx, open_workbook};
use serde_json::Value;

use crate::support::program::{fresh_folder, planner_in};

/// No machine on standby: the pieces below are counted by hand without one.
const NO_STANDBY: &str = "failures.standby=0";

/// A book of quotes in euros, one with a range.
const QUOTES: &str = "name = \"quotes\"\ndate = \"2026-09\"\nsource = \"three offers\"\n\
    [rates]\nEUR = { usd = 1.16, date = \"2026-09-15\" }\n\
    [[price]]\nitem = \"n9600-64od\"\nprice = \"EUR 33,894\"\n\
    [[price]]\nitem = \"sr4-200g\"\nprice = \"EUR 205.50\"\nlow = \"EUR 180\"\n";

/// The workbook of a bill: values and formulas by sheet.
struct Book {
    values: BTreeMap<String, Range<Data>>,
    formulas: BTreeMap<String, Range<String>>,
}

impl Book {
    fn read(path: &Path) -> Self {
        let mut book: Xlsx<_> = open_workbook(path).expect("another library opens it");
        let names = book.sheet_names();
        let all = ["Total", "Machines", "Network", "Spares", "Prices", "Assumptions"];
        // What stands beside the design has a sheet where the spec asks for it.
        let own = names
            .iter()
            .filter(|text| !["Other networks", "Installation"].contains(&text.as_str()));
        assert!(own.eq(all.iter()), "{names:?}");
        let values =
            names.iter().map(|text| (text.clone(), book.worksheet_range(text).expect("values")));
        let values = values.collect();
        let formulas =
            names.iter().map(|text| (text.clone(), book.worksheet_formula(text).expect("text")));
        let formulas = formulas.collect();
        Self { values, formulas }
    }

    /// What stands in a cell, such as `B5`: its value, and its formula where it has one.
    fn cell(&self, sheet: &str, column: char, row: u32) -> (Data, String) {
        let at = (row - 1, u32::from(column) - u32::from('A'));
        let value = self.values[sheet].get_value(at).cloned().unwrap_or_default();
        (value, self.formulas[sheet].get_value(at).cloned().unwrap_or_default())
    }

    #[track_caller]
    fn number(&self, sheet: &str, column: char, row: u32) -> f64 {
        match self.cell(sheet, column, row) {
            (Data::Float(value), _) => value,
            (Data::Int(value), _) => value as f64,
            // Values of formulas may come as text.
            (Data::String(text), formula) if !formula.is_empty() => text.parse().expect("a number"),
            other => panic!("{sheet}!{column}{row} is {other:?}"),
        }
    }

    #[track_caller]
    fn formula(&self, sheet: &str, column: char, row: u32, expected: &str) {
        let (_, found) = self.cell(sheet, column, row);
        assert_eq!(found, expected, "{sheet}!{column}{row}");
    }
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-9 * expected.abs().max(1.0),
        "{found} is not {expected}"
    );
}

/// The bill in both forms, its lines reckoned again.
#[track_caller]
fn checked(name: &str, asked: &[&str]) -> (Book, Value) {
    let folder = fresh_folder(name);
    fs::write(folder.join("quotes.toml"), QUOTES).expect("the folder is there");
    let bill = |format: &str, file: &str| {
        let run = [&["bill"], asked, &["--format", format, "-o", file]].concat();
        let made = planner_in(&folder, &run);
        assert_eq!((made.status, made.stderr.as_str()), (0, ""));
    };
    bill("json", "bill.json");
    bill("xlsx", "bill.xlsx");
    let bytes = |file: &str| fs::read(folder.join(file)).expect("it was written");
    let json: Value = serde_json::from_slice(&bytes("bill.json")).expect("it is JSON");
    let book = Book::read(&folder.join("bill.xlsx"));
    let lines = json["bom"].as_array().expect("a bill");
    let (mut capex, mut draw) = (0.0, 0.0);
    for sheet in ["Machines", "Network"] {
        let network = |line: &&Value| {
            let role = line["role"].as_str().expect("a role");
            ["switch", "optic", "cable"].contains(&role) == (sheet == "Network")
        };
        let (mut row, mut money, mut watts) = (2, 0.0, 0.0);
        for line in lines.iter().filter(network) {
            let told = |key: &str| line[key].as_f64().unwrap_or(0.0);
            let cell = |column| book.number(sheet, column, row);
            let (part, _) = book.cell(sheet, 'A', row);
            assert_eq!(part, Data::String(line["part"].as_str().expect("a name").to_owned()));
            // Stated: in the design, owned, in store, watts of one. Reckoned: all else.
            near(cell('C'), told("count"));
            near(cell('E'), cell('C') - cell('D'));
            near(cell('G'), cell('C') - told("spares"));
            near(cell('H'), told("unit_usd"));
            near(cell('I'), cell('E') * cell('H'));
            near(cell('I'), told("total_usd"));
            near(cell('K'), cell('G') * told("power_w"));
            book.formula(sheet, 'E', row, &format!("C{row}-D{row}"));
            book.formula(sheet, 'I', row, &format!("E{row}*H{row}"));
            book.formula(sheet, 'K', row, &format!("G{row}*J{row}"));
            (money, watts) = (money + cell('I'), watts + cell('K'));
            row += 1;
        }
        near(book.number(sheet, 'I', row), money);
        near(book.number(sheet, 'K', row), watts);
        let (sum, _) = book.cell(sheet, 'I', row);
        assert!(sum != Data::Empty);
        if row > 2 {
            book.formula(sheet, 'I', row, &format!("SUM(I2:I{})", row - 1));
        }
        (capex, draw) = (capex + money, draw + watts);
    }
    let cost = |key: &str| json["cost"][key].as_f64().expect("a number");
    let total = |row| book.number("Total", 'B', row);
    near(total(3), json["machines_capex_usd"].as_f64().expect("a number"));
    near(total(4), cost("network_capex_usd"));
    near(total(5), capex);
    near(total(5), cost("capex_usd"));
    near(total(6), json["spares_usd"].as_f64().expect("a number"));
    near(total(10), draw);
    near(total(10), cost("power_w"));
    near(total(15), cost("opex_usd_per_year"));
    near(total(17), cost("tco_usd"));
    (book, json)
}

#[test]
fn a_workbook_has_the_sums_of_the_json() {
    let (book, _) = checked("bill-plain", &["starter", "--set", NO_STANDBY]);
    // By hand: 32 machines at $324,438, with the 256 cards in them, 2 switches at
    // $39,300, 128 modules at $879 in them and 128 at $1,249 in the cards, 256 cables at $194.
    near(book.number("Total", 'B', 3), 10_382_016.0);
    near(book.number("Total", 'B', 4), 400_648.0);
    // 320,000 + 6,400 + 1,880 + 3,840 W; 1.3 of it from the wall, 8,760 h at $0.078, for 4 years.
    near(book.number("Total", 'B', 10), 332_120.0);
    let yearly = 332.120 * 1.3 * 8760.0 * 0.078;
    near(book.number("Total", 'B', 15), yearly);
    near(book.number("Total", 'B', 17), 10_782_664.0 + 4.0 * yearly);
    // Once more: the same bytes.
    let folder = fresh_folder("bill-again");
    let made = || {
        let run = ["bill", "starter", "--format", "xlsx", "-o", "bill.xlsx"];
        assert_eq!(planner_in(&folder, &run).status, 0);
        fs::read(folder.join("bill.xlsx")).expect("it was written")
    };
    let first = made();
    assert!(first == made() && first.starts_with(b"PK"));
    book.formula("Total", 'B', 5, "B3+B4");
    book.formula("Total", 'B', 17, "B5+B15*B16");
}

/// Keys are added, not renamed; those of a line and of the sums are a design's.
#[test]
fn the_json_has_the_keys_of_the_contract_in_their_order() {
    let folder = fresh_folder("bill-keys");
    let read = |command: &str| -> Value {
        let told = planner_in(&folder, &[command, "starter", "--format", "json"]).stdout;
        serde_json::from_str(&told).expect("it is JSON")
    };
    let (bill, design) = (read("bill"), read("design"));
    let keys: Vec<&String> = bill.as_object().expect("a table").keys().collect();
    assert_eq!(
        keys,
        [
            "schema",
            "name",
            "price_book",
            "bom",
            "machines_capex_usd",
            "spares_usd",
            "usd_per_kwh",
            "pue",
            "cost",
            "assumptions"
        ]
    );
    assert_eq!(bill["schema"], "planner/bill/1");
    for same in ["name", "bom", "cost", "assumptions"] {
        assert_eq!(bill[same], design[same], "{same}");
    }
}

#[test]
fn quotes_in_another_currency_are_an_amount_times_a_rate() {
    let set = [
        "starter",
        "--prices",
        "quotes.toml",
        "--set",
        "inventory.n9600-64od=1",
        "--set",
        "cluster.links=\"by-end\"",
        "--set",
        NO_STANDBY,
    ];
    let (book, json) = checked("bill-quotes", &set);
    let lines = json["bom"].as_array().expect("a bill");
    let place = lines.iter().position(|line| line["part"] == "n9600-64od").expect("a switch");
    let row = u32::try_from(place).expect("few") + 2;
    near(book.number("Prices", 'D', row), 33_894.0);
    near(book.number("Prices", 'F', row), 1.16);
    // 33,894 · 1.16.
    near(book.number("Prices", 'C', row), 39_317.04);
    book.formula("Prices", 'C', row, &format!("D{row}*F{row}"));
    // One of two switches is owned.
    near(book.number("Network", 'I', 2), 39_317.04);
    let optic = u32::try_from(place).expect("few") + 3;
    near(book.number("Prices", 'H', optic), 180.0 * 1.16);
}

#[test]
fn spares_parts_stages_and_modules_add_up_too() {
    let (book, json) = checked("bill-spares", &["starter", "--set", "spares.lead_days=60"]);
    let spares: f64 = json["bom"]
        .as_array()
        .expect("a bill")
        .iter()
        .map(|line| {
            let told = |key: &str| line[key].as_f64().unwrap_or(0.0);
            told("spares") * told("unit_usd")
        })
        .sum();
    assert!(spares > 0.0);
    near(book.number("Total", 'B', 6), spares);
    checked("bill-ends", &["starter", "--set", "cluster.links=\"by-end\""]);
    checked("bill-discount", &["starter", "--set", "objective.discount=0.08"]);
    checked("bill-parts", &["two-products"]);
    let (stages, _) = checked("bill-stages", &["two-stages"]);
    stages.formula("Total", 'B', 17, "");
}

/// Two sheets more, each line a product, and the grand total their sum with the design's; hours and pieces
/// by hand from the counts that the JSON states.
#[test]
fn networks_and_installation_are_in_the_grand_total_alone() {
    let links = "cluster.links=\"by-end\"";
    let plain = checked("bill-alone", &["starter", "--set", links, "--set", NO_STANDBY]).1;
    let asked = [
        "starter",
        "--set",
        links,
        "--set",
        NO_STANDBY,
        "--set",
        "networks.storage.ports_per_node=2",
        "--set",
        "networks.in_band.uplinks=4",
        "--set",
        "networks.out_of_band.uplinks=2",
        "--set",
        "networks.control.servers=4",
        "--set",
        "installation.hours_per_cable=0.25",
        "--set",
        "installation.hours_per_switch=1.5",
        "--set",
        "installation.hours_per_rack=12",
        "--set",
        "prices.labour=$95",
        "--set",
        "prices.link-cable=$60",
    ];
    let (book, json) = checked("bill-grand", &asked);
    let read = |value: &Value| value.as_f64().expect("a number");
    for key in ["capex_usd", "power_w", "tco_usd", "usd_per_million_tokens"] {
        assert_eq!(plain["cost"][key], json["cost"][key], "{key} is the design's");
        assert!(plain["cost"][format!("total_{key}")].is_null(), "{key}");
        assert!(read(&json["cost"][format!("total_{key}")]) > read(&json["cost"][key]), "{key}");
    }
    let mut sums = Vec::new();
    for (sheet, lines) in
        [("Other networks", &json["networks"]["bom"]), ("Installation", &json["installation"])]
    {
        let (mut row, mut money, mut watts) = (2, 0.0, 0.0);
        for line in lines.as_array().expect("lines") {
            near(book.number(sheet, 'C', row), read(&line["count"]));
            near(
                book.number(sheet, 'E', row),
                read(&line["count"]) * line["unit_usd"].as_f64().unwrap_or(0.0),
            );
            near(book.number(sheet, 'E', row), read(&line["total_usd"]));
            book.formula(sheet, 'E', row, &format!("C{row}*N(D{row})"));
            money += read(&line["total_usd"]);
            watts += read(&line["count"]) * read(&line["power_w"]);
            row += 1;
        }
        near(book.number(sheet, 'E', row), money);
        sums.push((money, watts));
    }
    let total = |row| book.number("Total", 'B', row);
    near(total(23), sums[0].0);
    near(total(24), sums[1].0);
    near(total(25), total(5) + sums[0].0 + sums[1].0);
    near(total(25), read(&json["cost"]["total_capex_usd"]));
    near(total(26), total(10) + sums[0].1);
    near(total(26), read(&json["cost"]["total_power_w"]));
    near(total(28), read(&json["cost"]["total_tco_usd"]));
    book.formula("Total", 'B', 25, "B5+B23+B24");
    let (_, networks) = book.cell("Total", 'B', 23);
    assert!(networks.starts_with("'Other networks'!E"), "{networks}");
    // By hand: 1,024 link ends are 512 links, with a cable each and a quarter of an hour.
    let line = |part: &str| {
        let found = json["installation"]
            .as_array()
            .expect("lines")
            .iter()
            .find(|figure| figure["part"] == part);
        read(&found.unwrap_or_else(|| panic!("no {part}"))["count"])
    };
    near(line("link cable"), 512.0);
    let networks = &json["networks"];
    let count = |of_: &str, key: &str| read(&networks[of_][key]);
    let cables = 512.0
        + ["node_links", "storage_links", "uplinks"]
            .map(|key| count("storage", key))
            .iter()
            .sum::<f64>()
        + ["host_links", "uplinks", "peer_links", "outside_links"]
            .map(|key| count("in_band", key))
            .iter()
            .sum::<f64>()
        + count("out_of_band", "host_links");
    near(line("labour, hour: cables"), (cables * 0.25).ceil());
    let switches = 2.0
        + ["storage", "in_band", "out_of_band"]
            .map(|text| count(text, "switches"))
            .iter()
            .sum::<f64>();
    near(line("labour, hour: switches"), (switches * 1.5).ceil());
    let racks =
        read(&networks["racks"]["machines"]) + read(&networks["racks"]["switches_and_servers"]);
    near(line("labour, hour: racks"), racks * 12.0);
}

#[test]
fn a_part_without_a_price_is_said_and_counts_nothing() {
    let (book, json) =
        checked("bill-unpriced", &["starter", "--set", "cluster.prices=rail-only-2023"]);
    let unpriced = json["cost"]["unpriced"].as_array().expect("a list");
    assert!(!unpriced.is_empty());
    let lines = json["bom"].as_array().expect("a bill");
    let place = lines.iter().position(|line| line["unit_usd"].is_null()).expect("an unpriced line");
    let row = u32::try_from(place).expect("few") + 2;
    assert_eq!(book.cell("Prices", 'C', row).0, Data::String("no price".to_owned()));
    let (note, _) = book.cell("Total", 'A', 21);
    assert!(note.to_string().starts_with("not in the totals: "), "{note}");
}

#[test]
fn a_name_that_looks_like_a_formula_is_a_text() {
    let asked = ["starter", "--set", "name=\"=1+1\""];
    let (book, _) = checked("bill-name", &asked);
    assert_eq!(book.cell("Total", 'A', 1), (Data::String("=1+1".to_owned()), String::new()));
}

#[test]
fn tables_for_people_and_programs_have_the_same_lines() {
    let folder = fresh_folder("bill-forms");
    let text = planner_in(&folder, &["bill", "starter", "-v", "--set", NO_STANDBY]).stdout;
    for fact in [
        "MACHINES  $10.4M",
        "NETWORK  $400,648",
        "  twin-sr4-800g       optic     128     $879  $112,512  1.92 kW",
        "PRICES  prices of 2026-08 to 2026-09",
    ] {
        assert!(text.contains(fact), "`{fact}` is missing in\n{text}");
    }
    let csv =
        planner_in(&folder, &["bill", "starter", "--format", "csv", "--set", NO_STANDBY]).stdout;
    let row = "twin-sr4-800g,optic,network,128,0,128,0,879,112512,15,street,2026-09,USD,1,";
    assert!(csv.contains(row), "{csv}");
    let refused = planner_in(&folder, &["design", "starter", "--format", "xlsx"]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("invalid value 'xlsx'"), "{}", refused.stderr);
}
