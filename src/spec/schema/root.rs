//! The top of a spec, and the parts of the format that this version does not read yet.

use super::cluster::{CLUSTER, GATE, LIMITS, OBJECTIVE, SPARES};
use super::hardware::{HARDWARE, PRICING};
use super::job::{FRAMEWORK, MODEL, PARALLELISM, TRAINING};
use super::stage::STAGE;
use super::technique::TECHNIQUE;
use super::workload::WORKLOAD;
use super::{Kind, Section, key};

/// Most pieces of a part that anyone owns or can have delivered.
const MOST_PIECES: Kind = Kind::Count { min: 0, max: 1_000_000_000 };

/// Everything that a spec may hold.
pub const ROOT: Section = Section {
    doc: "what is trained, how, on what, and what counts",
    keys: &[
        key("name", Kind::Text, "name for reports").or("from model and GPUs"),
        key("model", Kind::Table(&MODEL), "what is trained").required(),
        key("training", Kind::Table(&TRAINING), "batch, precision, length of the run").required(),
        key("parallelism", Kind::Table(&PARALLELISM), "how it is spread over GPUs"),
        key("framework", Kind::Table(&FRAMEWORK), "what the training stack does"),
        key("cluster", Kind::Table(&CLUSTER), "GPUs and the network around them").required(),
        key("objective", Kind::Table(&OBJECTIVE), "what to minimise"),
        key("limits", Kind::Table(&LIMITS), "what no design may exceed"),
        key("inventory", Kind::Map(&MOST_PIECES), "parts already owned, by name: pieces"),
        key("spares", Kind::Table(&SPARES), "parts to keep in store").or("none"),
        key("prices", Kind::Map(&Kind::Price), "prices that override the price book, by part"),
        key("pricing", Kind::Table(&PRICING), "discounts, mark-ups, currencies, age of prices"),
        key("hardware", Kind::Table(&HARDWARE), "parts of one's own, beside the presets"),
        key("gate", Kind::Table(&GATE), "rules of `planner check`"),
        key("technique", Kind::Table(&TECHNIQUE), "training techniques that change the step"),
        key(
            "workload",
            Kind::Tables(&WORKLOAD),
            "several models that share the cluster's time, instead of one",
        ),
        key("stage", Kind::Tables(&STAGE), "what the cluster grows to later, keeping its parts"),
    ],
};
