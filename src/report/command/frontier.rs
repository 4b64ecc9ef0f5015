//! The report of `planner design --pareto`: cost against step time, one row a design.

use super::multi_cluster::{self, ClusterReport, Figure};
use crate::design::{Frontier, Frontiers, LEAST_GAIN, Plan, SolverStatus};
use crate::fabric::Counts;
use crate::report::document::{Document, Section};
use crate::report::format::RenderOptions;
use crate::report::picture::{AxisScale, Ink, Picture, PlotPoint, ScatterPlot};
use crate::report::section::{fabric, machines};
use crate::report::sheet::{
    ClusterSheets, frontier_axis as axis, frontier_cost as cost, frontier_slowdown,
};
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number, words};
use crate::scenario::Minimize;
use crate::units::{Seconds, Usd};

/// The frontiers of a scenario in the wanted format, with a line break at its end.
#[must_use]
pub fn render_frontier(name: &str, frontiers: &Frontiers, look: RenderOptions<'_>) -> String {
    let each = frontiers.each.iter().map(|(name, frontier)| (name, frontier)).collect();
    let sheets = ClusterSheets { name, each };
    let whole = || (frontier_of_clusters(frontiers), json::frontier_of_clusters(frontiers));
    let told = ClusterReport {
        document: &|frontier: &&Frontier| frontier_document(frontier),
        json: &|frontier: &&Frontier| json::frontier_json(frontier),
        beside: &|frontier: &&Frontier| frontier_side_by_side(frontier),
        whole: Some(&whole),
    };
    multi_cluster::report_each_cluster(&sheets, look, &told)
}

/// The ends of a cluster's frontier beside those of others.
fn frontier_side_by_side(frontier: &Frontier) -> Vec<Figure> {
    let time = |cluster_plan: &Plan| Cell::time(cluster_plan.pace);
    let money = |cluster_plan: &Plan| Cell::money(cost(frontier, cluster_plan));
    let (cheap, fast) = (frontier.plans.first(), frontier.plans.last());
    let read =
        |plan: Option<&Plan>, cell: &dyn Fn(&Plan) -> Cell| plan.map_or_else(Cell::no_value, cell);
    vec![
        (Column::numbers("designs", "designs"), Cell::count(frontier.plans.len() as u64)),
        (Column::numbers("cheapest", "cheapest_usd"), read(cheap, &money)),
        (Column::numbers("its step", "cheapest_step_s"), read(cheap, &time)),
        (Column::numbers("fastest", "fastest_usd"), read(fast, &money)),
        (Column::numbers("its step", "fastest_step_s"), read(fast, &time)),
    ]
}

/// All clusters together, each design the cheapest that slows none of them more.
pub(in crate::report) fn frontier_of_clusters(frontiers: &Frontiers) -> Section {
    let mut table = Table::new(vec![
        Column::numbers("slower", "slowdown"),
        Column::numbers("network", "network_capex_usd"),
        Column::numbers("capex", "capex_usd"),
        Column::words("steps", "steps"),
        Column::words("fabrics", "fabrics"),
        Column::numbers("switches", "switches"),
    ]);
    for plan in &frontiers.whole {
        let slowed = frontier_slowdown(plan);
        let each = plan.cluster_plans();
        let steps = each.iter().map(|cluster_plan| number::time(cluster_plan.pace));
        let fabrics = each.iter().map(|cluster_plan| fabric_family_text(&cluster_plan.fabric));
        let switches: u64 =
            each.iter().map(|cluster_plan| cluster_plan.fabric.switch_count()).sum();
        table.push_row(vec![
            Cell::with_text_and_value(number::percent_change(slowed - 1.0), slowed),
            Cell::money(plan.cost.network_capex),
            Cell::money(plan.cost.capex),
            Cell::words(steps.collect::<Vec<_>>().join(", ")),
            Cell::words(fabrics.collect::<Vec<_>>().join("; ")),
            Cell::count(switches),
        ]);
    }
    let lead = "all clusters together: each design is the cheapest in which none is slower; below, \
                each cluster alone, with all owned parts and every limit to itself";
    Section::new("TRADE-OFF", lead).add_table(table)
}

