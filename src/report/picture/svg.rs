//! Writes a picture as SVG elements. Positions are rounded in one place, so that no machine's
//! last bits change a byte.

use std::fmt::Write as _;

use super::{Ink, LabelAnchor, Mark, Picture, WIDTH};
use crate::report::words;

/// Units that letters are high.
const LETTERS: f64 = 13.0;

/// The picture as one `<svg>`. Titles and words carry ids made of `id`, which is unique on the
/// page; inks are classes that the page's style sheet fills.
pub(in crate::report) fn picture_svg(picture: &Picture, id: &str) -> String {
    let mut out = format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{id}-title\" \
         aria-describedby=\"{id}-words\" font-size=\"{}\">\n<title id=\"{id}-title\">{}</title>\n\
         <desc id=\"{id}-words\">{}</desc>\n",
        svg_coordinate(WIDTH),
        svg_coordinate(picture.height),
        svg_coordinate(LETTERS),
        escape_xml(&picture.title),
        escape_xml(&picture.words),
    );
    for mark in &picture.marks {
        out.push_str(&mark_svg(mark));
        out.push('\n');
    }
    out.push_str("</svg>\n");
    out
}

/// Units between two pictures of one file, and around them.
const BETWEEN: f64 = 16.0;

/// Pictures below one another as one SVG file on white: it loads nothing.
pub(in crate::report) fn standalone_svg(title: &str, pictures: &[Picture]) -> String {
    let heights: f64 =
        pictures.iter().map(|this_picture| this_picture.height + TITLE + BETWEEN).sum();
    let (wide, high) = (WIDTH + 2.0 * BETWEEN, heights + BETWEEN);
    // Twice as many pixels as units: letters stay readable where a page shows the file at its size.
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" \
         role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"{}\">\n<title>{}</title>\n<style>\n",
        svg_coordinate(wide),
        svg_coordinate(high),
        svg_coordinate(wide * 2.0),
        svg_coordinate(high * 2.0),
        svg_coordinate(LETTERS),
        escape_xml(title),
    );
    for ink in Ink::NAMED {
        let (Some(name), colour) = (ink.style_name(), ink.colour(super::Theme::Light)) else {
            continue;
        };
        let _ = writeln!(out, ".f-{name}{{fill:{colour}}}.s-{name}{{stroke:{colour};fill:none}}");
    }
    let _ = writeln!(
        out,
        "</style>\n<rect width=\"{}\" height=\"{}\" class=\"f-plate\"/>",
        svg_coordinate(wide),
        svg_coordinate(high)
    );
    let mut top = BETWEEN;
    for picture in pictures {
        let _ = writeln!(
            out,
            "<g transform=\"translate({} {})\">\n<desc>{}</desc>\n<text y=\"{}\" \
             font-weight=\"600\" font-size=\"{}\" class=\"f-text\">{}</text>\n</g>\n\
             <g transform=\"translate({} {})\">",
            svg_coordinate(BETWEEN),
            svg_coordinate(top),
            escape_xml(&picture.words),
            svg_coordinate(LETTERS),
            svg_coordinate(LETTERS - 1.0),
            escape_xml(&picture.title),
            svg_coordinate(BETWEEN),
            svg_coordinate(top + TITLE),
        );
        for mark in &picture.marks {
            out.push_str(&mark_svg(mark));
            out.push('\n');
        }
        out.push_str("</g>\n");
        top += picture.height + TITLE + BETWEEN;
    }
    out.push_str("</svg>\n");
    out
}

/// Units that the title of a picture takes.
const TITLE: f64 = 22.0;

