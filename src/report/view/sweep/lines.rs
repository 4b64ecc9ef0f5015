//! Lines of a sweep that were asked for: as a picture, and in plain characters.

use super::super::super::document::{Section, SectionPart};
use super::super::super::picture::{AxisScale, Lines, Picture};
use super::super::super::sketch::{Sketch, SketchedLine};
use super::super::gate::figure;
use crate::quantity::{figure_unit, strip_unit};
use crate::sweep::Plotted;

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
        across: AxisScale {
            name: x.to_owned(),
            reads: &|value| figure::figure_text(across, value),
        },
        by_factor: has_factor_scale(plotted),
        up: AxisScale { name: y.to_owned(), reads: &|value| figure::figure_text(up, value) },
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
    let reads = |key: &str, value: f64| figure::figure_text(figure_unit(key), value);
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
