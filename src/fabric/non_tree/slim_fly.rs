//! The Slim Fly, and the finite fields that its cables follow.

use super::family::{Cabling, NonTreeFamily, SwitchLayer, attach_endpoints};
use crate::fabric::{
    Counts, FabricKind, FabricProblem, LinkClass, LinkGroup, Medium, Request, ascending_divisors,
};
use crate::units::Bandwidth;

/// A Slim Fly of 2q² switches, q = 4w + δ a prime power, δ one of −1, 0, 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlimFly {
    pub endpoints: u64,
    pub radix: u32,
    /// NICs p on each switch at most; `None` for half of a switch's links to others, rounded up,
    /// which no traffic pattern of random pairs overloads (§II-B of the paper).
    pub concentration: Option<u32>,
    /// Rate of every link.
    pub link: Bandwidth,
}

impl SlimFly {
    /// Switches and links of the smallest member that holds the endpoints: each switch has
    /// (3q − δ)/2 links to others and p endpoints.
    ///
    /// # Errors
    /// No endpoints, or more than the largest member for that radix holds.
    pub fn closed_form_counts(&self) -> Result<Counts, FabricProblem> {
        if self.endpoints == 0 {
            return Err(FabricProblem::NoEndpoints);
        }
        let (endpoints, radix) = (self.endpoints, self.radix);
        let (q, network) = self.order_and_network_links()?;
        let switches = 2 * u64::from(q) * u64::from(q);
        let links = LinkGroup {
            class: LinkClass::Local,
            count: switches * u64::from(network) / 2,
            rate: self.link,
            medium: Medium::Optical,
        };
        let flat = SwitchLayer {
            kind: FabricKind::SlimFly,
            endpoints,
            rails: 1,
            link: self.link,
            switches,
            radix,
            down: self.max_nics_per_switch(network),
            host_links: endpoints,
            host_medium: Medium::Optical,
            other_links: vec![links],
        };
        // A cut with s of n switches on one side has (k' − λ)·s·(n − s)/n links or more, with λ the
        // second eigenvalue of the graph; k' − λ is q. Of N endpoints, at most P on a switch, s is
        // N/2P or more; with fewer switches endpoints on the wrong side cost a link each.
        let most = endpoints.div_ceil(switches) as f64;
        let half = endpoints as f64 / (2.0 * most * switches as f64);
        let bisection = f64::from(q) / most * (1.0 - half);
        Ok(flat.into_counts(bisection.min(1.0)))
    }

    /// NICs that a switch with so many links to others has at most.
    fn max_nics_per_switch(&self, network: u32) -> u32 {
        self.concentration.unwrap_or_else(|| network.div_ceil(2))
    }

    /// The order q of the smallest member that holds the endpoints.
    fn min_field_order(&self) -> Result<u32, FabricProblem> {
        Ok(self.order_and_network_links()?.0)
    }

    /// That order and the links of a switch to others.
    fn order_and_network_links(&self) -> Result<(u32, u32), FabricProblem> {
        let (endpoints, radix) = (self.endpoints, self.radix);
        (3..=MOST_Q)
            .filter_map(|q| Some((q, network_radix(q)?)))
            .take_while(|(_, network)| {
                network.saturating_add(self.max_nics_per_switch(*network)) <= radix
            })
            .find(|(q, network)| {
                2 * u64::from(*q) * u64::from(*q) * u64::from(self.max_nics_per_switch(*network))
                    >= endpoints
            })
            .ok_or(FabricProblem::TooManyEndpoints { endpoints, radix, tiers: 1 })
    }
}

/// Largest q that is tried: two million switches.
const MOST_Q: u32 = 1 << 10;

/// Links of a switch to others, (3q − δ)/2; `None` where there is no such graph.
#[must_use]
fn network_radix(q: u32) -> Option<u32> {
    let prime_power = ascending_divisors(q).get(1).is_some_and(|prime| {
        let mut rest = q;
        while rest.is_multiple_of(*prime) {
            rest /= prime;
        }
        rest == 1
    });
    match q % 4 {
        _ if !prime_power => None,
        0 => Some(3 * q / 2),
        1 => Some((3 * q - 1) / 2),
        3 => Some(3 * q).map(|triple| triple.div_ceil(2)),
        _ => None,
    }
}

