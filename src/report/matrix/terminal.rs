//! A heat map in characters: two columns to a cell, so that cells look square.

use anstyle::{Color, RgbColor, Style};

use super::palette::{DEPTHS, HeatColour, VolumeScale, kind_shade, leading_kind};
use crate::report::number;
use crate::report::words::wrap_lines;
use crate::step::TrafficKind;
use crate::traffic::{BlockAxis, Blocks, ByKind, TrafficMatrix};

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
