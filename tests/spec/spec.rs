//! Specs that are sound: what ships, what defaults they get, what overrides do; and that no text
//! whatever makes the reader panic.

use planner::hardware::{PriceBasis, PricedItem};
use planner::parallel::{Schedule, Zero};
use planner::scenario::{Assumption, FabricChoice, Minimize, Scenario};
use planner::spec::presets::{self, PresetKind};
use planner::spec::{Override, SpecText, read_scenario};
use planner::workload::Precision;
use proptest::prelude::*;

const TEN_LINES: &str = "\
[model]
preset = \"llama3-8b\"
[training]
global_batch = 512
[parallelism]
tensor = 2
pipeline = \"auto\"
[cluster]
gpus = 256
node = \"dgx-h100\"
";

#[track_caller]
fn sound(text: &str, overrides: &[&str]) -> Scenario {
    let overrides: Vec<Override> = overrides.iter().map(|text| Override::new(*text)).collect();
    match read_scenario(&SpecText::new("model.toml", text), &overrides) {
        Ok(scenario) => scenario,
        Err(problems) => panic!("{problems}"),
    }
}

#[test]
fn every_spec_that_ships_is_sound() {
    let ready: Vec<_> = presets::list_presets()
        .into_iter()
        .filter(|entry| matches!(entry.kind, PresetKind::Spec | PresetKind::Paper))
        .collect();
    assert!(ready.len() >= 5);
    for entry in ready {
        let source = presets::ready_spec(&entry.name).expect("its name finds it");
        assert_eq!(source.text, entry.text);
        sound(&source.text, &[]);
    }
    assert_eq!(presets::ready_spec("no-such-spec"), None);
    assert_eq!(presets::ready_spec("starter.toml"), presets::ready_spec("presets/specs/starter"));
}

#[test]
fn every_node_and_model_that_ships_can_be_named() {
    for entry in presets::list_presets() {
        match entry.kind {
            PresetKind::Node => {
                let set = format!("cluster.node={}", entry.name);
                assert_eq!(sound(TEN_LINES, &[&set]).cluster.nodes[0].name, entry.name);
            }
            PresetKind::Model => {
                let set = format!("model.preset={}", entry.name);
                let open = "parallelism.tensor=auto";
                assert_eq!(sound(TEN_LINES, &[&set, open]).lead_workload().model.name, entry.name);
            }
            _ => {}
        }
    }
}

#[test]
fn ten_lines_suffice_and_every_default_is_stated() {
    let scenario = sound(TEN_LINES, &[]);
    assert_eq!(scenario.name, "llama3-8b-256");
    assert_eq!(scenario.lead_workload().layout.tensor, Some(2));
    assert_eq!(scenario.lead_workload().layout.pipeline, None);
    assert_eq!(scenario.lead_workload().layout.data, None);
    assert_eq!(scenario.lead_workload().training.precision, Precision::Bf16);
    assert_eq!(scenario.lead_workload().layout.recompute, None);
    assert_eq!(scenario.lead_workload().layout.micro_batch, None);
    assert_eq!(scenario.lead_workload().framework.name, "megatron-2026");
    assert_eq!(scenario.cluster.fabric, FabricChoice::Auto);
    assert_eq!(scenario.objective.minimize, Minimize::Capex);
    let topics: Vec<&str> = scenario.assumptions.iter().map(|a| a.topic.as_str()).collect();
    let expected = [
        "cluster.fabric",
        "cluster.max_planes",
        "cluster.nic",
        "cluster.prices",
        "collectives.all",
        "framework.gradient_bytes",
        "framework.preset",
        "objective.max_slowdown",
        "objective.minimize",
        "objective.pue",
        "objective.years",
        "parallelism.context",
        "parallelism.interleave",
        "parallelism.order",
        "parallelism.schedule",
        "parallelism.sequence_parallel",
        "parallelism.zero",
        "training.micro_batch",
        "training.precision",
        "training.recompute",
        "training.tokens",
    ];
    assert_eq!(topics, expected);
}

