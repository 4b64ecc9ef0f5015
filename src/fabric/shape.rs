//! The sides of a fabric that is no tree, such as `8x8x4`. Which side is what, its family says.

use std::fmt;

/// Most sides that a shape may have.
const MOST_SIDES: usize = 4;

/// One to four whole numbers above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FabricShape {
    sides: [u32; MOST_SIDES],
    count: usize, // Invariant: 1 to `MOST_SIDES`, and so many sides are above zero.
}

impl FabricShape {
    /// The shape of these sides; `None` where there are none, too many, or one of zero.
    #[must_use]
    pub fn new(given: &[u32]) -> Option<Self> {
        if given.is_empty() || given.len() > MOST_SIDES || given.contains(&0) {
            return None;
        }
        let mut sides = [0; MOST_SIDES];
        sides[..given.len()].copy_from_slice(given);
        Some(Self { sides, count: given.len() })
    }

    /// The sides.
    #[must_use]
    pub fn sides(&self) -> &[u32] {
        &self.sides[..self.count]
    }

    /// Reads `8x8x4`; `None` where the text is no shape.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let sides: Option<Vec<u32>> =
            text.split('x').map(|side| side.trim().parse().ok()).collect();
        Self::new(&sides?)
    }
}

impl fmt::Display for FabricShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides: Vec<String> = self.sides().iter().map(ToString::to_string).collect();
        f.write_str(&sides.join("x"))
    }
}

#[cfg(test)]
mod tests {
    use super::FabricShape;

    #[test]
    fn shapes_are_one_to_four_sides_above_zero() {
        for text in ["8", "8x8", "8x4x2", "1x2x3x4"] {
            assert_eq!(
                FabricShape::parse(text).map(|shape| shape.to_string()).as_deref(),
                Some(text)
            );
        }
        for text in ["", "8x", "0x4", "1x2x3x4x5", "8*8", "-1"] {
            assert_eq!(FabricShape::parse(text), None, "{text}");
        }
    }
}
