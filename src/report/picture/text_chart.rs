//! Charts in characters; span of an axis.

use crate::report::words::wrap_lines;

/// A picture before anyone decides how wide it is.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) enum Sketch {
    /// A bar for each of a few things.
    Bars {
        name: String,
        /// One line each.
        bars: Vec<SketchedBar>,
    },
    /// Points over two axes.
    Points {
        name: String,
        /// Least and most of the axis to the right, in words.
        across: [String; 2],
        /// Least and most of the axis upwards, in words.
        up: [String; 2],
        /// Each by its share of either axis; marked ones stand out, and hide what is below them.
        points: Vec<SketchedPoint>,
    },
    /// Lines over two axes, each with a letter.
    Lines {
        name: String,
        /// Least and most of the axis to the right, in words.
        across: [String; 2],
        /// Least and most of the axis upwards, in words.
        up: [String; 2],
        /// One after another: a, b, c, ….
        lines: Vec<SketchedLine>,
    },
}

/// A line of plain characters: its points.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct SketchedLine {
    /// What it is of; may be empty.
    pub(in crate::report) name: String,
    /// Its points, in proportion to the axes.
    pub(in crate::report) points: Vec<(f64, f64)>,
}

/// A bar of plain characters.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct SketchedBar {
    pub(in crate::report) name: String,
    /// Its length as a share of the longest.
    pub(in crate::report) share: f64,
    pub(in crate::report) value: String,
}

/// A point of plain characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::report) struct SketchedPoint {
    /// Share of the axis to the right.
    pub(in crate::report) across: f64,
    /// Share of the axis upwards.
    pub(in crate::report) up: f64,
    pub(in crate::report) marked: bool,
}

/// Columns that a picture is moved in by, like everything under a heading.
const INDENT: usize = 2;

/// Columns of the longest bar where there is room, and where there is hardly any.
const BAR: usize = 50;
const SHORTEST_BAR: usize = 4;

/// Columns of the field of points where there is room, and where there is hardly any; its lines.
const FIELD: usize = 64;
const SMALLEST_FIELD: usize = 16;
const LINES: usize = 16;

impl Sketch {
    /// The picture, at most `width` columns wide as far as its words let it; every line ends with a
    /// break.
    pub(in crate::report) fn draw(&self, width: usize) -> String {
        let name = match self {
            Self::Bars { name, .. } | Self::Points { name, .. } | Self::Lines { name, .. } => name,
        };
        let room = width.saturating_sub(INDENT);
        let mut lines = wrap_lines(name, room, room);
        match self {
            Self::Bars { bars, .. } => lines.extend(drawn_bars(bars, room)),
            Self::Points { across, up, points, .. } => {
                let marked = points.iter().filter(|point| point.marked);
                let sorted = points.iter().filter(|point| !point.marked).chain(marked);
                let mark = |sketched_point: &SketchedPoint| {
                    (
                        sketched_point.across,
                        sketched_point.up,
                        if sketched_point.marked { '*' } else { 'o' },
                    )
                };
                let marks: Vec<_> = sorted.map(mark).collect();
                lines.extend(draw_point_field(across, up, &marks, room));
            }
            Self::Lines { across, up, lines: each, .. } => {
                let all = || each.iter().flat_map(|line| &line.points);
                let (x, y) = (
                    AxisSpan::from_values(all().map(|at| at.0)),
                    AxisSpan::from_values(all().map(|at| at.1)),
                );
                let marks: Vec<_> = each
                    .iter()
                    .zip(('a'..='z').cycle())
                    .flat_map(|(line, letter)| line.points.iter().map(move |at| (at, letter)))
                    .map(|((right, high), letter)| {
                        (x.share_of_span(*right), y.share_of_span(*high), letter)
                    })
                    .collect();
                lines.extend(draw_point_field(across, up, &marks, room));
                let named = each
                    .iter()
                    .zip(('a'..='z').cycle())
                    .filter(|(sketched_line, _)| !sketched_line.name.is_empty());
                let names: Vec<String> = named
                    .map(|(sketched_line, letter)| format!("{letter} {}", sketched_line.name))
                    .collect();
                lines.extend(wrap_lines(&names.join("; "), room, room));
            }
        }
        let indent = " ".repeat(INDENT);
        lines
            .into_iter()
            .map(|line| format!("{indent}{line}").trim_end().to_owned() + "\n")
            .collect()
    }
}

