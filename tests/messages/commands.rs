//! Commands that can't do what they are asked, with all that they say and their exit status.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::messages::golden;
use crate::support::program::{fresh_folder, planner_in};

const SPEC: &str = "\
[model]
preset = \"llama3-8b\"
[training]
global_batch = 64
[parallelism]
tensor = 8
pipeline = 1
[cluster]
gpus = 16
node = \"dgx-h100\"
";

const TWO_WORKLOADS: &str = "\
[cluster]
gpus = 16
node = \"dgx-h100\"
[[workload]]
name = \"one\"
[workload.model]
preset = \"llama3-8b\"
[workload.training]
global_batch = 64
[workload.parallelism]
tensor = 8
";

/// A book with one fault of each kind.
const BAD_BOOK: &str = "\
[[price]]
item = \"qm9700\"
price = \"$1\"
[[price]]
item = \"qm9700\"
price = \"$2\"
[[price]]
price = \"$3\"
[[price]]
item = \"switch-port\"
price = \"$4\"
[[price]]
item = \"sr4-400g\"
[[price]]
item = \"n9600-64od\"
price = \"$5\"
low = \"$6\"
[[price]]
item = \"host-memory\"
price = \"CHF 5\"
[[price]]
item = \"sn5600\"
rate = \"800 Gb/s\"
price = \"$7\"
[[price]]
item = \"sn5610\"
price = \"€ 33.894,00\"
[[price]]
item = \"q3400\"
price = \"EUR 33894,50\"
date = \"next week\"
[[price]]
item = \"nic\"
rate = \"399.6 Gb/s\"
price = \"$8\"
[[price]]
item = \"transciever\"
rate = \"400 Gb/s\"
price = \"$9\"
[rates]
USD = { usd = 1.1, date = \"2026\" }
";

/// A book that is empty, and one that is written as one table.
const NO_PRICES: &str = "name = \"ours\"\nprice = []\n";
const ONE_TABLE: &str = "name = \"ours\"\n[price]\nqm9700 = \"$1\"\n";

/// A book of one price that nothing has.
const STRANGE_BOOK: &str = "\
name = \"ours\"
[[price]]
item = \"n9600-64oe\"
price = \"$1\"
";

/// What is typed, one command a line; words that hold spaces stand in quotes.
const COMMANDS: &str = "\
design nowhere.toml
design folder
design --pareto --set cluster.fabric=any
design --pareto --sensitivity
design --format npy
design --format svg
design --format dot
design -o folder
design -o folder/none/file
design -o ..
design -o locked.txt
design --prices bad-book.toml
design --prices empty-book.toml
design --prices strange-book.toml
design --prices no-prices.toml
design --prices one-table.toml
design --set limits.budget=$1 --set cluster.nic=ndr-400g
design starter --set limits.budget=$7M
design starter --set cluster.node=nvlink5-5000
design starter --set cluster.node=nvlink5 --set cluster.gpus=7
design --set 'limits.step_time=1 us'
design --set parallelism.data=64
design two.toml --set cluster.gpus=7
design two.toml --set model.preset=llama3-70b
design folded.toml
design phases.toml
step shared.toml
traffic grows.toml --by domain
step split.toml --part other
step --part one
topology grows.toml --fail switch:leaf-0
step grows.toml --part 3
design unknown-keys.toml
design --set model.preset=llama3-405b
search --set model.preset=llama3-405b
search --where tensr=8
search --where tensor
search --where recompute<full
search --where tensor=many
compare --baseline close
compare --baseline zcube@7:1
compare --baseline clos@1:7
compare --with dema
compare --with sil
check --against nothing.json
check --against folder
check --against no-result.json
check --against other.json
check --against broken.json
check --against result.json --fail-on capex
check --against result.json --fail-on 'capx>+2%'
check --against result.json --fail-on 'zzz>+2%'
check --against result.json --fail-on 'usd>+2%'
check --against result.json --fail-on 'capex>2%'
check --against result.json --fail-on 'step.time_s>+$5'
check --against result.json --fail-on 'capex>+5 parsecs'
check --against spec-as-base.toml --fail-on 'step.time_s>+$5'
check --against edited.json
check no-spec.toml --against result.json
check --against result.json --policy model.toml
check result.json --against result.json --policy policy.toml
check --against spec-as-base.toml --set cluster.gpus=32 --policy policy.toml -o out.json
check --against ruled.toml -o out.json
diff result.json result.json --set cluster.gpus=32
diff spec-as-base.toml model.toml --set cluster.gpus=32 --fail-on 'capex>+1%' -q
diff spec-as-base.toml model.toml --set cluster.gpus=32 --warn-on 'capex>+1%' --format json -o out.json
check --against spec-as-base.toml -o out.json
sweep
sweep --vary cluster.gpus
sweep --vary cluster.gpus=8,16 --vary cluster.gpus=8
sweep --vary cluster.gpus=8 --show nothing
sweep --vary cluster.gpus=8 --pareto capex
sweep --vary cluster.gpus=8 --shard 9/8
sweep --vary limits.budget='\"$1\",\"$2\"'
sweep --vary cluster.gpus=8 --pareto capex,cluster.gpus
sweep --vary cluster.gpus=8 --pareto capex,power:up
sweep --vary cluster.gpus=8 --part nothing
sweep --vary cluster.gpus=8,16 --set parallelism.tensor=7
sweep --merge nothing.json
sweep --merge result.json
sweep --merge one.json
sweep --merge one.json other-sweep.json
sweep --merge one.json --set name=other
validate --set cluster.gpus=8
init --prices book.toml
fabric clos --endpoints 64 --radix 64 --set cluster.gpus=8
design -o model.toml
explain model.toml capx
explain model.toml cost.capex_us
explain model.toml time
explain model.toml costs.capex_usd
explain model.toml zzzzzzzz
explain network
explain railz
explain zzzz
cables --rack Z99
cables --format netbox
cables --format netbox -o grows.toml
cables --format netbox -o grows.toml/inside
cables grows.toml --format netbox -o folder
cables --set hall.rows=1 --set hall.racks_per_row=2
cables --set 'hall.rack_power=9 kW'
topology --fail leaf-3
topology --fail switch:leaf-99
topology --fail link:leaf-0/leaf-1
topology --fail domain:99
topology --fail leaf-3 --format dot
topology --fail switch:leaf-0 --format dot
topology --fail-days soon
topology --fail-days=-3
traffic --by gpu --format html
traffic --by domain --format html
traffic --pair 0 99
traffic --gpu 99
traffic --pair 0 1 --format npy
traffic --pair 0 1 --format ledger
traffic --format ledger --gpu 99
traffic --call 0.1
traffic --call 0.1 --format ledger
traffic --format htsim
traffic --format htsim --call 9.9
traffic --format chakra
traffic --format chakra -o grows.toml
traffic --format chakra -o folder --set training.global_batch=100000
traffic --format ledger --set training.global_batch=1000000000
traffic context.toml --format simai
traffic shard.toml --format simai
traffic --against nothing.json
traffic --against no-result.json
traffic --against calls.jsonl --format npy
traffic --against calls.jsonl
traffic --against calls.jsonl --within much
traffic --against same.jsonl --within 1
domain starter --set cluster.node=dgx-h200
domain two-stages
domain both.toml
domain starter --over nvlink4-8 --set limits.budget=$1
sweep starter --vary cluster.gpus=256 --format svg
sweep starter --vary cluster.gpus=256 --plot x=cluster.gpus,y=nothing
sweep starter --vary cluster.gpus=256 --plot cluster.gpus
sweep starter --vary cluster.gpus=256 --plot x=fabric.kind,y=step.time_s
fabric hb --family nothing --gpus 8
fabric hb --family nvlink5 --gpus 8 --format svg
fabric hb --family nvlink5 --gpus 144 --levels 1
fabric clos --endpoints 0 --radix 64
fabric clos --endpoints 64 --radix 7
fabric clos --endpoints 64 --radix 64 --rails 65
fabric clos --endpoints 64 --radix 64 --planes 99
fabric clos --endpoints 99999999 --radix 64
fabric clos --endpoints 64
fabric torus --endpoints 64 --radix 64
fabric dragonfly --endpoints 64 --radix 16 --tiers 2
fabric zcube --endpoints 64 --radix 16 --extra-ports 2
fabric hyperx --endpoints 64 --radix 16 --oversubscription 2:1
fabric torus --endpoints 64 --spine-reserve 2
fabric clos --endpoints 64 --radix 64 --endpoints-per-switch 4
fabric slim-fly --endpoints 64 --radix 64 --endpoints-per-switch 0
fabric clos --endpoints 4096 --radix 64 --spine-reserve 2
fabric clos --endpoints 64 --radix 64 --oversubscription 1:7
fabric clos --endpoints 64 --radix 64 --oversubscription 2:1,2:1,2:1,2:1
fabric clos --endpoints 64 --radix 64 --leaf-ports 60
fabric clos --endpoints 64 --radix 64 --leaf-ports 60:60
fabric clos --endpoints 64 --switch nothing
fabric clos --endpoints 64 --radix 64 --nic '0 Gb/s'
fabric clos --endpoints 64 --switch qm8700 --nic '800 Gb/s'
fabric slim-fly --endpoints 999999 --radix 8
fabric rail-only --endpoints 64 --radix 64 --domain 16x8
fabric rail-only --radix 64
fabric rail-only --endpoints 64 --radix 64 --domain 72,8
fabric rail-only --radix 64 --domain many
fabric rail-only --radix 64 --domain 4xnothing
fabric rail-only --radix 64 --domain 2x72,4x16 --rails 7
calibrate nothing.csv
calibrate model.toml
calibrate one.csv model.toml
calibrate words.csv model.toml
calibrate empty.csv model.toml
calibrate one.csv grows.toml
calibrate open.csv model.toml
calibrate keys.csv model.toml
calibrate gpus.csv model.toml --set training.micro_batch=1
calibrate two-steps.csv
calibrate cut.log model.toml
calibrate nccl.log model.toml --also one.csv
calibrate nccl.log
calibrate nccl.log grows.toml
calibrate nccl.log model.toml --set cluster.node=auto
calibrate nccl.log model.toml
calibrate domains.log model.toml --set cluster.node=gb200-nvl72
calibrate domains.log model.toml --set cluster.node=summit-v100
presets show nothing
presets audit --as-of never
init --preset gpt9
init model.toml
init --node dgx-h100
import nothing.json
import model.toml
import result.json
import mamba.json
import zebra.json
import indexed.json
import embedded.json --approximate
import wide.json
design llama.json
import llama.json --set cluster.gpus=8
import llama.json
import pretrain.sh --preset nothing
import pretrain.sh
import stop.sh
import options.sh
import turns.sh
import swift.sh
import bert.sh
import slip.sh --gpus 8
import uneven.sh
import job.sh --env 1
import times.log
import unknown.yaml
import experiment.yaml
import other.yaml
import stack.yaml
import tuned.yaml
import adapters.yaml
import default.yaml --gpus 8
import merge.yaml
import stage.yaml --gpus 8
import export.sh
import unset.yaml
import open.yaml
import primus.yaml
import job.yaml
import mesh.log
launch grows.toml --for megatron
launch --for torchtitan
launch --for nothing
launch --for deepspeed
launch hybrid.toml --for megatron
compare model.toml nothing.json
man nothing
completions nothing
--width 10 presets
--format svg design
help nothing
design --solver best
design --formt json
design --format
design a b
design -q -v
design -o a -o b
diff
traffic --pair 1
nothing
desing
";

/// The words of a line, as a shell would cut them.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (None, ' ') => words.push(String::new()),
            (None, '\'') => quote = Some('\''),
            (Some(open), close) if open == close => quote = None,
            (_, other) => words.last_mut().expect("there is one").push(other),
        }
    }
    words
}

