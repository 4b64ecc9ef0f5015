//! Which file of a crate uses which other, read from its text: every path of a `use` and of the code
//! is followed through modules, renames and re-exports to the file that declares the item.
//!
//! It sees paths, and no more: a method that is called on a value, or a macro, names no file. Unit
//! tests are no part of a file here.

mod circles;
mod file;
mod tokens;
mod tree;

pub(crate) use circles::circles;
pub(crate) use tokens::{Token, all_tokens, end_of_item, tokens};
pub(crate) use tree::{Target, Tree};
