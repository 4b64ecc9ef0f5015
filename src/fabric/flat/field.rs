//! Finite fields of prime power order, by tables: what a Slim Fly is wired with.

use crate::fabric::ascending_divisors;

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
    pub(super) fn primitive_powers(&self) -> &[usize] {
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
    use super::FiniteField;

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
