//! Reads a page as strictly as XML: every tag closed in order, every attribute quoted, no entity
//! but the five that XML knows.

/// An element of a page.
#[derive(Debug)]
pub(crate) struct Element<'a> {
    /// Name of the tag.
    pub(crate) name: &'a str,
    /// Attributes in their order.
    pub(crate) attributes: Vec<(&'a str, &'a str)>,
    /// What stands between its tags, as written.
    pub(crate) inner: &'a str,
}

impl<'a> Element<'a> {
    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(text, _)| *text == name).map(|(_, value)| *value)
    }
}

/// The elements of a page in the order in which they begin.
pub(crate) fn elements(page: &str) -> Result<Vec<Element<'_>>, String> {
    let mut all: Vec<Element<'_>> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new(); // place in `all`, start of what is inside
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("no document type")?;
    let place = |rest: &str| page.len() - rest.len();
    while let Some(start) = rest.find('<') {
        entities(&rest[..start])?;
        let begin = place(rest) + start;
        let (tag, after) = tag(&rest[start + 1..])?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let (index, inside) = open.pop().ok_or_else(|| format!("</{name}> closes nothing"))?;
            if all[index].name != name {
                return Err(format!("</{name}> closes <{}>", all[index].name));
            }
            all[index].inner = &page[inside..begin];
            continue;
        }
        let (body, empty) = match tag.strip_suffix('/') {
            Some(body) => (body, true),
            None => (tag, false),
        };
        let (name, attributes) = parts(body)?;
        all.push(Element { name, attributes, inner: "" });
        if name == "style" {
            // A style sheet is no markup.
            let end = rest.find("</style>").ok_or("<style> is not closed")?;
            rest = &rest[end + "</style>".len()..];
        } else if !empty {
            open.push((all.len() - 1, place(rest)));
        }
    }
    entities(rest)?;
    match open.last() {
        Some((index, _)) => Err(format!("<{}> is not closed", all[*index].name)),
        None => Ok(all),
    }
}

/// A tag without its brackets, and what follows it.
fn tag(text: &str) -> Result<(&str, &str), String> {
    let mut quoted = false;
    for (at, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '>' if !quoted => return Ok((&text[..at], &text[at + 1..])),
            '<' => break,
            _ => {}
        }
    }
    Err(format!("`<{}` is no tag", text.chars().take(40).collect::<String>()))
}

/// Name and attributes of a tag.
type Tag<'a> = (&'a str, Vec<(&'a str, &'a str)>);

/// What a tag without its brackets holds.
fn parts(tag: &str) -> Result<Tag<'_>, String> {
    let end = tag.find(|c: char| c.is_ascii_whitespace()).unwrap_or(tag.len());
    let (name, mut rest) = (&tag[..end], tag[end..].trim());
    if name.is_empty() || !name.bytes().all(|digit| digit.is_ascii_alphanumeric()) {
        return Err(format!("`<{tag}>` has no name"));
    }
    let mut attributes = Vec::new();
    while !rest.is_empty() {
        let (key, after) = rest.split_once("=\"").ok_or_else(|| format!("<{tag}>: `{rest}`"))?;
        let (value, after) = after.split_once('"').ok_or_else(|| format!("<{tag}>: `{rest}`"))?;
        if !key.bytes().all(|digit| digit.is_ascii_alphanumeric() || digit == b'-') {
            return Err(format!("<{tag}>: attribute `{key}`"));
        }
        entities(value)?;
        attributes.push((key, value));
        rest = after.trim_start();
    }
    Ok((name, attributes))
}

/// Whether every ampersand begins an entity that XML knows, and nothing is a control character.
fn entities(text: &str) -> Result<(), String> {
    const KNOWN: [&str; 5] = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
    for (at, _) in text.match_indices('&') {
        if !KNOWN.iter().any(|name| text[at..].starts_with(name)) {
            return Err(format!("`{}`", text[at..].chars().take(20).collect::<String>()));
        }
    }
    match text.chars().find(|letter| letter.is_control() && *letter != '\n') {
        Some(control) => Err(format!("{control:?}")),
        None => Ok(()),
    }
}

/// What a reader sees of a piece of markup: tags left out, entities resolved.
pub(crate) fn text(inner: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for character in inner.chars() {
        match character {
            '<' => inside = true,
            '>' => inside = false,
            other if !inside => out.push(other),
            _ => {}
        }
    }
    for (entity, character) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
    {
        out = out.replace(entity, character);
    }
    out
}
