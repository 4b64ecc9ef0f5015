//! A layout as the TOML and Python of torchtitan.

use super::script::{LaunchJob, Script};
use crate::parallel::{Schedule, Zero};
use crate::workload::{ContextExchange, Dispatcher, Graphs, Precision, Recompute};

/// What torchtitan is configured in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Release {
    /// TOML, to 0.2.
    Toml,
    /// Python, from 0.3.
    Python,
}

/// The file of a job, up to 0.2.
pub(super) fn torchtitan_script(job: &LaunchJob<'_>) -> Script {
    let mut script = Script::default();
    check_job(job, Release::Toml, &mut script);
    note_unset_keys(job, &mut script);
    let lead = [
        format!("{}: a configuration of torchtitan 0.2, written by `planner launch`.", job.name),
        format!(
            "For {} ranks. Name the model and its flavor ({} layers, width {}), data and \
             optimizer in it.",
            job.gpus(),
            job.model.layers,
            job.model.hidden
        ),
        "torchtitan 0.3 has no TOML: `--for torchtitan-python`.".to_owned(),
    ];
    script.text = format!(
        "{}\n[training]\n{}\n[parallelism]\n{}\n[activation_checkpoint]\nmode = \"{}\"\n{}",
        script.remark_comments("#", &lead),
        toml_lines(&training_fields(job)),
        toml_lines(&parallelism_fields(job, Release::Toml)),
        job.layout.recompute.name(),
        precision_tables(job.training.precision),
    );
    script
}

/// The function of a job, from 0.3.
pub(super) fn torchtitan_python_script(job: &LaunchJob<'_>) -> Script {
    let mut script = Script::default();
    check_job(job, Release::Python, &mut script);
    note_unset_keys(job, &mut script);
    let narrow = matches!(job.training.precision, Precision::Fp8 | Precision::Mxfp8);
    script.unset_if(narrow, "training.precision: `model_registry` takes a converter for 8 bits");
    let fast = job.model.moe.is_some() && job.framework.dispatcher == Dispatcher::HybridEp;
    script.unset_if(fast, "framework.dispatcher: `model_registry` takes the backend of experts");
    let graphs = job.framework.cuda_graphs != Graphs::None;
    script.unset_if(
        graphs && !has_graphs(job),
        "framework.cuda_graphs: torchtitan 0.3 has none with pipeline stages or experts over ranks",
    );
    let lead = [
        format!("{}: fields of torchtitan 0.3, written by `planner launch`.", job.name),
        format!(
            "For {} ranks. Hand it the configuration of your model ({} layers, width {}), such as \
             llama3_8b().",
            job.gpus(),
            job.model.layers,
            job.model.hidden
        ),
    ];
    let (import, kept) = match job.layout.recompute {
        Recompute::None => ("", "None"),
        Recompute::Selective => ("SelectiveAC", "SelectiveAC.Config()"),
        Recompute::Full => ("FullAC", "FullAC.Config()"),
    };
    let import = match import {
        "" => String::new(),
        name => {
            format!("\nfrom torchtitan.distributed.activation_checkpoint import {name}\n")
        }
    };
    let mut fields = training_fields(job);
    fields.push(("disable_cuda_graphs", Literal::Flag(!has_graphs(job))));
    let mut parts = vec![
        python_fields("training", &fields),
        python_fields("parallelism", &parallelism_fields(job, Release::Python)),
    ];
    if overlaps_tensor(job) {
        let compiled = [
            ("enable", Literal::Flag(true)),
            ("enable_async_tensor_parallel", Literal::Flag(true)),
        ];
        parts.push(python_fields("compile", &compiled));
    }
    script.text = format!(
        "{}from dataclasses import replace\n{import}\n\ndef planned(config):\n{}    \
         config.activation_checkpoint = {kept}\n    return config\n",
        script.remark_comments("#", &lead),
        parts.concat(),
    );
    script
}

