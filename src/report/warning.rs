//! Words for warnings: what is the matter, in numbers, and what to do about it. Codes are stable,
//! so that scripts can look for them.

use super::number;
use crate::design::Warning;

/// The stable code of a warning.
pub(super) const fn code(warning: &Warning) -> &'static str {
    match warning {
        Warning::Ties { .. } => "W01",
        Warning::Unpriced { .. } => "W02",
        Warning::IdleGpus { .. } => "W03",
        Warning::OldPrices { .. } => "W09",
        Warning::MemoryTight { .. } => "W04",
        Warning::NoRailSaving => "W05",
        Warning::Forwarding { .. } => "W06",
        Warning::UplinkHeadroom { .. } => "W07",
        Warning::ForwardingBound { .. } => "W08",
        Warning::AssumedRates { .. } => "W10",
        Warning::Unrouted { .. } => "W11",
        Warning::Slower { .. } => "W12",
    }
}

/// The warning as one or two sentences without the last full stop.
pub(super) fn text(warning: &Warning) -> String {
    match warning {
        Warning::Ties { count } => format!(
            "{} within 0.5 % of this one: choose on resilience",
            number::counted(*count as u64, "other design costs", "other designs cost")
        ),
        Warning::Unpriced { parts } => format!(
            "no price for {}: the totals lack them; add them under [prices]",
            parts.join(", ")
        ),
        Warning::OldPrices { parts, months, as_of } => format!(
            "prices up to {} old in {as_of}: {}; ask again before you sign",
            number::counted(*months, "month", "months"),
            parts
                .iter()
                .map(|(part, date)| format!("{part} of {date}"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        Warning::IdleGpus { count } => format!(
            "{} bought and not used by the job: machines are bought whole, and groups of ranks do \
             not divide them",
            number::counted(*count, "GPU is", "GPUs are")
        ),
        Warning::MemoryTight { free } => format!(
            "only {} of memory stay free on the fullest GPU: fragmentation alone may take that",
            number::memory(*free)
        ),
        Warning::Unrouted { reason } => format!(
            "the step time is not verified by routing: {reason}; links may be slower than it takes \
             them to be"
        ),
        Warning::Slower { label, link, times } => format!(
            "routing check failed: {label} takes {} times as long on {link} as the step time has \
             it",
            number::ratio(*times)
        ),
        Warning::NoRailSaving => {
            "rail-only saves nothing here: a full-bisection Clos needs as many tiers and costs the \
             same"
                .to_owned()
        }
        Warning::Forwarding { bytes } => format!(
            "{} a step cross rails and are forwarded through the HB domain (PXN or the like): the \
             software has to do it, and jobs have to own whole domains",
            number::volume(*bytes)
        ),
        Warning::UplinkHeadroom { headroom } if *headroom < 1.0 => format!(
            "uplinks of a leaf carry {} of what its flows could send: the step time counts that, \
             and load balancing has to be nearly perfect to keep it",
            number::ratio(*headroom)
        ),
        Warning::UplinkHeadroom { headroom } => format!(
            "uplinks of a leaf carry {} times what its flows send: below 1.25 only nearly perfect \
             load balancing keeps the step time",
            number::ratio(*headroom)
        ),
        Warning::AssumedRates { gpu, set, shares_of } => format!(
            "no step of `{gpu}` was measured: its rates are taken as the shares of peak that \
             `{shares_of}` reaches (calibration `{set}`); measure some and state them under \
             [hardware.calibrations]"
        ),
        Warning::ForwardingBound { hb, needed } => format!(
            "an HB bandwidth of {} can't forward all that the NICs permit; {} would: traffic across \
             rails may be slower than printed",
            number::bandwidth(*hb),
            number::bandwidth(*needed)
        ),
    }
}
