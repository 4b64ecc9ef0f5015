//! What a plan looks like in each format. The plan is made by hand.

use planner::report::{self, Detail, Format, RenderOptions};
use planner::units::Usd;

fn drawn(format: Format) -> String {
    report::render_design(
        &crate::pages::plan::plan(),
        RenderOptions { format, colour: false, detail: Detail::Usual },
    )
}

#[test]
fn every_number_of_the_plan_is_on_the_page() {
    let text = drawn(Format::Table);
    for fact in [
        "16,384 GPUs in 2,048 x dgx-h100 (HB domains of 8)",
        "$694.0M to buy: machines $634.9M, NICs $24.6M, switches and optics $34.6M;",
        "step 6.07 s",
        "run 65.6 days",
        "rail-only: 16,384 NICs at 400 Gb/s, one plane, 176 switches of 2 tiers",
        "oversubscribed 6.1:1",
        "tensor 8 x pipeline 16 x data 128",
        "MEMORY  61.0 GiB of 80.0 GiB on the fullest GPU (stage 0): fits",
        "6.07 s = compute 5.04 + exposed tensor 0.33 + exposed pipeline 0.02 + bubble 0.68",
        "W07",
    ] {
        assert!(text.contains(fact), "`{fact}` is missing in\n{text}");
    }
}

/// A plan at each level of detail.
#[test]
fn a_summary_stands_alone_and_what_is_long_waits_to_be_asked_for() {
    let shown = |detail| {
        report::render_design(
            &crate::pages::plan::plan(),
            RenderOptions { format: Format::Table, colour: false, detail },
        )
    };
    let (short, usual, long) = (shown(Detail::Summary), shown(Detail::Usual), shown(Detail::Full));
    let summary: Vec<&str> = short.lines().skip_while(|line| *line != "SUMMARY").collect();
    assert!(summary.len() > 5 && summary.len() <= 13, "{short}");
    assert!(usual.starts_with(&short) && long.starts_with(&short), "{usual}");
    for what in ["build", "buy", "cost", "rests", "speed", "proof", "warns"] {
        assert!(summary.iter().any(|line| line.starts_with(&format!("  {what} "))), "{what}");
    }
    let wanted = ["what would change it".to_owned(), "Bill".to_owned()];
    let some = shown(Detail::Sections(&wanted));
    let headings = |text: &str| -> Vec<String> {
        let heading = |line: &&str| line.starts_with(|c: char| c.is_ascii_uppercase());
        text.lines().filter(heading).map(str::to_owned).collect()
    };
    assert_eq!(headings(&some).len(), 2, "{some}");
    let names = shown(Detail::Names);
    assert_eq!(names.lines().count(), headings(&usual).len(), "{names}{usual}");
    for (name, heading) in names.lines().zip(headings(&usual)) {
        assert!(heading.to_lowercase().replace(' ', "-").starts_with(name), "{name}: {heading}");
    }
}

#[test]
fn no_line_is_wider_than_a_hundred_columns() {
    for line in drawn(Format::Table).lines() {
        assert!(line.chars().count() <= 100, "{} columns: {line}", line.chars().count());
    }
}

#[test]
fn the_spreadsheet_sums_up_to_the_network() {
    let csv = drawn(Format::Csv);
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("part,role,count,owned,unit_usd,total_usd,share_of_capex,basis,date,source,spares")
    );
    let network: f64 = lines
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter(|fields| matches!(fields[1], "switch" | "optic") && !fields[5].is_empty())
        .map(|fields| fields[5].parse::<f64>().expect("totals are plain numbers"))
        .sum();
    assert_eq!(Usd::from_f64(network), Usd::from_f64(176.0 * 51_999.0 + 38_384.0 * 659.0));
}

#[test]
fn markdown_has_the_sections_of_the_page() {
    let markdown = drawn(Format::Markdown);
    for heading in ["# llama3-405b", "## Fabric", "## Bill", "## Limits that bind"] {
        assert!(markdown.lines().any(|line| line == heading), "{heading} in\n{markdown}");
    }
}

#[test]
fn the_same_plan_gives_the_same_bytes() {
    for format in [Format::Table, Format::Json, Format::Csv, Format::Markdown, Format::Html] {
        assert_eq!(drawn(format), drawn(format));
    }
}
