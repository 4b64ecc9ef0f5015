//! Which members of a family are routed: fabrics that are timed on their cables one by one.

use super::family_chains::{MemberChain, family_chains};
use super::program::{ProgramInstance, SizingTools, no_family_member_reason};
use super::sized_fabric::{SizedFabric, too_slow_reason};
use crate::design::columns::column::BuiltFabric;
use crate::design::columns::context::ColumnContext;
use crate::design::columns::four_tier_trees::UntimedFabric;
use crate::design::columns::terms::Terms;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::machine::Level;
use crate::sizing::{Solution, Status};
use crate::units::{ROUNDING, Seconds, Usd};

/// Interfaces of all members together that a candidate may have routed for one question: 512
/// members of 64, 128 of 256, 32 of a thousand.
const ROUTED: u64 = 1 << 15;

/// Part of that for a question of a study, such as a design under another limit.
const STUDIED: u64 = 4;

/// Members that may be routed however many interfaces they have.
const LEAST_ROUTED: u64 = 24;

/// The best member of the terms' family that is no slower than the pace of a context.
///
/// A first answer is found by halving: along a chain members cost more, and steps get shorter more
/// often than not. Then every member that costs less were parts in stock free is routed, the
/// cheapest first. Where no more may be routed, what the cheapest member costs that was not is the
/// bound.
///
/// # Errors
/// Why there is none.
pub(super) fn cheapest_fast_member(
    instance: &ProgramInstance<'_>,
    context: &ColumnContext<'_>,
    capped: Seconds,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Result<SizedFabric, Infeasible> {
    // Links between switches that take several ports are made by builds of trees alone.
    if context.parts.width > 1 {
        return Err(no_family_member_reason(context, terms.fabric));
    }
    let share = if tools.is_study() { STUDIED } else { 1 };
    let left = (ROUTED / context.job.endpoints().max(1)).max(LEAST_ROUTED) / share;
    let mut search = MemberSearch {
        instance,
        context,
        step_limit: capped,
        terms,
        routings_left: left,
        best: None,
        failed: None,
        fastest: None,
    };
    let all = search.chains_by_cost();
    let budget = search.routings_left;
    search.find_first_answer(&all, tools);
    // Halving is quick and finds no proof: the rest of what may be routed goes to what is cheaper
    // still.
    for (least, chain) in &all {
        let enough = search.best.is_some() && search.routings_left <= budget / 2;
        if enough
            || search.is_beaten(*least)
            || search.search_chain(chain, tools) == ChainResult::Partly
        {
            break;
        }
    }
    let unseen = search.route_cheaper_members(&all, tools);
    let Some(best) = search.best else {
        return Err(match (unseen, search.failed, search.fastest) {
            (Some(_), ..) => Infeasible::Unknown,
            (None, Some(failed), _) => failed,
            (None, None, Some(paces)) => too_slow_reason(context, paces),
            (None, None, None) => no_family_member_reason(context, terms.fabric),
        });
    };
    let cost = best.solution.cost.get();
    match unseen.filter(|least| *least < cost * (1.0 - ROUNDING)) {
        None => Ok(best),
        Some(least) => {
            let solution = Solution { status: Status::Incumbent, ..best.solution.clone() };
            Ok(SizedFabric { solution, ..best }.with_bound(Usd::from_f64(least)))
        }
    }
}

/// Whether all of a chain that matters was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChainResult {
    Wholly,
    Partly,
}

/// A search for the best member.
struct MemberSearch<'s, 'a> {
    instance: &'s ProgramInstance<'a>,
    context: &'s ColumnContext<'s>,
    step_limit: Seconds,
    terms: &'s Terms<'s>,
    routings_left: u64,
    /// The cheapest that is fast enough.
    best: Option<SizedFabric>,
    /// The furthest failure beside being slow.
    failed: Option<Infeasible>,
    /// Steps on the fastest of those that were too slow.
    fastest: Option<Vec<Seconds>>,
}

impl MemberSearch<'_, '_> {
    /// True where what costs no less than that can't be the best.
    fn is_beaten(&self, least: f64) -> bool {
        let known = self.best.as_ref().map_or(f64::INFINITY, |best| best.solution.cost.get());
        least >= known * (1.0 - ROUNDING) || least > self.context.max_cost * (1.0 + ROUNDING)
    }