impl NonTreeFamily for SlimFly {
    fn plane_counts(&self) -> Result<Counts, FabricProblem> {
        self.closed_form_counts()
    }

    /// (0, x, y) joins (0, x, y') where y − y' is in one set of powers, (1, m, c) joins (1, m, c')
    /// where c − c' is in another, and (0, x, y) joins (1, m, c) where y = m·x + c.
    fn wire_plane(&self, plane: &mut dyn Cabling) -> Result<(), FabricProblem> {
        let q = self.min_field_order()? as usize;
        let reason = "a slim fly needs a prime power of the form 4w − 1, 4w or 4w + 1";
        let field = FiniteField::new(q).ok_or(FabricProblem::NoSuchSize { reason })?;
        let all = plane.add_switches(2 * (q * q) as u64);
        attach_endpoints(plane, self.endpoints, &all);
        let at = |half: usize, x: usize, y: usize| all[(half * q + x) * q + y];
        let join = |plane: &mut dyn Cabling, low, high| {
            plane.link_switches(low, high, 1, LinkClass::Local, Medium::Optical);
        };
        for (half, set) in generator_sets(&field, q).iter().enumerate() {
            for x in 0..q {
                for y in 0..q {
                    // Both sets hold the negative of each of their elements.
                    for other in set.iter().map(|step| field.sum(y, *step)).filter(|z| *z > y) {
                        join(plane, at(half, x, y), at(half, x, other));
                    }
                }
            }
        }
        for x in 0..q {
            for m in 0..q {
                for c in 0..q {
                    join(plane, at(0, x, field.sum(field.product(m, x), c)), at(1, m, c));
                }
            }
        }
        Ok(())
    }
}

/// The smallest that holds the endpoints.
pub(super) fn slim_fly_for_request(
    request: &Request<'_>,
) -> Result<Box<dyn NonTreeFamily>, FabricProblem> {
    let radix = request.checked_switch_radix()?;
    request.requested_sides()?; // it has none: refused, not overlooked
    let Request { endpoints, concentration, link, .. } = *request;
    if concentration == Some(0) {
        let reason = "a slim fly needs at least `1` NIC on each switch";
        return Err(FabricProblem::NoSuchSize { reason });
    }
    Ok(Box::new(SlimFly { endpoints, radix, concentration, link }))
}

/// Even and odd powers of a primitive element; for q = 4w − 1 those below 2w − 1 and above it
/// change places, so that the sets still hold the negative of each of their elements.
fn generator_sets(field: &FiniteField, q: usize) -> [Vec<usize>; 2] {
    let powers = field.primitive_powers();
    let swaps = if q % 4 == 3 { q.div_ceil(4) * 2 } else { q };
    // The last power is 1, as the first is: but for q = 4w + 1 the odd set holds it too.
    let last = if q % 4 == 1 { q - 2 } else { q - 1 };
    let read = |first: usize| {
        let exponents = (0..=last).filter(|exponent| match q % 4 {
            3 if first == 0 => {
                (*exponent < swaps - 1 && exponent % 2 == 0)
                    || (*exponent >= swaps - 1 && *exponent < q - 1 && exponent % 2 == 1)
            }
            3 => {
                (*exponent < swaps && exponent % 2 == 1)
                    || (*exponent >= swaps && exponent % 2 == 0)
            }
            _ => exponent % 2 == first,
        });
        let mut set: Vec<usize> =
            exponents.map(|exponent| powers[exponent % powers.len()]).collect();
        set.sort_unstable();
        set.dedup();
        set
    };
    [read(0), read(1)]
}

/// A field of q elements, numbered from 0. An element's digits to the base p are the coefficients
/// of a polynomial over the field of p elements, modulo a primitive one.
pub(super) struct FiniteField {
    prime: usize,
    /// Powers of a primitive element, from 1 on; q − 1 of them.
    powers: Vec<usize>,
    /// The exponent of each element but 0.
    exponents: Vec<usize>,
}

