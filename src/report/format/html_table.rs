//! Tables of an HTML page, and text escaped for it.

use crate::report::picture::escape_xml;
use crate::report::table::{Column, Side, Table};
use crate::report::words::capitalise_first_letter;

/// Columns from which a table may be wider than a telephone.
const WIDE: usize = 3;

/// Rows from which a table can be folded away.
const LONG: usize = 14;

/// Letters of a cell that is never broken, such as a date.
const SHORT: usize = 11;

/// Letters from which a cell is a sentence: a telephone gives it the width of a few words, and
/// scrolls.
const SENTENCE: usize = 30;

/// The table of the section of that name; what it is called among the regions of the page is
/// `label`.
pub(super) fn draw_html_table(table: &Table, section: &str, label: &str) -> String {
    let visible = table.visible_columns();
    let mut html = format!("<table>\n<caption>{}</caption>\n", escape_xml(section));
    if visible.iter().any(|place| !table.columns[*place].heading.is_empty()) {
        html.push_str("<thead>\n<tr>");
        for place in &visible {
            let column = &table.columns[*place];
            html.push_str(&pin_cell(heading_cell(&column.heading, column.side), &column.key));
        }
        html.push_str("</tr>\n</thead>\n");
    }
    html.push_str("<tbody>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for (column, place) in visible.iter().enumerate() {
            let text = row.get(*place).map_or("", |cell| cell.text.as_str());
            let Column { side, key, .. } = &table.columns[*place];
            html.push_str(&pin_cell(body_cell(text, column == 0, *side), key));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n");
    html = if visible.len() >= WIDE {
        format!(
            "<div class=\"scroll\" role=\"region\" aria-label=\"{}\" tabindex=\"0\">\n\
             {html}</div>\n",
            escape_xml(label)
        )
    } else {
        format!("<div class=\"scroll\">\n{html}</div>\n")
    };
    if table.rows.len() >= LONG {
        html = format!(
            "<details open=\"open\">\n<summary>{} rows</summary>\n{html}</details>\n",
            table.rows.len()
        );
    }
    html
}

/// The column whose amounts a telephone shows at the edge, whatever is scrolled: what a line costs.
const PINNED: &str = "total_usd";

/// A cell of the column of that key, marked where it stays in sight.
fn pin_cell(cell: String, key: &str) -> String {
    if key == PINNED { cell.replacen("class=\"n", "class=\"t n", 1) } else { cell }
}

/// A heading of a column; one that is for eyes a gap is a cell.
fn heading_cell(text: &str, side: Side) -> String {
    if text.is_empty() {
        return "<td></td>".to_owned();
    }
    let lines: Vec<String> = text.split('\n').map(add_break_points).collect();
    format!("<th scope=\"col\"{}>{}</th>", cell_class(side, false), lines.join("<br/>"))
}

/// A cell; the first words of a row are its heading.
fn body_cell(text: &str, first: bool, side: Side) -> String {
    let below = text.starts_with(' ');
    let text = text.trim();
    let class = match cell_class(side, below) {
        "" if text.len() <= SHORT => " class=\"k\"",
        "" if text.len() >= SENTENCE && text.contains(' ') => " class=\"w\"",
        " class=\"n\"" if text.len() >= SENTENCE && text.contains(' ') => " class=\"n w\"",
        other => other,
    };
    let text = verdict_html(text).unwrap_or_else(|| add_break_points(text));
    if first && side == Side::Left && !text.is_empty() {
        format!("<th scope=\"row\"{class}>{text}</th>")
    } else {
        format!("<td{class}>{text}</td>")
    }
}

/// What a gate says, in words and in colour; `None` for all else.
pub(super) fn verdict_html(text: &str) -> Option<String> {
    let class = match text {
        "FAIL" => "fail",
        "WARN" => "warn",
        "PASS" => "pass",
        _ => return None,
    };
    Some(format!("<strong class=\"{class}\">{text}</strong>"))
}

/// Names of many words may break behind a dot or a line, so that a telephone can show them.
fn add_break_points(text: &str) -> String {
    let html = words_html(text);
    // What has been marked up holds dots and lines that are no part of a name.
    if text.len() <= SHORT || text.contains(' ') || html.contains(['<', '&']) {
        return html;
    }
    html.replace('.', ".<wbr/>").replace('_', "_<wbr/>")
}

/// Numbers stand to the right, rows that belong to the one above are moved in.
const fn cell_class(side: Side, below: bool) -> &'static str {
    match (side, below) {
        (Side::Right, _) => " class=\"n\"",
        (Side::Left, true) => " class=\"below\"",
        (Side::Left, false) => "",
    }
}

/// Text for the page: a percent sign stays with its number, and what stands between backticks
/// is code.
pub(super) fn words_html(text: &str) -> String {
    let text = escape_xml(text).replace(" %", "\u{a0}%");
    let pieces: Vec<&str> = text.split('`').collect();
    if pieces.len().is_multiple_of(2) {
        return text;
    }
    let mark = |(place, piece): (usize, &str)| match place % 2 {
        0 => piece.to_owned(),
        _ => format!("<code>{piece}</code>"),
    };
    pieces.into_iter().enumerate().map(mark).collect()
}

/// Text of a cell of its own: with a capital letter, where it starts with a plain word.
pub(super) fn remark_html(text: &str) -> String {
    let first = text.split([' ', ',', ':', ';']).next().unwrap_or_default();
    let plain = first.len() > 1 && first.bytes().all(|letter| letter.is_ascii_lowercase());
    if plain { words_html(&capitalise_first_letter(text)) } else { words_html(text) }
}
