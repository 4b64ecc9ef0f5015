//! The first of consecutive numbers that will do, where all after it do, and functions that do not
//! grow: by halving.

/// The first of some numbers that will do, where all after it do; `None` where the last does not.
pub(crate) fn first_that_holds(
    from: u32,
    to: u32,
    mut will_do: impl FnMut(u32) -> bool,
) -> Option<u32> {
    if from > to || !will_do(to) {
        return None;
    }
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low.midpoint(high);
        if will_do(middle) { high = middle } else { low = middle + 1 }
    }
    Some(high)
}

/// The first number from 1 on that will do, thought to be near `guess`, where all after it do;
/// `None` where none up to `to` does. Neighbours of the guess are tried first, ever farther ones
/// after them.
pub(crate) fn first_that_holds_near(
    guess: u32,
    to: u32,
    mut will_do: impl FnMut(u32) -> bool,
) -> Option<u32> {
    if to == 0 {
        return None;
    }
    let guess = guess.clamp(1, to);
    let mut step = 1;
    if will_do(guess) {
        let mut high = guess;
        while high > 1 {
            let probe = high.saturating_sub(step).max(1);
            if !will_do(probe) {
                return first_that_holds(probe + 1, high, will_do).or(Some(high));
            }
            high = probe;
            step *= 2;
        }
        return Some(high);
    }
    let mut low = guess + 1;
    while low <= to {
        let probe = (low + step - 1).min(to);
        if will_do(probe) {
            return first_that_holds(low, probe, will_do).or(Some(probe));
        }
        low = probe + 1;
        step *= 2;
    }
    None
}

/// What a function that does not grow is at each of some consecutive numbers. It is asked at the
/// ends of ranges of them, and between two only where they differ or one is not `sure`: there it
/// may be more than such a function would be. With what it is after a range it is asked for what it
/// is in it.
pub(crate) fn evaluate_nonincreasing(
    from: u32,
    to: u32,
    mut u32_u32: impl FnMut(u32, u32) -> u32,
    sure: impl Fn(u32, u32) -> bool,
) -> Vec<u32> {
    let count = (to.saturating_sub(from) + 1) as usize;
    let last = u32_u32(to.max(from), 1);
    let mut all = vec![last; count];
    if count > 1 {
        all[0] = u32_u32(from, last);
    }
    let mut open = vec![(0, count - 1)];
    while let Some((low, high)) = open.pop() {
        if high - low < 2 {
            continue;
        }
        let after = all[high];
        let is_sure = |place: usize| sure(from + place as u32, all[place]);
        if all[low] == after && is_sure(low) && is_sure(high) {
            all[low + 1..high].fill(after);
            continue;
        }
        let middle = low.midpoint(high);
        all[middle] = u32_u32(from + middle as u32, after);
        open.extend([(low, middle), (middle, high)]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{evaluate_nonincreasing, first_that_holds, first_that_holds_near};

    #[test]
    fn a_function_that_does_not_grow_is_known_everywhere_from_few_places() {
        for steps in 0..=30_u32 {
            let read = |number: u32| 100 - (number * steps / 20).min(90);
            let expected: Vec<u32> = (3..=40).map(read).collect();
            assert_eq!(
                evaluate_nonincreasing(3, 40, |number, _| read(number), |_, _| true),
                expected,
                "{steps}"
            );
            // One more at one place, of which nobody is sure.
            for odd in 3..=40 {
                let read = |number: u32| read(number) + u32::from(number == odd);
                let expected: Vec<u32> = (3..=40).map(read).collect();
                let found = evaluate_nonincreasing(
                    3,
                    40,
                    |number, _| read(number),
                    |number, _| number != odd,
                );
                let filled = |place: usize| expected[place] - u32::from(place as u32 + 3 == odd);
                for (place, found) in found.into_iter().enumerate() {
                    assert!(found == expected[place] || found == filled(place), "{steps} {odd}");
                }
            }
        }
        let mut asked = 0;
        let all = evaluate_nonincreasing(
            1,
            1000,
            |number, _| {
                asked += 1;
                u32::from(number < 700)
            },
            |_, _| true,
        );
        assert_eq!(all.iter().filter(|count| **count == 1).count(), 699);
        assert!(asked < 25, "{asked}");
        assert_eq!(evaluate_nonincreasing(5, 5, |number, _| number, |_, _| true), [5]);
    }

    #[test]
    fn the_first_that_will_do_is_found_from_anywhere() {
        for least in 1..=40_u32 {
            for to in 0..=40 {
                let will_do = |number: u32| number >= least;
                let expected = (least <= to).then_some(least);
                assert_eq!(first_that_holds(1, to, will_do), expected, "{least} of {to}");
                for guess in 0..=42 {
                    assert_eq!(
                        first_that_holds_near(guess, to, will_do),
                        expected,
                        "{least} near {guess}"
                    );
                }
            }
        }
    }
}
