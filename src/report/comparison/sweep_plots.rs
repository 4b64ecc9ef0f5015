//! Drawings of a sweep.

use std::collections::BTreeMap;

use crate::quantity::{self, figure_unit, strip_unit};
use crate::report::document::{Section, SectionPart};
use crate::report::picture::text_chart::{
    AxisSpan, Sketch, SketchedBar, SketchedLine, SketchedPoint,
};
use crate::report::picture::{AxisScale, Bar, Bars, Ink, Lines, Picture, PlotPoint, ScatterPlot};
use crate::report::table;
use crate::sweep::{Plotted, Sweep, SweepObjective};
use crate::units::Unit;

/// Fewest designs that make a picture.
const FEWEST: usize = 2;

/// The plot; empty where there is nothing to see.
pub(super) fn plot_section(sweep: &Sweep) -> Section {
    if sweep.design_count() < FEWEST {
        return Section::new("", "");
    }
    if sweep.grid.axes().len() == 1 {
        objective_bars_section(sweep)
    } else {
        scatter_section(sweep)
    }
}

/// The objectives, one bar a point.
fn objective_bars_section(sweep: &Sweep) -> Section {
    let mut section = Section::new("PLOT", "");
    let mut pictures = Vec::new();
    for SweepObjective { column, .. } in sweep.objectives {
        let most = sweep
            .rows
            .iter()
            .filter_map(|row| row.outcome.column_figure(column))
            .fold(0.0, f64::max);
        if most > 0.0 {
            section.parts.push(SectionPart::Sketch(sketched_bars(sweep, column, most)));
            pictures.push(drawn_bars(sweep, column));
        }
    }
    section.add_pictures_on_top(pictures)
}

/// Bars of one objective in plain characters.
fn sketched_bars(sweep: &Sweep, column: usize, most: f64) -> Sketch {
    let unit = column_unit(sweep, column);
    let bars = sweep.rows.iter().map(|row| {
        let figure = row.outcome.column_figure(column);
        SketchedBar {
            name: sweep.grid.point_values(row.place).concat(),
            share: figure.map_or(0.0, |figure| figure / most),
            value: figure
                .map_or_else(|| "no design".to_owned(), |figure| table::figure_text(unit, figure)),
        }
    });
    Sketch::Bars { name: title_by_axis(sweep, column), bars: bars.collect() }
}

/// `cost.capex by cluster.gpus`.
fn title_by_axis(sweep: &Sweep, column: usize) -> String {
    let axis = sweep.grid.axes().first().map_or("", |axis| axis.key.as_str());
    format!("{} by {axis}", column_key(sweep, column))
}

/// Bars of a column for a page; what is on the front stands out.
fn drawn_bars(sweep: &Sweep, column: usize) -> Option<Picture> {
    let unit = column_unit(sweep, column);
    let bars = sweep.rows.iter().zip(sweep.front_membership()).map(|(row, on)| {
        let name = sweep.grid.point_values(row.place).concat();
        match row.outcome.column_figure(column) {
            Some(figure) => {
                let ink = if on { Ink::Blue } else { Ink::Quiet };
                let bar = Bar::with_single_ink(name, table::figure_text(unit, figure), figure, ink);
                Bar { strong: on, ..bar }
            }
            None => Bar { name, value: "no design".to_owned(), ..Bar::default() },
        }
    });
    let legend = vec![(Ink::Blue, "best trade-off"), (Ink::Quiet, "not")];
    Bars { bars: bars.collect(), legend, ..Bars::default() }.picture(&title_by_axis(sweep, column))
}

/// The objectives against each other; points on the front are marked.
fn scatter_section(sweep: &Sweep) -> Section {
    let [across, up] = sweep.objectives.map(|objective| objective.column);
    let front = sweep.front_membership();
    let points: Vec<(f64, f64, bool)> = sweep
        .rows
        .iter()
        .zip(front)
        .filter_map(|(row, on)| {
            Some((row.outcome.column_figure(across)?, row.outcome.column_figure(up)?, on))
        })
        .collect();
    if points.len() < FEWEST {
        return Section::new("", "");
    }
    let (x, y) = (
        AxisSpan::from_values(points.iter().map(|point| point.0)),
        AxisSpan::from_values(points.iter().map(|point| point.1)),
    );
    let point = |(right, high, marked): &(f64, f64, bool)| SketchedPoint {
        across: x.share_of_span(*right),
        up: y.share_of_span(*high),
        marked: *marked,
    };
    let ends = |column, AxisSpan { least, most }| {
        [least, most].map(|end| table::figure_text(column_unit(sweep, column), end))
    };
    let mut section = Section::new("PLOT", "");
    section.parts.push(SectionPart::Sketch(Sketch::Points {
        name: format!(
            "{} (up) over {} (across); * best trade-off, o not",
            column_key(sweep, up),
            column_key(sweep, across)
        ),
        across: ends(across, x),
        up: ends(up, y),
        points: points.iter().map(point).collect(),
    }));
    let lines = sweep.objectives.map(|objective| drawn_series(sweep, objective.column));
    section.add_pictures_on_top([drawn_scatter(sweep)].into_iter().chain(lines))
}

/// Inks of series, in turn; each line carries its name.
const SERIES: [Ink; 4] = [Ink::Blue, Ink::Orange, Ink::Purple, Ink::Green];