#[test]
fn the_same_text_gives_the_same_scenario() {
    assert_eq!(sound(TEN_LINES, &[]), sound(TEN_LINES, &[]));
}

#[test]
fn what_is_left_out_follows_from_the_rest() {
    let derived = sound(TEN_LINES, &["parallelism.pipeline=4"]);
    assert_eq!(derived.lead_workload().layout.data, Some(32));
    let interleaved = sound(TEN_LINES, &["parallelism.pipeline=4", "parallelism.interleave=2"]);
    assert_eq!(interleaved.lead_workload().layout.schedule, Schedule::Interleaved);
    let open = sound(TEN_LINES, &["parallelism.schedule=interleaved"]);
    assert_eq!(open.lead_workload().layout.interleave, None);
    let experts = sound(TEN_LINES, &["model.preset=mixtral-8x7b"]);
    assert_eq!(experts.lead_workload().layout.expert, None);
    let without_gpus = TEN_LINES.replace("gpus = 256\n", "");
    let product = sound(&without_gpus, &["parallelism.pipeline=4", "parallelism.data=8"]);
    assert_eq!(product.cluster.gpus, 64);
}

#[test]
fn the_framework_is_the_newest_that_supports_the_machine() {
    let read = |node: &str| sound(TEN_LINES, &[&format!("cluster.node={node}")]);
    assert_eq!(read("dgx-a100-80gb").lead_workload().framework.name, "megatron-2025");
    assert_eq!(read("dgx-a100-80gb").lead_workload().layout.zero, None, "the planner's to choose");
    assert_eq!(read("dgx-h100").lead_workload().framework.name, "megatron-2026");
    let stated = sound(TEN_LINES, &["parallelism.pipeline=4"]);
    assert_eq!(stated.lead_workload().layout.zero, Some(Zero::Optimizer), "a layout is stated");
    assert_eq!(read("gb200-nvl72").lead_workload().framework.name, "megatron-2026");
    assert_eq!(read("dgx2-v100").lead_workload().training.precision, Precision::Fp16);
    assert_eq!(read("dgx2-v100").lead_workload().framework.name, "megatron-2020");
}

/// What is left open follows the GPU: each product of a list is given what it would be given alone.
#[test]
fn every_product_of_a_list_has_its_own_defaults() {
    let names = ["dgx2-v100", "dgx-a100-80gb", "dgx-h100", "gb200-nvl72"];
    for listed in [names.to_vec(), names.into_iter().rev().collect()] {
        let together = sound(TEN_LINES, &[&format!("cluster.node={listed:?}")]);
        for node in &together.cluster.nodes {
            let alone = sound(TEN_LINES, &[&format!("cluster.node={}", node.name)]);
            let product = together.for_product(node);
            assert_eq!(product.lead_workload(), alone.lead_workload(), "{}", node.name);
            let of_workload = |assumption: &&Assumption| !assumption.topic.starts_with("cluster.");
            let assumed = |scenario: &Scenario| -> Vec<Assumption> {
                scenario.assumptions.iter().filter(of_workload).cloned().collect()
            };
            assert_eq!(assumed(&product), assumed(&alone), "{}", node.name);
        }
    }
    let stated =
        ["framework.preset=megatron-2024", "cluster.node=[\"dgx-a100-80gb\", \"dgx-h100\"]"];
    let together = sound(TEN_LINES, &stated);
    assert!(together.lead_workload().by_product.is_empty(), "nothing is left to follow the GPU");
}

