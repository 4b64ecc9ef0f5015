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
    pub(super) fn add_number(mut self, field: u64, value: u64) -> Self {
        write_varint(field << 3, &mut self.0);
        write_varint(value, &mut self.0);
        self
    }

    /// Adds a text.
    pub(super) fn add_text(self, field: u64, value: &str) -> Self {
        self.add_counted_bytes(field, value.as_bytes())
    }

    /// Adds a message.
    pub(super) fn add_message(self, field: u64, value: &Self) -> Self {
        self.add_counted_bytes(field, &value.0)
    }

    /// Adds a packed list of whole numbers; nothing where it is empty.
    pub(super) fn add_packed_numbers(self, field: u64, values: &[u64]) -> Self {
        if values.is_empty() {
            return self;
        }
        let mut list = Vec::new();
        values.iter().for_each(|value| write_varint(*value, &mut list));
        self.add_counted_bytes(field, &list)
    }

    fn add_counted_bytes(mut self, field: u64, value: &[u8]) -> Self {
        const COUNTED: u64 = 2;
        write_varint(field << 3 | COUNTED, &mut self.0);
        write_varint(value.len() as u64, &mut self.0);
        self.0.extend_from_slice(value);
        self
    }
}

/// A number in groups of seven bits, the least first.
pub(super) fn write_varint(value: u64, out: &mut Vec<u8>) {
    let mut rest = value;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}
