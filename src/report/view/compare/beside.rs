//! The designs side by side, for people: absolute, difference and percent.

use super::super::super::number;
use super::super::super::table::{Cell, Column, Table};
use super::super::{cluster, design, fabric};
use crate::compare::{Against, Contender};
use crate::design::Plan;
use crate::fabric::FabricKind;
use crate::units::{Seconds, Usd};

/// The design beside some baselines: one column for each.
pub(super) fn beside(design: &Plan, contenders: &[Contender]) -> Table {
    let heading =
        format!("design\n{}\n{}", design.fabric.kind, cluster::planes(design.fabric.planes));
    let mut columns = Columns::new(&heading, design, contenders);
    fabrics(&mut columns);
    money(&mut columns);
    power(&mut columns);
    time(&mut columns);
    columns.table
}

/// The same of several clusters together: what can be added up.
pub(super) fn together(design: &Plan, contenders: &[Contender]) -> Table {
    let mut columns = Columns::new("design", design, contenders);
    money(&mut columns);
    present(&mut columns);
    power(&mut columns);
    let longest = |plan: &Plan| {
        let times = plan.clusters().into_iter().map(|plan| plan.step.time.total());
        number::time(times.fold(Seconds::ZERO, Seconds::max))
    };
    columns.row("longest step", longest);
    columns.against("most slowed by", |of| Some(number::percent_change(of.slowdown - 1.0)));
    columns.table
}

/// Columns of the table that people read: the design, then the baselines.
struct Columns<'a> {
    design: &'a Plan,
    contenders: &'a [Contender],
    table: Table,
}

impl<'a> Columns<'a> {
    fn new(heading: &str, design: &'a Plan, contenders: &'a [Contender]) -> Self {
        let name = |of: &Contender| Column::numbers(&of.name.replace(", ", "\n"), &of.name);
        let mut columns = vec![Column::words("", "quantity"), Column::numbers(heading, "design")];
        columns.extend(contenders.iter().map(name));
        Self { design, contenders, table: Table::new(columns) }
    }

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
    columns.row("all-to-all, of the NIC rate", |plan| design::throughput(&plan.all_to_all));
    columns.row("more GPUs without a new tier", |plan| {
        plan.headroom.map_or_else(|| "-".to_owned(), |of| number::count(of.before_another_tier))
    });
}

fn money(columns: &mut Columns<'_>) {
    columns.row("network", |plan| number::money(plan.cost.network_capex));
    columns.against("saved", |of| Some(number::money_change(of.network_capex_saving)));
    if columns.contenders.iter().any(|of| of.against.network_capex_saving_range.is_some()) {
        // At any prices within the ranges that the book states.
        let end = |of: &Against, end: fn((Usd, Usd)) -> Usd| {
            of.network_capex_saving_range.map(|range| number::money_change(end(range)))
        };
        columns.against("saved, at least", |of| end(of, |(low, _)| low));
        columns.against("saved, at most", |of| end(of, |(_, high)| high));
    }
    columns.against("saved, of the baseline", |of| of.network_capex_share.map(number::percent));
    columns.row("cluster", |plan| number::money(plan.cost.capex));
    columns.against("saved", |of| Some(number::money_change(of.capex_saving)));
    if columns.design.cost.usd_per_million_tokens.is_some() {
        let cell = |usd: Option<Usd>| usd.map_or_else(|| "-".to_owned(), number::money);
        columns.row("per million tokens", |plan| cell(plan.cost.usd_per_million_tokens));
        columns.against("saved", |of| of.usd_per_million_tokens_saving.map(number::money_change));
    }
}

/// What stages come to in today's money; nothing for a cluster that does not grow.
fn present(columns: &mut Columns<'_>) {
    if columns.design.growth.is_none() {
        return;
    }
    columns.row("in today's money", |plan| {
        let value = plan.growth.as_ref().map(|growth| growth.present_value);
        value.map_or_else(|| "-".to_owned(), number::money)
    });
    columns.against("saved", |of| of.present_value_saving.map(number::money_change));
}

fn power(columns: &mut Columns<'_>) {
    columns.row("network power", |plan| number::power(plan.cost.network_power));
    columns.against("saved", |of| Some(number::power_change(of.power_saving)));
    columns.row("cluster power", |plan| number::power(plan.cost.power));
}

fn time(columns: &mut Columns<'_>) {
    columns.row("step", |plan| number::time(plan.step.time.total()));
    columns.against("design slower by", |of| Some(number::percent_change(of.slowdown - 1.0)));
    columns.row("goodput", |plan| number::percent(plan.goodput));
    if columns.design.cost.training_days.is_some() {
        columns.row("run", |plan| {
            plan.cost.training_days.map_or_else(|| "-".to_owned(), |days| format!("{days:.1} days"))
        });
    }
}
