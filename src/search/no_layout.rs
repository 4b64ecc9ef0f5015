//! Why no layout runs; near batches and GPU counts; size of a search.

use std::fmt;

use super::ranking::Question;
use super::space::Space;
use crate::hardware::Node;
use crate::parallel::{Layout, LayoutProblem, Schedule};
use crate::scenario::Workload;
use crate::technique::Recipe;
use crate::units::Bytes;
use crate::workload::Training;

/// Why no layout carries a job.
#[derive(Clone, Debug, PartialEq)]
pub enum NoLayout {
    /// Every layout breaks a rule.
    Illegal {
        /// GPUs that it has to use.
        gpus: u64,
        /// The rules that the layout breaks where the spec states one; else empty.
        problems: Vec<LayoutProblem>,
    },
    /// No layout divides the batch over the GPUs; with numbers near by one does.
    Undivided {
        /// GPUs that it has to use.
        gpus: u64,
        batch: u64,
        near: Near,
    },
    /// The layout needs more GPUs than there are.
    Gpus { needs: u64, has: u32 },
    /// No legal layout fits the memory of a GPU.
    Memory {
        node: String,
        /// Memory of the fullest GPU in the layout that needs least.
        needs: Bytes,
        has: Bytes,
        /// Legal layouts that were looked at.
        legal: u64,
        /// A layout on as many GPUs that would fit; `None` where none was found or sought.
        fits: Option<Box<Layout>>,
    },
    /// There are more than are looked at.
    TooMany { most: u64 },
    /// Layouts run and fit, and a step of each takes longer than
    /// [any](crate::timing::StepTime::LONGEST).
    Endless { node: String },
}

/// Bytes of a gibibyte.
const GIB: f64 = (1_u64 << 30) as f64;

impl fmt::Display for NoLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal { gpus, problems } if problems.is_empty() => write!(
                f,
                "none can run on `{gpus}` GPUs: change `cluster.gpus` or `training.global_batch`, \
                 or search more with `--ignore-stated`"
            ),
            Self::Illegal { problems, .. } => {
                f.write_str("the layout can't run")?;
                problems.iter().try_for_each(|problem| write!(f, "; {problem}"))
            }
            Self::Undivided { gpus, batch, near } => {
                let listed = |all: &[u64]| {
                    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
                };
                let batches = (!near.batches.is_empty())
                    .then(|| format!("`training.global_batch` {}", listed(&near.batches)));
                let counts = (!near.gpus.is_empty())
                    .then(|| format!("`cluster.gpus` {}", listed(&near.gpus)));
                let all: Vec<String> = batches.into_iter().chain(counts).collect();
                write!(
                    f,
                    "none can run on `{gpus}` GPUs, as no degrees divide a `global_batch` of \
                     {batch} over them: {} would do",
                    all.join(", or ")
                )
            }
            Self::Gpus { needs, has } => {
                write!(f, "the layout needs `{needs}` GPUs, the cluster has `{has}`")
            }
            Self::TooMany { most } => write!(
                f,
                "more than `{most}` are open, which would take minutes to hours: state some of \
                 `parallelism` (`tensor`, `context`, `expert`), or leave out `auto` there; \
                 `planner search` narrows them with `--where`, as in `--where tensor=8`"
            ),
            Self::Endless { node } => write!(
                f,
                "a step on `{node}` never ends: a bandwidth or a rate that it needs is nothing or \
                 next to it; look at its entry and at the shares of its calibration"
            ),
            Self::Memory { node, needs, has, legal, fits } => {
                if *legal > 1 {
                    write!(f, "`{legal}` can run, and none of them fits the memory: ")?;
                }
                write!(
                    f,
                    "the job needs {:.1} GiB on the fullest GPU, `{node}` has {:.1} GiB",
                    needs.as_f64() / GIB,
                    has.as_f64() / GIB
                )?;
                match fits {
                    Some(layout) => write!(
                        f,
                        ": tensor {} x pipeline {} x data {} would fit",
                        layout.tensor, layout.pipeline, layout.data
                    ),
                    None => f.write_str(
                        ": shard more (`tensor`, `pipeline`, `zero`), recompute more, take a \
                         larger GPU, or let `planner search --ignore-stated` look",
                    ),
                }
            }
        }
    }
}

