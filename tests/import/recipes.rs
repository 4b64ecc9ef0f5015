//! Recipes that are another job than they look: what is refused, asked, told, and read.

use planner::import::UserChoices;

use crate::import::scripts::{check_assumed, check_lines, check_lost, check_refused, with_gpus};

const FACTORY: &str = "model_name_or_path: Qwen/Qwen3-8B\nstage: sft\nfinetuning_type: full\n\
                       cutoff_len: 2048\nper_device_train_batch_size: 1\n\
                       gradient_accumulation_steps: 2\n";
const AXOLOTL: &str = "base_model: Qwen/Qwen3-8B\nsequence_len: 2048\nmicro_batch_size: 1\n\
                       gradient_accumulation_steps: 2\n";
const ROLLOUTS: &str = include_str!("../fuzz/corpus/recipe/rollouts.yaml");
const PRIMUS: &str = "modules:\n  pre_trainer:\n    framework: megatron\n    model: llama3.1_70B.yaml\n    \
                      overrides:\n      seq_length: 8192\n      micro_batch_size: 1\n";
const LAUNCHER: &str = include_str!("../fuzz/corpus/recipe/launcher.yaml");
const BRIDGE: &str = "model:\n  seq_length: 4096\n  tensor_model_parallel_size: 2\ntrain:\n  \
                      global_batch_size: 8\n  micro_batch_size: 1\n";
const SWIFT: &str = "megatron sft --model Qwen/Qwen3-8B --seq-length 64 --micro-batch-size 1";

fn with_name(name: &str, value: &str) -> UserChoices {
    let environment = [(name.to_owned(), value.to_owned())].into();
    UserChoices { environment, ..with_gpus(16) }
}

#[test]
fn what_does_not_train_the_whole_model_is_refused() {
    let peft = LAUNCHER.replace("model:\n", "model:\n  peft: {peft_scheme: lora}\n");
    let part = "a part of the model";
    let none = "no configuration that is known";
    let script = "python run_script.py --model_recipe_name llama3 --num_gpus 8 \
                  --global_batch_size 8 --task lora";
    for (text, said) in [
        (FACTORY.replace("finetuning_type: full\n", ""), "finetuning_type"),
        (FACTORY.replace("full", "freeze"), part),
        (format!("{FACTORY}use_galore: true\n"), "use_galore"),
        (format!("{FACTORY}quantization_bit: 4\n"), "quantization_bit"),
        (format!("{AXOLOTL}adapter: qlora\n"), "adapters"),
        (format!("{AXOLOTL}load_in_8bit: true\n"), "load_in_8bit"),
        (format!("{AXOLOTL}relora_steps: 100\n"), "relora_steps"),
        (format!("{AXOLOTL}unfrozen_parameters:\n  - lm_head\n"), "unfrozen_parameters"),
        ("base_model: a/b\nmerge_method: ties\nmodels: []\n".to_owned(), "merges models"),
        ("model_name_or_path: a/b\nuse_peft: true\n".to_owned(), "use_peft"),
        ("model_name_or_path: a/b\ndataset_name: c\n".to_owned(), none),
        ("base_model: a/b\nslices: []\n".to_owned(), none),
        (peft, "peft_scheme"),
        (format!("{BRIDGE}peft:\n  _target_: LoRA\n  dim: 8\n"), "adapters"),
        ("model.num_layers=2 peft=lora train.micro_batch_size=1".to_owned(), "peft: lora"),
        (script.to_owned(), "task: lora"),
        (SWIFT.replace("sft", "export"), "megatron export"),
        (format!("{SWIFT} --freeze-llm true"), "freeze_llm"),
        (format!("{SWIFT} --train_type lora"), "train_type: lora"),
    ] {
        check_refused(&text, &with_gpus(16), &[said]);
    }
    let off = "adapter:\nload_in_8bit: false\nrelora_steps: 0\nunfrozen_parameters: []\n";
    check_lines(&format!("{AXOLOTL}{off}"), &with_gpus(16), &["global_batch = 32"]);
}

