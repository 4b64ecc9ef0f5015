//! A heat map as SVG. Coordinates are whole pixels, so that no rounding can differ.

use std::io::Write;

use super::ExportError;
use super::palette::HeatColour;
use super::scene::{Scene, SceneItem, TextAnchor};
use crate::report::picture::escape_xml;
use crate::traffic::{BlockAxis, TrafficMatrix};

/// Writes a heat map of the matrix: all of it in blocks, and its first corner GPU by GPU.
///
/// # Errors
/// Where the writer fails.
pub fn write_matrix_svg(
    title: &str,
    matrix: &TrafficMatrix,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    svg_blocks(title, matrix, BlockAxis::Gpu, out)
}

/// Writes a heat map of sums by domain, rail or stage beside the first corner GPU by GPU.
///
/// # Errors
/// Where the writer fails.
pub fn svg_blocks(
    title: &str,
    matrix: &TrafficMatrix,
    by: BlockAxis,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let scene = Scene::new(title, matrix, by);
    let (width, height) = (scene.width, scene.height);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" shape-rendering=\"crispEdges\" \
         font-family=\"ui-monospace, monospace\">"
    )?;
    for item in &scene.items {
        match item {
            SceneItem::Rectangle { x, y, width, height, fill } => writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
                colour_hex(*fill)
            )?,
            SceneItem::Text { x, y, anchor, text, large, fill } => {
                let anchor = match anchor {
                    TextAnchor::Start => "start",
                    TextAnchor::Middle => "middle",
                    TextAnchor::End => "end",
                };
                let size = if *large { 20 } else { 15 };
                let baseline = y + 13;
                writeln!(
                    out,
                    "<text x=\"{x}\" y=\"{baseline}\" font-size=\"{size}\" \
                     text-anchor=\"{anchor}\" fill=\"{}\">{}</text>",
                    colour_hex(*fill),
                    escape_xml(text)
                )?;
            }
        }
    }
    writeln!(out, "</svg>")?;
    Ok(())
}

fn colour_hex(HeatColour(r, g, b): HeatColour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
