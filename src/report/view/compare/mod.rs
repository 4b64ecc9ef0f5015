//! The report of `planner compare`: absolute, difference and percent, and whose saving it is.

mod beside;
mod one;
mod several;
mod sheet;
mod verdict;

pub(super) use one::cluster_comparison;
pub(super) use several::multi_cluster_comparison;
pub(super) use verdict::{relative_length_text, verdict_of, verdict_of_clos};

use super::super::document::{Document, Section};
use super::super::format::{Format, RenderOptions, draw_document};
use super::super::json;
use super::cluster;
use crate::compare::Comparison;

/// The comparison in the wanted format, with a line break at its end.
#[must_use]
pub fn render_comparison(comparison: &Comparison, look: RenderOptions<'_>) -> String {
    let page = look.format == Format::Html;
    let mut document = comparison_document(comparison, page);
    if page && comparison.attribution.is_some() {
        // A page opens with what to make of it, and then shows why; it stands behind the machines.
        document.sections[1..].rotate_right(1);
    }
    draw_document(&document, look, || json::comparison_json(comparison))
}

fn comparison_document(comparison: &Comparison, page: bool) -> Document {
    let machines = Section::new("", "").add_line(cluster::machines_text(&comparison.design.nodes));
    let sections = match comparison.each.is_empty() {
        true => std::iter::once(machines).chain(cluster_comparison(comparison)).collect(),
        false => several::comparison_sections(comparison, page),
    };
    Document {
        title: comparison.design.name.clone(),
        sections,
        sheet: sheet::comparison_spreadsheet(comparison),
    }
}
