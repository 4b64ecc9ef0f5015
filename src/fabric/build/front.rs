//! The builds of one request that none of the others makes needless, as plans that are only put
//! together where they stay.

use super::three_tiers::ThreeTiers;
use super::two_tiers::TwoTiers;
use super::{Build, Ceiling, Scale};

/// How to put a build together.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    TwoTiers(TwoTiers),
    ThreeTiers(ThreeTiers),
}

/// Switches of a plan, each model once at most in a pair, and its links.
pub(super) struct Needs<'a> {
    pub(super) switches: &'a [(usize, u64)],
    pub(super) links: u64,
}

/// Plans that stay. Of one request, so all serve as many rails.
pub(super) struct Front<'a> {
    ceiling: &'a Ceiling,
    skus: usize,
    models: Option<u32>,
    kept: Vec<(Vec<f64>, Plan)>,
}

impl<'a> Front<'a> {
    pub(super) const fn new(ceiling: &'a Ceiling, skus: usize, models: Option<u32>) -> Self {
        Self { ceiling, skus, models, kept: Vec::new() }
    }

    /// Models on offer.
    pub(super) const fn skus(&self) -> usize {
        self.skus
    }

    /// False where plans that weigh so much by each scale are too heavy, or no better than a plan
    /// that is known.
    pub(super) fn hopeful(&self, weigh: impl Fn(&Scale) -> f64) -> bool {
        if !self.ceiling.admits(&weigh) {
            return false;
        }
        if !self.ceiling.all {
            return true;
        }
        let least: Vec<f64> = self.ceiling.scales.iter().map(weigh).collect();
        !self.kept.iter().any(|(known, _)| beats(known, &least))
    }

    /// Takes a plan unless another one makes it needless, and drops those that it makes so.
    pub(super) fn offer(&mut self, needs: &Needs<'_>, plan: impl FnOnce() -> Plan) {
        if let Some(most) = self.models {
            let mut models: Vec<usize> =
                needs.switches.iter().filter(|(_, n)| *n > 0).map(|(sku, _)| *sku).collect();
            models.sort_unstable();
            models.dedup();
            if models.len() > most as usize {
                return;
            }
        }
        let weigh = |scale: &Scale| -> f64 {
            let switches = needs.switches.iter().map(|(sku, n)| scale.of(*sku) * *n as f64);
            switches.sum::<f64>() + scale.link * needs.links as f64
        };
        if !self.ceiling.admits(weigh) {
            return;
        }
        let burdens: Vec<f64> = if self.ceiling.all {
            self.ceiling.scales.iter().map(weigh).collect()
        } else {
            let mut counts = vec![0.0; self.skus + 1];
            for (sku, n) in needs.switches {
                counts[*sku] += *n as f64;
            }
            counts[self.skus] = needs.links as f64;
            counts
        };
        // Of equal ones all stay until it is known which of them blocks least.
        if self.kept.iter().any(|(known, _)| beats(known, &burdens)) {
            return;
        }
        self.kept.retain(|(known, _)| !beats(&burdens, known));
        self.kept.push((burdens, plan()));
    }

    /// The builds of all plans that stay: of those that need as much, the one that blocks least.
    pub(super) fn builds(self, make: impl Fn(&Plan) -> Option<Build>) -> Vec<Build> {
        let mut made: Vec<(Vec<f64>, Build)> = self
            .kept
            .iter()
            .filter_map(|(burdens, plan)| Some((burdens.clone(), make(plan)?)))
            .collect();
        made.sort_by(|(a, x), (b, y)| {
            let by_burden = a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|o| o.is_ne());
            by_burden
                .unwrap_or(std::cmp::Ordering::Equal)
                .then(y.within.cmp(&x.within))
                .then(x.layers.len().cmp(&y.layers.len()))
        });
        made.dedup_by(|(a, _), (b, _)| a == b);
        made.into_iter().map(|(_, build)| build).collect()
    }
}

/// No more of anything, and less of something.
fn beats(one: &[f64], other: &[f64]) -> bool {
    let mut less = false;
    for (a, b) in one.iter().zip(other) {
        if a > b {
            return false;
        }
        less |= a < b;
    }
    less
}
