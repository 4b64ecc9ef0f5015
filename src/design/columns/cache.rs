//! What is computed once and asked for often: builds by request, step times by level.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use foldhash::fast::FixedState;

use super::column::{BuiltFabric, RailGroup, Shapes};
use super::context::ColumnContext;
use super::faults::{
    LossEffect, PieceLoss, fabric_left_after_losses, loss_effects, paces_after_losses,
};
use super::routes::route_until_settled;
use crate::design::effort;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::design::job::machine::{FamilyMember, Level};
use crate::fabric::{
    Blueprint, Build, BuildEffort, Counts, Filling, RailRequest, Ratio, SurvivedLosses,
    SwitchModel, TreeRequest, WeightCeiling, rail_builds_within, tree_builds_within,
};
use crate::units::Seconds;

/// Builds that were generated before: several rank orders, objectives and limits ask for the
/// same ones.
#[derive(Debug, Default)]
pub(crate) struct SizingCache {
    /// Models that builds were asked for.
    models: Vec<Vec<SwitchModel>>,
    known: BTreeMap<BuildKey, Vec<AdmittedTrees>>,
    trees: BTreeMap<TreeKey, Vec<AdmittedTrees>>,
    /// What may still be spent on making builds.
    pub(crate) effort: BuildEffort,
    /// By the bits of the pace.
    shapes: BTreeMap<LeafShapeKey, BTreeMap<u64, Rc<Shapes>>>,
    losses: BTreeMap<(LeafShapeKey, u64), Option<Rc<SurvivedLosses>>>,
    /// Levels whose paces are known, by their place on their line.
    lines: HashMap<LevelKey, BTreeMap<u64, Level>>,
    // Asked for millions of times; nobody walks over them, so their order is in no answer.
    paces: HashMap<StepTimeKey, Vec<Seconds>, FixedState>,
    /// As `paces`, after a loss: with the share that is left, and whether that is of uplinks too.
    after: HashMap<AfterLossKey, Vec<Seconds>>,
    /// Members that were routed for a job: its clock knows them.
    routed: BTreeSet<(usize, FamilyMember)>,
    /// What losses leave of the pace on members, by job.
    members: BTreeMap<(usize, FamilyMember), Rc<Vec<LossEffect>>>,
    /// What losses leave of fabrics that were wired, the latest last.
    losses_of: Vec<(Blueprint, Rc<Vec<PieceLoss>>)>,
}

/// What builds are asked for: the two least shares, endpoints, models in a rail, and [the
/// models](SizingCache::place_of_switch_models).
type BuildKey = (Ratio, Ratio, u64, Option<u32>, usize);

/// Levels that differ in nothing but the uplinks of a leaf: job, domains under one, planes, whether
/// rails are unblocked, whether something joins them.
type LevelKey = (usize, Option<u32>, u32, bool, bool);

/// Job, domains under one leaf switch, planes; the bits of bandwidth within and across; the fabric
/// where it is one of its own.
type StepTimeKey = (usize, Option<u32>, u32, u64, u64, Option<FamilyMember>);

/// What shapes of leafs are asked for beside the pace: job, group, ports of each model, and the
/// bits of what a fabric has to give.
type LeafShapeKey = (usize, RailGroup, Vec<u32>, Vec<u64>);

/// Builds that a ceiling admits.
type AdmittedTrees = (WeightCeiling, Rc<Vec<Build>>);

/// What trees are asked for: rails, endpoints, filling, models, shapes of leafs, models in a tree,
/// ports across rails and of an uplink, whether leafs are alike, and what leafs may hold after a
/// loss.
type TreeKey =
    (u32, u64, Filling, usize, Vec<Vec<u32>>, Option<u32>, [u32; 3], Option<SurvivedLosses>);

/// What shapes of leafs of a group are asked for.
fn shape_order(context: &ColumnContext<'_>, group: RailGroup) -> LeafShapeKey {
    let ports = context.skus.iter().map(|sku| sku.radix).collect();
    let mut bits = context.demand.identity_bits();
    bits.push(context.parts.width.into());
    // What a loss leaves depends on the planes.
    let after = context
        .survival
        .map(|requirement| (requirement.cache_key_bits(), u64::from(context.planes)));
    bits.extend(after.into_iter().flat_map(|(counts, planes)| counts.into_iter().chain([planes])));
    bits.push(context.job.machine.balance.planes_that_wait(context.planes).into());
    (context.job.id, group, ports, bits)
}

/// Job, domains under one leaf switch, planes; bandwidth within and across, share; whether uplinks
/// have it too.
type AfterLossKey = (usize, Option<u32>, u32, [u64; 3], bool);

fn after_key(job: &Job<'_>, level: Level, share: f64, uplinks: bool) -> AfterLossKey {
    let bits = [level.within, level.across, share].map(f64::to_bits);
    (job.id, level.leaf_domains, level.planes, bits, uplinks)
}

impl SizingCache {
    /// Nothing yet, where the making of builds may take so many steps.
    pub(in crate::design) fn new(steps: u64) -> Self {
        Self { effort: BuildEffort::with_steps(steps), ..Self::default() }
    }

