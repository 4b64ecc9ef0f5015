//! Files of training stacks in the ways that people write them: what is read, what is asked, what is
//! refused. None makes a job that it does not state.

use std::collections::BTreeMap;

use planner::import::{ImportProblem, UserChoices, import_file, import_text};
use planner::spec::{SpecText, read_scenario};

const SHAPE: &str = "--num-layers 40 --hidden-size 5120 --num-attention-heads 40 --seq-length 4096 \
                     --micro-batch-size 2 --global-batch-size 512 --bf16";

pub(super) fn with_gpus(gpus: u64) -> UserChoices {
    UserChoices { gpus: Some(gpus), ..UserChoices::default() }
}

/// The spec of a file, which every command reads.
#[track_caller]
fn spec_of(text: &str, wanted: &UserChoices) -> String {
    let draft = import_text(text, wanted).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    let spec = draft.spec_text();
    if let Err(problems) = read_scenario(&SpecText::new("made.toml", spec.clone()), &[]) {
        panic!("{problems}\n{spec}");
    }
    spec
}

/// The spec has these lines.
#[track_caller]
pub(super) fn check_lines(text: &str, wanted: &UserChoices, lines: &[&str]) {
    let spec = spec_of(text, wanted);
    for line in lines {
        let found = spec.lines().any(|own| own.split('#').next().unwrap_or("").trim() == *line);
        assert!(found, "no line `{line}` in\n{spec}");
    }
}

/// What is told as lost has this text.
#[track_caller]
pub(super) fn check_lost(text: &str, wanted: &UserChoices, said: &str) {
    let draft = import_text(text, wanted).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    assert!(draft.lost.join("\n").contains(said), "{:?}", draft.lost);
}

/// What is told as assumed has this text.
#[track_caller]
pub(super) fn check_assumed(text: &str, wanted: &UserChoices, said: &str) {
    let draft = import_text(text, wanted).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    assert!(draft.assumed.join("\n").contains(said), "{:?}", draft.assumed);
}

/// The file is refused with these texts.
#[track_caller]
pub(super) fn check_refused(text: &str, wanted: &UserChoices, said: &[&str]) {
    let Err(problem) = import_text(text, wanted) else { panic!("it was read:\n{text}") };
    let whole = format!("{problem}\n{}", problem.hint());
    for text in said {
        assert!(whole.contains(text), "no `{text}` in\n{whole}");
    }
}

#[test]
fn flags_are_found_wherever_a_script_keeps_them() {
    let lines = [
        "layers = 40",
        "hidden = 5120",
        "tensor = 4",
        "pipeline = 2",
        "global_batch = 512",
        "gpus = 64",
    ];
    let open = UserChoices::default();
    let layout = "--tensor-model-parallel-size 4 --pipeline-model-parallel-size 2";
    for text in [
        format!(
            "ARGS=\" {SHAPE} \\\n {layout}\"\nsrun -N 8 --gpus-per-node=8 python pretrain_gpt.py $ARGS"
        ),
        format!(
            "ARGS=({SHAPE})\ntorchrun --nnodes=8 --nproc_per_node=8 pretrain_gpt.py ${{ARGS[@]}} {layout}"
        ),
        format!(
            "N=8\nW=8; T=4\ntorchrun --nnodes $N --nproc-per-node ${{W}} pretrain_gpt.py {SHAPE} \
                 --tensor-model-parallel-size $T --pipeline-model-parallel-size $((W / T))"
        ),
        format!(
            "#!/bin/bash\n#SBATCH --nodes=8 # of the queue\n#SBATCH --gres=gpu:8\nCMD=\"pretrain_gpt.py {SHAPE} {layout}\"\n\
                 export L=\"python -m torch.distributed.run --nproc_per_node 8 --nnodes $SLURM_NNODES\"\nsrun bash -c '$L $CMD' 2>&1 | tee log"
        ),
        format!(
            "run() {{\n  local w=$1; shift\n  deepspeed --num_nodes 8 --num_gpus $w pretrain_gpt.py \"$@\"\n}}\nrun 8 {SHAPE} {layout} --zero-stage 1"
        ),
        format!(
            "SIZE=${{SIZE:-13B}}\nif [ $SIZE = 7B ]; then H=4096; elif [ $SIZE = 13B ]; then H=5120; fi\n\
                 run=\"torchrun --nnodes 8 --nproc_per_node 8 pretrain_gpt.py {} --hidden-size $H {layout}\"\neval $run",
            SHAPE.replace("--hidden-size 5120", "")
        ),
    ] {
        check_lines(&text, &open, &lines);
    }
}

