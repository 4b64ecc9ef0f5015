//! A document as Markdown, and its tables as CSV.

use std::borrow::Cow;

use super::text::WIDTH;
use crate::report::document::{Document, Row, SectionPart};
use crate::report::table::{Side, Table};
use crate::report::words::capitalise_heading;

/// The document as markdown.
pub(super) fn draw_markdown(document: &Document) -> String {
    let mut blocks = Vec::new();
    if !document.title.is_empty() {
        blocks.push(format!("# {}", escape_markdown(&document.title)));
    }
    let screen = document.screen.as_ref();
    blocks.extend(
        screen.into_iter().flat_map(|screen| &screen.brief).map(|line| escape_markdown(line)),
    );
    blocks.extend(
        screen.filter(|screen| !screen.rows.is_empty()).map(|screen| rows_table(&screen.rows)),
    );
    let more = screen.map_or(&[][..], |screen| &screen.more);
    for section in more.iter().chain(&document.sections) {
        if !section.heading.is_empty() {
            blocks.push(format!("## {}", capitalise_heading(section.heading)));
        }
        if !section.lead.is_empty() {
            blocks.push(escape_markdown(&section.lead));
        }
        let mut list = String::new();
        for part in &section.parts {
            let block = match part {
                SectionPart::Line(text) => {
                    list.push_str(&format!("- {}\n", escape_markdown(text)));
                    continue;
                }
                SectionPart::Warning { code, text } => {
                    list.push_str(&format!("- **{code}** {}\n", escape_markdown(text)));
                    continue;
                }
                SectionPart::Table(table) => markdown_table(table),
                SectionPart::Verbatim(kept) => fenced_block(kept),
                SectionPart::Sketch(sketch) => fenced_block(&sketch.draw(WIDTH)),
                SectionPart::Figures(_)
                | SectionPart::Facts(_)
                | SectionPart::Picture(_)
                | SectionPart::Drawing { .. } => {
                    continue;
                }
            };
            if !list.is_empty() {
                blocks.push(std::mem::take(&mut list).trim_end().to_owned());
            }
            blocks.push(block);
        }
        if !list.is_empty() {
            blocks.push(list.trim_end().to_owned());
        }
    }
    if let Some(screen) = screen.filter(|screen| !screen.verdict.is_empty()) {
        blocks.push(format!("**{}**", escape_markdown(&screen.verdict)));
    }
    blocks.join("\n\n") + "\n"
}

/// Rows of a screen, the lines of each in one cell.
fn rows_table(rows: &[Row]) -> String {
    let one = |row: &Row| {
        let lines: Vec<String> = row.lines.iter().map(|line| escape_markdown(line)).collect();
        format!("| {} | {} |", row.label.trim(), lines.join("<br>"))
    };
    let rows: Vec<String> = rows.iter().map(one).collect();
    format!("| | |\n| :--- | :--- |\n{}", rows.join("\n"))
}

fn fenced_block(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_end())
}

fn markdown_table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let visible = table.visible_columns();
    let columns = || visible.iter().map(|place| &table.columns[*place]);
    let side = |side| if side == Side::Left { ":---" } else { "---:" }.to_owned();
    let mut lines = vec![
        line(columns().map(|column| escape_markdown(&column.heading)).collect()),
        line(columns().map(|column| side(column.side)).collect()),
    ];
    lines.extend(
        table.rows.iter().map(|row| {
            line(visible.iter().map(|place| escape_markdown(&row[*place].text)).collect())
        }),
    );
    lines.join("\n")
}

/// Text in which nothing starts a table cell, emphasis, a link or an element.
fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        for character in word.chars() {
            if matches!(character, '|' | '*' | '_' | '<' | '[' | ']' | '\\') {
                out.push('\\');
            }
            out.push(character);
        }
        if words.peek().is_some() {
            out.push(' ');
        }
    }
    out
}

/// The table as comma-separated values; columns without a key are left out.
pub(super) fn draw_csv(table: &Table) -> String {
    let kept: Vec<usize> =
        (0..table.columns.len()).filter(|place| !table.columns[*place].key.is_empty()).collect();
    let mut text = String::new();
    write_csv_line(&mut text, kept.iter().map(|place| table.columns[*place].key.as_str()));
    for row in &table.rows {
        write_csv_line(&mut text, kept.iter().map(|place| row[*place].raw.as_str()));
    }
    text
}

/// Adds a line.
fn write_csv_line<'a>(text: &mut String, fields: impl Iterator<Item = &'a str>) {
    for (place, field) in fields.enumerate() {
        if place > 0 {
            text.push(',');
        }
        text.push_str(&quote_field(field));
    }
    text.push('\n');
}

