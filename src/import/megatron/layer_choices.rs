//! Lists that choose for each layer, as Megatron-LM's flags write them.

/// A choice for each layer: a whole number that `of_every` knows how to take, or a list such as
/// `([0]*3+[1]*58)` or `[1,1,0]`, repeated where it is shorter.
pub(super) fn expand_pattern(
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
    use super::expand_pattern;

    #[test]
    fn patterns_of_layers_are_read() {
        let expand = |text: &str| expand_pattern(text, 4, |layer, every| layer % every == 0);
        assert_eq!(expand("([0]*1+[1]*3)"), [false, true, true, true]);
    }
}
