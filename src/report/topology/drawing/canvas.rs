//! Rectangles, lines and texts of an SVG. Knows no fabric.

use std::fmt::Write as _;

use super::palette::{DrawingTint, FAILED, INK, PAPER, QUIET, tint_style_sheet};
use crate::report::picture::escape_xml;

/// Width of the picture in pixels.
pub(super) const WIDTH: f64 = 1600.0;
/// Where the column of names on the left ends and the drawing starts.
pub(super) const LEFT: f64 = 220.0;
/// Where the drawing ends.
pub(super) const RIGHT: f64 = WIDTH - 30.0;
/// Where the drawing starts, below the title.
pub(super) const TOP: f64 = 90.0;
/// Height of a line of small text.
pub(super) const LINE: f64 = 17.0;

/// Which end of a text stands at its position.
#[derive(Clone, Copy)]
pub(super) enum CanvasAnchor {
    Start,
    Middle,
}

/// A box.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn centre_x(&self) -> f64 {
        self.x + self.width / 2.0
    }

    pub(super) fn bottom_y(&self) -> f64 {
        self.y + self.height
    }

    pub(super) fn right_x(&self) -> f64 {
        self.x + self.width
    }
}

/// A picture in the making; it grows downwards as things are drawn.
pub(super) struct Canvas {
    body: String,
    bottom: f64,
}

impl Canvas {
    pub(super) fn new() -> Self {
        Self { body: String::new(), bottom: TOP }
    }

    /// Name and one sentence above the picture.
    pub(super) fn add_title(&mut self, name: &str, sentence: &str) {
        self.add_words((30.0, 38.0), CanvasAnchor::Start, name, (22, INK));
        self.add_words((30.0, 64.0), CanvasAnchor::Start, sentence, (15, QUIET));
    }

    /// A filled box with square corners and no border.
    pub(super) fn add_cell(&mut self, area: Area, fill: DrawingTint) {
        self.add_rectangle(area, &fill.fill_attributes(), "");
    }

    /// A box with a border; `about` is shown where the pointer rests on it.
    pub(super) fn add_panel(
        &mut self,
        area: Area,
        fill: DrawingTint,
        border: DrawingTint,
        about: &str,
    ) {
        let paint = format!("rx=\"3\" {}", fill.filled_with(border));
        self.add_rectangle(area, &paint, about);
    }

    /// A border without filling.
    pub(super) fn add_outline(&mut self, area: Area, stroke: DrawingTint) {
        let paint = format!("fill=\"none\" {} stroke-width=\"1.6\"", stroke.stroke_attributes());
        self.add_rectangle(area, &paint, "");
    }

    /// Strikes out something that failed.
    pub(super) fn add_cross(&mut self, area: Area) {
        let Area { x, y, .. } = area;
        let width = (area.height / 8.0).clamp(1.2, 3.0);
        self.add_line((x, y), (area.right_x(), area.bottom_y()), (FAILED, width, 1.0));
        self.add_line((x, area.bottom_y()), (area.right_x(), y), (FAILED, width, 1.0));
        self.add_outline(area, FAILED);
    }

    fn add_rectangle(&mut self, area: Area, paint: &str, about: &str) {
        let Area { x, y, width, height } = area;
        self.bottom = self.bottom.max(y + height);
        let [x, y, width, height] = [x, y, width, height].map(pixel_coordinate);
        let open = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
        let _ = match about {
            "" => writeln!(self.body, "{open} {paint}/>"),
            text => {
                writeln!(self.body, "{open} {paint}><title>{}</title></rect>", escape_xml(text))
            }
        };
    }

    /// A straight line.
    pub(super) fn add_line(
        &mut self,
        from: (f64, f64),
        to: (f64, f64),
        (stroke, width, opacity): (DrawingTint, f64, f64),
    ) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(pixel_coordinate);
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {} \
             stroke-width=\"{}\" stroke-opacity=\"{opacity:.2}\"/>",
            stroke.stroke_attributes(),
            pixel_coordinate(width)
        );
    }

    /// A band between the bottom of one box and the top of another.
    pub(super) fn add_band(&mut self, upper: Area, lower: Area, fill: DrawingTint) {
        let corners = [
            (upper.x, upper.bottom_y()),
            (upper.right_x(), upper.bottom_y()),
            (lower.right_x(), lower.y),
            (lower.x, lower.y),
        ];
        let points: Vec<String> = corners
            .iter()
            .map(|(x, y)| format!("{},{}", pixel_coordinate(*x), pixel_coordinate(*y)))
            .collect();
        let _ = writeln!(
            self.body,
            "<polygon points=\"{}\" {} fill-opacity=\"0.18\"/>",
            points.join(" "),
            fill.fill_attributes()
        );
    }

    /// A small text.
    pub(super) fn add_text(&mut self, at: (f64, f64), anchor: CanvasAnchor, text: &str) {
        self.add_words(at, anchor, text, (13, INK));
    }

    /// A small text that stands back.
    pub(super) fn add_note(&mut self, at: (f64, f64), anchor: CanvasAnchor, text: &str) {
        self.add_words(at, anchor, text, (13, QUIET));
    }

    /// A small text in a colour of its own.
    pub(super) fn add_label(
        &mut self,
        at: (f64, f64),
        anchor: CanvasAnchor,
        text: &str,
        fill: DrawingTint,
    ) {
        self.add_words(at, anchor, text, (12, fill));
    }

    fn add_words(
        &mut self,
        (x, y): (f64, f64),
        anchor: CanvasAnchor,
        text: &str,
        (size, fill): (u32, DrawingTint),
    ) {
        self.bottom = self.bottom.max(y);
        let anchor = match anchor {
            CanvasAnchor::Start => "start",
            CanvasAnchor::Middle => "middle",
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
             {}>{}</text>",
            pixel_coordinate(x),
            pixel_coordinate(y),
            fill.fill_attributes(),
            escape_xml(text)
        );
    }

    /// How far down anything was drawn.
    pub(super) const fn drawn_bottom(&self) -> f64 {
        self.bottom
    }

    /// The document.
    pub(super) fn finish_svg(self) -> String {
        let (width, height) =
            (pixel_coordinate(WIDTH), pixel_coordinate((self.bottom + 30.0).ceil()));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, sans-serif\">\n{}\
             <rect width=\"{width}\" height=\"{height}\" {}/>\n{}</svg>\n",
            tint_style_sheet(),
            PAPER.fill_attributes(),
            self.body
        )
    }
}

/// A coordinate with at most one decimal, so that no rounding of a sum can be seen.
fn pixel_coordinate(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
