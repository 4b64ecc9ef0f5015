//! Why a matrix can't be written.

use std::fmt;

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
