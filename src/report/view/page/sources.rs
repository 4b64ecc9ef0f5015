//! Where the numbers of a page come from: who said what a part costs or can do, and when.

use super::super::super::document::Section;
use super::super::super::sheet::Preset;
use super::super::super::table::{Cell, Column, Table};
use crate::cost::BillLine;
use crate::design::Plan;

/// Prices and parts with their sources.
pub(super) fn sources_section<'a>(
    bill: &'a [BillLine],
    plans: impl Iterator<Item = &'a Plan>,
    presets: &[Preset],
) -> Section {
    let mut table = Table::new(vec![
        Column::words("what", "what"),
        Column::words("of", "date"),
        Column::words("source", "source"),
    ]);
    let mut row = |what: String, date: &str, source: &str| {
        table.push_row(vec![Cell::words(what), Cell::words(date), Cell::words(source)]);
    };
    for line in bill {
        if let Some(price) = &line.unit {
            let what = format!("price of {} ({})", line.part, price.basis.name());
            row(what, &price.date, &price.source);
        }
    }
    for (kind, name) in sourced_parts(bill, plans) {
        let Some(preset) =
            presets.iter().find(|this_preset| this_preset.kind == kind && this_preset.name == name)
        else {
            continue;
        };
        if !preset.source.is_empty() {
            row(format!("{kind} {name}"), &preset.date, &preset.source);
        }
    }
    let lead = "what the spec states itself needs none; formulas are named by `planner explain`";
    Section::new("SOURCES", lead).add_table(table)
}

/// The parts of plans by kind and name in the catalogue, each once.
fn sourced_parts<'a>(
    bill: &'a [BillLine],
    plans: impl Iterator<Item = &'a Plan>,
) -> Vec<(&'static str, &'a str)> {
    let mut parts = Vec::new();
    for plan in plans {
        let nodes = &plan.nodes;
        parts.extend([
            ("node", nodes.node.name.as_str()),
            ("gpu", nodes.node.gpu.name.as_str()),
            ("nic", nodes.nic.name.as_str()),
        ]);
        parts.extend(plan.fabric.tiers.iter().map(|tier| ("switch", tier.model.as_str())));
    }
    parts.extend(bill.iter().map(|line| ("optic", line.part.as_str())));
    let mut unique = Vec::new();
    for part in parts {
        if !unique.contains(&part) {
            unique.push(part);
        }
    }
    unique
}
