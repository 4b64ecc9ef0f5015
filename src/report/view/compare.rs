//! The report of `planner compare`: absolute, difference and percent, and whose saving it is.

use super::super::document::{Document, Section};
use super::super::format::{Look, draw};
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use super::{cluster, fabric};
use crate::compare::{Against, Attribution, Comparison, Contender};
use crate::design::Plan;
use crate::fabric::FabricKind;
use crate::units::{Usd, Watts};

/// The comparison in the wanted format, with a line break at its end.
#[must_use]
pub fn compare(comparison: &Comparison, look: Look) -> String {
    draw(&document(comparison), look, || json::compare(comparison))
}

fn document(comparison: &Comparison) -> Document {
    let mut sections = vec![
        Section::new("", "").line(cluster::machines(&comparison.design.nodes)),
        missing(comparison, Section::new("COMPARISON", "savings are the design's, against each"))
            .table(beside(comparison)),
    ];
    if let Some(attribution) = &comparison.attribution {
        sections.push(origin(attribution));
        let advice = Section::new("READ THIS", attribution.to_string());
        sections.push(match cheapest(&comparison.contenders) {
            Some(contender) => advice.line(verdict(contender)),
            None => advice,
        });
    }
    Document { title: comparison.design.name.clone(), sections, sheet: sheet(comparison) }
}

/// The baseline that is hardest to beat.
fn cheapest(contenders: &[Contender]) -> Option<&Contender> {
    contenders.iter().min_by(|a, b| a.plan.cost.network_capex.total_cmp(&b.plan.cost.network_capex))
}

/// The design against one baseline, in a sentence.
fn verdict(contender: &Contender) -> String {
    let of = &contender.against;
    let saving = if of.network_capex_saving > Usd::ZERO {
        format!(
            "saves {} of network, {} of it",
            number::money(of.network_capex_saving),
            of.network_capex_share.map_or_else(|| "all".to_owned(), number::percent)
        )
    } else if of.network_capex_saving < Usd::ZERO {
        format!("costs {} more of network", number::money(Usd::ZERO - of.network_capex_saving))
    } else {
        "saves nothing".to_owned()
    };
    format!(
        "against the cheapest baseline here ({}) the design {saving}, and its step is {}",
        contender.name,
        match number::percent_change(of.slowdown - 1.0).as_str() {
            "0.0 %" => "as long".to_owned(),
            change => format!("{change} in length"),
        }
    )
}

/// Names the baselines that can't be built.
fn missing(comparison: &Comparison, section: Section) -> Section {
    if comparison.missing.is_empty() {
        return section;
    }
    let names: Vec<String> = comparison.missing.iter().map(ToString::to_string).collect();
    section.line(format!("no switch on offer can build {}", names.join(", ")))
}

/// Columns of the table that people read: the design, then the baselines.
struct Columns<'a> {
    design: &'a Plan,
    contenders: &'a [Contender],
    table: Table,
}

/// The designs side by side: one column for each.
fn beside(comparison: &Comparison) -> Table {
    let mut columns = vec![Column::words("", "quantity")];
    let heading = format!(
        "design\n{}\n{}",
        comparison.design.fabric.kind,
        cluster::planes(comparison.design.fabric.planes)
    );
    columns.push(Column::numbers(&heading, "design"));
    columns.extend(
        comparison
            .contenders
            .iter()
            .map(|contender| Column::numbers(&contender.name.replace(", ", "\n"), &contender.name)),
    );
    let mut columns = Columns {
        design: &comparison.design,
        contenders: &comparison.contenders,
        table: Table::new(columns),
    };
    fabrics(&mut columns);
    money(&mut columns);
    power(&mut columns);
    time(&mut columns);
    columns.table
}

impl Columns<'_> {
    /// A row that every design has.
    fn row(&mut self, name: &str, of: impl Fn(&Plan) -> String) {
        let mut cells = vec![Cell::words(name), Cell::words(of(self.design))];
        cells.extend(self.contenders.iter().map(|contender| Cell::words(of(&contender.plan))));
        self.table.row(cells);
    }

    /// A row that only baselines have: how the design compares with each.
    fn against(&mut self, name: &str, of: impl Fn(&Against) -> Option<String>) {
        let mut cells = vec![Cell::words(format!("  {name}")), Cell::words("")];
        cells.extend(
            self.contenders
                .iter()
                .map(|contender| of(&contender.against).map_or_else(Cell::none, Cell::words)),
        );
        self.table.row(cells);
    }
}

