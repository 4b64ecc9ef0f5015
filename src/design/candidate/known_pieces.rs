//! What links are made of, of fabrics that were laid before. Lays none.

use std::sync::{Mutex, PoisonError};

use crate::fabric::{Blueprint, Counts};
use crate::hall::Pieces;

/// Fabrics of which it is kept.
const FABRICS: usize = 32;

/// A fabric as its links are laid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LaidFabric {
    pub(crate) blueprint: Blueprint,
    pub(crate) counts: Counts,
    /// HB domains with cables: those that train, and those on standby that are wired.
    pub(crate) domains: u32,
    /// HB domains on standby without cables.
    pub(crate) standby: u64,
}

/// The pieces of fabrics that were laid for a run, the latest last: a design is priced under many limits, and beside
/// many others. `None` where a link has no parts.
#[derive(Debug, Default)]
pub(crate) struct KnownPieces(Mutex<Vec<(LaidFabric, Option<Vec<Pieces>>)>>);

impl KnownPieces {
    /// The pieces of a fabric, as `lay` gives them where they are not known.
    pub(crate) fn of(
        &self,
        fabric: LaidFabric,
        lay: impl FnOnce() -> Option<Vec<Pieces>>,
    ) -> Option<Vec<Pieces>> {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all().iter().find(|(of, _)| *of == fabric).map(|(_, pieces)| pieces.clone());
        if let Some(known) = known {
            return known;
        }
        let laid = lay();
        let mut all = all();
        if all.len() >= FABRICS {
            all.remove(0);
        }
        all.push((fabric, laid.clone()));
        laid
    }
}