/// A field in quotes where it needs them. A text that a spreadsheet would take for a formula, also
/// behind blanks or a tab (OWASP, CSV injection), is quoted with a leading apostrophe; numbers may
/// be negative and are left alone.
fn quote_field(field: &str) -> Cow<'_, str> {
    let start = field.trim_start();
    let formula = (start.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        || field.starts_with(['\t', '\r']))
        && field.parse::<f64>().is_err()
        && field != "-";
    let field = if formula { Cow::Owned(format!("'{field}")) } else { Cow::Borrowed(field) };
    if field.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        field
    }
}

#[cfg(test)]
mod tests {
    use super::{draw_csv, draw_markdown, escape_markdown, quote_field};
    use crate::report::document::{Document, Row, Screen, Section, SectionPart};
    use crate::report::table::{Cell, Column, Table};
    use crate::units::Usd;

    /// Every character that CommonMark or its tables read as more than itself, in the middle of a
    /// line, has a backslash before it.
    #[test]
    fn no_text_makes_a_link_a_picture_emphasis_or_a_cell() {
        for (text, safe) in [
            ("[x](http://a)", "\\[x\\](http://a)"),
            ("![x][y]", "!\\[x\\]\\[y\\]"),
            ("*a* _b_", "\\*a\\* \\_b\\_"),
            ("<img src=x>", "\\<img src=x>"),
            ("a|b", "a\\|b"),
            ("a\\|b", "a\\\\\\|b"),
            ("a\n\n# b", "a # b"),
        ] {
            assert_eq!(escape_markdown(text), safe);
        }
    }

    #[test]
    fn a_warning_has_its_code_and_lines_are_a_list() {
        let mut section = Section::new("WARNINGS", "").add_line("first");
        section.parts.push(SectionPart::Warning { code: "W04", text: "mind *it*".into() });
        section.parts.push(SectionPart::Verbatim("a  b\n".into()));
        let document = Document { sections: vec![section], ..Document::default() };
        let expected = "## Warnings\n\n- first\n- **W04** mind \\*it\\*\n\n```text\na  b\n```\n";
        assert_eq!(draw_markdown(&document), expected);
    }

    #[test]
    fn a_table_stays_a_table_whatever_its_cells_say() {
        let mut table =
            Table::new(vec![Column::words("part", "part"), Column::numbers("count", "count")]);
        table.push_row(vec![Cell::words("a|b <i>"), Cell::count(2_u32)]);
        let document = Document {
            title: "plan".into(),
            sections: vec![Section::new("BILL", "lead").add_line("one fact").add_table(table)],
            ..Document::default()
        };
        assert_eq!(
            draw_markdown(&document),
            "# plan\n\n## Bill\n\nlead\n\n- one fact\n\n| part | count |\n| :--- | ---: |\n\
             | a\\|b \\<i> | 2 |\n"
        );
    }

    #[test]
    fn a_screen_is_a_table_with_its_verdict_last() {
        let rows = vec![Row::new("  without", vec!["a|b".into(), "c".into()])];
        let screen = Screen { rows, verdict: "It saves.".into(), ..Screen::default() };
        let document =
            Document { title: "plan".into(), screen: Some(screen), ..Document::default() };
        assert_eq!(
            draw_markdown(&document),
            "# plan\n\n| | |\n| :--- | :--- |\n| without | a\\|b<br>c |\n\n**It saves.**\n"
        );
    }

    #[test]
    fn numbers_are_exact_and_texts_are_safe() {
        let mut table = Table::new(vec![
            Column::words("part", "part"),
            Column::numbers("total", "total_usd"),
            Column::words("only for people", ""),
        ]);
        table.push_row(vec![Cell::words("a, \"b\""), Cell::money(Usd::from_f64(-1_234_567.89))]);
        table.push_row(vec![Cell::words("=1+1"), Cell::no_value(), Cell::words("x")]);
        assert_eq!(draw_csv(&table), "part,total_usd\n\"a, \"\"b\"\"\",-1234567.89\n'=1+1,\n");
    }

    /// What OWASP lists, each as a spreadsheet would read it.
    #[test]
    fn no_text_starts_a_formula() {
        for text in ["=1", "+cmd", "-cmd", "@SUM(A1)", "\t=1", " =1", "\r@x", "＝1", "＠x", "-1+1"]
        {
            let quoted = quote_field(text);
            assert!(quoted.trim_start_matches('"').starts_with('\''), "{text:?} is {quoted:?}");
        }
        for (text, same) in [("-", "-"), ("-1.5", "-1.5"), ("+3", "+3"), ("a=b", "a=b"), ("", "")] {
            assert_eq!(quote_field(text), same);
        }
        for (text, whole) in [("a\nb", "\"a\nb\""), ("a\rb", "\"a\rb\""), ("a,b", "\"a,b\"")] {
            assert_eq!(quote_field(text), whole, "a record stays one");
        }
    }
}
