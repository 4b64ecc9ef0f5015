//! Who sends how much to whom in one step, without making N² cells. Knows no fabric: locality
//! is a matter of the HB domain alone.
//!
//! A [`TrafficMatrix`] is a short list of terms: a relation between the members of one group,
//! copied to all groups of its kind. Each term falls apart into patches: boxes in the digits of the
//! rank whose ranks all send the same number of bytes to the rank at the same distance. Sums count
//! patches, never cells; every count is exact.

mod block_sums;
mod border_crossing;
mod digit_boxes;
mod interface_loads;
mod leaf_cut;
mod matrix;
mod messages;
mod patch;
mod patch_counts;
mod term;
mod uncounted;

pub use super::parallel::Locality;
pub use block_sums::{Bin, BlockAxis, Blocks, Distribution};
pub use interface_loads::{InterfaceLoads, LeafBorders};
pub use leaf_cut::{LeafCuts, leaf_cut};
pub use matrix::{ByKind, TrafficMatrix, TrafficSummary};
pub use messages::{GroupedCall, Message};
pub use uncounted::{Frequency, Uncounted, a_step, uncounted_traffic};
