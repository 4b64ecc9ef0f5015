//! How far the choice of a design is, in a line. Says nothing of the time that it takes.

use super::super::number;
use crate::sizing::{BestSoFar, DesignProgress, ProofMeans};
use crate::units::Amount;

/// `12 of 262 candidates, best $0.149 a million tokens (gb300-nvl72 with cx8, 2 planes), bound $0.148, gap 0.4 %`.
#[must_use]
pub fn progress_line(state: &DesignProgress) -> String {
    let DesignProgress { through, done, all, best } = state;
    let what = match through {
        ProofMeans::Candidates => ("candidate", "candidates"),
        ProofMeans::Layouts => ("other layout", "other layouts"),
    };
    let far =
        format!("{} of {}", number::count(*done), number::count_with_noun(*all, what.0, what.1));
    let Some(BestSoFar { value, bound, gap, text: name, words }) = best else { return far };
    let name = if name.is_empty() { String::new() } else { format!(" {name}") };
    let (best, bound) = (progress_amount(value), progress_amount(bound));
    format!("{far}, best {best}{name} ({words}), bound {bound}, gap {:.1} %", gap * PERCENT)
}

const PERCENT: f64 = 100.0;

fn progress_amount(amount: &Amount) -> String {
    match amount {
        Amount::Money(usd) => number::money(*usd),
        Amount::Power(watts) => number::power(*watts),
        other => other.scalar().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::progress_line;
    use crate::sizing::{BestSoFar, DesignProgress, ProofMeans};
    use crate::units::{Amount, Usd, Watts};

    #[test]
    fn a_line_has_the_best_design_and_what_may_still_be_better() {
        let usd = |value| Amount::Money(Usd::from_f64(value));
        let best = |value, bound, name| {
            Some(BestSoFar {
                value,
                bound,
                gap: 0.004,
                text: name,
                words: "gb300-nvl72, 2 planes".to_owned(),
            })
        };
        let line =
            |through, best| progress_line(&DesignProgress { through, done: 12, all: 1262, best });
        assert_eq!(line(ProofMeans::Candidates, None), "12 of 1,262 candidates");
        assert_eq!(
            line(ProofMeans::Candidates, best(usd(0.149), usd(0.1484), "a million tokens")),
            "12 of 1,262 candidates, best $0.149 a million tokens (gb300-nvl72, 2 planes), bound \
             $0.148, gap 0.4 %"
        );
        let watts = |value| Amount::Power(Watts::from_f64(value));
        assert_eq!(
            line(ProofMeans::Layouts, best(watts(2e6), watts(1.9e6), "")),
            "12 of 1,262 other layouts, best 2.00 MW (gb300-nvl72, 2 planes), bound 1.90 MW, gap 0.4 %"
        );
    }
}
