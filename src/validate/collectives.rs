//! Published times of collectives beside NCCL's model on the same machines.

use std::fmt::Write;

use super::measured_rows::{Record, read_records};
use super::run::{Statistics, group_in_order};
use super::{DataProblem, ValidationBench};
use crate::collective::nccl::NcclCall;
use crate::step::Operation;
use crate::timing::{NetworkModel, measured_call_time};
use crate::units::{Bandwidth, Bytes, Seconds};

const ROWS: &str = include_str!("../../presets/validation/collectives.csv");

/// A call of nccl-tests or rccl-tests that somebody measured, predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectiveRow {
    /// Machine, as the presets name it.
    pub node: &'static str,
    /// HB domains and GPUs that took part.
    pub domains: u32,
    pub gpus: u32,
    pub collective: Operation,
    /// The whole vector; of an all-to-all what a rank sends, itself included.
    pub bytes: Bytes,
    pub published: Seconds,
    pub predicted: Seconds,
    /// Who published it.
    pub source: &'static str,
    /// Why no mean counts it; empty where they do.
    pub why_not_counted: &'static str,
}

impl CollectiveRow {
    /// Predicted over published time, less one.
    #[must_use]
    pub fn time_error(&self) -> f64 {
        self.predicted / self.published - 1.0
    }

    /// Means count it.
    #[must_use]
    pub const fn is_counted(&self) -> bool {
        self.why_not_counted.is_empty()
    }
}

/// Errors of calls that are alike in machine, domains, collective and size.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectiveErrors {
    pub node: &'static str,
    /// Over several HB domains, not inside one.
    pub is_across: bool,
    pub collective: Operation,
    /// 64 MiB and more.
    pub is_large: bool,
    pub errors: Statistics,
}

/// Bytes from which a call is large: most of its time is transfer.
pub const LARGE_CALL: Bytes = Bytes::new(64 << 20);

/// Every published call, predicted on its machines by the constants that the clock has.
///
/// # Errors
/// A row that can't be read, or that names what the presets lack.
pub fn predict_collectives(bench: &ValidationBench<'_>) -> Result<Vec<CollectiveRow>, DataProblem> {
    read_records(ROWS).map(|record| predict_collective(bench, &record)).collect()
}

fn predict_collective(
    bench: &ValidationBench<'_>,
    record: &Record<'static>,
) -> Result<CollectiveRow, DataProblem> {
    let name = record.field_text("node");
    let node = bench
        .nodes
        .get(name)
        .ok_or_else(|| DataProblem::Unknown { what: "node", name: name.to_owned() })?;
    let gigabits: f64 = record.field_number("nic_gbps")?;
    let network = NetworkModel {
        nic: Bandwidth::from_gigabytes(gigabits / 8.0),
        ..NetworkModel::non_blocking(node, &node.nic)
    };
    let operation = record.field_text("collective");
    let collective = Operation::ALL
        .into_iter()
        .find(|known| known.name() == operation)
        .ok_or_else(|| record.field_problem("collective"))?;
    let (domains, gpus): (u32, u32) =
        (record.field_number("domains")?, record.field_number("gpus")?);
    let bytes = Bytes::new(record.field_number("bytes")?);
    let call = NcclCall::of_ranks(gpus, domains, collective == Operation::AllReduce, bytes);
    let micros: f64 = record.field_number("microseconds")?;
    Ok(CollectiveRow {
        node: name,
        domains,
        gpus,
        collective,
        bytes,
        published: Seconds::from_micros(micros),
        predicted: measured_call_time(&node.gpu, &network, 1.0, collective, &call),
        source: record.field_text("source"),
        why_not_counted: record.field_text("why_not_counted"),
    })
}

/// Errors by machine, domains, collective and size, in the order of their first row.
#[must_use]
pub fn collective_errors(rows: &[CollectiveRow]) -> Vec<CollectiveErrors> {
    let group =
        |row: &CollectiveRow| (row.node, row.domains > 1, row.collective, row.bytes >= LARGE_CALL);
    group_in_order(rows.iter().filter(|row| row.is_counted()), group)
        .into_iter()
        .map(|((node, is_across, collective, is_large), alike)| {
            let errors = Statistics::from_errors(alike.into_iter().map(CollectiveRow::time_error));
            CollectiveErrors { node, is_across, collective, is_large, errors }
        })
        .collect()
}

impl CollectiveErrors {
    /// Which sizes it is of.
    #[must_use]
    pub const fn size_text(&self) -> &'static str {
        if self.is_large { "64 MiB and more" } else { "1 to 64 MiB" }
    }

    /// How many HB domains it is over.
    #[must_use]
    pub const fn domains_text(&self) -> &'static str {
        if self.is_across { "several" } else { "one" }
    }
}

const HEAD: &str = "
## Collectives

Public tables of nccl-tests and rccl-tests (`presets/validation/collectives.csv`, each row with its \
source) beside NCCL's cost
model with the filling of its pipeline (docs/equations.md §4.8). The three constants of the filling \
were fitted on these tables
and rounded, the model itself on none. NCCL's model has no all-to-all: its time is fitted on these rows.

| machine | domains | collective | bytes | rows | time: mean, largest, bias |
|---|---|---|---|---|---|
";

const LEFT_OUT: &str = "
Not counted: tables of EFA and TCPX, whose plugin replaces NCCL's table and adds 50 to 250 µs a call; \
calls that wait for the host's launch;
all-to-alls of 16 B200 by NCCL's default settings, by which messages use half of a NIC: they take 1.6 \
times as long as the clock says;
one outlier. Not known: all-to-alls over more than two machines; more than two racks of 64 or 72 \
GPUs; gathers over more than 32 nodes, whose latency rests on the source code;
AMD's own table below 1 GiB.
";

/// Writes the errors of collectives.
pub(super) fn write_collectives(calls: &[CollectiveRow], page: &mut String) {
    page.push_str(HEAD);
    for group in collective_errors(calls) {
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} |",
            group.node,
            group.domains_text(),
            group.collective.name(),
            group.size_text(),
            group.errors.rows,
            group.errors.errors_text(),
        );
    }
    let all = |is_large: bool| {
        let counted = calls.iter().filter(|row| row.is_counted());
        let sized = counted.filter(|row| (row.bytes >= LARGE_CALL) == is_large);
        Statistics::from_errors(sized.map(CollectiveRow::time_error))
    };
    for (name, errors) in [("64 MiB and more", all(true)), ("1 to 64 MiB", all(false))] {
        let text = errors.errors_text();
        let _ = writeln!(page, "| all | | | {name} | {} | {text} |", errors.rows);
    }
    page.push_str(LEFT_OUT);
}