#[test]
fn narrow_formats_are_those_that_are_on() {
    let hybrid = "  fp8_hybrid: True\n";
    let launcher = |more: &str| LAUNCHER.replace("model:\n", &format!("model:\n{more}"));
    let log = "tensor_model_parallel_size ..... 1\nnum_layers ....... 2\nhidden_size ...... 64\n\
               num_attention_heads ...... 2\nseq_length ...... 64\nmicro_batch_size ..... 1\n\
               padded_vocab_size ....... 512\nbf16 ........ True\n";
    let tuned = |more: &str| format!("{FACTORY}{more}");
    let mesh = "Building llama3 8B with ModelArgs(dim=64)\nlocal batch size 1, global batch size 8, \
                sequence length 64\n";
    for (text, name) in [
        (launcher(&format!("  fp8: False\n{hybrid}")), "bf16"),
        (launcher(&format!("  fp8: True\n{hybrid}")), "fp8"),
        (log.to_owned(), "bf16"),
        (format!("{log}fp8 ...... hybrid\n"), "fp8"),
        (format!("{log}fp4 ...... e2m1\n"), "nvfp4"),
        (format!("{PRIMUS}      fp8: hybrid\n"), "fp8"),
        (mesh.to_owned(), "bf16"),
        (format!("{mesh}Swapped to Float8Linear layers\n"), "fp8"),
        (format!("{mesh}Swapped to MXLinear layers\n"), "mxfp8"),
        (tuned("pure_bf16: true\n"), "bf16"),
        (tuned("bf16: false\n"), "fp32"),
        (format!("{AXOLOTL}bfloat16: true\n"), "bf16"),
    ] {
        let wanted = UserChoices { node: Some("hgx-b200".to_owned()), ..with_gpus(32) };
        check_lines(&text, &wanted, &[&format!("precision = \"{name}\"")]);
    }
    check_assumed(FACTORY, &with_gpus(16), "training.precision = bf16");
}

#[test]
fn names_of_the_environment_are_asked_for() {
    let batch = format!("{PRIMUS}      global_batch_size: ${{GBS}}\n");
    check_refused(&batch, &with_gpus(16), &["`${GBS}`", "--env GBS=VALUE"]);
    check_lines(&batch, &with_name("GBS", "64"), &["global_batch = 64"]);
    let path = format!("{PRIMUS}      tensorboard_dir: ${{LOGS}}/here\n");
    check_lines(&path, &with_gpus(16), &["layers = 80"]);
    let rolled = |value: &str| {
        ROLLOUTS.replace("  actor:\n", &format!("  rollout: {{n: \"{value}\"}}\n  actor:\n"))
    };
    check_lines(&rolled("${oc.env:N,4}"), &with_gpus(16), &["global_batch = 256"]);
    check_assumed(&rolled("${oc.env:N,4}"), &with_gpus(16), "N=4");
    check_lines(&rolled("${oc.env:N,4}"), &with_name("N", "2"), &["global_batch = 128"]);
    check_refused(&rolled("${oc.env:N}"), &with_gpus(16), &["--env N=VALUE"]);
    check_refused(&rolled("${elsewhere.n}"), &with_gpus(16), &["rollout.n", "into the file"]);
}

#[test]
fn a_key_of_the_shape_makes_another_model() {
    for key in ["ffn_hidden_size: 4096", "num_query_groups: 2", "kv_channels: 64", "swiglu: false"]
    {
        let text = format!("{PRIMUS}      {key}\n");
        check_refused(&text, &with_gpus(16), &["llama3.1_70B.yaml", "--preset NAME"]);
    }
    let kept = format!(
        "{PRIMUS}      recompute_granularity: selective\n      recompute_modules: [core_attn, mlp]\n"
    );
    let lines = ["recompute_modules = [\"core_attn\", \"mlp\"]"];
    check_lines(&kept, &with_gpus(16), &lines);
}

