//! `planner check` and `planner diff` as a pull request meets them: a base result, a design change,
//! a price change, both; each verdict, each split, each exit status.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::program::{Program, fresh_folder, planner_in};

/// What the accepted spec says; small, so that a design takes milliseconds.
const SPEC: &str = "starter";

/// More switches ports than before at the same price of each.
const DESIGN_CHANGE: &str = "cluster.gpus=512";

/// Dearer modules: no other design is cheaper.
const PRICE_CHANGE: &str = "prices.twin-sr4-800g=$1000";

/// A switch so dear that the solver takes another.
const PRICE_SHOCK: &str = "prices.n9600-64od=$80000";

/// A repository with a spec and the result that was accepted.
fn repository(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let wrote = planner_in(&folder, &["init", "-q", "--preset", SPEC, "model.toml"]);
    assert_eq!(wrote.status, 0, "{}", wrote.stderr);
    result(&folder, &[], "base.json");
    folder
}

/// Writes the result of the spec with some changes.
fn result(folder: &Path, changes: &[&str], file: &str) -> Value {
    let sets = changes.iter().flat_map(|change| ["--set", *change]);
    let arguments: Vec<&str> =
        ["design", "--format", "json", "-o", file].into_iter().chain(sets).collect();
    let wrote = planner_in(folder, &arguments);
    assert_eq!((wrote.status, wrote.stderr.as_str()), (0, ""));
    read(&folder.join(file))
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("it was written")).expect("it is JSON")
}

