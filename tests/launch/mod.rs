//! Launch files: their exact text, that the stacks' own readers took it, and that what is written is
//! what is read back.

mod accepted;
mod foreign;
mod round_trip;
