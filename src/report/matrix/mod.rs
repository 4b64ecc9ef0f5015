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

pub use self::cells::{render_gpu_pair, render_gpu_row};
pub use self::csv::{csv_blocks, write_matrix_csv};
pub use self::error::ExportError;
pub use self::json::blocks_json;
pub use self::npy::{npy_blocks, write_matrix_npy};
pub(super) use self::picture::matrix_pictures;
pub use self::png::{png_blocks, write_matrix_png};
pub use self::svg::{svg_blocks, write_matrix_svg};
pub use self::terminal::heat_map;