/// A check of the changed spec against the base.
fn checked(folder: &Path, changes: &[&str], rules: &[&str]) -> (Program, Value) {
    let sets = changes.iter().flat_map(|change| ["--set", *change]);
    let arguments: Vec<&str> = ["check", "--against", "base.json", "--format", "json"]
        .into_iter()
        .chain(sets)
        .chain(rules.iter().copied())
        .collect();
    let program = planner_in(folder, &arguments);
    let value = serde_json::from_str(&program.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", program.stdout, program.stderr));
    (program, value)
}

fn causes(check: &Value) -> Vec<&str> {
    let causes = check["causes"].as_array().expect("a list");
    causes.iter().map(|cause| cause["code"].as_str().expect("a code")).collect()
}

fn usd(check: &Value, key: &str) -> f64 {
    check["change"][key].as_f64().unwrap_or_else(|| panic!("{key}: {}", check["change"]))
}

/// Part → pieces bought and price of one, of a result.
fn bill(result: &Value) -> BTreeMap<String, (f64, f64)> {
    let lines = result["bom"].as_array().expect("a bill");
    lines
        .iter()
        .map(|line| {
            let number = |key: &str| line[key].as_f64().unwrap_or(0.0);
            let part = line["part"].as_str().expect("a name").to_owned();
            (part, (number("count") - number("owned"), number("unit_usd")))
        })
        .collect()
}

/// Σ p_old·(q_new − q_old) and Σ q_new·(p_new − p_old), worked out from two bills alone; a part
/// that one side lacks has the other's price on both.
fn split(old: &Value, new: &Value) -> (f64, f64) {
    let (old, new) = (bill(old), bill(new));
    let parts: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    parts.into_iter().fold((0.0, 0.0), |(by_quantity, by_price), part| {
        let (q_old, p_old) = old.get(part).copied().unwrap_or((0.0, f64::NAN));
        let (q_new, p_new) = new.get(part).copied().unwrap_or((0.0, f64::NAN));
        let p_old = if p_old.is_nan() { p_new } else { p_old };
        let p_new = if p_new.is_nan() { p_old } else { p_new };
        (by_quantity + p_old * (q_new - q_old), by_price + q_new * (p_new - p_old))
    })
}

#[track_caller]
fn near(found: f64, expected: f64) {
    let scale = expected.abs().max(1.0);
    assert!((found - expected).abs() < 1e-6 * scale, "{found} is not {expected}");
}

/// The split that the check prints is that of the two results, and sums to the change of capex.
#[track_caller]
fn splits(folder: &Path, changes: &[&str]) -> Value {
    let base = read(&folder.join("base.json"));
    let new = result(folder, changes, "new.json");
    let (_, check) = checked(folder, changes, &[]);
    let (by_quantity, by_price) = split(&base, &new);
    near(usd(&check, "by_quantity_usd"), by_quantity);
    near(usd(&check, "by_price_usd"), by_price);
    let capex = |value: &Value| value["cost"]["capex_usd"].as_f64().expect("a number");
    near(usd(&check, "capex_usd"), capex(&new) - capex(&base));
    near(
        usd(&check, "by_quantity_usd") + usd(&check, "by_price_usd") + usd(&check, "other_usd"),
        capex(&new) - capex(&base),
    );
    check
}

#[test]
fn nothing_changed_is_one_line_and_no_cause() {
    let folder = repository("gate-same");
    let rules = ["--fail-on", "capex>+0%", "--fail-on", "step.time_s~0%"];
    let (program, check) = checked(&folder, &[], &rules);
    assert_eq!((program.status, program.stderr.as_str()), (0, ""));
    assert_eq!(
        (check["verdict"].as_str(), check["unchanged"].as_bool()),
        (Some("pass"), Some(true))
    );
    assert!(causes(&check).is_empty() && check["figures"] == Value::Array(vec![]));
    let short = planner_in(
        &folder,
        &["check", "--against", "base.json", "--fail-on", "capex>+0%", "--format", "markdown"],
    );
    assert_eq!(
        short.stdout,
        "# starter: model.toml against base.json: PASS, nothing changed\n\n- 1 rule holds\n"
    );
}

#[test]
fn a_design_change_is_quantity() {
    let folder = repository("gate-design");
    let check = splits(&folder, &[DESIGN_CHANGE]);
    assert_eq!(usd(&check, "by_price_usd"), 0.0);
    assert!(usd(&check, "by_quantity_usd") > 0.0);
    assert_eq!(causes(&check), ["design-changed"]);
    let (program, check) = checked(&folder, &[DESIGN_CHANGE], &["--fail-on", "capex>+2%"]);
    assert_eq!(program.status, 1);
    assert_eq!(program.stderr, "error: rule broken: `capex>+2%`\n");
    assert_eq!(check["verdict"], "fail");
}

#[test]
fn a_price_change_is_price() {
    let folder = repository("gate-price");
    let check = splits(&folder, &[PRICE_CHANGE]);
    assert_eq!(usd(&check, "by_quantity_usd"), 0.0);
    assert!(usd(&check, "by_price_usd") > 0.0);
    assert_eq!(causes(&check), ["prices-changed"]);
    let told = |check: &Value, text: &str| {
        let why = check["causes"][0]["text"].as_str().expect("a sentence").to_owned();
        assert!(why.contains(text), "{why}");
    };
    told(&check, "1 price changed, 1 part on a bill: twin-sr4-800g $879 to $1,000");
    let (_, beside) = checked(&folder, &["prices.qm9700=$50000"], &[]);
    told(&beside, "1 price changed, none of parts on a bill: qm9700 $32,870 to $50,000");
    let (program, check) = checked(&folder, &[PRICE_CHANGE], &["--warn-on", "network_capex>+2%"]);
    assert_eq!(program.status, 0);
    assert_eq!(program.stderr, "warning: rule broken: `network_capex>+2%`\n");
    assert_eq!(check["verdict"], "warn");
}

#[test]
fn a_price_that_moves_the_optimum_says_so() {
    let folder = repository("gate-optimum");
    let check = splits(&folder, &[PRICE_SHOCK]);
    assert_eq!(causes(&check), ["prices-changed", "different-optimum"]);
    // All of the quantity is the solver's answer to the prices: nobody touched the design.
    near(usd(&check, "by_optimum_usd"), usd(&check, "by_quantity_usd"));
    assert!(usd(&check, "by_optimum_usd") > 0.0, "at the old prices the old design was cheapest");
}

#[test]
fn a_change_of_both_is_told_apart() {
    let folder = repository("gate-both");
    let check = splits(&folder, &[DESIGN_CHANGE, PRICE_CHANGE]);
    assert_eq!(causes(&check), ["design-changed", "prices-changed"]);
    assert!(usd(&check, "by_quantity_usd") > 0.0 && usd(&check, "by_price_usd") > 0.0);
    assert_eq!(usd(&check, "by_optimum_usd"), 0.0);
    let shock = splits(&folder, &[DESIGN_CHANGE, PRICE_SHOCK]);
    assert_eq!(causes(&shock), ["design-changed", "prices-changed", "different-optimum"]);
    // What remains of the quantity is what the design change costs at the old prices.
    let by_design = usd(&shock, "by_quantity_usd") - usd(&shock, "by_optimum_usd");
    near(by_design, usd(&check, "by_quantity_usd"));
}

#[test]
fn a_changed_part_is_the_catalogue() {
    let folder = repository("gate-catalogue");
    let (_, check) = checked(&folder, &["hardware.switches.n9600-64od.power=\"1 kW\""], &[]);
    assert_eq!(causes(&check), ["catalogue-changed"]);
    assert_eq!(usd(&check, "capex_usd"), 0.0);
}

/// Who asks for another machine asks for something else; what is known of parts stays.
#[test]
fn another_machine_is_the_question_and_not_the_catalogue() {
    let folder = repository("gate-machine");
    let (_, check) = checked(&folder, &["cluster.node=\"dgx-h200\""], &[]);
    assert_eq!(causes(&check), ["design-changed"]);
    // One that is asked for on both sides and known otherwise is the catalogue.
    let (_, check) = checked(&folder, &["hardware.nodes.dgx-h100.power=\"11 kW\""], &[]);
    assert_eq!(causes(&check), ["catalogue-changed"]);
}

#[test]
fn both_directions_absolute_and_percent() {
    let folder = repository("gate-directions");
    for (change, rule, status) in [
        (DESIGN_CHANGE, "step.time_s<-10%", 1),
        (DESIGN_CHANGE, "step.time_s>+1%", 0),
        (DESIGN_CHANGE, "step.time_s~10%", 1),
        (DESIGN_CHANGE, "power>+100kW", 1),
        (DESIGN_CHANGE, "power>+1MW", 0),
        (DESIGN_CHANGE, "network_capex>+600000", 0),
        (DESIGN_CHANGE, "network_capex>+$300k", 1),
        (DESIGN_CHANGE, "capex>$20M", 1),
        (DESIGN_CHANGE, "capex>$30M", 0),
        (DESIGN_CHANGE, "mfu<-1%", 1),
        (DESIGN_CHANGE, "capex>never", 0),
        (PRICE_CHANGE, "capex>+0%", 1),
        (PRICE_CHANGE, "step_time~0%", 0),
    ] {
        let (program, check) = checked(&folder, &[change], &["--fail-on", rule]);
        assert_eq!(program.status, status, "{rule}: {}", check["rules"]);
    }
}

#[test]
fn rules_of_the_spec_hold_and_never_switches_one_off() {
    let folder = repository("gate-spec");
    let spec = fs::read_to_string(folder.join("model.toml")).expect("it was written");
    let gated = format!("{spec}\n[gate]\nfail_on = \"capex>+2%\"\nwarn_on = [\"power>+100kW\"]\n");
    fs::write(folder.join("model.toml"), gated).expect("the folder is this test's own");
    let (program, check) = checked(&folder, &[DESIGN_CHANGE], &[]);
    assert_eq!(program.status, 1);
    let verdicts: Vec<_> = check["rules"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|rule| (rule["rule"].as_str(), rule["origin"].as_str(), rule["verdict"].as_str()))
        .map(|(rule, origin, verdict)| [rule, origin, verdict].map(Option::unwrap_or_default))
        .collect();
    assert_eq!(
        verdicts,
        [
            ["capex>+2%", "spec", "fail"],
            ["power>+100kW", "spec", "warn"],
            ["price_not_found>+0", "planner", "pass"]
        ]
    );
    let (program, check) = checked(&folder, &[DESIGN_CHANGE], &["--fail-on", "capex>never"]);
    assert_eq!((program.status, check["verdict"].as_str()), (0, Some("warn")));
    // `diff` has the rules that it is given, and no others.
    let diff = planner_in(&folder, &["diff", "base.json", "model.toml", "--set", DESIGN_CHANGE]);
    assert_eq!((diff.status, diff.stderr.as_str()), (0, ""));
}

/// A result without its digest, as older versions wrote it, with some changes.
fn unsealed(folder: &Path, file: &str, change: impl Fn(&mut Value)) {
    let mut result = read(&folder.join("base.json"));
    result.as_object_mut().expect("an object").remove("digest");
    change(&mut result);
    fs::write(folder.join(file), result.to_string()).expect("the folder is this test's own");
}

#[test]
fn a_difference_warns_of_a_lost_price_by_itself() {
    let folder = repository("gate-unpriced");
    unsealed(&folder, "poorer.json", |value| value["cost"]["unpriced"] = vec!["fibre"].into());
    let diff = planner_in(&folder, &["diff", "base.json", "poorer.json"]);
    assert_eq!(diff.status, 0);
    assert_eq!(
        diff.stderr,
        "warning: `poorer.json` has no checksum, so only its sums could be checked: write it anew\n\
         warning: rule broken: `price_not_found>+0`, lost-price (`fibre`)\n"
    );
    for fact in [
        "price not found, so not in the totals: fibre",
        "WARN: fibre has no price and was not bought before: every total lacks it",
    ] {
        assert!(diff.stdout.contains(fact), "`{fact}` is missing in\n{}", diff.stdout);
    }
}

#[test]
fn a_check_fails_where_a_price_got_lost_though_another_came() {
    let folder = repository("gate-lost");
    // As many prices are missing as before: only which ones tells.
    unsealed(&folder, "base.json", |value| {
        value["cost"]["unpriced"] = vec!["fibre"].into();
        // Interfaces that no machine's price covers have one of their own, as they had before.
        value["bom"][1]["basis"] = "paper".into();
    });
    // A machine of one's own, like that of the base in all but its name and its price.
    let spec = fs::read_to_string(folder.join("model.toml")).expect("it was written");
    let spec = spec.replace("node = \"dgx-h100\"", "node = \"ours\"");
    let machine = "[hardware.nodes.ours]\ngpu = \"h100\"\ngpus = 8\nhb_bandwidth = \"450 GB/s\"\n\
                   nics = 8\nnic = \"ndr-400g\"\npower = \"10.2 kW\"\n";
    fs::write(folder.join("free.toml"), format!("{spec}\n{machine}")).expect("own folder");
    let arguments = ["check", "free.toml", "--against", "base.json", "--format", "json", "-q"];
    let found = planner_in(&folder, &arguments);
    let check: Value = serde_json::from_str(&found.stdout).expect("it is JSON");
    let unpriced = check["price_not_found"].as_array().expect("a list");
    let codes: Vec<&str> = check["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|value| value["code"].as_str())
        .collect();
    assert_eq!((found.status, unpriced.len(), codes), (1, 1, vec!["lost-price"]), "{check}");
    // Who runs the check may switch that off; a spec may not.
    let never = ["--fail-on", "price_not_found>never"];
    assert_eq!(planner_in(&folder, &[&arguments[..], &never].concat()).status, 0);
    let set = ["--set", "gate.fail_on=\"price_not_found>never\""];
    assert_eq!(planner_in(&folder, &[&arguments[..], &set].concat()).status, 1);
}

#[test]
fn a_result_is_as_it_was_written_or_refused() {
    let folder = repository("gate-digest");
    let base = read(&folder.join("base.json"));
    let digest = base["digest"].as_str().expect("a result carries its digest");
    assert!(digest.starts_with("fnv1a-64:") && digest.len() == 25, "{digest}");
    let against = |text: &str| {
        fs::write(folder.join("kept.json"), text).expect("own folder");
        planner_in(&folder, &["check", "--against", "kept.json", "--fail-on", "capex>+0%"])
    };
    // White space, line ends and the order of keys are no content.
    let pretty = fs::read_to_string(folder.join("base.json")).expect("it was written");
    let sorted: BTreeMap<String, Value> = serde_json::from_value(base.clone()).expect("an object");
    for text in [pretty.clone(), base.to_string(), pretty.replace('\n', "\r\n")] {
        assert_eq!(against(&text).status, 0);
    }
    assert_eq!(against(&serde_json::to_string(&sorted).expect("JSON")).status, 0);
    // Nor is the way that a number is written.
    assert_eq!(against(&pretty.replace("\"rails\": 8,", "\"rails\": 8.0,")).status, 0);
    let capex = base["cost"]["capex_usd"].as_f64().expect("a number");
    let edits: [(&str, Value, &str); 10] = [
        ("/cost/capex_usd", (capex * 1.000_001).into(), "`cost.capex_usd` is "),
        ("/cost/network_power_w", 1.0.into(), "`cost.network_power_w` is 1, and"),
        ("/cost/capex_usd", 1.0.into(), "`cost.capex_usd` is 1, and its own parts come to"),
        ("/cost/network_capex_usd", 1.0.into(), "`cost.network_capex_usd` is 1, and"),
        ("/cost/power_w", 1.0.into(), "`cost.power_w` is 1, and"),
        ("/bom/0/count", 1.into(), "its own parts come to"),
        (
            "/bom/0/unit_usd",
            1.0.into(),
            "`bom.0.total_usd` is 10706454, and its own parts come to 33",
        ),
        ("/step/time_s", 9.0.into(), "`step.time_s` is 9, and"),
        ("/memory/total_bytes", 9.into(), "`memory.total_bytes` is 9, and"),
        ("/cost/tco_usd", 9.0.into(), "its checksum is `fnv1a-64:"),
    ];
    for (pointer, value, message) in edits {
        let mut edited = base.clone();
        *edited.pointer_mut(pointer).expect("the key is there") = value;
        let found = against(&edited.to_string());
        assert_eq!((found.status, found.stdout.as_str()), (2, ""), "{pointer}");
        assert!(found.stderr.contains(message), "{pointer}: {}", found.stderr);
        assert!(found.stderr.contains("has it been edited?"), "{}", found.stderr);
    }
    // A line that lost its price is named, or the result is no result.
    let mut silent = base.clone();
    for (key, value) in [("unit_usd", Value::Null), ("total_usd", 0.0.into())] {
        silent["bom"][0][key] = value;
    }
    silent["cost"]["capex_usd"] =
        (capex - base["bom"][0]["total_usd"].as_f64().expect("a number")).into();
    let found = against(&silent.to_string());
    assert!(found.status == 2 && found.stderr.contains("`cost.unpriced`"), "{}", found.stderr);
    // Without a digest sums are all that there is, and that is said.
    unsealed(&folder, "kept.json", |figure| figure["cost"]["tco_usd"] = 9.0.into());
    let old = planner_in(&folder, &["check", "--against", "kept.json", "--fail-on", "capex>+0%"]);
    assert_eq!(old.status, 0);
    assert!(old.stderr.contains("`kept.json` has no checksum"), "{}", old.stderr);
}

#[test]
fn results_of_parts_and_stages_hold_their_sums() {
    let folder = fresh_folder("gate-several");
    for case in ["two-products", "two-stages", "stock-beside-new"] {
        let file = format!("{case}.json");
        let wrote = planner_in(&folder, &["design", case, "--format", "json", "-q", "-o", &file]);
        assert_eq!(wrote.status, 0, "{}", wrote.stderr);
        let same = planner_in(&folder, &["diff", &file, &file]);
        assert_eq!((same.status, same.stderr.as_str()), (0, ""), "{case}");
        let mut result = read(&folder.join(&file));
        let Some(part) = result.pointer_mut("/parts/1/cost/capex_usd") else { continue };
        *part = 1.0.into();
        fs::write(folder.join(&file), result.to_string()).expect("own folder");
        let refused = planner_in(&folder, &["diff", &file, &file]);
        assert_eq!(refused.status, 2);
        assert!(refused.stderr.contains("`parts.1.cost.capex_usd` is 1"), "{}", refused.stderr);
    }
}

/// Rules watch each of several workloads and parts by its name, in their units; what only each of them has is not
/// taken for something that never changes.
#[test]
fn each_workload_and_part_is_watched_by_its_name() {
    let spec = |gpus: &str, tokens: &str| {
        format!(
            "[[workload]]\nname = \"Small one\"\n{gpus}model = {{ preset = \"llama3-8b\" }}\n\
             training = {{ global_batch = 128, tokens = \"1T\" }}\n\
             [[workload]]\nname = \"other\"\n{gpus}model = {{ preset = \"llama3-8b\" }}\n\
             training = {{ global_batch = 64, tokens = \"{tokens}\" }}\n\
             [cluster]\nnode = \"dgx-h100\"\n{}",
            if gpus.is_empty() { "gpus = 64\n" } else { "" }
        )
    };
    let verdict = |gpus: &str, rule: &str| {
        let folder = fresh_folder("named");
        fs::write(folder.join("model.toml"), spec(gpus, "1T")).expect("a file");
        result(&folder, &[], "base.json");
        fs::write(folder.join("model.toml"), spec(gpus, "1.2T")).expect("a file");
        let rules = ["check", "--against", "base.json", "--fail-on", rule];
        planner_in(&folder, &rules).status
    };
    for (rule, status) in [
        ("workloads.other.training_days>+10%", 1),
        ("workloads.other.training_days>+0.1", 1),
        ("workloads.other.step.time>+1ms", 0),
        ("workloads.small-one.days>+10%", 2),
        ("workloads.small-one.training_days>+10%", 0),
        ("workloads.other.usd_per_million_tokens>$1", 0),
        ("workloads.other.usd_per_million_tokens>$0.0001", 1),
        ("training_days>+10%", 2),
        ("workloads.third.training_days>+10%", 2),
    ] {
        assert_eq!(verdict("", rule), status, "{rule}");
    }
    for (rule, status) in [
        ("parts.other.cost.training_days>+10%", 1),
        ("parts.small-one.cost.training_days>+10%", 0),
        ("parts.other.cost.capex>$10", 1),
        ("parts.other.capex>+$1M", 0),
    ] {
        assert_eq!(verdict("gpus = 32\n", rule), status, "{rule}");
    }
}

#[test]
fn spares_draw_no_power_and_nothing_stands_for_no_value() {
    let folder = repository("gate-spares");
    let stored = result(&folder, &["spares.switch_failures=0.05"], "stored.json");
    let spares = |line: &Value| line["spares"].as_u64().expect("a count");
    let lines = stored["bom"].as_array().expect("a bill");
    assert!(lines.iter().any(|line| line["role"] == "switch" && spares(line) > 0), "{lines:?}");
    let same = planner_in(&folder, &["diff", "stored.json", "stored.json"]);
    assert_eq!((same.status, same.stderr.as_str()), (0, ""));
    // A figure that both sides have without a value breaches no rule, and is no unknown name.
    unsealed(&folder, "open.json", |value| value["cost"]["training_days"] = Value::Null);
    let rule = ["--fail-on", "training_days>+1%", "-q"];
    let open = planner_in(&folder, &[&["diff", "open.json", "open.json"], &rule[..]].concat());
    assert_eq!((open.status, open.stderr.as_str()), (0, ""));
    let lost = planner_in(&folder, &[&["diff", "base.json", "open.json"], &rule[..]].concat());
    assert_eq!(lost.status, 1, "{}", lost.stderr);
}

#[test]
fn another_planner_is_a_cause() {
    let folder = repository("gate-version");
    unsealed(&folder, "base.json", |value| value["inputs"]["planner"] = "0.0.1".into());
    let (_, check) = checked(&folder, &[], &["-q"]);
    assert_eq!(causes(&check), ["planner-changed"]);
}

#[test]
fn owned_pieces_cost_nothing_in_a_split() {
    let folder = repository("gate-owned");
    let base = result(&folder, &["failures.standby=0"], "base.json");
    let line = |result: &Value| {
        let lines = result["bom"].as_array().expect("a bill").clone();
        let machine = lines.into_iter().find(|line| line["role"] == "node").expect("it has one");
        ["count", "owned", "unit_usd"].map(|key| machine[key].as_f64().expect("a number"))
    };
    let [machines, none, price] = line(&base);
    assert_eq!((machines, none), (32.0, 0.0));
    // Thirty of the 32 machines are in stock: thirty times their price less, all of it quantity.
    let (_, check) = checked(&folder, &["failures.standby=0", "inventory.dgx-h100=30"], &[]);
    near(usd(&check, "by_quantity_usd"), -30.0 * price);
    near(usd(&check, "capex_usd"), -30.0 * price);
    assert_eq!((usd(&check, "by_price_usd"), usd(&check, "other_usd")), (0.0, 0.0));
    let counts = &check["bom"][0];
    assert_eq!((counts["old_count"].as_u64(), counts["new_count"].as_u64()), (Some(32), Some(2)));
}

#[test]
fn a_policy_holds_whatever_the_spec_says() {
    let folder = repository("gate-policy");
    let spec = fs::read_to_string(folder.join("model.toml")).expect("it was written");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("own folder");
    write("model.toml", &format!("{spec}\n[gate]\nfail_on = [\"capex>never\", \"mfu<-50%\"]\n"));
    write("policy.toml", "[gate]\nfail_on = \"capex>+2%\"\nwarn_on = \"power>+1kW\"\n");
    let policy = ["--policy", "policy.toml"];
    let (program, check) = checked(&folder, &[DESIGN_CHANGE], &policy);
    let origins: Vec<(&str, &str, &str)> = check["rules"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|value| {
            ["rule", "origin", "verdict"].map(|key| value[key].as_str().unwrap_or_default())
        })
        .map(|[rule, origin, verdict]| (rule, origin, verdict))
        .collect();
    assert_eq!(
        origins,
        [
            ("capex>+2%", "policy", "fail"),
            ("power>+1kW", "policy", "warn"),
            ("capex>never", "spec", "pass"),
            ("mfu<-50%", "spec", "pass"),
            ("price_not_found>+0", "planner", "pass"),
        ]
    );
    assert_eq!((program.status, check["verdict"].as_str()), (1, Some("fail")));
    // Nor can the command line take from it.
    let never = [&policy[..], &["--fail-on", "capex>never"]].concat();
    assert_eq!(checked(&folder, &[DESIGN_CHANGE], &never).0.status, 1);
    // A whole spec is a policy by its `[gate]`.
    write("main.toml", &format!("{spec}\n[gate]\nfail_on = \"capex>+2%\"\n"));
    assert_eq!(checked(&folder, &[DESIGN_CHANGE], &["--policy", "main.toml"]).0.status, 1);
    assert_eq!(checked(&folder, &[], &["--policy", "main.toml"]).0.status, 0);
    write("none.toml", "[gate]\n");
    write("typo.toml", "[gate]\nfail_on = \"capex>2%\"\n");
    let cases: [(&[&str], &str); 4] = [
        (&["--policy", "none.toml"], "the policy `none.toml` states no rule"),
        (&["--policy", "typo.toml"], "needs a sign"),
        (&["--policy", "missing.toml"], "can't read `missing.toml`"),
        (&["base.json", "--policy", "policy.toml"], "is a result, and a policy judges a spec"),
    ];
    for (arguments, message) in cases {
        let arguments = [&["check", "--against", "base.json"], arguments].concat();
        let program = planner_in(&folder, &arguments);
        assert_eq!((program.status, program.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(program.stderr.contains(message), "{arguments:?}\n{}", program.stderr);
    }
}

#[test]
fn what_can_not_be_compared_is_status_two() {
    let folder = repository("gate-refused");
    let base = fs::read_to_string(folder.join("base.json")).expect("it was written");
    fs::write(folder.join("cut.json"), &base[..base.len() / 2]).expect("own folder");
    fs::write(folder.join("other.json"), "{\"schema\": \"planner/step/1\"}").expect("own folder");
    fs::write(folder.join("any.json"), "{}").expect("own folder");
    let cases: [(&[&str], &str); 9] = [
        (&["check", "--against", "missing.json"], "can't read `missing.json`"),
        (&["check", "--against", "cut.json"], "can't compare `cut.json`: no valid JSON"),
        (&["check", "--against", "other.json"], "it is `planner/step/1`"),
        (&["check", "--against", "any.json"], "it has no `schema`"),
        (&["check", "--against", "base.json", "--fail-on", "capex>2%"], "needs a sign"),
        (&["check", "--against", "base.json", "--fail-on", "capx>+2%"], "did you mean `capex`?"),
        (&["check", "--against", "base.json", "--fail-on", "total>+2%"], "could mean"),
        (&["check", "--against", "base.json", "--fail-on", "capex>+2kW"], "a power can't be held"),
        (
            &["check", "base.json", "--against", "base.json", "--set", "name=a"],
            "`--set` changes a spec",
        ),
    ];
    for (arguments, message) in cases {
        let program = planner_in(&folder, arguments);
        assert_eq!((program.status, program.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(program.stderr.contains(message), "{arguments:?}\n{}", program.stderr);
    }
    let broke = planner_in(
        &folder,
        &["check", "--against", "base.json", "-q", "--set", "limits.budget=$1"],
    );
    assert_eq!((broke.status, broke.stdout.as_str()), (3, ""), "{}", broke.stderr);
}

#[test]
fn the_page_for_people_names_verdict_split_and_reasons() {
    let folder = repository("gate-page");
    let arguments = [
        "check",
        "--against",
        "base.json",
        "--fail-on",
        "capex>+2%",
        "--set",
        DESIGN_CHANGE,
        "--set",
        PRICE_SHOCK,
    ];
    let short = planner_in(&folder, &arguments).stdout;
    let last = short.split("\n\n").last().expect("it has a verdict");
    assert!(last.starts_with("FAIL: capex>+2%. Capex +$"), "{short}");
    let page = planner_in(&folder, &[&arguments[..], &["--all"]].concat()).stdout;
    for fact in [
        "starter: model.toml against base.json: FAIL, changed\n",
        " from quantity (old prices), ",
        "because prices changed the design",
        "fail on capex>+2%",
        "\nWHAT CHANGED\n",
        "the spec changed: `cluster.gpus`",
        "n9600-64od $39,300 to $80,000 (+103.6 %)",
    ] {
        assert!(page.contains(fact), "`{fact}` is missing in\n{page}");
    }
    assert!(page.lines().all(|line| line.chars().count() <= 100), "{page}");
}

/// The contract's keys, declared a second time: one that appears, disappears or changes its type
/// fails here.
mod contract {
    use serde::Deserialize;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "reading them is the test")]
    pub(super) struct Check {
        pub(super) schema: String,
        name: String,
        old: String,
        new: String,
        verdict: String,
        unchanged: bool,
        rules: Vec<Rule>,
        change: Change,
        causes: Vec<Cause>,
        figures: Vec<Figure>,
        facts: Vec<Fact>,
        bom: Vec<Line>,
        price_not_found: Vec<String>,
        findings: Vec<Finding>,
        question: Vec<Question>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "reading them is the test")]
    struct Question {
        key: String,
        old: Option<String>,
        new: Option<String>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "reading them is the test")]
    struct Finding {
        code: String,
        subject: String,
        text: String,
        verdict: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "reading them is the test")]
    struct Rule {
        rule: String,
        key: String,
        severity: String,
        origin: String,
        silenced: bool,
        old: Option<f64>,
        new: Option<f64>,
        change: Option<f64>,
        verdict: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "reading them is the test")]
    struct Change {
        capex_usd: f64,
        by_quantity_usd: f64,
        by_price_usd: f64,
        by_exchange_usd: f64,
        other_usd: f64,
        network_by_quantity_usd: f64,
        network_by_price_usd: f64,
        by_optimum_usd: Option<f64>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "reading them is the test")]
    struct Cause {
        code: String,
        text: String,
        usd: Option<f64>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "reading them is the test")]
    struct Figure {
        key: String,
        old: Option<f64>,
        new: Option<f64>,
        change: Option<f64>,
        change_share: Option<f64>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "reading them is the test")]
    struct Fact {
        key: String,
        old: String,
        new: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "reading them is the test")]
    struct Line {
        part: String,
        role: String,
        old_count: u64,
        new_count: u64,
        old_unit_usd: Option<f64>,
        new_unit_usd: Option<f64>,
        by_quantity_usd: f64,
        by_price_usd: f64,
        by_exchange_usd: f64,
    }
}

