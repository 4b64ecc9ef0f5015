//! What one square of a heat map shows: the whole matrix in blocks, or its first corner GPU by
//! GPU. Numbers only; nothing is drawn here.

use super::palette::VolumeScale;
use crate::parallel::Rank;
use crate::report::number;
use crate::traffic::{BlockAxis, Blocks, ByKind, TrafficMatrix};

/// GPUs that the corner shows at least, where there are as many.
const LEAST_CORNER: u32 = 64;

/// GPUs that it shows at most: six pixels each in the square of the whole matrix.
const MOST_CORNER: u32 = 128;

/// Domains that the corner shows where their GPUs fit.
const CORNER_DOMAINS: u32 = 8;

/// One square of a heat map.
pub(super) struct Panel {
    pub(super) heading: String,
    pub(super) notes: Vec<String>,
    /// Cells in a row.
    pub(super) side: u32,
    /// Row, column and volume of every cell that carries anything.
    pub(super) cells: Vec<(u32, u32, ByKind)>,
    pub(super) scale: VolumeScale,
    /// Cells between two lines, with what they part; lines that would crowd are left to the
    /// drawer to skip.
    pub(super) lines: Vec<(u32, String)>,
    /// Cells with a label at their edge.
    pub(super) ticks: Vec<(u32, String)>,
}

impl Panel {
    fn new(heading: String, what: &str, side: u32, cells: Vec<(u32, u32, ByKind)>) -> Self {
        let scale =
            VolumeScale::from_volumes(cells.iter().map(|(_, _, bytes)| bytes.total_bytes()));
        let (low, high) = (number::volume(scale.low), number::volume(scale.high));
        let notes = vec![format!("one {what}: {low} (light) to {high} (deep), log scale")];
        Self { heading, notes, side, cells, scale, lines: Vec::new(), ticks: Vec::new() }
    }
}

/// The whole matrix, in at most so many blocks a side.
pub(super) fn whole_matrix_panel(matrix: &TrafficMatrix, most_blocks: u32) -> Panel {
    let gpus = matrix.rank_count();
    let merged = block_size(matrix, most_blocks);
    let blocks = matrix.sum_by_blocks(BlockAxis::Gpu, gpus.div_ceil(merged));
    let (side, cells) = (blocks.blocks_per_side(), busy_block_cells(&blocks));
    let merged = blocks.ids_per_block();
    let heading = if merged == 1 {
        format!("all {} GPUs", number::count(gpus))
    } else {
        format!("all {} GPUs in blocks of {}", number::count(gpus), number::count(merged))
    };
    let what = if merged == 1 { "pair of GPUs" } else { "pair of blocks" };
    let mut panel = Panel::new(heading, what, side, cells);
    let used = matrix.placed_ranks().placement().used_gpus_per_domain();
    let strides = matrix.placed_ranks().grid().digits().iter().map(|digit| digit.stride);
    let mut spans: Vec<u32> = strides.chain([used]).filter(|span| span % merged == 0).collect();
    spans.sort_unstable();
    spans.dedup();
    panel.lines = spans
        .into_iter()
        .filter(|span| *span >= used)
        .map(|span| (span / merged, line_name(span, used)))
        .collect();
    panel.ticks = quarter_labels(side, merged, gpus);
    panel
}

/// Sums by domain, rail or stage, neighbours put together until there are at most so many a side.
pub(super) fn block_sums_panel(matrix: &TrafficMatrix, by: BlockAxis, most_blocks: u32) -> Panel {
    let placement = matrix.placed_ranks().placement();
    let (keys, one, many) = match by {
        BlockAxis::Gpu => (matrix.rank_count(), "GPU", "GPUs"),
        BlockAxis::Domain => {
            (placement.domains_for_ranks(matrix.rank_count()), "HB domain", "HB domains")
        }
        BlockAxis::Rail => (placement.rails(), "rail", "rails"),
        BlockAxis::Stage => (matrix.stage_count(), "stage", "stages"),
    };
    let blocks = matrix.sum_by_blocks(by, most_blocks);
    let (side, merged) = (blocks.blocks_per_side(), blocks.ids_per_block());
    let counted = number::count_with_noun(keys, one, many);
    let (heading, what) = if merged == 1 {
        (format!("{counted}, sums of all GPUs in each"), format!("pair of {many}"))
    } else {
        (format!("{counted} in blocks of {}", number::count(merged)), "pair of blocks".to_owned())
    };
    let mut panel = Panel::new(heading, &what, side, busy_block_cells(&blocks));
    panel.ticks = quarter_labels(side, merged, keys);
    panel
}

