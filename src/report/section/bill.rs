//! The bill: money and watts, part by part, and other networks.

use crate::cost::{BillLine, Cost, machine_quotes};
use crate::design::OtherNetworks;
use crate::hardware::PriceBasis;
use crate::report::document::Section;
use crate::report::list::bill_columns_table;
use crate::report::table::{Cell, Column, Table};
use crate::report::{number, words};
use crate::units::{Usd, UsdRange};

/// The bill and what it sums up to.
pub(in crate::report) fn bill_section(lines: &[BillLine], cost: &Cost, gpus: u32) -> Section {
    let mut section =
        Section::new("PRICE", price_dates_text(lines)).add_table(bill_table(lines, cost));
    section = section.add_line(format!("total {} to buy", number::money(cost.capex)));
    section = section.add_line(format!(
        "network {}: {} of the price of {}, {} per GPU; draws {} of {}",
        number::money(cost.network_capex),
        number::percent(share_of_whole(cost.network_capex.get(), cost.capex.get())),
        number::money(cost.capex),
        number::money(cost.network_capex / f64::from(gpus.max(1))),
        number::power(cost.network_power),
        number::power(cost.power),
    ));
    let mut running = format!(
        "electricity {} a year; price with {} of power {}{}",
        number::money(cost.opex_per_year),
        operation_years_text(cost),
        number::money(cost.tco),
        present_value_note(cost)
    );
    if let Some(tokens) = token_cost_sentence(cost) {
        running.push_str(&format!(", {tokens}"));
    }
    section = section.add_line(running);
    for text in [
        covered_parts_sentence(lines),
        quote_share_sentence(lines),
        assumed_prices_sentence(lines, cost),
    ]
    .into_iter()
    .flatten()
    {
        section = section.add_line(text);
    }
    if let Some(UsdRange { low, high }) = cost.capex_range {
        let network =
            cost.network_capex_range.map_or_else(String::new, |UsdRange { low, high }| {
                format!(", network {} to {}", number::money(low), number::money(high))
            });
        section = section.add_line(format!(
            "with low and high prices: {} to {} in all{network}",
            number::money(low),
            number::money(high)
        ));
    }
    if let Some(lead) = lead_time_sentence(lines, cost) {
        section = section.add_line(format!("delivered after {lead}"));
    }
    if let Some(all) = grand_total_sentence(cost) {
        section = section.add_line(all);
    }
    if !cost.unpriced.is_empty() {
        section = section.add_line(format!("not in the totals: {}", cost.unpriced.join(", ")));
    }
    section
}

/// The longest lead time that is known, and of how many parts none is; `None` where of all.
pub(super) fn lead_time_sentence(lines: &[BillLine], cost: &Cost) -> Option<String> {
    let (days, part) = cost.lead.as_ref()?;
    let bought = || lines.iter().filter(|line| line.bought_count() > 0);
    let silent =
        |line: &&BillLine| line.unit.as_ref().is_none_or(|price| price.quote.lead_days.is_none());
    let parts = number::count_with_noun(bought().count() as u64, "part", "parts");
    let rest = match bought().filter(silent).count() {
        0 => String::new(),
        count => format!("; no lead time is stated for {count} of {parts}"),
    };
    Some(format!("{} ({part}){rest}", number::count_with_noun(*days, "day", "days")))
}

/// The grand total; `None` where nothing stands beside the design.
pub(super) fn grand_total_sentence(cost: &Cost) -> Option<String> {
    let all = cost.whole.as_ref()?;
    let mut text = format!(
        "grand total {}: with {} for other networks and {} for installation; draws {}; with {} of \
         power {}{}",
        number::money(all.capex),
        number::money(all.networks),
        number::money(all.installation),
        number::power(all.power),
        operation_years_text(cost),
        number::money(all.tco),
        present_value_note(cost),
    );
    if let Some(usd) = all.usd_per_million_tokens {
        text.push_str(&format!(", {} per million tokens", number::money(usd)));
    }
    if !all.unpriced.is_empty() {
        text.push_str(&format!("; it lacks the price of {}", all.unpriced.join(", ")));
    }
    Some(text)
}

