//! The traffic matrix as CSV, NPY and JSON, cell by cell.

use std::fmt;
use std::io::Write;

use serde::Serialize;

use crate::parallel::Rank;
use crate::report::document::{Document, Section};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number};
use crate::step::TrafficKind;
use crate::traffic::{BlockAxis, Blocks, ByKind, TrafficMatrix};

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

/// Why a matrix can't be written.
#[derive(Debug)]
pub enum ExportError {
    /// The writer failed.
    Writer(std::io::Error),
    /// The dense matrix would not fit what anybody wants to open.
    TooLarge {
        /// GPUs: rows and columns.
        gpus: u32,
        /// Bytes of the file.
        size: u128,
        /// Bytes that are written at most.
        most: u128,
    },
    /// The picture could not be encoded.
    Picture(png::EncodingError),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Writer(error) => write!(f, "the matrix can't be written: {error}"),
            Self::TooLarge { gpus, size, most } => write!(
                f,
                "a dense matrix of {gpus} GPUs takes `{size}` bytes, and at most {most} are \
                 written: ask for blocks by domain, or for sparse CSV"
            ),
            Self::Picture(error) => write!(f, "the picture can't be encoded: {error}"),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<std::io::Error> for ExportError {
    fn from(error: std::io::Error) -> Self {
        Self::Writer(error)
    }
}

impl From<png::EncodingError> for ExportError {
    fn from(error: png::EncodingError) -> Self {
        Self::Picture(error)
    }
}

/// What a cell of the matrix carries.
#[derive(Serialize)]
pub(super) struct Bytes {
    total_bytes: u128,
    tensor_bytes: u128,
    pipeline_bytes: u128,
    data_bytes: u128,
    context_bytes: u128,
    expert_bytes: u128,
}

impl Bytes {
    pub(super) fn new(bytes: &ByKind) -> Self {
        let read = |kind| bytes.bytes_of_kind(kind).count();
        Self {
            total_bytes: bytes.total_bytes().count(),
            tensor_bytes: read(TrafficKind::Tensor),
            pipeline_bytes: read(TrafficKind::Pipeline),
            data_bytes: read(TrafficKind::Data),
            context_bytes: read(TrafficKind::Context),
            expert_bytes: read(TrafficKind::Expert),
        }
    }
}

#[derive(Serialize)]
struct CellsJson {
    schema: &'static str,
    name: String,
    cells: Vec<PairCell>,
}

#[derive(Serialize)]
struct PairCell {
    from: u32,
    to: u32,
    locality: &'static str,
    #[serde(flatten)]
    bytes: Bytes,
}

/// What two GPUs send to each other, both ways; a GPU and itself are one pair.
#[must_use]
pub fn render_gpu_pair(
    name: &str,
    matrix: &TrafficMatrix,
    from: Rank,
    to: Rank,
    look: RenderOptions<'_>,
) -> String {
    let ways = [(from, to), (to, from)].map(|(i, j)| (i, j, matrix.bytes_between(i, j)));
    let cells = if from == to { &ways[..1] } else { &ways };
    cells_report("planner/traffic-pair/1", name, matrix, cells, look)
}

/// All that one GPU sends, by target.
#[must_use]
pub fn render_gpu_row(
    name: &str,
    matrix: &TrafficMatrix,
    from: Rank,
    look: RenderOptions<'_>,
) -> String {
    let cells: Vec<(Rank, Rank, ByKind)> =
        matrix.row_of_rank(from).into_iter().map(|(to, bytes)| (from, to, bytes)).collect();
    cells_report("planner/traffic-gpu/1", name, matrix, &cells, look)
}

fn cells_report(
    schema: &'static str,
    name: &str,
    matrix: &TrafficMatrix,
    cells: &[(Rank, Rank, ByKind)],
    look: RenderOptions<'_>,
) -> String {
    let placement = matrix.placed_ranks().placement();
    let place = |from, to| placement.pair_locality(from, to).name();
    let mut columns = vec![
        Column::numbers("from", "from"),
        Column::numbers("to", "to"),
        Column::words("place", "locality"),
        Column::numbers("sum", "total_bytes"),
    ];
    columns.extend(
        TrafficKind::ALL
            .map(|kind| Column::numbers(kind.name(), &format!("{}_bytes", kind.name()))),
    );
    let mut table = Table::new(columns);
    for (from, to, bytes) in cells {
        let mut row = vec![
            Cell::count(from.0),
            Cell::count(to.0),
            Cell { text: place(*from, *to).replace('_', " "), raw: place(*from, *to).to_owned() },
            Cell::volume(bytes.total_bytes()),
        ];
        row.extend(TrafficKind::ALL.map(|kind| Cell::volume(bytes.bytes_of_kind(kind))));
        table.push_row(row);
    }
    let lead = number::count_with_noun(cells.len() as u128, "pair of GPUs", "pairs of GPUs");
    let document = Document {
        title: name.to_owned(),
        sections: vec![
            Section::new("TRAFFIC", format!("{lead}, bytes of one step")).add_table(table.clone()),
        ],
        screen: None,
        sheet: table,
    };
    draw_document(&document, look, || {
        let entry = |(from, to, bytes): &(Rank, Rank, ByKind)| {
            let (from, to, locality) = (from.0, to.0, place(*from, *to));
            PairCell { from, to, locality, bytes: Bytes::new(bytes) }
        };
        json::write(&CellsJson {
            schema,
            name: name.to_owned(),
            cells: cells.iter().map(entry).collect(),
        })
    })
}
