//! What is read: specs, books of prices, files of other programs, and every message about them.

mod fuzz {
    pub(crate) mod properties;
}

mod import;
mod launch;
mod messages;
mod spec;
mod support;
