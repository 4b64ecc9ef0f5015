//! One call as a connection matrix of htsim (csg-htsim, `sim/datacenter`): every message of the call
//! on all groups of its stage, all sent at once.

use std::io::Write;

use crate::collective::Scope;
use crate::ledger::{CallEntry, Ledger};
use crate::parallel::Rank;
use crate::report::matrix::ExportError;

/// Most bytes of a connection: its reader counts in 32 bits. What is more goes in several.
#[must_use]
pub const fn most_bytes() -> u128 {
    i32::MAX as u128
}

/// Writes the connections of a call.
///
/// # Errors
/// Where the writer fails.
pub fn write_flows(
    ledger: &Ledger<'_>,
    entry: &CallEntry,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let placed = ledger.placed_ranks();
    let grid = placed.grid();
    let group = ledger.communication_of_entry(entry).group;
    let mut connections = Vec::new();
    for rank in
        (0..grid.ranks()).map(Rank).filter(|rank| grid.pipeline_stage(*rank) == entry.id.stage)
    {
        let all: Vec<Rank> =
            (0..grid.group_size(group)).map(|at| grid.group_member(rank, group, at)).collect();
        for flow in ledger.call_flows(entry) {
            let placement = placed.placement();
            let together = |other: &&Rank| match flow.scope {
                Scope::Whole => true,
                Scope::Inside => placement.domain_of(**other) == placement.domain_of(rank),
                Scope::Across => placement.index_of(**other) == placement.index_of(rank),
            };
            let members: Vec<Rank> = all.iter().filter(together).copied().collect();
            let own = members.iter().position(|this_rank| *this_rank == rank).unwrap_or(0) as u32;
            for to in flow.shape.target_positions(own, members.len() as u32) {
                let mut left = flow.bytes.count();
                while left > 0 {
                    let bytes = left.min(most_bytes());
                    connections.push((rank, members[to as usize], bytes));
                    left -= bytes;
                }
            }
        }
    }
    writeln!(out, "Nodes {}", grid.ranks())?;
    writeln!(out, "Connections {}", connections.len())?;
    for (at, (from, to, bytes)) in connections.iter().enumerate() {
        writeln!(out, "{}->{} id {} start 0 size {bytes}", from.0, to.0, at + 1)?;
    }
    Ok(())
}
