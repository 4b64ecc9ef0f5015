//! The traffic matrix as files and pictures: sparse CSV, dense NPY, JSON of blocks, heat maps as
//! SVG, PNG and terminal text. Everything is written to a writer that the caller owns, one row
//! at a time; no file is opened here, and no cell is made that is not written.

mod bytes;
mod cells;
mod csv;
mod error;
mod font;
mod json;
mod npy;
mod palette;
mod panel;
mod picture;
mod png;
mod scene;
mod svg;
mod terminal;

pub use self::cells::{pair, row};
pub use self::csv::{csv, csv_blocks};
pub use self::error::ExportError;
pub use self::json::blocks_json;
pub use self::npy::{npy, npy_blocks};
pub(super) use self::picture::pictures;
pub use self::png::{png, png_blocks};
pub use self::svg::{svg, svg_blocks};
pub use self::terminal::heat_map;