impl FiniteField {
    /// The field of that order; `None` where it is no power of a prime.
    pub(super) fn new(order: usize) -> Option<Self> {
        let prime = *ascending_divisors(u32::try_from(order).ok()?).get(1)? as usize;
        let degree = (1..).take_while(|power| prime.pow(*power) <= order).count() as u32;
        if prime.pow(degree) != order {
            return None;
        }
        // Low coefficients of a monic polynomial, or over a prime the primitive root itself.
        let powers = (0..order).find_map(|low| nonzero_elements(prime, degree, low))?;
        let mut exponents = vec![0; order];
        for (exponent, element) in powers.iter().enumerate() {
            exponents[*element] = exponent;
        }
        Some(Self { prime, powers, exponents })
    }

    /// Powers of the primitive element: the first is 1.
    fn primitive_powers(&self) -> &[usize] {
        &self.powers
    }

    pub(super) fn sum(&self, a: usize, b: usize) -> usize {
        sum(self.prime, a, b)
    }

    pub(super) fn product(&self, a: usize, b: usize) -> usize {
        if a == 0 || b == 0 {
            return 0;
        }
        self.powers[(self.exponents[a] + self.exponents[b]) % self.powers.len()]
    }
}

/// Digit by digit to the base `prime`, without carrying.
fn sum(prime: usize, mut a: usize, mut b: usize) -> usize {
    let (mut all, mut weight) = (0, 1);
    while a > 0 || b > 0 {
        all += (a % prime + b % prime) % prime * weight;
        (a, b, weight) = (a / prime, b / prime, weight * prime);
    }
    all
}

/// All elements but 0 as powers of x, where x^degree = `low`; `None` where x has a smaller order.
/// Over the prime itself x is `low`.
fn nonzero_elements(prime: usize, degree: u32, low: usize) -> Option<Vec<usize>> {
    let order = prime.pow(degree);
    let top = order / prime;
    let times_x = |element: usize| {
        let carried = element / top;
        let shifted = element % top * prime;
        (0..carried).fold(shifted, |value, _| sum(prime, value, low))
    };
    let mut powers = vec![1];
    while powers.len() < order - 1 {
        let next = times_x(powers[powers.len() - 1]);
        if next <= 1 {
            return None;
        }
        powers.push(next);
    }
    (times_x(powers[powers.len() - 1]) == 1).then_some(powers)
}

#[cfg(test)]
mod tests {
    use super::{FiniteField, SlimFly, network_radix};
    use crate::fabric::problem::FabricProblem;
    use crate::units::quantity::Bandwidth;

    /// The McKay-Miller-Širáň graph over a prime field, q = 4w + 1 (Besta and Hoefler §II-B):
    /// (0, x, y) joins (0, x, y') where y − y' is an even power of a primitive root; (1, m, c)
    /// joins (1, m, c') where it is an odd one; (0, x, y) joins (1, m, c) where y = m·x + c.
    fn graph(q: usize) -> Vec<Vec<usize>> {
        let powers = |root: usize| {
            let mut all = vec![1];
            while all.len() < q - 1 {
                all.push(all[all.len() - 1] * root % q);
            }
            all
        };
        let distinct = |powers: &Vec<usize>| (1..q).all(|value| powers.contains(&value));
        let powers = (2..q).map(powers).find(distinct).expect("a prime has a primitive root");
        let even: Vec<usize> = powers.iter().copied().step_by(2).collect();
        let odd: Vec<usize> = powers.iter().copied().skip(1).step_by(2).collect();
        let node = |half: usize, x: usize, y: usize| (half * q + x) * q + y;
        let mut neighbours = vec![Vec::new(); 2 * q * q];
        for x in 0..q {
            for y in 0..q {
                for (half, set) in [(0, &even), (1, &odd)] {
                    let joined = set.iter().map(|step| node(half, x, (y + step) % q));
                    neighbours[node(half, x, y)].extend(joined);
                }
                for m in 0..q {
                    let c = (y + q * q - m * x) % q;
                    neighbours[node(0, x, y)].push(node(1, m, c));
                    neighbours[node(1, m, c)].push(node(0, x, y));
                }
            }
        }
        neighbours
    }

