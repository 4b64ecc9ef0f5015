//! What was taken for granted: assumptions of the model, and defaults of keys that are left open.

use super::super::document::Section;
use super::super::number;
use super::super::table::{Cell, Column, Table};
use crate::scenario::Assumption;

/// As many defaults are listed wherever they stand.
const FEW: usize = 4;

/// What was taken for granted and no spec states: topics and sentences.
pub(super) fn assumptions_section(all: &[Assumption]) -> Section {
    Section::new("ASSUMPTIONS", "").add_table(assumptions_table(all, false))
}

/// Both, where they are few: what the report rests on, whoever stated it.
pub(super) fn assumptions_and_defaults(all: &[Assumption]) -> Section {
    let mut table = Table::new(vec![Column::words("", "topic"), Column::words("", "text")]);
    for assumption in all {
        table.push_row(vec![Cell::words(&assumption.topic), Cell::words(&assumption.text)]);
    }
    Section::new("ASSUMPTIONS", "").add_table(table)
}

/// What was taken for the keys that a spec leaves open.
pub(super) fn defaults_section(all: &[Assumption]) -> Section {
    let section = Section::new("DEFAULTS", "").add_table(assumptions_table(all, true));
    let count = all.iter().filter(|assumption| assumption.default).count();
    if count <= FEW {
        return section;
    }
    let open = number::count_with_noun(count as u64, "key is", "keys are");
    section.with_long_rank(format!("{open} left open: `-v` lists what is taken for them"))
}

/// Either kind, as a list of topics and sentences.
fn assumptions_table(all: &[Assumption], default: bool) -> Table {
    let mut table = Table::new(vec![Column::words("", "topic"), Column::words("", "text")]);
    for assumption in all.iter().filter(|this_assumption| this_assumption.default == default) {
        table.push_row(vec![Cell::words(&assumption.topic), Cell::words(&assumption.text)]);
    }
    table
}
