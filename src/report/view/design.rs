//! The report of `planner design`: one page that an architect and a finance lead can both read.

use super::super::document::{Document, Part, Section};
use super::super::format::{Format, Look, draw};
use super::super::table::{Cell, Column, Table};
use super::super::{json, number, warning, words, worth};
use super::page::{PageSheet, page};
use super::{bill, cluster, fabric, growth, parts, routing, step, summary, traffic, workloads};
use crate::design::{
    Exchange, GrowthReport, Plan, PriceBand, Priority, RackReport, SolverReport, SolverStatus, Turn,
};
use crate::scenario::Assumption;

/// The plan in the wanted format, with a line break at its end. As a page it lacks what other
/// results would add: the comparison and the heat map of [`super::page::page`].
#[must_use]
pub fn design(plan: &Plan, look: Look<'_>) -> String {
    if look.format == Format::Html {
        return page(&PageSheet::of(plan), look);
    }
    draw(&document(plan), look, || json::design(plan))
}

fn document(plan: &Plan) -> Document {
    let mut sections = match &plan.growth {
        Some(growth) => in_stages(plan, growth),
        None if plan.parts.is_empty() => whole(plan),
        None => in_parts(plan),
    };
    sections.retain(|section| !section.parts.is_empty() || !section.lead.is_empty());
    Document { title: plan.name.clone(), sections, sheet: bill::table(&plan.bill, &plan.cost) }
}

/// The sections of a cluster whose workloads have parts of it to themselves.
fn in_parts(plan: &Plan) -> Vec<Section> {
    let gpus = plan.parts.iter().map(|part| part.plan.nodes.gpus).sum();
    let proof = Section::new("PROOF", solver(&plan.solver));
    let mut sections = vec![summary::section(plan), proof];
    sections.extend(parts::sections(plan));
    sections.extend([
        bill::bill(&plan.bill, &plan.cost, gpus),
        firmness(&plan.price_bands),
        racks(plan.racks.as_ref()),
        limits(&plan.solver),
        alternatives(plan),
        assumptions(&plan.assumptions),
        defaults(&plan.assumptions),
        warnings(plan),
    ]);
    sections
}

/// The sections of a cluster that grows in stages.
fn in_stages(plan: &Plan, growth: &GrowthReport) -> Vec<Section> {
    let proof = Section::new("PROOF", solver(&plan.solver));
    let mut sections = vec![summary::section(plan), proof];
    sections.extend(growth::sections(growth));
    sections.extend([
        bill::bill(&plan.bill, &plan.cost, plan.nodes.gpus).line(growth::PAID),
        in_money_of(limits(&plan.solver), plan),
        firmness(&plan.price_bands),
        alternatives(plan),
        assumptions(&plan.assumptions),
        defaults(&plan.assumptions),
        warnings(plan),
    ]);
    sections
}

/// Savings of stages are of what the objective makes of all of them.
fn in_money_of(section: Section, plan: &Plan) -> Section {
    match plan.cost.discount > 0.0 && !plan.solver.binding.is_empty() {
        true => Section { lead: "savings in today's money".to_owned(), ..section },
        false => section,
    }
}

/// The sections of a cluster that all workloads share.
fn whole(plan: &Plan) -> Vec<Section> {
    vec![
        summary::section(plan),
        reach(plan, inside(fabric::section(&plan.fabric), plan)).line(solver(&plan.solver)),
        priorities(&plan.priorities),
        cluster::layout(&plan.layout, plan.step.micro_batches),
        workloads::section(&plan.workloads),
        step::section(&plan.step, &plan.nodes)
            .line(step::sum(&plan.step.time))
            .line(slowdown(plan)),
        step::phases(&plan.phases, &plan.step),
        cluster::memory(&plan.memory, plan.memory_capacity),
        traffic::section(&plan.traffic),
        plan.routing.as_ref().map_or_else(|| Section::new("", ""), routing::section),
        bill::bill(&plan.bill, &plan.cost, plan.nodes.gpus),
        racks(plan.racks.as_ref()),
        limits(&plan.solver),
        alternatives(plan),
        firmness(&plan.price_bands),
        assumptions(&plan.assumptions),
        defaults(&plan.assumptions),
        warnings(plan),
    ]
}

/// What joins the GPUs inside the HB domains, where that is known.
fn inside(section: Section, plan: &Plan) -> Section {
    match plan.nodes.node.inside(plan.nodes.domains.into()) {
        Some(inside) => section.line(format!("HB domains: {}", cluster::inside(&inside))),
        None => section,
    }
}

