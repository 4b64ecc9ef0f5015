//! The encoding of protocol buffers, as far as a trace is written in it.

/// A message that is being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// Its bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Adds a whole number, a flag or an enum.
    pub(super) fn number(mut self, field: u64, value: u64) -> Self {
        varint(field << 3, &mut self.0);
        varint(value, &mut self.0);
        self
    }

    /// Adds a text.
    pub(super) fn text(self, field: u64, value: &str) -> Self {
        self.counted(field, value.as_bytes())
    }

    /// Adds a message.
    pub(super) fn message(self, field: u64, value: &Self) -> Self {
        self.counted(field, &value.0)
    }

    /// Adds a packed list of whole numbers; nothing where it is empty.
    pub(super) fn packed(self, field: u64, values: &[u64]) -> Self {
        if values.is_empty() {
            return self;
        }
        let mut list = Vec::new();
        values.iter().for_each(|value| varint(*value, &mut list));
        self.counted(field, &list)
    }

    fn counted(mut self, field: u64, value: &[u8]) -> Self {
        const COUNTED: u64 = 2;
        varint(field << 3 | COUNTED, &mut self.0);
        varint(value.len() as u64, &mut self.0);
        self.0.extend_from_slice(value);
        self
    }
}

/// A number in groups of seven bits, the least first.
pub(super) fn varint(value: u64, out: &mut Vec<u8>) {
    let mut rest = value;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}
