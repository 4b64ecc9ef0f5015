//! `planner check`, `diff`.
//!
//! Words for a check: the verdict first, then the rules, what moved, and why. Short where nothing
//! changed.

use crate::gate::{CapexChange, ChangeCause, CheckReport, Finding, Judged, RuleOrigin, Verdict};
use crate::report::document::{Document, Screen, Section, SectionPart};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::list::{CHANGED_LINE_COLUMNS, MOVEMENT_COLUMNS, RULE_COLUMNS, list_table};
use crate::report::picture::{Bar, Bars, Ink, Picture};
use crate::report::sheet::{CheckSheet, cause_code_and_text, finding_text, question_change_text};
use crate::report::table::{Cell, figure_text};
use crate::report::words::capitalise_first_letter;
use crate::report::{json, number};
use crate::units::Usd;

/// Figures that people look at first, in this order; all others stand in JSON and CSV.
const HEADLINES: [&str; 15] = [
    "cost.capex_usd",
    "cost.network_capex_usd",
    "cost.tco_usd",
    "cost.usd_per_million_tokens",
    "cost.power_w",
    "cost.training_days",
    "step.time_s",
    "step.mfu",
    "cluster.gpus",
    "cluster.hb_domain_size",
    "cluster.planes",
    "fabric.switches",
    "fabric.transceivers",
    "memory.total_bytes",
    "price_not_found",
];

/// The check in the wanted format, with a line break at its end.
#[must_use]
pub fn render_check(sheet: &CheckSheet<'_>, look: RenderOptions<'_>) -> String {
    draw_document(&check_report_document(sheet), look, || json::check_json(sheet))
}

fn check_report_document(sheet: &CheckSheet<'_>) -> Document {
    let report = sheet.report;
    let mut sections = Vec::new();
    if report.is_unchanged() {
        let mut opening = Section::new("", "");
        if report.verdict == Verdict::Pass && has_rules(report) {
            opening = opening.add_line(rules_counted(report));
        }
        if !report.unpriced.is_empty() {
            opening = opening.add_line(unpriced_parts_sentence(report));
        }
        if report.verdict > Verdict::Pass {
            sections.extend(
                [rules_section(report), findings_section(report)].map(Section::with_summary_rank),
            );
        }
        sections.insert(0, opening.with_summary_rank());
    } else {
        let verdict = [verdict_section(report), rules_section(report), findings_section(report)];
        sections.extend(verdict.map(Section::with_summary_rank));
        sections.extend([
            changed_figures_section(report),
            causes_section(report),
            bill_changes_section(report),
        ]);
    }
    sections.retain(|section| !section.parts.is_empty() || !section.lead.is_empty());
    Document {
        title: check_title(sheet),
        sections,
        screen: check_screen(report),
        sheet: list_table(MOVEMENT_COLUMNS, &report.figures),
    }
}

/// Most figures that a screen shows.
const MOST_FIGURES: usize = 8;

/// What changed in few lines and the verdict last; `None` where a line says that nothing did.
fn check_screen(report: &CheckReport) -> Option<Screen> {
    if report.is_unchanged() {
        return None;
    }
    let mut moved = changed_figures_section(report);
    for part in &mut moved.parts {
        let SectionPart::Table(table) = part else { continue };
        table.rows.truncate(MOST_FIGURES);
    }
    if moved
        .parts
        .iter()
        .any(|part| matches!(part, SectionPart::Table(table) if !table.rows.is_empty()))
    {
        moved = moved.add_line("--all has every figure, why it changed, and the lines of the bill");
    } else {
        moved.parts.clear();
    }
    let mut more =
        vec![verdict_section(report), rules_section(report), findings_section(report), moved];
    more.retain(|section| !section.parts.is_empty());
    Some(Screen { more, ..Screen::from_verdict(check_verdict_text(report)) })
}

/// `FAIL: capex>+2%. Capex +$4.20M. The spec changed: cluster.gpus.`
fn check_verdict_text(report: &CheckReport) -> String {
    let broken = report.rules.iter().filter(|judged| judged.verdict == report.verdict);
    let rules = broken.map(|judged| judged.gate.rule.to_string());
    let found = report.findings.iter().filter(|finding| finding.verdict == report.verdict);
    let (asked, found): (Vec<_>, Vec<_>) =
        found.partition(|found| matches!(found.finding, Finding::ChangedQuestion(_)));
    let asked: Vec<&str> = asked.iter().map(|found| found.finding.subject()).collect();
    let asked = (!asked.is_empty()).then(|| format!("question changed ({})", asked.join(", ")));
    let found = found.iter().map(|finding| finding_text(&finding.finding));
    let broken = rules.chain(asked).chain(found).collect::<Vec<_>>().join(", ");
    let verdict = match report.verdict {
        Verdict::Pass if has_rules(report) => format!("PASS: {}", rules_counted(report)),
        Verdict::Pass => "Changed".to_owned(),
        broken_so => format!("{}: {broken}", broken_so.name().to_uppercase()),
    };
    let capex = match report.change.total {
        same if same == Usd::ZERO => "capex is the same".to_owned(),
        change => format!("capex {}", number::money_change(change)),
    };
    let cause = report.causes.first().map(|cause| cause_code_and_text(cause).1);
    let all = [Some(verdict), Some(capex), cause];
    let sentence = |text: String| capitalise_first_letter(&text) + ".";
    all.into_iter().flatten().map(sentence).collect::<Vec<_>>().join(" ")
}

