//! A price book of the user's own: its prices, and where each stands in its text, so that one that
//! no part of a spec has is told in its place. What a book may say is `resolve`'s business.

use super::document::{Place, SourceId};
use super::problem::Problems;
use super::{Source, parse, resolve};
use crate::hardware::{Item, PriceBook};

/// A book with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// What it prices.
    pub prices: PriceBook,
    /// Its text and name.
    pub(crate) source: Source,
    /// What each entry prices, with the key that says so, and where that stands.
    pub(crate) entries: Vec<BookEntry>,
}

/// An entry of a book.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BookEntry {
    /// What it prices.
    pub(crate) item: Item,
    /// Where its name stands.
    pub(crate) name: Option<Place>,
    /// Where its line rate stands, if it has one.
    pub(crate) rate: Option<Place>,
}

/// A price book, in the shape of those that ship.
///
/// # Errors
/// Everything that is wrong with it, each with its place. Whether a spec has what it prices is
/// found out when the spec is read.
pub fn price_book(source: &Source) -> Result<Book, Problems> {
    let refuse = |list| Problems::new(list, source.clone(), &[]);
    let table = parse(source, true).map_err(refuse)?;
    let (prices, entries, problems) = resolve::price_book(&table);
    if !problems.is_empty() {
        return Err(refuse(problems));
    }
    // Beside a spec, places in the book are places in another text.
    let there = |place: Place| Place { source: SourceId::Book, ..place };
    let there = |entry: BookEntry| BookEntry {
        name: entry.name.map(there),
        rate: entry.rate.map(there),
        ..entry
    };
    let entries = entries.into_iter().map(there).collect();
    Ok(Book { prices, source: source.clone(), entries })
}
