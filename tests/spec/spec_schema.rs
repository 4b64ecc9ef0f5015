//! The table of keys in its other forms: the page in `docs/`, and the JSON Schema held against
//! specs by a validator of its own.

use planner::spec::presets::{self, PresetKind};
use planner::spec::schema;
use serde_json::Value;

#[test]
fn the_page_of_keys_is_the_one_in_docs() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/spec.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, schema::schema_page()).expect("a writable folder");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, schema::schema_page(), "run `BLESS=1 cargo test --test inputs spec::`");
}

/// What a value breaks of a schema, as far as our schemas go.
fn breaches(value: &Value, schema: &Value, path: &str, found: &mut Vec<String>) {
    let mut breach = |what: &str| found.push(format!("{path}: {what}"));
    if let Some(options) = schema.get("anyOf").and_then(Value::as_array) {
        let fits = options.iter().any(|option| {
            let mut inner = Vec::new();
            breaches(value, option, path, &mut inner);
            inner.is_empty()
        });
        if !fits {
            breach("fits no option");
        }
    }
    let is = |name: &str| match name {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    let wrong_type = match schema.get("type") {
        Some(Value::String(name)) => !is(name),
        Some(Value::Array(names)) => !names.iter().filter_map(Value::as_str).any(is),
        _ => false,
    };
    if wrong_type {
        breach("has the wrong type");
    }
    if schema.get("enum").and_then(Value::as_array).is_some_and(|all| !all.contains(value)) {
        breach("is none of the allowed");
    }
    if schema.get("const").is_some_and(|only| only != value) {
        breach("is not the one allowed");
    }
    if schema.get("not").is_some() {
        breach("is not supported");
    }
    let bound = |key: &str| Some((schema.get(key)?.as_f64()?, value.as_f64()?));
    if bound("minimum").is_some_and(|(least, value)| value < least) {
        breach("is too small");
    }
    if bound("maximum").is_some_and(|(most, value)| value > most) {
        breach("is too large");
    }
    if let (Some(items), Value::Array(values)) = (schema.get("items"), value) {
        for value in values {
            breaches(value, items, path, found);
        }
    }
    if let Value::Object(entries) = value {
        for (name, value) in entries {
            let path = format!("{path}/{name}");
            let own = schema.get("properties").and_then(|properties| properties.get(name));
            match (own, schema.get("additionalProperties")) {
                (Some(schema), _) | (None, Some(schema @ Value::Object(_))) => {
                    breaches(value, schema, &path, found);
                }
                (None, Some(Value::Bool(false))) => found.push(format!("{path}: unknown key")),
                _ => {}
            }
        }
    }
}

fn against_schema(text: &str) -> Vec<String> {
    let table: toml::Table = text.parse().expect("the text is TOML");
    let value = serde_json::to_value(table).expect("TOML without dates is JSON");
    let mut found = Vec::new();
    breaches(&value, &schema::json_schema(), "", &mut found);
    found
}

#[test]
fn every_ready_spec_fits_the_schema() {
    for entry in presets::list_presets() {
        if matches!(entry.kind, PresetKind::Spec | PresetKind::Paper) {
            assert_eq!(against_schema(&entry.text), Vec::<String>::new(), "{}", entry.name);
        }
    }
}

#[test]
fn what_the_reader_refuses_the_schema_refuses() {
    let cases = [
        ("laers = 3", "/laers: unknown key"),
        ("[model]\nlayers = 0", "/model/layers: is too small"),
        ("[model]\nlayers = \"many\"", "/model/layers: has the wrong type"),
        ("[cluster]\nfabric = \"mesh\"", "/cluster/fabric: is none of the allowed"),
        ("[parallelism]\ntensor = \"all\"", "/parallelism/tensor: fits no option"),
        ("[hardware.gpus.mine]\nsize = 3", "/hardware/gpus/mine/size: unknown key"),
        ("[technique.demo]\nrank = 3", "/technique/demo/rank: unknown key"),
    ];
    for (text, breach) in cases {
        assert_eq!(against_schema(text), [breach], "{text}");
    }
    assert_eq!(against_schema("[parallelism]\ntensor = \"auto\""), Vec::<String>::new());
}

#[test]
fn no_key_stands_twice_and_every_key_says_what_it_means() {
    fn walk(section: &schema::Section, path: &str) {
        let mut names: Vec<&str> = section.keys.iter().map(|key| key.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "[{path}]");
        for key in section.keys {
            let path = format!("{path}.{}", key.name);
            assert!(!key.doc.is_empty(), "{path}");
            if let schema::Kind::Table(inner) | schema::Kind::Map(&schema::Kind::Table(inner)) =
                key.kind
            {
                walk(inner, &path);
            }
        }
    }
    walk(&schema::ROOT, "");
    walk(&schema::PRICE_BOOK, "price book");
}

/// Every key of the table and of those inside it, by path.
fn all_keys(section: &schema::Section, path: &str, found: &mut Vec<(String, schema::Key)>) {
    for key in section.keys {
        let path = format!("{path}.{}", key.name);
        found.push((path.clone(), *key));
        let mut kind = &key.kind;
        loop {
            match kind {
                schema::Kind::Map(inner)
                | schema::Kind::Auto(inner)
                | schema::Kind::Some(inner) => {
                    kind = inner;
                }
                schema::Kind::Table(inner) => {
                    all_keys(inner, &path, found);
                    break;
                }
                // A list of tables has the tables of the top level again.
                _ => break,
            }
        }
    }
}

/// A value that is declared as a default is one that a spec could state, and no words are one: so
/// what a page prints as a value is what is read where the key is left out.
#[test]
fn defaults_are_values_where_a_spec_could_state_them() {
    let mut keys = Vec::new();
    all_keys(&schema::ROOT, "", &mut keys);
    let values = keys.iter().filter(|(_, key)| matches!(key.default, schema::KeyDefault::Value(_)));
    assert!(values.count() > 50, "the table of keys was read");
    let wrong: Vec<String> = keys
        .iter()
        .filter_map(|(path, key)| Some(format!("{path}: {}", key.default_problem()?)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Settings of a technique that a spec leaves out are those that the page prints.
#[test]
fn a_technique_s_own_defaults_are_those_of_its_keys() {
    let mut keys = Vec::new();
    all_keys(&schema::ROOT, "", &mut keys);
    let text = |path: &str| {
        let found = keys.iter().find(|(known, _)| known == &format!(".technique.{path}"));
        found.map_or("", |(_, key)| key.default.text()).to_owned()
    };
    use planner::workload::{Demo, MultiLevel, Offload, Sil, Swap};
    let (demo, swap, offload) = (Demo::DEFAULT, Swap::DEFAULT, Offload::DEFAULT);
    let (sil, levels) = (Sil::DEFAULT, MultiLevel::DEFAULT);
    let own = [
        ("demo.top_k", demo.top_k as f64),
        ("demo.chunk", demo.chunk as f64),
        ("demo.index_bytes", demo.index_bytes as f64),
        ("demo.value_bytes", demo.value_bytes as f64),
        ("swap.share", swap.share),
        ("offload.bucket", offload.bucket as f64),
        ("offload.coalescing", offload.coalescing as f64),
        ("sil.recovery", sil.recovery),
        ("multilevel.levels", f64::from(levels.levels)),
        ("multilevel.factor", levels.factor as f64),
        ("multilevel.before", levels.before),
        ("multilevel.small", levels.small),
    ];
    for (path, own) in own {
        assert_eq!(text(path).parse().ok(), Some(own), "{path}");
    }
    let three = MultiLevel { levels: 3, ..levels };
    let after = format!("{}, with three levels {}", levels.steps_after(), three.steps_after());
    assert_eq!(text("multilevel.after"), after);
    let choices = [
        ("demo.scope", format!("{:?}", demo.scope)),
        ("demo.gather", format!("{:?}", demo.gather)),
        ("swap.what", format!("{:?}", swap.what)),
        ("sil.turns", format!("{:?}", sil.turns)),
        ("sil.hand_over", format!("{:?}", sil.hand_over)),
        ("sil.accept_unverified", format!("{:?}", sil.accept_unverified)),
    ];
    for (path, own) in choices {
        assert_eq!(text(path), own.to_lowercase(), "{path}");
    }
}
