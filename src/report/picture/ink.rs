//! What pictures are drawn with: names for what a colour means, and a colour for each on light
//! and on dark paper. It draws nothing.
//!
//! Hues are those of Okabe and Ito (2008), which stay apart for all kinds of sight, darkened or
//! lightened until they stand out from the paper as WCAG 2.2 asks: 4.5:1 for letters (criterion
//! 1.4.3), 3:1 for shapes (1.4.11). Nothing is told by colour alone.

/// What something is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Ink {
    /// Letters.
    Text,
    /// Letters that stand back.
    Quiet,
    /// Thin lines that only guide the eye.
    Rule,
    /// What a bar could reach.
    Track,
    /// A limit.
    Limit,
    /// Computing, and the machines that do it.
    Blue,
    /// Communication that nothing hides, and switches.
    Orange,
    /// Waiting, and interfaces.
    Purple,
    /// The rest, and transceivers.
    Green,
    /// White on any paper: what heat maps lie on.
    Plate,
    /// A colour of its own on a plate.
    Fixed(u8, u8, u8),
}

/// What the paper is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Theme {
    /// Dark ink on light paper; also in print.
    Light,
    /// Light ink on dark paper.
    Dark,
}

impl Theme {
    /// The paper itself.
    pub(in super::super) const fn paper_colour(self) -> &'static str {
        match self {
            Self::Light => "#ffffff",
            Self::Dark => "#14181c",
        }
    }
}

impl Ink {
    /// Those that have a name, in the order of the style sheet.
    pub(in super::super) const NAMED: [Self; 10] = [
        Self::Text,
        Self::Quiet,
        Self::Rule,
        Self::Track,
        Self::Limit,
        Self::Blue,
        Self::Orange,
        Self::Purple,
        Self::Green,
        Self::Plate,
    ];

    /// Name in the style sheet; `None` for a colour of its own.
    pub(in super::super) const fn style_name(self) -> Option<&'static str> {
        Some(match self {
            Self::Text => "text",
            Self::Quiet => "quiet",
            Self::Rule => "rule",
            Self::Track => "track",
            Self::Limit => "limit",
            Self::Blue => "blue",
            Self::Orange => "orange",
            Self::Purple => "purple",
            Self::Green => "green",
            Self::Plate => "plate",
            Self::Fixed(..) => return None,
        })
    }

    /// The colour on that paper.
    pub(in super::super) fn colour(self, theme: Theme) -> String {
        let (light, dark) = match self {
            Self::Text => ("#1b2126", "#e7ebee"),
            Self::Quiet => ("#55606a", "#a9b4bd"),
            Self::Rule => ("#d5dbe0", "#39424a"),
            Self::Track => ("#eef1f4", "#232a30"),
            Self::Limit => ("#a3161c", "#ff8f8a"),
            Self::Blue => ("#0a62a3", "#5cb3ea"),
            Self::Orange => ("#b84f00", "#f0954a"),
            Self::Purple => ("#8f4382", "#dd9ccd"),
            Self::Green => ("#00795a", "#3fc79d"),
            Self::Plate => ("#ffffff", "#ffffff"),
            Self::Fixed(r, g, b) => return format!("#{r:02x}{g:02x}{b:02x}"),
        };
        match theme {
            Theme::Light => light.to_owned(),
            Theme::Dark => dark.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Ink, Theme};

    /// Red, green and blue of `#rrggbb` as shares of full light.
    fn linear(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let byte = u8::from_str_radix(&colour[at..at + 2], 16).expect("two digits");
            let share = f64::from(byte) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// Relative luminance, WCAG 2.2.
    fn luminance([r, g, b]: [f64; 3]) -> f64 {
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(linear(a)), luminance(linear(b)));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn letters_and_shapes_stand_out_from_their_paper() {
        for theme in [Theme::Light, Theme::Dark] {
            let paper = theme.paper_colour();
            for (inks, least) in [
                (&[Ink::Text, Ink::Quiet, Ink::Limit, Ink::Blue][..], 4.5),
                (&[Ink::Orange, Ink::Purple, Ink::Green][..], 3.0),
            ] {
                for ink in inks {
                    for under in [paper, &Ink::Track.colour(theme)] {
                        let found = contrast(&ink.colour(theme), under);
                        assert!(found >= least, "{ink:?} on {under}: {found:.2}");
                    }
                }
            }
        }
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9, "the check is the formula");
    }

    /// What people without red (protanopia) or green (deuteranopia) cones see, in linear light:
    /// Viénot, Brettel and Mollon (1999), Color Research and Application 24(4).
    fn seen(matrix: [[f64; 3]; 3], colour: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(colour).map(|(share, light)| share * light).sum())
    }

    #[test]
    fn fills_stay_apart_for_all_kinds_of_sight() {
        const SAME: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        const PROTAN: [[f64; 3]; 3] =
            [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]];
        const DEUTAN: [[f64; 3]; 3] =
            [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]];
        // A step in lightness or hue that two areas side by side don't hide.
        const LEAST: f64 = 0.05;
        let fills = [Ink::Blue, Ink::Orange, Ink::Purple, Ink::Green];
        for theme in [Theme::Light, Theme::Dark] {
            for sight in [SAME, PROTAN, DEUTAN] {
                for (place, one) in fills.iter().enumerate() {
                    for other in &fills[place + 1..] {
                        let [a, b] = [one, other]
                            .map(|ink| seen(sight, linear(&ink.colour(theme))))
                            .map(|light| light.map(|share| share.clamp(0.0, 1.0).cbrt()));
                        let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                        assert!(apart >= LEAST, "{one:?} and {other:?}: {apart:.3}");
                    }
                }
            }
        }
    }
}
