//! How many copies of a token reach its experts when no copy is sent twice to the same place.
//! Exact for even routing; knows neither ranks nor bytes.

use crate::workload::{GroupLimit, Routing};

/// Share of tokens that visit a given one of `places`, which hold the experts in equal runs, the
/// mean over the places. A token is then sent to n times that many places on average
/// (docs/equations.md §3.7).
///
/// Assumes even routing: every order of the experts by a token's scores is as likely. A limit of
/// groups picks those with the best expert of all, as DeepSeek-V2 does (arXiv 2405.04434 §2.2.2);
/// by the sum of the two best, as in DeepSeek-V3, a token meets 0.7 % fewer groups.
///
/// No place gives 0, one place 1.
#[must_use]
pub fn hit_share(places: u32, routing: Routing) -> f64 {
    let Routing { experts, top_k, .. } = routing;
    if places == 0 || top_k == 0 || experts == 0 {
        return 0.0;
    }
    let begin = |place: u32| (u64::from(place) * u64::from(experts) / u64::from(places)) as u32;
    let Some(limit) = routing.limit.filter(|limit| limit.groups > 1) else {
        // Runs are equal where places divide experts, and differ by one expert elsewhere.
        let short = experts / places;
        let long = experts % places;
        let share = |held: u32| 1.0 - miss_probability(held, experts, top_k);
        let sum = f64::from(places - long) * share(short) + f64::from(long) * share(short + 1);
        return sum / f64::from(places);
    };
    let draw = ExpertDraw::new(experts, top_k, limit);
    let mut seen: Vec<(ExpertGroup, f64)> = Vec::new(); // few kinds of place, by what they hold
    let sum: f64 = (0..places)
        .map(|place| {
            let held = draw.experts_at_place(begin(place), begin(place + 1));
            if let Some((_, share)) = seen.iter().find(|(group, _)| *group == held) {
                return *share;
            }
            let share = 1.0 - draw.place_miss_probability(&held);
            seen.push((held, share));
            share
        })
        .sum();
    sum / f64::from(places)
}

/// Probability that none of `held` experts is among `drawn` of `all`.
fn miss_probability(held: u32, all: u32, drawn: u32) -> f64 {
    // Repeated multiplication, not `powi`: the same bits on every machine.
    (0..drawn.min(all)).fold(1.0, |left, i| {
        left * (f64::from(all - i) - f64::from(held)).max(0.0) / f64::from(all - i)
    })
}

/// Experts of one place: whole groups, and what it holds of the groups at its ends.
#[derive(PartialEq, Eq)]
struct ExpertGroup {
    whole: u32,
    parts: Vec<u32>,
}

/// The choice of k experts out of M of G groups. Experts in order of score are a random order of
/// all; the M groups that come first in it are open, and the k first of theirs are visited. So
/// either fewer than M groups come among the first k experts, and those are visited; or the M-th
/// comes as number l of them, and the k − l others are any of the open groups' experts.
struct ExpertDraw {
    groups: u32,
    most: u32,
    size: u32,
    top_k: u32,
    /// Of all experts: sets of each number of them, over `all` to the power of it.
    all: Vec<f64>,
    /// Of one group, without the empty set.
    group: Vec<f64>,
    scale: f64,
}

impl ExpertDraw {
    fn new(experts: u32, top_k: u32, limit: GroupLimit) -> Self {
        let groups = limit.groups.min(experts);
        let size = experts / groups;
        let most = limit.most.clamp(1, groups);
        let top_k = top_k.min(size * most);
        let scale = f64::from(size * groups);
        let all = scaled_binomials(size * groups, top_k, scale);
        let group = drop_empty_sets(scaled_binomials(size, top_k, scale));
        Self { groups, most, size, top_k, all, group, scale }
    }

    /// What a place with the experts from `begin` to before `end` holds.
    fn experts_at_place(&self, begin: u32, end: u32) -> ExpertGroup {
        let end = end.min(self.size * self.groups);
        let mut held = ExpertGroup { whole: 0, parts: Vec::new() };
        let mut at = begin;
        while at < end {
            let next = ((at / self.size + 1) * self.size).min(end);
            if next - at == self.size {
                held.whole += 1;
            } else {
                held.parts.push(next - at);
            }
            at = next;
        }
        held.parts.sort_unstable();
        held
    }

    /// Probability that no expert of a place is visited.
    fn place_miss_probability(&self, held: &ExpertGroup) -> f64 {
        let plain = self.groups - held.whole - held.parts.len() as u32;
        let mut missed = 0.0;
        // Which of the groups that the place holds a part of are open: all ways.
        for open in 0..1_u32 << held.parts.len() {
            let parts: Vec<u32> = held
                .parts
                .iter()
                .enumerate()
                .filter(|(i, _)| open & 1 << i != 0)
                .map(|(_, part)| *part)
                .collect();
            let cut = parts.len() as u32;
            for met in cut.max(1)..self.most {
                let ways = binomial_coefficient(plain, met - cut);
                let sets = self.product(met - cut, &parts)[self.top_k as usize];
                missed += ways * sets / self.all[self.top_k as usize];
            }
            if cut <= self.most {
                missed += binomial_coefficient(plain, self.most - cut)
                    * self.all_met(self.most - cut, &parts);
            }
        }
        missed
    }

