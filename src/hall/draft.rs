//! Racks that have no place yet, filled by height, power and number. Knows no hall.

use super::rack::RackRole;
use crate::hardware::Rack;
use crate::units::Watts;

/// A rack that has no place yet.
pub(super) struct DraftRack {
    pub(super) role: RackRole,
    pub(super) power: Watts,
    /// What it holds, with lowest unit and height of each.
    pub(super) holds: Vec<(RackContent, u32, u32)>,
}

/// What a rack holds.
#[derive(Clone, Copy)]
pub(super) enum RackContent {
    /// A machine, and the racks that it takes from this one on.
    Machine(u32, u32),
    /// Anything else by its number: a node of the graph, or what stands beside the compute network.
    Number(usize),
}

/// What is put into a rack.
#[derive(Clone, Copy)]
pub(super) struct RackItem {
    pub(super) number: usize,
    pub(super) units: u32,
    pub(super) power: Watts,
}

/// Racks filled from the top, where the trays are, in the order of the items, as far as height, power and
/// the most pieces of a rack go. An item that no rack holds has one to itself: whoever asks refuses it.
///
/// A rack holds as many equal items as [`Rack::pieces_per_rack`] says: power is multiplied, not summed, so that both
/// round alike.
pub(super) fn fill_racks(
    rack: &Rack,
    most: Option<u32>,
    role: RackRole,
    items: impl IntoIterator<Item = RackItem>,
) -> Vec<DraftRack> {
    let most = most.map_or(usize::MAX, |most| most as usize);
    let mut racks: Vec<Filling> = Vec::new();
    for item in items {
        let units = item.units.max(1);
        let room = |filling: &&mut Filling| {
            units <= filling.left
                && filling.draft.holds.len() < most
                && filling.can_feed_item(rack, &item)
        };
        let index = match racks.iter_mut().last().filter(room) {
            Some(_) => racks.len() - 1,
            None => {
                let draft = DraftRack { role, power: Watts::ZERO, holds: Vec::new() };
                racks.push(Filling { draft, left: rack.units, before: Watts::ZERO, alike: None });
                racks.len() - 1
            }
        };
        racks[index].put_item(item, units);
    }
    racks.into_iter().map(|filling| filling.draft).collect()
}

/// A rack that is being filled.
struct Filling {
    draft: DraftRack,
    /// Units that are free, from the bottom.
    left: u32,
    /// Power of all but the last run of items that draw alike.
    before: Watts,
    /// Power of one of that run, and how many it has.
    alike: Option<(Watts, u32)>,
}

impl Filling {
    fn can_feed_item(&self, rack: &Rack, item: &RackItem) -> bool {
        let Some(most) = rack.most_power() else { return true };
        match self.alike {
            Some((power, count)) if power == item.power => {
                let left = most - self.before;
                item.power <= Watts::ZERO || (left / item.power).floor() >= f64::from(count + 1)
            }
            _ => self.draft.power + item.power <= most,
        }
    }

    fn put_item(&mut self, item: RackItem, units: u32) {
        let bottom = (self.left + 1).saturating_sub(units).max(1);
        self.draft.holds.push((RackContent::Number(item.number), bottom, units));
        self.left = self.left.saturating_sub(units);
        self.alike = match self.alike {
            Some((power, count)) if power == item.power => Some((power, count + 1)),
            _ => {
                self.before = self.draft.power;
                Some((item.power, 1))
            }
        };
        let run = self.alike.map_or(Watts::ZERO, |(power, count)| power * f64::from(count));
        self.draft.power = self.before + run;
    }
}

#[cfg(test)]
mod tests {
    use super::{RackItem, fill_racks};
    use crate::hall::RackRole;
    use crate::hardware::Rack;
    use crate::units::Watts;

    /// As many equal items in each rack as the rule of a rack says, whatever their power divides to.
    #[test]
    fn equal_items_take_the_racks_of_the_rule() {
        for tenths in 1..400_u32 {
            for count in [1, 7, 50] {
                let watts = Watts::from_f64(f64::from(tenths) * 0.1);
                let rack = Rack { power: Some(Watts::from_f64(3.0)), ..Rack::with_height(20) };
                let fit = rack.holds_switches(2, watts);
                if fit == 0 {
                    continue;
                }
                let items = (0..count).map(|number| RackItem { number, units: 2, power: watts });
                let racks = fill_racks(&rack, None, RackRole::Spines, items);
                assert_eq!(racks.len() as u64, (count as u64).div_ceil(fit), "{tenths} {count}");
            }
        }
    }

    #[test]
    fn unlike_items_share_a_rack_up_to_its_power_and_height() {
        let item = |number, units, watts| RackItem { number, units, power: Watts::from_f64(watts) };
        let rack = Rack { fed: Some(Watts::from_f64(10.0)), ..Rack::with_height(4) };
        let items = [item(0, 1, 4.0), item(1, 2, 5.0), item(2, 1, 2.0), item(3, 3, 1.0)];
        let racks = fill_racks(&rack, None, RackRole::Others, items);
        let bottoms: Vec<Vec<(u32, u32)>> = racks
            .iter()
            .map(|rack| rack.holds.iter().map(|(_, bottom, units)| (*bottom, *units)).collect())
            .collect();
        assert_eq!(bottoms, [vec![(4, 1), (2, 2)], vec![(4, 1), (1, 3)]]);
        assert_eq!(racks[1].power, Watts::from_f64(3.0));
    }
}
