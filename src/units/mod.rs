//! Quantities as types: bits are never bytes, GB is never GiB, money is never watts.
//!
//! Values inside the program are in base units (bytes, seconds, bytes per second, FLOP/s, watts, US
//! dollars). Text with units is read once, at the rim, by [`parse`]; only values of limits are
//! written back as text, by [`ExactAmount`]: how any other number is shown is the report's
//! business.

mod amount;
pub mod exact_text;
mod money;
pub(crate) mod number_separators;
pub mod parse;
pub(crate) mod quantity;

pub(crate) use amount::ROUNDING;
pub use amount::{Amount, Unit};
pub use exact_text::{ExactAmount, SpecAmount, StatedAmount, format_price};
pub use money::{Currency, Money, UsdRange};
pub use quantity::{Bandwidth, Bytes, FlopRate, Flops, Metres, Seconds, Usd, Watts};
