//! What leafs of one model can hold below a given number of spines. Knows no price.

/// Units that one leaf holds, by its links to each spine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CapacityByLinks {
    /// Entry t − 1: units of a leaf with t links to each spine; ends with the most of all.
    units: Vec<u32>,
    /// Every further link adds no more units than the one before it.
    concave: bool,
}

/// Most units that 0, 1, … leafs of one model hold with given links in all.
#[derive(Debug)]
pub(super) struct LeafCapacity {
    steps: CapacityByLinks,
    /// Most links to each spine that all leafs together may have.
    max_links: usize,
    /// By leafs, as far as asked for: entry T is the most units with T links to each spine or
    /// fewer.
    rows: Vec<Option<Vec<u64>>>,
    known: usize,
    /// Rows of fewer leafs than this are known, one from the other.
    grown: usize,
    /// As `grown`, of any number of leafs.
    any: Vec<u64>,
    /// Fewest leafs that hold as much.
    fewest_leafs: Vec<u64>,
    /// All leafs have as many links.
    alike: bool,
}

/// Steps of the table above which leafs of a model share their links as evenly as they can: far
/// above any shape that switches of up to 1,024 ports give.
const MOST_WORK: u64 = 1 << 26;

impl CapacityByLinks {
    /// From the most units by uplinks, below `spines` spines.
    pub(super) fn from_spines(widest: &[u32], spines: u32) -> Self {
        let mut units: Vec<u32> =
            widest.iter().copied().step_by(spines.max(1) as usize).skip(1).collect();
        // More links than the widest leaf has are of no use.
        let most = units.iter().copied().max().unwrap_or(0);
        let first = units.iter().position(|units| *units == most && most > 0);
        units.truncate(first.map_or(0, |first| first + 1));
        let gains: Vec<i64> =
            units.windows(2).map(|pair| i64::from(pair[1]) - i64::from(pair[0])).collect();
        let concave = units.first().is_some_and(|units| *units > 0)
            && gains.windows(2).all(|pair| pair[0] >= pair[1]);
        Self { units, concave }
    }

    /// No leaf may be.
    pub(super) fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// Units of a leaf with so many links to each spine; 0 where there is none.
    pub(super) fn units_at_links(&self, links: usize) -> u64 {
        links
            .checked_sub(1)
            .and_then(|place| self.units.get(place))
            .map_or(0, |count| (*count).into())
    }

    /// Most units of a leaf.
    pub(super) fn widest_leaf_units(&self) -> u64 {
        self.units_at_links(self.units.len())
    }

    /// Every shape as (links to each spine, units), narrowest first.
    pub(super) fn shapes_by_links(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let all = (1_u64..).zip(&self.units);
        all.map(|(links, units)| (links, u64::from(*units))).filter(|(_, units)| *units > 0)
    }
}

