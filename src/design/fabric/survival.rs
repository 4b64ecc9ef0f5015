//! What a fabric has to keep after a loss: the pace of every workload where a link, a switch or a plane
//! is out of service. Times nothing.

use super::terms::Terms;
use crate::design::candidate::job::Job;
use crate::scenario::Loss;
use crate::units::Seconds;

/// What is asked of a fabric after a loss.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SurvivalRequirement {
    /// Any one link may be lost.
    pub(super) links: bool,
    /// Any one switch.
    pub(super) switches: bool,
    /// All switches of any one plane.
    pub(super) planes: bool,
    /// The longest step after a loss of every workload, the leading one first.
    longest: Vec<Seconds>,
}

impl SurvivalRequirement {
    /// What the limits ask for; `None` where that is nothing.
    pub(super) fn from_terms(job: &Job<'_>, terms: &Terms<'_>) -> Option<Self> {
        let asked = |loss| terms.limits.has_to_survive(loss);
        let [links, switches, planes] = [Loss::Link, Loss::Switch, Loss::Plane].map(asked);
        let longest =
            job.one_run_per_workload().map(|run| run.full / terms.limits.survive_pace).collect();
        (links || switches || planes).then_some(Self { links, switches, planes, longest })
    }

    /// Everything that it asks for, to be told apart from others.
    pub(super) fn cache_key_bits(&self) -> Vec<u64> {
        let asked = [self.links, self.switches, self.planes].map(u64::from);
        asked.into_iter().chain(self.longest.iter().map(|time| time.get().to_bits())).collect()
    }

    /// True where every workload is fast enough after a loss.
    pub(super) fn are_fast_enough(&self, paces: &[Seconds]) -> bool {
        let mut each = paces.iter().zip(&self.longest);
        each.all(|(pace, longest)| pace <= longest && *pace < Seconds::ENDLESS)
    }
}