#[test]
fn a_sourced_list_of_flags_is_read_and_a_missing_one_is_asked_for() {
    let script = "DIR=\"$(cd -- \"$(dirname -- \"${BASH_SOURCE[0]}\")\" && pwd)\"\nsource \
                  \"$DIR/models/small.sh\"\npython3 train.py --actor-num-nodes 2 \
                  --actor-num-gpus-per-node 8 ${MODEL[@]} --seq-length 4096 \
                  --tensor-model-parallel-size 4 --micro-batch-size 1 --global-batch-size 256";
    let model =
        "MODEL=(\n  --num-layers 28 # of 1.5B\n  --hidden-size 1536\n  --num-attention-heads 12\n)";
    let read_file = |name: &str| (name == "models/small.sh").then(|| model.to_owned());
    let made = import_file(script, "run.sh", &UserChoices::default(), &read_file).expect("read");
    let spec = made.spec_text();
    assert!(spec.contains("layers = 28") && spec.contains("gpus = 16"), "{spec}");
    check_refused(script, &UserChoices::default(), &["--preset NAME", "models/small.sh"]);
    // The list alone leaves batch and layout open.
    let spec = spec_of(model, &UserChoices::default());
    assert!(spec.contains("hidden = 1536") && !spec.contains("[parallelism]"), "{spec}");
}

#[test]
fn what_only_the_caller_knows_is_asked_all_at_once() {
    let text = format!(
        "torchrun --nnodes $NNODES --nproc_per_node 8 pretrain_gpt.py {SHAPE} \
                        --tensor-model-parallel-size ${{TP}} --pipeline-model-parallel-size $1"
    );
    let asked = ["line 1", "--env NNODES=VALUE", "--env TP=VALUE", "--arg VALUE", "3 things"];
    check_refused(&text, &UserChoices::default(), &asked);
    let environment = [("NNODES", "4"), ("TP", "8")];
    let wanted = UserChoices {
        environment: environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        arguments: vec!["2".to_owned()],
        ..UserChoices::default()
    };
    check_lines(&text, &wanted, &["gpus = 32", "tensor = 8", "pipeline = 2"]);
    let branch = format!(
        "case $SIZE in\n 7B) T=2 ;;\n 70B) T=8 ;;\nesac\npretrain_gpt.py {SHAPE} \
                          --tensor-model-parallel-size $T"
    );
    check_refused(&branch, &UserChoices::default(), &["7B, 70B", "--env SIZE=VALUE"]);
    let template =
        format!("TP=<your degree>\npretrain_gpt.py {SHAPE} --tensor-model-parallel-size $TP");
    check_refused(&template, &UserChoices::default(), &["<your degree>", "--env TP=VALUE"]);
    let wanted = UserChoices {
        environment: BTreeMap::from([("TP".to_owned(), "4".to_owned())]),
        ..UserChoices::default()
    };
    check_lines(&template, &wanted, &["tensor = 4", "gpus = 4"]);
}

#[test]
fn a_flag_is_never_answered_by_its_opposite() {
    let wanted = with_gpus(64);
    for (flags, line) in [
        ("--use-torch-fsdp2", "zero = 3"),
        ("--use-megatron-fsdp --use-distributed-optimizer", "zero = 0"),
        ("--use-megatron-fsdp --data-parallel-sharding-strategy optim_grads_params", "zero = 3"),
        ("--deepspeed --zero-stage 1", "zero = 1"),
        ("--deepspeed", "zero = 1"),
        ("--recompute-activations", "recompute = \"selective\""),
        ("--checkpoint-activations", "recompute = \"full\""),
        ("--activations-checkpoint-method uniform", "recompute = \"full\""),
        ("--fp8-hybrid", "precision = \"fp8\""),
        ("--fp8-recipe mxfp8", "precision = \"bf16\""),
        ("--num-key-value-heads 8", "kv_heads = 8"),
        ("--ds-sequence-parallel-size 4", "context = 4"),
        ("--attention-output-gate", "attention_gate = true"),
        ("--exp-avg-dtype fp8", "moment_bytes = 2"),
        ("--enable-cuda-graph", "cuda_graphs = \"partial\""),
        ("--transformer-impl local", "flash_attention = false"),
        ("--num-experts 8 --moe-expert-capacity-factor 1.5", "capacity_factor = 1.5"),
        (
            "--recompute-granularity selective --recompute-modules layernorm mlp",
            "recompute_modules = [\"layernorm\", \"mlp\"]",
        ),
        ("--num-experts 8 --moe-layer-recompute", "recompute_modules = [\"moe\"]"),
        ("--num-experts 8 8 --topk 1 --moe-expert-parallel-size 8", "top_k = 1"),
    ] {
        check_lines(&format!("pretrain_gpt.py {SHAPE} {flags}"), &wanted, &[line]);
    }
    for (flags, said) in [
        (
            "--recompute-granularity selective --recompute-modules moe_act gdn_norm_out",
            "gdn_norm_out",
        ),
        ("--moe-layer-recompute", "moe: the model has no such part"),
        ("--rampup-batch-size 16 16 1000", "16 16 1000"),
        ("--decoder-first-pipeline-num-layers 5", "--decoder-first-pipeline-num-layers"),
        ("--optimizer muon", "muon"),
        ("--some-new-parallel-size 4", "--some-new-parallel-size 4"),
    ] {
        check_lost(&format!("pretrain_gpt.py {SHAPE} {flags}"), &wanted, said);
    }
    let misspelt = format!("pretrain_gpt.py {SHAPE} --tensor-model-paralel-size 8");
    check_refused(&misspelt, &wanted, &["did you mean `--tensor-model-parallel-size`"]);
    let uneven = format!("pretrain_gpt.py {SHAPE} --num-experts 64 128");
    check_refused(&uneven, &wanted, &["--num-experts", "64 128"]);
}

