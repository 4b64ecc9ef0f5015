//! Cages: what a pluggable part is plugged into, by its lanes and the shell that fits. Knows no parts.

use crate::keys::choices;
use crate::units::Bandwidth;

choices! {
    /// A kind of cage. One part goes into one; its ports share it. Switches have finned shells, cards flat
    /// ones, and neither fits the other (vendor product specifications; docs/equations.md §7.14).
    pub enum Cage {
        /// Four lanes of 25 Gb/s.
        Qsfp28 = "qsfp28",
        /// Four lanes of 50 Gb/s: HDR and its like.
        Qsfp56 = "qsfp56",
        /// Four lanes of 100 Gb/s: cards with two ports.
        Qsfp112 = "qsfp112",
        /// Four lanes of 100 Gb/s in a flat shell: cards with one port.
        OsfpFlat = "osfp-flat",
        /// Eight lanes of 100 Gb/s in a flat shell: two cards behind one cage.
        OsfpTwinFlat = "osfp-twin-flat",
        /// Eight lanes of 100 Gb/s in a finned shell: 1 x 800, 2 x 400 or 4 x 200 as a whole.
        OsfpTwin = "osfp-twin",
        /// A card's cage of 800 Gb/s: four lanes of 200 Gb/s, or eight of 100.
        Osfp224Flat = "osfp224-flat",
        /// Eight lanes of 200 Gb/s in a finned shell: 2 x 800.
        Osfp224 = "osfp224",
        /// No cage: fibres end at the switch itself (co-packaged optics), four lanes of 200 Gb/s a port.
        CoPackaged = "co-packaged",
    }
}

impl Cage {
    /// Lanes of one, at their rate.
    #[must_use]
    pub const fn lanes(self) -> (u32, u32) {
        match self {
            Self::Qsfp28 => (4, 25),
            Self::Qsfp56 => (4, 50),
            Self::Qsfp112 | Self::OsfpFlat => (4, 100),
            Self::OsfpTwinFlat | Self::OsfpTwin | Self::Osfp224Flat => (8, 100),
            Self::Osfp224 => (8, 200),
            Self::CoPackaged => (4, 200),
        }
    }

    /// What all its lanes carry, one way.
    #[must_use]
    pub fn bandwidth(self) -> Bandwidth {
        let (lanes, gigabits) = self.lanes();
        Bandwidth::from_gigabits(f64::from(lanes * gigabits))
    }
}

#[cfg(test)]
mod tests {
    use super::Cage;
    use crate::units::quantity::Bandwidth;

    #[test]
    fn a_cage_carries_what_its_lanes_do() {
        assert_eq!(Cage::OsfpTwin.bandwidth(), Bandwidth::from_gigabits(800.0));
        assert_eq!(Cage::Qsfp56.bandwidth(), Bandwidth::from_gigabits(200.0));
    }
}
