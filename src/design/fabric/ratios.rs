//! The cheapest fabric of a candidate that keeps a share of the NICs' bandwidth, however long a step
//! takes on it. Times nothing.

use super::instance::{ProgramInstance, SizingTools};
use super::sized::SizedFabric;
use super::terms::{Demand, Terms};
use super::within::cheapest_within_step_time;
use crate::design::candidate::job::Job;
use crate::fabric::Ratio;
use crate::scenario::FabricChoice;
use crate::units::Seconds;

/// The cheapest fabric of the terms' family with at least so many uplinks per downlink: within rails
/// and, where the family joins them, across.
pub(crate) fn cheapest_at_ratio(
    job: &Job<'_>,
    planes: u32,
    share: Ratio,
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Option<SizedFabric> {
    let joined = terms.fabric != FabricChoice::RailOnly;
    let across = if joined { share.to_f64() } else { 0.0 };
    let demand = Demand::with_bandwidth(job, terms, share.to_f64(), across);
    let instance = ProgramInstance::new(job, planes, terms, demand);
    let context = instance.column_context(job, planes, terms);
    cheapest_within_step_time(&instance, &context, Seconds::ENDLESS, terms, tools).ok()
}
