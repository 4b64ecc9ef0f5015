//! Colours of a drawing, each on light and on dark paper: one for each rail, few enough to be told
//! apart by all kinds of sight.

use std::fmt::Write as _;

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
pub(super) const QUIET: DrawingTint = define_tint("quiet", "#5f5f5f", "#a9b4bd");
pub(super) const PAPER: DrawingTint = define_tint("paper", "#ffffff", "#14181c");
pub(super) const SWITCH: DrawingTint = define_tint("switch", "#4a5560", "#93a1ae");
pub(super) const PANEL: DrawingTint = define_tint("panel", "#f2f4f6", "#232a30");
pub(super) const FRAME: DrawingTint = define_tint("frame", "#c4cad0", "#4a545d");
pub(super) const FAILED: DrawingTint = define_tint("failed", "#b3121b", "#ff7a74");

impl DrawingTint {
    /// Attributes that fill a shape or a text.
    pub(super) fn fill_attributes(self) -> String {
        format!("class=\"fabric-{}-f\" fill=\"{}\"", self.name, self.light)
    }

    /// Attributes that draw a line.
    pub(super) fn stroke_attributes(self) -> String {
        format!("class=\"fabric-{}-s\" stroke=\"{}\"", self.name, self.light)
    }

    /// Attributes of a shape with a border.
    pub(super) fn filled_with(self, border: Self) -> String {
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
pub(super) fn tint_style_sheet() -> String {
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
