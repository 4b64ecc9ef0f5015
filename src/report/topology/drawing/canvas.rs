//! The canvas of drawings of a fabric, and its colours.

use std::fmt::Write as _;

use crate::report::picture::escape_xml;

/// Width of the picture in pixels.
const WIDTH: f64 = 1600.0;
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

/// How a line is drawn.
#[derive(Clone, Copy)]
pub(super) struct Stroke {
    pub(super) tint: DrawingTint,
    pub(super) width: f64,
    pub(super) opacity: f64,
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
        self.add_words(30.0, 38.0, CanvasAnchor::Start, name, 22, INK);
        self.add_words(30.0, 64.0, CanvasAnchor::Start, sentence, 15, QUIET);
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
        let stroke = Stroke { tint: FAILED, width, opacity: 1.0 };
        self.add_line((x, y), (area.right_x(), area.bottom_y()), stroke);
        self.add_line((x, area.bottom_y()), (area.right_x(), y), stroke);
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
    pub(super) fn add_line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(pixel_coordinate);
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {} \
             stroke-width=\"{}\" stroke-opacity=\"{:.2}\"/>",
            stroke.tint.stroke_attributes(),
            pixel_coordinate(stroke.width),
            stroke.opacity
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
        self.add_words(at.0, at.1, anchor, text, 13, INK);
    }

    /// A small text that stands back.
    pub(super) fn add_note(&mut self, at: (f64, f64), anchor: CanvasAnchor, text: &str) {
        self.add_words(at.0, at.1, anchor, text, 13, QUIET);
    }

    /// A small text in a colour of its own.
    pub(super) fn add_label(
        &mut self,
        at: (f64, f64),
        anchor: CanvasAnchor,
        text: &str,
        fill: DrawingTint,
    ) {
        self.add_words(at.0, at.1, anchor, text, 12, fill);
    }

    fn add_words(
        &mut self,
        x: f64,
        y: f64,
        anchor: CanvasAnchor,
        text: &str,
        size: u32,
        fill: DrawingTint,
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

/// What something is drawn with. Attributes carry the light colour, which every program shows; a
/// style sheet of one rule a tint changes it where the reader wants dark paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DrawingTint {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

const fn define_tint(name: &'static str, light: &'static str, dark: &'static str) -> DrawingTint {
    DrawingTint { name, light, dark }
}

/// Colours that Okabe and Ito (2008) chose, the darker of them first; rails beyond them start anew.
const RAILS: [DrawingTint; 8] = [
    define_tint("r0", "#0072b2", "#4fa8e0"),
    define_tint("r1", "#d55e00", "#f0863c"),
    define_tint("r2", "#009e73", "#2cc59b"),
    define_tint("r3", "#cc79a7", "#e39ac4"),
    define_tint("r4", "#e69f00", "#f2b73d"),
    define_tint("r5", "#56b4e9", "#9ad6f7"),
    define_tint("r6", "#8c6d1f", "#c4a24c"),
    define_tint("r7", "#5b4a9c", "#a394e6"),
];

pub(super) const INK: DrawingTint = define_tint("ink", "#202020", "#e7ebee");
const QUIET: DrawingTint = define_tint("quiet", "#5f5f5f", "#a9b4bd");
pub(super) const PAPER: DrawingTint = define_tint("paper", "#ffffff", "#14181c");
pub(super) const SWITCH: DrawingTint = define_tint("switch", "#4a5560", "#93a1ae");
pub(super) const PANEL: DrawingTint = define_tint("panel", "#f2f4f6", "#232a30");
pub(super) const FRAME: DrawingTint = define_tint("frame", "#c4cad0", "#4a545d");
pub(super) const FAILED: DrawingTint = define_tint("failed", "#b3121b", "#ff7a74");

impl DrawingTint {
    /// Attributes that fill a shape or a text.
    fn fill_attributes(self) -> String {
        format!("class=\"fabric-{}-f\" fill=\"{}\"", self.name, self.light)
    }

    /// Attributes that draw a line.
    fn stroke_attributes(self) -> String {
        format!("class=\"fabric-{}-s\" stroke=\"{}\"", self.name, self.light)
    }

    /// Attributes of a shape with a border.
    fn filled_with(self, border: Self) -> String {
        format!(
            "class=\"fabric-{}-f fabric-{}-s\" fill=\"{}\" stroke=\"{}\"",
            self.name, border.name, self.light, border.light
        )
    }
}

/// The colour of a rail.
pub(super) fn tint_for_rail(number: u32) -> DrawingTint {
    RAILS[number as usize % RAILS.len()]
}

/// The colour of something that serves these rails: that of the only one, or none in particular.
pub(super) fn rail_tint(rails: &[u32]) -> DrawingTint {
    match rails {
        [only] => tint_for_rail(*only),
        _ => SWITCH,
    }
}

/// The style sheet: all tints on dark paper. Print stays light.
fn tint_style_sheet() -> String {
    let mut rules = String::new();
    for tint in [INK, QUIET, PAPER, SWITCH, PANEL, FRAME, FAILED].iter().chain(&RAILS) {
        let DrawingTint { name, dark, .. } = tint;
        let _ = write!(rules, ".fabric-{name}-f{{fill:{dark}}}.fabric-{name}-s{{stroke:{dark}}}");
    }
    format!("<style>@media screen and (prefers-color-scheme:dark){{{rules}}}</style>\n")
}

#[cfg(test)]
mod tests {
    use super::{DrawingTint, FAILED, INK, PANEL, PAPER, QUIET, RAILS, SWITCH};

    /// Contrast of two colours, WCAG 2.2.
    fn contrast(a: &str, b: &str) -> f64 {
        let luminance = |colour: &str| -> f64 {
            let light = [1, 3, 5].map(|at| {
                let byte = u8::from_str_radix(&colour[at..at + 2], 16).expect("two digits");
                let share = f64::from(byte) / 255.0;
                if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn everything_stands_out_from_dark_paper_and_words_from_light_paper() {
        let shapes = RAILS.iter().chain([&SWITCH, &FAILED]);
        for DrawingTint { name, dark, .. } in shapes {
            // Names of switches are written on these in the colour of the paper.
            assert!(contrast(dark, PAPER.dark) >= 4.5, "{name}");
        }
        for DrawingTint { name, light, dark } in [&INK, &QUIET, &FAILED] {
            for under in [PAPER, PANEL] {
                assert!(contrast(light, under.light) >= 4.5, "{name} on {}", under.name);
                assert!(contrast(dark, under.dark) >= 4.5, "{name} on {}", under.name);
            }
        }
    }
}
