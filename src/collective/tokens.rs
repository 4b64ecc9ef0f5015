//! How many copies of a token reach its experts when no copy is sent twice to the same place.

/// Share of tokens that visit a given one of `places` equally likely places when each token is
/// routed to `top_k` experts: 1 − (1 − 1/n)^k. A token is then sent to n times that many places
/// on average. Assumes even routing, and that a token's experts are drawn with replacement; real
/// ones differ from each other, so that slightly more places are hit (docs/equations.md
/// §3.7).
///
/// No place gives 0, one place 1.
#[must_use]
pub fn hit_share(places: u32, top_k: u32) -> f64 {
    if places == 0 || top_k == 0 {
        return 0.0;
    }
    // Repeated multiplication, not `powi`: the same bits on every machine.
    let missed = (0..top_k).fold(1.0, |left, _| left * (1.0 - 1.0 / f64::from(places)));
    1.0 - missed
}

#[cfg(test)]
mod tests {
    use super::hit_share;

    /// Counts the draws of k places out of n that hit place 0, every draw written out.
    fn counted(places: u32, top_k: u32) -> f64 {
        let all = places.pow(top_k);
        let hits = (0..all)
            .filter(|draw| {
                let mut rest = *draw;
                (0..top_k).any(|_| {
                    let place = rest % places;
                    rest /= places;
                    place == 0
                })
            })
            .count();
        hits as f64 / f64::from(all)
    }

    #[test]
    fn the_share_equals_every_draw_counted() {
        for places in 1..=5 {
            for top_k in 1..=5 {
                let share = hit_share(places, top_k);
                assert!((share - counted(places, top_k)).abs() < 1e-12, "{places} {top_k}");
            }
        }
        assert_eq!(hit_share(0, 3), 0.0);
        assert_eq!(hit_share(1, 3), 1.0);
    }
}
