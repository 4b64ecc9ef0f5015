//! What a file leaves to whoever starts it, as questions that name their answers.

use std::fmt;

/// Something that the file does not say and no default may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Where it is missed, such as `line 14`; may be empty.
    pub place: String,
    /// What is missing, as a sentence.
    pub missing: String,
    /// What to add to the command line, or to do.
    pub answer: String,
}

impl Question {
    pub(super) fn new(place: String, missing: String, answer: &str) -> Self {
        Self { place, missing, answer: answer.to_owned() }
    }

    /// The shape of the model.
    pub(super) fn of_model(looked: &str) -> Self {
        let missing = format!("the model's shape is not in {looked}");
        Self::new(String::new(), missing, "--preset NAME")
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}: `{}`", self.missing, self.answer)
    }
}