/// What the price of the machines has in it; `None` where it covers nothing on the bill.
fn covered_parts_sentence(lines: &[BillLine]) -> Option<String> {
    let one = |line: &BillLine| {
        let price = line.unit.as_ref()?;
        let alone = price.quote.alone.map_or_else(
            || "no price if bought alone".to_owned(),
            |usd| format!("{} each if bought alone", number::money(usd)),
        );
        Some(format!("{} {} {} ({alone})", number::count(line.count), line.part, price.source))
    };
    let all: Vec<String> = lines.iter().filter(|line| line.is_covered()).filter_map(one).collect();
    (!all.is_empty()).then(|| format!("at no extra cost: {}", all.join(", ")))
}

/// How much of a bill one quote of machines is, and what the bill is over its public range; `None`
/// where no machine is bought at a price.
pub(super) fn quote_share_sentence(lines: &[BillLine]) -> Option<String> {
    let quote = machine_quotes(lines).into_iter().next()?;
    let text = quote.parts.join(" and ");
    let what = format!("{} of the price is one quote, {text}", number::percent(quote.share));
    let Some((each, all)) = quote.price.range.zip(quote.capex) else {
        return Some(what);
    };
    Some(format!(
        "{what}: at {} to {} each, {} to {} in all",
        number::money(each.low),
        number::money(each.high),
        number::money(all.low),
        number::money(all.high)
    ))
}

/// How much of the money rests on nobody's word; `None` where it is nothing.
pub(in crate::report) fn assumed_prices_sentence(
    lines: &[BillLine],
    cost: &Cost,
) -> Option<String> {
    let assumed: Usd = lines
        .iter()
        .filter(|line| line.unit.as_ref().is_some_and(|price| price.basis == PriceBasis::Assumed))
        .map(|line| line.total)
        .sum();
    let share = || number::percent(share_of_whole(assumed.get(), cost.capex.get()));
    (assumed > Usd::ZERO).then(|| format!("{} of the price is assumed", share()))
}

/// The bill of materials; owned pieces and spares where there are any.
pub(in crate::report) fn bill_table(lines: &[BillLine], cost: &Cost) -> Table {
    let mut table = bill_columns_table(
        lines,
        &[
            "part",
            "role",
            "count",
            "owned",
            "unit_usd",
            "total_usd",
            "basis",
            "date",
            "source",
            "spares",
        ],
    );
    let share = |line: &BillLine| match line.unit {
        None => Cell::no_value(),
        Some(_) => Cell::percent(share_of_whole(line.total.get(), cost.capex.get())),
    };
    let column = Column::numbers("share", "share_of_capex");
    table.insert_column_after("total_usd", column, lines.iter().map(share));
    if lines.iter().all(|line| line.owned == 0) {
        table.hide_column("owned");
    }
    if lines.iter().all(|line| line.spares == 0) {
        table.hide_column("spares");
    }
    table
}

/// From when the prices are.
pub(in crate::report) fn price_dates_text(lines: &[BillLine]) -> String {
    let dates = || lines.iter().filter_map(|line| line.unit.as_ref()).map(|price| &price.date);
    match (dates().min(), dates().max()) {
        (Some(first), Some(last)) if first == last => format!("prices of {first}"),
        (Some(first), Some(last)) => format!("prices of {first} to {last}"),
        _ => "no prices".to_owned(),
    }
}

/// A share of a whole; 0 where there is no whole.
pub(super) fn share_of_whole(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

/// What tokens cost: of all years, as the cluster is paid for those, and of the run where one is
/// known;
/// `None` where a step has no time.
fn token_cost_sentence(cost: &Cost) -> Option<String> {
    let usd = cost.usd_per_million_tokens?;
    let all = format!(
        "{} per million tokens at goodput {}",
        number::money(usd),
        number::percent(cost.goodput)
    );
    Some(match cost.run {
        Some(run) => format!("{all}, {} for the run", number::money(run)),
        None => all,
    })
}

/// `4 years`: those of operation.
pub(in crate::report) fn operation_years_text(cost: &Cost) -> String {
    let years = words::rounded_number(cost.years);
    if years == "1" { "1 year".to_owned() } else { format!("{years} years") }
}

/// What is said after a sum over the years where later money counts less.
pub(in crate::report) fn present_value_note(cost: &Cost) -> &'static str {
    if cost.discount > 0.0 { " in today's value" } else { "" }
}

