//! The search of what a spec leaves open. Layouts like those that were measured, with memory to
//! spare, come first; others are used where nothing else runs, or where they are faster by a stated
//! share.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::kernel_bounds::{KernelQuestion, kernel_bounds};
use super::no_layout::{NoLayout, refuse_too_large};
use super::phases::score_upper_bound;
use super::ranking::{Question, RankBy, RankedLayout, RankingRequest};
use super::run::{
    Effort, SearchResult, best_layout_given, best_layouts_within, better_layouts,
    count_legal_layouts, search_space,
};
use super::space::Space;
use crate::hardware::Gpu;
use crate::parallel::{Layout, LayoutRequest};
use crate::scenario::{Assumption, Workload};
use crate::technique::Recipe;
use crate::timing::{Clock, ExtrapolationAxis, NetworkModel, max_measured_extents};
use crate::units::{Bytes, Seconds};

/// So many times what was measured is looked at, to say what it would gain.
pub(super) const LOOKED_AT: u64 = 2;

/// What was found of an open request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OpenLayouts {
    /// The layouts that are used.
    pub(crate) found: SearchResult,
    /// How good the best of them is, by what layouts are ranked by, where better ones may lie
    /// [beyond](better_unused_layout) what was measured.
    within: Option<Seconds>,
}

impl OpenLayouts {
    /// True where layouts beyond what was measured are among those that are used.
    pub(crate) const fn is_beyond(&self) -> bool {
        self.within.is_none()
    }

    /// Layouts of a search that leaves none out.
    pub(super) const fn from_full_search(found: SearchResult) -> Self {
        Self { found, within: None }
    }
}

/// A layout that is better by the clock than those that are used: it lies beyond what was measured,
/// or fills the memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BetterUnusedLayout {
    layout: Layout,
    /// Share that it would save of what layouts are ranked by.
    saves: f64,
    /// Why it is not used.
    reasons: Vec<String>,
}

/// Savings that are told; smaller ones are noise of the clock.
const TOLD: f64 = 1e-3;

impl BetterUnusedLayout {
    fn new(
        candidate: &RankedLayout,
        best: (Seconds, Seconds),
        question: &Question<'_>,
        most: &[u64; ExtrapolationAxis::ALL.len()],
    ) -> Option<Self> {
        let saves = 1.0 - best.0 / best.1;
        let layout = candidate.layout.clone();
        let [_, _, stages, contexts, experts] = *most;
        let more = |value: u32, most: u64, name: ExtrapolationAxis| {
            let name = name.name();
            (u64::from(value) > most.max(1))
                .then(|| format!("{value} {name}, and at most {most} were measured"))
        };
        let share = candidate.memory.as_f64() / question.gpu.memory.as_f64();
        let full = format!("{:.1} % of the memory filled", share * 100.0);
        let reasons = [
            more(layout.interleave, stages, ExtrapolationAxis::VirtualStages),
            more(layout.context, contexts, ExtrapolationAxis::ContextRanks),
            more(layout.expert, experts, ExtrapolationAxis::ExpertRanks),
        ];
        let reasons: Vec<String> = reasons.into_iter().flatten().collect();
        let reasons = if reasons.is_empty() { vec![full] } else { reasons };
        (saves >= TOLD).then_some(Self { layout, saves, reasons })
    }

    /// What is said of it where it is not used.
    pub(crate) fn unused_layout_assumption(&self) -> Assumption {
        let Layout { tensor, pipeline, data, context, expert, .. } = self.layout;
        let more = [("context", context), ("expert", expert)];
        let more = more.into_iter().filter(|(_, degree)| *degree > 1);
        let more: String = more.map(|(name, degree)| format!(" x {name} {degree}")).collect();
        let text = format!(
            "not used, as not measured: tensor {tensor} x pipeline {pipeline} x data {data}{more} \
             would be {:.1} % faster by the time model ({}); parallelism.beyond_measured and \
             .spare_memory decide",
            self.saves * 100.0,
            self.reasons.join("; ")
        );
        Assumption { topic: "parallelism".into(), text, default: false }
    }
}

/// What a workload leaves open on so many GPUs, and what it states, as its techniques permit it.
pub(crate) fn open_space(workload: &Workload, gpus: u32) -> Space {
    let space = Space::from_request(&workload.layout, &workload.model, &workload.training, gpus);
    let recipe = Recipe::from_workload(workload);
    let permitted: Vec<_> =
        space.zero.iter().copied().filter(|zero| recipe.can_use_zero(*zero)).collect();
    // What is stated and not permitted is refused with its reason later.
    if permitted.is_empty() { space } else { Space { zero: permitted, ..space } }
}

/// What is counted beside the best layouts, or where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayoutCount {
    /// Every layout that fits.
    Fitting,
    /// Those that break no rule, where none fits.
    Legal,
    /// None; and layouts beyond what was measured take the place of no others.
    Measured,
    /// None; and where no layout has a step as short as is asked for, none that is longer is looked
    /// for.
    Shorter,
}

/// Questions whose answers are kept.
const KEPT: usize = 512;