/// The step against the reference, in a sentence.
pub(super) fn slowdown(plan: &Plan) -> String {
    let change = plan.step.slowdown - 1.0;
    let size = number::percent(change.abs());
    let pace = match number::percent_change(change).as_str() {
        "0.0 %" => "0 % slower".to_owned(),
        _ if change > 0.0 => format!("{size} slower"),
        _ => format!("{size} faster"),
    };
    format!("{pace} than {}", words::REFERENCE)
}

/// How the answer came about, in a sentence.
pub(super) fn solver(solver: &SolverReport) -> String {
    let candidates = number::counted(solver.candidates, "candidate", "candidates");
    let status = match solver.status {
        SolverStatus::Optimal => format!("proven optimal among {candidates}"),
        SolverStatus::GapLimit => format!(
            "within {} of the best possible, as asked, among {candidates}",
            number::percent(solver.gap)
        ),
        SolverStatus::NodeLimit => {
            let rival = solver.rival.as_ref().map_or(String::new(), |name| format!(" ({name})"));
            format!(
                "not proven optimal: the best found within the limit of the search among \
                 {candidates}; something up to {:.3} % better may exist{rival}",
                solver.gap * 100.0
            )
        }
    };
    format!("{status} (proof: {}){}", solver.name, not_searched(solver))
}

/// What the proof does not range over.
fn not_searched(solver: &SolverReport) -> String {
    let fixed: Vec<&str> = solver.fixed.iter().map(|of| of.key).collect();
    let fixed = match fixed.is_empty() {
        true => String::new(),
        false => format!(
            "; of layouts with these keys as they are, as \"auto\" may find a better one: {}",
            fixed.join(", ")
        ),
    };
    let first = match solver.chosen_first.is_empty() {
        true => String::new(),
        false => format!(
            "; these keys are of the layout with the shortest step on a full-bisection Clos, chosen \
             before any network was priced, so other values are outside the proof too: {}",
            solver.chosen_first.join(", ")
        ),
    };
    fixed + &first
}

/// How far the fabric can grow, what it makes of the most demanding pattern, and what failures
/// leave of a year.
pub(super) fn reach(plan: &Plan, section: Section) -> Section {
    let section = match plan.headroom {
        Some(of) if of.before_another_tier > 0 => section.line(format!(
            "room to grow: {} more GPUs on free ports, {} before another tier is needed",
            number::count(of.on_free_ports),
            number::count(of.before_another_tier)
        )),
        Some(_) => section.line("room to grow: none, the next HB domain needs another tier"),
        None => section,
    };
    section.line(format!(
        "all-to-all of all GPUs at {} of the NIC rate; goodput {} (failures, standby machines)",
        throughput(&plan.all_to_all),
        number::percent(plan.goodput)
    ))
}

/// `91.2 %`, or a range where it matters how messages are forwarded.
pub(super) fn throughput(of: &Exchange) -> String {
    let (low, high) = (number::percent(of.stored), number::percent(of.pipelined));
    if low == high { low } else { format!("{low} to {high}") }
}

/// What was minimised one after another.
fn priorities(all: &[Priority]) -> Section {
    let mut table = Table::new(vec![
        Column::words("minimised", "minimize"),
        Column::numbers("above the least", "given_up_share"),
        Column::numbers("gained", "gained_share"),
    ]);
    for of in all {
        table.row(vec![
            Cell::words(of.of.name()),
            Cell::shown(number::percent(of.given_up), of.given_up),
            Cell::shown(number::percent(of.gained), of.gained),
        ]);
    }
    let lead = if all.is_empty() {
        ""
    } else {
        "each among the designs that are best by those above it, within the tolerance"
    };
    Section::new("PRIORITIES", lead).table(table)
}

/// Racks, where the spec limits them.
pub(super) fn racks(racks: Option<&RackReport>) -> Section {
    let Some(of) = racks else { return Section::new("RACKS", "") };
    let all = of.nodes + of.switches;
    let most = of.most.map_or_else(String::new, |most| format!(" of {}", number::count(most)));
    let fed = of.rack.power.map_or_else(String::new, |most| format!(" of {}", number::power(most)));
    let lead = format!(
        "{}{most}: {} of machines, {} of switches; the fullest draws {}{fed}",
        number::counted(all, "rack", "racks"),
        number::count(of.nodes),
        number::count(of.switches),
        number::power(of.fullest)
    );
    Section::new("RACKS", lead)
}

