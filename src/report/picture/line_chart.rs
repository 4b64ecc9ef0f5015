//! Lines over a scale: a quantity for each of a few series, with ticks on both edges and the name
//! of a series at its last point. It only places what it is given.

use super::bar_chart::LEGEND;
use super::scatter_chart::{self, AxisScale, LETTER};
use super::text_chart::AxisSpan;
use super::{Ink, LabelAnchor, Mark, Picture, WIDTH};

/// Inks of series, in turn; each line carries its name.
const SERIES: [Ink; 4] = [Ink::Blue, Ink::Orange, Ink::Purple, Ink::Green];

/// Units that the field is high, from one line of text to the next, and between edge and text.
const HIGH: f64 = 170.0;
const LINE: f64 = 18.0;
const GAP: f64 = 6.0;
const RADIUS: f64 = 3.5;
/// Ticks upwards, at equal distances.
const TICKS: u32 = 4;
/// Units between two texts along the lower edge.
const APART: f64 = 8.0;

/// Lines over a scale.
pub(in crate::report) struct Lines<'a> {
    /// What the picture shows, in a few words.
    pub(in crate::report) title: String,
    /// From left to right; each value that a series has is a tick where there is room.
    pub(in crate::report) across: AxisScale<'a>,
    /// Whether equal factors, not equal differences, are equally far apart on it.
    pub(in crate::report) by_factor: bool,
    pub(in crate::report) up: AxisScale<'a>,
    /// Name and points of each line, from left to right.
    pub(in crate::report) series: Vec<(String, Vec<(f64, f64)>)>,
}