/// A column over the first key, where its values are numbers: a line for each choice of the other
/// keys.
fn drawn_series(sweep: &Sweep, column: usize) -> Option<Picture> {
    let mut lines: BTreeMap<Vec<&str>, Vec<(f64, f64)>> = BTreeMap::new();
    for row in &sweep.rows {
        let Some(figure) = row.outcome.column_figure(column) else { continue };
        let point = sweep.grid.point_values(row.place);
        let across = point.first()?.parse().ok()?;
        lines.entry(point[1..].to_vec()).or_default().push((across, figure));
    }
    let (mut points, mut series) = (Vec::new(), Vec::new());
    for ((name, mut line), ink) in lines.into_iter().zip(SERIES.into_iter().cycle()) {
        line.sort_by(|a, b| a.0.total_cmp(&b.0));
        let last = line.len() - 1;
        series.push((points.len()..=points.len() + last).collect());
        points.extend(line.into_iter().enumerate().map(|(place, at)| PlotPoint {
            name: name.join(", "),
            at,
            ink,
            joined: place == last,
        }));
    }
    let [first, others @ ..] = sweep.grid.axes() else { return None };
    let others: Vec<&str> = others.iter().map(|axis| axis.key.as_str()).collect();
    let plot = ScatterPlot {
        across: AxisScale { name: first.key.clone(), reads: &|value| value.to_string() },
        up: AxisScale {
            name: column_key(sweep, column).to_owned(),
            reads: &|figure| table::figure_text(column_unit(sweep, column), figure),
        },
        points,
        series,
        legend: Vec::new(),
    };
    plot.picture(&format!("{} by {}", title_by_axis(sweep, column), others.join(" and ")))
}

/// The objectives against each other, for a page.
fn drawn_scatter(sweep: &Sweep) -> Option<Picture> {
    let [across, up] = sweep.objectives.map(|objective| objective.column);
    let mut points: Vec<PlotPoint> = sweep
        .rows
        .iter()
        .zip(sweep.front_membership())
        .filter_map(|(row, on)| {
            let at = (row.outcome.column_figure(across)?, row.outcome.column_figure(up)?);
            let ink = if on { Ink::Blue } else { Ink::Quiet };
            Some(PlotPoint {
                name: sweep.grid.point_values(row.place).join(", "),
                at,
                ink,
                joined: on,
            })
        })
        .collect();
    // What is on the front is drawn last, from left to right.
    points.sort_by(|a, b| {
        let across = a.at.0.total_cmp(&b.at.0).then(b.at.1.total_cmp(&a.at.1));
        a.joined.cmp(&b.joined).then(across)
    });
    let (across_unit, up_unit) = (column_unit(sweep, across), column_unit(sweep, up));
    let plot = ScatterPlot {
        across: AxisScale {
            name: column_key(sweep, across).to_owned(),
            reads: &|figure| table::figure_text(across_unit, figure),
        },
        up: AxisScale {
            name: column_key(sweep, up).to_owned(),
            reads: &|figure| table::figure_text(up_unit, figure),
        },
        points,
        series: Vec::new(),
        legend: vec![(Ink::Blue, "best trade-off"), (Ink::Quiet, "not")],
    };
    plot.picture(&format!("{} over {}", column_key(sweep, up), column_key(sweep, across)))
}

fn column_unit(sweep: &Sweep, column: usize) -> Unit {
    sweep.columns.get(column).map_or(Unit::Number, |column| quantity::figure_unit(&column.key))
}

fn column_key(sweep: &Sweep, column: usize) -> &str {
    sweep.columns.get(column).map_or("", |column| strip_unit(&column.key))
}

/// Ratio of the largest to the smallest value from which equal factors are equally far apart.
const BY_FACTOR: f64 = 8.0;

/// A section with one more plot in it.
pub(super) fn add_line_plot(mut section: Section, plotted: &Plotted) -> Section {
    section.parts.push(SectionPart::Sketch(lines_sketch(plotted)));
    section.add_pictures_on_top([lines_picture(plotted)])
}

/// Whether the scale to the right goes by factors.
fn has_factor_scale(plotted: &Plotted) -> bool {
    let values = || plotted.series.iter().flat_map(|(_, line)| line.iter().map(|at| at.0));
    let least = values().fold(f64::INFINITY, f64::min);
    least > 0.0 && values().fold(0.0, f64::max) / least >= BY_FACTOR
}

/// The lines as a picture.
pub(super) fn lines_picture(plotted: &Plotted) -> Option<Picture> {
    let (across, up) = (figure_unit(&plotted.x), figure_unit(&plotted.y));
    let (x, y) = (strip_unit(&plotted.x), strip_unit(&plotted.y));
    let lines = Lines {
        title: format!("{y} over {x}"),
        across: AxisScale { name: x.to_owned(), reads: &|value| table::figure_text(across, value) },
        by_factor: has_factor_scale(plotted),
        up: AxisScale { name: y.to_owned(), reads: &|value| table::figure_text(up, value) },
        series: plotted.series.clone(),
    };
    lines.picture()
}

fn lines_sketch(plotted: &Plotted) -> Sketch {
    let place = |value: f64| if has_factor_scale(plotted) { value.log2() } else { value };
    let lines = plotted.series.iter().map(|(name, line)| SketchedLine {
        name: name.clone(),
        points: line.iter().map(|at| (place(at.0), at.1)).collect(),
    });
    let reads = |key: &str, value: f64| table::figure_text(figure_unit(key), value);
    let ends = |pick: fn(&(f64, f64)) -> f64, key: &str| {
        let all = || plotted.series.iter().flat_map(|(_, line)| line.iter().map(pick));
        let least = all().fold(f64::INFINITY, f64::min);
        let most = all().fold(f64::NEG_INFINITY, f64::max);
        [reads(key, least), reads(key, most)]
    };
    Sketch::Lines {
        name: format!("{} (up) over {} (across)", strip_unit(&plotted.y), strip_unit(&plotted.x)),
        across: ends(|at| at.0, &plotted.x),
        up: ends(|at| at.1, &plotted.y),
        lines: lines.collect(),
    }
}