#[test]
fn other_programs_are_refused_by_name() {
    for program in [
        "pretrain_bert.py",
        "pretrain_t5.py",
        "pretrain_vision_classify.py",
        "tools/run_text_generation_server.py",
        "tools/checkpoint/convert.py",
        "tools/preprocess_data.py",
    ] {
        let text = format!("torchrun --nproc_per_node 8 {program} {SHAPE}");
        check_refused(&text, &UserChoices::default(), &[program]);
    }
    let hybrid = format!("pretrain_mamba.py {SHAPE}");
    check_refused(&hybrid, &UserChoices::default(), &["--hybrid-layer-pattern"]);
    let two =
        format!("pretrain_gpt.py {SHAPE}\npretrain_gpt.py {SHAPE} --tensor-model-parallel-size 2");
    check_refused(&two, &UserChoices::default(), &["lines 1, 2", "--line 2"]);
    let second = UserChoices { line: Some(2), ..UserChoices::default() };
    check_lines(&two, &second, &["tensor = 2"]);
}

#[test]
fn gpus_that_are_not_stated_hold_all_experts() {
    let text = format!(
        "pretrain_gpt.py {SHAPE} --num-experts 8 --expert-model-parallel-size 2 \
                        --tensor-model-parallel-size 2"
    );
    check_lines(&text, &UserChoices::default(), &["gpus = 4", "expert = 2"]);
}

#[test]
fn the_vocabulary_is_the_tokenizers() {
    for (flags, size) in [
        ("--tokenizer-type GPT2BPETokenizer", "vocab = 50257"),
        (
            "--tokenizer-type HuggingFaceTokenizer --tokenizer-model meta-llama/Llama-3.1-8B",
            "vocab = 128256",
        ),
        ("--tokenizer-type NullTokenizer --vocab-size 32000", "vocab = 32000"),
        ("--tokenizer-type GPT2BPETokenizer --make-vocab-size-divisible-by 1", "vocab = 50257"),
        ("--patch-tokenizer-type Qwen2Tokenizer --extra-vocab-size 421", "vocab = 152064"),
    ] {
        check_lines(&format!("pretrain_gpt.py {SHAPE} {flags}"), &UserChoices::default(), &[size]);
    }
    let own = format!(
        "pretrain_gpt.py {SHAPE} --tokenizer-type SentencePieceTokenizer --tokenizer-model t.model"
    );
    check_refused(&own, &UserChoices::default(), &["t.model", "--vocab SIZE"]);
    let log = "using world size: 2\n  hidden_size ..................................... 1024\n  \
               num_attention_heads ............................. 16\n  \
               num_layers ...................................... 24\n  \
               seq_length ...................................... 2048\n  \
               tensor_model_parallel_size ...................... 2\n  \
               tokenizer_type .................................. GPT2BPETokenizer\n  \
               world_size ...................................... 2\n > padded vocab (size: 50257) with \
               175 dummy tokens (new size: 50432)\n";
    check_lines(log, &UserChoices::default(), &["vocab = 50432", "layers = 24", "gpus = 2"]);
}

