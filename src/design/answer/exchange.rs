//! What a uniform all-to-all between all GPUs reaches on a fabric: the pattern that asks most of it.
//! No step of the design need have one.

use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::design::fabric::trees::level_of_counts;
use crate::fabric::Counts;
use crate::parallel::Placement;
use crate::routing::AllToAll;
use crate::timing::UplinkBalance;
use crate::units::{Bandwidth, Bytes};

/// Throughput of a uniform all-to-all over the rate of a GPU's share of the NICs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AllToAllThroughput {
    /// Messages are forwarded whole before they are sent.
    pub stored: f64,
    /// Chunks are forwarded while others are sent: as well as routing can.
    pub pipelined: f64,
    /// How many times as long the uplinks of a leaf take as the NICs below it, at least 1.
    pub uplinks: f64,
}

/// The exchange on a fabric of that level: on one that is timed on its cables no less than what any two halves of
/// its NICs have between them. Leaf switches of several shapes count as the narrowest with the fewest uplinks.
pub(super) fn all_to_all_throughput(
    job: &Job<'_>,
    level: Level,
    counts: &Counts,
) -> AllToAllThroughput {
    match level.member {
        Some(_) => {
            AllToAllThroughput { stored: level.across, pipelined: level.across, uplinks: 1.0 }
        }
        None => all_to_all_by_level(job, level_of_counts(counts, UplinkBalance::SPRAY)),
    }
}

/// The exchange on a fabric of that level (docs/equations.md §8.2, §8.5): what forwarding through
/// the HB domain costs, and no more than the uplinks of a leaf carry of what leaves it.
///
/// Special cases: a single domain reaches the rate, as it needs no NIC; machines that forward
/// nothing reach no more than the share of the spine over that of the traffic across rails, and
/// nothing without a spine.
fn all_to_all_by_level(job: &Job<'_>, level: Level) -> AllToAllThroughput {
    let node = job.machine.node;
    if job.domains < 2 || node.gpus == 0 {
        return AllToAllThroughput { stored: 1.0, pipelined: 1.0, uplinks: 1.0 };
    }
    let nic: Bandwidth = job.machine.nic.bandwidth * (f64::from(node.nics) / f64::from(node.gpus));
    let machine = Placement::with_packed_domains(node.gpus, node.nics);
    let machines = AllToAll {
        domains: job.domains,
        machine,
        hb: node.hb_bandwidth,
        hb_busy: Bandwidth::ZERO,
        nic,
        across: level.across,
    };
    let others = f64::from(job.domains - 1);
    let leaving = level
        .leaf_domains
        .map_or(0.0, |leaf| (f64::from(job.domains) - f64::from(leaf)).max(0.0) / others);
    let bound = leaving > 0.0 && level.within < 1.0;
    let uplinks = if bound { (leaving / level.within).max(1.0) } else { 1.0 };
    let bytes = Bytes::from_gib(1);
    let straight = AllToAll { across: 1.0, hb: Bandwidth::from_f64(f64::MAX), ..machines };
    let full = straight.pipelined_time(bytes);
    if !node.forwards {
        let reached = machine.spine_share_of_bytes(level.across).min(1.0 / uplinks);
        return AllToAllThroughput { stored: reached, pipelined: reached, uplinks };
    }
    let forwarding = machines.store_and_forward_time(bytes) / full - 1.0;
    AllToAllThroughput {
        stored: 1.0 / (uplinks + forwarding.max(0.0)),
        pipelined: 1.0 / (machines.pipelined_time(bytes) / full).max(uplinks),
        uplinks,
    }
}
