//! What several plans or workloads have in common, told once.

/// Each of them once, in their order.
pub(crate) fn dedup_in_order<'a, T: Clone + PartialEq + 'a>(
    all: impl Iterator<Item = &'a T>,
) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for one in all {
        if !kept.contains(one) {
            kept.push(one.clone());
        }
    }
    kept
}