/// What an answer follows from.
#[derive(Clone, PartialEq)]
struct SearchKey {
    // What differs most often comes first, as the first difference ends a comparison.
    network: NetworkModel,
    on_gpu: KernelQuestion,
    request: LayoutRequest,
    wanted: RankingRequest,
    counted: LayoutCount,
    longest_step: Seconds,
}

impl SearchKey {
    /// True where layouts of that answer may be among those of this one: another machine was asked
    /// for.
    fn is_like(&self, other: &Self) -> bool {
        self.on_gpu.is_like(&other.on_gpu) && self.wanted == other.wanted
    }
}

type KnownLayouts = Result<OpenLayouts, NoLayout>;

/// Answers of before: a design is asked for again under other limits and prices, on which no layout
/// depends. An answer is what it is whichever thread found it, and however soon.
static KNOWN: Mutex<VecDeque<(SearchKey, KnownLayouts)>> = Mutex::new(VecDeque::new());

/// What is stored is complete whenever the lock is free, whoever panicked.
fn lock_known_layouts() -> MutexGuard<'static, VecDeque<(SearchKey, KnownLayouts)>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The best layouts of what a request leaves open; of a question that was asked before, as then.
///
/// # Errors
/// Where more are open than are looked at.
pub(crate) fn search_open_layouts(
    question: &Question<'_>,
    space: &Space,
    request: &LayoutRequest,
    wanted: RankingRequest,
    effort: &Effort<'_>,
    counted: LayoutCount,
) -> Result<OpenLayouts, NoLayout> {
    let asked = SearchKey {
        network: question.network.clone(),
        on_gpu: KernelQuestion::for_space(question, space),
        request: request.clone(),
        wanted,
        counted,
        longest_step: question.longest_step,
    };
    let before = lock_known_layouts()
        .iter()
        .find(|(key, _)| *key == asked)
        .map(|(_, answer)| answer.clone());
    before.unwrap_or_else(|| {
        let like = lock_known_layouts()
            .iter()
            .find(|(key, answer)| answer.is_ok() && key.is_like(&asked))
            .and_then(|(_, answer)| Some(answer.as_ref().ok()?.found.best.clone()))
            .unwrap_or_default();
        let answer = find_open_layouts(question, space, &asked, effort, &like);
        let mut known = lock_known_layouts();
        known.truncate(KEPT - 1);
        known.push_front((asked, answer.clone()));
        answer
    })
}

/// What is looked at of a space: extents that were measured, and so many times as much.
struct Spaces {
    measured_extents: [u64; ExtrapolationAxis::ALL.len()],
    narrow: Space,
    wide: Space,
}

impl Spaces {
    fn for_question(question: &Question<'_>, space: &Space) -> Self {
        let most =
            max_measured_extents(question.model.moe.is_some(), &question.gpu.calibration.name);
        let (narrow, wide) = (space.up_to(&most, 1), space.up_to(&most, LOOKED_AT));
        Self { measured_extents: most, narrow, wide }
    }
}

/// The best layouts of what a request leaves open, looked for; `like` are those of a question like
/// it.
fn find_open_layouts(
    question: &Question<'_>,
    space: &Space,
    asked: &SearchKey,
    effort: &Effort<'_>,
    like: &[RankedLayout],
) -> Result<OpenLayouts, NoLayout> {
    let SearchKey { request, wanted, counted, .. } = asked;
    let (wanted, counted) = (*wanted, *counted);
    let Spaces { narrow, wide, .. } = Spaces::for_question(question, space);
    let silent = match counted {
        LayoutCount::Fitting => {
            refuse_too_large(std::iter::once((question, &wide)))?;
            None
        }
        // Of all that is looked at here.
        LayoutCount::Legal | LayoutCount::Measured | LayoutCount::Shorter => {
            Some(kernel_bounds(question, &wide.union_with(&narrow))?)
        }
    };
    let spare = 1.0 - request.spare_memory;
    let memory = Bytes::new((question.gpu.memory.as_f64() * spare) as u128);
    let gpu = Gpu { memory, ..question.gpu.clone() };
    let within = Question { gpu: &gpu, ..*question };
    let quiet = Effort { progress: &|_| {}, ..*effort };
    let searched = |question: &Question<'_>, space: &Space, effort: &Effort<'_>| match &silent {
        None => search_space(question, space, wanted, effort),
        Some(silent) => {
            let limit = score_upper_bound(question, space, wanted, like);
            best_layout_given(question, space, wanted, effort, limit, silent)
        }
    };
    let found = searched(&within, &narrow, &quiet);
    if counted == LayoutCount::Measured {
        return Ok(OpenLayouts::from_full_search(found));
    }
    let shorter = (counted == LayoutCount::Shorter).then_some(question.longest_step);
    let shorter = shorter.filter(|longest| !longest.is_endless());
    let fastest = found.best.first().map(|layout| wanted.by.score_of(layout));
    let Some(fastest) = fastest.or(shorter) else {
        let all = searched(question, &wide, effort);
        if !all.best.is_empty() || wide == *space && silent.is_none() {
            return Ok(OpenLayouts::from_full_search(all));
        }
        // Where none fits it is counted what breaks no rule.
        refuse_too_large(std::iter::once((question, space)))?;
        return Ok(OpenLayouts::from_full_search(match counted {
            LayoutCount::Fitting => search_space(question, space, wanted, effort),
            _ => best_layouts_within(question, space, wanted, effort, Seconds::ENDLESS),
        }));
    };
    let enough = fastest * (1.0 - request.beyond_measured);
    let one = RankingRequest { top: 1, ..wanted };
    let any = match &silent {
        None => best_layouts_within(question, &wide, one, effort, enough).best,
        Some(silent) => best_layout_given(question, &wide, one, effort, enough, silent).best,
    };
    match any.first().filter(|layout| wanted.by.score_of(layout) <= enough) {
        Some(_) => Ok(OpenLayouts::from_full_search(searched(question, &wide, &quiet))),
        None => Ok(OpenLayouts { found, within: Some(fastest) }),
    }
}