#[test]
fn the_stage_is_the_one_that_is_written() {
    for (more, stage) in [
        ("fsdp:\nfsdp_config:\n", 0),
        ("fsdp: full_shard auto_wrap\n", 3),
        ("fsdp:\n  - shard_grad_op\n  - auto_wrap\n", 2),
        ("fsdp_config:\n  fsdp_sharding_strategy: SHARD_GRAD_OP\n", 2),
        ("fsdp_config:\n  fsdp_sharding_strategy: NO_SHARD\n", 0),
        ("fsdp_config:\n  reshard_after_forward: false\n", 2),
        ("fsdp_config:\n  fsdp_version: 2\n", 3),
        ("deepspeed: {zero_optimization: {stage: 1}}\n", 1),
        ("deepspeed: {zero_optimization: {stage: \"3\"}}\n", 3),
        ("deepspeed: configs/zero2.json\n", 2),
    ] {
        check_lines(&format!("{AXOLOTL}{more}"), &with_gpus(16), &[&format!("zero = {stage}")]);
    }
    let open = format!("{AXOLOTL}deepspeed: {{zero_optimization: {{stage: auto}}}}\n");
    check_refused(&open, &with_gpus(16), &["the ZeRO stage of `deepspeed`"]);
    let word = format!("{AXOLOTL}fsdp_config:\n  sharding_strategy: MINE\n");
    check_refused(&word, &with_gpus(16), &["fsdp: mine"]);
    for more in [
        "deepspeed: {zero_optimization: {stage: 3, offload_param: {device: cpu}}}\n",
        "deepspeed: configs/zero3_offload.json\n",
        "fsdp_config:\n  offload_params: true\n",
    ] {
        check_lost(&format!("{AXOLOTL}{more}"), &with_gpus(16), "on the host");
    }
}

#[test]
fn keys_that_matter_are_read_or_told() {
    let old = format!("{AXOLOTL}sequence_parallel_degree: 2\n");
    check_lines(&old, &with_gpus(16), &["context = 2"]);
    check_lost(&format!("{FACTORY}use_unsloth: true\n"), &with_gpus(16), "use_unsloth");
    check_lines(ROLLOUTS, &UserChoices::default(), &["sequence_parallel = true"]);
    check_assumed(ROLLOUTS, &UserChoices::default(), "a default of verl");
    let nested = ROLLOUTS.replace(
        "    strategy: megatron\n",
        "    strategy: megatron\n    fsdp_config: {fsdp_size: 8}\n    ppo_micro_batch_size: 4\n",
    );
    for said in ["fsdp_size: 8", "ppo_micro_batch_size: 4"] {
        check_lost(&nested, &UserChoices::default(), said);
    }
    let off =
        ROLLOUTS.replace("_size: 2}", "_size: 2, sequence_parallel: false, param_offload: true}");
    check_lines(&off, &UserChoices::default(), &["sequence_parallel = false"]);
    check_lost(&off, &UserChoices::default(), "megatron.param_offload");
}

#[test]
fn what_the_user_states_counts_before_the_file() {
    let wanted = UserChoices { global_batch: Some(64), ..with_gpus(16) };
    check_lines(FACTORY, &wanted, &["global_batch = 64"]);
    check_lines(LAUNCHER, &wanted, &["global_batch = 64"]);
}

#[test]
fn a_trainer_of_another_program_is_no_recipe_of_megatron() {
    let own = "data:\n  train_batch_size: 64\nmodel:\n  name: mine\ntrainer:\n  epochs: 3\n";
    let wanted = UserChoices { preset: Some("llama3-8b".to_owned()), ..with_gpus(16) };
    check_refused(own, &wanted, &["no configuration that is known"]);
}

#[test]
fn recomputation_inside_the_sharding_is_read() {
    for stated in [
        "fsdp_config:\n  activation_checkpointing: true\n",
        "fsdp_activation_checkpointing: true\n",
    ] {
        let text = format!("{AXOLOTL}{stated}");
        check_lines(&text, &with_gpus(16), &["recompute = \"full\""]);
    }
}
