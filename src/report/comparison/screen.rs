//! The screen of `planner compare`: ten rows, a column for each network that differs, and one
//! sentence on what the design saves. It ranks nothing of which a price is missing.

use super::verdict::{Contender, NONE, verdict_text};
use crate::compare::{Baseline, BaselineResult, Comparison};
use crate::cost::Role;
use crate::design::Plan;
use crate::report::decision::{fabric_name, name_without_plane};
use crate::report::document::{Screen, Section};
use crate::report::table::{Cell, Column, Table};
use crate::report::{number, short_number};
use crate::units::{ROUNDING, Seconds, Usd, Watts};

/// The screen of a comparison.
pub(super) fn comparison_screen(comparison: &Comparison) -> Screen {
    let others = merge_contenders(&comparison.contenders);
    let mut section = Section::new("", "").add_table(screen_table(comparison, &others));
    for line in note_lines(comparison, &others) {
        section = section.add_line(line);
    }
    let section = section.with_summary_rank();
    Screen { more: vec![section], ..Screen::from_verdict(verdict_text(comparison, &others)) }
}

/// Baselines, those that are bought of the same parts and as fast once.
fn merge_contenders(all: &[BaselineResult]) -> Vec<Contender<'_>> {
    let mut kept: Vec<&BaselineResult> = Vec::new();
    for result in all {
        let is_same = |known: &&BaselineResult| {
            known.plan.bill == result.plan.bill
                && known.plan.fabric.kind == result.plan.fabric.kind
                && known.against.slowdown.to_bits() == result.against.slowdown.to_bits()
        };
        if !kept.iter().any(is_same) {
            kept.push(result);
        }
    }
    let is_clos = |result: &&&BaselineResult| result.baseline == Baseline::Clos;
    let several = kept.iter().filter(is_clos).count() > 1;
    let contender = |result| Contender { name: contender_name(result, several), result };
    kept.into_iter().map(contender).collect()
}

/// `Clos`, and where two of them differ `Clos of qm9790`; others as they are asked for.
fn contender_name(result: &BaselineResult, several: bool) -> String {
    let switches = result.plan.bill.iter().filter(|line| line.role == Role::Switch);
    match (result.baseline, switches.max_by_key(|line| line.count)) {
        (Baseline::Clos, Some(line)) if several => format!("Clos of {}", line.part),
        (Baseline::Clos, _) => "Clos".to_owned(),
        _ => name_without_plane(&result.name).to_owned(),
    }
}

/// What the design saves of another network.
struct Saving {
    text: String,
    /// That over what the other takes; negative where the design takes more.
    share: f64,
}

impl Saving {
    fn new(text: String, share: f64) -> Self {
        let text = if share.abs() < ROUNDING { "none".to_owned() } else { text };
        Self { text, share }
    }
}

/// Rows of the screen, from the design and from each network beside it.
struct Rows<'a> {
    design: &'a Plan,
    others: &'a [Contender<'a>],
    table: Table,
}