#[test]
fn no_file_without_a_shape_becomes_a_model() {
    for text in [
        "pretrain_gpt.py --tensor-model-parallel-size 4 --micro-batch-size 1 --global-batch-size 64",
        "{\"train_batch_size\": 64, \"zero_optimization\": {\"stage\": 2}}",
        "[model]\nname = \"mine\"\n[training]\nlocal_batch_size = 2\n",
        "model.tensor_model_parallel_size=4 train.micro_batch_size=1",
    ] {
        let problem = import_text(text, &UserChoices::default()).expect_err("it has no shape");
        assert!(matches!(problem, ImportProblem::Questions { .. }), "{problem}");
        let named = UserChoices {
            preset: Some("llama3-8b".to_owned()),
            layers: Some(32),
            sequence: Some(4096),
            ..with_gpus(64)
        };
        check_lines(text, &named, &["preset = \"llama3-8b\""]);
    }
    let flavor = "[model]\nname = \"qwen3\"\nflavor = \"14B\"\n[training]\nlocal_batch_size = 2\n\
                  seq_len = 4096\n";
    check_lines(flavor, &with_gpus(16), &["layers = 40", "hidden = 5120", "ffn = 17408"]);
    let older = "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\nbatch_size = 1\nseq_len = 8192\n\
                 tensor_parallel_degree = 2\n[experimental]\npipeline_parallel_degree = 2\n";
    check_lines(older, &with_gpus(16), &["tensor = 2", "pipeline = 2", "layers = 32"]);
    check_refused(
        "[model]\nname = \"flux\"\nflavor = \"flux-dev\"\n",
        &with_gpus(8),
        &["pictures"],
    );
}

#[test]
fn numbers_that_json_does_not_have_are_none() {
    let text = "{\"model_type\": \"llama\", \"_name_or_path\": \"To Infinity\", \"num_hidden_layers\": 2, \
                \"limits\": [0.0, Infinity, -Infinity, NaN]}";
    let spec = spec_of(text, &UserChoices::default());
    assert!(spec.contains("layers = 2") && spec.contains("To Infinity"), "{spec}");
    let pattern = "{\"model_type\": \"nemotron_h\", \"hybrid_override_pattern\": \"ME*\", \
                   \"n_routed_experts\": null, \"attention_head_dim\": 128}";
    check_refused(pattern, &UserChoices::default(), &["n_routed_experts"]);
}

#[test]
fn a_command_that_hangs_on_an_unknown_name_is_asked_for() {
    let text = format!(
        "MODEL_ARGS=( {SHAPE} )\nMOE_ARGS=( --num-experts 8 --moe-router-topk 2 )\n\
         APP=\"python3 pretrain_gpt.py ${{MODEL_ARGS[@]}} ${{MOE_ARGS[@]}}\"\n\
         if [[ $profiling == torch ]]; then APP+=\" --profile\"; elif [[ $profiling == hip ]]; then \
         APP=\"hipprof ${{APP}}\"; fi\n$APP\n"
    );
    let mut open = with_gpus(64);
    open.vocab = Some(32_000);
    // What the branches add has no weight, whichever is taken.
    check_lines(&text, &open, &["experts = 8", "top_k = 2"]);
    let heavy = text.replace("--profile", "--profile --context-parallel-size 2");
    let asked =
        ["`$profiling` of `--context-parallel-size`", "torch, hip", "--env profiling=VALUE"];
    check_refused(&heavy, &open, &asked);
    open.environment.insert("profiling".to_owned(), "torch".to_owned());
    check_lines(&heavy, &open, &["experts = 8", "context = 2"]);
}

#[test]
fn a_script_without_arguments_keeps_its_options() {
    let text = format!(
        "TP=2\nwhile [[ $# -gt 0 ]]; do case $1 in --tp) TP=$2; shift 2 ;; *) exit 1 ;; esac; done\n\
         if [ -z \"${{HOME_OF_DATA:-}}\" ]; then exit 1; fi\n\
         if echo \"{SHAPE}\" | grep -q -- \"--fp16\"; then TP=8; fi\n\
         pretrain_gpt.py {SHAPE} --tensor-model-parallel-size $TP"
    );
    check_lines(&text, &UserChoices::default(), &["tensor = 2"]);
    check_assumed(&text, &UserChoices::default(), "`--arg` states others");
    let arguments = ["--tp", "4"].map(str::to_owned).to_vec();
    let wanted = UserChoices { arguments, ..UserChoices::default() };
    check_lines(&text, &wanted, &["tensor = 4"]);
    let other = UserChoices { arguments: vec!["7B".to_owned()], ..UserChoices::default() };
    check_refused(&text, &other, &["the script ends on line 2, before it starts a job"]);
    let needed = text.replace("TP=2\n", "TP=\n").replace("{HOME_OF_DATA:-}", "{TP}");
    check_refused(&needed, &UserChoices::default(), &["the script ends here", "--arg VALUE"]);
}