    /// True where nothing is in stock, scarce or limited: then a member costs what its parts do.
    fn is_plain(&self) -> bool {
        let context = self.context;
        context.parts.all_bought()
            && context.limit_coefficients.is_empty()
            && context.limits.racks.is_none()
    }

    /// Chains by what their cheapest members cost at least.
    fn chains_by_cost(&self) -> Vec<(f64, MemberChain)> {
        let floor = |chain: &MemberChain| {
            let read = |place| self.member_cost_lower_bound(chain, place);
            if chain.is_ascending() {
                read(0)
            } else {
                (0..chain.len).filter_map(read).reduce(f64::min)
            }
        };
        let all = family_chains(self.context, self.terms.fabric).into_iter();
        let mut found: Vec<(f64, MemberChain)> =
            all.filter_map(|chain| Some((floor(&chain)?, chain))).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found
    }

    /// What a member costs were parts in stock free, in the units of the objective; `None` where
    /// there is none.
    fn member_cost_lower_bound(&self, chain: &MemberChain, place: u32) -> Option<f64> {
        let (fabric, _) = chain.member_at(place).fabric_on_model(self.context, chain.sku)?;
        Some(UntimedFabric::new(self.context, fabric).cost_with_free_stock(self.context))
    }

    /// Members of a chain that no faster one is cheaper than, the cheapest first.
    fn undominated_members(&self, chain: &MemberChain) -> Vec<u32> {
        if chain.is_ascending() {
            return (0..chain.len).collect();
        }
        let mut lightest = f64::INFINITY;
        let mut steps = Vec::new();
        for place in (0..chain.len).rev() {
            if let Some(least) =
                self.member_cost_lower_bound(chain, place).filter(|least| *least < lightest)
            {
                lightest = least;
                steps.push(place);
            }
        }
        steps.reverse();
        steps
    }

    /// A first answer, where there are more chains than may be routed: what is dearer is faster,
    /// more often than not.
    fn find_first_answer(&mut self, all: &[(f64, MemberChain)], tools: &mut SizingTools<'_>) {
        if (all.len() as u64) < self.routings_left {
            return;
        }
        let (mut low, mut high) = (0, all.len());
        while low < high && self.routings_left > LEAST_ROUTED / 2 {
            let middle = low.midpoint(high);
            let before = self.best.as_ref().map(|best| best.solution.cost);
            let (least, chain) = &all[middle];
            if !self.is_beaten(*least) {
                self.search_chain(chain, tools);
            }
            let better = self.best.as_ref().map(|best| best.solution.cost) != before;
            if better { high = middle } else { low = middle + 1 }
        }
    }

    /// Routes every member that costs less than the best answer, the cheapest first, and takes
    /// those that are fast enough. What the first costs that may not be routed any more.
    fn route_cheaper_members(
        &mut self,
        all: &[(f64, MemberChain)],
        tools: &mut SizingTools<'_>,
    ) -> Option<f64> {
        let mut members: Vec<(f64, &MemberChain, u32)> = Vec::new();
        for (_, chain) in all.iter().take_while(|(least, _)| !self.is_beaten(*least)) {
            for place in 0..chain.len {
                let Some(least) = self.member_cost_lower_bound(chain, place) else { continue };
                if !self.is_beaten(least) {
                    members.push((least, chain, place));
                } else if chain.is_ascending() {
                    break;
                }
            }
        }
        members.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (least, chain, place) in members {
            if self.is_beaten(least) {
                return None;
            }
            match self.is_fast(chain, place, tools) {
                None => return Some(least),
                Some(false) => {}
                Some(true) => {
                    self.best = self.size_member(chain, place, tools).or_else(|| self.best.take())
                }
            }
        }
        None
    }

