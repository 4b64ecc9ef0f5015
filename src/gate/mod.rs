//! Two results held against each other and against rules: what changed, how much of it by
//! quantity and how much by price, why, and whether a rule is breached. Pure functions on plain
//! values: where the results come from, and how the answer looks, is not its business.

mod cause;
mod change;
mod digest;
mod guard;
mod judge;
mod movement;
mod quantity;
mod rule;
mod run;
mod snapshot;
mod strictness;
mod threshold;

pub use cause::{Cause, PriceChange};
pub use change::{Change, LineChange};
pub use digest::Digest;
pub use guard::{Finding, Found};
pub use judge::{Gate, Judged, Origin, Severity, Verdict};
pub use movement::{FactChange, Movement};
pub use quantity::{QuantityError, meant};
pub use rule::{Bound, Comparison, Rule, RuleError};
pub use run::{Report, RuleProblem, RuleProblemKind, check};
pub use snapshot::{Part, Provenance, Snapshot};
pub use threshold::Threshold;
