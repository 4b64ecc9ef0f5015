//! The messages of a step's communications, kept from one fabric to the next: who sends to whom is
//! no matter of the fabric.

use std::sync::{Arc, Mutex, PoisonError};

use crate::collective::Policy;
use crate::traffic::{GroupedCall, Message};

/// The messages of one step on one placement that are routed one by one also where flows are only
/// spread, by communication and by the algorithms that run. Mixing steps or placements gives wrong
/// routes.
#[derive(Debug, Default)]
pub struct Messages {
    kept: Mutex<KeptMessages>,
}

/// Messages of a communication, by its place in the step.
type KnownMessages = (usize, Policy, Arc<[Message]>);

#[derive(Debug, Default)]
struct KeptMessages {
    calls: Vec<KnownMessages>,
    /// Messages of all calls, at most.
    messages: u64,
}

/// Most messages that are kept of a step: 32 bytes each.
const MOST: u64 = 1 << 20;

impl Messages {
    /// Every message of the call of the communication at `place`, in the order of the senders.
    pub(super) fn for_each(
        &self,
        place: usize,
        policy: &Policy,
        call: &GroupedCall<'_>,
        take: impl FnMut(Message),
    ) {
        match self.messages_of_call(place, policy, call) {
            Some(known) => known.iter().copied().for_each(take),
            None => call.for_each(take),
        }
    }

    /// The messages of a call; `None` where there are too many to be kept.
    fn messages_of_call(
        &self,
        place: usize,
        policy: &Policy,
        call: &GroupedCall<'_>,
    ) -> Option<Arc<[Message]>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = |(index, by, _): &&KnownMessages| (*index, by) == (place, policy);
        if let Some((.., known)) = kept.calls.iter().find(asked) {
            return Some(Arc::clone(known));
        }
        let most = call.max_messages();
        if kept.messages + most > MOST {
            return None;
        }
        let mut messages = Vec::new();
        call.for_each(|message| messages.push(message));
        let messages: Arc<[Message]> = messages.into();
        kept.messages += most;
        kept.calls.push((place, *policy, Arc::clone(&messages)));
        Some(messages)
    }
}
