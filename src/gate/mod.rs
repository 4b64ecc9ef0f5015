//! Two results held against each other and against rules: what changed, how much of it by
//! quantity and how much by price, why, and whether a rule is breached. Pure functions on plain
//! values: where the results come from, and how the answer looks, is not its business.

mod cause;
mod change;
mod digest;
mod finding;
mod guard;
mod judge;
mod movement;
mod problem;
mod quantity;
mod rule;
mod run;
mod snapshot;
mod stated;
mod strictness;
mod threshold;

pub use cause::{ChangeCause, PriceChange, RateChange};
pub use change::{CapexChange, LineChange};
pub use digest::Digest;
pub use finding::{Finding, GateFinding};
pub use judge::Judged;
pub use movement::{FactChange, Movement};
pub use problem::{RuleProblem, RuleProblemKind};
pub use quantity::{QuantityError, resolve_figure_name};
pub use rule::{Rule, RuleBound, RuleComparison, RuleError};
pub use run::{CheckReport, check_snapshots};
pub use snapshot::{Provenance, Snapshot, SnapshotPart};
pub use stated::{RuleOrigin, Severity, StatedRule, Verdict};
pub use threshold::Threshold;
