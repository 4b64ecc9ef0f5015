//! One table for a spreadsheet (RFC 4180): exact numbers without units, units in the headings.

use std::borrow::Cow;

use super::super::table::Table;

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
/// behind blanks or a tab (OWASP, CSV injection), is quoted with a leading apostrophe; numbers may be
/// negative and are left alone.
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
    use super::super::super::table::{Cell, Column, Table};
    use super::{draw_csv, quote_field};
    use crate::units::Usd;

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
