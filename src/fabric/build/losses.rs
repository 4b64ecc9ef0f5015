//! What leafs may hold where links or switches above them may be lost. Says nothing about why.

/// What leafs may hold after the loss of a link or of a switch above them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SurvivedLosses {
    /// Any one switch may be lost; else any one link.
    pub switches: bool,
    /// Copies of the tree, of which the others carry what one has lost.
    pub planes: u32,
    /// Entry v: the most units of a leaf with v / `planes` uplinks in service, each plane's alike; 0
    /// where it may not be.
    pub widest: Vec<u32>,
    /// Entry u: the most units of a leaf with u uplinks, all of which are lost: other NICs of its HB
    /// domains carry what its own did. Empty where none can.
    pub cut_off: Vec<u32>,
}

impl SurvivedLosses {
    /// The most units of a leaf with so many uplinks, of which so many lead to one switch.
    pub(super) fn max_units(&self, up: u32, to_each: u32) -> u32 {
        let lost = if self.switches { to_each.max(1) } else { 1 };
        let (up, planes) = (u64::from(up), u64::from(self.planes));
        let own = up.saturating_sub(lost.into()) * planes;
        // What the other planes have is left at least, spread over them.
        let left = own.max(up * planes.saturating_sub(1)) as usize;
        if left == 0 {
            return self.cut_off(up as u32);
        }
        self.widest.get(left).or(self.widest.last()).copied().unwrap_or(0)
    }

    /// The most units of a leaf with so many uplinks, all of which are lost.
    pub(super) fn cut_off(&self, up: u32) -> u32 {
        self.cut_off.get(up as usize).copied().unwrap_or(0)
    }

    /// By uplinks the most units of a leaf below so many spines, of a table without losses.
    pub(super) fn max_units_below_spines(&self, widest: &[u32], spines: u32) -> Vec<u32> {
        let read = |(up, units): (u32, &u32)| (*units).min(self.max_units(up, up / spines.max(1)));
        (0..).zip(widest).map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::SurvivedLosses;

    /// Two units for each uplink in service.
    fn losses(switches: bool, planes: u32) -> SurvivedLosses {
        let widest = (0..=16 * planes).map(|left| 2 * left / planes).collect();
        SurvivedLosses { switches, planes, widest, cut_off: vec![3; 9] }
    }

    #[test]
    fn a_leaf_holds_what_its_other_uplinks_carry() {
        let one_plane = losses(true, 1);
        assert_eq!([1, 2, 4].map(|to_each| one_plane.max_units(8, to_each)), [14, 12, 8]);
        // All eight lead to one spine: what other NICs can carry.
        assert_eq!([8, 9].map(|up| one_plane.max_units(up, up)), [3, 0]);
        // Of two planes the other one carries half at least.
        assert_eq!([1, 8].map(|to_each| losses(true, 2).max_units(8, to_each)), [14, 8]);
        // The loss of a link is one uplink, wherever the others lead.
        assert_eq!([1, 8].map(|to_each| losses(false, 1).max_units(8, to_each)), [14, 14]);
        assert_eq!(losses(false, 1).max_units(1, 1), 3);
    }
}
