//! Who sends how much to whom in one step, without making N² cells. Knows no fabric: locality
//! is a matter of the HB domain alone.
//!
//! A [`TrafficMatrix`] is a short list of terms: a relation between the members of one group, copied to
//! all groups of its kind. Each term falls apart into patches: boxes in the digits of the rank
//! whose ranks all send the same number of bytes to the rank at the same distance. Sums count
//! patches, never cells; every count is exact.

mod blocks;
mod crossing;
mod digits;
mod distribution;
mod flows;
mod interfaces;
mod leaf;
mod matrix;
mod overlay;
mod patch;
mod residues;
mod runs;
mod summary;
mod term;
mod uncounted;
mod values;

pub use crate::parallel::Locality;
pub use blocks::{BlockAxis, Blocks};
pub use distribution::{Bin, Distribution};
pub use flows::{GroupedCall, Message};
pub use interfaces::{InterfaceLoads, LeafBorders};
pub use leaf::{LeafCuts, leaf_cut};
pub use matrix::{ByKind, TrafficMatrix};
pub use summary::TrafficSummary;
pub use uncounted::{Frequency, Uncounted, a_step, uncounted_traffic};