fn fabrics(columns: &mut Columns<'_>) {
    columns.row("tiers", |plan| plan.fabric.depth().to_string());
    columns.row("switches", |plan| number::count(plan.fabric.switches()));
    columns.row("transceivers", |plan| number::count(plan.fabric.transceivers()));
    columns.row("bandwidth within a rail", |plan| fabric::level(plan.fabric.within_rail));
    columns.row("bandwidth across rails", |plan| match plan.fabric.kind {
        FabricKind::RailOnly => "forwarded".to_owned(),
        _ => fabric::level(plan.fabric.across_rails),
    });
}

fn money(columns: &mut Columns<'_>) {
    columns.row("network", |plan| number::money(plan.cost.network_capex));
    columns.against("saved", |of| Some(number::money_change(of.network_capex_saving)));
    columns.against("saved, of the baseline", |of| of.network_capex_share.map(number::percent));
    columns.row("cluster", |plan| number::money(plan.cost.capex));
    columns.against("saved", |of| Some(number::money_change(of.capex_saving)));
    if columns.design.cost.usd_per_million_tokens.is_some() {
        let cell = |usd: Option<Usd>| usd.map_or_else(|| "-".to_owned(), number::money);
        columns.row("per million tokens", |plan| cell(plan.cost.usd_per_million_tokens));
        columns.against("saved", |of| of.usd_per_million_tokens_saving.map(number::money_change));
    }
}

fn power(columns: &mut Columns<'_>) {
    columns.row("network power", |plan| number::power(plan.cost.network_power));
    columns.against("saved", |of| Some(number::power_change(of.power_saving)));
    columns.row("cluster power", |plan| number::power(plan.cost.power));
}

fn time(columns: &mut Columns<'_>) {
    columns.row("step", |plan| number::time(plan.step.time.total()));
    columns.against("design slower by", |of| Some(number::percent_change(of.slowdown - 1.0)));
    if columns.design.cost.training_days.is_some() {
        columns.row("run", |plan| {
            plan.cost.training_days.map_or_else(|| "-".to_owned(), |days| format!("{days:.1} days"))
        });
    }
}

/// Where the saving against the paper's Clos comes from, step by step.
fn origin(attribution: &Attribution) -> Section {
    let total: Usd = attribution.contributions.iter().map(|of| of.saving).sum();
    let lead = format!(
        "{} of network against a Clos of the same switch in one plane",
        number::money_change(total)
    );
    let mut table = Table::new(vec![
        Column::words("step", "step"),
        Column::numbers("saves", "saving_usd"),
        Column::numbers("share", "share"),
    ]);
    for contribution in &attribution.contributions {
        let share = if total == Usd::ZERO { 0.0 } else { contribution.saving / total };
        table.row(vec![
            Cell::words(contribution.cause.name()),
            Cell::shown(number::money_change(contribution.saving), contribution.saving.get()),
            Cell::shown(number::percent(share), share),
        ]);
    }
    Section::new("WHERE IT COMES FROM", lead).table(table)
}

/// The designs one under the other, for a spreadsheet.
fn sheet(comparison: &Comparison) -> Table {
    let numbers = [
        "planes",
        "tiers",
        "switches",
        "transceivers",
        "within_rail_share",
        "across_rails_share",
        "network_capex_usd",
        "capex_usd",
        "network_power_w",
        "power_w",
        "step_s",
        "usd_per_million_tokens",
        "network_capex_saving_usd",
        "power_saving_w",
        "slowdown",
    ];
    let mut columns = vec![Column::words("design", "design")];
    columns.extend(numbers.map(|key| Column::numbers(key, key)));
    let mut table = Table::new(columns);
    let mut row = |name: &str, plan: &Plan, against: Option<&Against>| {
        let number = |value: f64| Cell::shown(String::new(), value);
        let saving = |value: Option<f64>| value.map_or_else(Cell::none, number);
        let cost = &plan.cost;
        table.row(vec![
            Cell::words(name),
            Cell::count(plan.fabric.planes),
            Cell::count(plan.fabric.depth() as u64),
            Cell::count(plan.fabric.switches()),
            Cell::count(plan.fabric.transceivers()),
            number(plan.fabric.within_rail),
            number(plan.fabric.across_rails),
            Cell::money(cost.network_capex),
            Cell::money(cost.capex),
            number(cost.network_power.get()),
            number(cost.power.get()),
            Cell::time(plan.step.time.total()),
            saving(cost.usd_per_million_tokens.map(Usd::get)),
            saving(against.map(|of| of.network_capex_saving.get())),
            saving(against.map(|of| Watts::get(of.power_saving))),
            saving(against.map(|of| of.slowdown)),
        ]);
    };
    row("design", &comparison.design, None);
    for contender in &comparison.contenders {
        row(&contender.name, &contender.plan, Some(&contender.against));
    }
    table
}
