//! The top of a spec, and the parts of the format that this version does not read yet.

use super::gate::GATE;
use super::hardware::{HARDWARE, PRICING};
use super::stage::STAGE;
use super::workload::{JOB, WORKLOAD};
use crate::keys::{Kind, PIECES, Section, key};
use crate::reliability::Failures;
use crate::scenario::{Cluster, Hall, Installation, Limits, Networks, Objective, Robust, Spares};

/// Everything that a spec may hold.
pub const ROOT: Section = Section {
    doc: "what is trained, how, on what, and what counts",
    keys: &[
        key("name", Kind::Text, "name for reports").with_default_words("from model and GPUs"),
        JOB[0].required(),
        JOB[1].required(),
        JOB[2],
        JOB[3],
        JOB[4],
        key("cluster", Kind::Table(&Cluster::SECTION), "GPUs and the network around them")
            .required(),
        key("objective", Kind::Table(&Objective::SECTION), "what to minimise"),
        key("limits", Kind::Table(&Limits::SECTION), "what no design may exceed"),
        key("robust", Kind::Table(&Robust::SECTION), "what else the fabric has to carry")
            .with_default_words("nothing"),
        key("hall", Kind::Table(&Hall::SECTION), "racks, rows and trays: where cables run")
            .with_default_words("none"),
        key("inventory", Kind::Map(&PIECES), "parts already owned, by name: pieces"),
        key("spares", Kind::Table(&Spares::SECTION), "parts to keep in store")
            .with_default_words("none"),
        key("networks", Kind::Table(&Networks::SECTION), "the networks beside the compute network")
            .with_default_words("not counted"),
        key(
            "installation",
            Kind::Table(&Installation::SECTION),
            "work on site, and cables of links that are counted by their ends",
        )
        .with_default_words("not counted"),
        key(
            "failures",
            Kind::Table(&Failures::SECTION),
            "how often parts fail, how long they are out, how a job comes back",
        ),
        key("prices", Kind::Map(&Kind::Price), "prices that override the price book, by part"),
        key("pricing", Kind::Table(&PRICING), "discounts, mark-ups, currencies, age of prices"),
        key("hardware", Kind::Table(&HARDWARE), "parts of one's own, beside the presets"),
        key("gate", Kind::Table(&GATE), "rules of `planner check`"),
        JOB[5],
        key(
            "workload",
            Kind::Tables(&WORKLOAD),
            "several models that share the cluster's time, instead of one",
        ),
        key("stage", Kind::Tables(&STAGE), "what the cluster grows to later, keeping its parts"),
    ],
};
