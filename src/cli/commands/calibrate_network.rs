//! `planner calibrate` with the output of nccl-tests: which machines its ranks are in, and the shares
//! of line rates that they reach.

use anyhow::anyhow;

use crate::cli::args::Options;
use crate::cli::errors::Failure;
use crate::cli::input;
use crate::hardware::Node;
use crate::recording::RecordingFile;
use crate::recording::steps::{StepsProblem, TestTable, read_test_tables};
use crate::report;
use crate::spec::SpecText;
use crate::timing::NetworkModel;
use crate::validate::{MeasuredCall, calibrate_network};

/// The shares as text.
pub(super) fn run_calibrate_network(
    files: &[RecordingFile],
    spec: Option<&SpecText>,
    options: &Options,
) -> Result<String, Failure> {
    let Some(spec) = spec else {
        let error = anyhow!("tables of nccl-tests do not say which machines they are of");
        let hint = "name a spec with them, as `planner calibrate nccl.log starter --set \
                    cluster.node=dgx-h100`";
        return Err(Failure::usage_error(error, hint));
    };
    let scenario = input::load_overridden_scenario(spec, &options.overrides(), options)?;
    if scenario.is_several() {
        let error = anyhow!("a calibration is of one cluster");
        return Err(input::single_cluster_error(error, &scenario));
    }
    let cluster = &scenario.cluster;
    let ([node], [] | [_]) = (cluster.nodes.as_slice(), cluster.nics.as_slice()) else {
        let error = anyhow!("the spec leaves the machine or its NIC to the planner");
        let hint = "name those that were measured: `--set cluster.node=NODE --set cluster.nic=NIC`";
        return Err(Failure::usage_error(error, hint));
    };
    let nic = cluster.nics.first().unwrap_or(&node.nic);
    let (mut measured, mut notes) = (Vec::new(), Vec::new());
    for file in files {
        for table in read_test_tables(file).map_err(steps_failure)? {
            let place = format!("`{}`, {}", file.name, table.place);
            let wrong = table.calls.iter().filter(|call| call.is_wrong).count();
            let other = if table.operation.is_none() { table.calls.len() } else { 0 };
            for (rows, why) in [
                (table.unread, "that are cut, or whose columns contradict each other"),
                (wrong, "with wrong results"),
                (other, "of a test of no operation that a step has"),
            ] {
                notes.extend((rows > 0).then(|| format!("{place}: not used: {rows} {why}")));
            }
            notes.extend(other_gpu_note(&table, node).map(|note| format!("{place}: {note}")));
            measured.extend(measured_calls(&table, node, &place)?);
        }
    }
    let mut found = calibrate_network(&node.gpu, &NetworkModel::non_blocking(node, nic), measured);
    found.notes.splice(0..0, notes);
    if found.calls.is_empty() {
        let none = "there are none".to_owned();
        let why = if found.notes.is_empty() { none } else { found.notes.join("; ") };
        let error = anyhow!("no row to calibrate by: {why}");
        let hint = "measure all-reduces or gathers of 1 MiB and more: `all_reduce_perf -b 1M -e 8G \
                    -f 2`";
        return Err(Failure::usage_error(error, hint));
    }
    options.render_report(|look| report::render_network_calibration(&found, look))
}

/// What can't be read, with what to do about it.
pub(super) fn steps_failure(problem: StepsProblem) -> Failure {
    let hint = problem.hint();
    Failure::usage_error(problem, hint)
}

/// GPUs of the largest host that is known: more are a rack of several.
const LARGEST_HOST: u32 = 16;

/// The rows of a table with right results, on those machines.
fn measured_calls(
    table: &TestTable,
    node: &Node,
    place: &str,
) -> Result<Vec<MeasuredCall>, Failure> {
    let joins_hosts = node.tray.map_or(node.gpus > LARGEST_HOST, |tray| tray < node.gpus);
    let known = match table.hosts {
        Some(hosts) if hosts == 1 || !joins_hosts => Some(hosts),
        _ => None,
    };
    let Some(domains) = table.domains.or(known) else {
        let error = anyhow!(
            "{place}: {} GPUs of `{}`, and not known over how many HB domains",
            table.ranks,
            node.name
        );
        let hint = "state it in a line above the table: `# domains=1`";
        return Err(Failure::usage_error(error, hint));
    };
    let each = table.ranks / domains;
    if each * domains != table.ranks || each > node.gpus {
        let error = anyhow!(
            "{place}: {} GPUs in {domains} HB domains, and `{}` has {} in each",
            table.ranks,
            node.name,
            node.gpus
        );
        let hint = "name the machine that was measured, `--set cluster.node=NODE`, or the domains in \
                    a line above the table: `# domains=2`";
        return Err(Failure::usage_error(error, hint));
    }
    // As many ranks as interfaces, or fewer, have one each at least.
    let interfaces = if node.nics >= node.gpus {
        f64::from(node.nics) / f64::from(node.gpus)
    } else {
        (f64::from(node.nics) / f64::from(each)).min(1.0)
    };
    let right = table.calls.iter().filter(|call| !call.is_wrong);
    let calls = table.operation.into_iter().flat_map(|collective| {
        right.clone().map(move |call| MeasuredCall {
            collective,
            domains,
            gpus: table.ranks,
            interfaces,
            bytes: call.bytes,
            time: call.time,
        })
    });
    Ok(calls.collect())
}

/// What to look at where the log's GPUs do not go by the name of the spec's.
fn other_gpu_note(table: &TestTable, node: &Node) -> Option<String> {
    let name = &node.gpu.name;
    let stem = name.split('-').next().unwrap_or(name);
    let gpu = &table.gpu;
    let mut words = gpu.split(|sign: char| !sign.is_ascii_alphanumeric());
    let is_named = words.any(|word| word.eq_ignore_ascii_case(stem));
    (!gpu.is_empty() && !is_named)
        .then(|| format!("the GPUs call themselves `{gpu}`, and the spec has `{name}`"))
}