fn check_title(sheet: &CheckSheet<'_>) -> String {
    let report = sheet.report;
    let compared = format!("{}: {} against {}", report.name, sheet.new, sheet.old);
    let what = if report.is_unchanged() { "nothing changed" } else { "changed" };
    if !has_rules(report) && report.verdict == Verdict::Pass {
        return format!("{compared}: {what}");
    }
    format!("{compared}: {}, {what}", report.verdict.name().to_uppercase())
}

/// Whether anybody has set a rule.
fn has_rules(report: &CheckReport) -> bool {
    report.rules.iter().any(|judged| judged.gate.origin != RuleOrigin::Planner)
}

fn rules_counted(report: &CheckReport) -> String {
    let stated = |judged: &&Judged| judged.gate.origin != RuleOrigin::Planner;
    let count = report.rules.iter().filter(stated).count() as u64;
    number::count_with_noun(count, "rule holds", "rules hold")
}

/// What a reader takes away who reads no further.
fn verdict_section(report: &CheckReport) -> Section {
    let mut section = Section::new("", "").add_line(question_sentence(report));
    section = match running_cost_sentence(report) {
        Some(line) => section.add_line(line),
        None => section,
    };
    let change = &report.change;
    let money = [change.total, change.by_quantity, change.by_price, change.by_exchange];
    section = if money.iter().any(|usd| *usd != Usd::ZERO) {
        let mut line = format!(
            "capex {}: {} from quantity (old prices), {} from price (new quantities)",
            number::money_change(change.total),
            number::money_change(change.by_quantity),
            number::money_change(change.by_price),
        );
        if change.by_exchange != Usd::ZERO {
            let usd = number::money_change(change.by_exchange);
            line.push_str(&format!(", of it {usd} from exchange rates"));
        }
        if let Some(usd) = cost_at_old_prices(report).filter(|usd| *usd != Usd::ZERO) {
            let usd = number::money_change(usd);
            line.push_str(&format!("; {usd} of the quantity because prices changed the design"));
        }
        if change.other != Usd::ZERO {
            let other = number::money_change(change.other);
            line.push_str(&format!(", {other} on no line of the bill"));
        }
        let network = change.network_by_quantity + change.network_by_price;
        if network != change.by_quantity + change.by_price && network != Usd::ZERO {
            line.push_str(&format!(
                "; of it network {}: {} from quantity, {} from price",
                number::money_change(network),
                number::money_change(change.network_by_quantity),
                number::money_change(change.network_by_price),
            ));
        }
        section.add_line(line)
    } else {
        section.add_line("capex is the same")
    };
    section.parts.insert(0, SectionPart::Figures(verdict_headline(report)));
    if report.unpriced.is_empty() {
        section
    } else {
        section.add_line(unpriced_parts_sentence(report))
    }
}

/// What is asked otherwise, in the words of the spec.
fn question_sentence(report: &CheckReport) -> String {
    /// Most keys that are named with their values.
    const MOST_KEYS: usize = 6;
    let changed: Vec<String> =
        report.question.iter().take(MOST_KEYS).map(question_change_text).collect();
    match report.question.len() {
        0 if report.causes.contains(&ChangeCause::Untold) => {
            "the question: a result does not say what it was made from".to_owned()
        }
        0 => "the question is the same".to_owned(),
        all if all > MOST_KEYS => {
            format!("the question changed: {}, and {} more", changed.join(", "), all - MOST_KEYS)
        }
        _ => format!("the question changed: {}", changed.join(", ")),
    }
}

