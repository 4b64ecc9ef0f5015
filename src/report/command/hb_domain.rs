//! The report of `planner fabric hb`: what joins the GPUs of one HB domain.

use crate::cost::HbCost;
use crate::fabric::HbCounts;
use crate::report::document::{Document, Section};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::sheet::HbSheet;
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number};

/// The sheet in the wanted format, with a line break at its end.
#[must_use]
pub fn hb_domain(sheet: &HbSheet<'_>, look: RenderOptions<'_>) -> String {
    let counts = &sheet.counts;
    let mut section = Section::new("HB DOMAIN", hb_domain_lead(sheet))
        .add_table(hb_table(counts))
        .add_line(hb_links_text(counts));
    if let Some(rate) = sheet.rate {
        section = section.add_line(format!(
            "{} per GPU one way; {} of that where all GPUs send equally to all, {} in rings over \
             neighbours",
            number::bandwidth(rate),
            number::percent(counts.all_to_all),
            number::percent(counts.neighbours),
        ));
    }
    if sheet.tray_chips > 1 && counts.levels > 0 {
        let trays = counts.chip_count().div_ceil(u64::from(sheet.tray_chips));
        let trays = number::count_with_noun(trays, "tray", "trays");
        section = section.add_line(format!("{trays} of {} chips", sheet.tray_chips));
    }
    if counts.chip_count() > counts.chips_needed() {
        section = section.add_line(format!(
            "{} built, {} needed: packaging",
            number::count_with_noun(counts.chip_count(), "chip", "chips"),
            number::count(counts.chips_needed()),
        ));
    }
    if let Some(power) = sheet.power {
        section = section.add_line(format!("draws {} with its GPUs", number::power(power)));
    }
    section = match sheet.cost {
        Some(cost) => section.add_line(hb_money(cost, counts.request.gpus)),
        None if sheet.family.is_some() => {
            section.add_line("what joins its GPUs has parts without a price")
        }
        None => section,
    };
    let sheet_table = hb_table(counts);
    let document = Document {
        title: String::new(),
        sections: vec![section],
        screen: None,
        sheet: sheet_table,
    };
    draw_document(&document, look, || json::hb_domain(sheet))
}

fn hb_domain_lead(sheet: &HbSheet<'_>) -> String {
    let counts = &sheet.counts;
    let gpus = number::count_with_noun(counts.request.gpus, "GPU", "GPUs");
    let family = sheet.family.map_or_else(String::new, |name| format!(" of {name}"));
    let joined = match counts.levels {
        0 => counts.request.kind.name().to_owned(),
        1 if counts.request.twin => format!("two halves around {}", switch_chips_text(counts)),
        1 => format!("{} in one tier", switch_chips_text(counts)),
        _ => format!("{} in two tiers at {}:1", switch_chips_text(counts), counts.request.taper),
    };
    format!("{gpus}{family}: {joined}")
}

fn switch_chips_text(counts: &HbCounts) -> String {
    number::count_with_noun(counts.chip_count(), "switch chip", "switch chips")
}

/// Chips by level.
fn hb_table(counts: &HbCounts) -> Table {
    let mut table = Table::new(vec![
        Column::words("level", "level"),
        Column::numbers("chips", "chips"),
        Column::numbers("ports each", "ports"),
        Column::numbers("GPUs below", "gpus"),
        Column::numbers("links of a GPU to one", "lanes"),
    ]);
    for (name, chips, is_leaf) in
        [("first", counts.leaf_chips, true), ("second", counts.spine_chips, false)]
    {
        if chips > 0 {
            table.push_row(vec![
                Cell::words(name),
                Cell::count(chips),
                Cell::count(counts.request.ports),
                if is_leaf { Cell::count(counts.pod) } else { Cell::count(counts.request.gpus) },
                if is_leaf { Cell::count(counts.lanes) } else { Cell::no_value() },
            ]);
        }
    }
    table
}

fn hb_links_text(counts: &HbCounts) -> String {
    let ends = if counts.levels == 0 { "between GPUs" } else { "from GPUs to chips" };
    let mut text = format!("links: {} {ends}", number::count(counts.gpu_links));
    if counts.long_links > 0 {
        text.push_str(&format!(", {} between chips", number::count(counts.long_links)));
    }
    if counts.levels > 0 {
        text.push_str(&format!(
            "; {} free",
            number::count_with_noun(counts.free_ports, "port", "ports")
        ));
    }
    text
}

/// What joins the GPUs, whole and for each.
fn hb_money(cost: HbCost, gpus: u32) -> String {
    if cost.high.get() <= 0.0 {
        return "what joins its GPUs is in the price of the board".to_owned();
    }
    let each = |amount: crate::units::Usd| number::money(amount * (1.0 / f64::from(gpus)));
    let range = if cost.low < cost.high {
        format!("; {} to {} at low and high prices", each(cost.low), each(cost.high))
    } else {
        String::new()
    };
    format!(
        "what joins its GPUs: {} ({} per GPU{range})",
        number::money(cost.amount),
        each(cost.amount)
    )
}
