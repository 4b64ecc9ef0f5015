//! DeepSpeed (0.19): its JSON file. What stands in the code of a training script, the file can't
//! set; it is said.

use super::script::{LaunchJob, Script};
use crate::parallel::{Schedule, Zero};
use crate::workload::{ContextExchange, Precision, Recompute};

/// The file of a job. DeepSpeed reads it as Hjson, which has comments.
pub(super) fn deepspeed_script(job: &LaunchJob<'_>) -> Script {
    let mut script = Script::default();
    check_deepspeed(job, &mut script);
    note_deepspeed_remarks(job, &mut script);
    let layout = job.layout;
    let scattered = has_buckets(layout.zero) && !job.framework.bucket_all_reduce;
    let buckets = if scattered { ", \"use_multi_rank_bucket_allreduce\": false" } else { "" };
    let mut keys = vec![
        format!("\"train_batch_size\": {}", job.training.global_batch),
        format!("\"train_micro_batch_size_per_gpu\": {}", layout.micro_batch),
        format!("\"gradient_accumulation_steps\": {}", layout.micro_batches(job.training)),
        format!("\"{}\": {{\"enabled\": true}}", format_key(job.training.precision)),
        format!(
            "\"zero_optimization\": {{\"stage\": {}, \"overlap_comm\": {}{buckets}}}",
            layout.zero.stage_number(),
            job.framework.overlap_data
        ),
    ];
    if job.training.precision == Precision::Fp32 {
        keys.remove(3);
    }
    let gradients =
        if job.framework.gradient_bytes == 4 { "fp32" } else { half_precision_key(job) };
    keys.push(format!("\"communication_data_type\": \"{gradients}\""));
    if layout.tensor > 1 {
        keys.push(format!("\"tensor_parallel\": {{\"autotp_size\": {}}}", layout.tensor));
    }
    if layout.context > 1 {
        keys.push(format!("\"sequence_parallel_size\": {}", layout.context));
    }
    let full = layout.recompute == Recompute::Full;
    keys.push(format!(
        "\"pipeline\": {{\"stages\": {}, \"activation_checkpoint_interval\": {}}}",
        layout.pipeline,
        u8::from(full)
    ));
    let lead = [
        format!("{}: a DeepSpeed configuration, written by `planner launch`.", job.name),
        format!("For {} ranks. The training script makes the model.", job.gpus()),
    ];
    script.text =
        format!("{}{{\n  {}\n}}\n", script.remark_comments("//", &lead), keys.join(",\n  "));
    script
}

/// Stages whose gradients go in buckets that hold shares of several ranks.
const fn has_buckets(zero: Zero) -> bool {
    matches!(zero, Zero::Optimizer | Zero::Gradients)
}

fn check_deepspeed(job: &LaunchJob<'_>, script: &mut Script) {
    let layout = job.layout;
    script.refuse_orders("DeepSpeed", layout);
    script.refuse_when(
        layout.pipeline > 1 && layout.schedule != Schedule::OneFOneB,
        format!("DeepSpeed's pipeline has no schedule `{}`", layout.schedule.name()),
        "`--set parallelism.schedule=1f1b --set parallelism.interleave=1`",
    );
    script.refuse_when(
        layout.pipeline > 1 && layout.zero >= Zero::Gradients,
        "DeepSpeed's pipeline shards optimizer states at most (ZeRO 1)",
        "`--set parallelism.zero=1`",
    );
    script.refuse_when(
        layout.context > 1 && job.framework.context_exchange != ContextExchange::AllToAll,
        "DeepSpeed splits sequences by exchanging heads for tokens (Ulysses) only",
        "`--set framework.context_exchange=all-to-all`",
    );
    script.refuse_when(
        layout.context > 1 && layout.pipeline > 1,
        "DeepSpeed's pipeline does not split sequences",
        "`--set parallelism.context=1`",
    );
    script.refuse_when(
        layout.parameter_copies() > 1,
        "sharding over some of the replicas (MiCS) sums gradients at other times in DeepSpeed, and \
         is not offered",
        "leave out `parallelism.shard`, or `--for torchtitan`",
    );
    script.refuse_when(
        layout.expert > 1,
        "DeepSpeed takes the expert degree from the model's code, not from its file",
        "`--set parallelism.expert=1`, or `--for megatron`",
    );
    script.refuse_when(
        format_key(job.training.precision).is_empty(),
        format!("DeepSpeed's file has no {}", job.training.precision.name()),
        "`--set training.precision=bf16`",
    );
}

fn note_deepspeed_remarks(job: &LaunchJob<'_>, script: &mut Script) {
    let layout = job.layout;
    script.note_unset(
        "the model, its length of sequences, the optimizer: the training script makes them",
    );
    script.unset_if(
        layout.pipeline > 1,
        "pipeline stages: pass them to PipelineModule; `pipeline.stages` says how many",
    );
    script.unset_if(
        layout.recompute != Recompute::None,
        "recomputation: the model's code calls it; `activation_checkpoint_interval` is for \
         pipelines",
    );
    script.unset_if(
        job.framework.overlap_tensor && layout.tensor > 1,
        "framework.overlap_tensor: no key sets it",
    );
    script.unset_if(
        layout.sequence_parallel && layout.tensor > 1,
        "parallelism.sequence_parallel: automatic tensor parallelism has none",
    );
    for technique in job.techniques {
        script.note_unset(format!("technique.{}: set its keys in the file", technique.key()));
    }
}

/// The key of a number format; empty where the file has none.
fn format_key(precision: Precision) -> &'static str {
    match precision {
        Precision::Bf16 => "bf16",
        Precision::Fp16 => "fp16",
        Precision::Fp32 => "fp32",
        _ => "",
    }
}

fn half_precision_key(job: &LaunchJob<'_>) -> &'static str {
    match job.training.precision {
        Precision::Fp16 => "fp16",
        _ => "bf16",
    }
}
