//! What a script is given, and what it comes to.

use std::collections::BTreeMap;

use super::holes::{Holes, Place};

/// What a script is given.
pub struct ScriptInput<'a> {
    /// Name of its file, without a folder.
    pub name: &'a str,
    /// Names that the user states.
    pub environment: &'a BTreeMap<String, String>,
    /// Names that are set without being stated, as by a scheduler.
    pub preset: &'a BTreeMap<String, String>,
    /// The script's arguments.
    pub arguments: &'a [String],
    /// A name that falls back to nothing (`${NAME:-}`) is unknown rather than empty.
    pub open: bool,
    /// The text of a file by its path below the folder of the script, or, of one that stands
    /// elsewhere, by `../` and its name alone: only a file that the user names may answer that.
    pub read_file: &'a dyn Fn(&str) -> Option<String>,
}

/// A program that the script would run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its words, the program first.
    pub words: Vec<String>,
    /// Where it stands.
    pub place: Place,
    /// Words of the launcher that its script is an argument of; may be empty.
    pub launcher: Vec<String>,
    /// Holes of the conditions that it hangs on.
    pub doubts: String,
    /// The line of the call of a function that it is run by, else its own.
    pub call: usize,
    /// Names of the loops around it, with their words in this turn.
    pub turns: Vec<(String, String)>,
}

/// What a script comes to.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// Programs in the order in which they would run.
    pub commands: Vec<Command>,
    /// Names with their words at the end: elements of an array, or a text cut at blanks.
    pub lists: BTreeMap<String, Vec<String>>,
    /// Here-documents: the file that each is written to, which may be empty, and its text.
    pub documents: Vec<(String, String)>,
    /// Names with the default that the script has for them.
    pub defaults: BTreeMap<String, String>,
    /// Sourced files that are not there.
    pub missing: Vec<(String, Place)>,
    /// Names that the user states and the script sets, with the place.
    pub overwritten: BTreeMap<String, Place>,
    /// A loop over the script's options was left out, as there are no arguments.
    pub optionless: bool,
    /// Lines that are no commands.
    pub unreadable: Vec<Place>,
    /// Where the script ends before its last line.
    pub stopped: Option<Place>,
    /// The script asks for more work than is done for one.
    pub exhausted: bool,
    pub(super) holes: Holes,
}

impl Evaluation {
    /// All holes of the script, for who shows its texts.
    #[must_use]
    pub fn holes(&self) -> &Holes {
        &self.holes
    }
}
