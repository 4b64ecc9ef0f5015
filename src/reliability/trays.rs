//! HB domains of several trays, some of which are out: GPUs that work and that no group can use, and how many
//! work at a time. Formulas: docs/equations.md §11.7.

/// What the name of a part ends with in the row of its faults that find no spare tray.
pub const NO_SPARE_TRAY: &str = ", no spare tray";

/// Trays of an HB domain, each of which is out by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trays {
    /// GPUs K of the domain.
    pub domain: u32,
    /// GPUs g of a tray; divides those of the domain.
    pub tray: u32,
    /// Share q of the time that a tray is out.
    pub out: f64,
}

impl Trays {
    /// Trays of the domain.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.domain / if self.tray == 0 { 1 } else { self.tray }
    }

    /// Trays that are left over where so many GPUs are used.
    #[must_use]
    pub fn spare_trays(&self, used: u32) -> u32 {
        self.domain.saturating_sub(used) / self.tray.max(1)
    }

    /// Probability of each number of trays that are out, none of them first.
    fn outage_probabilities(&self) -> Vec<f64> {
        let (count, out) = (self.count(), self.out.clamp(0.0, 1.0));
        if out >= 1.0 {
            return (0..=count).map(|f| if f == count { 1.0 } else { 0.0 }).collect();
        }
        // By logarithms: of many trays that none is out may be less than a number can be.
        let mut log = f64::from(count) * (-out).ln_1p();
        let mut all = vec![log.exp()];
        for lost in 1..=count {
            log += (f64::from(count - lost + 1) / f64::from(lost) * out / (1.0 - out)).ln();
            all.push(log.exp());
        }
        all
    }

    /// Share of the domain's GPUs that work and that no whole group of so many GPUs can use, on average.
    #[must_use]
    pub fn stranded_gpu_share(&self, group: u32) -> f64 {
        let left = |lost: u32| (self.domain - self.tray * lost) % group.max(1);
        let each = (0_u32..)
            .zip(self.outage_probabilities())
            .map(|(lost, chance)| chance * f64::from(left(lost)));
        each.sum::<f64>() / f64::from(self.domain.max(1))
    }

    /// Share of the time that at least so many GPUs of a domain work.
    #[must_use]
    pub fn share_of_time_with_gpus(&self, used: u32) -> f64 {
        self.outage_probabilities()
            .into_iter()
            .take(self.spare_trays(used) as usize + 1)
            .sum::<f64>()
            .min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Trays;

    /// Every pattern of trays that are out, one by one, with its probability.
    #[test]
    fn patterns_one_by_one_say_the_same() {
        for (domain, tray, out) in [(8, 4, 0.023), (36, 4, 0.1), (64, 4, 0.3), (16, 1, 0.05)] {
            let trays = Trays { domain, tray, out };
            let count = trays.count();
            for group in [1, 2, 3, 8, 16] {
                let (mut stranded, mut enough) = (0.0, 0.0);
                for pattern in 0_u32..1 << count {
                    let lost = pattern.count_ones();
                    let chance = out.powi(lost as i32) * (1.0 - out).powi((count - lost) as i32);
                    let work = domain - lost * tray;
                    stranded += chance * f64::from(work % group) / f64::from(domain);
                    enough += if work >= domain - domain / 4 { chance } else { 0.0 };
                }
                assert!(
                    (trays.stranded_gpu_share(group) - stranded).abs() < 1e-9,
                    "{trays:?} {group}"
                );
                assert!(
                    (trays.share_of_time_with_gpus(domain - domain / 4) - enough).abs() < 1e-9,
                    "{trays:?}"
                );
            }
        }
        // Nothing is lost of a domain without faults but what groups leave over.
        let whole = Trays { domain: 72, tray: 4, out: 0.0 };
        assert_eq!((whole.stranded_gpu_share(8), whole.stranded_gpu_share(16)), (0.0, 8.0 / 72.0));
        assert_eq!(Trays { out: 1.0, ..whole }.share_of_time_with_gpus(4), 0.0);
    }
}
