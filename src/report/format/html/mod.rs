//! A document as one page for a browser or a printer. The page is whole in itself: no script, no
//! font, no picture and no style comes from anywhere else, and its own policy forbids that any
//! could. Tags are closed as in XML, so that any reader of XML can check them.

mod body;
mod style;
mod table;
mod words;

use super::super::document::Document;
use super::super::picture::escape_xml;
use super::super::words::capitalise_heading;

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
    let chapters = body::page_chapters(document);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>\n\
         <meta name=\"generator\" content=\"{GENERATOR}\"/>\n\
         <link rel=\"icon\" href=\"data:,\"/>\n<title>{title}</title>\n<style>\n{}</style>\n\
         </head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>\n",
        style::style_sheet(),
    );
    let heading = title.replace('/', "/<wbr/>");
    page.push_str(&format!(
        "<header>\n<h1>{heading}</h1>\n{}</header>\n",
        body::opening_html(document)
    ));
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

/// The page with what it was made from in its last line: files with their digests, and keys that the
/// command line set.
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
fn contents_html(chapters: &[body::Chapter]) -> String {
    if chapters.len() < 2 {
        return String::new();
    }
    let mut list = "<nav aria-label=\"Contents\">\n<ul>\n".to_owned();
    for chapter in chapters {
        list.push_str(&format!("<li><a href=\"#{}\">{}</a></li>\n", chapter.id, chapter.listed));
    }
    list + "</ul>\n</nav>\n"
}
