//! One file of a recording, as it was handed over.

/// A file of a recording.
#[derive(Clone, Debug)]
pub struct RecordingFile {
    /// Its name: that of a Chakra trace has the rank.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}
