//! Figures: what failures take of a year.

use super::row::Better::{Higher, Lower, Neither};
use super::row::{
    COUNT, DAYS, FigureSource, GOODPUT, LOSSES, MONEY, NUMBER, OWNERSHIP, POWER_DRAWN, Quantity,
    RATES, SHARE, STANDBY, SURVIVAL, TIME, TRAYS, WORD, count_amount, optional_row, share_amount,
};
use crate::design::WithoutSinglePoint;
use crate::units::Amount;

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "goodput_share",
        label: "goodput",
        better: Higher,
        most: Some(1.0),
        compared: true,
        read: |source| share_amount(source.failures?.year.goodput),
        meaning: "share of a year that trains: the rest goes to failures, with spare machines",
        formula: "e^(−Λ·r) · Λ·τ/(e^(Λ·(τ + s)) − 1) · (1 − Σ δ) · P(Poisson(m) ≤ S), τ = √(2·s/Λ)",
        equations: &[GOODPUT, LOSSES, RATES, STANDBY],
        inputs: &[
            "failures.stops_per_year",
            "failures.checkpoint_seconds",
            "failures.restart_minutes",
            "between checkpoints τ",
            "spare machines",
            "domains broken m",
            "lost to checkpoints",
            "lost to work done again",
            "lost to restarts",
            "speed lost until repairs Σ δ",
            "lost to waiting for spares",
            "failures.swap_hours",
        ],
        ..SHARE
    },
    Quantity {
        key: "failures.stops_per_year",
        label: "stops a year",
        read: |source| Some(Amount::Number(source.failures?.year.stops.events())),
        meaning: "faults a year after which the job restarts",
        formula: "Λ = Σ over faults that stop it: N·λ",
        equations: &[GOODPUT, RATES],
        ..NUMBER
    },
    Quantity {
        key: "failures.network_stops_per_year",
        label: "of them by the network",
        read: |source| Some(Amount::Number(source.failures?.year.network_stops.events())),
        meaning: "faults of NICs, links and switches a year after which the job restarts",
        formula: "Σ over faults of the network that stop it: N·λ",
        equations: &[GOODPUT, RATES],
        ..NUMBER
    },
    Quantity {
        key: "failures.days_lost_per_year",
        label: "days lost a year",
        most: Some(366.0),
        compared: true,
        read: |source| Some(Amount::Days(source.failures?.days_lost())),
        meaning: "days of a year that do not train",
        formula: "(1 − goodput) · 365.25",
        equations: &[GOODPUT],
        inputs: &["goodput_share"],
        ..DAYS
    },
    Quantity {
        key: "failures.network_days_lost_per_year",
        label: "of them by the network",
        compared: true,
        read: |source| Some(Amount::Days(source.failures?.network_days_lost())),
        meaning: "days of a year that faults of NICs, links and switches take: stops, and speed \
                  lost until the repair",
        formula: "365.25 · Σ over faults of the network: N·λ·(r + τ/2 where it stops + T·(1 − p))",
        equations: &[LOSSES, RATES],
        ..DAYS
    },
    Quantity {
        key: "failures.usd_lost_per_year",
        label: "lost a year",
        compared: true,
        read: |source| Some(Amount::Money(source.failures?.usd_lost)),
        meaning: "share of price and power for the time of a year that does not train",
        formula: "TCO / years · (1 − goodput)",
        equations: &[OWNERSHIP, GOODPUT],
        inputs: &["cost.tco_usd", "goodput_share", "objective.years"],
        ..MONEY
    },
    Quantity {
        key: "failures.standby_domains",
        label: "spare machines",
        better: Lower,
        compared: true,
        read: |source| count_amount(source.failures?.year.standby.domains),
        meaning: "HB domains that are spare, to take the place of broken ones",
        formula: "S: what makes TCO / goodput least, without a price the fewest with P(Poisson(m) ≤ S) ≥ \
                   the fill rate, m of what takes a domain on any network; or what is stated",
        equations: &[STANDBY],
        inputs: &["spare machines", "broken alone m", "enough spares", "fill rate"],
        ..COUNT
    },
    Quantity {
        key: "failures.standby_wired_domains",
        label: "of them with ports",
        better: Lower,
        read: |source| count_amount(source.failures?.year.standby.with_ports()),
        meaning: "spare machines with ports and cables of their own: one of them takes over within \
                  a restart; of the others the cables are carried by hand",
        formula: "S where that is better by what is minimised, else 0",
        equations: &[STANDBY],
        inputs: &["spare machines"],
        ..COUNT
    },
    Quantity {
        key: "failures.checkpoint_interval_s",
        label: "between checkpoints",
        better: Neither,
        read: |source| Some(Amount::Time(source.failures?.year.checkpoint_interval()?)),
        meaning: "time between checkpoints",
        formula: "τ = √(2·s/Λ), or what is stated",
        equations: &[GOODPUT],
        inputs: &["between checkpoints τ"],
        ..optional_row(TIME)
    },
    Quantity {
        key: "failures.worst_part",
        label: "worst part",
        compared: true,
        read: |source| {
            let part = source.failures?.year.worst_fault().map(|worst| worst.fault.part.clone());
            Some(Amount::from_word(part.unwrap_or_else(|| "none".to_owned())))
        },
        meaning: "part of the network of which the loss of one takes most until its repair, with \
                   nothing replaced",
        ..WORD
    },
    Quantity {
        key: "failures.worst_gpus",
        label: "GPUs hit by the worst loss",
        better: Lower,
        compared: true,
        read: |source| {
            count_amount(source.failures?.year.worst_fault().map_or(0, |worst| worst.fault.gpus))
        },
        meaning: "GPUs of the HB domains that the loss of one part of the network hits, of the part \
                   whose loss takes most; no more than train",
        formula: "HB domains that lose a NIC, or ports of one, · GPUs of each, at most those that \
                  train",
        equations: &[LOSSES],
        inputs: &["part"],
        ..COUNT
    },
    Quantity {
        key: "failures.worst_pace_share",
        label: "speed after loss",
        better: Higher,
        most: Some(1.0),
        compared: true,
        read: |source| {
            share_amount(source.failures?.year.worst_fault().map_or(1.0, |worst| worst.fault.kept))
        },
        meaning: "speed that the job keeps with nothing replaced while that part is out; 0 where \
                  it stands",
        formula: "p = step / step on what is left",
        equations: &[LOSSES],
        inputs: &["part"],
        ..SHARE
    },
    Quantity {
        key: "failures.pace_left_share",
        label: "speed left after a loss",
        better: Higher,
        most: Some(1.0),
        compared: true,
        read: |source| share_amount(source.failures?.pace_left?),
        meaning: "least share of the speed on a network that never blocks that a loss named by \
                  `limits.survive` leaves",
        formula: "least over these losses of: step on a network that never blocks / step on what \
                  is left",
        equations: &[SURVIVAL, LOSSES],
        ..optional_row(SHARE)
    },
    Quantity {
        key: "failures.survival_usd",
        label: "without a part that stops the job",
        read: |source| without_single_point(source)?.premium.money_share(),
        meaning: "what the best cluster of these machines of which no link or switch stops the \
                  whole job alone costs more to buy, or over the years where that is minimised: \
                  paid where it is at most 2 % of the network's price",
        formula: "what is minimised without such a part − with it",
        equations: &[SURVIVAL],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "failures.survival_usd_per_million_tokens",
        label: "without such a part, per token",
        read: |source| without_single_point(source)?.premium.money_per_token(),
        meaning: "likewise of the cost of a million tokens, where that is minimised",
        formula: "cost of a million tokens without such a part − with it",
        equations: &[SURVIVAL],
        ..optional_row(MONEY)
    },
    Quantity {
        key: "failures.survival_w",
        label: "without such a part, power",
        read: |source| without_single_point(source)?.premium.power_share(),
        meaning: "likewise of power, where that is minimised",
        formula: "power without such a part − with it",
        equations: &[SURVIVAL],
        ..optional_row(POWER_DRAWN)
    },
    Quantity {
        key: "failures.survival_share",
        label: "as a share of the network",
        better: Lower,
        read: |source| share_amount(without_single_point(source)?.premium.network_share),
        meaning: "that over what the network of the best cluster takes of what is minimised; of \
                  the cost per token the network's share of it",
        formula: "(what is minimised without such a part − with it) / the network's part of it",
        equations: &[SURVIVAL],
        ..optional_row(SHARE)
    },
    Quantity {
        key: "failures.whole_domains_share",
        label: "HB domains without a tray out",
        better: Higher,
        most: Some(1.0),
        read: |source| {
            share_amount(
                source
                    .failures?
                    .trays
                    .map(|(trays, _)| trays.share_of_time_with_gpus(trays.domain))?,
            )
        },
        meaning: "share of the time that all GPUs of an HB domain of several trays work",
        formula: "(1 − q)^(K/g), q the share of the time that a tray of g GPUs is out",
        equations: &[TRAYS],
        ..optional_row(SHARE)
    },
    Quantity {
        key: "failures.spare_trays",
        label: "spare trays of an HB domain",
        read: |source| {
            count_amount(source.failures.filter(|report| report.trays.is_some())?.spare_trays)
        },
        meaning: "trays of an HB domain of several that have no work and take the place of broken \
                  ones of it",
        formula: "σ = ⌊(K − u)/g⌋ trays of g GPUs, u of a domain's K GPUs have work; none where \
                  the domain forwards no messages to other rails, as the NICs of a spare tray are \
                  on others",
        equations: &[TRAYS],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "failures.stranded_gpus_share",
        label: "unusable GPUs",
        better: Lower,
        most: Some(1.0),
        compared: true,
        read: |source| {
            share_amount(
                source.failures?.trays.map(|(trays, group)| trays.stranded_gpu_share(group))?,
            )
        },
        meaning: "share of the GPUs of an HB domain of several trays that work and that no whole \
                   tensor-parallel group can use, on average",
        formula: "(1/K) · Σ_f P(f of K/g trays are out) · ((K − g·f) mod t)",
        equations: &[TRAYS],
        ..optional_row(SHARE)
    },
    Quantity {
        key: "failures.basis",
        label: "losses of parts by",
        read: |source| {
            Some(Amount::from_word(if source.failures?.wired {
                "the wired fabric"
            } else {
                "its counts"
            }))
        },
        meaning: "whether the loss of each kind of part was tried on the wired network, or, above \
                  524,288 NICs, by its counts",
        ..WORD
    },
];

/// The design without a part that stops the job, where one was looked for and found.
fn without_single_point<'a>(source: &FigureSource<'a>) -> Option<&'a WithoutSinglePoint> {
    source.failures?.single_point.as_ref()?.without.as_ref()
}
