//! The search of what a spec leaves open. Layouts like those that were measured, with memory to spare,
//! come first; others are used where nothing else runs, or where they are faster by a stated share.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::limit::limit;
use super::no_layout::NoLayout;
use super::question::Question;
use super::ranking::{Candidate, Wanted};
use super::run::{Effort, Found, best, better, search};
use super::size::refused;
use super::space::Space;
use crate::hardware::Gpu;
use crate::parallel::{Layout, LayoutRequest};
use crate::scenario::{Assumption, Workload};
use crate::technique::Recipe;
use crate::timing::{Network, Reach, largest};
use crate::units::{Bytes, Seconds};
use crate::workload::{Framework, Model, Techniques, Training};

/// So many times what was measured is looked at, to say what it would gain.
const LOOKED_AT: u64 = 2;

/// What was found of an open request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sought {
    /// The layouts that are used.
    pub(crate) found: Found,
    /// The best layout that is not used though it is better than those.
    pub(crate) beyond: Option<Beyond>,
}

/// A layout that is better by the clock than those that are used: it lies beyond what was measured, or
/// fills the memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Beyond {
    /// The layout.
    layout: Layout,
    /// Share that it would save of what layouts are ranked by.
    saves: f64,
    /// Why it is not used.
    reasons: Vec<String>,
}

/// Savings that are told; smaller ones are noise of the clock.
const TOLD: f64 = 1e-3;

impl Beyond {
    fn new(
        candidate: &Candidate,
        best: (Seconds, Seconds),
        question: &Question<'_>,
        most: &[u64; Reach::ALL.len()],
    ) -> Option<Self> {
        let saves = 1.0 - best.0 / best.1;
        let layout = candidate.layout.clone();
        let [_, _, stages, contexts, experts] = *most;
        let more = |value: u32, most: u64, name: Reach| {
            let name = name.name();
            (u64::from(value) > most.max(1))
                .then(|| format!("{value} {name}, and at most {most} were measured"))
        };
        let share = candidate.memory.as_f64() / question.gpu.memory.as_f64();
        let full = format!("{:.1} % of the memory filled", share * 100.0);
        let reasons = [
            more(layout.interleave, stages, Reach::VirtualStages),
            more(layout.context, contexts, Reach::ContextRanks),
            more(layout.expert, experts, Reach::ExpertRanks),
        ];
        let reasons: Vec<String> = reasons.into_iter().flatten().collect();
        let reasons = if reasons.is_empty() { vec![full] } else { reasons };
        (saves >= TOLD).then_some(Self { layout, saves, reasons })
    }

    /// What is said of it where it is not used.
    pub(crate) fn assumption(&self) -> Assumption {
        let Layout { tensor, pipeline, data, context, expert, .. } = self.layout;
        let more = [("context", context), ("expert", expert)];
        let more = more.into_iter().filter(|(_, degree)| *degree > 1);
        let more: String = more.map(|(name, degree)| format!(" x {name} {degree}")).collect();
        let text = format!(
            "not used: tensor {tensor} x pipeline {pipeline} x data {data}{more} would save {:.1} % of \
             the step by the clock ({}); parallelism.beyond_measured and .spare_memory decide",
            self.saves * 100.0,
            self.reasons.join("; ")
        );
        Assumption { topic: "parallelism".into(), text, default: false }
    }
}

/// What a workload leaves open on so many GPUs, and what it states, as its techniques permit it.
pub(crate) fn open_space(workload: &Workload, gpus: u32) -> Space {
    let space = Space::of_request(&workload.layout, &workload.model, &workload.training, gpus);
    let recipe = Recipe::of(workload);
    let permitted: Vec<_> =
        space.zero.iter().copied().filter(|zero| recipe.permits(*zero)).collect();
    // What is stated and not permitted is refused with its reason later.
    if permitted.is_empty() { space } else { Space { zero: permitted, ..space } }
}

/// What is counted beside the best layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Every layout that fits.
    Fitting,
    /// Those that break no rule; of the others only the best are looked at.
    Legal,
}

/// Questions whose answers are kept.
const KEPT: usize = 512;

/// What an answer follows from.
#[derive(Clone, PartialEq)]
struct Asked {
    // What differs most often comes first, as the first difference ends a comparison.
    network: Network,
    gpus: u32,
    gpu: Gpu,
    model: Model,
    training: Training,
    framework: Framework,
    techniques: Techniques,
    space: Space,
    request: LayoutRequest,
    wanted: Wanted,
    counted: Counted,
}

