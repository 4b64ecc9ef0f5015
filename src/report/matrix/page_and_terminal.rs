//! Heat map of a page, and in characters.

use std::collections::BTreeMap;

use anstyle::{Color, RgbColor, Style};

use super::colours_and_font::{DEPTHS, HeatColour, VolumeScale, kind_shade, leading_kind};
use super::heat_map::{Panel, corner_panel, whole_matrix_panel};
use crate::report::number;
use crate::report::picture::{Ink, LabelAnchor, Mark, Picture, WIDTH};
use crate::report::words::{capitalise_first_letter, finish_sentence, wrap_lines};
use crate::step::TrafficKind;
use crate::traffic::{BlockAxis, Blocks, ByKind, TrafficMatrix};

/// Most blocks a side: more would be thinner than two pixels.
const MOST_BLOCKS: u32 = 128;

/// Units left of the plate, for the numbers of its rows.
const LEFT: f64 = 56.0;
/// Units above the plate, for the numbers of its columns.
const ABOVE: f64 = 20.0;
/// Units that the plate is wide and high.
const PLATE: f64 = WIDTH - LEFT - 2.0;
/// Least units between two lines of the grid.
const LEAST_SPACING: f64 = 6.0;
/// Units of a line of the legend.
const LEGEND: f64 = 21.0;
/// Extent of a sample of colour.
const SAMPLE: f64 = 11.0;
/// Depths that the legend shows of each hue.
const SAMPLES: [u32; 3] = [0, DEPTHS / 2, DEPTHS - 1];
/// Units that half of a line of letters is high.
const HALF_LETTER: f64 = 4.5;

/// Lines of the plate's grid: lighter than any colour that traffic has.
const LINE: Ink = Ink::Fixed(226, 226, 226);

/// The whole matrix and its corner; a matrix without traffic has no pictures.
pub(in crate::report) fn matrix_pictures(matrix: &TrafficMatrix) -> Vec<Picture> {
    if matrix.summary().total.is_zero() {
        return Vec::new();
    }
    let all = whole_matrix_panel(matrix, MOST_BLOCKS);
    let first = corner_panel(matrix);
    let same = all.side == first.side;
    let mut pictures = vec![panel_picture(&all, matrix)];
    pictures.extend((!same).then(|| panel_picture(&first, matrix)));
    pictures
}

fn panel_picture(panel: &Panel, matrix: &TrafficMatrix) -> Picture {
    let cell = PLATE / f64::from(panel.side.max(1));
    let plate = Mark::Rectangle { x: LEFT, y: ABOVE, width: PLATE, height: PLATE, ink: Ink::Plate };
    let mut marks = vec![plate];
    let mut notes = vec!["Rows send, columns receive; white pairs exchange no traffic.".to_owned()];
    notes.extend(panel.notes.iter().map(|note| finish_sentence(note)));
    let lines = panel.lines.iter().find(|(span, _)| f64::from(*span) * cell >= LEAST_SPACING);
    if let Some((span, name)) = lines.filter(|(span, _)| *span < panel.side) {
        for place in (*span..panel.side).step_by(*span as usize) {
            let offset = f64::from(place) * cell;
            let (x, y, far) = (LEFT + offset, ABOVE + offset, PLATE);
            marks.push(Mark::Line { from: (x, ABOVE), to: (x, ABOVE + far), ink: LINE });
            marks.push(Mark::Line { from: (LEFT, y), to: (LEFT + far, y), ink: LINE });
        }
        notes.push(finish_sentence(name));
    }
    marks.extend(colour_runs(panel).into_iter().map(|(HeatColour(r, g, b), runs)| {
        let (at, ink) = ((LEFT, ABOVE), Ink::Fixed(r, g, b));
        Mark::Cells { at, cell, runs, ink }
    }));
    add_ticks(panel, cell, &mut marks);
    let height = page_legend(matrix, &mut marks);
    let words = heat_map_words(matrix);
    Picture { title: capitalise_first_letter(&panel.heading), words, notes, height, marks }
}

