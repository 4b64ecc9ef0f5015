//! Calls of a step as SimAI and htsim read them.

use std::io::Write;

use crate::collective::Scope;
use crate::ledger::{CallEntry, Ledger, PassDirection};
use crate::parallel::{Group, Rank};
use crate::report::matrix::ExportError;
use crate::step::{Collective, Operation, Pass};

/// Fields that may not be 0: compute that takes next to no time, and the time of a line.
const NO_COMPUTE: u32 = 1;
const PROCESS_TIME: u32 = 100;

/// Writes the calls of a stage: those of its first micro-batch, and those of the step; of a ledger
/// of messages ([`Ledger::list_messages`]) message by message.
///
/// # Errors
/// Where the writer fails.
pub fn write_simai_workload(
    ledger: &Ledger<'_>,
    stage: u32,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let layout = &ledger.step().layout;
    let wanted = |entry: &CallEntry| entry.micro_batch.is_none_or(|count| count == 0);
    let collective = |entry: &CallEntry| {
        ledger.communication_of_entry(entry).collective.operation() != Operation::Send
    };
    let all: Vec<CallEntry> = ledger.stage_calls(stage).into_iter().filter(wanted).collect();
    let lines: Vec<String> = all
        .iter()
        .filter(|entry| collective(entry))
        .map(|entry| simai_line(ledger, entry))
        .collect();
    let messages = all.iter().filter(|entry| !collective(entry));
    let sent =
        messages.filter(|entry| ledger.communication_of_entry(entry).group == Group::Pipeline);
    let message = sent.map(|entry| call_bytes(ledger, entry)).max().unwrap_or(0);
    writeln!(
        out,
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: {} ep: {} pp: {} vpp: {} ga: {} \
         all_gpus: {} checkpoints: 0 checkpoint_initiates: 0 pp_comm: {}",
        layout.tensor,
        layout.expert,
        layout.pipeline,
        layout.interleave,
        ledger.step().micro_batches,
        ledger.placed_ranks().grid().ranks(),
        message.min(i32::MAX as u128),
    )?;
    writeln!(out, "{}", lines.len())?;
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(())
}

fn simai_line(ledger: &Ledger<'_>, entry: &CallEntry) -> String {
    let name: String =
        ledger.communication_of_entry(entry).label.replace([' ', ','], "_").replace('\'', "");
    let call = format!("{}\t{}", simai_call_kind(ledger, entry), call_bytes(ledger, entry));
    let none = "NONE\t0".to_owned();
    // Forward, gradient of the inputs, gradient of the weights: compute, call and bytes of each.
    let columns = match (
        is_among_replicas(ledger.communication_of_entry(entry).group),
        pass_direction(entry),
    ) {
        (true, _) => [none.clone(), none, call],
        (_, PassDirection::Forward) => [call, none.clone(), none],
        (_, PassDirection::Backward) => [none.clone(), call, none],
    };
    let columns = columns.map(|text| format!("{NO_COMPUTE}\t{text}")).join("\t");
    format!("{name}\t-1\t{columns}\t{PROCESS_TIME}")
}

fn pass_direction(entry: &CallEntry) -> PassDirection {
    if entry.pass == Some(Pass::Forward) { PassDirection::Forward } else { PassDirection::Backward }
}

/// Groups whose calls stand in the last column, which is that of data parallelism.
const fn is_among_replicas(group: Group) -> bool {
    matches!(group, Group::Data | Group::ExpertData | Group::Pipeline) || group.is_of_copies()
}

/// What a call is to SimAI: the operation, and the group where it is not the tensor group or, in
/// the last column, that of all replicas. It knows neither context groups nor copies among
/// replicas.
fn simai_call_kind(ledger: &Ledger<'_>, entry: &CallEntry) -> String {
    let communication = ledger.communication_of_entry(entry);
    let operation = communication.collective.operation().name().replace('_', "").to_uppercase();
    let group = match communication.group {
        Group::Expert => "_EP",
        Group::ExpertData | Group::ExpertShard | Group::ExpertCopies => "_DP_EP",
        Group::Tensor | Group::ExpertTensor | Group::Context | Group::Pipeline => "",
        Group::Data | Group::Shard | Group::Copies => "",
    };
    format!("{operation}{group}")
}

/// Payload of an entry; a gather of messages is one of all of them.
fn call_bytes(ledger: &Ledger<'_>, entry: &CallEntry) -> u128 {
    let communication = ledger.communication_of_entry(entry);
    let payload = ledger.payload_of_entry(entry).count();
    match communication.collective {
        Collective::GatherEach { apart: false, .. } => {
            payload * u128::from(ledger.placed_ranks().grid().group_size(communication.group))
        }
        _ => payload,
    }
}

/// Most bytes of a connection: its reader counts in 32 bits. What is more goes in several.
#[must_use]
pub const fn most_bytes() -> u128 {
    i32::MAX as u128
}

/// Writes the connections of a call, one for each of its messages.
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
    let communication = ledger.communication_of_entry(entry);
    let group = communication.group;
    let messages = u128::from(communication.messages_per_call(entry.id.stage as usize));
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
                let each = flow.bytes.count() / messages;
                for message in 0..messages {
                    let first = flow.bytes.count() - each * (messages - 1);
                    let mut left = if message == 0 { first } else { each };
                    while left > 0 {
                        let bytes = left.min(most_bytes());
                        connections.push((rank, members[to as usize], bytes));
                        left -= bytes;
                    }
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
