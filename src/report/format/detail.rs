//! How much of a document is drawn: its screen or all but what is long, the briefest of it,
//! everything, or the sections that were asked for. It changes no section but one that is long.

use std::borrow::Cow;

use super::super::document::{Document, Screen, Section, SectionPart, SectionRank};

/// How much of a report is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail<'a> {
    /// Few lines for scripts; of a report that has none its summary, or all that is usual.
    Summary,
    /// The screen; of a report without one all but what is long, of which a sentence says how to
    /// see it.
    #[default]
    Usual,
    /// Everything.
    Full,
    /// The sections of these names, whole.
    Sections(&'a [String]),
    /// Nothing but the names of the sections, one a line.
    Names,
}

/// Names that sections had, and have: a name that was typed once goes on to work.
const FORMER: [(&str, &str); 18] = [
    ("summary", DECISION),
    ("bill", "price"),
    ("fabric", "network"),
    ("routing", "load-balancing"),
    ("what-would-change-it", "alternatives"),
    ("limits-that-bind", "limits"),
    ("integer-program", "trust"),
    ("defaults", "assumptions"),
    ("what-moved", "what-changed"),
    ("where-it-comes-from", "where-the-saving-comes-from"),
    ("pair-volumes", "how-much-pairs-exchange"),
    ("sent-and-not-predicted", "recorded-only"),
    ("after-the-failures", "with-these-failures"),
    ("quantities", "figures"),
    ("quantity", "figure"),
    ("sensitivity", "how-far-prices-may-move"),
    ("frontier", "trade-off"),
    ("link-loads", "bytes-per-link"),
];

/// The screen as a section is asked for.
const DECISION: &str = "decision";

/// What is drawn of a document, whose screen a page does without.
pub(super) fn shown_parts<'a>(
    document: &'a Document,
    screen: Option<&Screen>,
    detail: Detail<'_>,
) -> Cow<'a, Document> {
    let some = |screen: Option<Screen>, sections: Vec<Section>| {
        // Sections are for people; who wants the sheet takes it from the document.
        let title = document.title.clone();
        Cow::Owned(Document { title, screen, sections, ..Document::default() })
    };
    let chosen = |pair: &dyn Fn(&Section) -> bool| -> Vec<Section> {
        document.sections.iter().filter(|section| pair(section)).cloned().collect()
    };
    let screen_with = |brief: bool| {
        let screen = screen.cloned()?;
        Some(if brief {
            Screen { brief: screen.brief, ..Screen::default() }
        } else {
            Screen { brief: Vec::new(), ..screen }
        })
    };
    let screen = || screen_with(false);
    let usual = || match screen() {
        Some(screen) => some(Some(screen), Vec::new()),
        None => some(None, chosen(&has_content).into_iter().map(shorten_section).collect()),
    };
    match detail {
        Detail::Names => Cow::Borrowed(document),
        Detail::Full => {
            // What a section has whole is not told in few lines too, nor anything twice.
            let whole = chosen(&has_content);
            let has_heading = |section: &Section| {
                let same = |known: &Section| known.heading == section.heading;
                !section.heading.is_empty() && whole.iter().any(same)
            };
            let screen = screen().map(|mut screen| {
                screen.more.retain(|section| !has_heading(section));
                // Lines of a summary are notes that the sections tell whole.
                for Section { rank, parts, .. } in &mut screen.more {
                    parts.retain(|part| {
                        *rank != SectionRank::Summary || !matches!(part, SectionPart::Line(_))
                    });
                }
                screen
            });
            let told = |section: &Section| {
                let same = |known: &Section| {
                    known.heading == section.heading
                        && known.lead == section.lead
                        && known.parts == section.parts
                };
                screen.as_ref().is_some_and(|screen| screen.more.iter().any(same))
            };
            let rest = whole.iter().filter(|section| !told(section)).cloned().collect();
            some(screen.clone(), rest)
        }
        Detail::Usual => usual(),
        Detail::Sections(names) => {
            let whole = names.iter().any(|name| is_section_name(DECISION, name));
            let found = chosen(&|this_section| {
                names.iter().any(|name| is_section_name(&this_section.name(), name))
            });
            some(screen().filter(|_| whole), found)
        }
        Detail::Summary => {
            if let Some(screen) = screen_with(true) {
                return Cow::Owned(Document { screen: Some(screen), ..Document::default() });
            }
            match chosen(&|this_section| this_section.rank == SectionRank::Summary) {
                none if none.is_empty() => usual(),
                summary => some(None, summary),
            }
        }
    }
}

