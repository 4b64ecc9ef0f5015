//! The figures of an answer: one row each, and no other place says it. A row holds the key of a
//! figure in JSON, what it is called, its unit, which way it gets better, how it is read from an
//! answer, what it means, its formula and where that stands. JSON, `explain`, `compare`, `sweep`,
//! the gate and docs/results.md read the rows; nothing is guessed from a name. It computes no
//! figure.

mod cost;
mod efficiency;
mod fabric;
mod failures;
mod machines_and_layout;
mod memory;
mod proof;
mod routing;
pub(crate) mod row;
mod step_time;
mod traffic;

pub use row::{Better, Equation, FigureSource, Quantity};

use std::fmt::Write;

use super::units::Unit;

/// The rows by file, in the order of a design's JSON.
const FILES: [&[Quantity]; 14] = [
    machines_and_layout::CLUSTER_ROWS,
    machines_and_layout::MODEL_ROWS,
    machines_and_layout::LAYOUT_ROWS,
    step_time::ROWS,
    efficiency::ROWS,
    memory::ROWS,
    traffic::ROWS,
    fabric::ROWS,
    cost::ROWS,
    routing::HEADROOM_ROWS,
    failures::ROWS,
    routing::ROUTING_ROWS,
    routing::ROBUST_ROWS,
    proof::ROWS,
];

/// All figures, in the order of a design's JSON.
pub fn all_quantities() -> impl Iterator<Item = &'static Quantity> {
    FILES.into_iter().flatten()
}

/// The figures of a section of the JSON, such as `cost`; of a figure that stands in no section,
/// that one.
pub fn section_quantities(name: &str) -> impl Iterator<Item = &'static Quantity> {
    all_quantities().filter(move |quantity| quantity.section() == name)
}

/// What is known of the figure of that key; `None` where no design has one.
#[must_use]
pub fn quantity_for_key(key: &str) -> Option<&'static Quantity> {
    all_quantities().find(|quantity| quantity.key == key)
}

/// Lists of what has a name: figures of one are `workloads.NAME.step.time_s`.
pub const NAMED: [&str; 2] = ["workloads", "parts"];

/// The key of a figure that is that of one of several, in two: `workloads.NAME.` and what that one
/// calls it; `None` where it is of all.
#[must_use]
pub fn split_member_key(key: &str) -> Option<(&str, &str)> {
    let (list, rest) = key.split_once('.')?;
    let (name, own) = rest.split_once('.').filter(|_| NAMED.contains(&list))?;
    Some((&key[..list.len() + name.len() + 2], own))
}

/// Unit of the figure of that key, of one of several too; that of a plain number where no design
/// has one.
#[must_use]
pub fn figure_unit(key: &str) -> Unit {
    let own = split_member_key(key).map_or(key, |(_, own)| own);
    // A workload's run and tokens stand beside its step: it has no bill.
    let row = quantity_for_key(own)
        .or_else(|| quantity_for_key(&format!("cost.{own}")).filter(|_| own != key));
    row.map_or(Unit::Number, |quantity| quantity.unit)
}

/// What stands before the key of a figure where it is that of one of several clusters, as in
/// `parts.0.step.time_s` or `growth.stages.0.design.step.time_s`; empty where nothing does.
#[must_use]
pub fn cluster_of(key: &str) -> &str {
    let after = |list: &str, end: &str| {
        let rest = key.strip_prefix(list)?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).filter(|digits| *digits > 0)?;
        let own = rest[digits..].strip_prefix(end)?;
        Some(&key[..key.len() - own.len()])
    };
    after("parts.", ".").or_else(|| after("growth.stages.", ".design.")).unwrap_or("")
}

/// A key without the unit at its end, as people type and read it; a key of no figure stays whole.
#[must_use]
pub fn strip_unit(key: &str) -> &str {
    let endings: &[&str] = match figure_unit(key) {
        Unit::Money => &["_usd", "_usd_per_year"],
        Unit::Time => &["_s"],
        Unit::Days => &["_days"],
        Unit::Power => &["_w"],
        Unit::Memory | Unit::Volume => &["_bytes"],
        Unit::Link => &["_gbit_per_s"],
        _ => &[],
    };
    endings.iter().find_map(|ending| key.strip_suffix(ending)).unwrap_or(key)
}

const HEAD: &str = "\
# Every figure of a result

Written by the program from its own table of figures: change a row in `src/quantity/`, not this page.
A key is that of `planner design --format json`. `planner explain` shows how each number came about,
`planner sweep --show` and `--pareto` and the rules of `planner check` take the same keys or their
ends. A figure that not every design has says `null` in its place, or its section is left out. Lists
(the bill, tiers, routing, alternatives) are not in these tables; `planner explain SPEC` lists their
numbers with their meaning.
";

/// The page.
#[must_use]
pub fn quantities_page() -> String {
    let mut page = HEAD.to_owned();
    let mut section = "";
    for quantity in all_quantities() {
        if quantity.section() != section {
            section = quantity.section();
            // Writing to a String can't fail.
            let _ = write!(page, "\n## `{section}`\n\n");
            page.push_str("| key | unit | better | always | meaning | formula |\n");
            page.push_str("|---|---|---|---|---|---|\n");
        }
        write_row(quantity, &mut page);
    }
    page
}

