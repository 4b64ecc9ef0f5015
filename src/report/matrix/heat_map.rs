//! The traffic matrix as a heat map: its panels, put into a scene.

use super::colours_and_font::{
    BLACK, DEPTHS, FRAME, GREY, HeatColour, LINE, VolumeScale, WHITE, kind_shade, leading_kind,
};
use crate::parallel::Rank;
use crate::report::number;
use crate::step::TrafficKind;
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
fn block_sums_panel(matrix: &TrafficMatrix, by: BlockAxis, most_blocks: u32) -> Panel {
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

/// Pixels that a panel may take.
const PANEL: u32 = 768;
/// Most blocks of the whole matrix: two pixels each.
const MOST_BLOCKS: u32 = PANEL / 2;
/// Pixels left of a panel, for the labels of its rows.
const LEFT: u32 = 110;
/// Pixels above a panel, for the title, its heading and the labels of its columns.
const TOP: u32 = 118;
/// Pixels between the panels, and at the right edge.
const GAP: u32 = 40;
/// Pixels below the panels, for notes and legend.
const BOTTOM: u32 = 130;
/// Least pixels between two lines of the grid.
const LEAST_SPACING: u32 = 10;
/// Width of a letter with the space beside it.
const LETTER: u32 = 12;
/// Height of a line of text.
const TEXT: u32 = 24;

/// What is drawn, later items over earlier ones.
pub(super) enum SceneItem {
    Rectangle { x: u32, y: u32, width: u32, height: u32, fill: HeatColour },
    Text { x: u32, y: u32, anchor: TextAnchor, text: String, large: bool, fill: HeatColour },
}

/// Which end of a text stands at its position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextAnchor {
    Start,
    Middle,
    End,
}

/// A picture.
pub(super) struct Scene {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) items: Vec<SceneItem>,
}

impl Scene {
    /// Two squares side by side: all of the matrix in blocks, of GPUs in a row or what else sums
    /// are by, and its first corner in full.
    pub(super) fn new(title: &str, matrix: &TrafficMatrix, by: BlockAxis) -> Self {
        let mut scene = Self {
            width: 2 * (LEFT + PANEL + GAP),
            height: TOP + PANEL + BOTTOM,
            items: Vec::new(),
        };
        scene.add_rectangle(0, 0, scene.width, scene.height, WHITE);
        scene.add_text(LEFT, 22, TextAnchor::Start, title, true);
        let all = match by {
            BlockAxis::Gpu => whole_matrix_panel(matrix, MOST_BLOCKS),
            BlockAxis::Domain | BlockAxis::Rail | BlockAxis::Stage => {
                block_sums_panel(matrix, by, MOST_BLOCKS)
            }
        };
        for (k, panel) in [all, corner_panel(matrix)].iter().enumerate() {
            scene.add_panel(panel, LEFT + k as u32 * (LEFT + PANEL + GAP));
        }
        scene.add_legend(matrix);
        scene
    }

    fn add_rectangle(&mut self, x: u32, y: u32, width: u32, height: u32, fill: HeatColour) {
        self.items.push(SceneItem::Rectangle { x, y, width, height, fill });
    }

    fn add_text(&mut self, x: u32, y: u32, anchor: TextAnchor, text: &str, large: bool) {
        let fill = if large { BLACK } else { GREY };
        self.items.push(SceneItem::Text { x, y, anchor, text: text.to_owned(), large, fill });
    }

    fn add_panel(&mut self, panel: &Panel, left: u32) {
        let cell = (PANEL / panel.side.max(1)).max(1);
        let extent = cell * panel.side;
        self.add_text(left, TOP - 62, TextAnchor::Start, &panel.heading, true);
        let mut notes = panel.notes.clone();
        let lines = panel.lines.iter().find(|(span, _)| span * cell >= LEAST_SPACING);
        if let Some((span, name)) = lines.filter(|(span, _)| *span < panel.side) {
            for at in (*span..panel.side).step_by(*span as usize) {
                self.add_rectangle(left + at * cell, TOP, 1, extent, LINE);
                self.add_rectangle(left, TOP + at * cell, extent, 1, LINE);
            }
            notes.push(name.clone());
        }
        self.add_cells(panel, left, cell);
        self.add_frame(left, extent);
        for (at, label) in &panel.ticks {
            self.add_text(left + at * cell, TOP - 22, TextAnchor::Middle, label, false);
            self.add_text(left - 10, TOP + at * cell - 7, TextAnchor::End, label, false);
        }
        for (k, note) in notes.iter().enumerate() {
            self.add_text(left, TOP + PANEL + 14 + TEXT * k as u32, TextAnchor::Start, note, false);
        }
    }

    /// Cells row by row; neighbours of one colour as one rectangle.
    fn add_cells(&mut self, panel: &Panel, left: u32, cell: u32) {
        let mut run: Option<(u32, u32, u32, HeatColour)> = None; // row, first, end, colour
        for (row, column, bytes) in &panel.cells {
            let Some(kind) = leading_kind(bytes) else { continue };
            let fill = kind_shade(kind, panel.scale.volume_depth(bytes.total_bytes(), DEPTHS));
            let goes_on = |(count, _, end, colour): &(u32, u32, u32, HeatColour)| {
                (*count, *end, *colour) == (*row, *column, fill)
            };
            if let Some((.., end, _)) = run.as_mut().filter(|run| goes_on(run)) {
                *end += 1;
            } else {
                self.add_colour_run(run, left, cell);
                run = Some((*row, *column, column + 1, fill));
            }
        }
        self.add_colour_run(run, left, cell);
    }

    fn add_colour_run(&mut self, run: Option<(u32, u32, u32, HeatColour)>, left: u32, cell: u32) {
        if let Some((row, first, end, fill)) = run {
            let width = (end - first) * cell;
            self.add_rectangle(left + first * cell, TOP + row * cell, width, cell, fill);
        }
    }

    fn add_frame(&mut self, left: u32, extent: u32) {
        for at in [0, extent] {
            self.add_rectangle(left + at, TOP, 1, extent, FRAME);
            self.add_rectangle(left, TOP + at, extent + 1, 1, FRAME);
        }
    }

    /// Each kind with its share of all bytes and its depths, light to deep.
    fn add_legend(&mut self, matrix: &TrafficMatrix) {
        const STEP: u32 = 12;
        let summary = matrix.summary();
        let y = self.height - 42;
        let mut x = LEFT;
        self.add_text(x, y, TextAnchor::Start, "rows send, columns receive", false);
        x += 360;
        for kind in TrafficKind::ALL {
            let bytes = summary.bytes_of_kind(kind);
            if bytes.is_zero() {
                continue;
            }
            for depth in 0..DEPTHS {
                self.add_rectangle(x + depth * STEP, y - 2, STEP, 18, kind_shade(kind, depth));
            }
            let share = number::percent(bytes.as_f64() / summary.total.as_f64());
            let text = format!("{} {share}", kind.name());
            let label = x + DEPTHS * STEP + 8;
            self.add_text(label, y, TextAnchor::Start, &text, false);
            x = label + LETTER * text.chars().count() as u32 + GAP;
        }
    }
}
