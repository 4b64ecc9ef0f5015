//! Keys of the cluster and of its checks.

use crate::keys::{GPUS, Kind, Section, key};
use crate::scenario::FabricChoice;

const NAMES: Kind = Kind::Some(&Kind::Name);
const RULES: Kind = Kind::Some(&Kind::Text);

/// `[cluster]`.
pub(crate) const CLUSTER: Section = Section {
    doc: "GPUs and the choices around them",
    keys: &[
        key("gpus", GPUS, "GPUs of the cluster").or("the product of all degrees").required(),
        key("node", Kind::Auto(&NAMES), "HB-domain products to choose from").default("auto"),
        key("nic", Kind::Auto(&NAMES), "interfaces to choose from").or("each product's own"),
        key("fabric", Kind::Choice(FabricChoice::NAMES), "family of fabric")
            .default(FabricChoice::Auto.name()),
        key("prices", Kind::Name, "price book").default("street-2026"),
        key("max_planes", Kind::Count { min: 1, max: 64 }, "most copies of the network")
            .or("what the interfaces support"),
        key("switches", NAMES, "switch models to choose from").or("all"),
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
