//! The sections of a page: headings, sentences, figures, pictures and tables, each with what a
//! keyboard and a screen reader need. It chooses no words of its own.

use std::collections::BTreeMap;

use super::super::super::document::{Document, Section, SectionPart};
use super::super::super::picture::{self, Picture, escape_xml};
use super::super::super::words::capitalise_heading;
use super::table;
use super::words::{remark_html, words_html};

/// A section under a heading.
pub(super) struct Chapter {
    /// Where links lead to.
    pub(super) id: String,
    /// Its heading, escaped.
    pub(super) heading: String,
    /// What a list of the sections calls it, escaped: what stands beside the heading tells those of
    /// one heading apart.
    pub(super) listed: String,
    /// All of it.
    pub(super) html: String,
}

/// What stands before the first heading.
pub(super) fn opening_html(document: &Document) -> String {
    let mut seen = Seen::default();
    document
        .sections
        .iter()
        .filter(|section| section.heading.is_empty())
        .map(|section| section_parts_html(section, "opening", &mut seen))
        .collect()
}

/// The sections that have headings.
pub(super) fn page_chapters(document: &Document) -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> = Vec::new();
    let mut seen = Seen::default();
    for section in document.sections.iter().filter(|section| !section.heading.is_empty()) {
        let heading = escape_xml(&capitalise_heading(section.heading));
        let name = heading_id(section.heading);
        let alike = chapters.iter().filter(|chapter| chapter.heading == heading).count();
        let id = if alike == 0 { name } else { format!("{name}-{}", alike + 1) };
        let all = document
            .sections
            .iter()
            .filter(|this_section| this_section.heading == section.heading)
            .count();
        // Sections of one heading are told apart by the sentence below it.
        let apart = all > 1 && !section.lead.is_empty();
        let named = if apart { format!("{id} {id}-lead") } else { id.clone() };
        let mut html =
            format!("<section aria-labelledby=\"{named}\">\n<h2 id=\"{id}\">{heading}</h2>\n");
        if !section.lead.is_empty() {
            let own = if apart { format!(" id=\"{id}-lead\"") } else { String::new() };
            html.push_str(&format!("<p class=\"lead\"{own}>{}</p>\n", remark_html(&section.lead)));
        }
        html.push_str(&section_parts_html(section, &named, &mut seen));
        html.push_str("</section>\n");
        let listed = match all {
            1 => heading.clone(),
            _ => format!("{heading} {}", escape_xml(&section.lead)),
        };
        chapters.push(Chapter { id, heading, listed, html });
    }
    chapters
}

/// What the page has so far of what needs a name of its own.
#[derive(Default)]
struct Seen {
    pictures: usize,
    /// Tables by the name of their section.
    tables: BTreeMap<String, usize>,
}

impl Seen {
    /// What the next table of a section is called among the regions of the page.
    fn next_table_label(&mut self, section: &str) -> String {
        let count = self.tables.entry(section.to_owned()).or_default();
        *count += 1;
        if *count == 1 { format!("{section}: table") } else { format!("{section}: table {count}") }
    }
}

/// What stands under a heading; alike parts in a row share a list. What names the section may be two
/// ids; the first is that of its heading.
fn section_parts_html(section: &Section, named: &str, seen: &mut Seen) -> String {
    let id = named.split(' ').next().unwrap_or(named);
    let mut html = String::new();
    let mut open = "";
    let name = capitalise_heading(section.heading);
    for part in
        section.parts.iter().filter(|section_part| !matches!(section_part, SectionPart::Sketch(_)))
    {
        let list = list_opening_tag(part);
        if list != open {
            html.push_str(list_closing_tag(open));
            html.push_str(list);
            open = list;
        }
        html.push_str(&match part {
            SectionPart::Line(text) => format!("<li>{}</li>\n", remark_html(text)),
            SectionPart::Warning { code, text } => {
                format!("<li><strong>{}</strong> {}</li>\n", escape_xml(code), remark_html(text))
            }
            SectionPart::Table(table) => {
                table::draw_html_table(table, &name, &seen.next_table_label(&name))
            }
            SectionPart::Figures(figures) => figures
                .iter()
                .map(|(name, value)| {
                    format!(
                        "<div><dt>{}</dt><dd>{}</dd></div>\n",
                        escape_xml(name),
                        value_html(value)
                    )
                })
                .collect(),
            SectionPart::Picture(picture) => {
                seen.pictures += 1;
                figure_html(picture, &format!("{id}-{}", seen.pictures))
            }
            SectionPart::Drawing { title, words: word, svg } => {
                seen.pictures += 1;
                drawing_html(title, word, svg, (named, &format!("{id}-{}", seen.pictures)))
            }
            SectionPart::Verbatim(text) => {
                format!("<pre tabindex=\"0\">{}</pre>\n", keep_line_breaks(text))
            }
            SectionPart::Sketch(_) => String::new(),
        });
    }
    html + list_closing_tag(open)
}

/// An amount, or what a gate says.
fn value_html(value: &str) -> String {
    table::verdict_html(value).unwrap_or_else(|| words_html(value))
}

/// The list that a part stands in; empty for one that stands alone.
const fn list_opening_tag(part: &SectionPart) -> &'static str {
    match part {
        SectionPart::Line(_) => "<ul class=\"facts\">\n",
        SectionPart::Warning { .. } => "<ul class=\"warnings\">\n",
        SectionPart::Figures(_) => "<dl class=\"figures\">\n",
        SectionPart::Picture(_) => "<div class=\"pictures\">\n",
        SectionPart::Table(_)
        | SectionPart::Verbatim(_)
        | SectionPart::Sketch(_)
        | SectionPart::Drawing { .. } => "",
    }
}

/// The end of such a list.
fn list_closing_tag(list: &str) -> &'static str {
    match list.get(1..3) {
        Some("ul") => "</ul>\n",
        Some("dl") => "</dl>\n",
        Some("di") => "</div>\n",
        _ => "",
    }
}

fn figure_html(picture: &Picture, id: &str) -> String {
    let notes: String =
        picture.notes.iter().map(|note| format!(" <span>{}</span>", words_html(note))).collect();
    format!(
        "<figure>\n<figcaption><strong>{}</strong>{notes}</figcaption>\n{}</figure>\n",
        words_html(&picture.title),
        picture::picture_svg(picture, id)
    )
}

/// A finished drawing: too wide for a telephone, so it scrolls by itself, as a region that its section
/// and its title name.
fn drawing_html(title: &str, about: &str, svg: &str, (section, id): (&str, &str)) -> String {
    let named = format!("<svg role=\"img\" aria-labelledby=\"{id}-title\" ");
    format!(
        "<figure class=\"drawing\">\n<figcaption id=\"{id}-title\"><strong>{}</strong> \
         <span>{}</span></figcaption>\n<div class=\"scroll\" role=\"region\" \
         aria-labelledby=\"{section} {id}-title\" tabindex=\"0\">\n{}</div>\n</figure>\n",
        words_html(title),
        words_html(about),
        svg.replacen("<svg ", &named, 1)
    )
}

/// Text with its line breaks.
fn keep_line_breaks(text: &str) -> String {
    text.trim_end().lines().map(escape_xml).collect::<Vec<_>>().join("\n")
}

/// A heading as an id: `LIMITS THAT BIND` as `limits-that-bind`.
fn heading_id(heading: &str) -> String {
    let words = heading.split(|c: char| !c.is_ascii_alphanumeric()).filter(|text| !text.is_empty());
    let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
    if words.is_empty() { "section".to_owned() } else { words.join("-") }
}