/// The limits that bind, and what more would be worth.
pub(super) fn limits(solver: &SolverReport) -> Section {
    let mut table =
        Table::new(vec![Column::words("limit", "limit"), Column::words("worth", "worth")]);
    for bound in &solver.binding {
        table.row(vec![Cell::words(&bound.limit), Cell::words(worth::text(&bound.worth))]);
    }
    let lead = if solver.binding.is_empty() { "none that the spec states" } else { "" };
    Section::new("LIMITS THAT BIND", lead).table(table)
}

/// Other designs, and why they were not chosen.
pub(super) fn alternatives(plan: &Plan) -> Section {
    let mut table = Table::new(vec![
        Column::words("design", "design"),
        Column::numbers("network", "network_capex_change_usd"),
        Column::numbers("cluster", "capex_change_usd"),
        Column::numbers("step", "step_change"),
        Column::numbers("a token", "usd_per_token_change"),
        Column::words("why not", "reason"),
    ]);
    for other in &plan.alternatives {
        let change = other.step_ratio - 1.0;
        table.row(vec![
            Cell::words(&other.name),
            Cell::shown(
                number::money_change(other.network_capex_change),
                other.network_capex_change.get(),
            ),
            Cell::shown(number::money_change(other.capex_change), other.capex_change.get()),
            Cell::shown(number::percent_change(change), change),
            other.usd_per_token_ratio.map_or_else(Cell::none, |ratio| {
                Cell::shown(number::percent_change(ratio - 1.0), ratio - 1.0)
            }),
            Cell::words(&other.reason),
        ]);
    }
    Section::new("WHAT WOULD CHANGE IT", "").table(table)
}

/// Between which prices the design stays the best.
pub(super) fn firmness(bands: &[PriceBand]) -> Section {
    let mut table = Table::new(vec![
        Column::words("part", "part"),
        Column::numbers("price", "price_usd"),
        Column::numbers("down to", "below_usd"),
        Column::words("then", "below"),
        Column::numbers("up to", "above_usd"),
        Column::words("then", "above"),
    ]);
    for band in bands {
        let price = |turn: Option<&Turn>, free: &str| {
            turn.map_or_else(|| Cell::words(free), |turn| Cell::money(turn.price))
        };
        let to = |turn: Option<&Turn>| Cell::words(turn.map_or("", |turn| &turn.to));
        let above = if band.used { "x 4" } else { "any" };
        table.row(vec![
            Cell::words(&band.part),
            Cell::money(band.price),
            price(band.below.as_ref(), "/ 4"),
            to(band.below.as_ref()),
            price(band.above.as_ref(), above),
            to(band.above.as_ref()),
        ]);
    }
    let lead = if bands.is_empty() {
        ""
    } else {
        "the design stays optimal while one price moves in this range"
    };
    Section::new("SENSITIVITY", lead).table(table)
}

/// As many defaults are listed wherever they stand.
const FEW: usize = 4;

/// What was taken for granted and no spec states: topics and sentences.
pub(super) fn assumptions(all: &[Assumption]) -> Section {
    Section::new("ASSUMPTIONS", "").table(listed(all, false))
}

/// What was taken for the keys that a spec leaves open.
pub(super) fn defaults(all: &[Assumption]) -> Section {
    let section = Section::new("DEFAULTS", "").table(listed(all, true));
    let count = all.iter().filter(|of| of.default).count();
    if count <= FEW {
        return section;
    }
    let open = number::counted(count as u64, "key is", "keys are");
    section.long(format!("{open} left open: `-v` lists what is taken for them"))
}

/// Either kind, as a list of topics and sentences.
fn listed(all: &[Assumption], default: bool) -> Table {
    let mut table = Table::new(vec![Column::words("", "topic"), Column::words("", "text")]);
    for assumption in all.iter().filter(|of| of.default == default) {
        table.row(vec![Cell::words(&assumption.topic), Cell::words(&assumption.text)]);
    }
    table
}

/// What a reader has to know before trusting the design.
pub(super) fn warnings(plan: &Plan) -> Section {
    let mut section = Section::new("WARNINGS", "");
    section.parts = plan
        .warnings
        .iter()
        .map(|of| Part::Warning { code: warning::code(of), text: warning::text(of) })
        .collect();
    section
}
