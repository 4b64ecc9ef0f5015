//! The report of `planner domain`: sizes of HB domains beside one another, one answer and one
//! picture.

use crate::report::document::{Document, Screen, Section};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::picture::{AxisScale, Lines, Picture, standalone_svg};
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number, short_number, warnings};
use crate::sweep::{DomainDesign, DomainPoint, DomainSizes};
use crate::units::Usd;

/// The sizes in the wanted format, with a line break at its end.
#[must_use]
pub fn render_domains(sizes: &DomainSizes, look: RenderOptions<'_>) -> String {
    let document = Document {
        title: sizes.name.clone(),
        sections: vec![
            best_sizes_section(sizes),
            domain_sizes_section(sizes),
            sizes_without_design_section(sizes),
        ]
        .into_iter()
        .filter(|section| !section.parts.is_empty() || !section.lead.is_empty())
        .collect(),
        screen: Some(domain_screen(sizes)),
        sheet: domain_sizes_table(sizes, true),
    };
    draw_document(&document, look, || json::domain_sizes_json(sizes))
}

/// Step and cost over the size of a domain as one SVG.
#[must_use]
pub fn domains_drawing(sizes: &DomainSizes) -> String {
    let pictures: Vec<Picture> =
        [step_times_picture(sizes), token_costs_picture(sizes), gpu_worth_picture(sizes)]
            .into_iter()
            .flatten()
            .collect();
    standalone_svg(&sizes.name, &pictures)
}

fn domain_screen(sizes: &DomainSizes) -> Screen {
    let clusters = sizes.cluster_sizes().into_iter();
    let brief: Vec<String> = clusters.map(|gpus| best_size_sentence(sizes, gpus)).collect();
    let mut section = Section::new("", "").add_table(compared_sizes_table(sizes));
    if sizes.points.iter().any(|point| point.outcome.is_err()) {
        section = section.add_line("sizes without a design: --section no-design");
    }
    let section = section.add_line(
        "dollars per GPU; layout: tensor-pipeline-data; --all has failures and what a machine may \
         cost more",
    );
    Screen { more: vec![section], verdict: brief.join(" "), brief, ..Screen::default() }
}

/// Sizes as people compare them.
fn compared_sizes_table(sizes: &DomainSizes) -> Table {
    let (named, several) = (are_named(sizes), sizes.cluster_sizes().len() > 1);
    let mut columns = Vec::new();
    columns.extend(several.then(|| Column::numbers("GPUs", "gpus")));
    columns.push(Column::numbers("per domain", "domain_gpus"));
    columns.extend(named.then(|| Column::words("machine", "node")));
    columns.extend([
        Column::words("layout", "layout"),
        Column::numbers("step", "step_s"),
        Column::numbers("network", "network_usd_per_gpu"),
        Column::numbers("machines", "machine_usd_per_gpu"),
        Column::numbers("per M tokens", "usd_per_million_tokens"),
        Column::numbers("against best", "token_change"),
    ]);
    let mut table = Table::new(columns);
    let money = |usd: Option<Usd>, none: Cell| {
        usd.map_or(none, |usd| Cell::words(short_number::money(usd)))
    };
    for point in &sizes.points {
        let Ok(design) = &point.outcome else { continue };
        let [tensor, pipeline, data] = design.layout;
        let mut cells = Vec::new();
        cells.extend(several.then(|| Cell::count(point.gpus)));
        cells.push(Cell::count(point.domain));
        cells.extend(named.then(|| Cell::words(&point.node)));
        let best = sizes.cheapest_point(point.gpus).map(|(_, cost)| cost);
        let change = design.per_token.zip(best).map(|(usd, best)| usd / best - 1.0);
        cells.extend([
            Cell::words(format!("{tensor}-{pipeline}-{data}")),
            Cell::time(design.step),
            money(Some(design.network), Cell::no_value()),
            money(design.machine, Cell::words("no price")),
            money(design.per_token, Cell::no_value()),
            change.map_or_else(Cell::no_value, |change| match change {
                0.0 => Cell::words("best"),
                change => Cell::words(number::percent_change(change)),
            }),
        ]);
        table.push_row(cells);
    }
    table
}

/// `For 1,024 GPUs: 8 per HB domain, at $0.0377 per million tokens.`
fn best_size_sentence(sizes: &DomainSizes, gpus: u32) -> String {
    let count = number::count_with_noun(gpus, "GPU", "GPUs");
    match (sizes.cheapest_point(gpus), sizes.knee_point(gpus)) {
        (Some((best, cost)), _) => {
            let cost = short_number::money(cost);
            format!("For {count}: {}, at {cost} per million tokens.", domain_size_text(sizes, best))
        }
        (None, Some(knee)) => {
            let less = number::percent(DomainSizes::ALIKE);
            format!(
                "For {count}: no size has a price; beyond {} a step gets less than {less} shorter.",
                domain_size_text(sizes, knee)
            )
        }
        (None, None) => format!("For {count}: no size has a design."),
    }
}

