//! Who looks on while a design is found, and may end it early. Reads no clock, prints nothing and stops
//! nothing itself.

use std::fmt;
use std::sync::Arc;

use crate::units::Amount;

/// Somebody who looks on while a design is found.
pub trait Watch: Send + Sync {
    /// How far it is. Said after every piece of work, so whoever shows it does so now and then only.
    fn show_progress(&self, state: &DesignProgress);

    /// Whether the best design so far is enough. Law: once true, it stays true.
    fn is_stopped(&self) -> bool;
}

/// How far the choice of a design is.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignProgress {
    /// What is gone through.
    pub through: ProofMeans,
    /// How many of them were looked at.
    pub done: u64,
    /// How many there are; bounds may rule out the last of them at once.
    pub all: u64,
    /// The best design so far; `None` before there is one.
    pub best: Option<BestSoFar>,
}

/// What is gone through for a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofMeans {
    /// Candidates: products, interfaces, planes, protocols and rank orders.
    Candidates,
    /// Layouts beside the fastest one of each product.
    Layouts,
}

/// The best design so far, and what may still be better.
#[derive(Clone, Debug, PartialEq)]
pub struct BestSoFar {
    /// What it takes of what is minimised.
    pub value: Amount,
    /// No design takes less, of those sized or not sized.
    pub bound: Amount,
    /// Distance of the bound from the value, as a share of the value.
    pub gap: f64,
    /// What is minimised, in words behind an amount: `to buy`; empty where the unit says it.
    pub text: &'static str,
    /// What it is, in a few words.
    pub words: String,
}

/// Who looks on; nobody by default.
#[derive(Clone, Default)]
pub struct WatchHandle(Option<Arc<dyn Watch>>);

impl WatchHandle {
    /// Nobody looks on.
    pub const NOBODY: Self = Self(None);

    /// Looked at by that one.
    #[must_use]
    pub fn new(watch: Arc<dyn Watch>) -> Self {
        Self(Some(watch))
    }

    /// Tells how far the choice is, where somebody listens; nothing is worked out else.
    pub fn report_progress(&self, state: impl FnOnce() -> DesignProgress) {
        if let Some(watch) = &self.0 {
            watch.show_progress(&state());
        }
    }

    /// Whether the best design so far is enough. Once true, it stays true.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.as_ref().is_some_and(|watch| watch.is_stopped())
    }
}

impl fmt::Debug for WatchHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Watched(somebody)" } else { "Watched(nobody)" })
    }
}

/// Equal where the same one looks on.
impl PartialEq for WatchHandle {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl Eq for WatchHandle {}
