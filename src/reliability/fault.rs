//! What may fail, what a job does about it, HB domains that stand by for broken ones, and the pace
//! left meanwhile.

use super::poisson::poisson_cdf;
use super::{Failures, PerYear};
use crate::units::Seconds;

/// Alike pieces of a cluster, the loss of any one of which means the same to the job.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What they are, such as `leaf switch` or `nic-leaf link`.
    pub part: String,
    pub pieces: u64,
    /// How often one of them fails.
    pub rate: PerYear,
    /// How long one is out.
    pub repair: Seconds,
    /// Whether they are part of the network.
    pub network: bool,
    /// The job stops: something that it needs is gone.
    pub stops: bool,
    /// HB domains whose replacement brings the full pace back; 0 where none does or is needed.
    pub domains: u64,
    /// GPUs of the HB domains that it hits, no more than the job has.
    pub gpus: u64,
    /// Share of the full pace at which the job can go on until the repair with nothing replaced;
    /// 0 where it can't.
    pub kept: f64,
}

impl Fault {
    /// The loss of one of either means the same.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let means = |fault: &Self| {
            (
                fault.rate,
                fault.repair,
                fault.network,
                fault.stops,
                fault.domains,
                fault.gpus,
                fault.kept,
            )
        };
        self.part == other.part && means(self) == means(other)
    }

    /// How often any of them fails.
    #[must_use]
    pub fn rate_of_any(&self) -> PerYear {
        self.rate.for_pieces(self.pieces)
    }

    /// Time that one loss takes from training until its repair where nothing is replaced, beside a
    /// stop.
    pub(super) fn time_lost_unreplaced(&self) -> Seconds {
        self.repair * (1.0 - self.kept)
    }
}

/// What a job does about a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultResponse {
    /// It restarts with standby domains in the place of those that are hit.
    Replace,
    /// It stands until somebody has carried the cables of those that are hit to standby domains,
    /// and restarts.
    Swap,
    /// It goes on with what is left, after a restart where it was stopped.
    KeepOn,
    /// It waits for the repair.
    Wait,
}

/// True of faults that standby is there for: they take one domain, and nothing else helps.
pub(super) fn is_standbys(fault: &Fault) -> bool {
    fault.stops && fault.domains == 1 && fault.kept <= 0.0
}

/// What a job does about each of them where a stop takes `stop`, a domain that is carried over by
/// hand `swap`, and
/// `alone` domains are broken on average by faults that nothing else helps against.
///
/// What takes least is judged of each kind by itself, to first order in its stops. Faults that
/// leave least go first. Domains that take the place of others are missing where one breaks for
/// good: what that adds to the share of the time in which too few stand by is part of the price.
pub(super) fn best_responses(
    faults: &[Fault],
    stop: Seconds,
    swap: Seconds,
    standby: Standby,
    alone: f64,
) -> Vec<FaultResponse> {
    let mut order: Vec<usize> = (0..faults.len()).collect();
    order.sort_by(|a, b| faults[*a].kept.total_cmp(&faults[*b].kept));
    let mut broken = alone;
    let mut found = vec![FaultResponse::Wait; faults.len()];
    let take_over = if standby.is_by_hand() { FaultResponse::Swap } else { FaultResponse::Replace };
    for place in order {
        let fault = &faults[place];
        let stay = if fault.kept > 0.0 { FaultResponse::KeepOn } else { FaultResponse::Wait };
        found[place] = stay;
        if fault.domains == 0 || fault.domains > standby.domains {
            continue;
        }
        if is_standbys(fault) {
            found[place] = take_over;
            continue;
        }
        let out = fault.rate_of_any().expected_events(fault.repair);
        let more = broken + out * fault.domains as f64;
        let waiting = poisson_cdf(standby.domains, broken) - poisson_cdf(standby.domains, more);
        let takes = |response| {
            let stopped = if has_job_restart(fault, response) {
                fault.rate_of_any().expected_events(stop)
            } else {
                0.0
            };
            let stands = standing_until_swap(fault, response, standby, swap, broken);
            let alone = DegradedKind {
                out: out * unreplaced_loss_share(fault, response, standby, broken),
                kept: fault.kept,
            };
            stopped + pace_share_lost(&[stands, alone]).iter().sum::<f64>()
        };
        if takes(take_over) + waiting < takes(stay) {
            found[place] = take_over;
            broken = more;
        }
    }
    found
}

