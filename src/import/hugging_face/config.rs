//! Keys with aliases; width, depth, heads.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::families::ModelFamily;
use crate::import::draft::{Draft, whole_number};
use crate::import::problems::ImportProblem;

/// The keys of a configuration.
pub(super) struct Config<'a> {
    file: &'a Map<String, Value>,
    class: Option<&'a Map<String, Value>>,
    read: RefCell<BTreeSet<String>>,
    taken: RefCell<BTreeSet<String>>,
}

impl<'a> Config<'a> {
    pub(super) fn new(file: &'a Map<String, Value>, class: Option<&'a Map<String, Value>>) -> Self {
        Self { file, class, read: RefCell::default(), taken: RefCell::default() }
    }

    /// The value of the first key that is there and not null, with its key.
    pub(super) fn first_value(&self, keys: &[&str]) -> Option<(String, &'a Value)> {
        self.read.borrow_mut().extend(keys.iter().map(|key| (*key).to_owned()));
        let stated =
            keys.iter().filter_map(|key| Some(((*key).to_owned(), find_value(self.file, key)?)));
        if let Some((key, value)) = stated.clone().find(|(_, value)| !value.is_null()) {
            return Some((key, value));
        }
        // Null stands for nothing, not for the default of the class.
        if stated.count() > 0 {
            return None;
        }
        let class = self.class?;
        let (key, value) =
            keys.iter().find_map(|key| Some(((*key).to_owned(), find_value(class, key)?)))?;
        if value.is_null() {
            return None;
        }
        self.taken.borrow_mut().insert(format!("`{key}` = {value}"));
        Some((key, value))
    }

    /// Whether the file itself has a key.
    pub(super) fn is_stated(&self, key: &str) -> bool {
        self.file.contains_key(key)
    }

    /// A whole number that need not be there.
    pub(super) fn optional_count(&self, keys: &[&str]) -> Result<Option<u64>, ImportProblem> {
        let Some((key, value)) = self.first_value(keys) else { return Ok(None) };
        whole_number(value).map(Some).ok_or_else(|| value_problem(key, value, "a whole number"))
    }

    /// A whole number that has to be there.
    pub(super) fn required_count(&self, keys: &[&str]) -> Result<u64, ImportProblem> {
        let missing = || ImportProblem::Missing { key: keys.join("` or `") };
        self.optional_count(keys)?.ok_or_else(missing)
    }

    /// Layers of the model, as many as a spec can have.
    pub(super) fn layer_count(&self) -> Result<u64, ImportProblem> {
        /// Most layers of a spec.
        const MOST: u64 = 10_000;
        let keys = ["num_hidden_layers", "n_layer", "n_layers", "num_layers"];
        match self.required_count(&keys)? {
            layers if layers <= MOST => Ok(layers),
            layers => Err(ImportProblem::Value {
                key: keys[0].to_owned(),
                value: layers.to_string(),
                wanted: "a whole number up to 10000",
            }),
        }
    }

    /// A switch that need not be there.
    pub(super) fn optional_flag(&self, keys: &[&str]) -> Result<Option<bool>, ImportProblem> {
        let Some((key, value)) = self.first_value(keys) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| value_problem(key, value, "true or false"))
    }

    /// A list that need not be there.
    pub(super) fn optional_list(&self, keys: &[&str]) -> Option<&'a Vec<Value>> {
        self.first_value(keys)?.1.as_array()
    }

    /// A list of one entry a layer; files go on with layers that predict further tokens.
    pub(super) fn layer_list(&self, key: &str) -> Option<&'a [Value]> {
        let list = self.optional_list(&[key])?;
        let layers = usize::try_from(self.layer_count().ok()?).ok()?;
        Some(&list[..list.len().min(layers)])
    }

    /// What was taken from the class, as the file does not say it.
    pub(super) fn keys_from_class_defaults(&self) -> Vec<String> {
        self.taken.borrow().iter().cloned().collect()
    }

    /// Keys of the file that nobody asked for.
    pub(super) fn unread_keys(&self) -> Vec<String> {
        let read = self.read.borrow();
        let asked =
            |key: &str| read.iter().any(|text| text == key || text.split('.').next() == Some(key));
        self.file.keys().filter(|key| !asked(key)).cloned().collect()
    }
}

/// A key, or one in an inner object: `attn_config.kv_n_heads`.
fn find_value<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    match key.split_once('.') {
        None => map.get(key),
        Some((outer, inner)) => map.get(outer)?.as_object()?.get(inner),
    }
}

fn value_problem(key: String, value: &Value, wanted: &'static str) -> ImportProblem {
    ImportProblem::Value { key, value: value.to_string(), wanted }
}

const TABLE: &str = "model";
const LATENT: &str = "model.latent_attention";

/// What later parts need of the shape.
pub(super) struct ModelShape {
    pub(super) layers: u64,
    pub(super) ffn: u64,
}

