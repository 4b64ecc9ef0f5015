//! The table of figures as a page of Markdown: `docs/results.md` is what this writes, and a test
//! holds the two together.

use std::fmt::Write;

use super::{Better, Quantity, all_quantities};
use crate::units::Unit;

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
