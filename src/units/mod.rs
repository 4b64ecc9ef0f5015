//! Quantities as types: bits are never bytes, GB is never GiB, money is never watts.
//!
//! Values inside the program are in base units (bytes, seconds, bytes per second, FLOP/s, watts,
//! US dollars). Text with units is read once, at the rim, by [`text`]; only values of limits are written
//! back as text, by [`ExactAmount`]: how any other number is shown is the report's business.

mod amount;
pub(crate) mod bytes;
mod currency;
pub(crate) mod error;
mod exact;
mod money;
pub(crate) mod quantity;
mod separators;
pub mod text;
pub mod written;

pub use amount::{Amount, Unit};
pub use bytes::Bytes;
pub use currency::Currency;
pub use exact::{ExactAmount, StatedAmount, format_price};
pub use money::Money;
pub use quantity::{Bandwidth, FlopRate, Flops, Metres, Seconds, Usd, Watts};