fn check_job(job: &LaunchJob<'_>, release: Release, script: &mut Script) {
    let layout = job.layout;
    script.refuse_orders("torchtitan", layout);
    script.refuse_when(
        layout.zero == Zero::Optimizer,
        "torchtitan does not shard optimizer states alone (ZeRO 1)",
        "`--set parallelism.zero=2`, or 3",
    );
    script.refuse_when(
        release == Release::Toml && layout.tensor > 1 && !layout.sequence_parallel,
        "torchtitan runs tensor parallelism with sequence parallelism only",
        "`--set parallelism.sequence_parallel=true`",
    );
    let one = layout.pipeline == 1;
    let schedule = layout.schedule;
    script.refuse_when(
        !one && schedule_name(schedule).is_none(),
        format!("planner's schedule `{}` is none of torchtitan's", schedule.name()),
        "`--set parallelism.schedule=1f1b`, `interleaved` or `gpipe`",
    );
    let precision = job.training.precision;
    script.refuse_when(
        matches!(precision, Precision::Fp16 | Precision::Nvfp4),
        format!("torchtitan does not train in {}", precision.name()),
        "`--set training.precision=bf16`",
    );
    script.refuse_when(
        layout.context > 1 && job.framework.context_exchange == ContextExchange::AllToAll,
        "torchtitan does not exchange heads for tokens (Ulysses)",
        "`--set framework.context_exchange=ring`, or `gather`",
    );
    script.refuse_when(
        release == Release::Python
            && layout.context > 1
            && job.framework.context_exchange == ContextExchange::Ring,
        "torchtitan 0.3 gathers keys and values, and has no field for a ring",
        "`--set framework.context_exchange=gather`",
    );
    let experts = layout.expert_tensor;
    script.refuse_when(
        release == Release::Python && layout.expert > 1 && experts != 1,
        "torchtitan 0.3 does not cut experts",
        "`--set parallelism.expert_tensor=1`",
    );
    script.refuse_when(
        release == Release::Toml && layout.expert > 1 && experts != 1 && experts != layout.tensor,
        "torchtitan cuts experts in one part, or as the rest",
        "`--set parallelism.expert_tensor=1`",
    );
    if !one {
        let chunks = u64::from(layout.pipeline * layout.interleave);
        let layers = u64::from(job.model.layers) + 2;
        let cut = layers.div_ceil(layers.div_ceil(chunks));
        script.refuse_when(
            cut != chunks,
            format!(
                "torchtitan can't cut {} layers, with embedding and head as one each, in {chunks} \
                 stages",
                job.model.layers
            ),
            "choose stages that divide the layers, `--set parallelism.pipeline=N`",
        );
    }
}

fn note_unset_keys(job: &LaunchJob<'_>, script: &mut Script) {
    let (layout, framework) = (job.layout, job.framework);
    script.unset_if(
        framework.gradient_bytes == 2,
        "framework.gradient_bytes = 2: torchtitan reduces gradients in 32 bits",
    );
    script.unset_if(
        layout.pipeline > 1,
        "the layers of each stage: torchtitan counts embedding and head as a layer each",
    );
    script.unset_if(
        job.training.recompute_modules.is_some(),
        "training.recompute_modules: torchtitan recomputes single operations",
    );
    script.unset_if(framework.overlap_expert, "framework.overlap_expert: by the schedule alone");
    script.unset_if(
        job.model.moe.is_some() && framework.dispatcher == Dispatcher::AllGather,
        "framework.dispatcher: torchtitan has no dispatcher that gathers all tokens",
    );
    for technique in job.techniques {
        script.note_unset(format!("technique.{}: no key sets it", technique.key()));
    }
    script
        .unset_if(job.training.tokens.is_none(), "the length of the run: the spec does not say it");
}

fn training_fields(job: &LaunchJob<'_>) -> Vec<Field> {
    let layout = job.layout;
    // A pipeline takes all of its micro-batches at once.
    let own = job.training.global_batch / u64::from(layout.data.max(1));
    let local = if layout.pipeline > 1 { own } else { layout.micro_batch };
    let wide = job.training.precision == Precision::Fp32;
    let mut fields = vec![
        ("local_batch_size", Literal::Count(local)),
        ("global_batch_size", Literal::Count(job.training.global_batch)),
        ("seq_len", Literal::Count(job.model.sequence)),
    ];
    fields.extend(job.run_steps().map(|steps| ("steps", Literal::Count(steps))));
    let format = if wide { "float32" } else { "bfloat16" };
    fields.push(("mixed_precision_param", Literal::Word(format)));
    fields
}

