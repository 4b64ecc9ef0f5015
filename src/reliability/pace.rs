//! The pace that is left where parts are out that nothing replaces: the least of all that are (docs/equations.md
//! §11.2). Knows no part.

/// A kind of part that may be out without being replaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DegradedKind {
    /// How many are out on average.
    pub(super) out: f64,
    /// Share of the full pace while one or more of them are.
    pub(super) kept: f64,
}

/// Share of the pace that each of some kinds takes on average. While several are out the job goes as fast as
/// the slowest of them allows, and that one takes all that is missing.
///
/// How many are out is Poisson whatever their repairs take (Palm), so none of a kind is with probability
/// e^(−mean).
pub(super) fn pace_share_lost(kinds: &[DegradedKind]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    order.sort_by(|a, b| kinds[*a].kept.total_cmp(&kinds[*b].kept));
    let mut taken = vec![0.0; kinds.len()];
    // Share of the time in which none of those is out that leave less.
    let mut clear = 1.0;
    for place in order {
        let DegradedKind { out, kept } = kinds[place];
        taken[place] = clear * -(-out).exp_m1() * (1.0 - kept);
        clear *= (-out).exp();
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::{DegradedKind, pace_share_lost};

    /// Every combination of kinds that are out and are not, one by one.
    #[test]
    fn combinations_one_by_one_say_the_same() {
        let kinds = [(0.3, 0.9), (2.0, 0.5), (0.01, 0.0), (11.0, 0.98)];
        let kinds = kinds.map(|(out, kept)| DegradedKind { out, kept });
        let mut lost = 0.0;
        for which in 0..1_u32 << kinds.len() {
            let (mut chance, mut pace) = (1.0, 1.0_f64);
            for (place, DegradedKind { out, kept }) in kinds.iter().enumerate() {
                let none = (-out).exp();
                let is_out = which >> place & 1 == 1;
                chance *= if is_out { 1.0 - none } else { none };
                pace = if is_out { pace.min(*kept) } else { pace };
            }
            lost += chance * (1.0 - pace);
        }
        let found: f64 = pace_share_lost(&kinds).into_iter().sum();
        assert!((found - lost).abs() < 1e-12, "{found} and {lost}");
    }

    #[test]
    fn what_is_always_out_takes_its_share_once() {
        let often = DegradedKind { out: 1e6, kept: 0.9 };
        assert!((pace_share_lost(&[often])[0] - 0.1).abs() < 1e-12);
        assert!((pace_share_lost(&[often, often]).iter().sum::<f64>() - 0.1).abs() < 1e-12);
    }
}