/// [`best_layouts_within`] where shapes are left out whose kernels alone take too long; none is counted.
///
/// # Errors
/// Where more are open than are looked at.
pub fn best_of_fast_kernels(
    question: &Question<'_>,
    space: &Space,
    wanted: RankingRequest,
    effort: &Effort<'_>,
    limit: Seconds,
) -> Result<Vec<RankedLayout>, NoLayout> {
    let silent = kernel_bounds(question, space)?;
    Ok(best_layout_given(question, space, wanted, effort, limit, &silent).best)
}

/// What no layout of a space takes less than by its kernels alone, whatever the network; endless
/// where none fits the memory.
///
/// # Errors
/// Where more are open than are looked at.
pub fn least_by_kernels(question: &Question<'_>, space: &Space) -> Result<Seconds, NoLayout> {
    let clock = Clock::new(question.gpu, question.network, question.framework);
    Ok(kernel_bounds(question, space)?.min_step_time(&clock))
}

/// The best layout that is not used though it is better than those that were
/// [sought](search_open_layouts): it lies beyond what was measured, or fills the memory.
pub(crate) fn better_unused_layout(
    question: &Question<'_>,
    space: &Space,
    by: RankBy,
    sought: &OpenLayouts,
    effort: &Effort<'_>,
) -> Option<BetterUnusedLayout> {
    let fastest = sought.within?;
    let Spaces { measured_extents: most, narrow, wide } = Spaces::for_question(question, space);
    let silent = &*kernel_bounds(question, &wide.union_with(&narrow)).ok()?;
    let other =
        better_layouts(question, &wide, RankingRequest { top: 1, by }, effort, fastest, silent);
    let layout = other.first()?;
    BetterUnusedLayout::new(layout, (by.score_of(layout), fastest), question, &most)
}

/// Layouts that break no rule among those of which these were [sought](search_open_layouts).
pub(crate) fn count_layouts_looked_at(
    question: &Question<'_>,
    space: &Space,
    sought: &OpenLayouts,
) -> u64 {
    let Spaces { narrow, wide, .. } = Spaces::for_question(question, space);
    count_legal_layouts(question, if sought.within.is_some() { &narrow } else { &wide })
}

/// What no layout that may be [sought](search_open_layouts) takes less than; nothing, where that is
/// not known.
pub(crate) fn step_time_bound(question: &Question<'_>, space: &Space) -> Seconds {
    let Spaces { narrow, wide, .. } = Spaces::for_question(question, space);
    let all = wide.union_with(&narrow);
    // Where the one is not part of the other, neither may have a layout that fits, and all are
    // looked at.
    let known = if all == wide { least_by_kernels(question, &all).ok() } else { None };
    // Where none fits, what lies further beyond is looked at.
    known.filter(|least| !least.is_endless()).unwrap_or(Seconds::ZERO)
}

impl Space {
    /// The layouts with so many times the largest extent that was measured at most; keys of which
    /// nothing would be left are as they are.
    fn up_to(&self, most: &[u64; ExtrapolationAxis::ALL.len()], times: u64) -> Self {
        let [_, _, stages, contexts, experts] = most;
        let kept = |list: &[u32], most: &u64| {
            let most = most.saturating_mul(times).max(1);
            let kept: Vec<u32> =
                list.iter().copied().filter(|value| u64::from(*value) <= most).collect();
            if kept.is_empty() { list.to_vec() } else { kept }
        };
        Self {
            interleave: kept(&self.interleave, stages),
            context: kept(&self.context, contexts),
            expert: kept(&self.expert, experts),
            ..self.clone()
        }
    }

    /// The layouts of which each of those values is in this space or the other.
    fn union_with(&self, other: &Self) -> Self {
        let both = |own: &[u32], other: &[u32]| {
            let more = other.iter().filter(|value| !own.contains(value));
            own.iter().chain(more).copied().collect()
        };
        Self {
            interleave: both(&self.interleave, &other.interleave),
            context: both(&self.context, &other.context),
            expert: both(&self.expert, &other.expert),
            ..self.clone()
        }
    }
}
