//! The words of each warning, and the section that lists them.

use super::document::{Section, SectionPart};
use super::{amount, number, short_number};
use crate::design::{FilledMachines, Plan, PricedAs, Warning, WithoutSinglePoint};
use crate::memory::MemoryFit;
use crate::reliability::PerYear;
use crate::units::{Amount, ExactAmount};

/// What a reader has to know before trusting the design; "none", where somebody asks, if that is
/// nothing.
pub(super) fn warnings_section(plan: &Plan) -> Section {
    let mut section = Section::new("WARNINGS", "");
    if plan.warnings.is_empty() {
        return section.add_empty_note();
    }
    section.parts = plan
        .warnings
        .iter()
        .map(|warning| SectionPart::Warning {
            code: warning_code(warning),
            text: warning_text(warning),
        })
        .collect();
    section
}

/// The stable code of a warning.
pub(super) const fn warning_code(warning: &Warning) -> &'static str {
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
        Warning::PricedByPort { .. } => "W13",
        Warning::SinglePoint { .. } => "W14",
        Warning::TooLittleLeft { .. } => "W15",
        Warning::ExpiredQuotes { .. } => "W16",
        Warning::NotCarried { .. } => "W17",
        Warning::LateWithFailures { .. } => "W18",
        Warning::OtherSteps { .. } => "W19",
        Warning::PartlyTraining { .. } => "W20",
        Warning::MixedLevels { .. } => "W21",
        Warning::AboveMeasured { .. } => "W22",
    }
}

