//! Choice among candidates.

pub(super) mod after_choice;
mod layout_bounds;
pub(super) mod objectives_in_turn;
pub(super) mod other_layouts;
mod routed_fallbacks;
