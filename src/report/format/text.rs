//! A document for people: plain text, 100 columns wide whatever the terminal, so that the same
//! plan gives the same bytes everywhere.

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement};

use super::super::document::{Document, Part, Section};
use super::super::table::{Side, Table};

/// Width of a report in columns.
const WIDTH: usize = 100;

/// Columns that everything under a heading is moved in by.
const INDENT: usize = 2;

/// Columns that the second line of a long sentence is moved in by.
const HANGING: usize = 4;

const HEADING: Style = AnsiColor::Cyan.on_default().bold();
const TITLE: Style = Style::new().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The document as text that ends with a line break.
pub(super) fn draw(document: &Document, colour: bool) -> String {
    let pen = Pen { colour };
    let mut text = String::new();
    if !document.title.is_empty() {
        text.push_str(&pen.paint(TITLE, &document.title));
        text.push('\n');
    }
    for (place, section) in document.sections.iter().enumerate() {
        if place > 0 || !section.heading.is_empty() && !document.title.is_empty() {
            text.push('\n');
        }
        pen.section(&mut text, section);
    }
    text
}

/// Decides whether styles are written.
#[derive(Clone, Copy)]
struct Pen {
    colour: bool,
}

impl Pen {
    fn section(self, text: &mut String, section: &Section) {
        if !section.heading.is_empty() {
            let beside = section.heading.chars().count() + INDENT;
            let lead = wrapped(&section.lead, WIDTH - beside, WIDTH - HANGING);
            text.push_str(&self.paint(HEADING, section.heading));
            for (place, line) in lead.iter().enumerate() {
                text.push_str(&" ".repeat(if place == 0 { INDENT } else { HANGING }));
                text.push_str(line);
                text.push('\n');
            }
            if lead.is_empty() {
                text.push('\n');
            }
        }
        for (place, part) in section.parts.iter().enumerate() {
            match part {
                Part::Line(line) => paragraph(text, line, ""),
                Part::Warning { code, text: line } => {
                    paragraph(text, line, &format!("{}  ", self.paint(WARNING, code)));
                }
                Part::Table(table) => {
                    // Two tables in a row would read as one.
                    let above = place.checked_sub(1).and_then(|above| section.parts.get(above));
                    if matches!(above, Some(Part::Table(_))) {
                        text.push('\n');
                    }
                    text.push_str(&grid(table));
                }
                Part::Verbatim(kept) => text.push_str(kept),
                Part::Figures(_) | Part::Picture(_) => {}
            }
        }
    }

    fn paint(self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// A sentence, wrapped; the lines after the first hang.
fn paragraph(text: &mut String, line: &str, mark: &str) {
    // A mark is a code and two spaces, whatever styles are written around it.
    let mark_width = if mark.is_empty() { 0 } else { HANGING + 1 };
    let first = WIDTH - INDENT - mark_width;
    let hanging = if mark.is_empty() { HANGING } else { INDENT + mark_width };
    for (place, piece) in wrapped(line, first, WIDTH - hanging).iter().enumerate() {
        if place == 0 {
            text.push_str(&" ".repeat(INDENT));
            text.push_str(mark);
        } else {
            text.push_str(&" ".repeat(hanging));
        }
        text.push_str(piece);
        text.push('\n');
    }
}

/// The words of `text` in lines of at most `first` and then `rest` columns. Several spaces in a
/// row hold columns apart and are kept, unless the line breaks there.
fn wrapped(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in text.split_inclusive(' ') {
        let width = if lines.is_empty() { first } else { rest };
        if line.chars().count() + piece.trim_end().chars().count() > width && !line.is_empty() {
            lines.push(line.trim_end().to_owned());
            line.clear();
        }
        if !(line.is_empty() && piece == " ") {
            line.push_str(piece);
        }
    }
    if !line.trim_end().is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// A table without lines: columns held apart by spaces, numbers to the right.
fn grid(table: &Table) -> String {
    let mut grid = comfy_table::Table::new();
    grid.load_style(comfy_table::presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width((WIDTH - INDENT) as u16);
    let visible = table.visible();
    let columns: Vec<_> = visible.iter().map(|place| &table.columns[*place]).collect();
    if columns.iter().any(|column| !column.heading.is_empty()) {
        grid.set_header(columns.iter().map(|column| column.heading.clone()));
    }
    for row in &table.rows {
        grid.add_row(visible.iter().map(|place| row[*place].text.clone()));
    }
    let last = columns.len().saturating_sub(1);
    for (place, column) in columns.into_iter().enumerate() {
        if let Some(drawn) = grid.column_mut(place) {
            drawn.set_padding((0, if place == last { 0 } else { 2 }));
            drawn.set_cell_alignment(match column.side {
                Side::Left => CellAlignment::Left,
                Side::Right => CellAlignment::Right,
            });
        }
    }
    let indent = " ".repeat(INDENT);
    grid.lines().map(|line| format!("{indent}{line}").trim_end().to_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::document::{Document, Part, Section};
    use super::super::super::table::{Cell, Column, Table};
    use super::{WIDTH, draw, wrapped};

    fn document() -> Document {
        let mut table =
            Table::new(vec![Column::words("part", "part"), Column::numbers("count", "count")]);
        table.row(vec![Cell::words("switch"), Cell::count(1_536_u32)]);
        table.row(vec![Cell::words("optic"), Cell::count(8_u32)]);
        let mut notes = Section::new("NOTES", "");
        notes.parts.push(Part::Warning { code: "W01", text: "mind the gap ".repeat(12) });
        Document {
            title: "a title".into(),
            sections: vec![Section::new("BILL", "what it costs").table(table), notes],
            sheet: Table::default(),
        }
    }

    #[test]
    fn headings_tables_and_warnings_line_up() {
        let gap = "mind the gap ";
        let expected = format!(
            "a title\n\nBILL  what it costs\n  part    count\n  switch  1,536\n  optic       8\n\n\
             NOTES\n  W01  {}\n       {}\n",
            format!("{}mind the", gap.repeat(6)) + " gap",
            gap.repeat(5).trim_end()
        );
        assert_eq!(draw(&document(), false), expected);
    }

    #[test]
    fn colour_adds_nothing_but_escapes() {
        let coloured = draw(&document(), true);
        assert!(coloured.contains('\u{1b}'));
        let mut plain = String::new();
        let mut inside = false;
        for character in coloured.chars() {
            match character {
                '\u{1b}' => inside = true,
                'm' if inside => inside = false,
                _ if inside => {}
                other => plain.push(other),
            }
        }
        assert_eq!(plain, draw(&document(), false));
    }

    #[test]
    fn no_line_is_wider_than_the_report() {
        for line in draw(&document(), false).lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }

    #[test]
    fn words_longer_than_a_line_get_a_line_of_their_own() {
        assert_eq!(wrapped("a bbbbbb c", 3, 3), ["a", "bbbbbb", "c"]);
        assert_eq!(wrapped("", 3, 3), Vec::<String>::new());
    }
}