/// Share of the losses of a fault that find enough domains standing by, of `standby` of which
/// others took
/// `broken` on average.
pub(super) fn share_covered_by_standby(fault: &Fault, standby: Standby, broken: f64) -> f64 {
    standby.domains.checked_sub(fault.domains).map_or(0.0, |free| poisson_cdf(free, broken))
}

/// Whether standby domains take the place of those that are hit.
pub(super) fn is_replaced(response: FaultResponse) -> bool {
    matches!(response, FaultResponse::Replace | FaultResponse::Swap)
}

/// What stands while somebody carries cables: all of the pace, from each loss that finds enough
/// domains standing by until they have taken over.
pub(super) fn standing_until_swap(
    fault: &Fault,
    response: FaultResponse,
    standby: Standby,
    swap: Seconds,
    broken: f64,
) -> DegradedKind {
    let swapped = match response {
        FaultResponse::Swap if fault.domains <= 1 => 1.0,
        FaultResponse::Swap => share_covered_by_standby(fault, standby, broken),
        FaultResponse::Replace | FaultResponse::KeepOn | FaultResponse::Wait => 0.0,
    };
    DegradedKind {
        out: fault.rate_of_any().expected_events(standby.takeover_time(swap, fault.repair))
            * swapped,
        kept: 0.0,
    }
}

/// Whether a job restarts that responds so.
pub(super) fn has_job_restart(fault: &Fault, response: FaultResponse) -> bool {
    fault.stops || is_replaced(response)
}

/// Share of the losses of a fault that nothing replaces. That one domain more is broken than stands
/// by is not counted: the share of the year in which any number is too many is.
pub(super) fn unreplaced_loss_share(
    fault: &Fault,
    response: FaultResponse,
    standby: Standby,
    broken: f64,
) -> f64 {
    match response {
        // One domain at a time is what standby is for.
        FaultResponse::Replace | FaultResponse::Swap if fault.domains <= 1 => 0.0,
        FaultResponse::Replace | FaultResponse::Swap => {
            1.0 - share_covered_by_standby(fault, standby, broken)
        }
        FaultResponse::KeepOn | FaultResponse::Wait => 1.0,
    }
}

/// A kind of part that may be out without being replaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DegradedKind {
    /// How many are out on average.
    pub(super) out: f64,
    /// Share of the full pace while one or more of them are.
    pub(super) kept: f64,
}

/// Share of the pace that each of some kinds takes on average. While several are out the job goes
/// as fast as the slowest of them allows, and that one takes all that is missing.
///
/// How many are out is Poisson whatever their repairs take (Palm), so none of a kind is with
/// probability e^(−mean).
pub(super) fn pace_share_lost(kinds: &[DegradedKind]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    order.sort_by(|a, b| kinds[*a].kept.total_cmp(&kinds[*b].kept));
    let mut taken = vec![0.0; kinds.len()];
    // Share of the time in which none of those is out that leave less.
    let mut clear = 1.0;
    for place in order {
        let DegradedKind { out, kept } = kinds[place];
        taken[place] = clear * -(-out).exp_m1() * (1.0 - kept);
        clear *= (-out).exp();
    }
    taken
}

/// The time as stops at a rate cut it up; the shares add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunningShares {
    pub(super) interval: Seconds,
    /// Share that checkpoints take.
    pub(super) saving: f64,
    /// Share that is trained again.
    pub(super) rework: f64,
    /// Share that restarts take.
    pub(super) restarting: f64,
    /// Share that trains.
    pub(super) left: f64,
}

impl RunningShares {
    /// Where stops come at random at a rate Λ, also during restarts of r and checkpoints of s, a
    /// stretch τ of work takes e^(Λ·r)·(e^(Λ·(τ + s)) − 1)/Λ (Daly 2006, equation 13). Checkpoints
    /// and restarts take their shares even where no work is lost.
    pub(super) fn with_stops(stops: PerYear, failures: &Failures) -> Self {
        let interval = best_checkpoint_interval(stops, failures);
        let restarting = -(-stops.expected_events(failures.restart_time())).exp_m1();
        let runs = 1.0 - restarting;
        if interval.get() <= 0.0 {
            return Self { interval, saving: 0.0, rework: 0.0, restarting, left: runs };
        }
        let saving = if interval.is_endless() {
            0.0
        } else {
            failures.checkpoint_save_time() / (interval + failures.checkpoint_save_time())
        };
        let lost = stops.expected_events(interval + failures.checkpoint_save_time());
        let kept = if interval.is_endless() || lost <= 0.0 {
            1.0 - saving
        } else {
            stops.expected_events(interval) / lost.exp_m1()
        };
        let left = runs * kept;
        Self {
            interval,
            saving: runs * saving,
            rework: (runs * (1.0 - saving) - left).max(0.0),
            restarting,
            left,
        }
    }
}

