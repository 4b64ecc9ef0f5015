//! A list of flags.

/// Flags with their values; a switch has none.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Flags(pub(in super::super) Vec<(&'static str, Option<String>)>);

impl Flags {
    pub(super) fn set_flag(&mut self, flag: &'static str, value: impl ToString) {
        self.0.push((flag, Some(value.to_string())));
    }

    pub(super) fn set_switch(&mut self, flag: &'static str) {
        self.0.push((flag, None));
    }

    pub(super) fn switch_if(&mut self, is: bool, flag: &'static str) {
        if is {
            self.set_switch(flag);
        }
    }

    /// The flags as lines of a shell command; what a shell would read as its own is quoted.
    pub(super) fn command_lines(&self) -> String {
        let line = |(flag, value): &(&str, Option<String>)| match value {
            None => format!("  {flag} \\\n"),
            Some(value) if value.contains(['(', '|', '*', '[']) => {
                format!("  {flag} '{value}' \\\n")
            }
            Some(value) => format!("  {flag} {value} \\\n"),
        };
        self.0.iter().map(line).collect()
    }
}
