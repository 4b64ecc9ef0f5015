//! The matrix as sparse CSV: one line for each pair that carries anything.

use std::io::Write;

use super::ExportError;
use crate::step::TrafficKind;
use crate::traffic::{Blocks, ByKind, TrafficMatrix};

/// Writes `from,to` and the bytes in all and by kind, row by row in ascending order. One row is
/// in memory at a time.
///
/// # Errors
/// Where the writer fails.
pub fn write_matrix_csv(matrix: &TrafficMatrix, out: &mut impl Write) -> Result<(), ExportError> {
    write_csv_heading(out)?;
    for (from, to, bytes) in matrix.busy_cells() {
        write_pair_line(from.0, to.0, &bytes, out)?;
    }
    Ok(())
}

/// Writes the bytes of every pair of blocks as CSV.
///
/// # Errors
/// Where the writer fails.
pub fn csv_blocks(blocks: &Blocks, out: &mut impl Write) -> Result<(), ExportError> {
    write_csv_heading(out)?;
    for from in 0..blocks.blocks_per_side() {
        for to in 0..blocks.blocks_per_side() {
            let bytes = blocks.bytes_between(from, to);
            if !bytes.total_bytes().is_zero() {
                write_pair_line(from, to, &bytes, out)?;
            }
        }
    }
    Ok(())
}

fn write_csv_heading(out: &mut impl Write) -> Result<(), ExportError> {
    write!(out, "from,to,total_bytes")?;
    for kind in TrafficKind::ALL {
        write!(out, ",{}_bytes", kind.name())?;
    }
    writeln!(out)?;
    Ok(())
}

fn write_pair_line(
    from: u32,
    to: u32,
    bytes: &ByKind,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    write!(out, "{from},{to},{}", bytes.total_bytes().count())?;
    for kind in TrafficKind::ALL {
        write!(out, ",{}", bytes.bytes_of_kind(kind).count())?;
    }
    writeln!(out)?;
    Ok(())
}
