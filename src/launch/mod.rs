//! A layout as what its training stack is started with: flags, overrides or a file. Each of the
//! stacks says what it can't run, and what the step assumes that its file does not set. No I/O, and
//! no choice: the layout is the caller's.

mod deepspeed;
mod megatron;
mod megatron_flags;
mod script;
mod torchtitan;

pub use script::{LaunchJob, Script, Unable};

use super::workload::{Layer, Pattern};

/// A training stack that a job can be started on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stack {
    /// Megatron-LM: a shell script with the flags of `pretrain_gpt.py`.
    Megatron,
    /// Megatron-Bridge: overrides of a recipe.
    Bridge,
    /// torchtitan up to 0.2: a TOML file.
    Torchtitan,
    /// torchtitan from 0.3: a function in Python.
    TorchtitanPython,
    /// DeepSpeed: its JSON file.
    Deepspeed,
}

impl Stack {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Megatron, Self::Bridge, Self::Torchtitan, Self::TorchtitanPython, Self::Deepspeed];

    /// Name in arguments.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Megatron => "megatron",
            Self::Bridge => "bridge",
            Self::Torchtitan => "torchtitan",
            Self::TorchtitanPython => "torchtitan-python",
            Self::Deepspeed => "deepspeed",
        }
    }
}

/// Layers without attention or without a network, of which no flag is written. DeepSpeed's file
/// says nothing of the model.
fn check_layer_kinds(stack: Stack, job: &LaunchJob<'_>) -> Result<(), Vec<Unable>> {
    let written = |layer| matches!(layer, Layer::Dense | Layer::Moe);
    let unlike = |this_pattern: &&Pattern| {
        stack != Stack::Deepspeed && this_pattern.has_layer(|layer| !written(layer))
    };
    let Some(pattern) = job.model.pattern.as_ref().filter(unlike) else { return Ok(()) };
    Err(vec![Unable {
        what: format!(
            "no flags of {} are written for layers of unlike kinds: `model.pattern` is {pattern}",
            stack.name()
        ),
        hint: "start from the stack's own recipe of the model, and set the degrees that `planner \
               step` shows"
            .to_owned(),
    }])
}

/// What a job is started with.
///
/// # Errors
/// Everything that the stack can't run, each with the way out.
pub fn launch_script(stack: Stack, job: &LaunchJob<'_>) -> Result<Script, Vec<Unable>> {
    check_layer_kinds(stack, job)?;
    let script = match stack {
        Stack::Megatron => megatron::megatron_script(job),
        Stack::Bridge => megatron::bridge_script(job),
        Stack::Torchtitan => torchtitan::torchtitan_script(job),
        Stack::TorchtitanPython => torchtitan::torchtitan_python_script(job),
        Stack::Deepspeed => deepspeed::deepspeed_script(job),
    };
    if script.unable.is_empty() { Ok(script) } else { Err(script.unable) }
}