fn write_row(quantity: &Quantity, page: &mut String) {
    let better = match quantity.better {
        Better::Lower => "lower",
        Better::Higher => "higher",
        Better::Neither => "",
    };
    let always = if quantity.always { "yes" } else { "" };
    let cited: Vec<String> =
        quantity.equations.iter().map(|equation| equation_link(equation.section)).collect();
    let formula = match (quantity.formula, cited.is_empty()) {
        (formula, true) => formula.to_owned(),
        (formula, false) => format!("{formula} ({})", cited.join(", ")),
    };
    let _ = writeln!(
        page,
        "| `{}` | {} | {better} | {always} | {} | {} |",
        quantity.key,
        unit_symbol(quantity.unit),
        escape_table_cell(quantity.meaning),
        escape_table_cell(&formula)
    );
}

/// `docs/equations.md §2.3` as a link from another page of that folder.
fn equation_link(section: &str) -> String {
    let number = section.rsplit(' ').next().unwrap_or(section);
    format!("[{number}](equations.md)")
}

/// A text fit for a cell.
fn escape_table_cell(text: &str) -> String {
    text.replace('|', "\\|")
}

const fn unit_symbol(unit: Unit) -> &'static str {
    match unit {
        Unit::Time => "s",
        Unit::Days => "days",
        Unit::Memory | Unit::Volume => "bytes",
        Unit::Money => "US$",
        Unit::Power => "W",
        Unit::Work => "FLOP",
        Unit::Rate => "TFLOP/s",
        Unit::Link => "Gb/s",
        Unit::Bandwidth => "bytes/s",
        Unit::TokenRate => "tokens/s",
        Unit::Count => "pieces",
        Unit::Share => "share of 1",
        Unit::Number => "ratio",
        Unit::Flag => "true or false",
        Unit::Word => "name",
    }
}

#[cfg(test)]
mod tests {
    use super::{Better, all_quantities, figure_unit, quantity_for_key, strip_unit};
    use crate::units::Unit;

    #[test]
    fn every_key_has_one_row_and_every_row_says_what_it_is() {
        let mut keys: Vec<&str> = all_quantities().map(|quantity| quantity.key).collect();
        let rows = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), rows, "a key stands twice");
        for quantity in all_quantities() {
            let said = [quantity.label, quantity.meaning].iter().all(|text| !text.is_empty());
            assert!(said, "{}", quantity.key);
            assert_eq!(quantity.unit.is_number(), !quantity.formula.is_empty(), "{}", quantity.key);
            assert_eq!(
                quantity.unit.is_number(),
                !quantity.equations.is_empty(),
                "{}",
                quantity.key
            );
            for input in quantity.parts {
                assert!(quantity_for_key(input).is_some(), "{} takes `{input}`", quantity.key);
            }
        }
    }

    #[test]
    fn the_direction_is_that_of_the_key_and_not_of_a_word_in_it() {
        let better = |key: &str| quantity_for_key(key).map(|quantity| quantity.better);
        assert_eq!(better("goodput_share"), Some(Better::Higher));
        assert_eq!(better("all_to_all.stored_share"), Some(Better::Higher));
        assert_eq!(better("fabric.across_rails_share"), Some(Better::Higher));
        assert_eq!(better("cost.capex_usd"), Some(Better::Lower));
        assert_eq!(better("traffic.bytes_by_kind.data"), Some(Better::Lower));
        assert_eq!(better("layout.tensor"), Some(Better::Neither));
        assert_eq!(better("cost.mfu"), None);
        assert_eq!(better("traffic.bytes_by_kind.data.more"), None);
    }

    #[test]
    fn the_unit_of_a_key_stands_in_its_row() {
        for (key, expected) in [
            ("cost.capex_usd", Unit::Money),
            ("cost.opex_usd_per_year", Unit::Money),
            ("parts.small.cost.capex_usd", Unit::Money),
            ("workloads.dense.step.time_s", Unit::Time),
            ("workloads.dense.training_days", Unit::Days),
            ("workloads.dense.usd_per_million_tokens", Unit::Money),
            ("cost.usd_per_million_tokens", Unit::Money),
            ("cost.training_days", Unit::Days),
            ("cost.power_w", Unit::Power),
            ("memory.total_bytes", Unit::Memory),
            ("step.exposed_communication_s.tensor", Unit::Time),
            ("step.tokens_per_s_per_gpu", Unit::TokenRate),
            ("step.model_tflops_per_gpu", Unit::Rate),
            ("traffic.bytes_by_kind.data", Unit::Volume),
            ("fabric.link_gbit_per_s", Unit::Link),
            ("step.mfu", Unit::Share),
            ("goodput_share", Unit::Share),
            ("fabric.switches", Unit::Count),
            ("fabric.kind", Unit::Word),
            ("somebody.elses_usd", Unit::Number),
        ] {
            assert_eq!(figure_unit(key), expected, "{key}");
        }
        assert_eq!(strip_unit("cost.opex_usd_per_year"), "cost.opex");
        assert_eq!(strip_unit("step.time_s"), "step.time");
        assert_eq!(strip_unit("step.tokens_per_s_per_gpu"), "step.tokens_per_s_per_gpu");
        assert_eq!(strip_unit("somebody.elses_usd"), "somebody.elses_usd");
    }
}