/// For each cluster the best size, with why.
fn best_sizes_section(sizes: &DomainSizes) -> Section {
    let section = Section::new("ANSWER", "").with_summary_rank();
    let clusters = sizes.cluster_sizes();
    let section = clusters.into_iter().fold(section, |section, gpus| {
        best_size_lines(sizes, gpus).into_iter().fold(section, Section::add_line)
    });
    let warned = sizes.warnings.iter();
    warned.fold(section, |section, warning| {
        section.add_line(format!(
            "{}: {}",
            warnings::warning_code(warning),
            warnings::warning_text(warning)
        ))
    })
}

fn best_size_lines(sizes: &DomainSizes, gpus: u32) -> Vec<String> {
    let count = number::count(gpus);
    let Some(knee) = sizes.knee_point(gpus) else {
        return vec![format!("{count} GPUs: no size has a design")];
    };
    let mut lines = Vec::new();
    match sizes.cheapest_point(gpus) {
        Some((best, cost)) => {
            lines.push(format!(
                "{count} GPUs: {}, at {} per million tokens",
                domain_size_text(sizes, best),
                number::money(cost)
            ));
        }
        None => lines.push(format!(
            "{count} GPUs: no size has a price of its machines; {} is the smallest with the \
             shortest step",
            domain_size_text(sizes, knee)
        )),
    }
    let largest = sizes.designed_points(gpus).map(|(point, _)| point.domain).max();
    if largest.is_some_and(|largest| largest > knee.domain) {
        lines.push(format!(
            "larger than {}: less than {} faster",
            knee.domain,
            number::percent(DomainSizes::ALIKE)
        ));
    }
    lines
}

/// The table, with the pictures.
fn domain_sizes_section(sizes: &DomainSizes) -> Section {
    let lead = "dollars per GPU: price, links inside and what it may cost more for each GPU \
                bought, network for each of the cluster";
    let mut section = Section::new("SIZES", lead).add_table(domain_sizes_table(sizes, false));
    for line in [
        "layout: tensor-pipeline-data; network: NICs, those of spare machines too, switches and \
         what joins them; links inside: chips and cables of the domain",
        "may cost more: what a GPU may cost above one of the smallest domain, at equal cost per \
         token; counted with goodput, spare machines and their NICs (without a price as many as \
         suffice 99.9 % of the time), without electricity",
        "replaced: GPUs replaced together; unusable: GPUs that work and that no tensor-parallel \
         group can use while trays are broken (docs/equations.md §11.7)",
    ] {
        section = section.add_line(line);
    }
    section.add_pictures_on_top([
        step_times_picture(sizes),
        token_costs_picture(sizes),
        gpu_worth_picture(sizes),
    ])
}

/// True where a size alone does not say which machine it is of: products, or several families.
fn are_named(sizes: &DomainSizes) -> bool {
    sizes
        .points
        .iter()
        .any(|of_any| of_any.family.is_none() || of_any.family != sizes.points[0].family)
}

/// `72 per HB domain`, with the product where a size does not tell.
fn domain_size_text(sizes: &DomainSizes, point: &DomainPoint) -> String {
    let name = if are_named(sizes) { format!(" ({})", point.node) } else { String::new() };
    format!("{} per HB domain{name}", number::count(point.domain))
}

/// All of it for a spreadsheet; for people what has room.
fn domain_sizes_table(sizes: &DomainSizes, whole: bool) -> Table {
    let named = whole || are_named(sizes);
    let mut columns = vec![
        Column::numbers("GPUs", "gpus"),
        Column::numbers("per domain", "domain_gpus"),
        Column::words("layout", "layout"),
        Column::numbers("step", "step_s"),
        Column::numbers("goodput", "goodput_share"),
        Column::numbers("replaced", "gpus_lost"),
        Column::numbers("unusable", "stranded_share"),
        Column::numbers("network", "network_usd_per_gpu"),
        Column::numbers("links inside", "hb_usd_per_gpu"),
        Column::numbers("may cost more", "worth_usd_per_gpu"),
        Column::numbers("M tokens", "usd_per_million_tokens"),
    ];
    if named {
        columns.push(Column::words("machine", "node"));
    }
    columns.push(Column::numbers("price", "machine_usd_per_gpu"));
    let has_inside = sizes.points.iter().any(|point| point.hb.is_some());
    // What is the same of all, or known of none, stands elsewhere.
    let told = |key: &str| match key {
        "gpus" => whole || sizes.cluster_sizes().len() > 1,
        "hb_usd_per_gpu" => whole || has_inside,
        _ => true,
    };
    let kept: Vec<bool> = columns.iter().map(|column| told(&column.key)).collect();
    let columns = columns.into_iter().zip(&kept).filter(|(_, kept)| **kept);
    let mut table = Table::new(columns.map(|(column, _)| column).collect());
    for point in &sizes.points {
        let Ok(design) = &point.outcome else { continue };
        let mut cells = domain_size_row(sizes, point, design);
        if named {
            cells.push(Cell::words(&point.node));
        }
        cells.push(design.machine.map_or_else(Cell::no_value, Cell::money));
        let cells = cells.into_iter().zip(&kept).filter(|(_, kept)| **kept);
        table.push_row(cells.map(|(cell, _)| cell).collect());
    }
    table
}

