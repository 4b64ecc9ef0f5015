//! What a plan looks like in each format. The plan is made by hand.

use planner::report::{self, Detail, Format, RenderOptions};
use planner::units::Usd;

fn drawn(format: Format) -> String {
    report::render_design(
        &crate::pages::plan::plan(),
        RenderOptions { format, colour: false, detail: Detail::Usual },
    )
}

/// A plan at a level of detail.
fn shown(detail: Detail<'_>) -> String {
    let look = RenderOptions { format: Format::Table, colour: false, detail };
    report::render_design(&crate::pages::plan::plan(), look)
}

#[test]
fn every_number_of_the_plan_is_in_the_report() {
    let text = shown(Detail::Full);
    for fact in [
        "llama3-405b: llama3-405b on 16,384 H100, 15.6T tokens",
        "$694M = machines $635M + NICs $24.6M + network $34.6M; $770M with 4 years of power",
        "21.4 MW of equipment, 27.8 MW with cooling (PUE 1.3)",
        "6.07 s a step (likely 5.83 to 6.37), MFU 42 %, memory 61 of 80 GiB, goodput",
        "rail-only: 8 rails, 2 tiers, uplinks oversubscribed 6.1:1, 19,120 links of 400 Gb/s",
        "rail-only: 16,384 NICs at 400 Gb/s, 1 plane, 176 switches in 2 tiers",
        "tensor 8 x pipeline 16 x data 128",
        "MEMORY  61.0 GiB of 80.0 GiB on the fullest GPU (stage 0): fits",
        "6.07 s = compute 5.04 + waiting for tensor traffic 0.33 + waiting for pipeline traffic 0.02",
        "without  the price of fibre, ",
        "W07",
    ] {
        assert!(text.contains(fact), "`{fact}` is missing in\n{text}");
    }
}

#[test]
fn the_screen_stands_alone_and_the_sections_wait_to_be_asked_for() {
    let (short, usual, long) = (shown(Detail::Summary), shown(Detail::Usual), shown(Detail::Full));
    assert_eq!(short.lines().count(), 3, "{short}");
    let (rows, verdict) = usual.split_once("\n\n").expect("the verdict stands apart");
    assert!(usual.lines().count() <= 20, "{usual}");
    assert!(long.starts_with(rows) && long.ends_with(verdict), "{long}");
    let labels = [
        "Buy",
        "Network",
        "Price",
        "  without",
        "Power",
        "Limits",
        "Speed",
        "Cost",
        "Trust",
        "Gives up",
        "Decide",
        "More",
    ];
    for label in labels {
        assert!(rows.lines().any(|line| line.starts_with(&format!("{label} "))), "{label}: {rows}");
    }
    let wanted = ["what would change it".to_owned(), "Bill".to_owned()];
    let some = shown(Detail::Sections(&wanted));
    let headings = |text: &str| -> Vec<String> {
        let heading = |line: &&str| line.starts_with("PRICE") || line.starts_with("ALTERNATIVES");
        text.lines().filter(heading).map(str::to_owned).collect()
    };
    assert_eq!(headings(&some).len(), 2, "{some}");
    assert!(!some.contains(verdict), "a section alone has no verdict");
    for name in shown(Detail::Names).lines().skip(1) {
        let heading = format!("\n{}", name.to_uppercase().replace('-', " "));
        assert!(long.contains(&heading), "{name}");
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
    let look = RenderOptions { format: Format::Markdown, colour: false, detail: Detail::Full };
    let markdown = report::render_design(&crate::pages::plan::plan(), look);
    for heading in ["## Network", "## Price", "## Limits", "## Load balancing"] {
        assert!(markdown.lines().any(|line| line == heading), "{heading} in\n{markdown}");
    }
}

#[test]
fn the_same_plan_gives_the_same_bytes() {
    for format in [Format::Table, Format::Json, Format::Csv, Format::Markdown, Format::Html] {
        assert_eq!(drawn(format), drawn(format));
    }
}
