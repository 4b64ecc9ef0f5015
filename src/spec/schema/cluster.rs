//! Keys of the cluster, of what to minimise and of what no design may exceed.

use super::job::GPUS;
use super::{Kind, Section, Unit, key};

const NAMES: Kind = Kind::Some(&Kind::Name);
const RULES: Kind = Kind::Some(&Kind::Text);
const SHARE: Kind = Kind::Number { min: 0.0, max: 1.0 };
const PIECES: Kind = Kind::Count { min: 0, max: 1_000_000_000 };

/// `[cluster]`.
pub(crate) const CLUSTER: Section = Section {
    doc: "GPUs and the choices around them",
    keys: &[
        key("gpus", GPUS, "GPUs of the cluster").or("the product of all degrees").required(),
        key("node", Kind::Auto(&NAMES), "HB-domain products to choose from").default("auto"),
        key("nic", Kind::Auto(&NAMES), "interfaces to choose from").or("each product's own"),
        key(
            "fabric",
            Kind::Choice(&["auto", "rail-only", "rail-optimized", "clos"]),
            "family of fabric",
        )
        .default("auto"),
        key("prices", Kind::Name, "price book").default("street-2026"),
        key("max_planes", Kind::Count { min: 1, max: 64 }, "most copies of the network")
            .or("what the interfaces support"),
        key("switches", NAMES, "switch models to choose from").or("all"),
    ],
};

/// `[objective]`.
pub(crate) const OBJECTIVE: Section = Section {
    doc: "what to minimise",
    keys: &[
        key(
            "minimize",
            Kind::Some(&Kind::Choice(&["capex", "tco", "usd-per-token", "power"])),
            "the quantity; of several the next decides among designs that are best by those before it",
        )
        .default("capex"),
        key(
            "tolerance",
            Kind::Number { min: 0.0, max: 1.0 },
            "share by which a design may be worse than the best by a quantity and still count as such",
        )
        .default("0"),
        key(
            "max_slowdown",
            Kind::Number { min: 1.0, max: 1000.0 },
            "longest step over that of the same machines on a full-bisection Clos, in the fastest \
             rank order and placement that are open",
        )
        .default("1.02"),
        key("years", Kind::Number { min: 0.1, max: 100.0 }, "years of operation").default("4"),
        key(
            "discount",
            Kind::Number { min: 0.0, max: 1.0 },
            "share that money loses of its value in a year: energy and later stages count less",
        )
        .default("0"),
        // What new large halls reach; the average of the industry is 1.56 (Uptime Institute, Global
        // Data Center Survey 2024).
        key("pue", Kind::Number { min: 1.0, max: 10.0 }, "power from the wall over the machines'")
            .default("1.3"),
    ],
};

/// `[limits]`.
pub(crate) const LIMITS: Section = Section {
    doc: "what no design may exceed; all optional",
    keys: &[
        key("budget", Kind::Quantity(Unit::Money), "capital cost"),
        key("power", Kind::Quantity(Unit::Power), "power of machines and network, before cooling"),
        key("racks", PIECES, "racks for machines and switches"),
        key("rack_power", Kind::Quantity(Unit::Power), "power that one rack can feed and cool"),
        key("rack_units", Kind::Count { min: 1, max: 1_000 }, "usable height of a rack")
            .default("42"),
        key("days", Kind::Number { min: 0.001, max: 100_000.0 }, "length of the run in days"),
        key("step_time", Kind::Quantity(Unit::Time), "length of one step"),
        key("supply", Kind::Map(&PIECES), "switches that can be delivered, by name: pieces"),
        key("within_rail", SHARE, "least bandwidth within a rail over its NICs'; 1: never blocks"),
        key("across_rails", SHARE, "least bandwidth across rails over the NICs'"),
        key("models_per_rail", Kind::Count { min: 1, max: 64 }, "switch models in one rail"),
    ],
};

/// `[gate]`.
pub(crate) const GATE: Section = Section {
    doc: "what a change of the design may not do; read by `planner check`",
    keys: &[
        key(
            "fail_on",
            RULES,
            "changes that fail: `capex>+2%`, `power>+100kW`, `mfu<-1%`, `step.time_s~1%`",
        ),
        key("warn_on", RULES, "changes that are only told"),
    ],
};

/// `[spares]`.
pub(crate) const SPARES: Section = Section {
    doc: "switches and transceivers to keep in store, so that a failed one is replaced at once",
    keys: &[
        key(
            "fill_rate",
            Kind::Number { min: 0.5, max: 0.999_999 },
            "share of the lead times in which the store does not run out",
        )
        .default("0.99"),
        // An assumption: lead times moved between four and forty weeks.
        key("lead_days", Kind::Number { min: 0.0, max: 3650.0 }, "days until a part arrives")
            .default("56"),
        // Top-of-rack switches: 0.051 % a month (Qian et al., Alibaba HPN, SIGCOMM 2024).
        key("switch_failures", YEARLY, "share of the switches that fail in a year")
            .default("0.0061"),
        // An assumption; published link failures are lower.
        key("optic_failures", YEARLY, "share of the transceivers that fail in a year")
            .default("0.02"),
    ],
};

const YEARLY: Kind = Kind::Number { min: 0.0, max: 10.0 };