#[test]
fn turns_of_a_loop_are_one_job_where_no_flag_that_is_read_differs() {
    let turns = |flag: &str| {
        format!("for n in {{2..6..2}}; do\n pretrain_gpt.py {SHAPE} {flag} $n\ndone\n")
    };
    check_lines(&turns("--seed"), &with_gpus(64), &["layers = 40"]);
    let text = turns("--tensor-model-parallel-size");
    check_refused(&text, &with_gpus(48), &["3 different jobs", "2, 4, 6", "--env n=VALUE"]);
    let mut wanted = with_gpus(48);
    wanted.environment.insert("n".to_owned(), "4".to_owned());
    check_lines(&text, &wanted, &["tensor = 4"]);
    let calls = format!(
        "run() {{ pretrain_gpt.py {SHAPE} --tensor-model-parallel-size $1; }}\nrun 2\nrun 4\n"
    );
    check_refused(&calls, &with_gpus(64), &["jobs on lines 2, 3", "--line 3"]);
    let second = UserChoices { line: Some(2), ..with_gpus(64) };
    check_lines(&calls, &second, &["tensor = 2"]);
}

#[test]
fn a_model_without_a_shape_is_named_and_taken_from_its_configuration() {
    let script = "megatron sft --model Qwen/Qwen3-0.6B --tensor-model-parallel-size 2 --max-length \
                  4096 --micro-batch-size 1 --global-batch-size 16\n";
    let open = with_gpus(8);
    check_refused(
        script,
        &open,
        &["which names `Qwen/Qwen3-0.6B`", "--preset NAME", "config.json"],
    );
    let model = "{\"model_type\": \"llama\", \"num_hidden_layers\": 28, \"hidden_size\": 1024}";
    let read_file = |name: &str| (name == "../config.json").then(|| model.to_owned());
    let made = import_file(script, "run.sh", &open, &read_file).expect("read").spec_text();
    for line in ["layers = 28", "hidden = 1024", "tensor = 2", "sequence = 4096", "gpus = 8"] {
        assert!(made.contains(line), "no `{line}` in\n{made}");
    }
    // So does a recipe whose model is not known.
    let recipe = "model_name_or_path: me/mine\nstage: sft\nfinetuning_type: full\ncutoff_len: 2048\n\
                  per_device_train_batch_size: 1\ngradient_accumulation_steps: 2\n";
    check_refused(recipe, &open, &["config.json"]);
    let made = import_file(recipe, "tune.yaml", &open, &read_file).expect("read").spec_text();
    for line in ["layers = 28", "sequence = 2048", "global_batch = 16"] {
        assert!(made.contains(line), "no `{line}` in\n{made}");
    }
    // A part of a shape is another model than any preset.
    let preset = UserChoices { preset: Some("llama3-8b".to_owned()), ..with_gpus(8) };
    let part = script.replace("--max-length", "--hidden-size 5120 --max-length");
    check_refused(&part, &preset, &["`--num-layers` is not among the flags"]);
}

#[test]
fn a_test_of_several_jobs_is_asked_for_one() {
    let text = "MODEL_ARGS:\n  --num-layers: 12\n  --hidden-size: 512\n  --num-attention-heads: 8\n  \
                --seq-length: 1024\n  --tensor-model-parallel-size: 1\nMODEL_ARGS_2:\n  --num-layers: \
                12\n  --hidden-size: 512\n  --num-attention-heads: 8\n  --seq-length: 1024\n  \
                --tensor-model-parallel-size: 4\n";
    check_refused(text, &with_gpus(8), &["jobs on lines 1, 7", "--line 7"]);
    for (line, tensor) in [(1, "tensor = 1"), (7, "tensor = 4")] {
        let wanted = UserChoices { line: Some(line), ..with_gpus(8) };
        check_lines(text, &wanted, &[tensor]);
    }
}

#[test]
fn shares_of_layers_are_spread() {
    let text = format!(
        "torchrun --nproc-per-node 8 pretrain_mamba.py {} --vocab-size 32000 \
         --hybrid-attention-ratio 0.25 --hybrid-mlp-ratio 0.25",
        SHAPE.replace("--num-layers 40", "--num-layers 8")
    );
    check_lines(&text, &with_gpus(8), &["layers = 8", "pattern = \"MM*-M*M-\""]);
}

#[test]
fn lists_without_a_command_count_with_all_their_flags() {
    let text = format!(
        "MODEL=( {SHAPE} --vocab-size 32000 )\nMOE=( --num-experts 8 --moe-router-topk 2 )\n"
    );
    check_lines(&text, &with_gpus(64), &["experts = 8"]);
}

