//! A reader of the LP format, as far as the planner writes it. Shares nothing with the writer.

use std::collections::{BTreeMap, BTreeSet};

type Sum = Vec<(String, f64)>;

/// A program as it was read.
#[derive(Debug, Default)]
pub(crate) struct Lp {
    objective: Sum,
    rows: Vec<(String, Sum, String, f64)>,
    /// Least and largest value by column.
    pub(crate) bounds: Vec<(String, f64, f64)>,
    /// Columns of whole numbers.
    pub(crate) integers: BTreeSet<String>,
    /// Values that its comment states, by column.
    pub(crate) values: BTreeMap<String, f64>,
}

impl Lp {
    pub(crate) fn read(text: &str) -> Self {
        let mut lp = Self::default();
        for line in text.lines().filter_map(|line| line.strip_prefix("\\   ")) {
            let (name, rest) = line.split_once(" = ").expect("a column has a value");
            let value = rest.split(',').next().expect("and a meaning");
            lp.values.insert(name.to_owned(), value.parse().expect("a number"));
        }
        let plain: Vec<&str> = text.lines().filter(|line| !line.starts_with('\\')).collect();
        let pick = |from: &str, to: &str| {
            let place =
                |name: &str| plain.iter().position(|line| *line == name).expect("a section");
            plain[place(from) + 1..place(to)].join(" ")
        };
        let objective = pick("Minimize", "Subject To");
        lp.objective = sum(objective.split_once(':').expect("it has a name").1);
        let rows = pick("Subject To", "Bounds");
        let mut rest: Vec<&str> = rows.split_whitespace().collect();
        while !rest.is_empty() {
            let sense = rest.iter().position(|word| *word == "<=" || *word == ">=").expect("a row");
            let name = rest[0].strip_suffix(':').expect("it has a name").to_owned();
            let terms = sum(&rest[1..sense].join(" "));
            let bound = rest[sense + 1].parse().expect("a number");
            lp.rows.push((name, terms, rest[sense].to_owned(), bound));
            rest.drain(..sense + 2);
        }
        for words in pick("Bounds", "General").split_whitespace().collect::<Vec<_>>().chunks(5) {
            let [low, _, name, _, high] = words else { panic!("{words:?}") };
            let number = |text: &str| text.parse().expect("a number");
            lp.bounds.push(((*name).to_owned(), number(low), number(high)));
        }
        lp.integers = pick("General", "End").split_whitespace().map(str::to_owned).collect();
        lp
    }

    /// What is minimised, at the stated values.
    pub(crate) fn cost(&self) -> f64 {
        self.at(&self.objective)
    }

    /// Rows: name, sum at the stated values, sense, bound.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&str, f64, &str, f64)> {
        self.rows
            .iter()
            .map(|(name, sum, sense, bound)| (name.as_str(), self.at(sum), sense.as_str(), *bound))
    }

    /// Every coefficient by row and column, the objective as the row `cost`.
    pub(crate) fn coefficients(&self) -> impl Iterator<Item = ((String, String), f64)> {
        let objective = self.objective.iter().map(|(name, value)| (("cost", name), *value));
        let rows = self.rows.iter().flat_map(|(row, sum, _, _)| {
            sum.iter().map(|(name, value)| ((row.as_str(), name), *value))
        });
        objective
            .chain(rows)
            .map(|((row, column), value)| ((row.to_owned(), column.clone()), value))
    }

    fn at(&self, sum: &Sum) -> f64 {
        sum.iter().map(|(name, value)| value * self.values[name]).sum()
    }
}

/// `+ 3 x - 1 y`.
fn sum(text: &str) -> Sum {
    let words: Vec<&str> = text.split_whitespace().collect();
    let term = |words: &[&str]| {
        let [sign, word, name] = words else { panic!("{words:?}") };
        let value: f64 = word.parse().expect("a number");
        ((*name).to_owned(), if *sign == "-" { -value } else { value })
    };
    words.chunks(3).map(term).collect()
}
