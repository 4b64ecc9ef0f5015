//! Circles in who uses whom.

use std::collections::{BTreeMap, BTreeSet};

/// Everyone with those that it uses.
pub(crate) type Uses = BTreeMap<String, BTreeSet<String>>;

/// Groups of which each member uses every other one, directly or by others; a single one that
/// uses itself is none.
pub(crate) fn circles(uses: &Uses) -> Vec<Vec<String>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        uses.keys().map(|from| (from.as_str(), reached(uses, from))).collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for (from, there) in &reach {
        if found.iter().flatten().any(|known| known == from) {
            continue;
        }
        let back = |to: &&&str| reach.get(**to).is_some_and(|texts| texts.contains(from));
        let circle: BTreeSet<&str> = there.iter().filter(back).copied().collect();
        if circle.len() > 1 {
            found.push(circle.into_iter().map(str::to_owned).collect());
        }
    }
    found
}

/// Everyone that `from` uses, directly or by others.
fn reached<'a>(uses: &'a Uses, from: &str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&str> = vec![from];
    while let Some(at) = open.pop() {
        for to in uses.get(at).into_iter().flatten() {
            if seen.insert(to.as_str()) {
                open.push(to);
            }
        }
    }
    seen
}

#[test]
fn who_comes_back_to_itself_by_others_is_in_a_circle() {
    let uses = |arrows: &[(&str, &str)]| {
        let mut all = Uses::new();
        for (from, to) in arrows {
            all.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        all
    };
    assert!(circles(&uses(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    assert_eq!(circles(&uses(&[("a", "b"), ("b", "a"), ("b", "c")])), [["a", "b"]]);
    let two = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d")];
    assert_eq!(circles(&uses(&two)), [vec!["a", "b", "c"], vec!["d", "e"]]);
}
