//! torchtitan up to 0.2: a TOML file. Since 0.3 the fields are set in Python, by names that are
//! mostly alike.

use super::job::Job;
use super::script::Script;
use crate::parallel::{Schedule, Zero};
use crate::workload::{ContextExchange, Dispatcher, Precision, Recompute};

/// The file of a job.
pub(super) fn script(job: &Job<'_>) -> Script {
    let mut script = Script::default();
    check(job, &mut script);
    remarks(job, &mut script);
    let lead = [
        format!("{}: a configuration of torchtitan 0.2, written by `planner launch`.", job.name),
        format!(
            "For {} ranks. Name the model and its flavor ({} layers, width {}), data and \
             optimizer in it.",
            job.gpus(),
            job.model.layers,
            job.model.hidden
        ),
        "torchtitan 0.3 has no TOML: its Python fields have these names.".to_owned(),
    ];
    script.text = format!(
        "{}\n{}\n{}\n{}{}",
        script.remarks("#", &lead),
        training(job),
        parallelism(job),
        recompute(job.layout.recompute),
        precision(job.training.precision),
    );
    script
}

fn check(job: &Job<'_>, script: &mut Script) {
    let layout = job.layout;
    script.refuse_orders("torchtitan", layout);
    script.refuse_if(
        layout.zero == Zero::Optimizer,
        "torchtitan does not shard optimizer states alone (ZeRO 1)",
        "`--set parallelism.zero=2`, or 3",
    );
    script.refuse_if(
        layout.tensor > 1 && !layout.sequence_parallel,
        "torchtitan runs tensor parallelism with sequence parallelism only",
        "`--set parallelism.sequence_parallel=true`",
    );
    let one = layout.pipeline == 1;
    let schedule = layout.schedule;
    script.refuse_if(
        !one && schedule_name(schedule).is_none(),
        format!("planner's schedule `{}` is none of torchtitan's", schedule.name()),
        "`--set parallelism.schedule=1f1b`, `interleaved` or `gpipe`",
    );
    let precision = job.training.precision;
    script.refuse_if(
        matches!(precision, Precision::Fp16 | Precision::Nvfp4),
        format!("torchtitan 0.2 does not train in {}", precision.name()),
        "`--set training.precision=bf16`",
    );
    script.refuse_if(
        layout.context > 1 && job.framework.context_exchange == ContextExchange::AllToAll,
        "torchtitan does not exchange heads for tokens (Ulysses)",
        "`--set framework.context_exchange=ring`, or `gather`",
    );
    let experts = layout.expert_tensor;
    script.refuse_if(
        layout.expert > 1 && experts != 1 && experts != layout.tensor,
        "torchtitan cuts experts in one part, or as the rest",
        "`--set parallelism.expert_tensor=1`",
    );
    if !one {
        let chunks = u64::from(layout.pipeline * layout.interleave);
        let layers = u64::from(job.model.layers) + 2;
        let cut = layers.div_ceil(layers.div_ceil(chunks));
        script.refuse_if(
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

fn remarks(job: &Job<'_>, script: &mut Script) {
    let (layout, framework) = (job.layout, job.framework);
    script.unset_if(
        framework.gradient_bytes == 2,
        "framework.gradient_bytes = 2: torchtitan reduces gradients in 32 bits",
    );
    script.unset_if(
        layout.pipeline > 1,
        "the layers of each stage: torchtitan counts embedding and head as a layer each",
    );
    script.unset_if(framework.overlap_expert, "framework.overlap_expert: by the schedule alone");
    for technique in job.techniques {
        script.unset(format!("technique.{}: no key sets it", technique.key()));
    }
    script
        .unset_if(job.training.tokens.is_none(), "the length of the run: the spec does not say it");
}

fn training(job: &Job<'_>) -> String {
    let layout = job.layout;
    // A pipeline takes all of its micro-batches at once.
    let own = job.training.global_batch / u64::from(layout.data.max(1));
    let local = if layout.pipeline > 1 { own } else { layout.micro_batch };
    let steps = job.steps().map_or(String::new(), |steps| format!("steps = {steps}\n"));
    let wide = job.training.precision == Precision::Fp32;
    let format = if wide { "float32" } else { "bfloat16" };
    format!(
        "[training]\nlocal_batch_size = {local}\nglobal_batch_size = {}\nseq_len = \
         {}\n{steps}mixed_precision_param = \"{format}\"\n",
        job.training.global_batch, job.model.sequence
    )
}

fn parallelism(job: &Job<'_>) -> String {
    let layout = job.layout;
    let (replicate, shard) = match layout.zero {
        Zero::None => (layout.data, 1),
        _ => (1, layout.data),
    };
    let reshard = if layout.zero == Zero::Parameters { "always" } else { "never" };
    let mut text = format!(
        "[parallelism]\ndata_parallel_replicate_degree = {replicate}\ndata_parallel_shard_degree \
         = {shard}\nfsdp_reshard_after_forward = \"{reshard}\"\ntensor_parallel_degree = \
         {}\nenable_async_tensor_parallel = {}\ncontext_parallel_degree = \
         {}\npipeline_parallel_degree = {}\n",
        layout.tensor,
        job.framework.overlap_tensor && layout.tensor > 1,
        layout.context,
        layout.pipeline,
    );
    if layout.context > 1 {
        let ring = job.framework.context_exchange == ContextExchange::Ring;
        let method = if ring { "alltoall" } else { "allgather" };
        text.push_str(&format!("context_parallel_rotate_method = \"{method}\"\n"));
    }
    if layout.pipeline > 1 {
        let chunks = layout.pipeline * layout.interleave;
        text.push_str(&format!(
            "pipeline_parallel_schedule = \"{}\"\npipeline_parallel_microbatch_size = \
             {}\npipeline_parallel_layers_per_stage = {}\n",
            schedule_name(layout.schedule).unwrap_or_default(),
            layout.micro_batch,
            (job.model.layers + 2).div_ceil(chunks),
        ));
    }
    if job.model.moe.is_some() {
        let fast = job.framework.dispatcher == Dispatcher::HybridEp && layout.expert > 1;
        text.push_str(&format!(
            "expert_parallel_degree = {}\nexpert_tensor_parallel_degree = \
             {}\nexpert_parallel_comm_backend = \"{}\"\n",
            layout.expert,
            layout.expert_tensor,
            if fast { "deepep" } else { "standard" },
        ));
    }
    text
}

fn recompute(of: Recompute) -> String {
    format!("[activation_checkpoint]\nmode = \"{}\"\n", of.name())
}

fn precision(of: Precision) -> &'static str {
    match of {
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
fn schedule_name(of: Schedule) -> Option<&'static str> {
    match of {
        Schedule::OneFOneB => Some("1F1B"),
        Schedule::Interleaved => Some("Interleaved1F1B"),
        Schedule::GPipe => Some("GPipe"),
        _ => None,
    }
}