fn screen_table(comparison: &Comparison, others: &[Contender<'_>]) -> Table {
    let design = &comparison.design;
    let several = !comparison.each.is_empty();
    let name = |name: &str, plan: &Plan| {
        let mark = if plan.cost.unpriced.is_empty() { "" } else { " ?" };
        format!("{name}{mark}")
    };
    let own =
        if several { "design".to_owned() } else { format!("design: {}", fabric_name(design)) };
    let legend = if others.len() > 1 { "in brackets: saved" } else { "" };
    let mut columns =
        vec![Column::words(legend, "figure"), Column::words(&name(&own, design), "design")];
    columns.extend(
        others
            .iter()
            .map(|other| Column::words(&name(&other.name, &other.result.plan), &other.result.name)),
    );
    if let [_] = others {
        columns.push(Column::words("saved by the design", "saved"));
    }
    let mut rows = Rows { design, others, table: Table::new(columns) };
    if !several {
        rows.push_row("switches", switches_text, |_| None);
    }
    rows.push_money_rows();
    rows.push_time_rows(several);
    if !several {
        rows.push_network_rows();
    }
    rows.table
}

impl Rows<'_> {
    /// A row: a text of each design, and what the design saves of each other; nothing where no
    /// design has it.
    fn push_row(
        &mut self,
        label: &str,
        read: impl Fn(&Plan) -> Option<String>,
        saved: impl Fn(&BaselineResult) -> Option<Saving>,
    ) {
        let own = read(self.design);
        let theirs: Vec<Option<String>> =
            self.others.iter().map(|other| read(&other.result.plan)).collect();
        if own.is_none() && theirs.iter().all(Option::is_none) {
            return;
        }
        let cell = |text: Option<String>| text.map_or_else(Cell::no_value, Cell::words);
        let mut cells = vec![Cell::words(label), cell(own)];
        let alone = theirs.len() == 1;
        for (other, text) in self.others.iter().zip(theirs) {
            match saved(other.result) {
                Some(saving) if alone => cells.extend([cell(text), Cell::words(saving.text)]),
                Some(saving) if saving.share.abs() >= NONE => {
                    let share = signed_percent(saving.share);
                    cells.push(cell(text.map(|text| format!("{text} ({share})"))));
                }
                _ => cells.push(cell(text)),
            }
        }
        self.table.push_row(cells);
    }

    /// A row of money; no saving where a price is missing.
    fn push_sum(&mut self, label: &str, read: impl Fn(&Plan) -> Option<Usd>) {
        let design = self.design;
        self.push_row(label, sum_text(&read), |result| sum_saving(design, result, &read));
    }

    fn push_money_rows(&mut self) {
        self.push_sum("network", |plan| Some(plan.cost.network_capex));
        self.push_sum("cluster", |plan| Some(plan.cost.capex));
        self.push_sum("all stages, today's value", |plan| {
            plan.growth.map(|growth| growth.present_value)
        });
        let design = self.design;
        self.push_row(
            "power with cooling",
            |plan| Some(number::power(plan.cost.power_with_cooling())),
            |result| {
                let theirs = result.plan.cost.power_with_cooling();
                let ours = design.cost.power_with_cooling();
                let share = if theirs > Watts::ZERO { (theirs - ours) / theirs } else { 0.0 };
                let (sign, saving) =
                    if ours > theirs { ("-", ours - theirs) } else { ("", theirs - ours) };
                let power = number::power(saving);
                let text = format!("{sign}{power} ({})", signed_percent(share));
                Some(Saving::new(text, share))
            },
        );
    }

    fn push_time_rows(&mut self, several: bool) {
        let longest = |plan: &Plan| {
            let times = plan.clusters.iter().map(|cluster| cluster.plan.step.time.total_time());
            Some(number::time(times.fold(Seconds::ZERO, Seconds::max)))
        };
        let step = |plan: &Plan| Some(number::time(plan.step.time.total_time()));
        let slower = |result: &BaselineResult| {
            let share = 1.0 - result.against.slowdown;
            Some(Saving::new(signed_percent(share), share))
        };
        if several {
            self.push_row("longest step", longest, slower);
        } else {
            self.push_row("step", step, slower);
        }
        let design = self.design;
        let days = |plan: &Plan| plan.cost.days_with_failures();
        self.push_row(
            "run with failures",
            |plan| days(plan).map(|days| format!("{} days", short_number::days(days))),
            |result| {
                let (theirs, ours) = (days(&result.plan)?, days(design)?);
                let saving = theirs - ours;
                let sign = if saving < 0.0 { "-" } else { "" };
                let apart = short_number::days(saving.abs());
                let none = apart.chars().all(|digit| matches!(digit, '0' | '.'));
                let text = if none { "none".to_owned() } else { format!("{sign}{apart} days") };
                let share = if theirs > 0.0 { saving / theirs } else { 0.0 };
                Some(Saving::new(text, share))
            },
        );
        self.push_token_rows();
    }

    /// Cost per million tokens; beside one network with the interval of the saving, beside several
    /// in a row of its own.
    fn push_token_rows(&mut self) {
        let read = |plan: &Plan| plan.cost.usd_per_million_tokens;
        let alone = self.others.len() == 1;
        let design = self.design;
        self.push_row("per million tokens", sum_text(&read), |result| {
            let saving = sum_saving(design, result, &read)?;
            // The verdict has the share, and the row both costs.
            Some(match saving_interval_text(result).filter(|_| alone) {
                Some(interval) => Saving { text: format!("likely {interval}"), ..saving },
                None => saving,
            })
        });
        let intervals: Vec<Option<String>> =
            self.others.iter().map(|other| saving_interval_text(other.result)).collect();
        if !alone && intervals.iter().any(Option::is_some) {
            let saved = intervals.into_iter();
            let saved = saved.map(|text| text.map_or_else(Cell::no_value, Cell::words));
            let label = [Cell::words("  likely saved"), Cell::default()];
            self.table.push_row(label.into_iter().chain(saved).collect());
        }
    }

    fn push_network_rows(&mut self) {
        self.push_row(
            "all-to-all",
            |plan| Some(format!("{} of NIC rate", short_number::percent(plan.all_to_all.stored))),
            |_| None,
        );
        self.push_row("one failure hits", worst_failure_text, |_| None);
        if self.others.len() > 1 {
            return;
        }
        self.push_row(
            "room before a new tier",
            |plan| {
                let more = plan.headroom?.before_another_tier;
                Some(if more == 0 {
                    "none".to_owned()
                } else {
                    number::count_with_noun(more, "GPU", "GPUs")
                })
            },
            |_| None,
        );
    }
}

