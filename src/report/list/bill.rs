//! The bill of materials, quotes of machines, and prices by quantity.

use super::{
    JsonObject, JsonValue, ListColumn, json_column, known_column, list_json, number_column,
    shown_as, table_with_keys, word_column,
};
use crate::cost::{BillLine, MachineQuote};
use crate::hardware::{Exchange, Price, Tier};
use crate::report::table::Table;
use crate::units::UsdRange;

/// Lines of a bill. What has no price has `null` for it in JSON.
pub(in crate::report) const BILL_COLUMNS: &[ListColumn<BillLine>] = &[
    word_column("part", "part", |line| (&line.part).into()),
    word_column("role", "", |line| line.role.name().into()),
    number_column("count", "count", |line| line.count.into()),
    number_column("owned", "owned", |line| line.owned.into()),
    number_column("spares", "spare", |line| line.spares.into()),
    number_column("bought", "to buy", |line: &BillLine| line.bought_count().into())
        .only_in_tables(),
    number_column("running", "in use", |line: &BillLine| line.powered_count().into())
        .only_in_tables(),
    number_column("spares_usd", "total", |line: &BillLine| line.spares_cost().into())
        .only_in_tables(),
    number_column("unit_usd", "each", |line| price_value(line, |price| price.amount)),
    json_column("price_not_found", |line| line.unit.is_none().into()),
    json_column("total_usd", |line| line.total.into()),
    number_column("total_usd", "total", |line| price_value(line, |_| line.total)).only_in_tables(),
    number_column("power_w", "each draws", |line| line.power.into()),
    number_column("draw_w", "draws", |line: &BillLine| line.power_draw().into()).only_in_tables(),
    word_column("basis", "basis", |line| price_value(line, |price| price.basis.name()))
        .with_missing_text("unpriced"),
    word_column("price_basis", "basis", |line: &BillLine| {
        price_value(line, |price| price.basis.name())
    })
    .with_csv_key("basis")
    .only_in_tables(),
    word_column("date", "dated", |line| price_value(line, |price| &price.date))
        .with_missing_text(""),
    word_column("source", "", |line| price_value(line, |price| &price.source)).not_for_people(),
    known_column("exchange", |line| {
        price_value(line, |price| price.exchange.as_ref().map(exchange_json))
    }),
    word_column("currency", "currency", |line| price_value(line, price_currency)).only_in_tables(),
    number_column("usd_per_unit", "rate", |line| price_value(line, price_exchange_rate))
        .only_in_tables(),
    number_column("lead_days", "lead, days", |line| {
        price_value(line, |price| price.quote.lead_days)
    })
    .only_in_tables(),
    word_column("valid_until", "valid until", |line| {
        price_value(line, |price| price.quote.valid_until.as_ref())
    })
    .only_in_tables(),
    known_column("valid_until", |line| price_value(line, |price| price.quote.valid_until.as_ref())),
    known_column("lead_days", |line| price_value(line, |price| price.quote.lead_days)),
    known_column("tiers", |line| price_value(line, |price| price_tiers_json(&price.quote.tiers))),
    known_column("includes", |line| {
        price_value(line, |price| {
            JsonValue::from_entries(price.quote.includes.iter().map(|included| included.name()))
        })
    }),
    known_column("level", |line| {
        price_value(line, |price| price.quote.level.map(|level| level.name()))
    }),
    known_column("alone_usd", |line| price_value(line, |price| price.quote.alone)),
];

/// What the price of a line says; `Null` where it has none.
fn price_value<'a, T: Into<JsonValue>>(
    line: &'a BillLine,
    read: impl FnOnce(&'a Price) -> T,
) -> JsonValue {
    line.unit.as_ref().map(read).into()
}

fn price_currency(price: &Price) -> String {
    price.exchange.as_ref().map_or_else(|| "USD".to_owned(), |rate| rate.currency.to_string())
}

fn price_exchange_rate(price: &Price) -> JsonValue {
    let usd = price.exchange.as_ref().map_or(1.0, |rate| rate.usd);
    shown_as(usd.to_string(), usd)
}

/// Prices from so many pieces on; `Null` where there is one price.
fn price_tiers_json(tiers: &[Tier]) -> JsonValue {
    let tier =
        |tier: &Tier| JsonObject::new().with("from", tier.from).with("unit_usd", tier.amount);
    JsonValue::from_entries(tiers.iter().map(tier))
}

/// At which rate a price became US dollars.
pub(in crate::report) fn exchange_json(exchange: &Exchange) -> JsonObject {
    JsonObject::new()
        .with("currency", exchange.currency.to_string())
        .with("usd", exchange.usd)
        .with("date", &exchange.date)
}

/// Quotes that machines are bought at, and everything bought where one alone moves within its
/// range.
pub(in crate::report) const QUOTE_COLUMNS: &[ListColumn<MachineQuote>] = &[
    json_column("parts", |quote| quote.parts.clone().into()),
    json_column("share_of_capex", |quote| quote.share.into()),
    known_column("capex_range_usd", |quote| quote.capex.map(range_json).into()),
];

/// Lowest and highest.
pub(in crate::report) fn range_json(range: UsdRange) -> JsonValue {
    [range.low, range.high].into()
}

/// The lines in JSON.
pub(in crate::report) fn bill_lines_json(lines: &[BillLine]) -> JsonValue {
    list_json(BILL_COLUMNS, lines)
}

/// The lines as a table of the columns with those keys.
pub(in crate::report) fn bill_columns_table<'a>(
    lines: impl IntoIterator<Item = &'a BillLine>,
    keys: &[&str],
) -> Table {
    table_with_keys(BILL_COLUMNS, keys, lines)
}
