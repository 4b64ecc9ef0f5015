//! The builds of one request that none of the others makes needless, as plans that are only put
//! together where they stay.

use super::ceiling::{WeightCeiling, WeightScale};
use super::effort::BuildEffort;
use super::nouns::{Build, SwitchModel};
use super::plan::TreePlan;
use super::worth::ModelWorth;
use crate::fabric::{Idle, Ratio};

/// Switches of a plan, each model once at most in a pair, and its links.
pub(super) struct PlanNeeds<'a> {
    pub(super) switches: &'a [(usize, u64)],
    pub(super) links: u64,
    /// Those of the links that lead to a spine across rails: the more of them, the larger that spine.
    pub(super) across: u64,
}

/// What decides between plans that need as much: the one that blocks least, then the one of fewer
/// layers, then the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlanGrade {
    /// Uplinks per downlink of the leaf that has the fewest.
    pub(super) within: Ratio,
    /// Layers, each kind of leaf for itself.
    pub(super) layers: usize,
}

impl PlanGrade {
    fn is_better(self, other: Self) -> bool {
        self.within.cmp(&other.within).then(other.layers.cmp(&self.layers)).is_gt()
    }
}

/// What a plan needs, counted or weighed: at most, and at least, as leafs may have fewer endpoints each than they have
/// room for.
#[derive(PartialEq)]
struct Burdens {
    most: Vec<f64>,
    least: Vec<f64>,
}

/// A plan that stays.
struct KeptPlan {
    burdens: Burdens,
    grade: PlanGrade,
    plan: TreePlan,
}

/// Plans that stay. Of one request, so all serve as many rails, and no two need as much.
pub(super) struct UndominatedPlans<'a> {
    ceiling: &'a WeightCeiling,
    worth: ModelWorth,
    skus: usize,
    models: Option<u32>,
    effort: &'a mut BuildEffort,
    kept: Vec<KeptPlan>,
    /// Plans have links to a spine across rails, which is not among their switches.
    below_spine: bool,
}

impl<'a> UndominatedPlans<'a> {
    pub(super) fn new(
        ceiling: &'a WeightCeiling,
        skus: &[SwitchModel],
        models: Option<u32>,
        effort: &'a mut BuildEffort,
        below_spine: bool,
    ) -> Self {
        let worth = ModelWorth::new(skus, ceiling, models);
        let kept = Vec::new();
        Self { ceiling, worth, skus: skus.len(), models, effort, kept, below_spine }
    }

    /// Models on offer that are worth a place of so many ports.
    pub(super) fn models_worth_ports(&self, ports: u64) -> Vec<usize> {
        self.worth.models_with_ports(ports).to_vec()
    }