    #[test]
    fn any_two_switches_are_two_links_apart() {
        for q in [5, 13, 17] {
            let neighbours = graph(q);
            let expected = network_radix(q as u32).expect("a prime of the right form") as usize;
            for (node, near) in neighbours.iter().enumerate() {
                assert_eq!(near.len(), expected, "q = {q}");
                let mut reached = vec![false; neighbours.len()];
                reached[node] = true;
                for first in near {
                    reached[*first] = true;
                    neighbours[*first].iter().for_each(|second| reached[*second] = true);
                }
                assert!(reached.into_iter().all(|reached| reached), "q = {q}");
            }
        }
    }

    /// The second eigenvalue, by power iteration on the graph shifted to have no negative ones.
    #[test]
    fn the_bisection_bound_rests_on_the_second_eigenvalue() {
        for q in [5, 13] {
            let neighbours = graph(q);
            let degree = neighbours[0].len() as f64;
            let mut vector: Vec<f64> =
                (0..neighbours.len()).map(|i| ((i * i + 3 * i) % 101) as f64).collect();
            let mut value = 0.0;
            for _ in 0..400 {
                let mean = vector.iter().sum::<f64>() / vector.len() as f64;
                vector.iter_mut().for_each(|entry| *entry -= mean);
                let norm = vector.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
                vector.iter_mut().for_each(|entry| *entry /= norm);
                let next: Vec<f64> = (0..vector.len())
                    .map(|i| {
                        let near: f64 = neighbours[i].iter().map(|other| vector[*other]).sum();
                        near + degree * vector[i]
                    })
                    .collect();
                value = next.iter().zip(&vector).map(|(a, b)| a * b).sum::<f64>() - degree;
                vector = next;
            }
            assert!((value - (q as f64 - 1.0) / 2.0).abs() < 1e-3, "q = {q}: {value}");
        }
    }

    #[test]
    fn the_example_of_the_paper_has_50_switches_of_degree_7() {
        let link = Bandwidth::from_gigabits(400.0);
        let counts = SlimFly { endpoints: 200, radix: 11, concentration: None, link }
            .closed_form_counts()
            .expect("q = 5");
        assert_eq!((counts.switch_count(), counts.link_count()), (50, 200 + 175));
        let many =
            SlimFly { endpoints: 201, radix: 11, concentration: None, link }.closed_form_counts();
        assert!(matches!(many, Err(FabricProblem::TooManyEndpoints { .. })));
        // 19 is the value of the paper's cluster: 722 switches, network radix 29.
        assert_eq!(network_radix(19), Some(29));
        assert_eq!([6, 12, 15].map(network_radix), [None; 3]);
        assert_eq!([3, 4, 7, 8, 9].map(network_radix), [5, 6, 11, 12, 13].map(Some));
    }

    #[test]
    fn sums_and_products_are_those_of_a_field() {
        for order in [2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 32] {
            let field = FiniteField::new(order).expect("a prime power");
            for a in 0..order {
                assert_eq!((field.sum(a, 0), field.product(a, 1)), (a, a), "{order}");
                assert_eq!((0..order).filter(|b| field.sum(a, *b) == 0).count(), 1, "{order}");
                let inverses = (0..order).filter(|b| field.product(a, *b) == 1).count();
                assert_eq!(inverses, usize::from(a > 0), "{order}");
                for b in 0..order {
                    assert_eq!(field.product(a, b), field.product(b, a));
                    for c in 0..order {
                        let apart = field.sum(field.product(a, b), field.product(a, c));
                        assert_eq!(field.product(a, field.sum(b, c)), apart, "{order}");
                    }
                }
            }
        }
        assert!([0, 1, 6, 12, 15].into_iter().all(|order| FiniteField::new(order).is_none()));
    }
}
