//! Halls and their cables, held against what knows nothing of how they were placed: racks as boxes that must
//! not overlap, ways reckoned again from the plan that is printed, the wiring, the bill.

mod accepted;
mod bill_and_list;
mod cables;
mod racks;
mod superpod;
