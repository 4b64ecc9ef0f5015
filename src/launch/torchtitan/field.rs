//! Fields of a configuration, in TOML and in Python.

/// A value of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Literal {
    Count(u64),
    Flag(bool),
    Word(&'static str),
}

/// A field and its value.
pub(super) type Field = (&'static str, Literal);

/// Lines of a table.
pub(super) fn toml_lines(fields: &[Field]) -> String {
    let line = |(key, value): &Field| match value {
        Literal::Count(count) => format!("{key} = {count}\n"),
        Literal::Flag(flag) => format!("{key} = {flag}\n"),
        Literal::Word(word) => format!("{key} = \"{word}\"\n"),
    };
    fields.iter().map(line).collect()
}

/// A statement that sets some fields of a section of `config` and leaves the others; a field that the
/// section does not have is an error in Python.
pub(super) fn python_fields(section: &str, fields: &[Field]) -> String {
    let line = |(key, value): &Field| match value {
        Literal::Count(count) => format!("        {key}={count},\n"),
        Literal::Flag(flag) => format!("        {key}={},\n", if *flag { "True" } else { "False" }),
        Literal::Word(word) => format!("        {key}=\"{word}\",\n"),
    };
    let lines: String = fields.iter().map(line).collect();
    format!("    config.{section} = replace(\n        config.{section},\n{lines}    )\n")
}
