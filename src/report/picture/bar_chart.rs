//! Bars on one scale that starts at zero: amounts side by side, or parts that follow each other
//! up to their whole. It only places what it is given.

use super::{Ink, LabelAnchor, Mark, Picture, WIDTH, shorten_text};

/// Some bars.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::report) struct Bars {
    pub(in crate::report) bars: Vec<Bar>,
    /// What the inks mean; empty where every bar says so itself.
    pub(in crate::report) legend: Vec<(Ink, &'static str)>,
    /// What the bars are shares of; zero where they are shares of nothing.
    pub(in crate::report) whole: f64,
    /// A limit that the bars run against: where, and how it reads.
    pub(in crate::report) limit: Option<(f64, String)>,
}

/// A bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::report) struct Bar {
    pub(in crate::report) name: String,
    /// The amount as it reads.
    pub(in crate::report) value: String,
    /// Where the bar starts: zero, or the end of the part before it.
    pub(in crate::report) start: f64,
    /// What it is made of, from the left.
    pub(in crate::report) pieces: Vec<(Ink, f64)>,
    /// Whether it is the one that the picture is about.
    pub(in crate::report) strong: bool,
}

/// Units from one bar to the next.
const ROW: f64 = 40.0;
/// Units from the top of a row to the base line of its words.
const BASE: f64 = 14.0;
/// Units from the top of a row to its bar.
const ABOVE: f64 = 20.0;
/// Units that a bar is thick.
const THICK: f64 = 14.0;
/// Units that a limit reaches over a bar.
const OVER: f64 = 2.0;
/// Units of a line of the legend.
pub(super) const LEGEND: f64 = 22.0;
/// Extent of a sample of ink.
const SAMPLE: f64 = 11.0;
/// Units that a letter takes at most, on average.
const LETTER: f64 = 8.0;
/// Least units that something is drawn with that is not nothing.
const VISIBLE: f64 = 1.0;
/// Letters that a name and an amount have room for on one line.
const LINE: usize = 46;

impl Bars {
    /// The bars as a picture; `None` where there is nothing to show.
    pub(in crate::report) fn picture(self, title: &str) -> Option<Picture> {
        let ends = self.bars.iter().map(Bar::upper_end);
        let full = ends.chain(self.limit.iter().map(|(at, _)| *at)).fold(self.whole, f64::max);
        if !(full > 0.0 && full.is_finite()) {
            return None;
        }
        let mut marks = Vec::new();
        let top = add_ink_legend(&self.legend, &mut marks);
        for (place, bar) in self.bars.iter().enumerate() {
            bar.add_marks(top + ROW * place as f64, WIDTH / full, &mut marks);
        }
        let mut height = top + ROW * self.bars.len() as f64;
        if let Some((limit, name)) = &self.limit {
            let x = (limit / full * WIDTH).min(WIDTH - VISIBLE);
            for row in (0..self.bars.len()).map(|place| top + ROW * place as f64 + ABOVE) {
                let (from, to) = ((x, row - OVER), (x, row + THICK + OVER));
                marks.push(Mark::Line { from, to, ink: Ink::Limit });
            }
            marks.push(Mark::Text {
                x: WIDTH,
                y: height + BASE,
                anchor: LabelAnchor::End,
                strong: false,
                ink: Ink::Limit,
                text: name.clone(),
            });
            height += LEGEND;
        }
        let mut words: Vec<String> =
            self.bars.iter().map(|bar| format!("{}: {}", bar.name, bar.value)).collect();
        words.extend(self.limit.map(|(_, name)| name));
        Some(Picture {
            title: title.to_owned(),
            words: words.join("; "),
            notes: Vec::new(),
            height,
            marks,
        })
    }
}

impl Bar {
    /// An amount of one ink.
    pub(in crate::report) fn with_single_ink(
        name: impl Into<String>,
        value: impl Into<String>,
        amount: f64,
        ink: Ink,
    ) -> Self {
        let (name, value) = (name.into(), value.into());
        Self { name, value, pieces: vec![(ink, amount)], ..Self::default() }
    }

    fn upper_end(&self) -> f64 {
        self.start + self.pieces.iter().map(|(_, amount)| amount.max(0.0)).sum::<f64>()
    }

