//! What was taken for granted: assumptions of the model, and defaults of keys that are left open.

use super::super::document::Section;
use super::super::number;
use super::super::table::{Cell, Column, Table};
use crate::scenario::Assumption;

/// As many defaults are listed wherever they stand.
const FEW: usize = 4;

/// What was taken for granted and no spec states: topics and sentences.
pub(super) fn assumptions(all: &[Assumption]) -> Section {
    Section::new("ASSUMPTIONS", "").table(listed(all, false))
}

/// Both, where they are few: what the report rests on, whoever stated it.
pub(super) fn assumptions_and_defaults(all: &[Assumption]) -> Section {
    let mut table = Table::new(vec![Column::words("", "topic"), Column::words("", "text")]);
    for assumption in all {
        table.row(vec![Cell::words(&assumption.topic), Cell::words(&assumption.text)]);
    }
    Section::new("ASSUMPTIONS", "").table(table)
}

/// What was taken for the keys that a spec leaves open.
pub(super) fn defaults_section(all: &[Assumption]) -> Section {
    let section = Section::new("DEFAULTS", "").table(listed(all, true));
    let count = all.iter().filter(|of| of.default).count();
    if count <= FEW {
        return section;
    }
    let open = number::count_with_noun(count as u64, "key is", "keys are");
    section.long(format!("{open} left open: `-v` lists what is taken for them"))
}

/// Either kind, as a list of topics and sentences.
fn listed(all: &[Assumption], default: bool) -> Table {
    let mut table = Table::new(vec![Column::words("", "topic"), Column::words("", "text")]);
    for assumption in all.iter().filter(|of| of.default == default) {
        table.row(vec![Cell::words(&assumption.topic), Cell::words(&assumption.text)]);
    }
    table
}