/// Names of the sections, each once, one a line.
pub(super) fn section_names(document: &Document) -> String {
    let mut known: Vec<String> = Vec::new();
    let decision = document.screen.iter().map(|_| DECISION.to_owned());
    let names = document.sections.iter().map(Section::name).filter(|name| !name.is_empty());
    for name in decision.chain(names) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known.iter().map(|name| format!("{name}\n")).collect()
}

/// Whether a section of this name is meant by what somebody typed: its name, in words too, or one
/// that it had.
#[must_use]
pub fn is_section_name(name: &str, typed: &str) -> bool {
    let typed = typed.trim().to_lowercase().replace(' ', "-");
    let renamed = || FORMER.contains(&(typed.as_str(), name));
    !name.is_empty() && (name == typed || renamed())
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
    use super::super::super::document::{Document, Row, Screen, Section};
    use super::{Detail, is_section_name, section_names, shown_parts};

    fn document() -> Document {
        let sections = vec![
            Section::new("", "").add_line("opening"),
            Section::new("SUMMARY", "").add_line("in short").with_summary_rank(),
            Section::new("BILL", "").add_line("lines"),
            Section::new("WHAT CHANGED", "").add_line("others"),
            Section::new("ASSUMPTIONS", "").add_line("many").with_long_rank("see -v"),
        ];
        Document { sections, ..Document::default() }
    }

    #[test]
    fn each_level_shows_what_it_says() {
        let document = document();
        let headings = |detail| -> Vec<&str> {
            shown_parts(&document, document.screen.as_ref(), detail)
                .sections
                .iter()
                .map(|section| section.heading)
                .collect()
        };
        let all = ["", "SUMMARY", "BILL", "WHAT CHANGED", "ASSUMPTIONS"];
        assert_eq!(headings(Detail::Summary), ["SUMMARY"]);
        assert_eq!(headings(Detail::Usual), all);
        assert_eq!(headings(Detail::Full), all);
        let typed = ["What changed".to_owned(), "bill".to_owned(), String::new()];
        assert_eq!(headings(Detail::Sections(&typed)), ["BILL", "WHAT CHANGED"]);
        let lead = |detail| {
            shown_parts(&document, document.screen.as_ref(), detail).sections[4].lead.clone()
        };
        assert_eq!((lead(Detail::Usual), lead(Detail::Full)), ("see -v".into(), String::new()));
        assert_eq!(section_names(&document), "summary\nbill\nwhat-changed\nassumptions\n");
    }

    #[test]
    fn a_report_without_a_summary_is_shown_as_usual() {
        let mut document = document();
        document.sections.remove(1);
        let shown = |detail| shown_parts(&document, None, detail);
        assert_eq!(shown(Detail::Summary), shown(Detail::Usual));
    }
    #[test]
    fn a_screen_stands_for_all_but_what_is_asked_for() {
        let screen = Screen {
            rows: vec![Row::new("Buy", vec!["32 machines".into()])],
            more: vec![Section::new("BEST", "")],
            verdict: "It saves.".into(),
            brief: vec!["saves".into()],
        };
        let document = Document { screen: Some(screen.clone()), ..document() };
        let drawn = |detail| {
            let shown = shown_parts(&document, document.screen.as_ref(), detail);
            (shown.screen.clone(), shown.sections.len())
        };
        let whole = Screen { brief: Vec::new(), ..screen.clone() };
        assert_eq!(drawn(Detail::Usual), (Some(whole.clone()), 0));
        assert_eq!(drawn(Detail::Full), (Some(whole.clone()), 5));
        let brief = Screen { brief: vec!["saves".into()], ..Screen::default() };
        assert_eq!(drawn(Detail::Summary), (Some(brief), 0));
        let typed = ["decision".to_owned(), "bill".to_owned()];
        assert_eq!(drawn(Detail::Sections(&typed)), (Some(whole), 1));
        assert_eq!(drawn(Detail::Sections(&typed[1..])), (None, 1));
        assert!(section_names(&document).starts_with("decision\nsummary\n"));
    }

    #[test]
    fn a_former_name_means_the_section_of_today() {
        assert!(is_section_name("price", "Bill") && is_section_name("bill", "bill"));
        assert!(is_section_name("limits", "limits that bind"));
        assert!(!is_section_name("price", "fabric") && !is_section_name("", ""));
    }
}