    fn add_marks(&self, top: f64, scale: f64, marks: &mut Vec<Mark>) {
        let text = |x, anchor, text| Mark::Text {
            x,
            y: top + BASE,
            anchor,
            strong: self.strong,
            ink: Ink::Text,
            text,
        };
        let room = LINE.saturating_sub(self.value.chars().count());
        marks.push(text(0.0, LabelAnchor::Start, shorten_text(&self.name, room)));
        marks.push(text(WIDTH, LabelAnchor::End, self.value.clone()));
        let bar = |x, width, ink| Mark::Rectangle { x, y: top + ABOVE, width, height: THICK, ink };
        marks.push(bar(0.0, WIDTH, Ink::Track));
        let mut from = self.start;
        for (ink, amount) in &self.pieces {
            if *amount > 0.0 {
                let width = (amount * scale).max(VISIBLE);
                marks.push(bar((from * scale).min(WIDTH - width), width, *ink));
            }
            from += amount.max(0.0);
        }
    }
}

/// Samples of the inks with their names, as many to a line as fit; the height of it all.
pub(super) fn add_ink_legend(entries: &[(Ink, &'static str)], marks: &mut Vec<Mark>) -> f64 {
    let (mut x, mut y) = (0.0, 0.0);
    for (ink, name) in entries {
        let width = SAMPLE + 6.0 + LETTER * name.chars().count() as f64 + SAMPLE;
        if x > 0.0 && x + width > WIDTH {
            (x, y) = (0.0, y + LEGEND);
        }
        marks.push(Mark::Rectangle { x, y: y + 3.0, width: SAMPLE, height: SAMPLE, ink: *ink });
        marks.push(Mark::Text {
            x: x + SAMPLE + 6.0,
            y: y + BASE - 1.0,
            anchor: LabelAnchor::Start,
            strong: false,
            ink: Ink::Quiet,
            text: (*name).to_owned(),
        });
        x += width;
    }
    if entries.is_empty() { 0.0 } else { y + LEGEND }
}

#[cfg(test)]
mod tests {
    use super::{Bar, Bars};
    use crate::report::picture::ink::Ink;
    use crate::report::picture::{Mark, Picture, WIDTH};

    /// Left edge and width of what is drawn with an ink.
    fn extents(picture: &Picture, wanted: Ink) -> Vec<(f64, f64)> {
        let extent = |mark: &Mark| match mark {
            Mark::Rectangle { x, width, ink, .. } if *ink == wanted => Some((*x, *width)),
            _ => None,
        };
        picture.marks.iter().filter_map(extent).collect()
    }

    #[test]
    fn bars_are_as_long_as_their_amounts_and_start_at_zero() {
        let bars = vec![
            Bar::with_single_ink("whole", "4", 4.0, Ink::Blue),
            Bar { start: 1.0, ..Bar::with_single_ink("part", "2", 2.0, Ink::Orange) },
            Bar::with_single_ink("nothing", "0", 0.0, Ink::Green),
        ];
        let picture = Bars { bars, ..Bars::default() }.picture("t").expect("there is a whole");
        assert_eq!(extents(&picture, Ink::Blue), [(0.0, WIDTH)]);
        assert_eq!(extents(&picture, Ink::Orange), [(WIDTH / 4.0, WIDTH / 2.0)]);
        assert_eq!(extents(&picture, Ink::Green), []);
        assert_eq!(picture.words, "whole: 4; part: 2; nothing: 0");
    }

    #[test]
    fn what_is_tiny_is_seen_and_stays_on_the_picture() {
        let tiny = Bar { start: 1e9, ..Bar::with_single_ink("tiny", "1", 1.0, Ink::Orange) };
        let picture = Bars { bars: vec![tiny], ..Bars::default() }.picture("t");
        assert_eq!(
            extents(&picture.expect("it is not nothing"), Ink::Orange),
            [(WIDTH - 1.0, 1.0)]
        );
    }

    #[test]
    fn no_amounts_make_no_picture() {
        assert_eq!(Bars::default().picture("t"), None);
        let zero = Bar::with_single_ink("a", "0", 0.0, Ink::Blue);
        assert_eq!(Bars { bars: vec![zero], ..Bars::default() }.picture("t"), None);
    }
}
