//! The calls of one step in order: what each pipeline stage sends, when, and what it waits for.
//!
//! A [`Ledger`] lists the same communications that the matrix sums, call by call: as many calls as
//! [`Step::calls`](crate::step::Step::calls_per_step) counts, each with the flows that the collective's
//! algorithm gives. It counts no byte of its own and knows no seconds. A [`Recording`] has the calls of a
//! real job; a [`Difference`] holds it against the matrix.

mod assign;
mod block;
mod difference;
mod entry;
mod measured;
mod recorded;
mod stage;
mod turn;

pub use difference::{BytesPair, Difference, NotPredicted, OnGroups, OnPair};
pub use entry::{CallEntry, CallId};
pub use recorded::{RecordedCall, RecordedCause, Recording};
pub use stage::Ledger;
pub use turn::{MicroBatchTurn, PassDirection, stage_turns};
