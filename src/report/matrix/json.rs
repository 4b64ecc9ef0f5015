//! Sums by blocks as JSON, for programs that draw their own pictures.

use std::io::Write;

use serde::Serialize;

use super::ExportError;
use super::bytes::Bytes;
use crate::traffic::{Blocks, By};

#[derive(Serialize)]
struct Sheet {
    schema: &'static str,
    by: &'static str,
    merged: u32,
    side: u32,
    cells: Vec<Cell>,
}

#[derive(Serialize)]
struct Cell {
    from: u32,
    to: u32,
    #[serde(flatten)]
    bytes: Bytes,
}

/// Writes every block that carries anything, row by row. `merged` neighbours form one block.
///
/// # Errors
/// Where the writer fails.
pub fn blocks_json(blocks: &Blocks, by: By, out: &mut impl Write) -> Result<(), ExportError> {
    let side = blocks.side();
    let cells = (0..side)
        .flat_map(|from| (0..side).map(move |to| (from, to)))
        .filter_map(|(from, to)| {
            let bytes = blocks.at(from, to);
            (!bytes.total().is_zero()).then(|| Cell { from, to, bytes: Bytes::new(&bytes) })
        })
        .collect();
    let by = match by {
        By::Gpu => "gpu",
        By::Domain => "domain",
        By::Rail => "rail",
        By::Stage => "stage",
    };
    let sheet =
        Sheet { schema: "planner/traffic-blocks/1", by, merged: blocks.merged(), side, cells };
    serde_json::to_writer(&mut *out, &sheet).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
