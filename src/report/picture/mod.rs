//! A picture before it is drawn: marks on a plane, a title, and the words that stand for it where
//! it can't be seen. It knows no format, no theme and no quantity.

mod bar_chart;
mod ink;
mod line_chart;
mod scatter_chart;
mod svg;
pub(super) mod text_chart;

pub(super) use bar_chart::{Bar, Bars};
pub(super) use ink::{Ink, Theme};
pub(super) use line_chart::Lines;
pub(super) use scatter_chart::{AxisScale, PlotPoint, ScatterPlot};
pub(super) use svg::{escape_xml, picture_svg, standalone_svg};

/// Units that every picture is wide: as many as a narrow telephone has pixels, so that its
/// letters can be read there.
pub(super) const WIDTH: f64 = 360.0;

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picture {
    /// What it shows, in a few words.
    pub(super) title: String,
    /// What someone has to know who can't see it.
    pub(super) words: String,
    /// How to read it: scale, legend, exceptions. May be empty.
    pub(super) notes: Vec<String>,
    /// Units that it is high.
    pub(super) height: f64,
    /// What is drawn, later marks over earlier ones.
    pub(super) marks: Vec<Mark>,
}

/// Something on a picture. Positions are from its upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mark {
    /// A filled rectangle.
    Rectangle {
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        /// What it is filled with.
        ink: Ink,
    },
    /// A thin line.
    Line {
        /// Where it starts.
        from: (f64, f64),
        /// Where it ends.
        to: (f64, f64),
        /// What it is drawn with.
        ink: Ink,
    },
    /// A filled circle.
    Dot {
        at: (f64, f64),
        /// Extent from there to its rim.
        radius: f64,
        /// What it is filled with.
        ink: Ink,
    },
    /// Cells of a grid, as runs within a row: column, row, length.
    Cells {
        /// The upper left corner of the grid.
        at: (f64, f64),
        /// Extent of a cell, both ways.
        cell: f64,
        runs: Vec<(u32, u32, u32)>,
        /// What they are filled with.
        ink: Ink,
    },
    /// A line of text.
    Text {
        /// Where it is anchored.
        x: f64,
        y: f64,
        /// Which end stands at `x`.
        anchor: LabelAnchor,
        /// Whether it is set in bold.
        strong: bool,
        /// What it is drawn with.
        ink: Ink,
        text: String,
    },
}

/// Which end of a text stands at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabelAnchor {
    /// The first letter.
    Start,
    /// The middle.
    Middle,
    /// The last letter.
    End,
}

/// A text of at most `most` letters; a longer one ends with an ellipsis.
fn shorten_text(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::shorten_text;

    #[test]
    fn long_texts_say_that_they_go_on() {
        assert_eq!(shorten_text("switch", 6), "switch");
        assert_eq!(shorten_text("switches", 6), "switc…");
        assert_eq!(shorten_text("two words", 5), "two…");
        assert_eq!(shorten_text("", 0), "");
    }
}
