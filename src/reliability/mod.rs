//! How often things fail, and what of a year is left for training. Knows parts, rates and what
//! their loss means to a job; no graph and no price.

mod failure_rates;
mod fault;
mod goodput;
mod poisson;

pub use failure_rates::{Failures, NO_SPARE_TRAY, PerYear, Trays};
pub use fault::{Fault, FaultResponse, Standby, Takeover};
pub use goodput::{FailureYear, FaultYear, failure_year, goodput_upper_bound, mean_broken_domains};
pub use poisson::{poisson_cdf, poisson_quantile};
