//! A price book of the user's own: its prices, and where each stands in its text, so that one that
//! no part of a spec has is told in its place. What a book may say is `resolve`'s business.

use super::document::TextPlace;
use super::source::SpecText;
use crate::hardware::{PriceBook, PricedItem};

/// A book with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// What it prices.
    pub prices: PriceBook,
    /// Its text and name.
    pub(crate) source: SpecText,
    /// What each entry prices, with the key that says so, and where that stands.
    pub(crate) entries: Vec<BookEntry>,
    /// Every date of a price or a rate in it.
    pub(crate) dates: Vec<Dated>,
}

/// What a text of a book says.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// What it prices.
    pub(crate) prices: PriceBook,
    /// As in [`Book`].
    pub(crate) entries: Vec<BookEntry>,
    /// As in [`Book`].
    pub(crate) dates: Vec<Dated>,
}

/// A date of a price or a rate, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dated {
    /// Dotted key.
    pub(crate) key: String,
    /// What it is the date of, in words.
    pub(crate) subject: String,
    /// The date.
    pub(crate) date: String,
    /// Where it stands.
    pub(crate) place: Option<TextPlace>,
}

/// An entry of a book.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BookEntry {
    /// What it prices.
    pub(crate) item: PricedItem,
    /// Where its name stands.
    pub(crate) name: Option<TextPlace>,
    /// Where its line rate stands, if it has one.
    pub(crate) rate: Option<TextPlace>,
}
