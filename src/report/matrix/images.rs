//! A heat map as PNG and as SVG.

use std::io::Write;

use super::ExportError;
use super::colours_and_font::{GLYPH_WIDTH, HeatColour, drop_below, glyph};
use super::heat_map::{Scene, SceneItem, TextAnchor};
use crate::report::picture::escape_xml;
use crate::traffic::{BlockAxis, TrafficMatrix};

/// Pixels to a dot of a letter.
const DOT: u32 = 2;

/// Writes a heat map of the matrix: all of it in blocks, and its first corner GPU by GPU.
///
/// # Errors
/// Where the writer fails.
pub fn write_matrix_png(
    title: &str,
    matrix: &TrafficMatrix,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    png_blocks(title, matrix, BlockAxis::Gpu, out)
}

/// Writes a heat map of sums by domain, rail or stage beside the first corner GPU by GPU.
///
/// # Errors
/// Where the writer fails.
pub fn png_blocks(
    title: &str,
    matrix: &TrafficMatrix,
    by: BlockAxis,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let scene = Scene::new(title, matrix, by);
    let mut canvas = Canvas::new(scene.width, scene.height);
    for item in &scene.items {
        match item {
            SceneItem::Rectangle { x, y, width, height, fill } => {
                canvas.fill_rectangle(*x, *y, *width, *height, *fill);
            }
            SceneItem::Text { x, y, anchor, text, fill, .. } => {
                canvas.draw_text(*x, *y, *anchor, text, *fill);
            }
        }
    }
    let mut encoder = png::Encoder::new(out, canvas.width, canvas.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.pixels)?;
    writer.finish()?;
    Ok(())
}

struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Canvas {
    fn new(width: u32, height: u32) -> Self {
        Self { width, height, pixels: vec![u8::MAX; (width * height * 3) as usize] }
    }

    /// Fills a rectangle, as far as it lies on the canvas.
    fn fill_rectangle(&mut self, x: u32, y: u32, width: u32, height: u32, fill: HeatColour) {
        let HeatColour(r, g, b) = fill;
        for row in y..(y + height).min(self.height) {
            for column in x..(x + width).min(self.width) {
                let at = ((row * self.width + column) * 3) as usize;
                self.pixels[at..at + 3].copy_from_slice(&[r, g, b]);
            }
        }
    }

    fn draw_text(&mut self, x: u32, y: u32, anchor: TextAnchor, text: &str, fill: HeatColour) {
        let advance = (GLYPH_WIDTH + 1) * DOT;
        let width = advance * text.chars().count() as u32;
        let mut left = match anchor {
            TextAnchor::Start => x,
            TextAnchor::Middle => x.saturating_sub(width / 2),
            TextAnchor::End => x.saturating_sub(width),
        };
        for character in text.chars() {
            let top = y + drop_below(character) * DOT;
            for (row, dots) in glyph(character).iter().enumerate() {
                for column in (0..GLYPH_WIDTH).filter(|c| dots >> (GLYPH_WIDTH - 1 - c) & 1 == 1) {
                    let (x, y) = (left + column * DOT, top + row as u32 * DOT);
                    self.fill_rectangle(x, y, DOT, DOT, fill);
                }
            }
            left += advance;
        }
    }
}

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
