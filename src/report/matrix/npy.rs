//! Dense matrices in NumPy's format, version 1.0 (numpy.lib.format): bytes as unsigned 64-bit
//! integers, little-endian, row by row.

use std::io::Write;

use super::ExportError;
use crate::parallel::Rank;
use crate::traffic::{Blocks, TrafficMatrix};

/// Largest file that is written: 4 GiB, a dense matrix of 23,170 GPUs. Beyond it no notebook is
/// happy, and the sparse forms say the same.
const LARGEST: u128 = 4 << 30;

/// Bytes of one cell.
const CELL: u128 = 8;

/// What the header is padded to.
const ALIGNMENT: usize = 64;

/// Writes the bytes of every pair; all kinds together.
///
/// # Errors
/// Where the file would exceed 4 GiB, or the writer fails.
pub fn write_matrix_npy(matrix: &TrafficMatrix, out: &mut impl Write) -> Result<(), ExportError> {
    let gpus = matrix.rank_count();
    let size = u128::from(gpus) * u128::from(gpus) * CELL;
    if size > LARGEST {
        return Err(ExportError::TooLarge { gpus, size, most: LARGEST });
    }
    write_npy_header(gpus, out)?;
    let mut row = vec![0_u64; gpus as usize];
    for from in 0..gpus {
        row.fill(0);
        for (to, bytes) in matrix.row_of_rank(Rank(from)) {
            row[to.0 as usize] = clamp_to_u64(bytes.total_bytes().count());
        }
        write_row(&row, out)?;
    }
    Ok(())
}

/// Writes the bytes of every pair of blocks.
///
/// # Errors
/// Where the writer fails.
pub fn npy_blocks(blocks: &Blocks, out: &mut impl Write) -> Result<(), ExportError> {
    write_npy_header(blocks.blocks_per_side(), out)?;
    for from in 0..blocks.blocks_per_side() {
        let sum = |to| clamp_to_u64(blocks.bytes_between(from, to).total_bytes().count());
        let row: Vec<u64> = (0..blocks.blocks_per_side()).map(sum).collect();
        write_row(&row, out)?;
    }
    Ok(())
}

/// A step in which one pair exceeds 2⁶⁴ bytes (18 exabytes) shows the largest value that fits.
fn clamp_to_u64(bytes: u128) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

fn write_row(row: &[u64], out: &mut impl Write) -> Result<(), ExportError> {
    let bytes: Vec<u8> = row.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    out.write_all(&bytes)?;
    Ok(())
}

fn write_npy_header(side: u32, out: &mut impl Write) -> Result<(), ExportError> {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    let mut text =
        format!("{{'descr': '<u8', 'fortran_order': False, 'shape': ({side}, {side}), }}");
    let before = MAGIC.len() + 2;
    while !(before + text.len() + 1).is_multiple_of(ALIGNMENT) {
        text.push(' ');
    }
    text.push('\n');
    // At most some hundred characters, so that the length fits its 16 bits.
    let length = text.len() as u16;
    out.write_all(MAGIC)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(text.as_bytes())?;
    Ok(())
}