fn frontier_document(frontier: &Frontier) -> Document {
    let mut sections = Vec::new();
    if let Some(first) = frontier.plans.first() {
        sections.push(Section::new("", "").add_line(frontier_machines_text(frontier, first)));
    }
    sections.push(frontier_section(frontier, None));
    Document {
        title: frontier.name.clone(),
        sections,
        screen: None,
        sheet: frontier_table(frontier, is_frontier_proven(frontier)),
    }
}

/// The designs as a section; `chosen` is the one that a page is about.
pub(super) fn frontier_section(frontier: &Frontier, chosen: Option<&Plan>) -> Section {
    let lead = format!(
        "{}: the cheapest design for each step time; slower: than these machines on a \
         full-bisection Clos",
        axis(frontier)
    );
    let proven = is_frontier_proven(frontier);
    let layouts = frontier.layouts.map_or_else(String::new, |count| {
        format!(" in {}", number::count_with_noun(count, "layout", "layouts"))
    });
    let proof = format!(
        "{}; {} compared{layouts}; designs with steps that are shorter by less than {} may be left \
         out",
        if proven {
            "all proven: no design that is as fast costs less"
        } else {
            "not all proven: `gap` is how much less a design as fast may cost"
        },
        number::count_with_noun(frontier.candidates, "candidate", "candidates"),
        number::percent(LEAST_GAIN),
    );
    let section = Section::new("TRADE-OFF", lead)
        .add_pictures_on_top([frontier_picture(frontier, chosen)])
        .add_table(frontier_table(frontier, proven))
        .add_line(proof);
    let more =
        [other_objective(frontier), missing_designs_sentence(frontier)].into_iter().flatten();
    more.fold(section, Section::add_line)
}

/// That the frontier weighs another cost than what is minimised.
fn other_objective(frontier: &Frontier) -> Option<String> {
    let [first, then @ ..] = &frontier.minimized[..] else { return None };
    let weighed = *first == frontier.cost || *first == Minimize::UsdPerToken;
    let names: Vec<&str> = frontier.minimized.iter().map(|quantity| quantity.name()).collect();
    (!weighed || !then.is_empty()).then(|| {
        format!(
            "`objective.minimize` is {}: a trade-off is between {} and step time, whatever is \
             minimised; `planner design` without `--pareto` minimises that",
            names.join(", then "),
            axis(frontier)
        )
    })
}

/// What designs may be missing.
fn missing_designs_sentence(frontier: &Frontier) -> Option<String> {
    /// Pairs that are named.
    const MOST: usize = 3;
    let beats = |one: &(Usd, Seconds), other: &(Usd, Seconds)| {
        one != other && one.0 <= other.0 && one.1 <= other.1
    };
    let all = &frontier.open;
    let least = all.iter().filter(|pair| !all.iter().any(|other| beats(other, pair)));
    let mut least: Vec<&(Usd, Seconds)> = least.collect();
    least.sort_by(|a, b| a.0.total_cmp(&b.0));
    least.dedup();
    let named = least.iter().take(MOST);
    let named = named.map(|pair| format!("{} and {}", number::money(pair.0), number::time(pair.1)));
    let more = least.len().checked_sub(MOST).filter(|more| *more > 0);
    let more = more.map(|more| format!("{more} more such pairs"));
    let named: Vec<String> = named.chain(more).collect();
    (!named.is_empty()).then(|| {
        format!(
            "layouts without a network of their own may add designs; each takes at least, in cost \
             and step, {}",
            named.join(", or ")
        )
    })
}

/// No design of it could be better than the solver knows.
fn is_frontier_proven(frontier: &Frontier) -> bool {
    frontier.plans.iter().all(|plan| plan.solver.status == SolverStatus::Optimal)
}

/// Every design by its step time and its cost; the chosen one stands out, also where it is not of
/// the frontier: limits on the step that the frontier leaves out may have chosen another.
fn frontier_picture(frontier: &Frontier, chosen: Option<&Plan>) -> Option<Picture> {
    let at = |plan: &Plan| (plan.pace.get(), cost(frontier, plan).get());
    let mut points: Vec<PlotPoint> = frontier
        .plans
        .iter()
        .map(|plan| PlotPoint {
            name: fabric_family_text(&plan.fabric),
            at: at(plan),
            ink: Ink::Blue,
            joined: true,
        })
        .collect();
    let mut legend = vec![(Ink::Blue, "cheapest for its step")];
    if let Some(plan) = chosen {
        let name = format!("this design, {}", fabric_family_text(&plan.fabric));
        points.push(PlotPoint { name, at: at(plan), ink: Ink::Orange, joined: false });
        legend.push((Ink::Orange, "this design"));
    }
    let plot = ScatterPlot {
        across: AxisScale::time_scale("time of a step"),
        up: AxisScale::money_scale(axis(frontier)),
        points,
        series: Vec::new(),
        legend,
    };
    if frontier.plans.len() < 2 { None } else { plot.picture("Price of speed") }
}

