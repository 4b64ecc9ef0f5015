//! The first of consecutive numbers that will do, where all after it do: by halving.

/// The first of some numbers that will do, where all after it do; `None` where the last does not.
pub(crate) fn first(from: u32, to: u32, mut will_do: impl FnMut(u32) -> bool) -> Option<u32> {
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

/// The first number from 1 on that will do, thought to be near `guess`, where all after it do; `None`
/// where none up to `to` does. Neighbours of the guess are tried first, ever farther ones after them.
pub(crate) fn first_near(guess: u32, to: u32, mut will_do: impl FnMut(u32) -> bool) -> Option<u32> {
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
                return first(probe + 1, high, will_do).or(Some(high));
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
            return first(low, probe, will_do).or(Some(probe));
        }
        low = probe + 1;
        step *= 2;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{first, first_near};

    #[test]
    fn the_first_that_will_do_is_found_from_anywhere() {
        for least in 1..=40_u32 {
            for to in 0..=40 {
                let will_do = |number: u32| number >= least;
                let expected = (least <= to).then_some(least);
                assert_eq!(first(1, to, will_do), expected, "{least} of {to}");
                for guess in 0..=42 {
                    assert_eq!(first_near(guess, to, will_do), expected, "{least} near {guess}");
                }
            }
        }
    }
}