fn mark_svg(mark: &Mark) -> String {
    match mark {
        Mark::Rectangle { x, y, width, height, ink } => format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>",
            svg_coordinate(*x),
            svg_coordinate(*y),
            svg_coordinate(*width),
            svg_coordinate(*height),
            fill_attribute(*ink)
        ),
        Mark::Line { from, to, ink } => format!(
            "<path d=\"M{} {}L{} {}\" {}/>",
            svg_coordinate(from.0),
            svg_coordinate(from.1),
            svg_coordinate(to.0),
            svg_coordinate(to.1),
            stroke_attribute(*ink)
        ),
        Mark::Dot { at: (x, y), radius, ink } => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>",
            svg_coordinate(*x),
            svg_coordinate(*y),
            svg_coordinate(*radius),
            fill_attribute(*ink)
        ),
        Mark::Cells { at: (x, y), cell, runs, ink } => {
            let mut path = String::new();
            for (column, row, length) in runs {
                // Writing to a string can't fail.
                let _ = write!(path, "M{column} {row}h{length}v1h-{length}z");
            }
            format!(
                "<path transform=\"translate({} {}) scale({})\" {} d=\"{path}\"/>",
                svg_coordinate(*x),
                svg_coordinate(*y),
                words::coordinate(*cell, SCALE_DECIMALS),
                fill_attribute(*ink)
            )
        }
        Mark::Text { x, y, anchor, strong, ink, text } => {
            let anchor = match anchor {
                LabelAnchor::Start => "",
                LabelAnchor::Middle => " text-anchor=\"middle\"",
                LabelAnchor::End => " text-anchor=\"end\"",
            };
            let weight = if *strong { " font-weight=\"600\"" } else { "" };
            format!(
                "<text x=\"{}\" y=\"{}\"{anchor}{weight} {}>{}</text>",
                svg_coordinate(*x),
                svg_coordinate(*y),
                fill_attribute(*ink),
                escape_xml(text)
            )
        }
    }
}

/// Decimals of a factor that hundreds of cells are multiplied with.
const SCALE_DECIMALS: usize = 5;

/// Decimals of a position: a hundredth of a unit is less than a pixel on any screen.
const DECIMALS: usize = 2;

/// A position.
fn svg_coordinate(value: f64) -> String {
    words::coordinate(value, DECIMALS)
}

fn fill_attribute(ink: Ink) -> String {
    match ink.style_name() {
        Some(name) => format!("class=\"f-{name}\""),
        None => format!("fill=\"{}\"", ink.colour(super::Theme::Light)),
    }
}

fn stroke_attribute(ink: Ink) -> String {
    match ink.style_name() {
        Some(name) => format!("class=\"s-{name}\""),
        None => format!("stroke=\"{}\"", ink.colour(super::Theme::Light)),
    }
}

/// Text in which nothing starts an element, an entity or the end of an attribute, and that holds
/// no control characters: what XML can't carry, and what turns the direction of reading around.
pub(in crate::report) fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{escape_xml, picture_svg};
    use crate::report::picture::{Ink, LabelAnchor, Mark, Picture};

    #[test]
    fn whatever_a_name_holds_stays_text() {
        assert_eq!(
            escape_xml("<script>\"a\" & 'b'\u{0}\u{202e}\n"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;\u{fffd} "
        );
    }

    #[test]
    fn positions_are_rounded() {
        let picture = Picture {
            title: "<t>".into(),
            words: "w".into(),
            notes: Vec::new(),
            height: 10.0,
            marks: vec![
                Mark::Rectangle {
                    x: 1.0 / 3.0,
                    y: -0.001,
                    width: 2.0,
                    height: 1.5,
                    ink: Ink::Blue,
                },
                Mark::Text {
                    x: 0.0,
                    y: 1.0,
                    anchor: LabelAnchor::End,
                    strong: true,
                    ink: Ink::Text,
                    text: "a<b".into(),
                },
                Mark::Cells {
                    at: (1.0, 2.0),
                    cell: 1.0 / 3.0,
                    runs: vec![(0, 1, 2)],
                    ink: Ink::Fixed(0, 90, 160),
                },
            ],
        };
        assert_eq!(
            picture_svg(&picture, "p1"),
            "<svg viewBox=\"0 0 360 10\" role=\"img\" aria-labelledby=\"p1-title\" \
             aria-describedby=\"p1-words\" font-size=\"13\">\n\
             <title id=\"p1-title\">&lt;t&gt;</title>\n<desc id=\"p1-words\">w</desc>\n\
             <rect x=\"0.33\" y=\"0\" width=\"2\" height=\"1.5\" class=\"f-blue\"/>\n\
             <text x=\"0\" y=\"1\" text-anchor=\"end\" font-weight=\"600\" class=\"f-text\">a&lt;b\
             </text>\n\
             <path transform=\"translate(1 2) scale(0.33333)\" fill=\"#005aa0\" \
             d=\"M0 1h2v1h-2z\"/>\n</svg>\n"
        );
    }
}