/// Time between checkpoints: what is stated, else √(2·s/Λ), which loses least where s·Λ is small
/// (Young 1974).
fn best_checkpoint_interval(stops: PerYear, failures: &Failures) -> Seconds {
    let per_second = stops.expected_events(Seconds::from_f64(1.0));
    failures.checkpoint_interval().unwrap_or_else(|| {
        if per_second > 0.0 {
            Seconds::from_f64((2.0 * failures.checkpoint_save_time().get() / per_second).sqrt())
        } else {
            Seconds::ENDLESS
        }
    })
}

/// How a domain that stands by takes the place of a broken one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takeover {
    /// It has ports and cables of its own: the job restarts on it.
    Wired,
    /// It has none: somebody carries the cables of the broken one over, and the job stands until
    /// then.
    ByHand,
}

/// HB domains that stand by, all of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standby {
    pub domains: u64,
    /// How one takes over; of none no matter.
    pub takeover: Takeover,
}

impl Standby {
    /// None stands by.
    pub const NONE: Self = Self::new_wired(0);

    /// So many with ports and cables of their own.
    #[must_use]
    pub const fn new_wired(domains: u64) -> Self {
        Self { domains, takeover: Takeover::Wired }
    }

    /// So many without.
    #[must_use]
    pub const fn new_cold(domains: u64) -> Self {
        if domains == 0 { Self::NONE } else { Self { domains, takeover: Takeover::ByHand } }
    }

    /// What follows their number in reports: nothing where none stands by.
    #[must_use]
    pub const fn report_suffix(self) -> &'static str {
        match self {
            Self { domains: 0, .. } => "",
            Self { takeover: Takeover::Wired, .. } => ", wired",
            Self { takeover: Takeover::ByHand, .. } => ", cold",
        }
    }

    /// Those that have ports.
    #[must_use]
    pub const fn with_ports(self) -> u64 {
        match self.takeover {
            Takeover::Wired => self.domains,
            Takeover::ByHand => 0,
        }
    }

    /// True where somebody has to carry cables.
    #[must_use]
    pub const fn is_by_hand(self) -> bool {
        matches!(self.takeover, Takeover::ByHand)
    }

    /// Time for which the job stands until one has taken over, beside its restart: no longer than
    /// the repair.
    #[must_use]
    pub fn takeover_time(self, swap: Seconds, repair: Seconds) -> Seconds {
        match self.takeover {
            Takeover::Wired => Seconds::ZERO,
            Takeover::ByHand => swap.min(repair),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DegradedKind, pace_share_lost};

    /// Every combination of kinds that are out and are not, one by one.
    #[test]
    fn combinations_one_by_one_say_the_same() {
        let kinds = [(0.3, 0.9), (2.0, 0.5), (0.01, 0.0), (11.0, 0.98)];
        let kinds = kinds.map(|(out, kept)| DegradedKind { out, kept });
        let mut lost = 0.0;
        for which in 0..1_u32 << kinds.len() {
            let (mut chance, mut pace) = (1.0, 1.0_f64);
            for (place, DegradedKind { out, kept }) in kinds.iter().enumerate() {
                let none = (-out).exp();
                let is_out = which >> place & 1 == 1;
                chance *= if is_out { 1.0 - none } else { none };
                pace = if is_out { pace.min(*kept) } else { pace };
            }
            lost += chance * (1.0 - pace);
        }
        let found: f64 = pace_share_lost(&kinds).into_iter().sum();
        assert!((found - lost).abs() < 1e-12, "{found} and {lost}");
    }

    #[test]
    fn what_is_always_out_takes_its_share_once() {
        let often = DegradedKind { out: 1e6, kept: 0.9 };
        assert!((pace_share_lost(&[often])[0] - 0.1).abs() < 1e-12);
        assert!((pace_share_lost(&[often, often]).iter().sum::<f64>() - 0.1).abs() < 1e-12);
    }
}
