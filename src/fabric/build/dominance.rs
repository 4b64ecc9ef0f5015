//! Drops builds that another one makes needless.

use std::cmp::Reverse;

use super::build::TreePlan;
use super::pruning::{BuildEffort, ModelWorth, WeightCeiling};
use super::{Build, SwitchModel, WeightScale};
use crate::fabric::{IdleLanes, Lanes, Ratio};

/// The builds that no other one of as many rails, the same ports and links across rails and leafs
/// of the same size beats: none needs no more of *every* model and no more links. Among equals the
/// one with more bandwidth within the rail stays, then the one with fewer layers.
///
/// Never across models: stock may make the dearer one free. Never across different ports or links
/// to a spine across rails: they decide by which numbers of spines these can be divided, and how
/// large it is. Never across sizes of leafs that block: which messages leave a leaf decides how
/// long a step takes.
pub(super) fn drop_dominated_builds(
    builds: Vec<Build>,
    skus: &[SwitchModel],
    lanes: &Lanes,
) -> Vec<Build> {
    let mut keyed: Vec<(BuildKey, Build)> = builds
        .into_iter()
        .map(|build| (BuildKey::from_build(&build, skus, lanes), build))
        .collect();
    keyed.sort_by(|(a, x), (b, y)| {
        a.group
            .cmp(&b.group)
            .then(a.links.cmp(&b.links))
            .then_with(|| a.switches.cmp(&b.switches))
            .then(Reverse(x.within).cmp(&Reverse(y.within)))
            .then(x.layers.len().cmp(&y.layers.len()))
    });
    let mut kept: Vec<(BuildKey, Build)> = Vec::new();
    let mut group_start = 0;
    for (key, build) in keyed {
        if kept.get(group_start).is_some_and(|(first, _)| first.group != key.group) {
            group_start = kept.len();
        }
        // Those before it have no more links, so only the switches are left to compare.
        if !kept[group_start..].iter().any(|(other, _)| other.needs_no_more_than(&key)) {
            kept.push((key, build));
        }
    }
    kept.into_iter().map(|(_, build)| build).collect()
}

/// Dominance by weight alone: the builds that no other one of as many rails, equal ports and links
/// across rails and leafs of the same size beats in weight and bandwidth within the rail.
pub(super) fn keep_lightest_builds(
    builds: Vec<Build>,
    scale: &WeightScale,
    skus: &[SwitchModel],
    lanes: &Lanes,
) -> Vec<Build> {
    let weight = |build: &Build| {
        let switches =
            build.layers.iter().map(|layer| scale.switch_weight(layer.sku) * layer.count as f64);
        let idle = idle_lanes_of_build(build, skus, lanes).weighted_sum(&scale.idle);
        switches.sum::<f64>() + scale.link * build.link_count() as f64 + idle
    };
    let group =
        |build: &Build| (build.rails, ports_across(build), build.across_links, blocked_at(build));
    let mut weighed: Vec<(_, f64, Build)> =
        builds.into_iter().map(|build| (group(&build), weight(&build), build)).collect();
    weighed.sort_by(|(group, a, x), (other, b, y)| {
        group
            .cmp(other)
            .then(a.total_cmp(b))
            .then(Reverse(x.within).cmp(&Reverse(y.within)))
            .then(x.link_count().cmp(&y.link_count()))
            .then(x.layers.len().cmp(&y.layers.len()))
    });
    let mut kept: Vec<Build> = Vec::new();
    let mut last = None;
    for (group, _, build) in weighed {
        // Lighter ones of its group stand before it, the last of them with the most bandwidth.
        let alike = last.as_ref() == Some(&group);
        if !alike || kept.last().is_none_or(|other| other.within < build.within) {
            kept.push(build);
        }
        last = Some(group);
    }
    kept
}

/// Endpoints under a leaf whose uplinks can't carry all that it sends, where a spine joins rails; 0
/// where none blocks.
fn blocked_at(build: &Build) -> u32 {
    let blocks = build.within < Ratio::ONE && build.across > Ratio::ZERO;
    if blocks { build.leaf_endpoints } else { 0 }
}

/// The different numbers of ports across rails that its leafs have.
fn ports_across(build: &Build) -> Vec<u32> {
    let mut across: Vec<u32> = build.across_ports().map(|(_, ports)| ports).collect();
    across.sort_unstable();
    across.dedup();
    across
}

