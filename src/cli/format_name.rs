//! Formats by name, and which command writes which. Draws nothing.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser as _, ValueParser};

/// Formats by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatName {
    /// For people, as wide as the terminal, but at most 100 columns
    Table,
    /// For programs
    Json,
    /// For a spreadsheet: the main table
    Csv,
    /// For a pull request or a wiki
    Markdown,
    /// For a browser or a printer: one page with pictures that loads nothing
    Html,
    /// A workbook with formulas
    Xlsx,
    /// Dense matrix for NumPy
    Npy,
    /// A drawing: heat map, fabric, racks or lines
    Svg,
    /// Heat map as a picture
    Png,
    /// Every call of a step, one line of JSON each
    Ledger,
    /// Chakra execution traces and groups, files in the folder of -o
    Chakra,
    /// Workload text of SimAI
    Simai,
    /// Connection matrix of htsim for the call of --call
    Htsim,
    /// Files that NetBox imports, in the folder of -o
    Netbox,
    /// Graph for Graphviz
    Dot,
    /// Test cases for a CI server: one a rule and finding
    Junit,
    /// Graph for Gephi, yEd, NetworkX
    Graphml,
}

impl FormatName {
    /// Formats of a report.
    pub(super) const REPORT: [Self; 5] =
        [Self::Table, Self::Json, Self::Csv, Self::Markdown, Self::Html];

    /// Formats that a command writes; `table` alone where it has one text only, whatever is asked.
    pub(super) fn command_formats(command: &str) -> Vec<Self> {
        let more: &[Self] = match command {
            "init" | "import" | "launch" | "generate" | "help" => {
                return vec![Self::Table];
            }
            "check" | "diff" => &[Self::Junit],
            "bill" => &[Self::Xlsx],
            "domain" | "sweep" => &[Self::Svg],
            "network" | "fabric" => &[Self::Svg, Self::Dot, Self::Graphml],
            "cables" => &[Self::Svg, Self::Netbox],
            "traffic" => &[
                Self::Svg,
                Self::Npy,
                Self::Png,
                Self::Ledger,
                Self::Chakra,
                Self::Simai,
                Self::Htsim,
            ],
            _ => &[],
        };
        [&Self::REPORT, more].concat()
    }

    /// Reads no format but those of the command.
    pub(super) fn value_parser(command: &str) -> ValueParser {
        let known = Self::command_formats(command);
        let names = PossibleValuesParser::new(known.iter().filter_map(Self::to_possible_value));
        names.try_map(|name| Self::from_str(&name, false)).into()
    }

    /// As it is typed.
    pub(super) fn typed_name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