#[test]
fn a_flag_whose_name_is_not_known_is_asked_for() {
    let text = "DTYPE=fp16\nif [[ $GROUPED -eq 1 ]]; then DTYPE=bf16; fi\ntorchrun --nproc_per_node 8 \
                pretrain_gpt.py --num-layers 12 --hidden-size 512 --num-attention-heads 8 --seq-length \
                1024 --vocab-size 32000 --micro-batch-size 4 --global-batch-size 32 --log-interval 100 \
                --${DTYPE}\n";
    check_refused(text, &UserChoices::default(), &["`$GROUPED`", "name of a flag"]);
}

#[test]
fn a_python_file_behind_a_flag_is_no_program() {
    let text = format!(
        "megatron rlhf {SHAPE} --vocab-size 32000 --external_plugins plugin.py --recompute_granularity selective"
    );
    check_lines(&text, &with_gpus(64), &["layers = 40", "global_batch = 512", "micro_batch = 2"]);
    check_refused(
        &text.replace("--external_plugins", "--tuner_type lora --external_plugins"),
        &with_gpus(64),
        &["adapters"],
    );
}

#[test]
fn recipes_of_other_models_are_refused() {
    let recipe = |more: &str| {
        format!(
            "system:\n  tensor_model_parallel_size: 2\nmodel:\n  num_layers: 24\n  hidden_size: 8192\n  \
             num_attention_heads: 64\n  seq_length: 2048\n  vocab_size: 32000\n  micro_batch_size: 1\n  \
             global_batch_size: 64\n  swiglu: true\n  tokenizer_type: NullTokenizer\n{more}"
        )
    };
    for more in ["  img_h: 336\n", "  freeze_ViT: true\n", "  hetero_process_meshes: [2, 1, 1]\n"] {
        check_refused(&recipe(more), &with_gpus(64), &["no single stack"]);
    }
    // FlagScale's arithmetic: two thirds of 4 x 8192, times 1.3, rounded up to a multiple of 4096.
    let wide = recipe("  multiple_of: 4096\n  hidden_dim_multiplier: 1.3\n");
    check_lines(&wide, &with_gpus(64), &["ffn = 28672"]);
}

#[test]
fn a_file_with_several_functions_is_asked_for_one() {
    let text = "def small():\n    c.training = TrainingConfig(seq_len=2048, steps=10)\n\n\
                def large():\n    c.parallelism = ParallelismConfig(tensor_parallel_degree=8)\n    \
                c.training = TrainingConfig(seq_len=8192, steps=1000)\n";
    let mut wanted = with_gpus(64);
    wanted.preset = Some("llama3-70b".to_owned());
    check_refused(text, &wanted, &["small on line 1, large on line 4", "--line"]);
    wanted.line = Some(4);
    check_lines(text, &wanted, &["tensor = 8", "sequence = 8192"]);
}

#[test]
fn what_a_launcher_fills_in_is_not_stated() {
    let text = r#"{"bf16": {"enabled": "auto"}, "zero_optimization": {"stage": 2}}"#;
    let mut wanted = with_gpus(64);
    wanted.preset = Some("llama3-8b".to_owned());
    check_lines(text, &wanted, &["precision = \"bf16\""]);
    let few = r#"{"train_batch_size": 32, "train_micro_batch_size_per_gpu": 32, "bf16": {"enabled": true}}"#;
    check_refused(few, &wanted, &["train_batch_size"]);
}

#[test]
fn inference_is_no_training_and_a_pattern_has_its_layers() {
    let text =
        "MODE: inference\nMODEL_ARGS:\n  --num-layers: 12\n  --tensor-model-parallel-size: 1\n";
    check_refused(text, &with_gpus(8), &["generates text"]);
    let pattern = format!(
        "torchrun --nproc-per-node 8 pretrain_hybrid.py {} --vocab-size 32000 --hybrid-layer-pattern M-M*-M-",
        SHAPE.replace("--num-layers 40 ", "")
    );
    check_lines(&pattern, &with_gpus(8), &["layers = 7"]);
}