/// An experiment of FlagScale whose job stands in another file.
fn experiment_text(program: &str) -> String {
    format!("defaults:\n  - train: 8b\nexperiment:\n  task:\n    entrypoint: ./{program}\n")
}

fn corpus(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus/result").join(name);
    fs::read_to_string(path).expect("a result of the corpus")
}

#[test]
fn every_command_refuses_with_its_exact_text() {
    let folder = fresh_folder("messages");
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("the folder is this test's own");
    };
    fs::create_dir(folder.join("folder")).expect("the folder is this test's own");
    write("model.toml", SPEC);
    write("pretrain.sh", "python pretrain_gpt.py --num-layers $L --micro-batch-size 1");
    let job = "python pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-attention-heads 2 \
               --seq-length 64 --micro-batch-size 1";
    write("stop.sh", &format!("exit 1\n{job}"));
    let options = "while [ $# -gt 0 ]; do TP=$1; shift; done\nTP=; [ $TP ] || exit 1\n";
    write("options.sh", &format!("{options}{job}"));
    let turns = "for n in 2 4; do JOB --tensor-model-parallel-size $n; done";
    write("turns.sh", &turns.replace("JOB", job));
    write("swift.sh", "megatron sft --model Qwen/Qwen3-8B --micro-batch-size 1");
    write("bert.sh", "torchrun pretrain_bert.py --num-layers 12 --micro-batch-size 1");
    let shape = "--num-layers 12 --hidden-size 768 --num-attention-heads 12 --seq-length 2048 \
                 --micro-batch-size 1 --global-batch-size 8";
    write("slip.sh", &format!("python pretrain_gpt.py {shape} --tensor-model-paralel-size 2"));
    write(
        "uneven.sh",
        &format!("python pretrain_gpt.py {shape} --num-query-groups 5 --group-query-attention"),
    );
    write("times.log", ":::MLLOG {\"key\": \"global_batch_size\", \"value\": 8}\n");
    write("unknown.yaml", "network:\n  subnet: null\nqueue: []\n");
    write("experiment.yaml", &experiment_text("train_gpt.py"));
    write("other.yaml", &experiment_text("train_rwkv.py"));
    write(
        "stack.yaml",
        "system:\n  precision: {}\nmodel:\n  num_layers: 2\n  hidden_size: 64\n  num_attention_heads: 2\n  seq_length: 64\n",
    );
    write(
        "tuned.yaml",
        "base_model: me/mine\nmicro_batch_size: 1\nsequence_len: 64\ndeepspeed: mine.json\n",
    );
    write("default.yaml", "model_name_or_path: Qwen/Qwen3-8B\ncutoff_len: 64\n");
    write("merge.yaml", "base_model: me/mine\nmerge_method: ties\n");
    write(
        "stage.yaml",
        "base_model: Qwen/Qwen3-8B\nsequence_len: 64\ngradient_accumulation_steps: 1\nfsdp: odd_shard\n",
    );
    write("export.sh", "megatron export --model Qwen/Qwen3-8B --micro-batch-size 1");
    write(
        "unset.yaml",
        "modules:\n  pre_trainer:\n    framework: megatron\n    model: llama3.1_8B.yaml\n    overrides:\n      global_batch_size: ${GBS}\n",
    );
    write("open.yaml", "actor_rollout_ref:\n  model:\n    path: ${mine}\n");
    write("adapters.yaml", "model_name_or_path: Qwen/Qwen3-8B\nfinetuning_type: lora\n");
    write(
        "primus.yaml",
        "modules:\n  pre_trainer:\n    framework: megatron\n    model: mine.yaml\n    overrides:\n      num_layers: 2\n",
    );
    write("job.yaml", "workload:\n  configFile: job.py\n  defaultArguments:\n  - --num_gpus=64\n");
    write(
        "mesh.log",
        "Building 2-D device mesh with ['dp_shard', 'ep'], [4, 2]\nBuilding llama3 8B with ModelArgs(dim=64)\n",
    );
    write("mamba.json", "{\"model_type\": \"mamba2\"}");
    write("indexed.json", "{\"model_type\": \"deepseek_v32\"}");
    write("embedded.json", "{\"model_type\": \"gemma4_text\"}");
    write("zebra.json", "{\"model_type\": \"zebra\"}");
    write("wide.json", "{\"model_type\": \"llama\", \"hidden_size\": \"wide\"}");
    write("llama.json", "{\"model_type\": \"llama\", \"hidden_size\": 4096}");
    write("locked.txt", "mine");
    let locked = folder.join("locked.txt");
    let mut mode = fs::metadata(&locked).expect("it was written").permissions();
    mode.set_readonly(true);
    fs::set_permissions(&locked, mode).expect("the folder is this test's own");
    write("spec-as-base.toml", SPEC);
    write("no-spec.toml", "TOKEN=hunter2\n");
    write("two.toml", TWO_WORKLOADS);
    let one = &TWO_WORKLOADS[TWO_WORKLOADS.find("[[").expect("it has a workload")..];
    write("both.toml", &format!("{TWO_WORKLOADS}{}", one.replace("\"one\"", "\"other\"")));
    write("folded.toml", &format!("{SPEC}schedule = 1"));
    let phases = SPEC.replace("[cluster]", "[technique.multilevel]\ngpus = 3\n[cluster]");
    write("phases.toml", &phases.replace("tensor = 8", "tensor = 8\ndata = 2"));
    let shared = "zero = 3\n[technique.demo]\nscope = \"domains\"\nshards = 3\n[cluster]";
    let shared = SPEC.replace("[cluster]", shared).replace("tensor = 8", "tensor = 2");
    write("shared.toml", &shared.replace("pipeline = 1", "pipeline = 1\ndata = 8"));
    let keys = (0..50).map(|number| format!("key{number} = 1\n")).collect::<String>();
    write("unknown-keys.toml", &keys);
    write("split.toml", &TWO_WORKLOADS.replace("name = \"one\"", "name = \"one\"\ngpus = 16"));
    write("hybrid.toml", &SPEC.replace("llama3-8b", "nemotron-h-8b"));
    write("grows.toml", &format!("{SPEC}[[stage]]\ngpus = 32\nyear = 1\n"));
    write("bad-book.toml", BAD_BOOK);
    write("empty-book.toml", "");
    write("strange-book.toml", STRANGE_BOOK);
    write("no-prices.toml", NO_PRICES);
    write("one-table.toml", ONE_TABLE);
    write("policy.toml", "[gate]\nfail_on = \"capex>+1%\"\n");
    write("ruled.toml", &format!("{SPEC}[gate]\nfail_on = \"capex>+1%\"\n"));
    write("context.toml", &SPEC.replace("tensor = 8", "tensor = 4\ncontext = 2"));
    write("shard.toml", &SPEC.replace("tensor = 8", "tensor = 4\nzero = 3\nshard = 2"));
    write("calls.jsonl", "{\"rank\":99,\"op\":\"send\",\"ranks\":[99,1],\"bytes\":8}\n");
    write("same.jsonl", "{\"rank\":0,\"op\":\"send\",\"ranks\":[0,1],\"bytes\":8}\n");
    write("one.csv", "seconds,training.micro_batch,training.recompute\n9.0,1,full\n9.1,1,full\n");
    write("empty.csv", "name,seconds\n");
    write("words.csv", "name,seconds\na,9.0\nb,nine\n");
    write("open.csv", "name,seconds,tensor\na,9.0,auto\nb,9.1,8\n");
    write("keys.csv", "name,seconds,tensor,zero\na,9.0,eight,4\nb,9.1,8,1\n");
    write("gpus.csv", "seconds,node\n9.0,dgx-h100\n9.1,dgx-a100-80gb\n");
    write("two-steps.csv", "seconds,tensor,pipeline,data\n9.0,8,1,2\n8.0,4,1,4\n");
    let row = "# size count type redop root time algbw busbw #wrong\n\
               8 2 float sum -1 20.1 0.00 0.00 0\n";
    write("nccl.log", &format!("# all_reduce_perf ranks=8 domains=1\n{row}"));
    let rank = |rank: u32| format!("# Rank {rank} Pid 7 on host{} device 0 [0x1] GPU\n", rank / 8);
    let ranks: String = (0..16).map(rank).collect();
    write("domains.log", &format!("# all_reduce_perf\n{ranks}{row}"));
    write("cut.log", "iteration 4/ 9 | elapsed time per iteration (ms): 9.0 |\n");
    write("edited.json", &corpus("design.json").replacen("\"unit_usd\"", "\"unit\"", 1));
    write("result.json", &corpus("design.json"));
    write("no-result.json", "{}");
    write("other.json", "{\"schema\": \"planner/step/1\"}");
    write("broken.json", "{\"schema\": ");
    for (name, shard) in [("one.json", "1/2"), ("other-sweep.json", "2/3")] {
        let arguments = ["sweep", "--vary", "cluster.gpus=16,32,64", "--shard", shard];
        let made =
            planner_in(&folder, &[&arguments[..], &["--format", "json", "-o", name]].concat());
        assert_eq!(made.status, 0, "{}", made.stderr);
    }
    let mut found = String::new();
    for line in COMMANDS.lines() {
        let run = planner_in(&folder, &words(line));
        assert!(run.status != 101, "{line} panics: {}", run.stderr);
        writeln!(found, "$ planner {line}\n{}exit status {}\n", run.stderr, run.status)
            .expect("a string");
    }
    golden("commands.txt", &found);
}