impl Lines<'_> {
    /// The lines as a picture; `None` where there are fewer than two points.
    pub(in crate::report) fn picture(&self) -> Option<Picture> {
        let finite = |at: &&(f64, f64)| at.0.is_finite() && at.1.is_finite();
        let points = || self.series.iter().flat_map(|(_, line)| line.iter().filter(finite));
        if points().count() < 2 {
            return None;
        }
        let by_factor = self.by_factor && points().all(|at| at.0 > 0.0);
        let place = |value: f64| if by_factor { value.log2() } else { value };
        let x = AxisSpan::from_values(points().map(|at| place(at.0)));
        let y = AxisSpan::from_values(points().map(|at| at.1));
        let ticks: Vec<f64> = match y.ends().as_slice() {
            [only] => vec![*only],
            _ => (0..=TICKS)
                .map(|count| y.least + (y.most - y.least) * f64::from(count) / f64::from(TICKS))
                .collect(),
        };
        let width = |text: &str| LETTER * text.chars().count() as f64;
        let margin = ticks.iter().map(|at| width(&(self.up.reads)(*at))).fold(0.0, f64::max);
        let (left, right) = (margin + 2.0 * GAP, WIDTH - 2.0 * GAP);
        let top = 2.0 * LINE;
        let bottom = top + HIGH;
        let at = |(across, up): (f64, f64)| {
            (
                left + x.share_of_span(place(across)) * (right - left),
                bottom + y.share_of_span(up) * (top - bottom),
            )
        };
        let mut marks = Vec::new();
        let text = |x, y, anchor, strong, ink, text: String| Mark::Text {
            x,
            y,
            anchor,
            strong,
            ink,
            text,
        };
        marks.push(text(0.0, LINE, LabelAnchor::Start, true, Ink::Text, self.up.name.clone()));
        for tick in &ticks {
            let (_, line) = at((points().next().map_or(1.0, |pair| pair.0), *tick));
            marks.push(Mark::Line { from: (left, line), to: (right, line), ink: Ink::Rule });
            let reads = (self.up.reads)(*tick);
            marks.push(text(left - GAP, line + 4.0, LabelAnchor::End, false, Ink::Text, reads));
        }
        marks.push(Mark::Line { from: (left, bottom), to: (right, bottom), ink: Ink::Quiet });
        let mut values: Vec<f64> = points().map(|pair| pair.0).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let mut free = f64::NEG_INFINITY;
        for value in values {
            let (across, _) = at((value, y.least));
            let reads = (self.across.reads)(value);
            marks.push(Mark::Line {
                from: (across, bottom),
                to: (across, bottom + GAP / 2.0),
                ink: Ink::Quiet,
            });
            let half = width(&reads) / 2.0;
            let middle = across.clamp(half, WIDTH - half);
            if middle - half >= free {
                free = middle + half + APART;
                marks.push(text(
                    middle,
                    bottom + LINE,
                    LabelAnchor::Middle,
                    false,
                    Ink::Text,
                    reads,
                ));
            }
        }
        let name = self.across.name.clone();
        marks.push(text(right, bottom + 2.0 * LINE, LabelAnchor::End, true, Ink::Text, name));
        let mut ends = Vec::new();
        for ((name, line), ink) in self.series.iter().zip(SERIES.into_iter().cycle()) {
            let line: Vec<(f64, f64)> = line.iter().filter(finite).map(|pair| at(*pair)).collect();
            marks.extend(line.windows(2).map(|ends| Mark::Line {
                from: ends[0],
                to: ends[1],
                ink,
            }));
            marks.extend(line.iter().map(|at| Mark::Dot { at: *at, radius: RADIUS, ink }));
            ends.push((name.as_str(), line));
        }
        let dots: Vec<(f64, f64)> = points().map(|pair| at(*pair)).collect();
        // A name stands at the last point of its line that has room for it.
        for (name, line) in ends.into_iter().filter(|(name, _)| !name.is_empty()) {
            let named = line.iter().rev().find_map(|at| {
                let one = std::iter::once((name, *at));
                Some(scatter_chart::place_labels(&dots, &marks, one, (left, right)))
                    .filter(|this_marks| !this_marks.is_empty())
            });
            marks.extend(named.into_iter().flatten());
        }
        Some(Picture {
            title: self.title.clone(),
            words: self.lines_in_words(),
            notes: vec!["the scale upwards starts at the least amount, not at zero".to_owned()],
            height: bottom + LEGEND + 2.0 * LINE,
            marks,
        })
    }

    fn lines_in_words(&self) -> String {
        let line = |(name, points): &(String, Vec<(f64, f64)>)| {
            let each: Vec<String> = points
                .iter()
                .map(|(across, up)| {
                    format!("{} {}", (self.across.reads)(*across), (self.up.reads)(*up))
                })
                .collect();
            let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
            format!("{name}{}", each.join(", "))
        };
        let lines: Vec<String> = self.series.iter().map(line).collect();
        format!("{} over {}: {}", self.up.name, self.across.name, lines.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use crate::report::picture::scatter_chart::AxisScale;
    use crate::report::picture::{Mark, WIDTH};

    #[test]
    fn equal_factors_are_equally_far_apart_and_everything_is_on_the_picture() {
        let reads = |value: f64| format!("{value}");
        let scale = |name: &str| AxisScale { name: name.to_owned(), reads: &reads };
        let series = vec![
            ("one".to_owned(), vec![(8.0, 3.0), (16.0, 2.0), (32.0, 1.0)]),
            ("two".to_owned(), vec![(8.0, 5.0), (32.0, f64::NAN)]),
        ];
        let lines = Lines {
            title: "t".to_owned(),
            across: scale("K"),
            by_factor: true,
            up: scale("step"),
            series,
        };
        let picture = lines.picture().expect("four points");
        let dots: Vec<(f64, f64)> = picture
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Dot { at, .. } => Some(*at),
                _ => None,
            })
            .collect();
        assert_eq!(dots.len(), 4);
        assert!((dots[1].0 - (dots[0].0 + dots[2].0) / 2.0).abs() < 1e-9, "{dots:?}");
        assert!(dots[3].1 < dots[0].1 && dots[0].1 < dots[2].1, "more is higher: {dots:?}");
        assert!(dots.iter().all(|at| at.0 <= WIDTH && at.1 <= picture.height));
        assert!(picture.words.contains("one: 8 3, 16 2, 32 1; two: 8 5"), "{}", picture.words);
    }
}
