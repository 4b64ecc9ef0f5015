//! A report before it is drawn: the screen that answers, then sections of sentences, lists and
//! tables. It knows no format.

use super::picture::Picture;
use super::table::Table;
use crate::report::picture::text_chart::Sketch;

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Document {
    /// What it is about: the first line.
    pub(super) title: String,
    /// The answer in few lines; `None` where the sections are the answer. A page has no use for it.
    pub(super) screen: Option<Screen>,
    pub(super) sections: Vec<Section>,
    /// The table that a spreadsheet gets.
    pub(super) sheet: Table,
}

/// The answer of a command in few lines: all that is shown unless more is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Screen {
    pub(super) rows: Vec<Row>,
    /// Sections that belong to the answer: they stand below the rows at every level but the
    /// briefest.
    pub(super) more: Vec<Section>,
    /// One or two sentences, in the last lines whatever stands above.
    pub(super) verdict: String,
    /// What scripts get, line by line, never wrapped.
    pub(super) brief: Vec<String>,
}

impl Screen {
    /// One that ends in a verdict, which is all that scripts get.
    pub(super) fn from_verdict(verdict: String) -> Self {
        Self { brief: vec![verdict.clone()], verdict, ..Self::default() }
    }
}

/// Lines behind a label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// At most nine letters.
    pub(super) label: &'static str,
    /// Each starts a line.
    pub(super) lines: Vec<String>,
    /// What stands instead where a report is narrower than usual; none of them drops the row.
    pub(super) narrow: Option<Vec<String>>,
    /// Whether it wants attention.
    pub(super) warns: bool,
}

impl Row {
    /// A row that is the same in every width.
    pub(super) fn new(label: &'static str, lines: Vec<String>) -> Self {
        Self { label, lines, narrow: None, warns: false }
    }

    /// A row of one line.
    pub(super) fn with_line(label: &'static str, line: String) -> Self {
        Self::new(label, vec![line])
    }

    /// Says something shorter where the report is narrow.
    pub(super) fn with_narrow_lines(self, lines: Vec<String>) -> Self {
        Self { narrow: Some(lines), ..self }
    }
}

/// At which level of detail a section is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum SectionRank {
    /// It is the summary, or belongs to it.
    Summary,
    /// Always, but not in a summary.
    #[default]
    Usual,
    /// Where it is asked for by name: it has nothing to report.
    Asked,
    /// It is long: this sentence stands for it unless all is asked for.
    Long(String),
}

/// A part of a report under one heading.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Section {
    /// One or two words in capitals; empty for the opening.
    pub(super) heading: &'static str,
    /// What stands beside the heading; may be empty.
    pub(super) lead: String,
    pub(super) parts: Vec<SectionPart>,
    pub(super) rank: SectionRank,
}

/// Something under a heading.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SectionPart {
    /// A sentence, or a few facts in one.
    Line(String),
    /// Something that wants attention.
    Warning {
        /// A stable name such as `W07`.
        code: &'static str,
        /// What is the matter and what to do.
        text: String,
    },
    /// A table.
    Table(Table),
    /// A few numbers that stand for all, each with its name. They stand in the text too, so that
    /// only a page shows them.
    Figures(Vec<(String, String)>),
    /// Lines behind labels, as a screen has them; only a page shows them.
    Facts(Vec<(String, Vec<String>)>),
    /// A picture. What it shows stands in a table or in words too, so that only a page shows it.
    Picture(Picture),
    /// A drawing that comes finished, as a whole SVG on white; only a page shows it.
    Drawing {
        /// What it shows, in a few words.
        title: String,
        /// What someone has to know who can't see it.
        words: String,
        svg: String,
    },
    /// Text that is kept as it is, line by line.
    Verbatim(String),
    /// A picture of plain characters; a page has a better one and leaves it out.
    Sketch(Sketch),
}

impl Section {
    /// A section that is still empty.
    pub(super) fn new(heading: &'static str, lead: impl Into<String>) -> Self {
        Self { heading, lead: lead.into(), parts: Vec::new(), rank: SectionRank::Usual }
    }

    /// Makes it part of the summary.
    pub(super) fn with_summary_rank(self) -> Self {
        Self { rank: SectionRank::Summary, ..self }
    }

    /// Takes it out of the summary.
    pub(super) fn with_usual_rank(self) -> Self {
        Self { rank: SectionRank::Usual, ..self }
    }

    /// Says "none", and that only where it is asked for.
    pub(super) fn add_empty_note(self) -> Self {
        Self { lead: "none".into(), rank: SectionRank::Asked, ..self }
    }

    /// Makes it long: unless all is asked for, that sentence stands for it.
    pub(super) fn with_long_rank(self, brief: impl Into<String>) -> Self {
        Self { rank: SectionRank::Long(brief.into()), ..self }
    }

    /// Its name as it is typed: `what-would-change-it`; empty for an opening.
    pub(super) fn name(&self) -> String {
        self.heading.to_lowercase().replace(' ', "-")
    }

    /// Adds a sentence.
    pub(super) fn add_line(mut self, text: impl Into<String>) -> Self {
        self.parts.push(SectionPart::Line(text.into()));
        self
    }

    /// Adds a table, unless it has no rows.
    pub(super) fn add_table(mut self, table: Table) -> Self {
        if !table.rows.is_empty() {
            self.parts.push(SectionPart::Table(table));
        }
        self
    }

    /// Takes in another section: its heading and what stands beside it as a sentence, then the
    /// rest.
    pub(super) fn merge_section(self, other: Self) -> Self {
        let mut section =
            self.add_line(format!("{}: {}", other.heading.to_lowercase(), other.lead));
        section.parts.extend(other.parts);
        section
    }

    /// Puts a finished drawing above all else.
    pub(super) fn add_drawing_on_top(mut self, title: &str, words: &str, svg: String) -> Self {
        let (title, words) = (title.to_owned(), words.to_owned());
        self.parts.insert(0, SectionPart::Drawing { title, words, svg });
        self
    }

    /// Puts pictures above all else; those that have nothing to show are `None`.
    pub(super) fn add_pictures_on_top(
        mut self,
        pictures: impl IntoIterator<Item = Option<Picture>>,
    ) -> Self {
        let pictures = pictures.into_iter().flatten().map(SectionPart::Picture);
        self.parts.splice(0..0, pictures);
        self
    }
}
