//! Names of the environment in recipes: Primus' `${NAME:value}`, OmegaConf's `${oc.env:NAME,value}`.

use std::collections::BTreeMap;

use serde_json::Value;

/// How a stack writes a name and what stands for it otherwise.
#[derive(Clone, Copy)]
pub(super) struct NameStyle {
    opening: &'static str,
    separator: char,
}

pub(super) const PRIMUS: NameStyle = NameStyle { opening: "${", separator: ':' };
pub(super) const OMEGA: NameStyle = NameStyle { opening: "${oc.env:", separator: ',' };

/// A text with the user's values of its names, or else those that stand there; the name that has
/// neither is the error.
pub(super) fn fill_in_names(
    text: &str,
    style: NameStyle,
    environment: &BTreeMap<String, String>,
    told: &mut Vec<String>,
) -> Result<String, String> {
    let (mut left, mut filled) = (text, String::new());
    while let Some((before, rest)) = left.split_once(style.opening) {
        let Some((inside, behind)) = rest.split_once('}') else { break };
        let (name, usual) =
            inside.split_once(style.separator).map_or((inside, None), |(n, u)| (n, Some(u.trim())));
        let name = name.trim();
        let stated = environment.get(name).map(String::as_str);
        let value = stated.or(usual).ok_or(name)?;
        // Paths and names are many and decide nothing.
        if stated.is_none() && (value.parse::<u64>().is_ok() || behind.ends_with(".yaml")) {
            told.push(format!("{name}={value}: a default of the file; `--env` states another"));
        }
        filled.push_str(before);
        filled.push_str(value);
        left = behind;
    }
    filled.push_str(left);
    Ok(filled)
}

/// Fills OmegaConf's names in, however deep; those without a value stay.
pub(super) fn fill_in_tree(
    value: &mut Value,
    environment: &BTreeMap<String, String>,
    told: &mut Vec<String>,
) {
    match value {
        Value::String(text) if text.contains(OMEGA.opening) => {
            if let Ok(filled) = fill_in_names(text, OMEGA, environment, told) {
                *text = filled;
            }
        }
        Value::Array(items) => {
            items.iter_mut().for_each(|item| fill_in_tree(item, environment, told));
        }
        Value::Object(table) => {
            table.values_mut().for_each(|item| fill_in_tree(item, environment, told));
        }
        _ => {}
    }
}

/// The flag that answers a text with a name, or what else to do.
pub(super) fn answer_of(text: &str) -> String {
    let inside = text.split_once(OMEGA.opening).and_then(|(_, rest)| rest.split_once('}'));
    match inside {
        Some((name, _)) => format!("--env {}=VALUE", name.trim()),
        None => "write the value into the file".to_owned(),
    }
}