/// Machines where all designs have the same; how many GPUs else.
fn frontier_machines_text(frontier: &Frontier, first: &Plan) -> String {
    let same = |plan: &Plan| {
        plan.nodes.node == first.nodes.node
            && plan.nodes.nic == first.nodes.nic
            && plan.nodes.planes == first.nodes.planes
    };
    if frontier.plans.iter().all(same) {
        machines::machines_text(&first.nodes)
    } else {
        number::count_with_noun(first.nodes.gpus, "GPU", "GPUs")
    }
}

fn frontier_table(frontier: &Frontier, proven: bool) -> Table {
    let several = |key: fn(&Plan) -> String| {
        frontier.plans.windows(2).any(|pair| key(&pair[0]) != key(&pair[1]))
    };
    let node = |plan: &Plan| plan.nodes.node.name.clone();
    let nic = |plan: &Plan| plan.nodes.nic.name.clone();
    let order = |plan: &Plan| plan.layout.order.to_string();
    let seats = |plan: &Plan| format!("{} x {}", plan.nodes.domains, plan.nodes.used);
    let shown = |shown: bool, name: &'static str| if shown { name } else { "" };
    let paced = frontier
        .plans
        .iter()
        .any(|cluster_plan| cluster_plan.pace != cluster_plan.step.time.total_time());
    let untold = |pace: &Seconds| Cell { text: String::new(), raw: Cell::time(*pace).raw };
    let mut table = Table::new(vec![
        Column::numbers("step", "step_s"),
        // Of a run with phases, or of several workloads, that is not the step.
        Column::numbers(shown(paced, "pace"), "pace_s"),
        Column::numbers("slower", "slowdown"),
        Column::numbers("network", "network_capex_usd"),
        Column::numbers(
            axis(frontier),
            if axis(frontier) == "TCO" { "tco_usd" } else { "capex_usd" },
        ),
        Column::numbers("M tokens", "usd_per_million_tokens"),
        Column::words("fabric", "fabric"),
        Column::numbers("switches", "switches"),
        Column::words(shown(several(node), "node"), "node"),
        Column::words(shown(several(nic), "NIC"), "nic"),
        Column::words(shown(several(order), "order"), "order"),
        Column::words(shown(several(seats), "domains x GPUs"), "seats"),
        Column::numbers(shown(!proven, "gap"), "gap"),
    ]);
    let hidden = |shown: bool, text: String| Cell {
        text: if shown { text.clone() } else { String::new() },
        raw: text,
    };
    for plan in &frontier.plans {
        let change = plan.step.slowdown - 1.0;
        table.push_row(vec![
            Cell::time(plan.step.time.total_time()),
            if paced { Cell::time(plan.pace) } else { untold(&plan.pace) },
            Cell::with_text_and_value(number::percent_change(change), plan.step.slowdown),
            Cell::money(plan.cost.network_capex),
            Cell::money(cost(frontier, plan)),
            plan.cost.usd_per_million_tokens.map_or_else(Cell::no_value, Cell::money),
            Cell::words(fabric_family_text(&plan.fabric)),
            Cell::count(plan.fabric.switch_count()),
            hidden(several(node), node(plan)),
            hidden(several(nic), nic(plan)),
            hidden(several(order), order(plan)),
            hidden(several(seats), seats(plan)),
            Cell {
                text: if proven { String::new() } else { number::percent(plan.solver.gap) },
                raw: words::exact_number(plan.solver.gap).to_string(),
            },
        ]);
    }
    table
}

/// `rail-only, 2 planes, rails 6.1:1` and the like.
fn fabric_family_text(counts: &Counts) -> String {
    let mut text = counts.kind.to_string();
    if counts.planes > 1 {
        text.push_str(&format!(", {}", machines::planes_text(counts.planes)));
    }
    if counts.within_rail < 1.0 {
        text.push_str(&format!(", {}", fabric::level_text(counts.within_rail)));
    }
    text
}
