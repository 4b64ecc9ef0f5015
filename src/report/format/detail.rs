//! How much of a document is drawn: its summary, all but what is long, everything, or the sections
//! that were asked for. It changes no section but one that is long.

use std::borrow::Cow;

use super::super::document::{Document, Section, SectionRank};

/// How much of a report is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail<'a> {
    /// The summary alone; all that is usual of a report that has none.
    Summary,
    /// All but what is long, of which a sentence says how to see it.
    #[default]
    Usual,
    /// Everything.
    Full,
    /// The sections of these names, whole.
    Sections(&'a [String]),
    /// Nothing but the names of the sections, one a line.
    Names,
}

/// What is drawn of a document.
pub(super) fn shown_parts<'a>(document: &'a Document, detail: Detail<'_>) -> Cow<'a, Document> {
    let some = |sections: Vec<Section>| {
        // Sections are for people; who wants the sheet takes it from the document.
        Cow::Owned(Document { title: document.title.clone(), sections, ..Document::default() })
    };
    let chosen = |pair: &dyn Fn(&Section) -> bool| -> Vec<Section> {
        document.sections.iter().filter(|section| pair(section)).cloned().collect()
    };
    let usual = || some(chosen(&has_content).into_iter().map(shorten_section).collect());
    match detail {
        Detail::Names => Cow::Borrowed(document),
        Detail::Full => some(chosen(&has_content)),
        Detail::Usual => usual(),
        Detail::Sections(names) => {
            some(chosen(&|this_section| names.iter().any(|name| is_named(this_section, name))))
        }
        Detail::Summary => {
            match chosen(&|this_section| this_section.rank == SectionRank::Summary) {
                none if none.is_empty() => usual(),
                summary => some(summary),
            }
        }
    }
}

/// Names of the sections, each once, one a line.
pub(super) fn section_names(document: &Document) -> String {
    let mut known: Vec<String> = Vec::new();
    for name in document.sections.iter().map(Section::name).filter(|name| !name.is_empty()) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known.iter().map(|name| format!("{name}\n")).collect()
}

/// Whether a section is meant by a name as somebody typed it.
fn is_named(section: &Section, name: &str) -> bool {
    !section.heading.is_empty() && section.name() == name.trim().to_lowercase().replace(' ', "-")
}

/// Whether a section has something to report.
fn has_content(section: &Section) -> bool {
    section.rank != SectionRank::Asked
}

/// A section with its sentence where it is long.
fn shorten_section(section: Section) -> Section {
    match section.rank {
        SectionRank::Long(lead) => {
            Section { lead, parts: Vec::new(), rank: SectionRank::Usual, ..section }
        }
        _ => section,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::document::{Document, Section};
    use super::{Detail, section_names, shown_parts};

    fn document() -> Document {
        let sections = vec![
            Section::new("", "").add_line("opening"),
            Section::new("SUMMARY", "").add_line("in short").with_summary_rank(),
            Section::new("BILL", "").add_line("lines"),
            Section::new("WHAT WOULD CHANGE IT", "").add_line("others"),
            Section::new("ASSUMPTIONS", "").add_line("many").with_long_rank("see -v"),
        ];
        Document { sections, ..Document::default() }
    }

    #[test]
    fn each_level_shows_what_it_says() {
        let document = document();
        let headings = |detail| -> Vec<&str> {
            shown_parts(&document, detail).sections.iter().map(|section| section.heading).collect()
        };
        let all = ["", "SUMMARY", "BILL", "WHAT WOULD CHANGE IT", "ASSUMPTIONS"];
        assert_eq!(headings(Detail::Summary), ["SUMMARY"]);
        assert_eq!(headings(Detail::Usual), all);
        assert_eq!(headings(Detail::Full), all);
        let typed = ["What would change it".to_owned(), "bill".to_owned(), String::new()];
        assert_eq!(headings(Detail::Sections(&typed)), ["BILL", "WHAT WOULD CHANGE IT"]);
        let lead = |detail| shown_parts(&document, detail).sections[4].lead.clone();
        assert_eq!((lead(Detail::Usual), lead(Detail::Full)), ("see -v".into(), String::new()));
        assert_eq!(section_names(&document), "summary\nbill\nwhat-would-change-it\nassumptions\n");
    }

    #[test]
    fn a_report_without_a_summary_is_shown_as_usual() {
        let mut document = document();
        document.sections.remove(1);
        assert_eq!(shown_parts(&document, Detail::Summary), shown_parts(&document, Detail::Usual));
    }
}
