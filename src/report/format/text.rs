//! A document for people: plain text, 100 columns wide unless the terminal has fewer, so that the
//! same plan gives the same bytes in every file and pipe.

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Width};

use super::super::document::{Document, Row, Screen, Section, SectionPart};
use super::super::table::{Side, Table};
use super::super::words::{break_units_again, keep_units_together, wrap_lines};

/// Width of a report in columns.
pub(super) const WIDTH: usize = 100;

/// Least width: below it, tables of numbers can't be read, and the terminal may as well fold them.
const NARROWEST: usize = 40;

/// Columns that everything under a heading is moved in by.
const INDENT: usize = 2;

/// Columns that hold two columns of a table apart.
const GAP: usize = 2;

/// Columns that the second line of a long sentence is moved in by.
const HANGING: usize = 4;

/// Columns that labels of a screen take, and what stands beside them is moved in by.
const LABEL: usize = 9;

const HEADING: Style = AnsiColor::Cyan.on_default().bold();
const TITLE: Style = Style::new().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const DIM: Style = Style::new().dimmed();

/// The document as text that ends with a line break.
pub(super) fn draw_text(document: &Document, colour: bool, width: usize) -> String {
    let pen = Pen { colour, width: width.clamp(NARROWEST, WIDTH) };
    let mut text = String::new();
    if !document.title.is_empty() {
        for (place, line) in
            wrap_lines(&document.title, pen.width, pen.width - HANGING).iter().enumerate()
        {
            text.push_str(if place == 0 { "" } else { "    " });
            text.push_str(&pen.paint_text(TITLE, line));
            text.push('\n');
        }
    }
    let screen = document.screen.as_ref();
    screen.iter().for_each(|screen| pen.write_rows(&mut text, &screen.rows));
    let more = screen.map_or(&[][..], |screen| &screen.more);
    for (place, section) in more.iter().chain(&document.sections).enumerate() {
        if place > 0 || !section.heading.is_empty() && !text.is_empty() {
            text.push('\n');
        }
        pen.write_section(&mut text, section);
    }
    if let Some(screen) = screen {
        pen.write_verdict(&mut text, screen);
    }
    text
}

/// Decides whether styles are written, and where lines end.
#[derive(Clone, Copy)]
struct Pen {
    colour: bool,
    width: usize,
}

impl Pen {
    /// Rows of a screen: labels in a column, lines that hang below one another.
    fn write_rows(self, text: &mut String, rows: &[Row]) {
        let room = self.width - LABEL - GAP;
        for row in rows {
            let narrow = row.narrow.as_ref().filter(|_| self.width < WIDTH);
            let lines = narrow.unwrap_or(&row.lines).iter();
            let style = if row.warns { WARNING } else { DIM };
            for (place, line) in lines.flat_map(|line| wrap_lines(line, room, room)).enumerate() {
                let label = if place == 0 { row.label } else { "" };
                let gap = " ".repeat((LABEL + GAP).saturating_sub(label.chars().count()));
                let label = if place == 0 { self.paint_text(style, label) } else { String::new() };
                text.push_str(&format!("{label}{gap}{line}\n"));
            }
        }
    }

    /// The verdict behind an empty line; lines for scripts as they are.
    fn write_verdict(self, text: &mut String, screen: &Screen) {
        if !text.is_empty() && !screen.verdict.is_empty() {
            text.push('\n');
        }
        for line in wrap_lines(&screen.verdict, self.width, self.width) {
            text.push_str(&format!("{}\n", self.paint_text(TITLE, &line)));
        }
        for line in &screen.brief {
            text.push_str(&format!("{line}\n"));
        }
    }