    /// The part of it in which the M-th group comes among the first k: `plain` open groups of
    /// which the place holds nothing, and those of which it holds `parts`.
    fn all_met(&self, plain: u32, parts: &[u32]) -> f64 {
        let last_plain = if plain == 0 {
            Vec::new()
        } else {
            scale_series(self.product(plain - 1, parts), f64::from(plain) * f64::from(self.size))
        };
        let last_parts = (0..parts.len()).map(|i| {
            let others = [&parts[..i], &parts[i + 1..]].concat();
            scale_series(self.product(plain, &others), f64::from(self.size - parts[i]))
        });
        let before: Vec<Vec<f64>> = last_parts.chain([last_plain]).collect();
        let open = self.size * self.most;
        let inside: u32 = parts.iter().sum();
        (1..=self.top_k)
            .map(|l| {
                let sets: f64 = before.iter().filter_map(|values| values.get(l as usize - 1)).sum();
                let first = sets / self.scale / (self.all[l as usize] * f64::from(l));
                first * miss_probability(inside, open - l, self.top_k - l)
            })
            .sum()
    }

    /// Sets of each number of experts that meet `plain` whole groups and others but for `parts`.
    fn product(&self, plain: u32, parts: &[u32]) -> Vec<f64> {
        let mut product = vec![0.0; self.top_k as usize + 1];
        product[0] = 1.0;
        for _ in 0..plain {
            product = multiply_series(&product, &self.group);
        }
        for part in parts {
            let rest = drop_empty_sets(scaled_binomials(self.size - part, self.top_k, self.scale));
            product = multiply_series(&product, &rest);
        }
        product
    }
}

/// C(of, j) / scale^j for j up to `most`.
fn scaled_binomials(count: u32, most: u32, scale: f64) -> Vec<f64> {
    let mut sets = vec![1.0];
    for j in 0..most {
        let before = sets[j as usize];
        sets.push(before * f64::from(count.saturating_sub(j)) / (scale * f64::from(j + 1)));
    }
    sets
}

fn drop_empty_sets(mut sets: Vec<f64>) -> Vec<f64> {
    sets[0] = 0.0;
    sets
}

fn scale_series(values: Vec<f64>, by: f64) -> Vec<f64> {
    values.into_iter().map(|value| value * by).collect()
}

/// The product of two power series of one length, to that length.
fn multiply_series(a: &[f64], b: &[f64]) -> Vec<f64> {
    (0..a.len()).map(|j| (0..=j).map(|i| a[i] * b[j - i]).sum()).collect()
}

/// C(of, taken).
fn binomial_coefficient(count: u32, taken: u32) -> f64 {
    if taken > count {
        return 0.0;
    }
    (0..taken).fold(1.0, |ways, i| ways * f64::from(count - i) / f64::from(i + 1))
}

#[cfg(test)]
mod tests {
    use super::hit_share;
    use crate::workload::moe::{GroupLimit, Routing};

    /// Every order of the experts by score, written out: how often the places are hit.
    fn counted(places: usize, experts: usize, top_k: usize, limit: Option<(usize, usize)>) -> f64 {
        let (groups, most) = limit.unwrap_or((1, 1));
        let (mut orders, mut hits) = (0_u64, 0_u64);
        let mut order: Vec<usize> = (0..experts).collect();
        permuted(&mut order, 0, &mut |order| {
            let group = |expert: usize| expert / (experts / groups);
            let mut open: Vec<usize> = Vec::new();
            for expert in order {
                if open.len() < most && !open.contains(&group(*expert)) {
                    open.push(group(*expert));
                }
            }
            let visited = order.iter().filter(|expert| open.contains(&group(**expert)));
            let mut hit: Vec<usize> =
                visited.take(top_k).map(|expert| expert * places / experts).collect();
            hit.sort_unstable();
            hit.dedup();
            orders += 1;
            hits += hit.len() as u64;
        });
        hits as f64 / (orders as f64 * places as f64)
    }

    fn permuted(order: &mut Vec<usize>, done: usize, take: &mut impl FnMut(&[usize])) {
        if done == order.len() {
            return take(order);
        }
        for next in done..order.len() {
            order.swap(done, next);
            permuted(order, done + 1, take);
            order.swap(done, next);
        }
    }

    fn case(places: u32, experts: u32, top_k: u32, limit: Option<(u32, u32)>) {
        let group = |(groups, most)| GroupLimit { groups, most };
        let routing = Routing { experts, top_k, limit: limit.map(group) };
        let own = hit_share(places, routing);
        let wide = |(groups, most): (u32, u32)| (groups as usize, most as usize);
        let all = counted(places as usize, experts as usize, top_k as usize, limit.map(wide));
        assert!((own - all).abs() < 1e-12, "{places} places, {routing:?}: {own}, counted {all}");
    }

    #[test]
    fn the_share_equals_every_order_of_the_experts_counted() {
        for places in [1, 2, 3, 4, 6, 8] {
            for top_k in 1..=3 {
                if 8 % places == 0 {
                    case(places, 8, top_k, None);
                    case(places, 8, top_k, Some((4, 2)));
                    case(places, 8, top_k, Some((2, 1)));
                }
                if 6 % places == 0 {
                    case(places, 6, top_k, Some((3, 2)));
                    case(places, 6, top_k, Some((2, 2)));
                }
            }
        }
        // Places that hold parts of two groups.
        case(3, 6, 2, Some((2, 1)));
        case(3, 6, 2, Some((2, 2)));
        case(2, 6, 3, Some((3, 2)));
        assert_eq!(hit_share(0, Routing { experts: 8, top_k: 3, limit: None }), 0.0);
    }
}
