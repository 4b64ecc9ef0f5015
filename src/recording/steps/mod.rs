//! How long steps took, from what a user has: a table of runs, logs of Megatron-LM, torchtitan and
//! MLPerf Training. Each run is a list of keys of a spec with their values; what they mean is the
//! spec's business. And how long collectives took: what nccl-tests print.

mod mlperf_log;
mod nccl_tests;
mod table;
mod training_logs;

pub use nccl_tests::{TestTable, TestedCall, is_nccl_tests_log, read_test_tables};
pub use table::{MeasuredRun, StepsProblem};

use super::RecordingFile;

/// The runs of a table or a log.
///
/// # Errors
/// What can't be read, with its place.
pub fn read_runs(source: &RecordingFile) -> Result<Vec<MeasuredRun>, StepsProblem> {
    let text = std::str::from_utf8(&source.bytes)
        .map_err(|_| StepsProblem::Unknown { file: source.name.clone() })?;
    let runs = if training_logs::is_megatron_log(text) {
        training_logs::megatron_runs(text)
    } else if training_logs::is_torchtitan_log(text) {
        training_logs::torchtitan_runs(text)
    } else if mlperf_log::is_mlperf_log(text) {
        mlperf_log::mlperf_runs(text)
    } else if table::is_table(text) {
        table::table_runs(text)
    } else {
        return Err(StepsProblem::Unknown { file: source.name.clone() });
    };
    runs.map_err(|problem| problem.with_file_name(&source.name))
}