fn parallelism_fields(job: &LaunchJob<'_>, release: Release) -> Vec<Field> {
    let layout = job.layout;
    let count = |degree: u32| Literal::Count(degree.into());
    let (replicate, shard) = match layout.zero {
        Zero::None => (layout.data, 1),
        _ => (layout.parameter_copies(), layout.replicas_per_copy()),
    };
    let reshard = if layout.zero == Zero::Parameters { "always" } else { "never" };
    let mut fields = vec![
        ("data_parallel_replicate_degree", count(replicate)),
        ("data_parallel_shard_degree", count(shard)),
        ("fsdp_reshard_after_forward", Literal::Word(reshard)),
        ("tensor_parallel_degree", count(layout.tensor)),
    ];
    fields.push(match release {
        Release::Toml => ("enable_async_tensor_parallel", Literal::Flag(overlaps_tensor(job))),
        Release::Python => ("enable_sequence_parallel", Literal::Flag(layout.sequence_parallel)),
    });
    fields.push(("context_parallel_degree", count(layout.context)));
    fields.push(("pipeline_parallel_degree", count(layout.pipeline)));
    if layout.context > 1 && release == Release::Toml {
        let ring = job.framework.context_exchange == ContextExchange::Ring;
        let method = if ring { "alltoall" } else { "allgather" };
        fields.push(("context_parallel_rotate_method", Literal::Word(method)));
    }
    if layout.pipeline > 1 {
        let chunks = layout.pipeline * layout.interleave;
        let schedule = schedule_name(layout.schedule).unwrap_or_default();
        fields.push(("pipeline_parallel_schedule", Literal::Word(schedule)));
        fields.push(("pipeline_parallel_microbatch_size", Literal::Count(layout.micro_batch)));
        let each = (job.model.layers + 2).div_ceil(chunks);
        fields.push(("pipeline_parallel_layers_per_stage", count(each)));
    }
    if job.model.moe.is_some() {
        fields.push(("expert_parallel_degree", count(layout.expert)));
        if release == Release::Toml {
            let fast = job.framework.dispatcher == Dispatcher::HybridEp && layout.expert > 1;
            fields.push(("expert_tensor_parallel_degree", count(layout.expert_tensor)));
            let backend = if fast { "deepep" } else { "standard" };
            fields.push(("expert_parallel_comm_backend", Literal::Word(backend)));
        }
    }
    fields
}

/// Whether a step runs as graphs: 0.3 refuses them with stages, and with a dispatcher that waits
/// for the host.
fn has_graphs(job: &LaunchJob<'_>) -> bool {
    let layout = job.layout;
    job.framework.cuda_graphs != Graphs::None && layout.pipeline == 1 && layout.expert == 1
}

fn overlaps_tensor(job: &LaunchJob<'_>) -> bool {
    job.framework.overlap_tensor && job.layout.tensor > 1
}

fn precision_tables(precision: Precision) -> &'static str {
    match precision {
        Precision::Fp8 => {
            "\n[model]\nconverters = [\"quantize.linear.float8\"]\n\n[quantize.linear.float8]\n\
             recipe_name = \"tensorwise\"\n"
        }
        Precision::Mxfp8 => {
            "\n[model]\nconverters = [\"quantize.linear.mx\"]\n\n[quantize.linear.mx]\nrecipe_name \
             = \"mxfp8_cublas\"\n"
        }
        _ => "",
    }
}

/// The schedule by torchtitan's name.
fn schedule_name(schedule: Schedule) -> Option<&'static str> {
    match schedule {
        Schedule::OneFOneB => Some("1F1B"),
        Schedule::Interleaved => Some("Interleaved1F1B"),
        Schedule::GPipe => Some("GPipe"),
        _ => None,
    }
}

/// A value of a field.
#[derive(Clone, Copy, Debug)]
enum Literal {
    Count(u64),
    Flag(bool),
    Word(&'static str),
}

/// A field and its value.
type Field = (&'static str, Literal);

/// Lines of a table.
fn toml_lines(fields: &[Field]) -> String {
    let line = |(key, value): &Field| match value {
        Literal::Count(count) => format!("{key} = {count}\n"),
        Literal::Flag(flag) => format!("{key} = {flag}\n"),
        Literal::Word(word) => format!("{key} = \"{word}\"\n"),
    };
    fields.iter().map(line).collect()
}

/// A statement that sets some fields of a section of `config` and leaves the others; a field that
/// the section does not have is an error in Python.
fn python_fields(section: &str, fields: &[Field]) -> String {
    let line = |(key, value): &Field| match value {
        Literal::Count(count) => format!("        {key}={count},\n"),
        Literal::Flag(flag) => format!("        {key}={},\n", if *flag { "True" } else { "False" }),
        Literal::Word(word) => format!("        {key}=\"{word}\",\n"),
    };
    let lines: String = fields.iter().map(line).collect();
    format!("    config.{section} = replace(\n        config.{section},\n{lines}    )\n")
}
