//! The calls of one step in order: what each pipeline stage sends, when, and what it waits for.
//!
//! A [`Ledger`] lists the same communications that the matrix sums, call by call: as many calls as
//! [`Step::calls`](super::step::Step::calls_per_step) counts, each with the flows that the collective's
//! algorithm gives. It counts no byte of its own and knows no seconds. A [`Recording`] has the
//! calls of a real job; a [`Difference`] holds it against the matrix.

pub(crate) mod chakra_trace;
mod difference;
mod measured_bytes;
mod recorded_calls;
mod schedule;
mod stage_calls;
mod stage_walk;

pub use difference::{BytesPair, Difference, NotPredicted, OnGroups, OnPair};
pub use recorded_calls::{RecordedCall, RecordedCause, Recording};
pub use schedule::{CallEntry, CallId, MicroBatchTurn, PassDirection, stage_turns};
pub use stage_calls::Ledger;
