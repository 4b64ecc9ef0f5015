//! Which candidate is best, in each quantity in turn, and which layouts may beat it.

pub(super) mod after_choice;
pub(super) mod choice_program;
mod layout_bounds;
pub(super) mod objectives_in_turn;
pub(super) mod other_layouts;
mod routed_fallbacks;
