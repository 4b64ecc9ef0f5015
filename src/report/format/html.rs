//! A document as an HTML page.

use std::collections::BTreeMap;

use super::html_style;
use super::html_table::{self, remark_html, words_html};
use crate::report::document::{Document, Section, SectionPart};
use crate::report::picture::{self, Picture, escape_xml};
use crate::report::words::capitalise_heading;

/// Who made the page.
const GENERATOR: &str = concat!("planner ", env!("CARGO_PKG_VERSION"));

/// The first words of its last line.
const MADE_BY: &str = concat!("Made by planner ", env!("CARGO_PKG_VERSION"));

/// What the page may load: its own style, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
                      base-uri 'none'; form-action 'none'";

/// The document as a page.
pub(super) fn draw_page(document: &Document) -> String {
    let title = page_title(document);
    let chapters = page_chapters(document);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>\n\
         <meta name=\"generator\" content=\"{GENERATOR}\"/>\n\
         <link rel=\"icon\" href=\"data:,\"/>\n<title>{title}</title>\n<style>\n{}</style>\n\
         </head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>\n",
        html_style::style_sheet(),
    );
    let heading = title.replace('/', "/<wbr/>");
    page.push_str(&format!("<header>\n<h1>{heading}</h1>\n{}</header>\n", opening_html(document)));
    page.push_str(&contents_html(&chapters));
    page.push_str("<main id=\"content\" tabindex=\"-1\">\n");
    for chapter in &chapters {
        page.push_str(&chapter.html);
    }
    page.push_str(&format!(
        "</main>\n<footer>\n<p>{MADE_BY}. The same spec gives the same page, so it \
         carries no date of its own; every price carries one.</p>\n</footer>\n</body>\n</html>\n"
    ));
    page
}

/// The page with what it was made from in its last line: files with their digests, and keys that
/// the command line set.
pub(super) fn add_provenance_line(page: &str, made_from: &[String]) -> String {
    let each: Vec<String> = made_from.iter().map(|text| escape_xml(text)).collect();
    let whole = format!("{MADE_BY} from {}", each.join(", "));
    if each.is_empty() { page.to_owned() } else { page.replacen(MADE_BY, &whole, 1) }
}

/// Title of the page: that of the document, else its first heading.
fn page_title(document: &Document) -> String {
    let heading =
        || document.sections.iter().map(|section| section.heading).find(|text| !text.is_empty());
    match document.title.as_str() {
        "" => heading().map_or_else(|| "planner".to_owned(), capitalise_heading),
        title => escape_xml(title),
    }
}

/// Links to the sections, where there are several.
fn contents_html(chapters: &[Chapter]) -> String {
    if chapters.len() < 2 {
        return String::new();
    }
    let mut list = "<nav aria-label=\"Contents\">\n<ul>\n".to_owned();
    for chapter in chapters {
        list.push_str(&format!("<li><a href=\"#{}\">{}</a></li>\n", chapter.id, chapter.listed));
    }
    list + "</ul>\n</nav>\n"
}

/// A section under a heading.
pub(super) struct Chapter {
    /// Where links lead to.
    id: String,
    /// Its heading, escaped.
    pub(super) heading: String,
    /// What a list of the sections calls it, escaped: what stands beside the heading tells those of
    /// one heading apart.
    listed: String,
    pub(super) html: String,
}

/// What stands before the first heading.
fn opening_html(document: &Document) -> String {
    let mut seen = Seen::default();
    document
        .sections
        .iter()
        .filter(|section| section.heading.is_empty())
        .map(|section| section_parts_html(section, "opening", &mut seen))
        .collect()
}

/// The sections that have headings.
fn page_chapters(document: &Document) -> Vec<Chapter> {
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

/// What stands under a heading; alike parts in a row share a list. What names the section may be
/// two ids; the first is that of its heading.
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
                html_table::draw_html_table(table, &name, &seen.next_table_label(&name))
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
            SectionPart::Facts(facts) => facts
                .iter()
                .map(|(label, lines)| {
                    let lines = lines.iter().map(|line| format!("<dd>{}</dd>", remark_html(line)));
                    let lines: String = lines.collect();
                    format!("<div><dt>{}</dt>{lines}</div>\n", escape_xml(label))
                })
                .collect(),
            SectionPart::Picture(picture) => {
                seen.pictures += 1;
                figure_html(picture, &format!("{id}-{}", seen.pictures))
            }
            SectionPart::Drawing { title, words: word, svg } => {
                seen.pictures += 1;
                drawing_html(title, word, svg, named, &format!("{id}-{}", seen.pictures))
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
    html_table::verdict_html(value).unwrap_or_else(|| words_html(value))
}

/// The list that a part stands in; empty for one that stands alone.
const fn list_opening_tag(part: &SectionPart) -> &'static str {
    match part {
        SectionPart::Line(_) => "<ul class=\"facts\">\n",
        SectionPart::Warning { .. } => "<ul class=\"warnings\">\n",
        SectionPart::Figures(_) => "<dl class=\"figures\">\n",
        SectionPart::Facts(_) => "<dl class=\"rows\">\n",
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

/// A finished drawing: too wide for a telephone, so it scrolls by itself, as a region that its
/// section and its title name.
fn drawing_html(title: &str, about: &str, svg: &str, section: &str, id: &str) -> String {
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

/// A heading as an id: `LOAD BALANCING` as `load-balancing`.
fn heading_id(heading: &str) -> String {
    let words = heading.split(|c: char| !c.is_ascii_alphanumeric()).filter(|text| !text.is_empty());
    let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
    if words.is_empty() { "section".to_owned() } else { words.join("-") }
}