/// Every cell that carries anything.
fn busy_block_cells(blocks: &Blocks) -> Vec<(u32, u32, ByKind)> {
    let side = blocks.blocks_per_side();
    (0..side)
        .flat_map(|from| (0..side).map(move |to| (from, to)))
        .map(|(from, to)| (from, to, blocks.bytes_between(from, to)))
        .filter(|(_, _, bytes)| !bytes.total_bytes().is_zero())
        .collect()
}

/// Labels at the quarters of a side of blocks.
fn quarter_labels(side: u32, merged: u32, keys: u32) -> Vec<(u32, String)> {
    const QUARTERS: u32 = 4;
    let mut ticks: Vec<(u32, String)> = (0..=QUARTERS)
        .map(|quarter| side * quarter / QUARTERS)
        .map(|block| (block, number::count((block * merged).min(keys))))
        .collect();
    ticks.dedup();
    ticks
}

/// The pairs of the first GPUs, one by one.
pub(super) fn corner_panel(matrix: &TrafficMatrix) -> Panel {
    let used = matrix.placed_ranks().placement().used_gpus_per_domain();
    let wanted = used.saturating_mul(CORNER_DOMAINS).clamp(LEAST_CORNER, MOST_CORNER);
    let whole_domains = if wanted >= used { wanted / used * used } else { wanted };
    let side = whole_domains.max(LEAST_CORNER).min(matrix.rank_count());
    let cells = (0..side)
        .flat_map(|from| {
            let row = matrix.row_of_rank(Rank(from)).into_iter();
            row.filter(|(to, _)| to.0 < side).map(move |(to, bytes)| (from, to.0, bytes))
        })
        .collect();
    let heading = format!("the first {}, GPU by GPU", number::count_with_noun(side, "GPU", "GPUs"));
    let mut panel = Panel::new(heading, "pair of GPUs", side, cells);
    if used < side {
        panel.lines = vec![(used, line_name(used, used))];
    } else {
        panel.notes.push(format!("all in one HB domain of {}", number::count(used)));
    }
    let step = if used < side { used } else { side.div_ceil(2) };
    let step = step * side.div_ceil(step * CORNER_DOMAINS).max(1);
    panel.ticks =
        (0..=side).step_by(step.max(1) as usize).map(|gpu| (gpu, number::count(gpu))).collect();
    panel
}

fn line_name(span: u32, used: u32) -> String {
    let domains = number::count_with_noun(span / used.max(1), "HB domain", "HB domains");
    if span == used {
        format!("lines part HB domains, {} each", number::count_with_noun(used, "GPU", "GPUs"))
    } else if span.is_multiple_of(used.max(1)) {
        format!("lines every {} GPUs, that is {domains}", number::count(span))
    } else {
        format!("lines every {} GPUs", number::count(span))
    }
}

/// The least number of GPUs to a block that keeps blocks few and in step with the rank grid, so
/// that regular patterns stay sharp: a multiple of some digit's stride that divides the digit.
fn block_size(matrix: &TrafficMatrix, most_blocks: u32) -> u32 {
    let least = matrix.rank_count().div_ceil(most_blocks.max(1));
    let in_step = matrix.placed_ranks().grid().digits().iter().find_map(|digit| {
        let times = least.div_ceil(digit.stride);
        (times..=digit.size).find(|times| digit.size.is_multiple_of(*times)).and_then(|times| {
            (least <= times * digit.stride && times <= digit.size).then_some(times * digit.stride)
        })
    });
    // Out of step is better than a handful of blocks.
    in_step.filter(|size| *size < least.saturating_mul(2)).unwrap_or(least)
}
