//! Sums by blocks as JSON, for programs that draw their own pictures.

use std::io::Write;

use serde::Serialize;

use super::ExportError;
use super::bytes::Bytes;
use crate::traffic::{BlockAxis, Blocks};

#[derive(Serialize)]
struct BlocksJson {
    schema: &'static str,
    by: &'static str,
    merged: u32,
    side: u32,
    cells: Vec<BlockCell>,
}

#[derive(Serialize)]
struct BlockCell {
    from: u32,
    to: u32,
    #[serde(flatten)]
    bytes: Bytes,
}

/// Writes every block that carries anything, row by row. `merged` neighbours form one block.
///
/// # Errors
/// Where the writer fails.
pub fn blocks_json(
    blocks: &Blocks,
    by: BlockAxis,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let side = blocks.blocks_per_side();
    let cells = (0..side)
        .flat_map(|from| (0..side).map(move |to| (from, to)))
        .filter_map(|(from, to)| {
            let bytes = blocks.bytes_between(from, to);
            (!bytes.total_bytes().is_zero()).then(|| BlockCell {
                from,
                to,
                bytes: Bytes::new(&bytes),
            })
        })
        .collect();
    let by = match by {
        BlockAxis::Gpu => "gpu",
        BlockAxis::Domain => "domain",
        BlockAxis::Rail => "rail",
        BlockAxis::Stage => "stage",
    };
    let sheet = BlocksJson {
        schema: "planner/traffic-blocks/1",
        by,
        merged: blocks.ids_per_block(),
        side,
        cells,
    };
    serde_json::to_writer(&mut *out, &sheet).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