impl std::error::Error for NoLayout {}

/// Numbers next to those of a question, the one below first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Near {
    pub batches: Vec<u64>,
    /// GPUs, of machines that are bought whole.
    pub gpus: Vec<u64>,
}

/// Machines more or fewer that are looked at.
const MACHINES: u32 = 64;

/// Batches and numbers of GPUs near those of a workload for which a layout breaks no rule; `None`
/// where there are none.
pub(crate) fn nearby_batches_and_gpus(workload: &Workload, gpus: u32, node: &Node) -> Option<Near> {
    let batch = workload.training.global_batch;
    let with = |global_batch| Training { global_batch, ..workload.training.clone() };
    let runs_with = |batch: &u64| has_legal_layout(workload, &with(*batch), gpus);
    let mut below = Vec::new();
    let mut above = Vec::new();
    for unit in batch_multiples(workload, gpus) {
        below.extend((batch >= unit).then_some(batch / unit * unit));
        above.push(batch.div_ceil(unit) * unit);
    }
    below.sort_unstable_by_key(|number| std::cmp::Reverse(*number));
    above.sort_unstable();
    let batches = [below.into_iter().find(runs_with), above.into_iter().find(runs_with)];
    let domain = node.gpus.max(1);
    let machines = gpus / domain;
    let runs_on = |machines: &u32| {
        machines
            .checked_mul(domain)
            .is_some_and(|gpus| has_legal_layout(workload, &workload.training, gpus))
    };
    let fewer = (1..=machines.min(MACHINES)).map(|less| machines + 1 - less);
    let more = (1..=MACHINES).map(|more| machines.saturating_add(more));
    let other = |machines: &u32| machines.checked_mul(domain) != Some(gpus);
    let counts = [fewer.filter(other).find(runs_on), more.filter(other).find(runs_on)];
    let near = Near {
        batches: batches.into_iter().flatten().collect(),
        gpus: counts.into_iter().flatten().map(|count| u64::from(count * domain)).collect(),
    };
    (!near.batches.is_empty() || !near.gpus.is_empty()).then_some(near)
}

