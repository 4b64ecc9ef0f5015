//! What a comparison finds.

use super::attribution::Attribution;
use super::baseline::Baseline;
use super::contender::BaselineResult;
use crate::design::Plan;

/// A design beside baselines.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The design.
    pub design: Plan,
    /// The baselines, in the order asked for; `clos` gives two. One that can't be built of what
    /// is on offer is left out and named in `missing`.
    pub contenders: Vec<BaselineResult>,
    /// Baselines that can't be built.
    pub missing: Vec<Baseline>,
    /// Where the saving against the paper's Clos comes from; `None` where no model can build it, and
    /// of several clusters together.
    pub attribution: Option<Attribution>,
    /// Of several clusters each by itself, parts in their order or stages in theirs. What stands
    /// above is of all of them together then, and a slowdown that of the one that is slowed most.
    pub each: Vec<Comparison>,
}

impl Comparison {
    /// A design beside nothing: somebody ended the work before there was anything.
    pub(super) fn design_only(design: Plan) -> Self {
        let (contenders, missing) = (Vec::new(), Vec::new());
        Self { design, contenders, missing, attribution: None, each: Vec::new() }
    }
}
