//! How one of several links is picked where a flow takes one way only. Knows no fabric.

/// How a switch picks one of several links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkPick {
    /// By a hash of the two NICs.
    Hashed,
    /// The one with the fewest bytes so far; of equals the first.
    Emptiest,
}

impl LinkPick {
    /// Adaptive routing, then equal-cost routing.
    pub(super) const BOTH: [Self; 2] = [Self::Emptiest, Self::Hashed];

    /// One of some links, each with a load; `None` where there are none.
    pub(super) fn pick_link<T>(
        self,
        mut links: impl Iterator<Item = T> + Clone,
        load: impl Fn(&T) -> f64,
        hash: u64,
    ) -> Option<T> {
        match self {
            Self::Hashed => {
                let count = links.clone().count().max(1) as u64;
                links.nth((hash % count) as usize)
            }
            Self::Emptiest => {
                links.reduce(|best, link| if load(&link) < load(&best) { link } else { best })
            }
        }
    }
}

/// A hash of two numbers: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
pub(super) const fn mix_hash(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
