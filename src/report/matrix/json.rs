//! Sums by blocks as JSON, for programs that draw their own pictures.

use std::io::Write;

use serde::Serialize;

use super::ExportError;
use crate::step::TrafficKind;
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
    total_bytes: u128,
    tensor_bytes: u128,
    pipeline_bytes: u128,
    data_bytes: u128,
    context_bytes: u128,
    expert_bytes: u128,
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
            let of = |kind| bytes.of(kind).count();
            (!bytes.total().is_zero()).then(|| Cell {
                from,
                to,
                total_bytes: bytes.total().count(),
                tensor_bytes: of(TrafficKind::Tensor),
                pipeline_bytes: of(TrafficKind::Pipeline),
                data_bytes: of(TrafficKind::Data),
                context_bytes: of(TrafficKind::Context),
                expert_bytes: of(TrafficKind::Expert),
            })
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
