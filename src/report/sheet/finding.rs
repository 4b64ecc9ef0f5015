//! Words for what no rule on figures can see.

use super::super::number;
use crate::gate::{Finding, Severity};

/// The sentence.
pub(in super::super) fn finding_text(finding: &Finding) -> String {
    match finding {
        Finding::LostPrice { part, old: Some(usd) } => {
            format!("{part} has no price now and was {}: every total lacks it", number::money(*usd))
        }
        Finding::LostPrice { part, old: None } => {
            format!("{part} has no price and was not bought before: every total lacks it")
        }
        Finding::FreePart { part, old } => {
            format!("{part} costs nothing now and was {}", number::money(*old))
        }
        Finding::WeakerBasis { part, old, new } => format!(
            "the price of {part} rests on less than before: {} now, {} before",
            new.name(),
            old.name()
        ),
        Finding::RemovedRule { rule, severity } => {
            format!("the spec has lost its rule `{}`", rule_with_severity(*severity, rule))
        }
        Finding::LooserRule { rule, severity, now } => {
            let now: Vec<String> = now
                .iter()
                .map(|(severity, rule)| format!("`{}`", rule_with_severity(*severity, rule)))
                .collect();
            let was = rule_with_severity(*severity, rule);
            format!("the spec has loosened its rule `{was}`: it has only {} now", now.join(", "))
        }
    }
}

fn rule_with_severity(severity: Severity, rule: &str) -> String {
    match severity {
        Severity::Warn => format!("warn on {rule}"),
        Severity::Fail => format!("fail on {rule}"),
    }
}