fn drawn_bars(bars: &[SketchedBar], room: usize) -> Vec<String> {
    let widest = |read: fn(&SketchedBar) -> &str| {
        bars.iter().map(|bar| read(bar).chars().count()).max().unwrap_or(0)
    };
    let (names, values) = (widest(|bar| &bar.name), widest(|bar| &bar.value));
    // Two columns before the bar, one behind it.
    let longest = room.saturating_sub(names + values + 3).clamp(SHORTEST_BAR, BAR);
    bars.iter()
        .map(|SketchedBar { name, share, value }| {
            let bar = "█".repeat((share.clamp(0.0, 1.0) * longest as f64).round() as usize);
            let gap = if bar.is_empty() { "" } else { " " };
            format!("{name:<names$}  {bar}{gap}{value}")
        })
        .collect()
}

fn draw_point_field(
    across: &[String; 2],
    up: &[String; 2],
    marks: &[(f64, f64, char)],
    room: usize,
) -> Vec<String> {
    let margin = up.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let columns = room.saturating_sub(margin + 2).clamp(SMALLEST_FIELD, FIELD);
    let place =
        |share: f64, cells: usize| (share.clamp(0.0, 1.0) * (cells - 1) as f64).round() as usize;
    let mut canvas = vec![vec![' '; columns]; LINES];
    for (right, high, letter) in marks {
        canvas[LINES - 1 - place(*high, LINES)][place(*right, columns)] = *letter;
    }
    let [lowest, highest] = up;
    let mut lines: Vec<String> = canvas
        .into_iter()
        .enumerate()
        .map(|(line, cells)| {
            let label = match line {
                0 => highest,
                _ if line == LINES - 1 => lowest,
                _ => "",
            };
            format!("{label:>margin$} │{}", cells.into_iter().collect::<String>())
        })
        .collect();
    let [least, most] = across;
    let gap = columns.saturating_sub(least.chars().count() + most.chars().count()).max(1);
    lines.push(format!("{:margin$} └{}", "", "─".repeat(columns)));
    lines.push(format!("{:margin$}  {least}{}{most}", "", " ".repeat(gap)));
    lines
}

/// The ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::report) struct AxisSpan {
    pub(in crate::report) least: f64,
    pub(in crate::report) most: f64,
}

impl AxisSpan {
    /// That of some amounts.
    pub(in crate::report) fn from_values(amounts: impl Iterator<Item = f64>) -> Self {
        let nothing = Self { least: f64::INFINITY, most: f64::NEG_INFINITY };
        amounts.fold(nothing, |span, amount| Self {
            least: span.least.min(amount),
            most: span.most.max(amount),
        })
    }

    /// Both ends; one where all are equal.
    pub(in crate::report) fn ends(self) -> Vec<f64> {
        if self.most > self.least { vec![self.least, self.most] } else { vec![self.least] }
    }

    /// How far an amount is on the way from the least to the most, from 0 to 1; half of it where
    /// all are equal.
    pub(in crate::report) fn share_of_span(self, amount: f64) -> f64 {
        if self.most > self.least { (amount - self.least) / (self.most - self.least) } else { 0.5 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sketch, SketchedBar, SketchedPoint};

    fn bars() -> Sketch {
        let bar = |name: &str, share, value: &str| SketchedBar {
            name: name.into(),
            share,
            value: value.into(),
        };
        Sketch::Bars {
            name: "cost by gpus".into(),
            bars: vec![bar("8", 0.5, "$1"), bar("16", 1.0, "$2"), bar("32", 0.0, "no design")],
        }
    }

    #[test]
    fn bars_are_as_long_as_there_is_room() {
        assert_eq!(
            bars().draw(26),
            "  cost by gpus\n  8   █████ $1\n  16  ██████████ $2\n  32  no design\n"
        );
        assert!(bars().draw(100).contains(&format!(" {} ", "█".repeat(50))));
        assert!(bars().draw(100).lines().all(|line| line.chars().count() < 70));
        assert!(bars().draw(10).contains("  16  ████ $2\n"));
    }

    #[test]
    fn points_stand_between_the_ends_of_their_axes() {
        let point = |across, up, marked| SketchedPoint { across, up, marked };
        let sketch = Sketch::Points {
            name: "time (up) over cost (across)".into(),
            across: ["$1".into(), "$9".into()],
            up: ["1 s".into(), "9 s".into()],
            points: vec![point(0.0, 1.0, true), point(0.0, 1.0, false), point(1.0, 0.0, false)],
        };
        for width in [40, 60, 100] {
            let text = sketch.draw(width);
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{text}");
            assert_eq!(lines[1], "  9 s │*", "what is marked hides the other");
            assert!(lines[16].starts_with("  1 s │ ") && lines[16].ends_with(" o"), "{text}");
            assert!(lines[18].starts_with("       $1 ") && lines[18].ends_with(" $9"), "{text}");
        }
    }
}