#[test]
fn a_recipe_that_names_its_model_has_its_shape_and_asks_for_the_rest() {
    let tuned = "model_name_or_path: Qwen/Qwen3-4B-Instruct-2507\nstage: sft\nfinetuning_type: full\n\
                 deepspeed: examples/ds_z3_config.json\ncutoff_len: 2048\nbf16: true\n\
                 per_device_train_batch_size: 1\ngradient_accumulation_steps: 2\n";
    let lines = ["layers = 36", "sequence = 2048", "global_batch = 32", "zero = 3", "gpus = 16"];
    check_lines(tuned, &with_gpus(16), &lines);
    check_refused(tuned, &UserChoices::default(), &["--gpus N"]);
    check_refused(&tuned.replace("full", "lora"), &with_gpus(16), &["a part of the model"]);
    let sharded = "base_model: meta-llama/Llama-3.1-8B\ndp_shard_size: 4\ndp_replicate_size: 2\n\
                   tensor_parallel_size: 2\nsequence_len: 2048\nbf16: auto\nmicro_batch_size: 1\n\
                   gradient_accumulation_steps: 3\n";
    let lines =
        ["gpus = 16", "global_batch = 24", "tensor = 2", "shard = 4", "precision = \"bf16\""];
    check_lines(sharded, &UserChoices::default(), &lines);
    let rollouts = include_str!("../fuzz/corpus/recipe/rollouts.yaml");
    let lines = ["layers = 36", "sequence = 3072", "global_batch = 64", "tensor = 2", "gpus = 16"];
    check_lines(rollouts, &UserChoices::default(), &lines);
    let other = rollouts.replace("Qwen/Qwen3-8B", "~/models/mine");
    check_refused(&other, &UserChoices::default(), &["which names `~/models/mine`", "--preset"]);
    let primus = "modules:\n  pre_trainer:\n    framework: megatron\n    model: llama3.1_70B.yaml\n    \
                  overrides:\n      seq_length: ${SEQ:8192}\n      micro_batch_size: 3\n      \
                  global_batch_size: 24\n      use_torch_fsdp2: true\n";
    let lines = ["layers = 80", "sequence = 8192", "global_batch = 24", "zero = 3"];
    check_lines(primus, &UserChoices::default(), &lines);
    let changed = format!("{primus}      num_layers: 4\n");
    check_refused(&changed, &UserChoices::default(), &["llama3.1_70B.yaml", "--preset NAME"]);
    let bridge = "model:\n  seq_length: 4096\n  tensor_model_parallel_size: 2\ntrain:\n  \
                  global_batch_size: 8\n  micro_batch_size: 1\n";
    check_refused(bridge, &UserChoices::default(), &["--preset NAME"]);
    let wanted = UserChoices { preset: Some("llama3-8b".to_owned()), ..with_gpus(8) };
    check_lines(bridge, &wanted, &["tensor = 2", "global_batch = 8", "zero = 1"]);
}

#[test]
fn an_experiment_is_its_recipe_on_its_machines() {
    let experiment = "defaults:\n  - train: small\nexperiment:\n  task:\n    entrypoint: \
                      ./flagscale/train/train_gpt.py\n  runner:\n    nnodes: 4\n    nproc_per_node: 8\n";
    let recipe = include_str!("../fuzz/corpus/recipe/flags.yaml");
    let read_file = |name: &str| (name == "train/small.yaml").then(|| recipe.to_owned());
    let made = import_file(experiment, "train.yaml", &UserChoices::default(), &read_file);
    let spec = made.expect("read").spec_text();
    assert!(spec.contains("gpus = 32") && spec.contains("layers = 12"), "{spec}");
    check_refused(experiment, &UserChoices::default(), &["train/small.yaml"]);
    let other = experiment.replace("train_gpt", "train_rwkv");
    check_refused(&other, &UserChoices::default(), &["train_rwkv.py"]);
    // Alone it may be of another program.
    check_refused(recipe, &UserChoices::default(), &["planner import EXPERIMENT.yaml"]);
}

#[test]
fn logs_have_the_job_that_ran() {
    let log = include_str!("../fuzz/corpus/recipe/megatron.log");
    let plain = spec_of(log, &UserChoices::default());
    for (from, to) in [
        ("[rank0]:", ""),
        ("[rank0]:", "[default0]:"),
        ("[rank0]:", "0: "),
        ("[rank0]:", "Nov  3 10:00:00 host: "),
        ("[rank0]:", "\u{1b}[32m[rank0]:\u{1b}[0m"),
    ] {
        assert_eq!(spec_of(&log.replace(from, to), &UserChoices::default()), plain, "{to}");
    }
    let titan = include_str!("../fuzz/corpus/recipe/titan.log");
    let lines = ["layers = 32", "ffn = 14336", "tensor = 2", "global_batch = 8", "gpus = 8"];
    check_lines(titan, &UserChoices::default(), &lines);
    let times = ":::MLLOG {\"key\": \"global_batch_size\", \"value\": 8}\n";
    check_refused(times, &UserChoices::default(), &["planner calibrate"]);
}

#[test]
fn a_batch_of_ranks_is_that_of_the_gpus_that_are_taken() {
    let file = include_str!("../fuzz/corpus/recipe/titan.toml");
    check_lines(file, &UserChoices::default(), &["gpus = 2", "global_batch = 2"]);
    check_lines(file, &with_gpus(16), &["gpus = 16", "global_batch = 16"]);
    let wide = format!("{file}[extra]\n")
        .replace("tensor_parallel_degree = 2", "expert_parallel_degree = 4");
    let draft = import_text(&wide, &UserChoices::default()).expect("read").spec_text();
    assert!(draft.contains("gpus = 4 ") && draft.contains("global_batch = 8 "), "{draft}");
}

