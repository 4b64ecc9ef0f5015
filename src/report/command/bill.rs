//! The report of `planner bill`: what is bought, machines and network apart, spares, and what each
//! price rests on. [`crate::report::workbook`] has it with formulas.

use crate::cost::BillLine;
use crate::design::Plan;
use crate::hardware::{Price, Tier};
use crate::report::decision::{Decision, price_lines};
use crate::report::document::{Document, Row, Screen, Section, SectionPart};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::list::bill_columns_table;
use crate::report::section::bill::{self, bill_section, price_dates_text};
use crate::report::section::proof::{assumptions_section, defaults_section};
use crate::report::sheet::BillSheet;
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number};
use crate::units::{Usd, format_price as usd};

/// The bill in the wanted format, with a line break at its end.
#[must_use]
pub fn render_bill(sheet: &BillSheet<'_>, look: RenderOptions<'_>) -> String {
    draw_document(&bill_document(sheet), look, || json::bill_json(sheet))
}

fn bill_document(sheet: &BillSheet<'_>) -> Document {
    let plan = sheet.plan;
    let (network, machines): (Vec<&BillLine>, Vec<&BillLine>) =
        plan.bill.iter().partition(|line| line.role.is_network());
    // Of the bill of a design the lines below its table, which stands here in two.
    let mut total =
        Section { heading: "TOTAL", ..bill_section(&plan.bill, &plan.cost, plan.total_gpus()) };
    total.parts.retain(|part| !matches!(part, SectionPart::Table(_)));
    let mut sections = vec![
        bought_section("MACHINES", &machines),
        bought_section("NETWORK", &network),
        spares_section(&plan.bill, plan.failures.year.standby.domains),
        total.with_summary_rank(),
        bill::other_networks_section(plan.networks.as_ref()),
        bill::installation_section(&plan.installation),
        prices_section(sheet),
        assumptions_section(&plan.assumptions),
        defaults_section(&plan.assumptions),
    ];
    sections.retain(|section| !section.parts.is_empty() || !section.lead.is_empty());
    Document {
        title: format!("{}: bill", plan.name),
        sections,
        screen: Some(bill_screen(plan)),
        sheet: bill_lines_table(plan),
    }
}

/// Most lines that a screen shows.
const MOST_LINES: usize = 8;

/// What costs most, what the price lacks, and the price.
fn bill_screen(plan: &Plan) -> Screen {
    let mut lines: Vec<&BillLine> = plan.bill.iter().collect();
    // What has no price may cost most.
    lines.sort_by(|one, other| {
        let priced = |line: &BillLine| line.unit.is_some();
        priced(one).cmp(&priced(other)).then(other.total.total_cmp(&one.total))
    });
    let more = lines.len().saturating_sub(MOST_LINES);
    let rest: Usd = lines.iter().skip(MOST_LINES).map(|line| line.total).sum();
    lines.truncate(MOST_LINES);
    let mut section = bought_section("PARTS", &lines);
    section.lead = if more == 0 {
        String::new()
    } else {
        format!("that cost most; {more} more for {}: --all", number::money(rest))
    };
    let lacks = Decision::from_plan(plan).not_counted.join(", ");
    let rows = vec![
        Row::with_line("Without", lacks),
        Row::new("More", vec!["--all, --section prices; --format xlsx: a workbook".to_owned()]),
    ];
    let verdict = price_lines(plan).join(". ") + ".";
    Screen { rows, more: vec![section], ..Screen::from_verdict(verdict) }
}

/// What is bought of one kind, and its sum.
fn bought_section(heading: &'static str, lines: &[&BillLine]) -> Section {
    if lines.is_empty() {
        return Section::new(heading, "");
    }
    let owned = lines.iter().any(|line| line.owned > 0);
    let mut columns = vec![
        Column::words("part", "part"),
        Column::words("", "role"),
        Column::numbers("count", "count"),
    ];
    columns.extend(owned.then(|| Column::numbers("owned", "owned")));
    columns.extend(owned.then(|| Column::numbers("to buy", "bought")));
    columns.extend([
        Column::numbers("each", "unit_usd"),
        Column::numbers("total", "total_usd"),
        Column::numbers("draws", "draw_w"),
    ]);
    let mut table = Table::new(columns);
    for line in lines {
        let mut row = vec![Cell::words(&line.part), Cell::words(line.role.name())];
        row.push(Cell::count(line.count));
        if owned {
            row.extend([Cell::count(line.owned), Cell::count(line.bought_count())]);
        }
        let priced = line.unit.as_ref();
        row.extend([
            priced.map_or_else(|| Cell::words("no price"), |price| Cell::money(price.amount)),
            priced.map_or_else(Cell::no_value, |_| Cell::money(line.total)),
            Cell::with_text_and_value(number::power(line.power_draw()), line.power_draw().get()),
        ]);
        table.push_row(row);
    }
    let sum: Usd = lines.iter().map(|line| line.total).sum();
    Section::new(heading, number::money(sum)).add_table(table)
}

