//! Keys of checks.

use crate::keys::{Kind, Section, key};

const RULES: Kind = Kind::Some(&Kind::Text);

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
