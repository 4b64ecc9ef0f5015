//! `model.window` as far as a spec can say it: how many layers see the last tokens alone, and which.

use super::draft::Draft;
use crate::workload::SlidingWindow;

const TABLE: &str = "model.window";

/// Writes the table of a window of so many tokens on the layers that are `limited`, those with attention
/// from the bottom up; nothing where none is.
pub(super) fn write(tokens: u64, limited: &[bool], draft: &mut Draft) {
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
            "which {layers} of {all} layers have a window: here those that see the whole sequence are \
             spread evenly"
        )),
    }
}
