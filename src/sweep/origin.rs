//! What a sweep was made from. Parts that differ in any of it are not of one sweep, and it says in
//! which.

use std::fmt;

/// The program, the parts and the question of a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweepOrigin {
    /// Version of the program.
    pub planner: String,
    /// Stands for the source that the program was built from.
    pub build: String,
    /// Stands for the parts and prices that ship with it.
    pub catalogue: String,
    /// Stands for the spec, `--set`, `--part`, `--prices` and the solver.
    pub question: String,
}

/// In what two sweeps differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The version of the program.
    Version,
    /// The parts and prices that ship with it.
    Catalogue,
    /// The source that it was built from.
    Build,
    /// What is asked.
    Question,
    /// The name of the spec.
    Name,
    /// `--vary`.
    Axes,
    /// `--show`.
    Columns,
    /// `--pareto`.
    Objectives,
}

impl SweepOrigin {
    /// The first thing in which it differs from another; `None` where both are alike.
    #[must_use]
    pub fn mismatch(&self, other: &Self) -> Option<Mismatch> {
        [
            (self.planner != other.planner, Mismatch::Version),
            (self.catalogue != other.catalogue, Mismatch::Catalogue),
            (self.build != other.build, Mismatch::Build),
            (self.question != other.question, Mismatch::Question),
        ]
        .into_iter()
        .find_map(|(differs, what)| differs.then_some(what))
    }
}

impl Mismatch {
    /// What to do about it.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Version | Self::Catalogue | Self::Build => "run all shards with the same program",
            _ => {
                "every shard needs the same spec, `--set`, `--part`, `--prices`, `--solver`, \
                 `--vary`, `--show` and `--pareto`"
            }
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Version => "another version of planner made it",
            Self::Catalogue => "a planner with another catalogue of parts or prices made it",
            Self::Build => "another build of planner made it",
            Self::Question => {
                "it answers another spec, or other `--set`, `--part`, `--prices` or `--solver`"
            }
            Self::Name => "its spec has another name",
            Self::Axes => "it varies other keys or values",
            Self::Columns => "it shows other figures",
            Self::Objectives => "its front is of other figures",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Mismatch, SweepOrigin};

    #[test]
    fn what_differs_is_said() {
        let text = |name: &str| name.to_owned();
        let origin = SweepOrigin {
            planner: text("1"),
            build: text("2"),
            catalogue: text("3"),
            question: text("4"),
        };
        let other = |change: fn(&mut SweepOrigin)| {
            let mut other = origin.clone();
            change(&mut other);
            origin.mismatch(&other)
        };
        assert_eq!(other(|_| ()), None);
        assert_eq!(other(|sweep_origin| sweep_origin.planner.push('x')), Some(Mismatch::Version));
        assert_eq!(other(|sweep_origin| sweep_origin.build.push('x')), Some(Mismatch::Build));
        assert_eq!(
            other(|sweep_origin| sweep_origin.catalogue.push('x')),
            Some(Mismatch::Catalogue)
        );
        assert_eq!(other(|sweep_origin| sweep_origin.question.push('x')), Some(Mismatch::Question));
    }
}
