//! Positions at one distance from each other, as boxes of digits.

use super::patch::DigitValues;
use super::patch_counts::greatest_common_divisor;
use crate::collective::TreeStride;

/// Some digits of the grid by index, and the values they may have.
pub(super) type Corner = Vec<(usize, DigitValues)>;

/// A box and what is still wanted of the slower digits.
struct OpenBox {
    corner: Corner,
    delta: Vec<i64>,
    /// What the slower digits must add up to, modulo the period.
    residue: u64,
    /// Whether the target's digit overflowed into the next.
    carried: i64,
}

/// Who sends by a stride, by the digits of a position, fastest first, and how far each digit moves:
/// disjoint boxes that together are all positions of it whose target is a position too.
///
/// Digit by digit: its values that leave the slower ones the same to add stand at one distance too,
/// and those that carry are told from those that do not. Where sizes are powers of two, hardly any
/// digit leaves more than one way open.
pub(super) fn distance_boxes(
    sized: &[(usize, u32)],
    still: &[i64],
    stride: &TreeStride,
) -> Vec<(Corner, Vec<i64>)> {
    let period = u64::from(stride.period);
    let start = OpenBox {
        corner: Corner::new(),
        delta: still.to_vec(),
        residue: u64::from(stride.first) % period,
        carried: 0,
    };
    let mut open = vec![start];
    let (mut weight, mut distance) = (1, stride.distance);
    for (k, size) in sized {
        let moved = distance.rem_euclid(i64::from(*size));
        distance = distance.div_euclid(i64::from(*size));
        let slower = weight * u64::from(*size);
        let last = sized.last().is_some_and(|(index, _)| index == k);
        let reach = if last { period } else { greatest_common_divisor(slower, period) };
        let same = period / greatest_common_divisor(weight, period);
        let digit = MovedDigit { k: *k, size: *size, moved, weight, period, reach, same };
        open = open.into_iter().flat_map(|open_box| open_box.extend_by_digit(digit)).collect();
        weight = slower;
    }
    // What leaves the slowest digit is no position.
    open.retain(|open_box| distance + open_box.carried == 0);
    open.into_iter().map(|open_box| (open_box.corner, open_box.delta)).collect()
}

/// A digit of the grid by index, and what a stride asks of it.
#[derive(Clone, Copy)]
struct MovedDigit {
    k: usize,
    size: u32,
    /// How far it moves where no faster digit carries into it.
    moved: i64,
    weight: u64,
    period: u64,
    /// What slower digits can add up to: multiples of this. The slowest leaves nothing open.
    reach: u64,
    /// Values that far apart add the same.
    same: u64,
}

impl OpenBox {
    /// The box with one digit more, in as many ways as it leaves open.
    fn extend_by_digit(self, digit: MovedDigit) -> Vec<Self> {
        let MovedDigit { k, size, moved, weight, period, reach, same } = digit;
        let moved = moved + self.carried;
        let border = size - moved as u32; // from here on it carries
        let step = u32::try_from(same).unwrap_or(u32::MAX);
        let shared = greatest_common_divisor(weight, period);
        if !self.residue.is_multiple_of(shared) {
            return Vec::new();
        }
        // Values that leave a multiple of `reach`: one in so many, the first by the inverse of the
        // weight.
        let one_in = reach / shared;
        let first = (self.residue / shared).wrapping_mul(odd_inverse(weight / shared)) % one_in;
        let first = u32::try_from(first).unwrap_or(u32::MAX);
        let mut ways = Vec::new();
        for value in (first..size.min(step)).step_by(one_in as usize) {
            let added = u64::from(value) * weight % period;
            let residue = (self.residue + period - added) % period;
            let all =
                DigitValues::from_repeated_interval(value, 1, step, (size - value).div_ceil(step));
            for (range, delta_k, carried) in
                [((0, border), moved, 0), ((border, size), moved - i64::from(size), 1)]
            {
                let values = all.intersect(&DigitValues::from_span(range.0, range.1));
                if values.value_count() > 0 {
                    let mut delta = self.delta.clone();
                    delta[k] = delta_k;
                    let corner = self.corner.iter().cloned().chain([(k, values)]).collect();
                    ways.push(Self { corner, delta, residue, carried });
                }
            }
        }
        ways
    }
}

/// The number whose product with an odd one is 1 modulo 2⁶⁴, hence modulo any power of two: each
/// round doubles the bits that are right.
const fn odd_inverse(odd: u64) -> u64 {
    let mut inverse = odd; // right in three bits
    let mut round = 0;
    while round < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::distance_boxes;
    use crate::collective::TreeStride;

    /// Every position of a stride whose target is one too stands in one box, which moves it there.
    #[test]
    fn boxes_are_the_positions_of_a_stride() {
        let shapes: [&[u32]; 8] =
            [&[13], &[64], &[8, 16], &[3, 32], &[5, 7, 2], &[2, 3, 8], &[48, 4], &[4, 1, 9]];
        for sizes in shapes {
            let sized: Vec<(usize, u32)> = sizes.iter().copied().enumerate().collect();
            let n: u32 = sizes.iter().product();
            let digits = |mut p: u32| -> Vec<i64> {
                let digit = |size: &u32| {
                    let value = p % size;
                    p /= size;
                    i64::from(value)
                };
                sizes.iter().map(digit).collect()
            };
            for (period, first, distance) in [1_u32, 2, 4, 8, 16, 64, 256]
                .into_iter()
                .flat_map(|period| (0..period).map(move |first| (period, first)))
                .flat_map(|(p, first)| [1, -1, 4, -8, 32].map(|distance| (p, first, distance)))
            {
                let found = distance_boxes(
                    &sized,
                    &vec![0; sizes.len()],
                    &TreeStride { first, period, distance },
                );
                for p in 0..n {
                    let own = digits(p);
                    let inside = |corner: &super::Corner| {
                        corner.iter().all(|(k, values)| values.contains(own[*k] as u32))
                    };
                    let mut held = found.iter().filter(|(corner, _)| inside(corner));
                    let to = i64::from(p) + distance;
                    let sends = p % period == first && (0..i64::from(n)).contains(&to);
                    let moves = held.next().map(|(_, delta)| delta.clone());
                    let wanted = sends.then(|| {
                        let target = digits(to as u32);
                        target.iter().zip(&own).map(|(to, from)| to - from).collect::<Vec<i64>>()
                    });
                    assert_eq!(moves, wanted, "{sizes:?}: {p} of {first} mod {period}, {distance}");
                    assert!(held.next().is_none(), "{sizes:?}: {p} stands in two boxes");
                }
            }
        }
    }
}
