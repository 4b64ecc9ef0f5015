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
pub(super) fn add_line_plot(mut section: Section, of: &Plotted) -> Section {
    section.parts.push(SectionPart::Sketch(lines_sketch(of)));
    section.add_pictures_on_top([lines_picture(of)])
}

/// Whether the scale to the right goes by factors.
fn by_factor(of: &Plotted) -> bool {
    let values = || of.series.iter().flat_map(|(_, line)| line.iter().map(|at| at.0));
    let least = values().fold(f64::INFINITY, f64::min);
    least > 0.0 && values().fold(0.0, f64::max) / least >= BY_FACTOR
}

/// The lines as a picture.
pub(super) fn lines_picture(of: &Plotted) -> Option<Picture> {
    let (across, up) = (figure_unit(&of.x), figure_unit(&of.y));
    let (x, y) = (strip_unit(&of.x), strip_unit(&of.y));
    let lines = Lines {
        title: format!("{y} over {x}"),
        across: AxisScale {
            name: x.to_owned(),
            reads: &|value| figure::figure_text(across, value),
        },
        by_factor: by_factor(of),
        up: AxisScale { name: y.to_owned(), reads: &|value| figure::figure_text(up, value) },
        series: of.series.clone(),
    };
    lines.picture()
}

fn lines_sketch(of: &Plotted) -> Sketch {
    let place = |value: f64| if by_factor(of) { value.log2() } else { value };
    let lines = of.series.iter().map(|(name, line)| SketchedLine {
        name: name.clone(),
        points: line.iter().map(|at| (place(at.0), at.1)).collect(),
    });
    let reads = |key: &str, value: f64| figure::figure_text(figure_unit(key), value);
    let ends = |pick: fn(&(f64, f64)) -> f64, key: &str| {
        let all = || of.series.iter().flat_map(|(_, line)| line.iter().map(pick));
        let least = all().fold(f64::INFINITY, f64::min);
        let most = all().fold(f64::NEG_INFINITY, f64::max);
        [reads(key, least), reads(key, most)]
    };
    Sketch::Lines {
        name: format!("{} (up) over {} (across)", strip_unit(&of.y), strip_unit(&of.x)),
        across: ends(|at| at.0, &of.x),
        up: ends(|at| at.1, &of.y),
        lines: lines.collect(),
    }
}
