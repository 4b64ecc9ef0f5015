//! Megatron-LM (core 0.20): the flags of a job as a shell script.

mod flags;
pub(super) mod limits;
mod model;
mod run;

use super::job::LaunchJob;
use super::script::Script;
use flags::Flags;

/// The script of a job.
pub(super) fn megatron_script(job: &LaunchJob<'_>) -> Script {
    let mut script = Script::default();
    limits::check_limits(job, &mut script);
    let flags = flags_by_group(job, &mut script);
    let per_node = u64::from(job.per_node).min(job.gpus()).max(1);
    let lead = [
        format!("{}: flags of Megatron-LM, written by `planner launch`.", job.name),
        "Add what planner does not know, as arguments: data, tokenizer, learning rate, \
         checkpoints."
            .to_owned(),
    ];
    script.text = format!(
        "#!/bin/sh\n{}exec torchrun --nnodes {} --nproc-per-node {per_node} \\\n  --node-rank \
         \"$NODE_RANK\" --master-addr \"$MASTER_ADDR\" \\\n  pretrain_gpt.py \\\n{}  \"$@\"\n",
        script.remark_comments("#", &lead),
        job.gpus().div_ceil(per_node),
        flags.command_lines(),
    );
    script
}

/// The flags by group.
pub(super) fn flags_by_group(job: &LaunchJob<'_>, script: &mut Script) -> Flags {
    let mut flags = Flags::default();
    model::model_flags(job, &mut flags, script);
    run::run_flags(job, &mut flags, script);
    flags
}
