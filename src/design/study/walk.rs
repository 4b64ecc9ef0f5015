//! A walk along what candidates cost at each step time, from the cheapest fabric to the fastest, past what known
//! designs beat.

use super::contenders::{BestCase, FrontierCandidate, InLayout};
use super::front::{KnownFront, LEAST_GAIN, SAME};
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::layouts::max_layouts_sized;
use crate::design::candidate::list::Candidate;
use crate::design::fabric::instance::{ProgramInstance, SizingTools};
use crate::design::fabric::sized::SizedFabric;
use crate::design::fabric::terms::{Demand, Terms};
use crate::design::fabric::within::cheapest_within_step_time;
use crate::units::Seconds;

/// Layouts that are sized here, over those that are beside a design: most are beaten before long.
const MORE: usize = 10;

/// What came of it so far.
#[derive(Default)]
pub(super) struct FrontierWalk<'j, 'a> {
    /// Designs that none of those before beat.
    pub(super) found: Vec<(&'j Job<'a>, SizedFabric)>,
    /// Cost and step of what was not sized, each at best.
    open: Vec<(f64, Seconds)>,
    front: KnownFront,
    /// Candidates that were sized.
    sized: u64,
}

/// What was looked at on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkResult {
    /// Layouts that break no rule, on all machines; `None` where none is open.
    pub(super) layouts: Option<u64>,
    /// Candidates that were sized.
    pub(super) sized: u64,
}

impl<'j, 'a> FrontierWalk<'j, 'a> {
    /// Adds the designs of a candidate, unless known ones beat them.
    ///
    /// # Errors
    /// Why it has none, where known ones do not beat it.
    pub(super) fn walk_candidate(
        &mut self,
        candidate: &'j Candidate<'a>,
        terms: &Terms<'_>,
        tools: &mut SizingTools<'_>,
    ) -> Result<(), Infeasible> {
        let Candidate { job, planes, protocol } = candidate;
        let terms = Terms { protocol: *protocol, ..*terms };
        let (floor, fast) = (candidate.lower_bound(&terms), job.full_bisection_step_time());
        if self.front.has_dominating_design(floor, fast) {
            return Ok(());
        }
        self.sized += 1;
        // What takes more than a design with no longer step is beaten.
        let useful = self.front.value_at(fast);
        let terms = if useful.is_finite() { terms.with_value_limit(useful) } else { terms };
        let instance = ProgramInstance::new(job, *planes, &terms, Demand::from_terms(job, &terms));
        let mut context = instance.column_context(job, *planes, &terms);
        // The fastest is looked for in any case.
        let faster = |step: Seconds| {
            let next = Seconds::from_f64(step.get() * (1.0 - LEAST_GAIN));
            let is_last = next < fast && step > fast * (1.0 + SAME);
            if is_last { fast * (1.0 + SAME) } else { next }
        };
        let mut asked = terms;
        let mut last = None;
        loop {
            // What is slower than a known design and no cheaper is needless.
            context.pace = context.pace.min(faster(self.front.step_at(last.unwrap_or(floor))));
            let sized =
                match cheapest_within_step_time(&instance, &context, context.pace, &asked, tools) {
                    Ok(sized) => sized,
                    Err(reason) if last.is_none() && !asked.silent => return Err(reason),
                    Err(_) => return Ok(()),
                };
            if sized.value > useful {
                return Ok(());
            }
            last = Some(sized.value);
            asked.silent = true;
            self.front.add(sized.value, sized.time);
            context.pace = faster(sized.time);
            self.found.push((job, sized));
        }
    }

    /// Cost and step of what was not sized, each at best, where no known design beats that.
    pub(super) fn unsized_but_undominated(&self) -> Vec<(f64, Seconds)> {
        let open =
            self.open.iter().filter(|(cost, step)| !self.front.has_dominating_design(*cost, *step));
        open.copied().collect()
    }

    /// Adds the designs in the layouts that are slower than the fastest one of each machine.
    pub(super) fn walk_layouts(
        &mut self,
        field: &'j [FrontierCandidate<'a>],
        terms: &Terms<'_>,
        tools: &mut SizingTools<'_>,
    ) -> WalkResult {
        let mut all: Vec<(&FrontierCandidate<'a>, &InLayout<'a>)> = Vec::new();
        let mut looked_at: Option<u64> = None;
        for contender in field {
            let (floor, least) = contender.lower_bounds(terms);
            if self.front.has_dominating_design(floor, least) {
                continue;
            }
            let slower = contender.slower_layouts(terms);
            if slower.looked_at > 0 {
                *looked_at.get_or_insert(0) += slower.looked_at;
            }
            self.open.extend(&slower.rest);
            all.extend(slower.layouts.iter().map(|layout| (contender, layout)));
        }
        let least = |in_layout: &InLayout<'_>| {
            let both = |one: BestCase, other: &BestCase| (one.0.min(other.0), one.1.min(other.1));
            in_layout.at_best.iter().fold((f64::INFINITY, Seconds::ENDLESS), both)
        };
        all.sort_by(|(_, one), (_, other)| {
            let (one, other) = (least(one), least(other));
            one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
        });
        let machines = field.iter().map(FrontierCandidate::machine);
        let most = field.first().map_or(0, |frontier_candidate| {
            MORE * max_layouts_sized(frontier_candidate.scenario(), machines)
        });
        let mut sized = 0;
        for (contender, layout) in all {
            if layout
                .at_best
                .iter()
                .all(|(floor, step)| self.front.has_dominating_design(*floor, *step))
            {
                continue;
            }
            if sized == most {
                self.open.extend(&layout.at_best);
                continue;
            }
            sized += 1;
            for candidate in contender.candidates_in(layout) {
                // A layout that no fabric runs fast enough is none of a frontier.
                let _ = self.walk_candidate(candidate, terms, tools);
            }
        }
        WalkResult { layouts: looked_at, sized: self.sized }
    }
}
