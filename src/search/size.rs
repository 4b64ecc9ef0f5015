//! How many layouts a search would have to look at, before it looks at any: so that one which would
//! take hours is refused at once. Times none.

use super::no_layout::NoLayout;
use super::question::Question;
use super::space::Space;
use crate::parallel::{Layout, Schedule};

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
