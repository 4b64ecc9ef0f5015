//! Configurations of other tools as specs. What their own packages say is in the files beside this
//! one: `make.py` has made them with transformers, on the meta device of torch.

mod random_scripts;
mod recipes;
mod scripts;
mod shell;

use std::fs;
use std::path::Path;

use planner::import::{ImportProblem, UserChoices, import_text};
use planner::scenario::Assumption;
use planner::spec::{Override, SpecText, read_scenario};
use planner::workload::{Layer, Model, Parameters};
use serde_json::Value;

/// Biases, norms of heads and learned positions are not counted: they weigh more in small models,
/// which many defaults are.
const CLOSE: f64 = 0.02;

fn lines(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import").join(name);
    let text = fs::read_to_string(path).expect("a file of this test");
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// The model of a configuration, by way of the text of its spec.
fn model(config: &Value) -> Result<Model, ImportProblem> {
    Ok(approximated_model(config, false)?.0)
}

/// As [`model`], and the elements of the file's own model, which an approximation counts apart.
fn approximated_model(config: &Value, approximate: bool) -> Result<(Model, u128), ImportProblem> {
    let wanted = UserChoices { approximate, ..UserChoices::default() };
    let mut draft = import_text(&config.to_string(), &wanted)?;
    let text = draft.spec_text();
    let read = read_scenario(&SpecText::new("made.toml", text.clone()), &[]);
    let model =
        read.unwrap_or_else(|problems| panic!("{problems}\n{text}")).lead_workload().model.clone();
    draft.check_approximation(&model)?;
    let written = Parameters::count_parameters(&model).total;
    Ok((model, written.saturating_add_signed(draft.lost_elements.iter().sum())))
}

/// How far a count is from another, as a share of the other.
fn off(count: u128, value: &Value) -> f64 {
    count as f64 / value.as_f64().expect("a count") - 1.0
}

#[test]
fn every_default_configuration_is_imported_or_refused_with_a_reason() {
    let (mut imported, mut refused, mut wrong) = (0, 0, Vec::new());
    for line in lines("defaults.jsonl") {
        let family = line["family"].as_str().expect("a name");
        let approximate = matches!(model(&line["config"]), Err(ImportProblem::Approximate { .. }));
        match approximated_model(&line["config"], approximate) {
            Ok((_, elements)) => {
                imported += 1;
                if line["elements"].is_null() {
                    continue;
                }
                let off = off(elements, &line["elements"]);
                let close = if approximate { CLOSE / 20.0 } else { CLOSE };
                if off.abs() > close {
                    wrong.push(format!("{family}: {:+.2} %", 100.0 * off));
                }
            }
            Err(ImportProblem::Refused { .. } | ImportProblem::TooFar { .. }) => refused += 1,
            Err(other) => wrong.push(format!("{family}: {other}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(imported > 50 && refused > 15, "{imported} and {refused}");
}

#[test]
fn published_totals_of_named_models_come_out_to_a_thousandth() {
    let models = lines("models.jsonl");
    assert!(models.len() >= 40, "{}", models.len());
    for line in models {
        let name = &line["model"];
        let (_, found) = approximated_model(&line["config"], true).expect("a known family");
        for text in ["published", "elements"] {
            if line[text].is_null() {
                continue; // only a rounded total is published
            }
            let off = off(found, &line[text]);
            let source = &line["source"];
            // Without a head of its own, which the package ties (falcon-180b).
            assert!(off.abs() < 1e-3, "{name}: {:+.3} % of {text} ({source})", 100.0 * off);
        }
    }
}

fn named(model: &str) -> Value {
    let config = |line: &Value| line["model"] == model;
    lines("models.jsonl").into_iter().find(config).expect("a named model")["config"].clone()
}

#[test]
fn the_shape_is_that_of_the_file() {
    let deepseek = model(&named("deepseek-v3")).expect("known");
    let moe = deepseek.moe.as_ref().expect("experts");
    assert_eq!((moe.experts, moe.top_k, moe.shared_experts, moe.dense_layers), (256, 8, 1, 3));
    assert_eq!(moe.limit.map(|limit| (limit.groups, limit.most)), Some((8, 4)));
    assert_eq!(deepseek.mtp_layers, 1);
    let latent = deepseek.latent_attention.expect("it has one");
    assert_eq!((latent.q_lora, latent.kv_lora, latent.v_dim), (1536, 512, 128));
    let oss = model(&named("gpt-oss-120b")).expect("known");
    assert_eq!(oss.window.map(|window| (window.tokens, window.layers)), Some((128, 18)));
    let falcon = model(&named("falcon-7b")).expect("known");
    assert_eq!((falcon.kv_heads, falcon.gated_ffn, falcon.ffn), (1, false, 4 * 4544));
    assert!(model(&named("qwen2.5-7b")).expect("known").window.is_none(), "it is switched off");
}

#[test]
fn the_layers_with_a_window_are_those_that_transformers_gives_one() {
    let recorded = include_str!("../data/windows.txt");
    let mut seen = 0;
    for line in recorded.lines().filter_map(|line| line.strip_prefix("layers ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let family = if words[0] == "gemma3-27b" { "gemma3_text" } else { words[0] };
        let defaults = lines("defaults.jsonl");
        let found = defaults.iter().find(|line| line["family"] == family).expect("a family");
        let mut config = found["config"].clone();
        config["num_hidden_layers"] = words[2].len().into();
        config["sliding_window"] = words[1].parse::<u64>().expect("tokens").into();
        // With the list that newer files have, and without it.
        let list = |window_letter| {
            if window_letter == 's' { "sliding_attention" } else { "full_attention" }
        };
        let list: Vec<&str> = words[2].chars().map(list).collect();
        for types in [Value::from(list), Value::Null] {
            config["layer_types"] = types;
            let model = model(&config).expect("a known family");
            let letter = |layer| if model.layer_kind(layer).has_window() { 's' } else { 'f' };
            let letters: String = (0..model.layers).map(letter).collect();
            assert_eq!(letters, words[2], "{line}");
            assert_eq!(
                model.window.map(|window| window.tokens.to_string()).as_deref(),
                Some(words[1])
            );
            seen += 1;
        }
    }
    assert_eq!(seen, 12);
}

#[test]
fn layers_of_unlike_kinds_are_those_of_the_file() {
    let nano = model(&named("nemotron-3-nano-30b-a3b")).expect("known");
    let count = |this_model: &Model, kind| this_model.layers_that(|layer| layer == kind);
    let found = [Layer::Mamba, Layer::Experts, Layer::Attention].map(|kind| count(&nano, kind));
    assert_eq!((nano.layers, found), (52, [23, 23, 6]));
    // 3.2 billion without the embedding, which leaves the head's (arXiv 2512.20848).
    let active = Parameters::count_parameters(&nano).active - nano.embedding_parameters();
    assert_eq!((active as f64 / 1e8).round(), 32.0, "{active}");
    let super_ = model(&named("nemotron-3-super-120b-a12b")).expect("known");
    let moe = super_.moe.as_ref().expect("experts");
    assert_eq!((moe.latent, moe.shared_ffn, moe.shared_experts), (Some(1024), Some(5376), 1));
    let active = Parameters::count_parameters(&super_).active;
    assert!((active as f64 / 12.7e9 - 1.0).abs() < 0.01, "{active}: 12.7 billion are published");
    let default = |family: &str| {
        let read = |line: &Value| line["family"] == family;
        let config = lines("defaults.jsonl").into_iter().find(read).expect("a family");
        model(&config["config"]).expect("known")
    };
    let olmo = default("olmo_hybrid");
    let found = [Layer::DeltaDense, Layer::Dense].map(|kind| count(&olmo, kind));
    assert_eq!((olmo.layers, found, olmo.attention_gate), (32, [24, 8], false));
    let next = model(&named("qwen3-next-80b-a3b")).expect("known");
    let found = [Layer::DeltaMoe, Layer::Moe].map(|kind| count(&next, kind));
    assert_eq!((next.layers, found, next.attention_gate), (48, [36, 12], true));
    assert_eq!(next.pattern.map(|pattern| pattern.to_string()), Some("GE GE GE *E".to_owned()));
    // The pattern of letters that a published file has.
    let mut file = named("nemotron-h-8b");
    let kinds = file.as_object_mut().and_then(|table| table.remove("layers_block_type"));
    assert_eq!(kinds.expect("a list").as_array().map(Vec::len), Some(52));
    let letters = "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-";
    file["hybrid_override_pattern"] = letters.into();
    assert_eq!(model(&file).expect("known"), model(&named("nemotron-h-8b")).expect("known"));
}

/// The keys of shape that moonshotai/Kimi-K3 publishes, whose class is not in transformers.
fn kimi_k3() -> Value {
    let full: Vec<u64> = (1..=93).filter(|layer| layer % 4 == 0 || *layer == 93).collect();
    let linear: Vec<u64> = (1..=93).filter(|layer| !full.contains(layer)).collect();
    serde_json::json!({"model_type": "kimi_k3", "text_config": {
        "model_type": "kimi_linear", "num_hidden_layers": 93, "hidden_size": 7168,
        "num_attention_heads": 96, "num_key_value_heads": 96, "intermediate_size": 33792,
        "vocab_size": 163840, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64, "v_head_dim": 128, "mla_use_output_gate": true,
        "first_k_dense_replace": 1, "num_experts": 896, "num_experts_per_token": 16,
        "moe_intermediate_size": 3072, "num_shared_experts": 2, "routed_expert_hidden_size": 3584,
        "attn_res_block_size": 12, "tie_word_embeddings": false, "linear_attn_config": {
            "num_heads": 96, "head_dim": 128, "short_conv_kernel_size": 4,
            "use_full_rank_gate": true, "full_attn_layers": full, "kda_layers": linear}}})
}

#[test]
fn a_model_with_parts_that_a_spec_lacks_is_approximated_where_that_is_asked_for() {
    assert!(matches!(model(&kimi_k3()), Err(ImportProblem::Approximate { .. })));
    let (k3, elements) = approximated_model(&kimi_k3(), true).expect("known");
    // 2.78 trillion, of which a token passes through 104 billion (its technical report).
    assert_eq!((elements as f64 / 1e10).round(), 278.0, "{elements}");
    let active = Parameters::count_parameters(&k3).active - k3.embedding_parameters();
    assert_eq!((active as f64 / 1e9).round(), 104.0, "{active}");
    let count = |kind| k3.layers_that(|layer| layer == kind);
    assert_eq!([Layer::DeltaMoe, Layer::Moe, Layer::DeltaDense].map(count), [68, 24, 1]);
    // Embeddings of each layer outweigh the layers.
    let small = r#"{"model_type": "gemma4_text", "hidden_size_per_layer_input": 256}"#;
    let small = serde_json::from_str(small).expect("JSON");
    assert!(matches!(approximated_model(&small, true), Err(ImportProblem::TooFar { .. })));
    // The loss is part of the spec, so that every report has it.
    let wanted = UserChoices { approximate: true, ..UserChoices::default() };
    let draft = import_text(&kimi_k3().to_string(), &wanted).expect("known");
    let spec = SpecText::new("made.toml", draft.spec_text());
    let assumptions = read_scenario(&spec, &[]).expect("a spec").assumptions;
    let said = |said: &Assumption| said.topic == "model" && said.text.contains("by channel");
    assert!(assumptions.iter().any(said), "{assumptions:?}");
}

#[test]
fn numbers_that_no_model_has_are_refused() {
    for family in ["llama", "qwen3_next", "kimi_linear", "deepseek_v4", "step3p5"] {
        for number in [0, 1 << 40, u64::MAX] {
            for key in ["num_hidden_layers", "hidden_size", "num_attention_heads", "head_dim"] {
                let config = serde_json::json!({"model_type": family, key: number});
                let wanted = UserChoices { approximate: true, ..UserChoices::default() };
                if let Ok(draft) = import_text(&config.to_string(), &wanted) {
                    let spec = SpecText::new("made.toml", draft.spec_text());
                    let read = read_scenario(&spec, &[]);
                    assert!(read.is_err() || key == "head_dim", "{family}: {key} = {number}");
                }
            }
        }
    }
}

#[test]
fn lists_that_go_on_behind_the_layers_are_cut() {
    let ones = vec![1; 300_000];
    let types: Vec<&str> =
        ["full_attention"; 2].into_iter().chain(["sliding_attention"; 3]).collect();
    let config = serde_json::json!({"model_type": "step3p5", "num_hidden_layers": 4,
        "num_attention_heads": 64, "num_attention_groups": 4, "layer_types": types,
        "sliding_window": 512, "attention_other_setting": {"num_attention_heads": 96}});
    let (step, _) = approximated_model(&config, true).expect("known");
    assert_eq!((step.heads, step.kv_heads), (80, 4));
    assert_eq!(step.window.map(|window| window.layers), Some(2));
    let config = serde_json::json!({"model_type": "mistral", "num_hidden_layers": 4,
        "hybrid_layer_pattern": ones});
    assert_eq!(model(&config).expect("known").window.map(|window| window.layers), Some(4));
    // Null is no number, and hides none.
    let config = serde_json::json!({"model_type": "qwen3_moe", "num_local_experts": null,
        "num_experts": 64});
    assert_eq!(model(&config).expect("known").moe.map(|moe| moe.experts), Some(64));
}

#[test]
fn a_class_names_its_family() {
    let config = r#"{"architectures": ["Qwen3MoeForCausalLM"], "num_experts": 128}"#;
    let named = model(&serde_json::from_str(config).expect("JSON")).expect("known");
    assert_eq!(named.moe.map(|moe| moe.experts), Some(128));
    for other in ["OwnForCausalLM", "LlamaForSequenceClassification", "LlamaModel"] {
        let text = format!(r#"{{"architectures": ["{other}"]}}"#);
        let refused = import_text(&text, &UserChoices::default());
        assert!(matches!(refused, Err(ImportProblem::Format { .. })), "{other}");
    }
}

#[test]
fn what_is_not_in_the_file_is_said() {
    let draft = import_text("{\"model_type\": \"llama\"}", &UserChoices::default()).expect("known");
    let assumed = draft.assumed.join("\n");
    for said in ["model.sequence = 2048", "training.global_batch", "`tie_word_embeddings` = false"]
    {
        assert!(assumed.contains(said), "{assumed}");
    }
    let text = draft.spec_text();
    assert!(
        draft.assumed.iter().all(|name| text.replace("\n#  ", "").contains(&name[..20])),
        "{text}"
    );
    let wanted = UserChoices { sequence: Some(4096), gpus: Some(64), ..UserChoices::default() };
    let draft = import_text("{\"model_type\": \"llama\"}", &wanted).expect("known");
    assert!(!draft.assumed.iter().any(|name| name.starts_with("model.sequence")), "it is stated");
    let maverick = "{\"model_type\": \"llama4\", \"tie_word_embeddings\": false, \"text_config\": \
                    {\"model_type\": \"llama4_text\", \"interleave_moe_layer_step\": 2, \
                    \"num_local_experts\": 128}}";
    let draft = import_text(maverick, &UserChoices::default()).expect("known");
    let lost = draft.lost.join("\n");
    for said in ["chunks of 8192", "text_config"] {
        assert!(lost.contains(said), "{lost}");
    }
    let read = model(&serde_json::from_str(maverick).expect("JSON")).expect("known");
    assert_eq!(read.pattern.as_ref().map(ToString::to_string), Some("*- *E".to_owned()));
    // The published model without its vision part, counted by transformers.
    assert_eq!(Parameters::count_parameters(&read).total, 400_711_848_960);
}

/// A spec with a shape of its own, with or without the two booleans that make another model of it.
fn shape(booleans: &str) -> Vec<String> {
    let text = format!(
        "[model]\nlayers = 32\nhidden = 4096\nheads = 32\nffn = 11008\nvocab = 32000\nsequence = \
         4096\n{booleans}[training]\nglobal_batch = 256\n[cluster]\ngpus = 64\nnode = \"dgx-h100\"\n"
    );
    let scenario = read_scenario(&SpecText::new("made.toml", text), &[]).expect("a sound spec");
    let shown = scenario.assumptions.into_iter().filter(|assumption| !assumption.default);
    shown.map(|assumption| assumption.topic).filter(|topic| topic.starts_with("model.")).collect()
}

#[test]
fn a_boolean_that_is_forgotten_is_told_in_every_report() {
    assert_eq!(shape(""), ["model.gated_ffn", "model.tied_embeddings"]);
    assert!(shape("gated_ffn = true\ntied_embeddings = false\n").is_empty());
}

#[test]
fn what_a_file_leaves_open_is_an_assumption_of_the_scenario_unless_it_is_stated() {
    let draft = import_text("{\"model_type\": \"llama\"}", &UserChoices::default()).expect("known");
    let mut source = SpecText::new("config.json", draft.spec_text());
    let remark = |(topic, text)| Assumption { topic, text, default: false };
    source.assumed = draft.remarks().into_iter().map(remark).collect();
    let topics = |overrides: &[Override]| -> Vec<String> {
        let scenario = read_scenario(&source, overrides).expect("a sound spec");
        scenario
            .assumptions
            .into_iter()
            .filter(|assumption| !assumption.default)
            .map(|assumption| assumption.topic)
            .collect()
    };
    let keys =
        ["model.sequence", "training.global_batch", "cluster.gpus", "cluster.node", "import"];
    let all = topics(&[]);
    assert!(keys.iter().all(|key| all.iter().any(|name| name == key)), "{all:?}");
    let stated = topics(&[Override::new("cluster.gpus = 64")]);
    assert!(!stated.iter().any(|name| name == "cluster.gpus"), "{stated:?}");
}

#[test]
fn what_a_spec_cannot_say_is_refused_with_the_reason() {
    for (family, reason) in [("jamba", "first Mamba"), ("bailing_hybrid", "linear attention")] {
        let problem =
            import_text(&format!("{{\"model_type\": \"{family}\"}}"), &UserChoices::default());
        let text = problem.expect_err("a spec can't say it").to_string();
        assert!(text.contains(family) && text.contains(reason), "{text}");
    }
}