/// Workloads of one spec and stages have them too, with their shares and names.
#[test]
fn every_workload_and_stage_has_the_defaults_of_each_product() {
    let text = format!(
        "{TEN_LINES}[[workload]]\nname = \"a\"\nshare = 0.25\n[[workload]]\nname = \"b\"\n"
    );
    let nodes = "cluster.node=[\"dgx-a100-80gb\", \"gb200-nvl72\"]";
    let together = sound(&text, &[nodes]);
    for node in &together.cluster.nodes {
        let alone = sound(&text, &[&format!("cluster.node={}", node.name)]);
        let product = together.for_product(node);
        assert_eq!(product.workloads, alone.workloads);
    }
    let stages = format!("{TEN_LINES}[[stage]]\ngpus = 512\nyear = 1\n");
    let together = sound(&stages, &[nodes]);
    for node in &together.cluster.nodes {
        let alone = sound(&stages, &[&format!("cluster.node={}", node.name)]);
        let product = together.for_product(node);
        assert_eq!(
            product.later[0].scenario.lead_workload(),
            alone.later[0].scenario.lead_workload()
        );
    }
}

#[test]
fn keys_beside_a_preset_override_it() {
    let scenario = sound(TEN_LINES, &["model.layers=16", "framework.gradient_bytes=2"]);
    assert_eq!(scenario.lead_workload().model.layers, 16);
    assert_eq!(scenario.lead_workload().model.hidden, 4096);
    assert_eq!(scenario.lead_workload().framework.gradient_bytes, 2);
    let mixture = sound(TEN_LINES, &["model.preset=mixtral-8x7b", "model.moe.top_k=1"]);
    let moe = mixture.lead_workload().model.moe.clone().expect("the preset has experts");
    assert_eq!((moe.experts, moe.top_k), (8, 1));
}

