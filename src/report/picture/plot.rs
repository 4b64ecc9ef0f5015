//! Points on two scales, each from its least to its most: for choices that are weighed in two ways
//! at once. It only places what it is given.

use super::bars::{LEGEND, add_ink_legend};
use super::labels::{self, LETTER};
use super::{Ink, LabelAnchor, Mark, Picture, WIDTH};
use crate::report::number;
use crate::report::span::AxisSpan;
use crate::units::{Seconds, Usd};

/// Points against two scales.
pub(in crate::report) struct ScatterPlot<'a> {
    /// From left to right.
    pub(in crate::report) across: AxisScale<'a>,
    /// From below.
    pub(in crate::report) up: AxisScale<'a>,
    /// Later ones over earlier ones.
    pub(in crate::report) points: Vec<PlotPoint>,
    /// Points of one series each, by their places, joined in that order.
    pub(in crate::report) series: Vec<Vec<usize>>,
    /// What the inks mean.
    pub(in crate::report) legend: Vec<(Ink, &'static str)>,
}

/// What is measured along an edge.
pub(in crate::report) struct AxisScale<'a> {
    /// In a few words.
    pub(in crate::report) name: String,
    /// How an amount reads.
    pub(in crate::report) reads: &'a dyn Fn(f64) -> String,
}

impl AxisScale<'static> {
    /// Seconds along an edge.
    pub(in crate::report) fn time_scale(name: impl Into<String>) -> Self {
        Self { name: name.into(), reads: &|value| number::time(Seconds::from_f64(value)) }
    }

    /// Dollars along an edge.
    pub(in crate::report) fn money_scale(name: impl Into<String>) -> Self {
        Self { name: name.into(), reads: &|value| number::money(Usd::from_f64(value)) }
    }
}

/// A choice.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct PlotPoint {
    /// What it is called where the picture can't be seen.
    pub(in crate::report) name: String,
    /// Its amounts, across and up.
    pub(in crate::report) at: (f64, f64),
    /// What it is drawn with.
    pub(in crate::report) ink: Ink,
    /// Whether a line leads from the point before it that has one, in steps: as far as that the
    /// amount of the former holds.
    pub(in crate::report) joined: bool,
}

/// Units from the base line of one text to that of the next.
const LINE: f64 = 18.0;
/// Units that the scales are high.
const PLOT_HEIGHT: f64 = 180.0;
/// Units between a scale and its texts.
const GAP: f64 = 6.0;
/// Units from the middle of a point to its rim.
const RADIUS: f64 = 4.5;
/// Fewest points that make a picture.
const FEWEST: usize = 2;
/// Most points that are told in words; a table has the rest.
const MOST_WORDS: usize = 24;

impl ScatterPlot<'_> {
    /// The points as a picture; `None` where there is nothing to compare.
    pub(in crate::report) fn picture(self, title: &str) -> Option<Picture> {
        let finite =
            |plot_point: &&PlotPoint| plot_point.at.0.is_finite() && plot_point.at.1.is_finite();
        let points: Vec<&PlotPoint> = self.points.iter().filter(finite).collect();
        if points.len() < FEWEST {
            return None;
        }
        let (x, y) = (
            AxisSpan::from_values(points.iter().map(|point| point.at.0)),
            AxisSpan::from_values(points.iter().map(|point| point.at.1)),
        );
        let highest = [y.least, y.most].map(|value| (self.up.reads)(value));
        let letters = highest.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let mut marks = Vec::new();
        let top = add_ink_legend(&self.legend, &mut marks) + LINE + RADIUS + GAP;
        let field = PlotArea {
            left: LETTER * letters as f64 + GAP,
            right: WIDTH - GAP,
            top,
            bottom: top + PLOT_HEIGHT,
            x,
            y,
        };
        field.add_scales(&self, &mut marks);
        if self.series.is_empty() {
            field.add_step_line(&points, &mut marks);
        }
        for series in &self.series {
            let at = |place: usize| field.point_position(self.points[place].at);
            marks.extend(series.windows(2).map(|ends| Mark::Line {
                from: at(ends[0]),
                to: at(ends[1]),
                ink: self.points[ends[1]].ink,
            }));
        }
        for point in &points {
            let (x, y) = field.point_position(point.at);
            marks.push(Mark::Dot { at: (x, y), radius: RADIUS, ink: point.ink });
        }
        let dots: Vec<(f64, f64)> =
            points.iter().map(|point| field.point_position(point.at)).collect();
        let joined = points.iter().zip(&dots).filter(|(point, _)| point.joined);
        let names = joined.map(|(point, at)| (point.name.as_str(), *at));
        let names = labels::place_labels(&dots, &marks, names, (field.left, field.right));
        marks.extend(names);
        Some(Picture {
            title: title.to_owned(),
            words: self.points_in_words(&points),
            notes: vec!["scales start at the least amount, not at zero".to_owned()],
            height: field.bottom + LEGEND + LINE,
            marks,
        })
    }

    fn points_in_words(&self, points: &[&PlotPoint]) -> String {
        let mut words: Vec<String> = points
            .iter()
            .take(MOST_WORDS)
            .map(|point| {
                let (across, up) = ((self.across.reads)(point.at.0), (self.up.reads)(point.at.1));
                format!("{}: {} {across}, {} {up}", point.name, self.across.name, self.up.name)
            })
            .collect();
        if points.len() > MOST_WORDS {
            words.push(format!("{} more in the table", points.len() - MOST_WORDS));
        }
        words.join("; ")
    }
}