/// A sum of each design, marked where a price is missing.
fn sum_text(read: &impl Fn(&Plan) -> Option<Usd>) -> impl Fn(&Plan) -> Option<String> {
    move |plan| {
        let mark = if plan.cost.unpriced.is_empty() { "" } else { " ?" };
        read(plan).map(|usd| format!("{}{mark}", short_number::money(usd)))
    }
}

/// What a design saves of a sum; `None` where a price is missing.
fn sum_saving(
    design: &Plan,
    result: &BaselineResult,
    read: &impl Fn(&Plan) -> Option<Usd>,
) -> Option<Saving> {
    let theirs = read(&result.plan)?;
    let saving = theirs - read(design)?;
    let share = if theirs > Usd::ZERO { saving / theirs } else { 0.0 };
    let text = format!("{} ({})", short_number::money(saving), signed_percent(share));
    result.against.is_priced().then(|| Saving::new(text, share))
}

/// `$0.0014 to $0.0019`: what is likely saved per million tokens; `None` where a price is missing.
fn saving_interval_text(result: &BaselineResult) -> Option<String> {
    let range = result.against.usd_per_million_tokens_saving_interval;
    let range = range.filter(|_| result.against.is_priced())?;
    let [low, high] = [range.low, range.high].map(short_number::money);
    Some(format!("{low} to {high}"))
}

/// Percent with two digits and the sign of a loss.
fn signed_percent(share: f64) -> String {
    let sign = if share < 0.0 { "-" } else { "" };
    format!("{sign}{}", short_number::percent(share.abs()))
}

/// `56 in 2 tiers, 5.5:1`; of a network without tiers its switches alone.
fn switches_text(plan: &Plan) -> Option<String> {
    let fabric = &plan.fabric;
    let switches = number::count(fabric.switch_count());
    if !fabric.kind.is_tree() {
        return Some(switches);
    }
    let tiers = number::count_with_noun(fabric.tier_count() as u64, "tier", "tiers");
    let least = fabric.least_bandwidth_share();
    let level = if least < 1.0 { number::oversubscription(least) } else { "1:1".to_owned() };
    Some(format!("{switches} in {tiers}, {level}"))
}

/// `24 GPUs (leaf switch)`: of the parts of the network the one whose loss hits most GPUs; of parts
/// that hit none the one that slows the job most.
fn worst_failure_text(plan: &Plan) -> Option<String> {
    let year = &plan.failures.year;
    let widest = year.widest_fault()?;
    if widest.fault.gpus > 0 {
        let gpus = number::count_with_noun(widest.fault.gpus, "GPU", "GPUs");
        return Some(format!("{gpus} ({})", widest.fault.part));
    }
    year.worst_fault().map(|worst| format!("slower ({})", worst.fault.part))
}

/// What the table can't say: missing prices, broken limits, networks that can't be had.
fn note_lines(comparison: &Comparison, others: &[Contender<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    let plans =
        || std::iter::once(&comparison.design).chain(others.iter().map(|other| &other.result.plan));
    let mut parts: Vec<&str> =
        plans().flat_map(|plan| &plan.cost.unpriced).map(String::as_str).collect();
    parts.sort_unstable();
    parts.dedup();
    if !parts.is_empty() {
        lines.push(format!(
            "?  no price for {}: sums of that column are too low; state it under [prices]",
            parts.join(", ")
        ));
    }
    let broken = others.iter().filter(|other| !other.result.breaks.is_empty());
    let broken: Vec<String> = broken
        .map(|other| {
            let limits: Vec<&str> =
                other.result.breaks.iter().map(|broken| broken.limit.as_str()).collect();
            format!("{} ({})", other.name, limits.join(", "))
        })
        .collect();
    if !broken.is_empty() {
        lines.push(format!("breaks limits of the spec: {}", broken.join("; ")));
    }
    lines.extend(missing_baselines_text(comparison));
    if lines.is_empty() {
        lines.push("--all has every figure".to_owned());
    }
    lines
}

/// Which baselines can't be built, and how to see why.
pub(super) fn missing_baselines_text(comparison: &Comparison) -> Vec<String> {
    if comparison.missing.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> = comparison.missing.iter().map(ToString::to_string).collect();
    let first = format!("nothing on offer builds {} for this job", names.join(", "));
    let routed =
        comparison.missing.iter().filter(|baseline| matches!(baseline, Baseline::Routed(_)));
    let reasons = routed.map(|baseline| {
        format!("`planner design --set cluster.fabric={baseline}` says why not {baseline}")
    });
    std::iter::once(first).chain(reasons).collect()
}