#[test]
fn results_have_the_keys_of_the_contract() {
    let folder = repository("gate-contract");
    let (program, _) = checked(&folder, &[DESIGN_CHANGE, PRICE_SHOCK], &["--warn-on", "capex>+2%"]);
    let check: contract::Check = serde_json::from_str(&program.stdout).expect("the contract");
    assert_eq!(check.schema, "planner/check/1");
    let diff = planner_in(&folder, &["diff", "base.json", "model.toml", "--format", "json"]);
    let diff: contract::Check = serde_json::from_str(&diff.stdout).expect("the contract");
    assert_eq!(diff.schema, "planner/diff/1");
}

/// A network of modules and cables adds up like one of transceivers: what was written is read again.
#[test]
fn a_design_of_modules_and_cables_is_read_again() {
    let folder = fresh_folder("check-parts");
    let parts = ["--set", "cluster.links=\"parts\"", "--format", "json", "-o", "parts.json"];
    let written = planner_in(&folder, &[&["design", "starter"], &parts[..]].concat());
    assert_eq!((written.status, written.stderr.as_str()), (0, ""));
    let alike = planner_in(&folder, &["diff", "parts.json", "parts.json"]);
    assert_eq!((alike.status, alike.stderr.as_str()), (0, ""), "{}", alike.stdout);
    let vary = ["--set", "cluster.links=\"parts\"", "--vary", "cluster.gpus=128,256"];
    let swept = planner_in(&folder, &[&["sweep", "starter"], &vary[..]].concat());
    assert_eq!((swept.status, swept.stderr.as_str()), (0, ""));
}