/// Writes the shape; `layers` are counted where they are listed one by one.
pub(super) fn write_shape(
    config: &Config<'_>,
    name: &str,
    family: ModelFamily,
    layers: Option<u64>,
    tied: Option<bool>,
    draft: &mut Draft,
) -> Result<ModelShape, ImportProblem> {
    let layers = match layers {
        Some(layers) => layers,
        None => config.layer_count()?,
    };
    let hidden = config.required_count(&["hidden_size", "n_embd", "d_model"])?;
    let heads = config.required_count(&[
        "num_attention_heads",
        "n_head",
        "n_heads",
        "num_heads",
        "attention_heads",
    ])?;
    draft.set_count(TABLE, "layers", layers);
    draft.set_count(TABLE, "hidden", hidden);
    draft.set_count(TABLE, "heads", heads);
    let latent = config
        .optional_count(&["kv_lora_rank"])?
        .filter(|_| config.first_value(&["qk_nope_head_dim"]).is_some());
    let kv = kv_heads(config, name, heads)?;
    let head = config.optional_count(&["head_dim", "attention_head_dim"])?;
    if latent.is_none() {
        draft.set_count(TABLE, "kv_heads", kv);
        draft.set_count(TABLE, "head_dim", head.unwrap_or(hidden / heads.max(1)));
    }
    let ffn = config.optional_count(&[
        "intermediate_size_mlp",
        "intermediate_size",
        "n_inner",
        "ffn_dim",
        "ffn_hidden_size",
        "ffn_config.ffn_hidden_size",
    ])?;
    let ratio = config.optional_count(&["expansion_ratio"])?.unwrap_or(4);
    let ffn = ffn.filter(|width| *width > 0).unwrap_or(ratio.saturating_mul(hidden));
    let ffn = match name {
        // Its layers without experts have the block that others have beside them.
        "granitemoehybrid" => config.required_count(&["shared_intermediate_size"])?,
        _ => ffn,
    };
    draft.set_count(TABLE, "ffn", ffn);
    draft.set_flag(TABLE, "gated_ffn", family.gated);
    draft.set_count(TABLE, "vocab", config.required_count(&["vocab_size"])?);
    let own = config.optional_flag(&["tie_word_embeddings"])?;
    draft.set_flag(TABLE, "tied_embeddings", tied.or(own).unwrap_or(false));
    let extra = config.optional_count(&["num_nextn_predict_layers"])?.unwrap_or(0);
    if extra > 0 {
        draft.set_count(TABLE, "mtp_layers", extra);
    }
    if let Some(rank) = latent {
        draft.set_count(LATENT, "q_lora", config.optional_count(&["q_lora_rank"])?.unwrap_or(0));
        draft.set_count(LATENT, "kv_lora", rank);
        draft.set_count(LATENT, "qk_nope", config.required_count(&["qk_nope_head_dim"])?);
        draft.set_count(LATENT, "qk_rope", config.required_count(&["qk_rope_head_dim"])?);
        let width = config.required_count(&["v_head_dim"])?;
        draft.set_count(LATENT, "v_dim", width);
        // `head_dim` of such a file is the rotary width.
        draft.set_count(TABLE, "head_dim", width);
    }
    write_lost_parts(config, family, name, hidden, draft)?;
    Ok(ModelShape { layers, ffn })
}

fn kv_heads(config: &Config<'_>, name: &str, heads: u64) -> Result<u64, ImportProblem> {
    let stated = config.optional_count(&[
        "num_key_value_heads",
        "num_kv_heads",
        "n_head_kv",
        "num_attention_groups",
        "attn_config.kv_n_heads",
    ])?;
    let shared = match name {
        "falcon" => {
            config.optional_flag(&["multi_query"])? == Some(true)
                && config.optional_flag(&["new_decoder_architecture"])? != Some(true)
        }
        "gpt_bigcode" => config.optional_flag(&["multi_query"])? != Some(false),
        _ => false,
    };
    Ok(if shared { 1 } else { stated.unwrap_or(heads) })
}

/// Blocks side by side; and what the model has and a spec does not.
fn write_lost_parts(
    config: &Config<'_>,
    family: ModelFamily,
    name: &str,
    hidden: u64,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let serial = name == "gpt_neox"
        && config.optional_flag(&["use_parallel_residual"])? == Some(false)
        || name == "falcon"
            && config.optional_flag(&["parallel_attn"])? == Some(false)
            && config.optional_flag(&["new_decoder_architecture"])? != Some(true);
    if name == "gpt_oss" {
        draft.set_flag(TABLE, "attention_sinks", true);
    }
    if name.starts_with("muse_") {
        draft.set_flag(TABLE, "attention_gate", true);
    }
    if family.parallel && !serial {
        draft.set_flag(TABLE, "parallel_blocks", true);
    }
    let positions = ["gpt2", "gpt_neo", "gpt_bigcode", "opt", "biogpt"];
    let learned = config.optional_count(&["n_positions", "max_position_embeddings"])?;
    if let Some(count) = learned.filter(|_| positions.contains(&name)) {
        draft.lost.push(format!(
            "a table of {count} learned positions: {} elements",
            u128::from(count) * u128::from(hidden)
        ));
    }
    if let Some(inner) =
        config.optional_count(&["word_embed_proj_dim"])?.filter(|width| *width != hidden)
    {
        draft.lost.push(format!(
            "the embedding is {inner} wide and projected to {hidden}; here it is as wide as the \
             layers"
        ));
    }
    Ok(())
}
