//! How far the choice of a layout is proven. Proves nothing.

/// How far the choice of the layout is proven.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LayoutsProven {
    /// Layouts that break no rule and were looked at, on all machines.
    pub looked_at: u64,
    /// Layouts of which networks were sized, with each number of planes and each protocol counted by
    /// itself.
    pub sized: u64,
    /// What a layout that was not sized could save at most, as a share of the answer; 0 where bounds
    /// exclude all of them: their steps are longer than is allowed, or no network is cheap enough.
    pub gap: f64,
}