    /// Takes the cheapest member of a chain that is fast enough, where that is the best so far.
    fn search_chain(&mut self, chain: &MemberChain, tools: &mut SizingTools<'_>) -> ChainResult {
        let steps = self.undominated_members(chain);
        // Dearer members break a limit or cost more than is known where a cheaper one does.
        let (mut low, mut high) = (0, steps.len());
        while low < high {
            let middle = low.midpoint(high);
            let will_do = if self.is_plain() {
                self.member_cost_lower_bound(chain, steps[middle])
                    .is_some_and(|least| !self.is_beaten(least))
            } else {
                self.size_member(chain, steps[middle], tools).is_some()
            };
            if will_do { low = middle + 1 } else { high = middle }
        }
        let Some(last) = low.checked_sub(1) else { return ChainResult::Wholly };
        match self.is_fast(chain, steps[last], tools) {
            None => return ChainResult::Partly,
            Some(false) => return ChainResult::Wholly,
            Some(true) => {}
        }
        let (mut low, mut high) = (0, last);
        let mut looked = ChainResult::Wholly;
        while low < high {
            let middle = low.midpoint(high);
            match self.is_fast(chain, steps[middle], tools) {
                Some(true) => high = middle,
                Some(false) => low = middle + 1,
                None => {
                    looked = ChainResult::Partly;
                    low = high;
                }
            }
        }
        if let Some(found) = self.size_member(chain, steps[high], tools) {
            self.best = Some(found);
        }
        looked
    }

    /// A member as the integer program has it, within all limits and cheaper than the best; `None`
    /// where it is not that. Its step is as long as is known.
    fn size_member(
        &mut self,
        chain: &MemberChain,
        place: u32,
        tools: &mut SizingTools<'_>,
    ) -> Option<SizedFabric> {
        let (mut fabric, level) =
            chain.member_at(place).fabric_on_model(self.context, chain.sku)?;
        let context = self.context;
        if !context.parts.lanes.are_own() {
            fabric.counts.occupancy =
                fabric.blueprint.build_fabric_graph().ok().map(|graph| graph.occupancy());
        }
        let whole = UntimedFabric::new(context, fabric);
        if self.is_beaten(whole.cost_with_free_stock(context)) {
            return None;
        }
        // What a step takes on it is not asked before it is routed.
        let time = if tools.cache.is_routed(context.job, level) {
            context.job.blend_step_times(tools.cache.step_times_by_workload(context.job, level))
        } else {
            context.job.full_bisection_step_time()
        };
        let column = whole.with_level(level).into_column(time);
        let tools = (tools.options, &mut tools.work);
        match self.instance.solve_over_columns(
            context,
            self.terms,
            &[column],
            self.step_limit,
            tools.0,
            tools.1,
        ) {
            Ok(sized) if self.is_beaten(sized.solution.cost.get()) => None,
            Ok(sized) => Some(sized),
            Err(reason) => {
                self.failed = Some(Infeasible::pick_further(self.failed.take(), reason));
                None
            }
        }
    }

    /// Whether a member is fast enough, also after a loss; `None` where it is not known and no more
    /// may be routed.
    fn is_fast(
        &mut self,
        chain: &MemberChain,
        place: u32,
        tools: &mut SizingTools<'_>,
    ) -> Option<bool> {
        let Some((fabric, level)) = chain.member_at(place).fabric_on_model(self.context, chain.sku)
        else {
            return Some(false);
        };
        let context = self.context;
        if !context.demand.has_bandwidth(level) {
            return Some(false);
        }
        if !tools.cache.is_routed(context.job, level) {
            if self.routings_left == 0 || tools.ends_study() {
                return None;
            }
            self.routings_left -= 1;
            if let Err(reason) = tools.cache.route_member(context.job, level, &fabric) {
                self.failed = Some(Infeasible::pick_further(self.failed.take(), reason));
                return Some(false);
            }
        }
        let paces = tools.cache.step_times_by_workload(context.job, level).to_vec();
        let fast = context.demand.are_fast_enough(&paces)
            && context.is_fast_enough(context.job.blend_step_times(&paces));
        if !fast {
            let total = |times: &[Seconds]| context.job.blend_step_times(times);
            if self.fastest.as_ref().is_none_or(|known| total(&paces) < total(known)) {
                self.fastest = Some(paces);
            }
            return Some(false);
        }
        Some(self.can_survive_losses(&fabric, level, tools))
    }

    /// Whether it keeps its pace after every loss that it has to survive.
    fn can_survive_losses(
        &mut self,
        fabric: &BuiltFabric,
        level: Level,
        tools: &mut SizingTools<'_>,
    ) -> bool {
        let survives = tools.cache.member_survives(self.context, level, fabric);
        if !survives {
            let pace = self.terms.limits.survive_pace;
            self.failed =
                Some(Infeasible::pick_further(self.failed.take(), Infeasible::Stands { pace }));
        }
        survives
    }
}
