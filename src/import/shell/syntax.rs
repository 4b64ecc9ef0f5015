//! The tree of a script: commands and the words that they are made of. No meaning.

use std::rc::Rc;

/// Commands one after the other.
pub(super) type Body = Rc<[Node]>;

/// A word before its expansion.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    pub(super) parts: Vec<Part>,
}

/// A part of a word; `quoted` ones are neither split nor patterns.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Literal {
        text: String,
        quoted: bool,
    },
    Parameter {
        parameter: Box<Parameter>,
        quoted: bool,
    },
    /// `$(…)` or back-ticks.
    Command {
        body: Body,
        quoted: bool,
    },
    /// `$((…))`: the expression before its expansion.
    Arithmetic {
        expression: Word,
        quoted: bool,
    },
    /// What is not known by its form: a placeholder such as `<path>`, with its text.
    Placeholder {
        text: String,
    },
}

/// `${…}`.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) index: Option<Index>,
    pub(super) operation: Operation,
    pub(super) line: usize,
}

/// What stands in the brackets behind a name.
#[derive(Clone, Debug)]
pub(super) enum Index {
    /// `[@]`, or `[*]` where it is joined.
    All {
        joined: bool,
    },
    One(Word),
}

/// What an expansion does with the value of a name.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Value,
    Length,
    /// Indices of an array.
    Keys,
    /// The value of the name that the value is.
    Indirect,
    /// `:-`, `:=`, `:+`, `:?`, or without the colon, where an empty value counts as one.
    Fallback {
        kind: Fallback,
        empty_counts: bool,
        word: Word,
    },
    Trim {
        end: bool,
        longest: bool,
        pattern: Word,
    },
    Replace {
        place: ReplacePlace,
        pattern: Word,
        with: Word,
    },
    Case {
        upper: bool,
        all: bool,
    },
    Slice {
        offset: Word,
        length: Option<Word>,
    },
    /// Known to bash and not here.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fallback {
    Default,
    Assign,
    Alternative,
    Refuse,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ReplacePlace {
    First,
    All,
    Start,
    End,
}

/// `NAME=…`, `NAME[i]=…`, `NAME+=…`.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) name: String,
    pub(super) index: Option<Word>,
    pub(super) append: bool,
    pub(super) value: Assigned,
}

#[derive(Clone, Debug)]
pub(super) enum Assigned {
    Text(Word),
    /// Elements of an array, some with an index.
    List(Vec<(Option<Word>, Word)>),
}

/// A command, with the line that it begins on.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) line: usize,
    pub(super) redirection: Redirection,
}

/// Where the text of a command goes to and comes from.
#[derive(Clone, Debug, Default)]
pub(super) struct Redirection {
    /// Standard output goes elsewhere.
    pub(super) output: Option<Word>,
    /// A here-document or here-string.
    pub(super) document: Option<Word>,
}

#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    Simple {
        assignments: Vec<Assignment>,
        words: Vec<Word>,
    },
    Pipeline {
        stages: Vec<Node>,
        negated: bool,
    },
    /// The first, and the others with whether the one before has to succeed.
    Chain {
        first: Box<Node>,
        rest: Vec<(bool, Node)>,
    },
    Group(Body),
    Subshell(Body),
    If {
        arms: Vec<(Body, Body)>,
        otherwise: Body,
    },
    Case {
        word: Word,
        arms: Vec<CaseArm>,
    },
    /// Over words, or over the arguments.
    For {
        name: String,
        list: Option<Vec<Word>>,
        body: Body,
    },
    /// `for ((…;…;…))`.
    Count {
        header: [Word; 3],
        body: Body,
    },
    While {
        until: bool,
        condition: Body,
        body: Body,
    },
    Function {
        name: String,
        body: Rc<Node>,
    },
    /// `((…))`.
    Arithmetic(Word),
    /// `[[ … ]]`.
    Test(Test),
}

#[derive(Clone, Debug)]
pub(super) struct CaseArm {
    pub(super) patterns: Vec<Word>,
    pub(super) body: Body,
    /// `;&`: the next arm runs too.
    pub(super) falls_through: bool,
}

/// An expression of `[[ ]]`.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Unary(String, Word),
    Binary(Word, String, Word),
    Plain(Word),
}
