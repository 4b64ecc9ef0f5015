//! The screen of several designs side by side: ten rows, and which is best where they do one job.

use crate::gate::Snapshot;
use crate::quantity::{Quantity, quantity_for_key};
use crate::report::amount::amount_text;
use crate::report::document::{Screen, Section};
use crate::report::sheet::SideBySide;
use crate::report::short_number;
use crate::report::table::{Cell, Column, Table, figure_cell};
use crate::units::{Amount, Unit};

/// The usual figures, and which design is best.
pub(super) fn specs_screen(sheet: &SideBySide<'_>) -> Screen {
    let more = vec![usual_figures_section(sheet)];
    Screen { more, ..Screen::from_verdict(ranking_text(sheet)) }
}

/// Figures that people compare first, by their keys, as they are called here.
const USUAL: [(&str, &str); 11] = [
    ("cluster.gpus", "GPUs"),
    ("cluster.node", "machine"),
    ("fabric.kind", "network"),
    ("fabric.switches", "switches"),
    ("cost.network_capex_usd", "network price"),
    ("cost.capex_usd", "cluster"),
    ("cost.power_with_cooling_w", "power with cooling"),
    ("step.time_s", "step"),
    ("cost.training_days_with_failures", "run with failures"),
    ("cost.usd_per_million_tokens", "per million tokens"),
    ("all_to_all.stored_share", "all-to-all, of NIC rate"),
];

/// The usual figures of each design; `?` where a price is missing.
fn usual_figures_section(sheet: &SideBySide<'_>) -> Section {
    let names = sheet.design_names();
    let columns = names.iter().map(|name| Column::words(name, name));
    let mut table = Table::new([Column::words("", "figure")].into_iter().chain(columns).collect());
    for (key, label) in USUAL {
        let Some(row) = quantity_for_key(key) else { continue };
        let cells = sheet.all.iter().map(|(_, snapshot)| {
            let mut cell = snapshot_cell(snapshot, row);
            if let (Unit::Money, Some(usd)) = (row.unit, snapshot.figures.get(row.key)) {
                let mark = if snapshot.unpriced.is_empty() { "" } else { " ?" };
                cell.text = short_figure(row.unit, *usd) + mark;
            }
            cell
        });
        table.push_row([Cell::words(label)].into_iter().chain(cells).collect());
    }
    let mut unpriced: Vec<&str> =
        sheet.all.iter().flat_map(|(_, found)| &found.unpriced).map(String::as_str).collect();
    unpriced.sort_unstable();
    unpriced.dedup();
    let section = Section::new("", "").add_table(table);
    let section = if unpriced.is_empty() {
        section
    } else {
        section.add_line(format!("?  no price for {}: sums are too low", unpriced.join(", ")))
    };
    section.add_line("--all has every figure")
}

/// Models that are trained, each once; those of results that do not name theirs are left out.
fn trained_models<'a>(sheet: &SideBySide<'a>) -> Vec<&'a str> {
    let mut models: Vec<&str> = Vec::new();
    for (_, snapshot) in &sheet.all {
        if let Some(name) =
            snapshot.words.get("model.name").filter(|name| !models.contains(&name.as_str()))
        {
            models.push(name);
        }
    }
    models
}

/// Whether all train the same model with as many tokens a step, as far as results tell.
pub(super) fn is_one_job(sheet: &SideBySide<'_>) -> bool {
    let same = |key: &str| {
        let mut values = sheet.all.iter().map(|(_, snapshot)| snapshot.figures.get(key));
        let first = values.next().flatten();
        first.is_some() && values.all(|value| value == first)
    };
    trained_models(sheet).len() < 2 && same("model.parameters") && same("step.tokens")
}

/// Which design is best, where they do the same job; those without all prices are left out of what
/// is in dollars.
fn ranking_text(sheet: &SideBySide<'_>) -> String {
    if !is_one_job(sheet) {
        return match trained_models(sheet).as_slice() {
            [] | [_] => "Not ranked: models or batches differ.".to_owned(),
            models => format!("Not ranked: different models ({}).", models.join(", ")),
        };
    }
    let best = |key: &str, priced: bool| {
        let names = sheet.design_names().into_iter().zip(&sheet.all);
        let fit = names.filter(|(_, (_, found))| !priced || found.unpriced.is_empty());
        let found = fit.filter_map(|(name, (_, found))| Some((name, *found.figures.get(key)?)));
        found.min_by(|one, other| one.1.total_cmp(&other.1))
    };
    let money = |usd: f64| short_figure(Unit::Money, usd);
    let told = [
        best("cost.capex_usd", true)
            .map(|(name, usd)| format!("Cheapest: {name} ({})", money(usd))),
        best("step.time_s", false).map(|(name, time)| {
            format!("Fastest: {name} ({} a step)", short_figure(Unit::Time, time))
        }),
        best("cost.usd_per_million_tokens", true)
            .map(|(name, usd)| format!("Least per million tokens: {name} ({})", money(usd))),
    ];
    told.into_iter().flatten().map(|text| text + ".").collect::<Vec<_>>().join(" ")
}

pub(super) fn snapshot_cell(snapshot: &Snapshot, row: &Quantity) -> Cell {
    match snapshot.words.get(row.key) {
        Some(word) if row.unit == Unit::Word => Cell::words(word),
        _ => figure_cell(row.unit, snapshot.figures.get(row.key).copied()),
    }
}

/// A figure of a result in few digits.
fn short_figure(unit: Unit, figure: f64) -> String {
    match unit.to_amount(figure) {
        Amount::Money(usd) => short_number::money(usd),
        other => amount_text(&other),
    }
}
