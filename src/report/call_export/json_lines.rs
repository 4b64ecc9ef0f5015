//! The ledger as JSON lines: the groups of the layout first, then one call a line. A line stands
//! for all ranks of its stage, or for the one that was asked for.

use std::io::Write;

use serde::Serialize;

use crate::collective::CollectiveFlow;
use crate::ledger::{CallEntry, CallId, Ledger};
use crate::parallel::{Group, Rank};
use crate::report::matrix::ExportError;
use crate::step::{BlockKind, Collective, Pass};

#[derive(Serialize)]
struct LedgerHeader<'a> {
    schema: &'static str,
    name: &'a str,
    gpus: u32,
    gpus_per_domain: u32,
    stages: u32,
    micro_batches: u64,
    groups: Vec<GroupOf>,
}

/// A kind of group, by the digits of the rank that tell its members apart.
#[derive(Serialize)]
struct GroupOf {
    name: &'static str,
    members: u32,
    digits: Vec<Digit>,
}

#[derive(Serialize)]
struct Digit {
    size: u32,
    stride: u32,
}

#[derive(Serialize)]
struct CallLine<'a> {
    id: String,
    stage: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
    micro_batch: Option<u64>,
    chunk: Option<u32>,
    pass: Option<&'static str>,
    block: Option<&'static str>,
    layer: Option<u32>,
    kind: &'static str,
    group: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<Vec<u32>>,
    op: &'static str,
    algorithm: String,
    dtype: &'static str,
    count: u128,
    bytes: u128,
    messages: u64,
    sends: Vec<Send>,
    carries: &'a str,
    waits_for: Vec<String>,
}

/// What the caller sends to each rank that a relation leads to.
#[derive(Serialize)]
struct Send {
    among: &'static str,
    to: String,
    bytes: u128,
}

/// Writes the calls of every stage, or those of the stage of one rank with the members of its
/// groups.
///
/// # Errors
/// Where the writer fails.
pub fn write_call_lines(
    name: &str,
    ledger: &Ledger<'_>,
    rank: Option<Rank>,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let (step, placed) = (ledger.step(), ledger.placed_ranks());
    let group = |group: Group| GroupOf {
        name: group.name(),
        members: placed.grid().group_size(group),
        digits: placed
            .grid()
            .group_digits(group)
            .map(|digit| Digit { size: digit.size, stride: digit.stride })
            .collect(),
    };
    let header = LedgerHeader {
        schema: "planner/ledger/1",
        name,
        gpus: placed.grid().ranks(),
        gpus_per_domain: placed.placement().used_gpus_per_domain(),
        stages: step.layout.pipeline,
        micro_batches: step.micro_batches,
        groups: placed.grid().group_kinds().map(group).collect(),
    };
    write(&header, out)?;
    let stages = match rank {
        Some(rank) => {
            let stage = placed.grid().pipeline_stage(rank);
            stage..stage + 1
        }
        None => 0..step.layout.pipeline,
    };
    for stage in stages {
        let mut written = Ok(());
        ledger.for_each_call(stage, |entry| {
            if written.is_ok() {
                written = write(&call_line(ledger, entry, rank), out);
            }
        });
        written?;
    }
    Ok(())
}

fn call_line<'a>(ledger: &Ledger<'a>, entry: &CallEntry, rank: Option<Rank>) -> CallLine<'a> {
    let communication = ledger.communication_of_entry(entry);
    let payload = communication.payload(entry.id.stage as usize).count();
    let members = ledger.placed_ranks().grid().group_size(communication.group);
    // A gather of messages is one of all of them together.
    let whole = match communication.collective {
        Collective::GatherEach { apart: false, .. } => payload * u128::from(members),
        _ => payload,
    };
    let send = |flow: &CollectiveFlow| Send {
        among: flow.scope.name(),
        to: flow.shape.name(),
        bytes: flow.bytes.count(),
    };
    CallLine {
        id: call_name(entry.id),
        stage: entry.id.stage,
        rank: rank.map(|rank| rank.0),
        micro_batch: entry.micro_batch,
        chunk: entry.chunk,
        pass: entry.pass.map(pass_name),
        block: entry.block.map(|(kind, _)| block_name(kind)),
        layer: entry.block.and_then(|(_, layer)| layer),
        kind: communication.kind.name(),
        group: communication.group.name(),
        ranks: rank.map(|rank| {
            ledger.call_members(entry, rank).iter().map(|this_rank| this_rank.0).collect()
        }),
        op: communication.collective.operation().name(),
        algorithm: ledger.call_algorithm(entry).name(),
        dtype: communication.element.name(),
        count: communication.element.count_in(whole),
        bytes: whole,
        messages: communication.messages_per_call(entry.id.stage as usize),
        sends: ledger.call_flows(entry).iter().map(send).collect(),
        carries: communication.label,
        waits_for: entry.waits.iter().copied().map(call_name).collect(),
    }
}

/// A call by stage and place: `2.145`.
fn call_name(id: CallId) -> String {
    format!("{}.{}", id.stage, id.place)
}

const fn pass_name(pass: Pass) -> &'static str {
    match pass {
        Pass::Forward => "forward",
        Pass::Recompute => "recompute",
        Pass::Backward => "backward",
    }
}

const fn block_name(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Embedding => "embedding",
        BlockKind::Layer(layer) => layer.name(),
        BlockKind::Projection => "projection",
        BlockKind::Head => "head",
    }
}

fn write(value: &impl Serialize, out: &mut impl Write) -> Result<(), ExportError> {
    serde_json::to_writer(&mut *out, value).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
