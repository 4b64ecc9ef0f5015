//! A spec in the making: keys with values and where they come from, and what is not in it.

/// A value as a spec writes it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DraftValue {
    Count(u64),
    Flag(bool),
    Word(String),
}

/// One key of the spec.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DraftEntry {
    /// The table it stands in, such as `model.moe`.
    pub(super) table: &'static str,
    /// The key.
    pub(super) key: &'static str,
    /// What it holds.
    pub(super) value: DraftValue,
    /// What stands beside it; may be empty.
    pub(super) comment: String,
}

/// What a user says of the spec beside the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserChoices {
    /// Name of the model, for reports; `None` where the file's own will do.
    pub name: Option<String>,
    /// Training length of a sequence in tokens.
    pub sequence: Option<u64>,
    /// A model that ships, for files that name none.
    pub preset: Option<String>,
    /// Layers of that model, where it is known.
    pub layers: Option<u64>,
    /// Global batch in sequences.
    pub global_batch: Option<u64>,
    /// GPUs of the cluster.
    pub gpus: Option<u64>,
    /// The machine.
    pub node: Option<String>,
}

/// The draft of a spec.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// What it was made from, such as `a Hugging Face configuration of llama`.
    pub origin: String,
    /// Name of the model or the job.
    pub name: String,
    /// What the file does not say and was taken all the same, each with its value.
    pub assumed: Vec<String>,
    /// What the file says and the spec can't.
    pub lost: Vec<String>,
    /// Keys of the file that were not read.
    pub unread: Vec<String>,
    pub(super) entries: Vec<DraftEntry>,
}

impl Draft {
    pub(super) fn new(origin: String, name: String) -> Self {
        let (assumed, lost, unread) = (Vec::new(), Vec::new(), Vec::new());
        Self { origin, name, assumed, lost, unread, entries: Vec::new() }
    }

    /// What is assumed or lost, by the key of the spec where there is one: key or origin, and a sentence.
    #[must_use]
    pub fn remarks(&self) -> Vec<(String, String)> {
        let of_file = || "import".to_owned();
        let assumed = self.assumed.iter().map(|text| match text.split_once(" = ") {
            Some((key, value)) if !key.contains('`') => (key.to_owned(), value.to_owned()),
            _ => (of_file(), text.clone()),
        });
        let lost = self.lost.iter().map(|text| (of_file(), format!("not in the spec: {text}")));
        assumed.chain(lost).collect()
    }

    pub(super) fn set_count(&mut self, table: &'static str, key: &'static str, value: u64) {
        self.set_key(table, key, DraftValue::Count(value), "");
    }

    pub(super) fn set_flag(&mut self, table: &'static str, key: &'static str, value: bool) {
        self.set_key(table, key, DraftValue::Flag(value), "");
    }

    pub(super) fn set_key(
        &mut self,
        table: &'static str,
        key: &'static str,
        value: DraftValue,
        comment: &str,
    ) {
        self.entries.push(DraftEntry { table, key, value, comment: comment.to_owned() });
    }

    /// A key that the file does not say: `stated` by the user, or else taken to be `usual`.
    pub(super) fn put_or_assume(
        &mut self,
        (table, key): (&'static str, &'static str),
        stated: Option<DraftValue>,
        usual: DraftValue,
        comment: &str,
    ) {
        match stated {
            Some(value) => self.set_key(table, key, value, ""),
            None => {
                self.assumed.push(format!("{table}.{key} = {usual}: {comment}"));
                self.set_key(table, key, usual, &format!("assumed: {comment}"));
            }
        }
    }
}
