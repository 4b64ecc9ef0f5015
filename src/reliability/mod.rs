//! How often things fail, and what of a year is left for training. Knows parts, rates and what their loss
//! means to a job; no graph and no price.

mod failures;
mod fault;
mod goodput;
mod most;
mod pace;
mod per_year;
mod poisson;
mod response;
mod running;
mod standby;
mod trays;

pub use failures::Failures;
pub use fault::Fault;
pub use goodput::{FaultYear, Year, alone, year};
pub use most::most;
pub use per_year::PerYear;
pub use poisson::{at_most, fewest};
pub use response::Response;
pub use standby::{Standby, Takeover};
pub use trays::{NO_SPARE_TRAY, Trays};