/// Sequences of which a batch has to be a multiple, one for each number of replicas.
fn batch_multiples(workload: &Workload, gpus: u32) -> Vec<u64> {
    let each = simplest_layouts(workload, &workload.training, gpus);
    let mut all: Vec<u64> = each
        .iter()
        .map(|layout| u64::from(layout.data) * layout.micro_batch)
        .filter(|count| *count > 0)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// True where a layout breaks no rule.
fn has_legal_layout(workload: &Workload, training: &Training, gpus: u32) -> bool {
    let workload = Workload { training: training.clone(), ..workload.clone() };
    let recipe = Recipe::from_workload(&workload);
    simplest_layouts(&workload, training, gpus).iter().any(|layout| {
        layout.broken_rules(&workload.model, training).is_empty()
            && recipe.rules_broken_by_layout(layout).is_empty()
    })
}

/// The plainest layout for each set of degrees that uses all GPUs.
fn simplest_layouts(workload: &Workload, training: &Training, gpus: u32) -> Vec<Layout> {
    let request = &workload.layout;
    let space = Space::from_request(request, &workload.model, training, gpus);
    let plainest = request.simplest_layout(Some(gpus));
    let interleave = match (request.interleave, request.schedule) {
        (None, Schedule::Interleaved) => 2,
        _ => plainest.interleave,
    };
    let mut all = Vec::new();
    for (tensor, context) in degree_pairs(&space.tensor, &space.context) {
        for (pipeline, expert) in degree_pairs(&space.pipeline, &space.expert) {
            let ranks = [tensor, context, pipeline].map(u64::from).iter().product::<u64>();
            let fits = ranks > 0 && u64::from(gpus).is_multiple_of(ranks);
            let Some(data) = u32::try_from(u64::from(gpus) / ranks.max(1)).ok().filter(|_| fits)
            else {
                continue;
            };
            if request.data.is_none_or(|stated| stated == data) {
                let degrees =
                    Layout { tensor, context, pipeline, expert, data, ..plainest.clone() };
                all.push(Layout { interleave, ..degrees });
            }
        }
    }
    all
}

fn degree_pairs<'a>(one: &'a [u32], other: &'a [u32]) -> impl Iterator<Item = (u32, u32)> + 'a {
    one.iter().flat_map(|a| other.iter().map(move |b| (*a, *b)))
}

/// Most layouts that are looked at, about a minute of one core.
const MOST_LAYOUTS: u64 = 250_000_000;

/// Rank orders of which a search looks at one in seat: others seat all ranks alike, as far as the
/// clock can tell. About as many are left of all 120.
const SEATS: usize = 12;

/// Why searches are not begun that would look at too many layouts together.
pub(crate) fn refuse_too_large<'a>(
    searches: impl Iterator<Item = (&'a Question<'a>, &'a Space)>,
) -> Result<(), NoLayout> {
    let mut all: u64 = 0;
    for (question, space) in searches {
        all = all.saturating_add(count_layouts(question, space));
        if all > MOST_LAYOUTS {
            return Err(NoLayout::TooMany { most: MOST_LAYOUTS });
        }
    }
    Ok(())
}

/// About as many layouts as break no rule of degrees, batch and schedule; no longer counted where
/// there are more than [`MOST_LAYOUTS`].
fn count_layouts(question: &Question<'_>, space: &Space) -> u64 {
    let seats = space.order.len().min(SEATS);
    let settings = (space.recompute.len() * space.zero.len() * seats) as u64;
    let mut all: u64 = 0;
    for (cell, _) in space.degree_cells(question.training, question.gpus) {
        for pipeline in &space.pipeline {
            let Some(layout) = space.layout_of_degrees(&cell, question.gpus, *pipeline) else {
                continue;
            };
            all = all.saturating_add(
                settings.saturating_mul(count_layouts_of_degrees(question, space, &layout)),
            );
            if all > MOST_LAYOUTS {
                return all;
            }
        }
    }
    all
}

/// Micro-batches, norms and schedules of one set of degrees.
fn count_layouts_of_degrees(question: &Question<'_>, space: &Space, degrees: &Layout) -> u64 {
    let norms = if degrees.tensor < 2 { 1 } else { space.sequence_parallel.len() };
    let sharded = space.sequence_parallel.iter().take(norms);
    let legal = |sequence_parallel: &bool, micro_batch: u64| {
        let layout =
            Layout { micro_batch, sequence_parallel: *sequence_parallel, ..degrees.clone() };
        layout.broken_rules(question.model, question.training).is_empty()
    };
    let read = |micro_batch: &u64| {
        let norms = sharded.clone().filter(|norms| legal(norms, *micro_batch)).count() as u64;
        if norms == 0 { 0 } else { norms * count_schedules(question, space, degrees, *micro_batch) }
    };
    space.micro_batch.iter().map(read).sum()
}

/// Schedules, each with every number of virtual stages that it can have.
fn count_schedules(
    question: &Question<'_>,
    space: &Space,
    degrees: &Layout,
    micro_batch: u64,
) -> u64 {
    if degrees.pipeline < 2 {
        return 1;
    }
    let legal = |schedule: Schedule, interleave: u32| {
        let layout = Layout { schedule, interleave, micro_batch, ..degrees.clone() };
        layout.schedule_problems(question.model, question.training).is_empty()
    };
    let chunked =
        |this_schedule: &Schedule, chunks: u32| chunks > 1 && *this_schedule == Schedule::OneFOneB;
    let each = space.schedule.iter().map(|schedule| {
        let all = space.interleave.iter().filter(|chunks| !chunked(schedule, **chunks));
        all.filter(|chunks| legal(*schedule, **chunks)).count() as u64
    });
    each.sum()
}
