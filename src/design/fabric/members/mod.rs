//! The best fabric of a candidate in a family whose steps are timed on their cables: members that may be the
//! best are wired and routed, the cheapest ones first. Money and limits are the integer program's.

mod chains;
mod search;

pub(super) use search::cheapest_fast_member;
