//! The traffic matrix as files and pictures: sparse CSV, dense NPY, JSON of blocks, heat maps as
//! SVG, PNG and terminal text. Everything is written to a writer that the caller owns, one row
//! at a time; no file is opened here, and no cell is made that is not written.

mod colours_and_font;
mod data_files;
mod heat_map;
mod images;
mod page_and_terminal;

pub use data_files::{
    ExportError, blocks_json, csv_blocks, npy_blocks, render_gpu_pair, render_gpu_row,
    write_matrix_csv, write_matrix_npy,
};
pub use images::{png_blocks, svg_blocks, write_matrix_png, write_matrix_svg};
pub use page_and_terminal::heat_map;
pub(super) use page_and_terminal::matrix_pictures;
