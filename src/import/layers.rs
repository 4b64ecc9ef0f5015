//! Which layers have experts or windows, from the lists and rules that stacks write.

use super::draft::{Draft, DraftValue};
use crate::workload::SlidingWindow;

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

const TABLE: &str = "model.window";

/// Writes the table of a window of so many tokens on the layers that are `limited`, those with
/// attention from the bottom up; nothing where none is.
pub(super) fn write_windows(tokens: u64, limited: &[bool], draft: &mut Draft) {
    let count = limited.iter().filter(|flag| **flag).count();
    let (Ok(layers), Ok(all)) = (u32::try_from(count), u32::try_from(limited.len())) else {
        return;
    };
    if layers == 0 {
        return;
    }
    draft.set_count(TABLE, "tokens", tokens);
    draft.set_count(TABLE, "layers", layers.into());
    let says = |every| {
        let window = SlidingWindow { tokens, layers, every };
        (0..all).zip(limited).all(|(layer, flag)| window.is_limited(layer, all) == *flag)
    };
    if says(None) {
        return;
    }
    match (2..=all).find(|every| says(Some(*every))) {
        Some(every) => draft.set_count(TABLE, "every", every.into()),
        None => draft.lost.push(format!(
            "which {layers} of {all} layers have a window: here those that see the whole sequence \
             are spread evenly"
        )),
    }
}

/// A choice for each layer: a whole number that `of_every` knows how to take, or a list such as
/// `([0]*3+[1]*58)` or `[1,1,0]`, repeated where it is shorter.
pub(super) fn expand_layer_list(
    text: &str,
    layers: u64,
    of_every: impl Fn(u64, u64) -> bool,
) -> Vec<bool> {
    if let Ok(every) = text.trim().parse::<u64>() {
        return (0..layers).map(|layer| of_every(layer, every.max(1))).collect();
    }
    let mut list: Vec<bool> = Vec::new();
    for part in text.replace(['(', ')', ' '], "").split('+') {
        let (items, times) = part.split_once("]*").unwrap_or((part, "1"));
        let times: usize = times.parse().unwrap_or(1);
        let items: Vec<bool> =
            items.trim_matches(['[', ']']).split(',').map(|name| name.trim() == "1").collect();
        (0..times.min(10_000)).for_each(|_| list.extend(&items));
    }
    let length = list.len().max(1);
    (0..layers as usize).map(|layer| list.get(layer % length).copied().unwrap_or(true)).collect()
}

#[cfg(test)]
mod tests {
    use super::{expand_layer_list, write_expert_layers};
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

    #[test]
    fn patterns_of_layers_are_read() {
        let expand = |text: &str| expand_layer_list(text, 4, |layer, every| layer % every == 0);
        assert_eq!(expand("([0]*1+[1]*3)"), [false, true, true, true]);
    }
}
