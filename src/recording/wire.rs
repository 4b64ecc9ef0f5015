//! The encoding of protocol buffers, as far as a trace needs it: varints, fields, lengths. Knows no
//! message.

/// A field of a message: its number and what it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WireField<'a> {
    pub(super) number: u64,
    pub(super) value: WireValue<'a>,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WireValue<'a> {
    /// A varint: a whole number, a flag, an enum.
    Number(u64),
    /// A message, a text or a packed list.
    Bytes(&'a [u8]),
    /// A number of fixed width, which no trace needs.
    Other,
}

impl<'a> WireValue<'a> {
    /// The number, where it is one.
    pub(super) const fn as_number(self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Bytes(_) | Self::Other => None,
        }
    }

    /// The bytes, where it has some.
    pub(super) const fn as_bytes(self) -> Option<&'a [u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Number(_) | Self::Other => None,
        }
    }
}

/// A varint at the front, and what follows it.
pub(super) fn read_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (at, byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f).checked_shl(7 * at as u32)?;
        if byte & 0x80 == 0 {
            return Some((number, &bytes[at + 1..]));
        }
    }
    None
}

/// Messages that each stand behind their length; `None` where the bytes end in one.
pub(super) fn split_messages(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut rest = bytes;
    let mut messages = Vec::new();
    while !rest.is_empty() {
        let (message, after) = split_length_prefixed(rest)?;
        messages.push(message);
        rest = after;
    }
    Some(messages)
}

/// The fields of a message; `None` where it is none.
pub(super) fn read_fields(message: &[u8]) -> Option<Vec<WireField<'_>>> {
    const VARINT: u64 = 0;
    const FIXED_64: u64 = 1;
    const COUNTED: u64 = 2;
    const FIXED_32: u64 = 5;
    let mut rest = message;
    let mut fields = Vec::new();
    while !rest.is_empty() {
        let (tag, after) = read_varint(rest)?;
        let (value, after) = match tag & 7 {
            VARINT => {
                read_varint(after).map(|(number, after)| (WireValue::Number(number), after))?
            }
            FIXED_64 => (WireValue::Other, after.get(8..)?),
            COUNTED => split_length_prefixed(after)
                .map(|(bytes, after)| (WireValue::Bytes(bytes), after))?,
            FIXED_32 => (WireValue::Other, after.get(4..)?),
            _ => return None,
        };
        fields.push(WireField { number: tag >> 3, value });
        rest = after;
    }
    Some(fields)
}

/// Bytes behind their length, and what follows them.
fn split_length_prefixed(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = read_varint(bytes)?;
    rest.split_at_checked(usize::try_from(length).ok()?)
}

#[cfg(test)]
mod tests {
    use super::{WireField, WireValue, read_fields, read_varint, split_messages};

    #[test]
    fn the_examples_of_the_format_are_read() {
        // protobuf.dev, encoding: 150 in field 1; "testing" in field 2.
        assert_eq!(read_varint(&[0x96, 0x01, 7]), Some((150, &[7][..])));
        let number = WireField { number: 1, value: WireValue::Number(150) };
        assert_eq!(read_fields(&[0x08, 0x96, 0x01]), Some(vec![number]));
        let text = [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67];
        let testing = WireField { number: 2, value: WireValue::Bytes(b"testing") };
        assert_eq!(read_fields(&text), Some(vec![testing]));
        assert_eq!(split_messages(&[1, 8, 2, 9, 9]), Some(vec![&[8][..], &[9, 9][..]]));
        for cut in [&[0x96][..], &[0x08][..], &[0x12, 0x07, 0x74][..], &[0x0b][..]] {
            assert_eq!(read_fields(cut), None, "{cut:?}");
        }
        assert_eq!(split_messages(&[3, 1]), None);
        assert_eq!(read_varint(&[0xff; 11]), None);
    }
}