/// What the change costs in operation, and a token; `None` where neither moved.
fn running_cost_sentence(report: &CheckReport) -> Option<String> {
    let moved = |key: &str| report.figures.iter().find(|movement| movement.key == key);
    let year = moved("cost.opex_usd_per_year").and_then(|movement| {
        let text = |value| figure_text(movement.unit, value);
        Some(format!("operation {} to {} a year", text(movement.old?), text(movement.new?)))
    });
    let token = moved("cost.usd_per_million_tokens").and_then(|movement| {
        let share = number::percent_change(movement.relative_change()?);
        let text = |value| figure_text(movement.unit, value);
        Some(format!(
            "a million tokens {} to {} ({share})",
            text(movement.old?),
            text(movement.new?)
        ))
    });
    let all: Vec<String> = [year, token].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// The verdict and the split, for a glance.
fn verdict_headline(report: &CheckReport) -> Vec<(String, String)> {
    let change = &report.change;
    let verdict = has_rules(report).then(|| ("Verdict", report.verdict.name().to_uppercase()));
    let money = [
        ("Capex", change.total),
        ("From quantity, at old prices", change.by_quantity),
        ("From price, at new quantities", change.by_price),
    ];
    let rates = Some(change.by_exchange).filter(|usd| *usd != Usd::ZERO);
    let rates = rates.map(|usd| ("Of it from exchange rates", usd));
    let money = money.into_iter().chain(rates);
    let money = money.map(|(name, usd)| (name, number::money_change(usd)));
    verdict.into_iter().chain(money).map(|(name, text)| (name.to_owned(), text)).collect()
}

/// What prices did to the quantities.
fn cost_at_old_prices(report: &CheckReport) -> Option<Usd> {
    report.causes.iter().find_map(|cause| match cause {
        ChangeCause::Optimum { at_old_prices } => *at_old_prices,
        _ => None,
    })
}

/// What no total has in it.
fn unpriced_parts_sentence(report: &CheckReport) -> String {
    let mut text = format!("price not found, so not in the totals: {}", report.unpriced.join(", "));
    if !report.newly_unpriced.is_empty() {
        text.push_str(&format!("; new among them: {}", report.newly_unpriced.join(", ")));
    }
    text
}

fn rules_section(report: &CheckReport) -> Section {
    // What the planner watches by itself is worth a line only where something is wrong.
    let told = |judged: &&Judged| {
        judged.gate.origin != RuleOrigin::Planner || judged.verdict != Verdict::Pass
    };
    let table = list_table(RULE_COLUMNS, report.rules.iter().filter(told));
    Section::new("RULES", "").add_table(table)
}

/// What no rule sees.
fn findings_section(report: &CheckReport) -> Section {
    let mut section = Section::new("BESIDE THE RULES", "");
    for finding in &report.findings {
        let verdict = finding.verdict.name().to_uppercase();
        section
            .parts
            .push(SectionPart::Line(format!("{verdict}: {}", finding_text(&finding.finding))));
    }
    section
}

/// Headline figures and words of the design that changed.
fn changed_figures_section(report: &CheckReport) -> Section {
    let headline = |key: &str| HEADLINES.iter().position(|known| *known == key);
    let layout = |key: &str| key.starts_with("layout.");
    let mut shown: Vec<_> = report
        .figures
        .iter()
        .filter(|movement| headline(&movement.key).is_some() || layout(&movement.key))
        .collect();
    shown.sort_by_key(|movement| {
        (headline(&movement.key).unwrap_or(HEADLINES.len()), movement.key.clone())
    });
    let mut table = list_table(MOVEMENT_COLUMNS, shown);
    table.columns[0].heading.clear();
    table.columns[4].heading.clear();
    let design =
        |key: &str| ["cluster.", "layout.", "fabric."].iter().any(|name| key.starts_with(name));
    for change in report.facts.iter().filter(|change| design(&change.key)) {
        let word = |text: &str| if text.is_empty() { Cell::no_value() } else { Cell::words(text) };
        table.push_row(vec![Cell::words(&change.key), word(&change.old), word(&change.new)]);
    }
    Section::new("WHAT CHANGED", "").add_table(table)
}

fn causes_section(report: &CheckReport) -> Section {
    let mut section = Section::new("WHY", "");
    for cause in &report.causes {
        section.parts.push(SectionPart::Line(cause_code_and_text(cause).1));
    }
    section
}

/// Most lines of the bill that a page shows; all stand in JSON.
const MOST_LINES: usize = 12;

fn bill_changes_section(report: &CheckReport) -> Section {
    let rated = report.change.by_exchange != Usd::ZERO;
    let lines = &report.change.lines;
    let mut table = list_table(CHANGED_LINE_COLUMNS, lines.iter().take(MOST_LINES));
    if !rated {
        table.remove_column("by_exchange_usd");
    }
    let section = Section::new("BILL", "what is bought, lines that changed").add_table(table);
    match lines.len().saturating_sub(MOST_LINES) {
        _ if lines.is_empty() => Section::new("", ""),
        0 => section,
        more => section.add_line(format!("and {more} more, each smaller; `--format json` has all")),
    }
    .add_pictures_on_top([change_bars(&report.change)])
}

/// Most bars of a picture; the table below it has the rest.
const MOST: usize = 12;

/// The amounts that a change is made of, those that weigh most first.
fn change_bars(change: &CapexChange) -> Option<Picture> {
    let mut amounts: Vec<(String, Usd)> = Vec::new();
    for line in &change.lines {
        let (rate, price) = (line.by_exchange, line.by_price - line.by_exchange);
        for (why, usd) in [("quantity", line.by_quantity), ("price", price), ("rate", rate)] {
            if usd != Usd::ZERO {
                amounts.push((format!("{}, by {why}", line.part), usd));
            }
        }
    }
    amounts.sort_by(|a, b| b.1.get().abs().total_cmp(&a.1.get().abs()));
    let bars = amounts.into_iter().take(MOST).map(|(name, usd)| {
        let ink = if usd > Usd::ZERO { Ink::Orange } else { Ink::Green };
        Bar::with_single_ink(name, number::money_change(usd), usd.get().abs(), ink)
    });
    let legend = vec![(Ink::Orange, "costs more"), (Ink::Green, "costs less")];
    let total = number::money_change(change.total);
    Bars { bars: bars.collect(), legend, ..Bars::default() }
        .picture(&format!("What changed capex by {total}"))
}
