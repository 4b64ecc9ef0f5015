//! Ways to take one item of each of several lists, those whose bounds sum to least first, made one
//! at a time: there may be more of them than fit a machine. Knows no item.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// The ways through lists of bounds, as an iterator over the sum of a way and its place in each
/// list, in the order of the sums; of equal sums the order is fixed, and the first places lead.
///
/// Every way is made from one whose sum is no larger, by one step in one list, so that a heap of
/// the ways at the border holds all that can be next (Lawler, Management Science 1972). It grows by
/// at most two ways with each that is taken.
#[derive(Clone, Debug)]
pub(crate) struct Combinations {
    /// Bounds and places of each list, the least bound first.
    lists: Vec<Vec<Item>>,
    /// Lists with more than one item, in the order of what the first step in them costs.
    turns: Vec<usize>,
    border: BinaryHeap<Reverse<Combination>>,
}

/// An item of a list.
#[derive(Clone, Copy, Debug)]
struct Item {
    bound: f64,
    place: usize,
}

/// One way: ranks in the sorted lists.
#[derive(Clone, Debug)]
struct Combination {
    sum: f64,
    ranks: Vec<u32>,
    /// Place among the turns of the last list with a rank above 0; 0 where there is none.
    last: usize,
}

impl Combinations {
    /// Ways through lists of what each item takes at least; none where a list is empty.
    pub(crate) fn new(bounds: impl IntoIterator<Item = Vec<f64>>) -> Self {
        let sorted = |bounds: Vec<f64>| {
            let item = |(place, bound)| Item { bound, place };
            let mut list: Vec<Item> = bounds.into_iter().enumerate().map(item).collect();
            list.sort_by(|a, b| a.bound.total_cmp(&b.bound)); // stable: the earlier of equals leads
            list
        };
        let lists: Vec<Vec<Item>> = bounds.into_iter().map(sorted).collect();
        let first_step = |list: usize| lists[list][1].bound - lists[list][0].bound;
        let mut turns: Vec<usize> =
            (0..lists.len()).filter(|list| lists[*list].len() > 1).collect();
        turns.sort_by(|a, b| first_step(*a).total_cmp(&first_step(*b)));
        let mut ways = Self { lists, turns, border: BinaryHeap::new() };
        if ways.lists.iter().all(|list| !list.is_empty()) {
            ways.push_combination(vec![0; ways.lists.len()], 0);
        }
        ways
    }

    /// The sum of the next way.
    pub(crate) fn next_sum(&self) -> Option<f64> {
        self.border.peek().map(|Reverse(way)| way.sum)
    }

    fn push_combination(&mut self, ranks: Vec<u32>, last: usize) {
        let bounds = self.lists.iter().zip(&ranks).map(|(list, rank)| list[*rank as usize].bound);
        let sum = bounds.sum();
        self.border.push(Reverse(Combination { sum, ranks, last }));
    }

    /// The ways that are one step further than one: a step in its last list; a first step in the
    /// next one; and that in place of a first step in its last list, which costs no more.
    fn push_next_combinations(&mut self, way: &Combination) {
        let Some(&list) = self.turns.get(way.last) else { return };
        let rank = way.ranks[list];
        if (rank as usize + 1) < self.lists[list].len() {
            let mut ranks = way.ranks.clone();
            ranks[list] += 1;
            self.push_combination(ranks, way.last);
        }
        let Some(&next) = self.turns.get(way.last + 1).filter(|_| rank > 0) else { return };
        let mut ranks = way.ranks.clone();
        ranks[next] = 1;
        if rank == 1 {
            let mut instead = ranks.clone();
            instead[list] = 0;
            self.push_combination(instead, way.last + 1);
        }
        self.push_combination(ranks, way.last + 1);
    }
}

impl Iterator for Combinations {
    type Item = (f64, Vec<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse(way) = self.border.pop()?;
        self.push_next_combinations(&way);
        let places =
            self.lists.iter().zip(&way.ranks).map(|(list, rank)| list[*rank as usize].place);
        Some((way.sum, places.collect()))
    }
}

impl Ord for Combination {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sum.total_cmp(&other.sum).then_with(|| self.ranks.cmp(&other.ranks))
    }
}

impl PartialOrd for Combination {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Combination {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Combination {}

#[cfg(test)]
mod tests {
    use super::Combinations;

    /// Every way, by counting through all places: what the iterator is held against.
    fn product(lists: &[Vec<f64>]) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for list in lists {
            let longer = |way: Vec<usize>| {
                (0..list.len()).map(move |place| [way.clone(), vec![place]].concat())
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all
    }

    #[test]
    fn every_way_comes_once_and_none_before_one_that_takes_less() {
        let mut seed = 7_u64;
        let mut roll = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..200 {
            let lists: Vec<Vec<f64>> =
                (0..roll(5)).map(|_| (0..=roll(4)).map(|_| roll(6) as f64).collect()).collect();
            let found: Vec<(f64, Vec<usize>)> = Combinations::new(lists.clone()).collect();
            assert!(found.is_sorted_by(|a, b| a.0 <= b.0), "{lists:?}");
            for (sum, places) in &found {
                let each = lists.iter().zip(places).map(|(list, place)| list[*place]);
                assert_eq!(*sum, each.sum::<f64>());
            }
            let mut places: Vec<Vec<usize>> = found.into_iter().map(|(_, places)| places).collect();
            places.sort();
            assert_eq!(places, product(&lists), "{lists:?}");
        }
    }

    #[test]
    fn an_empty_list_leaves_no_way() {
        assert_eq!(Combinations::new([vec![1.0], Vec::new()]).count(), 0);
        assert_eq!(Combinations::new([]).count(), 1);
    }

    /// 20 to the power of 50 ways: the first of them come at once.
    #[test]
    fn the_first_of_very_many_ways_are_made_alone() {
        let lists = vec![(0..20).map(f64::from).collect::<Vec<f64>>(); 50];
        let first: Vec<f64> = Combinations::new(lists).map(|(sum, _)| sum).take(52).collect();
        assert_eq!(first[0], 0.0);
        assert_eq!(first[1..51], [1.0; 50]);
        assert_eq!(first[51], 2.0);
    }
}
