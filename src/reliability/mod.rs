//! How often things fail, and what of a year is left for training. Knows counts of parts and
//! rates, no graph and no price.

mod goodput;
mod poisson;
mod rates;

pub use goodput::{Conduct, Exposure, Year, year};
pub use poisson::{at_most, fewest};
pub use rates::{PerYear, Rates};