/// Spare pieces, in store or installed, which the counts above have too.
fn spares_section(lines: &[BillLine], standby: u64) -> Section {
    let keys = ["part", "running", "spares", "unit_usd", "spares_usd"];
    let mut table = bill_columns_table(lines.iter().filter(|line| line.spares > 0), &keys);
    table.rename_column("spares", "spare");
    let sum: Usd = lines.iter().map(BillLine::spares_cost).sum();
    let lead = format!("{} of the totals, bought with the rest", number::money(sum));
    if table.rows.is_empty() {
        return Section::new("SPARES", "");
    }
    let section = Section::new("SPARES", lead).add_table(table);
    match standby {
        0 => section,
        some => section.add_line(format!(
            "of the machines {}, with NICs and memory (`failures.standby`)",
            match some {
                1 => "1 is spare".to_owned(),
                some => format!("{some} are spare"),
            }
        )),
    }
}

/// What each price rests on.
fn prices_section(sheet: &BillSheet<'_>) -> Section {
    let mut table = Table::new(vec![
        Column::words("part", "part"),
        Column::numbers("each", "unit_usd"),
        Column::words("basis", "basis"),
        Column::words("dated", "date"),
        Column::numbers("lead, days", "lead_days"),
        Column::words("valid until", "valid_until"),
        Column::words("source", "source"),
    ]);
    let mut row = |part: &str, price: &Price| {
        table.push_row(vec![
            Cell::words(part),
            Cell::money(price.amount),
            Cell::words(price.basis.name()),
            Cell::words(&price.date),
            price.quote.lead_days.map_or_else(Cell::no_value, Cell::count),
            Cell::words(price.quote.valid_until.clone().unwrap_or_default()),
            Cell::words(price_tiers_text(price) + &price.source),
        ]);
    };
    for line in &sheet.plan.bill {
        line.unit.iter().for_each(|price| row(&line.part, price));
    }
    for line in &sheet.plan.installation {
        line.unit.iter().for_each(|price| row(&line.part, price));
    }
    sheet.kilowatt_hour.iter().for_each(|price| row("electricity, kWh", price));
    Section::new("PRICES", price_dates_text(&sheet.plan.bill)).add_table(table)
}

/// Prices of more pieces, where an offer has some.
fn price_tiers_text(price: &Price) -> String {
    let each = |tier: &Tier| format!("from {} {}", number::count(tier.from), usd(tier.amount));
    let all: Vec<String> = price.quote.tiers.iter().map(each).collect();
    if all.is_empty() { String::new() } else { format!("{}; ", all.join(", ")) }
}

/// Every line with all that is known of it, for a spreadsheet.
fn bill_lines_table(plan: &Plan) -> Table {
    let own = plan
        .bill
        .iter()
        .map(|line| if line.role.is_network() { ("network", line) } else { ("machines", line) });
    let networks = plan.networks.iter().flat_map(|other_networks| &other_networks.bill);
    let networks = networks.map(|line| ("other networks", line));
    let work = plan.installation.iter().map(|line| ("installation", line));
    let (sheets, lines): (Vec<&str>, Vec<&BillLine>) = own.chain(networks).chain(work).unzip();
    let keys = [
        "part",
        "role",
        "count",
        "owned",
        "bought",
        "spares",
        "unit_usd",
        "total_usd",
        "power_w",
        "price_basis",
        "date",
        "currency",
        "usd_per_unit",
        "source",
        "lead_days",
        "valid_until",
    ];
    let mut table = bill_columns_table(lines, &keys);
    let cells = sheets.into_iter().map(Cell::words);
    table.insert_column_after("role", Column::words("sheet", "sheet"), cells);
    table
}
