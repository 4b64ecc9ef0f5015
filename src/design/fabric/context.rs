//! What columns are made for: a job in so many planes, what can be bought for it, and what a step
//! may take. Makes none.

use super::limits::LimitCoefficient;
use super::offers::PartsOnOffer;
use super::survival::SurvivalRequirement;
use super::terms::Demand;
use crate::design::candidate::job::Job;
use crate::fabric::SwitchModel;
use crate::scenario::Limits;
use crate::units::{Seconds, Usd};

/// What columns are made for.
#[derive(Clone, Copy)]
pub(crate) struct ColumnContext<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) planes: u32,
    pub(super) parts: &'a PartsOnOffer<'a>,
    pub(super) skus: &'a [SwitchModel],
    /// What a fabric has to give.
    pub(super) demand: &'a Demand,
    /// What it has to keep after a loss; `None` where nothing is asked.
    pub(super) survival: Option<&'a SurvivalRequirement>,
    /// The longest step, all workloads blended; no longer than the demand's.
    pub(crate) pace: Seconds,
    /// The objective counts money, and not power alone.
    pub(super) counts_money: bool,
    /// Cost of drawing a watt over the years that the objective counts.
    pub(super) energy_per_watt: Usd,
    /// Limits in force.
    pub(super) limits: &'a Limits,
    /// What those on money and power count: a cheaper build might exceed them where a dearer one does
    /// not.
    pub(super) counted: &'a [LimitCoefficient],
    /// Networks that cost more are of no use, in dollars of the objective; infinite where all are.
    pub(super) most: f64,
}

impl ColumnContext<'_> {
    /// True where networks are to be regular (`limits.regular`).
    pub(super) fn is_regular(&self) -> bool {
        self.limits.regular == Some(true)
    }

    /// True where a step of that time is fast enough; one that never ends is not, however long it may
    /// take.
    pub(super) fn is_fast_enough(&self, time: Seconds) -> bool {
        time <= self.pace && time < Seconds::ENDLESS
    }
}

/// The models on offer, as the build generator sees them.
pub(super) fn switch_models_on_offer(parts: &PartsOnOffer<'_>) -> Vec<SwitchModel> {
    let sku = |switch: &&crate::hardware::Switch| SwitchModel {
        name: switch.name.clone(),
        radix: switch.radix(parts.link),
    };
    parts.switches.iter().map(sku).collect()
}
