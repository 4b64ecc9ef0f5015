//! The plan: the best candidate in each quantity in turn, routed, checked and written up.

pub(super) mod alternative;
pub(super) mod asked;
pub(super) mod assemble;
pub(super) mod by_ratio;
pub(super) mod certificate;
pub(super) mod error_band;
pub(super) mod exchange;
pub(super) mod failures;
pub(super) mod filled;
pub(super) mod fingerprint;
pub(super) mod fixed;
pub(super) mod headroom;
pub(super) mod inputs;
pub(super) mod lexicographic;
pub(super) mod losses;
pub(super) mod once;
pub(super) mod plan;
pub(super) mod rounds;
pub(super) mod routed;
pub(super) mod single_point;
pub(super) mod verify;
pub(super) mod warning;
pub(super) mod warnings;
pub(super) mod wiring;
