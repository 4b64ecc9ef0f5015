//! Colours of cables by rail.

/// A colour of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Colour {
    /// Its name.
    pub name: &'static str,
    /// Red, green and blue as six hexadecimal digits.
    pub hex: &'static str,
}

/// The order of the twelve colours of fibres (TIA-598): rail 0 has the first, rail 12 the first again.
pub const COLOURS: [Colour; 12] = [
    Colour { name: "blue", hex: "2196f3" },
    Colour { name: "orange", hex: "ff9800" },
    Colour { name: "green", hex: "4caf50" },
    Colour { name: "brown", hex: "795548" },
    Colour { name: "slate", hex: "9e9e9e" },
    Colour { name: "white", hex: "ffffff" },
    Colour { name: "red", hex: "f44336" },
    Colour { name: "black", hex: "111111" },
    Colour { name: "yellow", hex: "ffeb3b" },
    Colour { name: "violet", hex: "9c27b0" },
    Colour { name: "rose", hex: "e91e63" },
    Colour { name: "aqua", hex: "00bcd4" },
];

impl Colour {
    /// The colour of a rail.
    #[must_use]
    pub const fn rail_colour(rail: u32) -> Self {
        COLOURS[rail as usize % COLOURS.len()]
    }
}
