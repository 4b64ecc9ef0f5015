//! The cheapest fabric of a candidate that keeps a share of the NICs' bandwidth, however long a step
//! takes on it. Times nothing.

use super::instance::{Instance, Tools};
use super::sized::Sized;
use super::terms::{Demand, Terms};
use super::within::within;
use crate::design::candidate::job::Job;
use crate::fabric::Ratio;
use crate::scenario::FabricChoice;
use crate::units::Seconds;

/// The cheapest fabric of the terms' family with at least so many uplinks per downlink: within rails
/// and, where the family joins them, across.
pub(crate) fn at_ratio(
    job: &Job<'_>,
    planes: u32,
    share: Ratio,
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Option<Sized> {
    let joined = terms.fabric != FabricChoice::RailOnly;
    let across = if joined { share.as_f64() } else { 0.0 };
    let demand = Demand::of_bandwidth(job, terms, share.as_f64(), across);
    let instance = Instance::new(job, planes, terms, demand);
    let context = instance.context(job, planes, terms);
    within(&instance, &context, Seconds::ENDLESS, terms, tools).ok()
}
