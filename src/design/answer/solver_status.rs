//! How far an answer is proven, as results name it. Proves nothing.

/// How far the answer is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SolverStatus {
    /// Nothing can be cheaper.
    Optimal,
    /// Stopped at a gap that was allowed.
    GapLimit,
    /// No fabric costs less for its pace, and how much of the time trains on those that were not looked at is only
    /// bounded: what is open is the gap.
    GoodputBound,
    /// A limit on the nodes of the search was reached; the best found so far.
    NodeLimit,
    /// Somebody ended the choice before it was finished; the best found so far.
    Interrupted,
}

impl SolverStatus {
    /// Name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::GapLimit => "gap-limit",
            Self::GoodputBound => "goodput-bound",
            Self::NodeLimit => "node-limit",
            Self::Interrupted => "interrupted",
        }
    }
}
