//! A short stand-in for something long.

use std::fmt;

/// A short stand-in for something long: equal where that is equal, and else almost surely not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// FNV-1a, 64 bits (Fowler, Noll, Vo; IETF draft-eastlake-fnv), over the debug text: floats
    /// are in it to their last digit, and no order in a scenario is by chance. Nobody gains by
    /// forging one, so it need not be cryptographic.
    #[must_use]
    pub fn hash_debug_text(value: &impl fmt::Debug) -> Self {
        const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0100_0000_01b3;
        let hash = format!("{value:?}")
            .bytes()
            .fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
        Self(hash)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Fingerprint;

    #[test]
    fn the_hash_is_the_published_one() {
        // Debug text of a unit-like value is its name: FNV-1a of `a` is a published test vector.
        #[derive(Debug)]
        #[allow(non_camel_case_types, reason = "the name is the input")]
        struct a;
        assert_eq!(Fingerprint::hash_debug_text(&a).to_string(), "af63dc4c8601ec8c");
    }
}