/// The cells by colour, neighbours of one row joined.
fn colour_runs(panel: &Panel) -> BTreeMap<HeatColour, Vec<(u32, u32, u32)>> {
    let mut all: BTreeMap<HeatColour, Vec<(u32, u32, u32)>> = BTreeMap::new();
    for (row, column, bytes) in &panel.cells {
        let Some(kind) = leading_kind(bytes) else { continue };
        let fill = kind_shade(kind, panel.scale.volume_depth(bytes.total_bytes(), DEPTHS));
        let runs = all.entry(fill).or_default();
        match runs.last_mut() {
            Some((first, count, length)) if *count == *row && *first + *length == *column => {
                *length += 1
            }
            _ => runs.push((*column, *row, 1)),
        }
    }
    all
}

/// Numbers at the upper and the left edge.
fn add_ticks(panel: &Panel, cell: f64, marks: &mut Vec<Mark>) {
    let last = panel.ticks.len().saturating_sub(1);
    for (place, (at, label)) in panel.ticks.iter().enumerate() {
        let offset = f64::from(*at) * cell;
        let text = |x, y, anchor| Mark::Text {
            x,
            y,
            anchor,
            strong: false,
            ink: Ink::Quiet,
            text: label.clone(),
        };
        // Above, every other label has room.
        let anchor = if place == last { LabelAnchor::End } else { LabelAnchor::Middle };
        if place % 2 == 0 {
            marks.push(text(LEFT + offset, ABOVE - 6.0, anchor));
        }
        marks.push(text(LEFT - 6.0, ABOVE + offset + HALF_LETTER, LabelAnchor::End));
    }
}

/// Each kind with samples of its depths and its share of all bytes; the height of the picture.
fn page_legend(matrix: &TrafficMatrix, marks: &mut Vec<Mark>) -> f64 {
    let top = ABOVE + PLATE + 14.0;
    let kinds = kind_shares(matrix);
    for (place, (kind, share)) in kinds.iter().enumerate() {
        let x = if place % 2 == 0 { LEFT } else { LEFT + PLATE / 2.0 };
        let y = top + LEGEND * (place / 2) as f64;
        let wide = SAMPLE * SAMPLES.len() as f64;
        marks.push(Mark::Rectangle { x, y, width: wide, height: SAMPLE, ink: Ink::Plate });
        for (k, depth) in SAMPLES.into_iter().enumerate() {
            let HeatColour(r, g, b) = kind_shade(*kind, depth);
            let (x, ink) = (x + SAMPLE * k as f64, Ink::Fixed(r, g, b));
            marks.push(Mark::Rectangle { x, y, width: SAMPLE, height: SAMPLE, ink });
        }
        marks.push(Mark::Text {
            x: x + wide + 7.0,
            y: y + SAMPLE - 1.0,
            anchor: LabelAnchor::Start,
            strong: false,
            ink: Ink::Text,
            text: format!("{} {share}", kind.name()),
        });
    }
    top + LEGEND * kinds.len().div_ceil(2) as f64
}

/// The kinds that send anything, with their shares of all bytes.
fn kind_shares(matrix: &TrafficMatrix) -> Vec<(TrafficKind, String)> {
    let summary = matrix.summary();
    TrafficKind::ALL
        .into_iter()
        .filter(|kind| !summary.bytes_of_kind(*kind).is_zero())
        .map(|kind| {
            (kind, number::percent(summary.bytes_of_kind(kind).as_f64() / summary.total.as_f64()))
        })
        .collect()
}

fn heat_map_words(matrix: &TrafficMatrix) -> String {
    let kinds: Vec<String> = kind_shares(matrix)
        .iter()
        .map(|(kind, share)| format!("{} {share}", kind.name()))
        .collect();
    format!(
        "A heat map of the bytes that GPUs send to each other in one step. {} of all pairs say \
         nothing to each other. Bytes by kind: {}.",
        number::percent(matrix.summary().idle_share()),
        kinds.join(", ")
    )
}