fn domain_size_row(sizes: &DomainSizes, point: &DomainPoint, design: &DomainDesign) -> Vec<Cell> {
    let money = |amount: Option<Usd>| amount.map_or_else(Cell::no_value, Cell::money);
    let share = |value: Option<f64>| {
        value.map_or_else(Cell::no_value, |share| {
            Cell::with_text_and_value(number::percent(share), share)
        })
    };
    let [tensor, pipeline, data] = design.layout;
    let each = 1.0 / f64::from(point.domain.max(1));
    vec![
        Cell::count(point.gpus),
        Cell::count(point.domain),
        Cell::words(format!("{tensor}-{pipeline}-{data}")),
        Cell::with_text_and_value(number::time(design.step), design.step.get()),
        share(design.goodput),
        Cell::count(point.lost),
        share(design.stranded),
        Cell::money(design.network),
        money(point.hb.map(|cost| cost.amount * each)),
        money(sizes.break_even(point)),
        money(design.per_token),
    ]
}

/// Sizes that have no design, with why.
fn sizes_without_design_section(sizes: &DomainSizes) -> Section {
    let section = Section::new("NO DESIGN", "");
    sizes.points.iter().fold(section, |section, point| match &point.outcome {
        Ok(_) => section,
        Err(reason) => {
            let count = number::count(point.gpus);
            section.add_line(format!("{count} GPUs, {} per domain: {reason}", point.domain))
        }
    })
}

/// A line for each cluster, of a quantity that its designs may have.
fn domain_lines_picture(
    sizes: &DomainSizes,
    title: &str,
    up: AxisScale<'_>,
    value: impl Fn(&DomainPoint, &DomainDesign) -> Option<f64>,
) -> Option<Picture> {
    let clusters = sizes.cluster_sizes();
    let mut families: Vec<Option<&str>> =
        sizes.points.iter().map(|point| point.family.as_deref()).collect();
    families.sort_unstable();
    families.dedup();
    let (one, alone) = (clusters.len() == 1, families.len() == 1);
    let line = |gpus: u32, family: Option<&str>| {
        let own =
            sizes.designed_points(gpus).filter(|(point, _)| point.family.as_deref() == family);
        let points = own
            .filter_map(|(point, design)| Some((f64::from(point.domain), value(point, design)?)));
        let count = (!one).then(|| format!("{} GPUs", number::count(gpus)));
        let made = (!alone).then(|| family.unwrap_or("products").to_owned());
        let name = [count, made].into_iter().flatten().collect::<Vec<_>>().join(", ");
        (name, points.collect::<Vec<_>>())
    };
    let across =
        AxisScale { name: "GPUs per HB domain".to_owned(), reads: &|value| value.to_string() };
    let each = clusters.iter().flat_map(|gpus| families.iter().map(|family| line(*gpus, *family)));
    let series = each.filter(|(_, points)| !points.is_empty()).collect();
    Lines { title: title.to_owned(), across, by_factor: true, up, series }.picture()
}

fn step_times_picture(sizes: &DomainSizes) -> Option<Picture> {
    let up = AxisScale::time_scale("step");
    domain_lines_picture(sizes, "Time of a step over the size of an HB domain", up, |_, design| {
        Some(design.step.get())
    })
}

fn token_costs_picture(sizes: &DomainSizes) -> Option<Picture> {
    let up = AxisScale::money_scale("cost per million tokens");
    domain_lines_picture(
        sizes,
        "Cost per million tokens over the size of an HB domain",
        up,
        |_, design| design.per_token.map(Usd::get),
    )
}

fn gpu_worth_picture(sizes: &DomainSizes) -> Option<Picture> {
    let up = AxisScale::money_scale("a GPU may cost more");
    domain_lines_picture(sizes, "What a GPU in a larger HB domain may cost more", up, |point, _| {
        sizes.break_even(point).map(Usd::get)
    })
}
