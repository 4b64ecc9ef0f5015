//! A heat map as rectangles and texts, whatever they are drawn with.

use super::palette::{
    BLACK, DEPTHS, FRAME, GREY, HeatColour, LINE, WHITE, kind_shade, leading_kind,
};
use super::panel::{Panel, block_sums_panel, corner_panel, whole_matrix_panel};
use crate::report::number;
use crate::step::TrafficKind;
use crate::traffic::{BlockAxis, TrafficMatrix};

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
        scene.add_rectangle(0, 0, (scene.width, scene.height), WHITE);
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

    fn add_rectangle(&mut self, x: u32, y: u32, (width, height): (u32, u32), fill: HeatColour) {
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
                self.add_rectangle(left + at * cell, TOP, (1, extent), LINE);
                self.add_rectangle(left, TOP + at * cell, (extent, 1), LINE);
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
            let size = ((end - first) * cell, cell);
            self.add_rectangle(left + first * cell, TOP + row * cell, size, fill);
        }
    }

    fn add_frame(&mut self, left: u32, extent: u32) {
        for at in [0, extent] {
            self.add_rectangle(left + at, TOP, (1, extent), FRAME);
            self.add_rectangle(left, TOP + at, (extent + 1, 1), FRAME);
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
                self.add_rectangle(x + depth * STEP, y - 2, (STEP, 18), kind_shade(kind, depth));
            }
            let share = number::percent(bytes.as_f64() / summary.total.as_f64());
            let text = format!("{} {share}", kind.name());
            let label = x + DEPTHS * STEP + 8;
            self.add_text(label, y, TextAnchor::Start, &text, false);
            x = label + LETTER * text.chars().count() as u32 + GAP;
        }
    }
}
