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
pub use goodput::{FailureYear, FaultYear, failure_year, mean_broken_domains};
pub use most::goodput_upper_bound;
pub use per_year::PerYear;
pub use poisson::{poisson_cdf, poisson_quantile};
pub use response::FaultResponse;
pub use standby::{Standby, Takeover};
pub use trays::{NO_SPARE_TRAY, Trays};