    fn write_section(self, text: &mut String, section: &Section) {
        if !section.heading.is_empty() {
            let beside = section.heading.chars().count() + INDENT;
            let lead =
                wrap_lines(&section.lead, self.width.saturating_sub(beside), self.width - HANGING);
            text.push_str(&self.paint_text(HEADING, section.heading));
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
                SectionPart::Line(line) => self.write_paragraph(text, line, ""),
                SectionPart::Warning { code, text: line } => {
                    self.write_paragraph(
                        text,
                        line,
                        &format!("{}  ", self.paint_text(WARNING, code)),
                    );
                }
                SectionPart::Table(table) => {
                    // Two tables in a row would read as one.
                    let above = place.checked_sub(1).and_then(|above| section.parts.get(above));
                    if matches!(above, Some(SectionPart::Table(_))) {
                        text.push('\n');
                    }
                    text.push_str(&self.draw_table(table));
                }
                SectionPart::Verbatim(kept) => text.push_str(kept),
                SectionPart::Sketch(sketch) => text.push_str(&sketch.draw(self.width)),
                SectionPart::Figures(_)
                | SectionPart::Facts(_)
                | SectionPart::Picture(_)
                | SectionPart::Drawing { .. } => {}
            }
        }
    }

    /// A sentence, wrapped; the lines after the first hang.
    fn write_paragraph(self, text: &mut String, line: &str, mark: &str) {
        // A mark is a code and two spaces, whatever styles are written around it.
        let mark_width = if mark.is_empty() { 0 } else { HANGING + 1 };
        let first = self.width - INDENT - mark_width;
        let hanging = if mark.is_empty() { HANGING } else { INDENT + mark_width };
        for (place, piece) in wrap_lines(line, first, self.width - hanging).iter().enumerate() {
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

    /// A table without lines: columns held apart by spaces, numbers to the right. What is too wide
    /// for that even with its cells broken between words is written in blocks of columns, each with
    /// the first one; row by row where not even two columns fit.
    fn draw_table(self, table: &Table) -> String {
        self.draw_columns(table, table.visible_columns())
    }

    fn draw_columns(self, table: &Table, visible: Vec<usize>) -> String {
        let room = self.width - INDENT;
        let columns: Vec<_> = visible.iter().map(|place| &table.columns[*place]).collect();
        let widest = |measure: &dyn Fn(&str) -> usize| -> Vec<usize> {
            let cells = |place: &usize| {
                let heading = table.columns[*place].heading.split('\n').map(measure);
                heading
                    .chain(
                        table
                            .rows
                            .iter()
                            .map(|row| measure(&keep_units_together(&row[*place].text))),
                    )
                    .max()
            };
            visible.iter().map(|place| cells(place).unwrap_or(0)).collect()
        };
        let sum = |widths: &[usize]| widths.iter().sum::<usize>() + GAP * (widths.len() - 1);
        let whole = widest(&|text| text.chars().count());
        // The first column may be moved in, which no break of a line undoes.
        let words =
            widest(&|text| text.split(' ').map(|word| word.chars().count()).max().unwrap_or(0));
        if columns.is_empty() || sum(&words) > room {
            let fits = |some: usize| some > 1 && sum(&words[..some]) <= room;
            let Some((first, rest)) = visible.split_first().filter(|_| fits(2)) else {
                return self.draw_table_by_rows(table, &visible);
            };
            let most = (2..=visible.len()).take_while(|some| fits(*some)).last().unwrap_or(2);
            let block = |some: &[usize]| [&[*first], some].concat();
            let (here, there) = rest.split_at(most - 1);
            let above = self.draw_columns(table, block(here));
            return format!("{above}\n{}", self.draw_columns(table, block(there)));
        }
        let mut grid = comfy_table::Table::new();
        grid.load_style(comfy_table::presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(room as u16);
        if columns.iter().any(|column| !column.heading.is_empty()) {
            grid.set_header(columns.iter().map(|column| column.heading.clone()));
        }
        for row in &table.rows {
            grid.add_row(visible.iter().map(|place| keep_units_together(&row[*place].text)));
        }
        let last = columns.len() - 1;
        for (place, column) in columns.into_iter().enumerate() {
            let Some(drawn) = grid.column_mut(place) else { continue };
            let gap = if place == last { 0 } else { GAP as u16 };
            drawn.set_padding((0, gap));
            drawn.set_cell_alignment(match column.side {
                Side::Left => CellAlignment::Left,
                Side::Right => CellAlignment::Right,
            });
            if sum(&whole) > room {
                // Cells break between words, never within one.
                let least = Width::Fixed(words[place] as u16 + gap);
                drawn.set_constraint(ColumnConstraint::LowerBoundary(least));
            }
        }
        let indent = " ".repeat(INDENT);
        let lines = grid.lines().map(|line| break_units_again(&line));
        lines.map(|line| format!("{indent}{line}").trim_end().to_owned() + "\n").collect()
    }

    /// A table row by row: what stands first, and below it the rest with its headings.
    fn draw_table_by_rows(self, table: &Table, visible: &[usize]) -> String {
        let mut text = String::new();
        for row in &table.rows {
            let mut cells = visible.iter().map(|place| (&table.columns[*place], &row[*place].text));
            let first = cells.next().map_or("", |(_, first)| first);
            let room = self.width - INDENT;
            for (place, line) in wrap_lines(first, room, room - INDENT).iter().enumerate() {
                text.push_str(&" ".repeat(if place == 0 { INDENT } else { HANGING }));
                text.push_str(line);
                text.push('\n');
            }
            let rest: Vec<String> = cells
                .filter(|(_, cell)| !cell.is_empty() && *cell != "-")
                .map(|(column, cell)| {
                    let (heading, cell) = (column.heading.replace('\n', " "), cell.trim());
                    if heading.is_empty() { cell.to_owned() } else { format!("{heading}: {cell}") }
                })
                .collect();
            let moved = " ".repeat(HANGING + first.len() - first.trim_start().len());
            for line in
                wrap_lines(&rest.join("; "), self.width - moved.len(), self.width - moved.len())
            {
                text.push_str(&format!("{moved}{line}\n"));
            }
        }
        text
    }

    fn paint_text(self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::document::{Document, Row, Screen, Section, SectionPart};
    use super::super::super::table::{Cell, Column, Table};
    use super::{WIDTH, draw_text};

    fn document() -> Document {
        let mut table =
            Table::new(vec![Column::words("part", "part"), Column::numbers("count", "count")]);
        table.push_row(vec![Cell::words("switch"), Cell::count(1_536_u32)]);
        table.push_row(vec![Cell::words("optic"), Cell::count(8_u32)]);
        let mut notes = Section::new("NOTES", "");
        notes.parts.push(SectionPart::Warning { code: "W01", text: "mind the gap ".repeat(12) });
        Document {
            title: "a title".into(),
            sections: vec![Section::new("BILL", "what it costs").add_table(table), notes],
            ..Document::default()
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
        assert_eq!(draw_text(&document(), false, WIDTH), expected);
    }

    /// A document with a screen alone.
    fn screen() -> Document {
        let rows = vec![
            Row::new("Buy", vec!["33 dgx-h100 (1 spare), 264 NICs, 2 switches".into()]),
            Row::new("  without", vec!["racks".into(), "support".into()]),
            Row::new("More", vec!["--all".into()]).with_narrow_lines(Vec::new()),
        ];
        let screen = Screen { rows, verdict: "It saves $501k.".into(), ..Screen::default() };
        Document { title: "starter".into(), screen: Some(screen), ..Document::default() }
    }

    #[test]
    fn a_screen_is_rows_and_its_verdict_last() {
        assert_eq!(
            draw_text(&screen(), false, WIDTH),
            "starter\nBuy        33 dgx-h100 (1 spare), 264 NICs, 2 switches\n  without  racks\n           \
             support\nMore       --all\n\nIt saves $501k.\n"
        );
        assert_eq!(
            draw_text(&screen(), false, 40),
            "starter\nBuy        33 dgx-h100 (1 spare), 264\n           NICs, 2 switches\n  without  \
             racks\n           support\n\nIt saves $501k.\n"
        );
        let mut all = Document { sections: document().sections, ..screen() };
        let text = draw_text(&all, false, WIDTH);
        assert!(text.contains("More       --all\n\nBILL  what it costs\n"), "{text}");
        assert!(text.ends_with("mind the gap\n\nIt saves $501k.\n"), "{text}");
        let brief = vec!["one line ".repeat(20), "two".into()];
        all = Document {
            screen: Some(Screen { brief: brief.clone(), ..Screen::default() }),
            ..Document::default()
        };
        assert_eq!(draw_text(&all, true, 40), format!("{}\n{}\n", brief[0], brief[1]));
    }

    #[test]
    fn colour_adds_nothing_but_escapes() {
        let coloured = draw_text(&document(), true, WIDTH);
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
        assert_eq!(plain, draw_text(&document(), false, WIDTH));
    }

    #[test]
    fn no_line_is_wider_than_the_report() {
        for line in draw_text(&document(), false, WIDTH).lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }

    #[test]
    fn narrow_tables_break_between_words_then_into_blocks_and_records_last() {
        let mut table = Table::new(vec![
            Column::words("part", "part"),
            Column::numbers("ports each", "ports"),
            Column::words("why not", "why"),
        ]);
        table.push_row(vec![
            Cell::words("n9600-64od"),
            Cell::count(256_u32),
            Cell::words("costs more in all than the others"),
        ]);
        let section = Section::new("SWITCHES", "").add_table(table);
        let document = Document { sections: vec![section], ..Document::default() };
        assert_eq!(
            draw_text(&document, false, 40),
            "SWITCHES\n  part        ports each  why not\n  \
             n9600-64od         256  costs more in\n                          \
             all than the\n                          others\n"
        );
        let mut wide = document;
        if let SectionPart::Table(table) = &mut wide.sections[0].parts[0] {
            table.columns.push(Column::words("source", "source"));
            table.rows[0].push(Cell::words("a-quote-of-a-reseller"));
        }
        assert_eq!(
            draw_text(&wide, false, 40),
            "SWITCHES\n  part        ports each  why not\n  \
             n9600-64od         256  costs more in\n                          \
             all than the\n                          others\n\n  \
             part        source\n  n9600-64od  a-quote-of-a-reseller\n"
        );
        if let SectionPart::Table(table) = &mut wide.sections[0].parts[0] {
            table.rows[0][0] = Cell::words("a-switch-of-a-very-long-name-of-many-words");
        }
        let text = draw_text(&wide, false, 40);
        assert!(text.contains("-words\n    ports each: 256; why not: costs"), "{text}");
    }
}