#[test]
fn own_parts_and_prices_stand_beside_the_presets() {
    let own = format!(
        "{TEN_LINES}
[hardware.gpus.my-gpu]
peak_bf16 = \"312 TFLOP/s\"
memory = \"80 GiB\"
memory_bandwidth = \"2039 GB/s\"
power = \"400 W\"
[hardware.nodes.my-node]
gpu = \"my-gpu\"
gpus = 8
hb_bandwidth = \"300 GB/s\"
nics = 4
nic = \"hdr-200g\"
power = \"6.5 kW\"
price = \"$200k\"
[hardware.nodes.dgx-h100]
nics = 4
[hardware.switches.my-switch]
ports = 64
port_speed = \"400 Gb/s\"
power = \"750 W\"
price = {{ price = \"$33k\", date = \"2026-10\", source = \"a quote\" }}
[prices]
qm9700 = \"$30k\"
transceiver-400g = \"$500\"
electricity = \"$0.11\"
"
    );
    let scenario = sound(&own, &["cluster.node=[\"my-node\", \"dgx-h100\"]"]);
    let nodes = &scenario.cluster.nodes;
    assert_eq!((nodes[0].name.as_str(), nodes[0].gpus / nodes[0].nics), ("my-node", 2));
    assert_eq!((nodes[1].nics, nodes[1].gpus), (4, 8));
    assert_eq!(nodes[0].gpu.calibration.name, "unmeasured");
    assert!(scenario.catalogue.switches.iter().any(|switch| switch.name == "my-switch"));
    let price = |item: PricedItem| &scenario.prices.prices[&item];
    assert_eq!(price(PricedItem::Part("my-node".into())).amount.get(), 200_000.0);
    assert_eq!(price(PricedItem::Part("my-switch".into())).source, "a quote");
    assert_eq!(price(PricedItem::Part("qm9700".into())).basis, PriceBasis::User);
    assert_eq!(price(PricedItem::Transceiver(400)).amount.get(), 500.0);
    assert_eq!(price(PricedItem::Electricity).amount.get(), 0.11);
}

#[test]
fn auto_nodes_are_those_with_a_price() {
    let scenario = sound(TEN_LINES, &["cluster.node=auto"]);
    let names: Vec<&str> = scenario.cluster.nodes.iter().map(|node| node.name.as_str()).collect();
    assert!(names.contains(&"dgx-h100") && names.contains(&"gb200-nvl72"), "{names:?}");
    let priced =
        |name: &&str| scenario.prices.prices.contains_key(&PricedItem::Part((*name).to_owned()));
    assert!(names.iter().all(priced));
    assert!(!names.contains(&"dgx2-v100"), "it has no bfloat16: {names:?}");
    let four_bits = sound(TEN_LINES, &["cluster.node=auto", "training.precision=nvfp4"]);
    assert!(four_bits.cluster.nodes.iter().all(|node| node.gpu.peaks.fp4.is_some()));
}

#[test]
fn auto_leaves_out_what_is_not_sold_any_more_unless_it_is_named() {
    let auto = sound(TEN_LINES, &["cluster.node=auto", "training.precision=fp16"]);
    let names: Vec<&str> = auto.cluster.nodes.iter().map(|node| node.name.as_str()).collect();
    assert!(names.contains(&"dgx-h100"), "{names:?}");
    assert!(!names.iter().any(|name| name.contains("v100")), "{names:?}");
    let said = auto
        .assumptions
        .iter()
        .find(|assumption| assumption.topic == "cluster.node")
        .expect("it is said");
    assert!(said.text.contains("dgx1-v100, dgx2-v100, summit-v100"), "{}", said.text);
    let named = sound(TEN_LINES, &["cluster.node=summit-v100", "training.precision=fp16"]);
    assert_eq!(named.cluster.nodes[0].name, "summit-v100");
}

#[test]
fn overrides_take_toml_and_bare_text() {
    let scenario = sound(
        TEN_LINES,
        &[
            "name=\"a b\"",
            "training.tokens=300B",
            "limits.budget=$60M",
            "limits.supply.qm9700 = 40",
            "cluster.switches=[\"qm9700\"]",
            "inventory.\"qm9700\"=3",
        ],
    );
    assert_eq!(scenario.name, "a b");
    assert_eq!(scenario.lead_workload().training.tokens, Some(3e11));
    assert_eq!(scenario.limits.budget.map(|budget| budget.get()), Some(6e7));
    assert_eq!(scenario.limits.supply["qm9700"], 40);
    assert_eq!(scenario.cluster.switches, ["qm9700"]);
    assert_eq!(scenario.inventory["qm9700"], 3);
}

/// Reads and renders; whatever comes out, nothing panics.
fn survives(text: &str, overrides: &[Override]) {
    if let Err(problems) = read_scenario(&SpecText::new("model.toml", text), overrides) {
        assert!(!problems.list.is_empty());
        assert!(problems.render(false).contains("error: "));
        assert!(!problems.render(true).is_empty());
    }
}

fn full_spec() -> String {
    presets::ready_spec("deepseek-v3-h800-2048").expect("it ships").text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(source) = SpecText::from_bytes("model.toml", &bytes) {
            survives(&source.text, &[]);
        }
    }

    #[test]
    fn random_characters_of_toml_do_not_panic(text in "[a-c=\\[\\]{}\"'.,#0-9\n\r\té💥\u{200b}\u{7}-]{0,120}") {
        survives(&text, &[]);
        survives(TEN_LINES, &[Override::new(text)]);
    }

    #[test]
    fn a_cut_or_overwritten_spec_does_not_panic(
        at in any::<prop::sample::Index>(),
        length in 0_usize..40,
        instead in "[ -~é💥\t\r\n]{0,12}",
    ) {
        let spec = full_spec();
        let bytes = spec.as_bytes();
        let start = at.index(bytes.len());
        let end = (start + length).min(bytes.len());
        let mutated = [&bytes[..start], instead.as_bytes(), &bytes[end..]].concat();
        survives(&String::from_utf8_lossy(&mutated), &[]);
    }

    #[test]
    fn any_value_under_any_key_does_not_panic(
        key in any::<prop::sample::Index>(),
        value in prop_oneof![
            any::<i64>().prop_map(|v| v.to_string()),
            any::<u32>().prop_map(|v| v.to_string()),
            (0_u32..70).prop_map(|v| v.to_string()),
            any::<f64>().prop_map(|v| format!("{v:?}")),
            Just("true".to_owned()),
            Just("auto".to_owned()),
            Just("[]".to_owned()),
            Just("[[1], \"a\"]".to_owned()),
            Just("{}".to_owned()),
            Just("{ a = 1 }".to_owned()),
            Just("1979-05-27".to_owned()),
            "[0-9]{1,12} ?(GB/s|Gb/s|GiB|W|kW|s|us|M|B|TFLOP/s)",
        ],
    ) {
        let keys = every_key();
        let set = Override::from_key_value(&keys[key.index(keys.len())], &value);
        survives(TEN_LINES, std::slice::from_ref(&set));
        survives(&full_spec(), &[set]);
    }

    #[test]
    fn any_degrees_do_not_panic(
        degrees in proptest::array::uniform6(prop_oneof![1_u32..20, 1_u32..5_000_000]),
        model in prop_oneof![Just("gpt3-175b"), Just("deepseek-v3"), Just("gpt-oss-120b")],
    ) {
        let names = ["tensor", "pipeline", "data", "context", "expert", "interleave"];
        let mut sets: Vec<Override> = names
            .iter()
            .zip(degrees)
            .map(|(name, degree)| Override::from_key_value(&format!("parallelism.{name}"), &degree.to_string()))
            .collect();
        sets.push(Override::from_key_value("model.preset", model));
        survives(TEN_LINES, &sets);
    }
}

#[test]
fn odd_values_under_every_key_do_not_panic() {
    let full = full_spec();
    for key in every_key() {
        for value in ["[]", "[[1], \"a\"]", "{}", "{ a = 1 }", "\"\"", "true", "0", "-1", "nan"] {
            let set = Override::from_key_value(&key, value);
            survives(TEN_LINES, std::slice::from_ref(&set));
            survives(&full, &[set]);
        }
    }
}

/// The dotted path of every key of the format.
fn every_key() -> Vec<String> {
    use planner::spec::schema::{Kind, ROOT, Section};
    fn walk(section: &Section, path: &str, keys: &mut Vec<String>) {
        for key in section.keys {
            let path = format!("{path}{}", key.name);
            match key.kind {
                Kind::Table(inner) => walk(inner, &format!("{path}."), keys),
                Kind::Map(Kind::Table(inner)) => walk(inner, &format!("{path}.mine."), keys),
                _ => {}
            }
            keys.push(path);
        }
    }
    let mut keys = Vec::new();
    walk(&ROOT, "", &mut keys);
    keys
}

#[test]
fn every_key_of_the_format_is_read() {
    let text = include_str!("../spec_sound/every_key.toml");
    let scenario = sound(text, &[]);
    // All but one key: a GPU has no price of its own. Links are counted by their ends, as it states a price
    // of all transceivers of a rate.
    let taken: Vec<&str> =
        scenario.assumptions.iter().map(|assumption| assumption.topic.as_str()).collect();
    assert_eq!(taken, ["cluster.links", "hardware.gpus.my-gpu.price"], "everything is stated");
    assert_eq!(scenario.cluster.nodes[0].gpu.calibration.name, "my-constants");
    let root = toml::Value::Table(text.parse().expect("the text is TOML"));
    let written = |path: &str| {
        let mut here = &root;
        for name in path.split('.') {
            // Under a name of the user's own, any entry will do.
            let next = if name == "mine" {
                here.as_table().and_then(|inner| inner.values().next())
            } else {
                here.get(name)
            };
            match next {
                Some(next) => here = next,
                None => return false,
            }
        }
        true
    };
    let origin = ["source", "date", "note"];
    let later = ["technique", "workload", "stage"];
    for path in every_key() {
        let name = path.rsplit('.').next().unwrap_or_default();
        assert!(
            written(&path) || origin.contains(&name) || later.contains(&name),
            "`{path}` is not in the spec that states every key"
        );
    }
}
