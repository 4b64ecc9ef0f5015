//! Which layers have experts, and layers of unlike kinds, as a spec says them.

use super::draft::{Draft, DraftValue};

/// Writes which layers have experts: how many dense ones come first, or else a pattern.
pub(super) fn write_expert_layers(sparse: &[bool], draft: &mut Draft) {
    let dense = sparse.iter().filter(|flag| !**flag).count();
    if sparse.iter().take(dense).all(|flag| !flag) {
        if dense > 0 {
            draft.set_count("model.moe", "dense_layers", dense as u64);
        }
        return;
    }
    let layer = |flag: &bool| if *flag { "*E".to_owned() } else { "*-".to_owned() };
    let layers: Vec<String> = sparse.iter().map(layer).collect();
    draft.set_key("model", "pattern", DraftValue::Word(layers_text(&layers)), "");
}

/// Layers, each as the letters of a pattern, in as short a text as says them.
pub(super) fn layers_text(layers: &[String]) -> String {
    let all = layers.len();
    let repeats = |period: &usize| {
        all.is_multiple_of(*period)
            && layers.iter().zip(layers.iter().cycle().skip(*period)).all(|(a, b)| a == b)
    };
    // A period of one layer would be read as a letter a layer.
    let period = (2..all).find(repeats).unwrap_or(all);
    let single = layers.iter().all(|layer| layer.len() == 1);
    layers[..period].join(if single { "" } else { " " })
}

#[cfg(test)]
mod tests {
    use super::write_expert_layers;
    use crate::import::draft::Draft;

    #[track_caller]
    fn written(list: &[bool]) -> String {
        let mut draft = Draft::new(String::new(), String::new());
        write_expert_layers(list, &mut draft);
        let entries = draft.entries.iter();
        entries.map(|entry| format!("{}.{} = {}", entry.table, entry.key, entry.value)).collect()
    }

    #[test]
    fn dense_layers_come_first_or_a_pattern_says_where_they_are() {
        assert_eq!(written(&[true; 4]), "");
        assert_eq!(written(&[false, true, true]), "model.moe.dense_layers = 1");
        assert_eq!(written(&[false, true, false, true]), "model.pattern = \"*- *E\"");
        assert_eq!(written(&[false, true, true, false]), "model.pattern = \"*- *E *E *-\"");
    }
}