#[test]
fn no_script_costs_more_than_is_paid_for() {
    let names: Vec<char> = ('A'..='Y').collect();
    let sums = names.windows(2).map(|two| format!("{}='{1}+{1}+{1}+{1}'\n", two[0], two[1]));
    let sums: String = sums.collect();
    for text in [
        format!("{sums}Y=1\npretrain_gpt.py {SHAPE} --num-experts $((A))"),
        format!("{}pretrain_gpt.py {SHAPE}", "true && ".repeat(50_000)),
        format!(
            "if false; then :;\n{}fi\npretrain_gpt.py {SHAPE}",
            "elif false; then :;\n".repeat(30_000)
        ),
        format!("X={}1{}\npretrain_gpt.py {SHAPE}", "${X[".repeat(20_000), "]}".repeat(20_000)),
        format!("[ {}x ]\npretrain_gpt.py {SHAPE}", "! ".repeat(50_000)),
        format!("[[ {}x ]]\npretrain_gpt.py {SHAPE}", "x == x && ".repeat(50_000)),
        format!("echo {}\npretrain_gpt.py {SHAPE}", "{1..999}\"x\"".repeat(9)),
        "<<E ".repeat(60_000),
        "$((".repeat(60_000),
        format!(
            "trainer: 1\nmodel:\n  num_layers: {}1{}\n",
            "${multiply:".repeat(9_000),
            "}".repeat(9_000)
        ),
        "ParallelismConfig(".repeat(20_000),
    ] {
        match import_text(&text, &UserChoices::default()) {
            Ok(draft) => assert!(draft.spec_text().len() < 20_000),
            Err(problem) => assert!(problem.hint().len() < 20_000, "{problem}"),
        }
    }
    let long = format!("pretrain_gpt.py {SHAPE} --foo-expert-size {}", "a".repeat(50_000));
    assert!(spec_of(&long, &UserChoices::default()).len() < 20_000);
}

#[test]
fn a_command_that_is_started_elsewhere_is_gone_through() {
    let job = "torchrun --nproc-per-node 8 --nnodes 4 pretrain_gpt.py $MODEL --tensor-model-parallel-size 4";
    let lines = ["layers = 40", "tensor = 4", "global_batch = 512", "gpus = 32"];
    for start in [
        format!("sbatch -N 4 --gpus-per-node=8 --wrap \"srun {job}\""),
        format!("sbatch -N 4 --wrap=\"{job}\""),
        format!("ssh node1 \"cd /work && {job}\""),
        format!("pdsh -w node[1-4] \"{job}\""),
        format!("tmux new-session -d \"{job}\""),
    ] {
        check_lines(&format!("MODEL=\"{SHAPE}\"\n{start}\n"), &UserChoices::default(), &lines);
    }
}

#[test]
fn ranks_that_a_launcher_counts_are_gpus() {
    let job = format!("python pretrain_gpt.py {SHAPE}");
    for (text, line) in [
        (format!("mpirun -np 32 -x PATH {job}"), "gpus = 32"),
        (format!("#SBATCH --ntasks=64\nsrun {job}"), "gpus = 64"),
        (format!("#SBATCH --nodes=4\nsrun -n 32 {job}"), "gpus = 32"),
    ] {
        check_lines(&text, &UserChoices::default(), &[line, "layers = 40"]);
    }
}

#[test]
fn a_line_without_a_job_is_a_question() {
    let job = format!("torchrun pretrain_gpt.py {SHAPE}");
    let wanted = UserChoices { line: Some(99), ..UserChoices::default() };
    check_refused(&job, &wanted, &["no job is on line 99, but on 1", "--line 1"]);
}

#[test]
fn folded_lines_of_an_orchestrator_are_one_command() {
    let text = format!(
        "spec:\n  args:\n    - >\n      torchrun --nproc_per_node 8 pretrain_gpt.py\n      {SHAPE}\n      \
         --tensor-model-parallel-size 4\n  restart: 1\n"
    );
    let lines = ["tensor = 4", "micro_batch = 2", "global_batch = 512", "gpus = 8"];
    check_lines(&text, &UserChoices::default(), &lines);
}

#[test]
fn degrees_below_one_are_refused_in_torchtitan() {
    for wrong in ["tensor_parallel_degree = 0", "pipeline_parallel_degree = -1"] {
        let text = format!(
            "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\nlocal_batch_size = 1\n\
             [parallelism]\n{wrong}\n"
        );
        check_refused(&text, &with_gpus(8), &["a whole number from 1"]);
    }
}