/// The warning as one or two sentences without the last full stop.
pub(super) fn warning_text(warning: &Warning) -> String {
    match warning {
        Warning::Ties { count, networks, others } => tied_designs_text(*count, networks, others),
        Warning::Unpriced { parts } => format!(
            "no price for {}: the totals lack them; add them under [prices]",
            parts.join(", ")
        ),
        Warning::PricedByPort { parts } => format!(
            "no price is known for {}: what their ports cost elsewhere is taken; state {}",
            parts
                .iter()
                .map(|(part, usd)| format!("{part} ({} each)", number::money(*usd)))
                .collect::<Vec<_>>()
                .join(", "),
            parts
                .iter()
                .map(|(part, _)| format!("`hardware.switches.{part}.price`"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        Warning::OldPrices { parts, months, as_of, stated } => {
            let age = number::count_with_noun(*months, "month", "months");
            let parts: Vec<String> =
                parts.iter().map(|(part, date)| format!("{part} of {date}")).collect();
            let parts = parts.join(", ");
            if *stated {
                format!("prices up to {age} old in {as_of}: {parts}; ask again before you sign")
            } else {
                format!(
                    "the machine was chosen among several at a price that is {age} older than the \
                     newest of the book ({as_of}): {parts}; put what it costs now under [prices]"
                )
            }
        }
        Warning::ExpiredQuotes { parts, as_of } => {
            let parts: Vec<String> =
                parts.iter().map(|(part, until)| format!("{part} until {until}")).collect();
            format!(
                "offers that no longer hold in {as_of}: {}; ask for new ones before you sign",
                parts.join(", ")
            )
        }
        Warning::MixedLevels { machines } => {
            let one = |priced_as: &PricedAs| {
                let level = priced_as.level.map_or("no level stated", |level| level.name());
                let with = if priced_as.has_nics { "with" } else { "without" };
                format!("{} ({level}, {with} NICs)", priced_as.part)
            };
            let all: Vec<String> = machines.iter().map(one).collect();
            format!(
                "prices of the machines to choose from are not of one kind: {}; state `level` and \
                 `includes` of each price, or prices of one level",
                all.join(", ")
            )
        }
        Warning::IdleGpus { count, share, asked, of_machine, used, fixed, spare_trays, filled } => {
            let idle = format!(
                "{}, {} of those in machines that train, {} no work",
                number::count_with_noun(*count, "GPU", "GPUs"),
                number::percent(*share),
                if *count == 1 { "has" } else { "have" }
            );
            let why = if used < of_machine {
                format!("groups of ranks take {used} of the {of_machine} GPUs of a machine")
            } else {
                "machines are bought whole".to_owned()
            };
            let whole = if asked.is_multiple_of(*of_machine) {
                String::new()
            } else {
                format!(
                    ", and {} fill no whole number of machines",
                    number::count_with_noun(*asked, "GPU", "GPUs")
                )
            };
            if *spare_trays > 0 {
                let trays = number::count_with_noun(*spare_trays, "tray", "trays");
                return format!(
                    "{idle}: {trays} of each machine {} left for broken ones, as FAILURES has it",
                    if *spare_trays == 1 { "is" } else { "are" }
                );
            }
            format!(
                "{idle}: {why}{whole}; {}",
                less_idle(*of_machine, used < of_machine, fixed, filled)
            )
        }
        Warning::MemoryTight { needs, has, keys: all } => {
            let ways = [
                ("training.recompute", "more recomputation, "),
                ("training.micro_batch", "smaller micro-batches, "),
            ];
            let ways = ways.into_iter().filter(|(key, _)| all.contains(key));
            let ways: Vec<&str> = ways.map(|(_, way)| way).collect();
            format!(
                "the fullest GPU needs {} of {} as counted, which errs by up to {} either way: it may \
                 not fit; {}more shards free some: {}",
                number::memory(*needs),
                number::memory(*has),
                short_number::percent(MemoryFit::LEDGER_ERROR),
                if ways.is_empty() { String::new() } else { ways.concat() + "or " },
                key_list_text(all, "or")
            )
        }
        Warning::Unrouted { reason } => format!(
            "the step time is not verified by routing: {reason}; links may be slower than it \
             assumes"
        ),
        Warning::Slower { label, link, times } => format!(
            "routing check failed: {label} takes {} times as long on {link} as the step time \
             assumes",
            number::ratio(*times)
        ),
        Warning::TooLittleLeft { asked, left } => format!(
            "a loss that `limits.survive` names leaves {} of the speed on a network that never \
             blocks, and not {}: sizing counted uplinks of leaf switches that are wired otherwise; \
             `--section failures` has each part",
            number::percent(*left),
            number::percent(*asked)
        ),
        Warning::PartlyTraining { training, asked, above, stated } => {
            let above = above.map_or(String::new(), |gpus| format!(" or {}", number::count(gpus)));
            let why = if *stated {
                "no more replicas of the stated degrees divide the batch"
            } else {
                "no layout that uses more of them has a shorter step"
            };
            format!(
                "{} of {} train, as {why}; the others are \
                 bought, connected and powered like them: of `cluster.gpus` {}{above} all would train",
                number::count(*training),
                number::count_with_noun(*asked, "GPU", "GPUs"),
                number::count(*training),
            )
        }
        Warning::OtherSteps { techniques } => {
            let keys: Vec<String> =
                techniques.iter().map(|key| format!("`technique.{key}`")).collect();
            format!(
                "days and cost per token assume that a run with {} ends as good as an ordinary \
                 one: `--section assumptions` says for what models that was shown",
                keys.join(" and ")
            )
        }
        Warning::LateWithFailures { workload, asked, takes } => {
            let whose = workload.as_ref().map_or_else(String::new, |name| format!(" of {name}"));
            format!(
                "the run{whose} keeps to `limits.days` of {asked} where machines alone fail, and takes \
                 {takes:.2} days with failures of the network; state fewer days to have room for \
                 them"
            )
        }
        Warning::SinglePoint { part, pieces, domains, repair, lost, without } => {
            let help = match domains {
                _ if without.is_some() => {
                    without.as_ref().map(single_point_remedy).unwrap_or_default()
                }
                0 => {
                    "a second plane (`cluster.max_planes`) or more of them (`limits.within_rail`, \
                      `limits.across_rails`) avoids it"
                        .to_owned()
                }
                domains => format!(
                    "{} would take over (`failures.standby = {domains}`); a second plane \
                     (`cluster.max_planes`) avoids it",
                    number::count_with_noun(*domains, "spare machine", "spare machines"),
                ),
            };
            format!(
                "losing {} stops the whole job until it is repaired ({}), {:.2} days a year by \
                 `--section failures`; {help}",
                any_of(part, *pieces),
                number::time(*repair),
                lost * PerYear::DAYS
            )
        }
        Warning::NotCarried { scenarios, most } => {
            let each = |(name, slowdown): &(String, f64)| {
                format!("{name} ({} times)", number::ratio(*slowdown))
            };
            let all: Vec<String> = scenarios.iter().map(each).collect();
            format!(
                "scenarios of [robust] whose step, as routed, takes more than {} times that on a \
                 full-bisection Clos: {}; raise `robust.max_slowdown`, ask for bandwidth by \
                 `limits.within_rail`, or take them out",
                number::ratio(*most),
                all.join(", ")
            )
        }
        Warning::NoRailSaving => {
            "rail-only saves nothing here: a full-bisection Clos in as many planes takes no more \
             of what is minimised"
                .to_owned()
        }
        Warning::Forwarding { bytes } => format!(
            "{} per step go between rails and are forwarded inside HB domains (PXN or the like): \
             the software has to do it, and jobs have to own whole domains",
            number::volume(*bytes)
        ),
        Warning::UplinkHeadroom { headroom, within } if *headroom < 1.0 => format!(
            "uplinks of a leaf switch carry {} of what its flows could send: the step time counts \
             that, and load balancing has to be nearly perfect to keep it; {}",
            number::ratio(*headroom),
            more_uplinks_remedy(*within)
        ),
        Warning::UplinkHeadroom { headroom, within } => format!(
            "uplinks of a leaf switch carry {} times what its flows send: below 1.25 only nearly \
             perfect load balancing keeps the step time; {}",
            number::ratio(*headroom),
            more_uplinks_remedy(*within)
        ),
        Warning::AssumedRates { gpu, set, shares_of } => format!(
            "no step of `{gpu}` was measured: its rates are taken as {} (calibration `{set}`); \
             measure some and state them under [hardware.calibrations]",
            match set.as_str() {
                "unmeasured" => "the least shares of peak that any measured GPU reaches".to_owned(),
                _ => format!("the shares of peak that `{shares_of}` reaches"),
            }
        ),
        Warning::AboveMeasured { gpu, mfu, highest, source } => format!(
            "an MFU of {} is more than any measured step of `{gpu}`, or of its generation where none \
             was, reached in such a format ({}, {source}): expect a longer step, or measure one",
            number::percent(*mfu),
            number::percent(*highest)
        ),
        Warning::ForwardingBound { hb, needed } => format!(
            "an HB bandwidth of {} can't forward all that the NICs permit; {} would: traffic across \
             rails may be slower than printed",
            number::bandwidth(*hb),
            number::bandwidth(*needed)
        ),
    }
}

/// Designs that cost as much: another network may fail in other ways, another rank order can't.
fn tied_designs_text(count: usize, networks: &[String], others: &[String]) -> String {
    let costs = number::count_with_noun(count as u64, "other design costs", "other designs cost");
    let mut names = [networks, others].concat();
    let unnamed = count.saturating_sub(names.len()) as u64;
    if !names.is_empty() && unnamed > 0 {
        names.push(number::count_with_noun(
            unnamed,
            "that differs in several of these",
            "that differ in several of these",
        ));
    }
    let names = names.join("; ");
    let names = if names.is_empty() { names } else { format!(" ({names})") };
    let advice = match (networks, others) {
        ([], []) => "another choice costs next to nothing".to_owned(),
        (_, []) => "choose by what a failure does, by vendor or by delivery".to_owned(),
        ([], _) => "choose by step time: ALTERNATIVES has it".to_owned(),
        (networks, _) => format!(
            "choose by what a failure does where the network differs ({}), else by step time: \
             ALTERNATIVES has it",
            networks.join("; ")
        ),
    };
    format!("{costs} within 0.5 % of this one{names}: {advice}")
}

/// What leaves fewer GPUs idle: what was found to leave none, else where to look.
fn less_idle(
    of_machine: u32,
    partly: bool,
    fixed: &[&'static str],
    filled: &[FilledMachines],
) -> String {
    let one = |machines: &FilledMachines| {
        let gpus = machines.gpus.map(|gpus| format!("`cluster.gpus` {}", number::count(gpus)));
        let batch =
            machines.batch.map(|batch| format!("`training.global_batch` {}", number::count(batch)));
        gpus.into_iter().chain(batch).collect::<Vec<_>>().join(" with ")
    };
    if !filled.is_empty() {
        let all: Vec<String> = filled.iter().map(one).collect();
        return format!("{} would leave none idle", all.join(", or "));
    }
    match (partly, fixed.is_empty()) {
        (true, false) => format!(
            "degrees that divide {of_machine} would fill machines: set {} to \"auto\", so that \
             such layouts are looked for",
            key_list_text(fixed, "and")
        ),
        (true, true) => "another machine in `cluster.node` may leave fewer".to_owned(),
        (false, _) => {
            format!("set `cluster.gpus` to a multiple of {of_machine} that the degrees divide")
        }
    }
}

/// Names of keys as a list: `` `a`, `b` and `c` ``.
fn key_list_text(all: &[&str], last: &str) -> String {
    let quoted: Vec<String> = all.iter().map(|key| format!("`{key}`")).collect();
    match quoted.split_last() {
        Some((end, before)) if !before.is_empty() => {
            format!("{} {last} {end}", before.join(", "))
        }
        _ => quoted.concat(),
    }
}

/// What a network takes that has no such part.
fn single_point_remedy(point: &WithoutSinglePoint) -> String {
    let losses: Vec<String> =
        point.survive.iter().map(|loss| format!("{:?}", loss.name())).collect();
    format!(
        "`limits.survive = [{}]` avoids it on these machines for {} more ({} of the network)",
        losses.join(", "),
        amount::premium_text(&point.premium),
        number::percent(point.premium.network_share)
    )
}

/// What gives a leaf switch more uplinks.
fn more_uplinks_remedy(within: f64) -> String {
    let share = Amount::Share(within);
    format!("`limits.within_rail = {}` asks for more of them", ExactAmount(&share))
}

/// `any of 35 leaf switches`, `the only spine switch`.
pub(super) fn any_of(part: &str, pieces: u64) -> String {
    if pieces == 1 {
        return format!("the only {part}");
    }
    let many = if part.ends_with('h') { format!("{part}es") } else { format!("{part}s") };
    format!("one of {}", number::count_with_noun(pieces, part, &many))
}