impl Asked {
    /// True where layouts of that answer may be among those of this one: another machine was asked for.
    fn is_like(&self, other: &Self) -> bool {
        (&self.model, &self.training, &self.framework, &self.techniques)
            == (&other.model, &other.training, &other.framework, &other.techniques)
            && (self.gpus, &self.space, self.wanted) == (other.gpus, &other.space, other.wanted)
    }
}

type Answer = Result<Sought, NoLayout>;

/// Answers of before: a design is asked for again under other limits and prices, on which no layout
/// depends. An answer is what it is whichever thread found it, and however soon.
static KNOWN: Mutex<VecDeque<(Asked, Answer)>> = Mutex::new(VecDeque::new());

/// What is stored is complete whenever the lock is free, whoever panicked.
fn known() -> MutexGuard<'static, VecDeque<(Asked, Answer)>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The best layouts of what a request leaves open; of a question that was asked before, as then.
///
/// # Errors
/// Where more are open than are looked at.
pub(crate) fn sought(
    question: &Question<'_>,
    space: &Space,
    request: &LayoutRequest,
    wanted: Wanted,
    (effort, counted): (&Effort<'_>, Counted),
) -> Result<Sought, NoLayout> {
    let Question { model, training, framework, techniques, gpu, network, gpus } = question;
    let asked = Asked {
        model: (*model).clone(),
        training: (*training).clone(),
        framework: (*framework).clone(),
        techniques: (*techniques).clone(),
        gpu: (*gpu).clone(),
        network: (*network).clone(),
        gpus: *gpus,
        space: space.clone(),
        request: request.clone(),
        wanted,
        counted,
    };
    let before = known().iter().find(|(of, _)| *of == asked).map(|(_, answer)| answer.clone());
    before.unwrap_or_else(|| {
        let like = known()
            .iter()
            .find(|(of, answer)| answer.is_ok() && of.is_like(&asked))
            .and_then(|(_, answer)| Some(answer.as_ref().ok()?.found.best.clone()))
            .unwrap_or_default();
        let answer = anew(question, space, request, wanted, (effort, counted, &like));
        let mut known = known();
        known.truncate(KEPT - 1);
        known.push_front((asked, answer.clone()));
        answer
    })
}

/// The best layouts of what a request leaves open, looked for.
fn anew(
    question: &Question<'_>,
    space: &Space,
    request: &LayoutRequest,
    wanted: Wanted,
    (effort, counted, like): (&Effort<'_>, Counted, &[Candidate]),
) -> Result<Sought, NoLayout> {
    let most = largest(question.model.moe.is_some(), &question.gpu.calibration.name);
    let wide = space.up_to(&most, LOOKED_AT);
    refused(std::iter::once((question, &wide)))?;
    let spare = 1.0 - request.spare_memory;
    let memory = Bytes::new((question.gpu.memory.as_f64() * spare) as u128);
    let gpu = Gpu { memory, ..question.gpu.clone() };
    let within = Question { gpu: &gpu, ..*question };
    let quiet = Effort { progress: &|_| {}, ..*effort };
    let searched = |question: &Question<'_>, space: &Space, effort: &Effort<'_>| match counted {
        Counted::Fitting => search(question, space, wanted, effort),
        Counted::Legal => {
            let limit = limit(question, space, wanted, like);
            best(question, space, wanted, (effort, limit))
        }
    };
    let found = searched(&within, &space.up_to(&most, 1), &quiet);
    let score = |of: &Candidate| wanted.by.score(of.time.total(), of.domains);
    let Some(fastest) = found.best.first().map(score) else {
        let all = searched(question, &wide, effort);
        if !all.best.is_empty() || wide == *space {
            return Ok(Sought { found: all, beyond: None });
        }
        refused(std::iter::once((question, space)))?;
        return Ok(Sought { found: searched(question, space, effort), beyond: None });
    };
    let other = better(question, &wide, Wanted { top: 1, ..wanted }, (effort, fastest));
    let beyond = other.into_iter().next();
    let enough = fastest * (1.0 - request.beyond_measured);
    let told = |of: Candidate| Beyond::new(&of, (score(&of), fastest), question, &most);
    match beyond {
        Some(of) if score(&of) <= enough => {
            Ok(Sought { found: searched(question, &wide, &quiet), beyond: None })
        }
        beyond => Ok(Sought { found, beyond: beyond.and_then(told) }),
    }
}

impl Space {
    /// The layouts with so many times the largest extent that was measured at most; keys of which
    /// nothing would be left are as they are.
    fn up_to(&self, most: &[u64; Reach::ALL.len()], times: u64) -> Self {
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
}