/// Where amounts lie on the picture.
struct PlotArea {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: AxisSpan,
    y: AxisSpan,
}

impl PlotArea {
    /// Position of a pair of amounts; in the middle where all are equal.
    fn point_position(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (from, to) = (self.left + RADIUS, self.right - RADIUS);
        let (low, high) = (self.bottom - RADIUS, self.top + RADIUS);
        (from + self.x.share_of_span(x) * (to - from), low + self.y.share_of_span(y) * (high - low))
    }

    /// The two edges with their names and ends.
    fn add_scales(&self, plot: &ScatterPlot<'_>, marks: &mut Vec<Mark>) {
        let Self { left, right, top, bottom, x, y } = *self;
        marks.extend([
            Mark::Line { from: (left, bottom), to: (right, bottom), ink: Ink::Quiet },
            Mark::Line { from: (left, top), to: (left, bottom), ink: Ink::Quiet },
        ]);
        let mut text = |x, y, anchor, strong, text: String| {
            marks.push(Mark::Text { x, y, anchor, strong, ink: Ink::Text, text });
        };
        text(0.0, top - GAP - RADIUS, LabelAnchor::Start, true, plot.up.name.clone());
        text(right, bottom + LEGEND + LINE - GAP, LabelAnchor::End, true, plot.across.name.clone());
        for (place, value) in y.ends().into_iter().enumerate() {
            let line = if place == 0 { bottom } else { top + 2.0 * GAP };
            text(left - GAP, line, LabelAnchor::End, false, (plot.up.reads)(value));
        }
        for (place, value) in x.ends().into_iter().enumerate() {
            let (edge, anchor) =
                if place == 0 { (left, LabelAnchor::Start) } else { (right, LabelAnchor::End) };
            text(edge, bottom + LINE, anchor, false, (plot.across.reads)(value));
        }
    }

    /// The line through the points that are joined: flat, then up or down.
    fn add_step_line(&self, points: &[&PlotPoint], marks: &mut Vec<Mark>) {
        let joined: Vec<(f64, f64)> = points
            .iter()
            .filter(|point| point.joined)
            .map(|point| self.point_position(point.at))
            .collect();
        for pair in joined.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let corner = (to.0, from.1);
            marks.push(Mark::Line { from, to: corner, ink: Ink::Quiet });
            marks.push(Mark::Line { from: corner, to, ink: Ink::Quiet });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AxisScale, PlotPoint, ScatterPlot};
    use crate::report::picture::ink::Ink;
    use crate::report::picture::{Mark, Picture};

    fn plotted(at: &[(f64, f64)]) -> Option<Picture> {
        let reads = |value: f64| format!("{value}");
        let scale = |name: &str| AxisScale { name: name.to_owned(), reads: &reads };
        let points = at
            .iter()
            .map(|at| PlotPoint { name: "p".to_owned(), at: *at, ink: Ink::Blue, joined: true })
            .collect();
        ScatterPlot {
            across: scale("time"),
            up: scale("cost"),
            points,
            series: Vec::new(),
            legend: Vec::new(),
        }
        .picture("t")
    }

    fn dots(picture: &Picture) -> Vec<(f64, f64)> {
        let dot = |mark: &Mark| match mark {
            Mark::Dot { at, .. } => Some(*at),
            _ => None,
        };
        picture.marks.iter().filter_map(dot).collect()
    }

    #[test]
    fn more_is_further_right_and_higher_up() {
        let picture = plotted(&[(1.0, 30.0), (2.0, 20.0), (3.0, 10.0)]).expect("three points");
        let dots = dots(&picture);
        assert!(dots[0].0 < dots[1].0 && dots[1].0 < dots[2].0, "{dots:?}");
        assert!(dots[0].1 < dots[1].1 && dots[1].1 < dots[2].1, "{dots:?}");
        let middle = (dots[0].0 + dots[2].0) / 2.0;
        assert!((dots[1].0 - middle).abs() < 1e-9, "amounts in proportion: {dots:?}");
        assert!(picture.words.starts_with("p: time 1, cost 30; p: time 2"), "{}", picture.words);
    }

    #[test]
    fn points_stay_on_the_picture() {
        for at in [[(0.0, 0.0), (1e12, 1e-3)], [(5.0, 1.0), (5.0, 2.0)], [(1.0, 1.0); 2]] {
            let picture = plotted(&at).expect("two points");
            for (x, y) in dots(&picture) {
                assert!(
                    (0.0..=360.0).contains(&x) && (0.0..=picture.height).contains(&y),
                    "{x} {y}"
                );
            }
        }
    }

    #[test]
    fn one_point_is_no_comparison() {
        assert_eq!(plotted(&[(1.0, 1.0)]), None);
        assert_eq!(plotted(&[(1.0, 1.0), (f64::NAN, 1.0)]), None);
    }
}