/// Columns of a terminal that nobody has told the width of.
const NARROWEST: u32 = 16;

/// Columns of a patch of colour in the legend with the space behind it, and between two kinds.
const SWATCH: usize = 3;
const GAP: usize = 3;

/// Shades from little to much, for terminals without colour.
const SHADES: [char; 4] = ['░', '▒', '▓', '█'];

/// The matrix in blocks as lines of text at most `columns` wide, with a legend. Without colour,
/// shades tell how much and the legend what is left out: which kind it is.
#[must_use]
pub fn heat_map(matrix: &TrafficMatrix, by: BlockAxis, columns: u32, colour: bool) -> String {
    let blocks = matrix.sum_by_blocks(by, columns.max(NARROWEST) / 2);
    let side = blocks.blocks_per_side();
    let sums = || (0..side).flat_map(|i| (0..side).map(move |j| (i, j)));
    let scale =
        VolumeScale::from_volumes(sums().map(|(i, j)| blocks.bytes_between(i, j).total_bytes()));
    let mut text = String::new();
    for from in 0..side {
        let mut line = String::new();
        for to in 0..side {
            line.push_str(&terminal_cell(&blocks.bytes_between(from, to), scale, colour));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str(&terminal_legend(
        matrix,
        &blocks,
        by,
        scale,
        colour,
        columns.max(NARROWEST) as usize,
    ));
    text
}

fn terminal_cell(bytes: &ByKind, scale: VolumeScale, colour: bool) -> String {
    let Some(kind) = leading_kind(bytes) else { return "  ".to_owned() };
    if colour {
        let style =
            background_style(kind_shade(kind, scale.volume_depth(bytes.total_bytes(), DEPTHS)));
        format!("{style}  {style:#}")
    } else {
        let depth = scale.volume_depth(bytes.total_bytes(), SHADES.len() as u32) as usize;
        SHADES[depth].to_string().repeat(2)
    }
}

fn background_style(HeatColour(r, g, b): HeatColour) -> Style {
    Style::new().bg_color(Some(Color::Rgb(RgbColor(r, g, b))))
}

fn terminal_legend(
    matrix: &TrafficMatrix,
    blocks: &Blocks,
    by: BlockAxis,
    scale: VolumeScale,
    colour: bool,
    columns: usize,
) -> String {
    let merged = blocks.ids_per_block();
    let what = match by {
        BlockAxis::Gpu => number::count_with_noun(merged, "GPU", "GPUs"),
        BlockAxis::Domain => number::count_with_noun(merged, "HB domain", "HB domains"),
        BlockAxis::Rail => number::count_with_noun(merged, "rail", "rails"),
        BlockAxis::Stage => number::count_with_noun(merged, "stage", "stages"),
    };
    let caption = format!(
        "rows send, columns receive; a cell is {what}; {} to {} a step, log scale",
        number::volume(scale.low),
        number::volume(scale.high)
    );
    let mut lines = wrap_lines(&caption, columns, columns);
    let summary = matrix.summary();
    let (mut line, mut used) = (String::new(), 0);
    for kind in TrafficKind::ALL.into_iter().filter(|kind| !summary.bytes_of_kind(*kind).is_zero())
    {
        let share = summary.bytes_of_kind(kind).as_f64() / summary.total.as_f64();
        let text = format!("{} {}", kind.name(), number::percent(share));
        let width = text.chars().count() + if colour { SWATCH } else { 0 };
        if used > 0 && used + GAP + width > columns {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push_str(&" ".repeat(GAP));
            used += GAP;
        }
        line.push_str(&kind_swatch(kind, colour));
        line.push_str(&text);
        used += width;
    }
    if used > 0 {
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

/// A patch of a kind's colour and a space; nothing without colour.
fn kind_swatch(kind: TrafficKind, colour: bool) -> String {
    if !colour {
        return String::new();
    }
    let style = background_style(kind_shade(kind, DEPTHS - 1));
    format!("{style}  {style:#} ")
}