    /// Time of a step on a fabric of that level, all workloads blended; endless where the
    /// fabric does not give what is demanded.
    pub(in crate::design) fn blended_step_time(
        &mut self,
        context: &ColumnContext<'_>,
        level: Level,
    ) -> Seconds {
        let paces = self.step_times_by_workload(context.job, level);
        if !context.demand.is_met(level, paces) {
            return Seconds::ENDLESS;
        }
        context.job.blend_step_times(paces)
    }

    /// True where a fabric of that level has the bandwidth that a context asks for, and a step on
    /// it is fast enough.
    ///
    /// A step takes no longer where more uplinks are: what is known of fewer or of more of them
    /// often answers. That is so by the clock alone, so a level that routing corrected is asked
    /// itself.
    pub(super) fn is_level_sufficient(
        &mut self,
        context: &ColumnContext<'_>,
        level: Level,
    ) -> bool {
        if !context.demand.has_bandwidth(level) {
            return false;
        }
        if context.job.is_strained(level) {
            return self.is_fast(context, level);
        }
        let free = level.within >= 1.0;
        let line = (context.job.id, level.leaf_domains, level.planes, free, level.across > 0.0);
        let place = if free { level.across } else { level.within }.to_bits();
        let known = self.lines.entry(line).or_default();
        let fewer = known.range(..=place).next_back().map(|(_, level)| *level);
        let more = known.range(place..).next().map(|(_, level)| *level);
        if fewer.is_some_and(|fewer| self.is_fast(context, fewer)) {
            return true;
        }
        if more.is_some_and(|more| !self.is_fast(context, more)) {
            return false;
        }
        self.lines.entry(line).or_default().insert(place, level);
        self.is_fast(context, level)
    }

    fn is_fast(&mut self, context: &ColumnContext<'_>, level: Level) -> bool {
        let paces = self.step_times_by_workload(context.job, level);
        context.demand.are_fast_enough(paces)
            && context.is_fast_enough(context.job.blend_step_times(paces))
    }

    /// Time of a step of every workload on a fabric of that level.
    pub(in crate::design) fn step_times_by_workload(
        &mut self,
        job: &Job<'_>,
        level: Level,
    ) -> &[Seconds] {
        let Level { leaf_domains, within, across, planes, member } = level;
        let key = (job.id, leaf_domains, planes, within.to_bits(), across.to_bits(), member);
        if self.paces.len() >= effort::STEP_TIMES_KEPT && !self.paces.contains_key(&key) {
            self.paces.clear();
        }
        self.paces.entry(key).or_insert_with(|| job.step_times(level))
    }

    /// Time of a step of every workload after a loss, where it is known.
    pub(super) fn get_step_times_after_loss(
        &self,
        job: &Job<'_>,
        level: Level,
        loss: (f64, bool),
    ) -> Option<&[Seconds]> {
        self.after.get(&after_key(job, level, loss.0, loss.1)).map(Vec::as_slice)
    }

    /// Keeps it.
    pub(super) fn put_step_times_after_loss(
        &mut self,
        job: &Job<'_>,
        level: Level,
        loss: (f64, bool),
        paces: Vec<Seconds>,
    ) {
        self.after.insert(after_key(job, level, loss.0, loss.1), paces);
    }

    /// What the loss of one piece of each kind leaves of a fabric for a job.
    fn cached_piece_losses(
        &mut self,
        job: &Job<'_>,
        counts: &Counts,
        blueprint: &Blueprint,
    ) -> Rc<Vec<PieceLoss>> {
        if let Some((_, known)) = self.losses_of.iter().find(|(known, _)| known == blueprint) {
            return Rc::clone(known);
        }
        let left =
            Rc::new(fabric_left_after_losses(job, counts, || blueprint.build_fabric_graph().ok()));
        if self.losses_of.len() >= effort::LOSSES_KEPT {
            self.losses_of.remove(0);
        }
        self.losses_of.push((blueprint.clone(), Rc::clone(&left)));
        left
    }

    /// Whether the clock of a job knows what a fabric of its own level takes.
    pub(in crate::design) fn is_routed(&self, job: &Job<'_>, level: Level) -> bool {
        level.member.is_some_and(|member| self.routed.contains(&(job.id, member)))
    }

    /// Routes what a job runs over the cables of a member, and has its clock know what that takes.
    ///
    /// # Errors
    /// Where it can't be wired, or the step can't be routed.
    pub(in crate::design) fn route_member(
        &mut self,
        job: &Job<'_>,
        level: Level,
        fabric: &BuiltFabric,
    ) -> Result<(), Infeasible> {
        let unrouted = |reason: String| Infeasible::Unrouted { reason };
        let graph = fabric
            .blueprint
            .build_fabric_graph()
            .map_err(|problem| unrouted(problem.to_string()))?;
        route_until_settled(job, level, &graph).map_err(|routed| unrouted(routed.to_string()))?;
        self.clear_step_times(); // of all jobs that share a workload
        self.routed.extend(level.member.map(|member| (job.id, member)));
        Ok(())
    }

