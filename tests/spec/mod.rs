//! From text to a question: keys, presets, prices, errors.

mod fuzz_corpus;
mod presets;
mod price_books;
mod spec;
mod spec_errors;
mod spec_schema;
