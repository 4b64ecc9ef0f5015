//! Points and their labels.

use super::bar_chart::{LEGEND, add_ink_legend};
use super::text_chart::AxisSpan;
use super::{Ink, LabelAnchor, Mark, Picture, WIDTH};
use crate::report::number;
use crate::units::{Seconds, Usd};

/// Points against two scales.
pub(in crate::report) struct ScatterPlot<'a> {
    pub(in crate::report) across: AxisScale<'a>,
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
    pub(in crate::report) name: String,
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
        let names = place_labels(&dots, &marks, names, (field.left, field.right));
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
    fn point_position(&self, plotted: (f64, f64)) -> (f64, f64) {
        let (x, y) = plotted;
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

/// Units that a letter takes at most, on average, and that a line of letters is high.
pub(super) const LETTER: f64 = 8.5;
const LETTER_HEIGHT: f64 = 14.0;
/// Units between a point's middle and its name, to the side and to the base line.
const ASIDE: f64 = 8.0;
const ABOVE: f64 = 7.0;
/// Units below the base line that letters take, and that are kept free beside a name.
const BELOW: f64 = 4.0;
const APART: f64 = 6.0;
/// Units from the middle of a point that are its own.
const OWN: f64 = 5.5;
/// Most letters of a name; longer ones are sentences.
const MOST: usize = 24;

/// A part of the picture that is taken.
#[derive(Clone, Copy)]
struct Room {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Room {
    const fn has_overlap_with(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// The names as marks, each to the right of its point and above it, else below, else to the left.
/// Names lie between `edges`, and over no text that is among `drawn`.
pub(super) fn place_labels<'a>(
    dots: &[(f64, f64)],
    drawn: &[Mark],
    names: impl Iterator<Item = (&'a str, (f64, f64))>,
    edges: (f64, f64),
) -> Vec<Mark> {
    let of_dot =
        |(x, y): &(f64, f64)| Room { left: x - OWN, right: x + OWN, top: y - OWN, bottom: y + OWN };
    let mut taken: Vec<Room> = dots.iter().map(of_dot).collect();
    taken.extend(drawn.iter().filter_map(|mark| match mark {
        Mark::Text { x, y, anchor, text, .. } => Some(room_of_text(*x, *y, *anchor, text)),
        _ => None,
    }));
    let mut marks = Vec::new();
    for (name, (x, y)) in names.filter(|(name, _)| name.chars().count() <= MOST) {
        let lines = [y - ABOVE, y + ABOVE + LETTER_HEIGHT / 2.0];
        let tried = [(LabelAnchor::Start, x + ASIDE), (LabelAnchor::End, x - ASIDE)]
            .into_iter()
            .flat_map(|(anchor, at)| lines.map(|line| (anchor, at, line)));
        let free = tried.into_iter().find_map(|(anchor, at, line)| {
            let room = room_of_text(at, line, anchor, name);
            let inside = room.left >= edges.0 && room.right <= edges.1;
            (inside && !taken.iter().any(|this_room| this_room.has_overlap_with(&room)))
                .then_some((anchor, at, line, room))
        });
        let Some((anchor, at, line, room)) = free else { continue };
        taken.push(Room { left: room.left - APART, right: room.right + APART, ..room });
        let text = name.to_owned();
        marks.push(Mark::Text { x: at, y: line, anchor, strong: false, ink: Ink::Text, text });
    }
    marks
}

/// The room of a text: from its letters' feet below the base line up.
fn room_of_text(x: f64, y: f64, anchor: LabelAnchor, text: &str) -> Room {
    let wide = text.chars().count() as f64 * LETTER;
    let left = if anchor == LabelAnchor::Start { x } else { x - wide };
    Room { left, right: left + wide, top: y - LETTER_HEIGHT, bottom: y + BELOW }
}

#[cfg(test)]
mod tests {
    use super::{AxisScale, PlotPoint, ScatterPlot, place_labels};
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

    /// Names that find room, with where they stand.
    fn placed(points: &[(&str, (f64, f64))]) -> Vec<(String, f64, f64)> {
        let dots: Vec<(f64, f64)> = points.iter().map(|pair| pair.1).collect();
        let text = |mark| match mark {
            Mark::Text { text, x, y, .. } => Some((text, x, y)),
            _ => None,
        };
        place_labels(&dots, &[], points.iter().copied(), (0.0, 360.0))
            .into_iter()
            .filter_map(text)
            .collect()
    }

    #[test]
    fn a_name_stands_to_the_right_and_above_unless_an_edge_is_there() {
        assert_eq!(placed(&[("8", (100.0, 100.0))]), [("8".to_owned(), 108.0, 93.0)]);
        let right = placed(&[("1024", (350.0, 100.0))]);
        assert_eq!(right, [("1024".to_owned(), 342.0, 93.0)]);
    }

    #[test]
    fn no_name_hides_a_point_or_another_name() {
        // Another point where the first name would be: it goes below.
        let crowded = placed(&[("1024", (100.0, 100.0)), ("2048", (120.0, 88.0))]);
        assert_eq!(crowded[0], ("1024".to_owned(), 108.0, 114.0));
        let many: Vec<(&str, (f64, f64))> = vec![("1024", (100.0, 100.0)); 9];
        assert_eq!(placed(&many).len(), 4, "on either side, above and below");
        assert_eq!(placed(&[("a name that is rather a sentence", (9.0, 9.0))]), []);
    }
}