    /// What the loss of one piece of each kind leaves of the pace of each workload of a job.
    pub(in crate::design) fn losses_left(
        &mut self,
        job: &Job<'_>,
        counts: &Counts,
        level: Level,
        blueprint: &Blueprint,
    ) -> Rc<Vec<LossEffect>> {
        let Some(member) = level.member else {
            let left = self.cached_piece_losses(job, counts, blueprint);
            return Rc::new(paces_after_losses(job, counts, level, &left));
        };
        let key = (job.id, member);
        if let Some(known) = self.members.get(&key) {
            return Rc::clone(known);
        }
        let graph = blueprint.build_fabric_graph().ok();
        let found = Rc::new(loss_effects(job, counts, level, graph.as_ref()));
        self.members.insert(key, Rc::clone(&found));
        found
    }

    /// Forgets all step times: some are not what they were, and jobs share workloads.
    pub(crate) fn clear_step_times(&mut self) {
        self.paces.clear();
        self.after.clear();
        self.lines.clear();
        self.shapes.clear();
        self.losses.clear();
    }

    /// The place of models among those that builds were asked for.
    fn place_of_switch_models(&mut self, skus: &[SwitchModel]) -> usize {
        let known = self.models.iter().position(|models| models == skus);
        known.unwrap_or_else(|| {
            self.models.push(skus.to_vec());
            self.models.len() - 1
        })
    }

    /// Builds of a rail that a ceiling admits; heavier ones too, where those are known.
    pub(super) fn rail_builds(
        &mut self,
        context: &ColumnContext<'_>,
        within: Ratio,
        across: Ratio,
        ceiling: &WeightCeiling,
    ) -> Rc<Vec<Build>> {
        let endpoints = u64::from(context.job.networked_domains());
        let models_per_rail = context.limits.models_per_rail;
        let models = self.place_of_switch_models(context.skus);
        let order = (within, across, endpoints, models_per_rail, models);
        let known = self.known.entry(order).or_default();
        if let Some((_, builds)) =
            known.iter().find(|(weight_ceiling, _)| weight_ceiling.admits_all_of(ceiling))
        {
            return Rc::clone(builds);
        }
        let request =
            RailRequest { endpoints, skus: context.skus, within, across, models_per_rail };
        let made = Rc::new(rail_builds_within(&request, ceiling, &mut self.effort));
        // Of a list that was cut short nothing is known.
        if !self.effort.is_spent() {
            known.push((ceiling.clone(), Rc::clone(&made)));
        }
        made
    }

    /// Shapes that the leafs of a group may have, as `make` gives them where they are not known: it
    /// may go by those of the next shorter and the next longer pace.
    pub(in crate::design) fn leaf_shapes(
        &mut self,
        context: &ColumnContext<'_>,
        group: RailGroup,
        make: impl FnOnce(&mut Self, [Option<Rc<Shapes>>; 2]) -> Shapes,
    ) -> Rc<Shapes> {
        let (order, pace) = (shape_order(context, group), context.pace.get().to_bits());
        let known = self.shapes.entry(order.clone()).or_default();
        let shorter = known.range(..=pace).next_back();
        if let Some((_, known)) = shorter.filter(|(count, _)| **count == pace) {
            return Rc::clone(known);
        }
        let longer = known.range(pace..).next();
        let beside = [shorter, longer].map(|pair| pair.map(|(_, known)| Rc::clone(known)));
        let made = Rc::new(make(self, beside));
        self.shapes.entry(order).or_default().insert(pace, Rc::clone(&made));
        made
    }

    /// As `leaf_shapes`, what they may hold after a loss.
    pub(in crate::design) fn survived_losses(
        &mut self,
        context: &ColumnContext<'_>,
        group: RailGroup,
        make: impl FnOnce(&mut Self) -> Option<SurvivedLosses>,
    ) -> Option<Rc<SurvivedLosses>> {
        let order = (shape_order(context, group), context.pace.get().to_bits());
        if let Some(known) = self.losses.get(&order) {
            return known.clone();
        }
        let made = make(self).map(Rc::new);
        self.losses.insert(order, made.clone());
        made
    }

    /// Trees of two or three tiers that a ceiling admits; heavier ones too, where those are known.
    pub(in crate::design) fn tree_builds(
        &mut self,
        request: &TreeRequest<'_>,
        ceiling: &WeightCeiling,
    ) -> Rc<Vec<Build>> {
        let models = self.place_of_switch_models(request.skus);
        let TreeRequest { rails, endpoints, filling, across, width, alike, .. } = *request;
        let shapes = request.widest.to_vec();
        let losses = request.losses.cloned();
        let ports = [across, width, alike.into()];
        let order = (rails, endpoints, filling, models, shapes, request.max_models, ports, losses);
        let known = self.trees.entry(order).or_default();
        if let Some((_, trees)) =
            known.iter().find(|(weight_ceiling, _)| weight_ceiling.admits_all_of(ceiling))
        {
            return Rc::clone(trees);
        }
        let made = Rc::new(tree_builds_within(request, ceiling, &mut self.effort));
        // Of a list that was cut short nothing is known.
        if !self.effort.is_spent() {
            known.push((ceiling.clone(), Rc::clone(&made)));
        }
        made
    }
}