impl LeafCapacity {
    /// Nothing yet of leafs whose links to each spine may be `most` in all.
    pub(super) fn new(steps: CapacityByLinks, most: u64) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let (mut any, mut fewest) = (vec![0; most + 1], vec![0; most + 1]);
        for links in 1..=most {
            (any[links], fewest[links]) = (any[links - 1], fewest[links - 1]);
            for own in 1..=steps.units.len().min(links) {
                let held = any[links - own] + steps.units_at_links(own);
                let leafs = fewest[links - own] + 1;
                if held > any[links] || held == any[links] && leafs < fewest[links] {
                    (any[links], fewest[links]) = (held, leafs);
                }
            }
        }
        let rows = vec![Some(vec![0; most + 1])];
        Self {
            steps,
            max_links: most,
            rows,
            known: 1,
            grown: 1,
            any,
            fewest_leafs: fewest,
            alike: false,
        }
    }

    /// These of leafs that have as many links each. What
    /// [`units_of_any_leafs`](Self::units_of_any_leafs) says is then a bound that no number of them
    /// may reach.
    pub(super) const fn with_equal_links(mut self) -> Self {
        self.alike = true;
        self
    }

    /// The most units of any number of leafs, by their links to each spine in all.
    pub(super) fn units_of_any_leafs(&self) -> &[u64] {
        &self.any
    }

    /// A number of leafs above which none is needed to hold so many units, or fewer, with as few
    /// links as can be: what any number of leafs holds with given links, so many hold.
    pub(super) fn leafs_that_suffice(&self, units: u64) -> u64 {
        if self.alike {
            // A leaf has a unit and a link at least.
            return units.min(self.max_links as u64);
        }
        let needed = self.any.partition_point(|held| *held < units);
        self.fewest_leafs[..=needed.min(self.max_links)].iter().copied().max().unwrap_or(0)
    }

    /// Entries of a row.
    pub(super) const fn row_width(&self) -> u64 {
        self.max_links as u64 + 1
    }

    /// Entries of all rows so far.
    pub(super) const fn entry_count(&self) -> usize {
        self.known * (self.max_links + 1)
    }

    /// Steps that it takes to know the row of so many leafs.
    pub(super) fn work_of(&self, leafs: u64) -> u64 {
        if self.alike || self.is_even(leafs as usize) {
            return 1 + self.row_width();
        }
        let missing = (leafs + 1).saturating_sub(self.grown as u64);
        1 + missing.saturating_mul(self.steps.units.len() as u64 * self.row_width())
    }

    /// True where so many leafs share their links as evenly as they can, which no row of fewer
    /// leafs is needed for.
    fn is_even(&self, leafs: usize) -> bool {
        let work = (leafs * self.steps.units.len()) as u64 * self.max_links as u64;
        !self.alike && (self.steps.concave || work > MOST_WORK)
    }

    /// The shapes.
    pub(super) const fn capacity_by_links(&self) -> &CapacityByLinks {
        &self.steps
    }

    /// The most units of so many leafs, by their links to each spine in all.
    pub(super) fn units_of_leafs(&mut self, leafs: u64) -> &[u64] {
        let leafs = leafs as usize;
        if self.rows.len() <= leafs {
            self.rows.resize(leafs + 1, None);
        }
        if self.alike || self.is_even(leafs) {
            self.fill_row(leafs);
        } else {
            (self.grown..=leafs).for_each(|leafs| self.fill_row(leafs));
            self.grown = self.grown.max(leafs + 1);
        }
        self.known_row(leafs)
    }

    fn fill_row(&mut self, leafs: usize) {
        if self.rows[leafs].is_none() {
            self.rows[leafs] = Some(self.compute_row(leafs));
            self.known += 1;
        }
    }

    /// A row that was asked for before.
    fn known_row(&self, leafs: usize) -> &[u64] {
        self.rows.get(leafs).and_then(Option::as_deref).unwrap_or(&[])
    }

    fn compute_row(&self, leafs: usize) -> Vec<u64> {
        if self.is_even(leafs) {
            return self.even_row(leafs);
        }
        if self.alike {
            return self.alike_row(leafs);
        }
        let before = self.known_row(leafs - 1);
        let shapes = self.steps.units.len();
        let mut row = vec![0; self.max_links + 1];
        for links in leafs..=self.max_links {
            let last = shapes.min(links + 1 - leafs);
            let best = (1..=last).filter(|own| leafs == 1 || before[links - own] > 0);
            let best = best.map(|own| before[links - own] + self.steps.units_at_links(own)).max();
            row[links] = best.unwrap_or(0).max(row[links - 1]);
        }
        row
    }

    /// The most units of so many leafs that are all alike.
    fn alike_row(&self, leafs: usize) -> Vec<u64> {
        let mut row = vec![0; self.max_links + 1];
        for links in 1..row.len() {
            let each = if links.is_multiple_of(leafs) {
                self.steps.units_at_links(links / leafs)
            } else {
                0
            };
            row[links] = (leafs as u64 * each).max(row[links - 1]);
        }
        row
    }

    /// [`units_spread_evenly`](Self::units_spread_evenly) with every number of links, each from the one before it.
    fn even_row(&self, leafs: usize) -> Vec<u64> {
        let mut row = vec![0; leafs.min(self.max_links + 1)];
        for each in 1..=self.steps.units.len() {
            let (units, more) =
                (self.steps.units_at_links(each), self.steps.units_at_links(each + 1));
            let room = (self.max_links + 1 - row.len()).min(leafs) as u64;
            row.extend((0..room).map(|longer| (leafs as u64 - longer) * units + longer * more));
        }
        // The last of these has a link more than the widest leafs can use.
        let most = leafs * self.steps.units.len();
        row.truncate(most + 1);
        row.resize(self.max_links + 1, self.units_spread_evenly(leafs, most));
        row
    }

    /// Units where no two leafs differ by more than one link to each spine.
    fn units_spread_evenly(&self, leafs: usize, links: usize) -> u64 {
        if links < leafs {
            return 0;
        }
        let links = links.min(leafs * self.steps.units.len());
        let (each, longer) = (links / leafs, (links % leafs) as u64);
        (leafs as u64 - longer) * self.steps.units_at_links(each)
            + longer * self.steps.units_at_links(each + 1)
    }

    /// How so many leafs share their links to hold what [`units_of_leafs`](Self::units_of_leafs)
    /// says: (links to each spine, leafs), the widest first.
    pub(super) fn shared_between(&mut self, leafs: u64, links: u64) -> Vec<(u64, u64)> {
        self.units_of_leafs(leafs);
        self.links_of_leaf_switches(leafs, links)
    }

    /// As `shared_between`, of a number of leafs that was asked for before.
    pub(super) fn links_of_leaf_switches(&self, leafs: u64, links: u64) -> Vec<(u64, u64)> {
        if self.alike {
            // The fewest links of each with which they hold as much.
            let row = self.known_row(leafs as usize);
            let most = row.get(links as usize).copied().unwrap_or(0);
            let all = row.partition_point(|held| *held < most) as u64;
            let each = all / leafs.max(1);
            return if each > 0 { vec![(each, leafs)] } else { Vec::new() };
        }
        let mut found: Vec<(u64, u64)> = Vec::new();
        let mut add = |links: usize, leafs: u64| {
            if leafs == 0 {
                return;
            }
            match found.iter_mut().find(|(known, _)| *known == links as u64) {
                Some((_, count)) => *count += leafs,
                None => found.push((links as u64, leafs)),
            }
        };
        let (mut left, mut links) = (leafs as usize, links as usize);
        while left > 0 {
            let Some(units) = self.known_row(left).get(links).copied() else { break };
            let even = links.min(left * self.steps.units.len());
            if self.units_spread_evenly(left, links) == units {
                let (each, longer) = (even / left, even % left);
                add(each + 1, longer as u64);
                add(each, (left - longer) as u64);
                break;
            }
            let before =
                |own: usize| self.known_row(left - 1).get(links.checked_sub(own)?).copied();
            let own = (1..=self.steps.units.len()).find(|own| {
                let number = self.steps.units_at_links(*own);
                number > 0 && before(*own).is_some_and(|rest| rest + number == units)
            });
            match own {
                Some(own) => {
                    add(own, 1);
                    left -= 1;
                    links -= own;
                }
                // The most is reached with fewer links.
                None if links > 0 => links -= 1,
                None => break,
            }
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{CapacityByLinks, LeafCapacity};

    /// Every way to give `leafs` leafs up to `links` links in all.
    fn tried(units: &[u32], leafs: usize, links: usize) -> u64 {
        if leafs == 0 {
            return 0;
        }
        let own = (1..=units.len().min(links)).filter(|own| units[own - 1] > 0);
        let with = own.filter_map(|own| {
            let rest = links - own;
            (rest + 1 >= leafs).then(|| u64::from(units[own - 1]) + tried(units, leafs - 1, rest))
        });
        with.max().unwrap_or(0)
    }

    #[test]
    fn leafs_hold_as_much_as_the_best_of_all_ways_to_share_links() {
        for units in [vec![2, 5, 7, 10], vec![3, 6, 9, 11], vec![0, 4, 4, 9], vec![1]] {
            let widest: Vec<u32> = std::iter::once(0).chain(units.iter().copied()).collect();
            let steps = CapacityByLinks::from_spines(&widest, 1);
            let mut seats = LeafCapacity::new(steps.clone(), 14);
            for leafs in 1..5_u64 {
                for links in leafs..=14 {
                    let most = seats.units_of_leafs(leafs)[links as usize];
                    let zero = tried(&units, leafs as usize, links as usize);
                    // A leaf without units is none, so where every way has one there is no way.
                    if most > 0 {
                        assert_eq!(most, zero, "{units:?} {leafs} {links}");
                        let shared = seats.shared_between(leafs, links);
                        let sum: u64 = shared
                            .iter()
                            .map(|(own, n)| n * steps.units_at_links(*own as usize))
                            .sum();
                        let used: u64 = shared.iter().map(|(own, n)| n * own).sum();
                        let count: u64 = shared.iter().map(|(_, n)| n).sum();
                        assert_eq!((sum, count), (most, leafs), "{units:?} {leafs} {links}");
                        assert!(used <= links, "{units:?} {leafs} {links}");
                    }
                }
            }
        }
    }

    #[test]
    fn leafs_that_are_alike_hold_as_much_as_the_widest_that_links_suffice_for() {
        for units in [vec![2, 5, 7, 10], vec![3, 6, 9, 11], vec![0, 4, 4, 9], vec![1]] {
            let widest: Vec<u32> = std::iter::once(0).chain(units.iter().copied()).collect();
            let mut seats =
                LeafCapacity::new(CapacityByLinks::from_spines(&widest, 1), 14).with_equal_links();
            for leafs in 1..5_u64 {
                for links in leafs..=14 {
                    let each = (links / leafs).min(units.len() as u64) as usize;
                    let best = units[..each].iter().copied().max().unwrap_or(0);
                    assert_eq!(
                        seats.units_of_leafs(leafs)[links as usize],
                        leafs * u64::from(best)
                    );
                    let first = units.iter().position(|held| *held == best).map(|at| at as u64 + 1);
                    let shared: Vec<_> = first.map(|own| (own, leafs)).into_iter().collect();
                    let shared = if best > 0 { shared } else { Vec::new() };
                    assert_eq!(
                        seats.shared_between(leafs, links),
                        shared,
                        "{units:?} {leafs} {links}"
                    );
                }
            }
        }
    }

    #[test]
    fn rows_and_single_entries_say_the_same() {
        for units in [vec![2, 5, 7, 10], vec![4, 7, 9], vec![1], vec![3, 3, 3]] {
            let widest: Vec<u32> = std::iter::once(0).chain(units.iter().copied()).collect();
            for most in [3, 9, 40] {
                let seats = LeafCapacity::new(CapacityByLinks::from_spines(&widest, 1), most);
                for leafs in 1..9_u64 {
                    let each: Vec<u64> = (0..=most as usize)
                        .map(|links| seats.units_spread_evenly(leafs as usize, links))
                        .collect();
                    assert_eq!(seats.even_row(leafs as usize), each, "{units:?} {leafs} {most}");
                }
            }
        }
    }

    #[test]
    fn only_links_that_every_spine_can_share_count() {
        let steps = CapacityByLinks::from_spines(&[0, 1, 2, 3, 4, 5, 6, 4, 2], 3);
        assert_eq!(steps.shapes_by_links().collect::<Vec<_>>(), [(1, 3), (2, 6)]);
        assert!(CapacityByLinks::from_spines(&[0, 0, 0], 1).is_empty());
    }
}
