//! Slim Fly (Besta and Hoefler, SC 2014, §II-B): the graphs of McKay, Miller and Širáň over any
//! finite field of q = 4w + δ elements.

use super::super::wiring::Wiring;
use super::field::Field;
use super::place::{attach, switches};
use crate::fabric::{FabricProblem, LinkClass, Medium, SlimFly};

/// (0, x, y) joins (0, x, y') where y − y' is in one set of powers, (1, m, c) joins (1, m, c')
/// where c − c' is in another, and (0, x, y) joins (1, m, c) where y = m·x + c.
pub(super) fn wire(wiring: &mut Wiring, of: &SlimFly) -> Result<(), FabricProblem> {
    let q = of.order()? as usize;
    let reason = "a slim fly needs a prime power of the form 4w − 1, 4w or 4w + 1";
    let field = Field::new(q).ok_or(FabricProblem::NoSuchSize { reason })?;
    let all = switches(wiring, 2 * (q * q) as u64);
    attach(wiring, of.endpoints, &all);
    let at = |half: usize, x: usize, y: usize| all[(half * q + x) * q + y];
    let join = |wiring: &mut Wiring, low, high| {
        wiring.join(low, high, 1, LinkClass::Local, Medium::Optical);
    };
    for (half, set) in generators(&field, q).iter().enumerate() {
        for x in 0..q {
            for y in 0..q {
                // Both sets hold the negative of each of their elements.
                for other in set.iter().map(|step| field.sum(y, *step)).filter(|z| *z > y) {
                    join(wiring, at(half, x, y), at(half, x, other));
                }
            }
        }
    }
    for x in 0..q {
        for m in 0..q {
            for c in 0..q {
                join(wiring, at(0, x, field.sum(field.product(m, x), c)), at(1, m, c));
            }
        }
    }
    Ok(())
}

/// Even and odd powers of a primitive element; for q = 4w − 1 those below 2w − 1 and above it
/// change places, so that the sets still hold the negative of each of their elements.
fn generators(field: &Field, q: usize) -> [Vec<usize>; 2] {
    let powers = field.powers();
    let swaps = if q % 4 == 3 { q.div_ceil(4) * 2 } else { q };
    // The last power is 1, as the first is: but for q = 4w + 1 the odd set holds it too.
    let last = if q % 4 == 1 { q - 2 } else { q - 1 };
    let of = |first: usize| {
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
    [of(0), of(1)]
}