/// The section; empty where none was asked for.
pub(in crate::report) fn other_networks_section(networks: Option<&OtherNetworks>) -> Section {
    let Some(networks) = networks else { return Section::new("", "") };
    let lead = format!(
        "{}, in the grand total alone; draws {}, {}",
        number::money(networks.capex),
        number::power(networks.power),
        number::count_with_noun(networks.rack_units, "rack unit", "rack units"),
    );
    let mut section =
        Section::new("OTHER NETWORKS", lead).add_table(network_bill_table(&networks.bill));
    for line in network_counts_lines(networks) {
        section = section.add_line(line);
    }
    section
}

/// The installation; empty where none was asked for.
pub(in crate::report) fn installation_section(bill: &[BillLine]) -> Section {
    if bill.is_empty() {
        return Section::new("", "");
    }
    let sum: Usd = bill.iter().map(|line| line.total).sum();
    let lead = format!("{}, in the grand total alone", number::money(sum));
    let section = Section::new("INSTALLATION", lead).add_table(network_bill_table(bill));
    let unpriced: Vec<&str> =
        bill.iter().filter(|line| line.unit.is_none()).map(|line| line.part.as_str()).collect();
    if unpriced.is_empty() {
        section
    } else {
        section.add_line(format!("without a price: {}", unpriced.join(", ")))
    }
}

/// What each network is made of.
fn network_counts_lines(networks: &OtherNetworks) -> Vec<String> {
    let mut all = Vec::new();
    let switches = |count: u64| number::count_with_noun(count, "switch", "switches");
    let count = |count: u64| number::count(count);
    if let Some((model, counts)) = &networks.storage {
        all.push(format!(
            "storage: {} {model}: {} for machines, {} for storage, {} spines; links: {} of machines, {} \
             of storage, {} between switches",
            switches(counts.switch_count()),
            count(counts.node_leafs),
            count(counts.storage_leafs),
            count(counts.spines),
            count(counts.node_links),
            count(counts.storage_links),
            count(counts.uplinks),
        ));
    }
    if let Some((model, counts)) = &networks.in_band {
        all.push(format!(
            "in-band: {} {model}: {} in pairs, {} cores; links: {} of hosts, {} up, {} in pairs, {} \
             outside",
            switches(counts.switch_count()),
            count(counts.leafs),
            count(counts.cores),
            count(counts.host_links),
            count(counts.uplinks),
            count(counts.peer_links),
            count(counts.outside),
        ));
    }
    if let Some((model, counts)) = &networks.out_of_band {
        all.push(format!(
            "out-of-band: {} {model}; links: {} of controllers, {} up",
            switches(counts.switches),
            count(counts.host_links),
            count(counts.uplinks),
        ));
    }
    if let Some((machines, others)) = networks.racks {
        all.push(format!(
            "control: {}, {}; {} of machines, {} of switches and servers",
            number::count_with_noun(networks.managers, "fabric manager", "fabric managers"),
            number::count_with_noun(networks.servers, "management server", "management servers"),
            number::count_with_noun(machines, "rack", "racks"),
            count(others),
        ));
    }
    for name in &networks.impossible {
        all.push(format!(
            "networks.{name} can't be built: its switch has too few ports for so many machines"
        ));
    }
    let unpriced: Vec<&str> = networks
        .bill
        .iter()
        .filter(|line| line.unit.is_none())
        .map(|line| line.part.as_str())
        .collect();
    if !unpriced.is_empty() {
        all.push(format!("without a price: {}", unpriced.join(", ")));
    }
    all.push("copper and management cables are counted and not priced".to_owned());
    all
}

/// What is bought.
fn network_bill_table(bill: &[BillLine]) -> Table {
    let keys = ["part", "role", "count", "unit_usd", "total_usd", "draw_w", "basis", "date"];
    bill_columns_table(bill, &keys)
}
