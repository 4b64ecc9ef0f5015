//! The report of `planner design --pareto`: cost against step time, one row a design.

use super::super::document::{Document, Section};
use super::super::format::{Look, draw};
use super::super::picture::{Ink, Picture, Plot, Point, Scale};
use super::super::sheet::{frontier_axis as axis, frontier_cost as cost};
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use super::{cluster, fabric};
use crate::design::{Frontier, Plan, SolverStatus};
use crate::fabric::Counts;
use crate::units::{Seconds, Usd};

/// The frontier in the wanted format, with a line break at its end.
#[must_use]
pub fn frontier(frontier: &Frontier, look: Look<'_>) -> String {
    draw(&document(frontier), look, || json::frontier(frontier))
}

fn document(frontier: &Frontier) -> Document {
    let mut sections = Vec::new();
    if let Some(first) = frontier.plans.first() {
        sections.push(Section::new("", "").line(machines(frontier, first)));
    }
    sections.push(section(frontier, None));
    Document { title: frontier.name.clone(), sections, sheet: table(frontier, proven(frontier)) }
}

/// The designs as a section; `chosen` is the one that a page is about.
pub(super) fn section(frontier: &Frontier, chosen: Option<&Plan>) -> Section {
    let lead =
        format!("{} against step time: each design is the cheapest for its step", axis(frontier));
    let proven = proven(frontier);
    let proof = format!(
        "{}; {} sized",
        if proven {
            "every design proven: none of its step time or less costs less"
        } else {
            "not all designs proven: the last column says how far from the best they may be"
        },
        number::counted(frontier.candidates, "candidate", "candidates"),
    );
    Section::new("FRONTIER", lead)
        .pictures([picture(frontier, chosen)])
        .table(table(frontier, proven))
        .line(proof)
}

/// No design of it could be better than the solver knows.
fn proven(frontier: &Frontier) -> bool {
    frontier.plans.iter().all(|plan| plan.solver.status == SolverStatus::Optimal)
}

/// Every design by its step time and its cost; the chosen one stands out, also where it is not of
/// the frontier: limits on the step that the frontier leaves out may have chosen another.
fn picture(frontier: &Frontier, chosen: Option<&Plan>) -> Option<Picture> {
    let at = |plan: &Plan| (plan.step.time.total().get(), cost(frontier, plan).get());
    let mut points: Vec<Point> = frontier
        .plans
        .iter()
        .map(|plan| Point {
            name: family(&plan.fabric),
            at: at(plan),
            ink: Ink::Blue,
            joined: true,
        })
        .collect();
    let mut legend = vec![(Ink::Blue, "cheapest for its step")];
    if let Some(plan) = chosen {
        let name = format!("this design, {}", family(&plan.fabric));
        points.push(Point { name, at: at(plan), ink: Ink::Orange, joined: false });
        legend.push((Ink::Orange, "this design"));
    }
    let plot = Plot {
        across: Scale {
            name: "time of a step".to_owned(),
            reads: &|seconds| number::time(Seconds::of(seconds)),
        },
        up: Scale { name: axis(frontier).to_owned(), reads: &|usd| number::money(Usd::of(usd)) },
        points,
        legend,
    };
    if frontier.plans.len() < 2 { None } else { plot.picture("What a shorter step costs") }
}

/// Machines where all designs have the same; how many GPUs else.
fn machines(frontier: &Frontier, first: &Plan) -> String {
    let same = |plan: &Plan| {
        plan.nodes.node == first.nodes.node
            && plan.nodes.nic == first.nodes.nic
            && plan.nodes.planes == first.nodes.planes
    };
    match frontier.plans.iter().all(same) {
        true => cluster::machines(&first.nodes),
        false => number::counted(first.nodes.gpus, "GPU", "GPUs"),
    }
}

fn table(frontier: &Frontier, proven: bool) -> Table {
    let several = |key: fn(&Plan) -> String| {
        frontier.plans.windows(2).any(|pair| key(&pair[0]) != key(&pair[1]))
    };
    let node = |plan: &Plan| plan.nodes.node.name.clone();
    let nic = |plan: &Plan| plan.nodes.nic.name.clone();
    let order = |plan: &Plan| plan.layout.order.to_string();
    let shown = |shown: bool, name: &'static str| if shown { name } else { "" };
    let mut table = Table::new(vec![
        Column::numbers("step", "step_s"),
        Column::numbers("slower", "slowdown"),
        Column::numbers("network", "network_capex_usd"),
        Column::numbers(
            axis(frontier),
            if axis(frontier) == "TCO" { "tco_usd" } else { "capex_usd" },
        ),
        Column::numbers("per Mtok", "usd_per_million_tokens"),
        Column::words("fabric", "fabric"),
        Column::numbers("switches", "switches"),
        Column::words(shown(several(node), "node"), "node"),
        Column::words(shown(several(nic), "NIC"), "nic"),
        Column::words(shown(several(order), "order"), "order"),
        Column::numbers(shown(!proven, "gap"), "gap"),
    ]);
    let hidden = |shown: bool, text: String| Cell {
        text: if shown { text.clone() } else { String::new() },
        raw: text,
    };
    for plan in &frontier.plans {
        let change = plan.step.slowdown - 1.0;
        table.row(vec![
            Cell::time(plan.step.time.total()),
            Cell::shown(number::percent_change(change), plan.step.slowdown),
            Cell::money(plan.cost.network_capex),
            Cell::money(cost(frontier, plan)),
            plan.cost.usd_per_million_tokens.map_or_else(Cell::none, Cell::money),
            Cell::words(family(&plan.fabric)),
            Cell::count(plan.fabric.switches()),
            hidden(several(node), node(plan)),
            hidden(several(nic), nic(plan)),
            hidden(several(order), order(plan)),
            Cell {
                text: if proven { String::new() } else { number::percent(plan.solver.gap) },
                raw: number::exact(plan.solver.gap).to_string(),
            },
        ]);
    }
    table
}

/// `rail-only, 2 planes, rails 6.1:1` and the like.
fn family(counts: &Counts) -> String {
    let mut text = counts.kind.to_string();
    if counts.planes > 1 {
        text.push_str(&format!(", {}", cluster::planes(counts.planes)));
    }
    if counts.within_rail < 1.0 {
        text.push_str(&format!(", {}", fabric::level(counts.within_rail)));
    }
    text
}
