//! A wire that remembers every byte.

use planner::step::TrafficKind;

/// Bytes sent, by sender, receiver and kind.
pub(crate) struct Wire {
    ranks: usize,
    sent: Vec<[u128; 5]>,
}

impl Wire {
    pub(crate) fn new(ranks: u32) -> Self {
        let ranks = ranks as usize;
        Self { ranks, sent: vec![[0; 5]; ranks * ranks] }
    }

    pub(crate) fn send(&mut self, kind: TrafficKind, from: u32, to: u32, bytes: u128) {
        assert_ne!(from, to, "no rank sends to itself");
        self.sent[from as usize * self.ranks + to as usize][kind as usize] += bytes;
    }

    pub(crate) fn between(&self, from: u32, to: u32) -> [u128; 5] {
        self.sent[from as usize * self.ranks + to as usize]
    }
}