/// What builds are compared by.
struct BuildKey {
    /// Only builds of one group are compared: rails, endpoints under a leaf that blocks, and the
    /// links and ports across of each kind of leaf.
    group: (u32, u32, u64, Vec<u32>),
    links: u64,
    /// Switches of each model.
    switches: Vec<u64>,
    lit: [u64; 4],
}

/// Lanes that stay idle; all links are alike here.
fn idle_lanes_of_build(build: &Build, skus: &[SwitchModel], lanes: &Lanes) -> IdleLanes<u64> {
    if lanes.are_own() {
        IdleLanes::default()
    } else {
        build.occupancy(skus, 1, build.rails).idle_lanes(lanes)
    }
}

impl BuildKey {
    fn from_build(build: &Build, skus: &[SwitchModel], lanes: &Lanes) -> Self {
        let switches = (0..skus.len()).map(|sku| build.switches_of(sku)).collect();
        Self {
            group: (build.rails, blocked_at(build), build.across_links, ports_across(build)),
            links: build.link_count(),
            switches,
            lit: idle_lanes_of_build(build, skus, lanes)
                .lit_lanes_above_hosts(build.link_count(), lanes)
                .lane_kinds(),
        }
    }

    fn needs_no_more_than(&self, other: &Self) -> bool {
        let no_more = |(mine, theirs): (&u64, &u64)| mine <= theirs;
        self.switches.iter().zip(&other.switches).all(no_more)
            && self.lit.iter().zip(&other.lit).all(no_more)
    }
}

/// Switches of a plan, each model once at most in a pair, and its links.
pub(super) struct PlanNeeds<'a> {
    pub(super) switches: &'a [(usize, u64)],
    pub(super) links: u64,
    /// Those of the links that lead to a spine across rails: the more of them, the larger that
    /// spine.
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

/// What a plan needs, counted or weighed: at most, and at least, as leafs may have fewer endpoints
/// each than they have room for.
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
    max_models: Option<u32>,
    effort: &'a mut BuildEffort,
    plans: Vec<KeptPlan>,
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
        Self {
            ceiling,
            worth,
            skus: skus.len(),
            max_models: models,
            effort,
            plans: kept,
            below_spine,
        }
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
        self.ceiling.only_weight && !self.ceiling.lanes.are_own()
    }

    /// False where plans that weigh so much by each scale are too heavy, or no better than a plan
    /// that is known.
    pub(super) fn may_improve(&self, weigh: impl Fn(&WeightScale) -> f64) -> bool {
        self.hopeful_at(|_, scale| weigh(scale))
    }

    /// As `may_improve`, by the place of a scale among all.
    pub(super) fn hopeful_at(&self, weigh: impl Fn(usize, &WeightScale) -> f64) -> bool {
        if !self.ceiling.admits_at(&weigh) {
            return false;
        }
        // Below a spine across rails a heavier plan with fewer links to it may be better.
        if !self.ceiling.only_weight || self.below_spine {
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
        !self.plans.iter().any(beaten)
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
        idle: impl FnOnce() -> [IdleLanes<u64>; 2],
        grade: impl FnOnce() -> PlanGrade,
        plan: impl FnOnce() -> TreePlan,
    ) {
        if let Some(most) = self.max_models {
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
        let burdens = |idle: &IdleLanes<u64>| -> Vec<f64> {
            let mut burdens: Vec<f64> = if self.ceiling.only_weight {
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
        let is_beaten = |least: &[f64]| {
            self.plans.iter().any(|known| is_dominating(&known.burdens.most, least))
        };
        let none = burdens(&IdleLanes::default());
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
        if let Some(known) = self.plans.iter_mut().find(|known| known.burdens == burdens) {
            if grade.is_better(known.grade) {
                (known.grade, known.plan) = (grade, plan());
            }
            return;
        }
        self.plans.retain(|known| !is_dominating(&burdens.most, &known.burdens.least));
        self.plans.push(KeptPlan { burdens, grade, plan: plan() });
    }

    /// The builds of all plans that stay, those that need less first.
    pub(super) fn into_builds(mut self, make: impl Fn(&TreePlan) -> Option<Build>) -> Vec<Build> {
        self.plans.sort_by(|a, b| {
            let pairs = a.burdens.most.iter().zip(&b.burdens.most);
            let unlike = pairs.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
            unlike.unwrap_or(std::cmp::Ordering::Equal)
        });
        self.plans.iter().filter_map(|kept| make(&kept.plan)).collect()
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