    /// What plans may weigh.
    pub(super) const fn weight_ceiling(&self) -> &'a WeightCeiling {
        self.ceiling
    }

    /// True where weights alone decide, and idle lanes have one.
    pub(super) fn weighs_idle(&self) -> bool {
        self.ceiling.all && !self.ceiling.lanes.are_own()
    }

    /// False where plans that weigh so much by each scale are too heavy, or no better than a plan
    /// that is known.
    pub(super) fn may_improve(&self, weigh: impl Fn(&WeightScale) -> f64) -> bool {
        self.hopeful_at(|_, scale| weigh(scale))
    }

    /// Likewise, by the place of a scale among all.
    pub(super) fn hopeful_at(&self, weigh: impl Fn(usize, &WeightScale) -> f64) -> bool {
        if !self.ceiling.admits_at(&weigh) {
            return false;
        }
        // Below a spine across rails a heavier plan with fewer links to it may be better.
        if !self.ceiling.all || self.below_spine {
            return true;
        }
        let scales = || self.ceiling.scales.iter().enumerate();
        let beaten = |known: &KeptPlan| {
            let mut less = false;
            let pairs =
                scales().map(|(place, scale)| (known.burdens.most[place], weigh(place, scale)));
            for (known, least) in pairs {
                if known > least {
                    return false;
                }
                less |= known < least;
            }
            less
        };
        !self.kept.iter().any(beaten)
    }

    /// Takes steps of the effort that may be made; false where none are left.
    pub(super) const fn has_spent_steps(&mut self, steps: u64) -> bool {
        self.effort.has_spent_steps(steps)
    }

    /// Takes a plan unless another one makes it needless, and drops those that it makes so.
    /// Of those that need as much the one of the best grade stays.
    pub(super) fn insert_plan(
        &mut self,
        needs: &PlanNeeds<'_>,
        idle: impl FnOnce() -> [Idle<u64>; 2],
        grade: impl FnOnce() -> PlanGrade,
        plan: impl FnOnce() -> TreePlan,
    ) {
        if let Some(most) = self.models {
            let mut models: Vec<usize> =
                needs.switches.iter().filter(|(_, n)| *n > 0).map(|(sku, _)| *sku).collect();
            models.sort_unstable();
            models.dedup();
            if models.len() > most as usize {
                return;
            }
        }
        let weigh = |scale: &WeightScale| -> f64 {
            let switches =
                needs.switches.iter().map(|(sku, n)| scale.switch_weight(*sku) * *n as f64);
            switches.sum::<f64>() + scale.link * needs.links as f64
        };
        if !self.ceiling.can_admit_build(weigh) {
            return;
        }
        let burdens = |idle: &Idle<u64>| -> Vec<f64> {
            let mut burdens: Vec<f64> = if self.ceiling.all {
                let scales = self.ceiling.scales.iter();
                scales.map(|scale| weigh(scale) + idle.weighted_sum(&scale.idle)).collect()
            } else {
                let mut counts = vec![0.0; self.skus + 1];
                for (sku, n) in needs.switches {
                    counts[*sku] += *n as f64;
                }
                counts[self.skus] = needs.links as f64;
                let lit = idle.lit_lanes_above_hosts(needs.links, &self.ceiling.lanes);
                counts.extend(lit.lane_kinds().map(|lanes| lanes as f64));
                counts
            };
            if self.below_spine {
                burdens.push(needs.across as f64);
            }
            burdens
        };
        let is_beaten =
            |least: &[f64]| self.kept.iter().any(|known| is_dominating(&known.burdens.most, least));
        let none = burdens(&Idle::default());
        if is_beaten(&none) {
            return;
        }
        let burdens = if self.ceiling.lanes.are_own() {
            Burdens { most: none.clone(), least: none }
        } else {
            let [least, most] = idle();
            Burdens { most: burdens(&most), least: burdens(&least) }
        };
        if is_beaten(&burdens.least) {
            return;
        }
        let grade = grade();
        if let Some(known) = self.kept.iter_mut().find(|known| known.burdens == burdens) {
            if grade.is_better(known.grade) {
                (known.grade, known.plan) = (grade, plan());
            }
            return;
        }
        self.kept.retain(|known| !is_dominating(&burdens.most, &known.burdens.least));
        self.kept.push(KeptPlan { burdens, grade, plan: plan() });
    }

    /// The builds of all plans that stay, those that need less first.
    pub(super) fn into_builds(mut self, make: impl Fn(&TreePlan) -> Option<Build>) -> Vec<Build> {
        self.kept.sort_by(|a, b| {
            let pairs = a.burdens.most.iter().zip(&b.burdens.most);
            let unlike = pairs.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
            unlike.unwrap_or(std::cmp::Ordering::Equal)
        });
        self.kept.iter().filter_map(|kept| make(&kept.plan)).collect()
    }
}

/// No more of anything, and less of something.
fn is_dominating(one: &[f64], other: &[f64]) -> bool {
    let mut less = false;
    for (a, b) in one.iter().zip(other) {
        if a > b {
            return false;
        }
        less |= a < b;
    }
    less
}
