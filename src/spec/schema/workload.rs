//! Keys of one of several workloads. Its tables are those of the top level, laid over them.

use crate::keys::{GPUS, Key, Kind, Section, key};
use crate::parallel::LayoutRequest;
use crate::units::Unit;
use crate::workload::{Collectives, Framework, Model, Technique, Training};

/// Tables of a job: of the top level, and laid over those in a workload or a stage.
pub(super) const JOB: [Key; 6] = [
    key("model", Kind::Table(&Model::SECTION), "what is trained"),
    key("training", Kind::Table(&Training::SECTION), "batch, precision, length of the run"),
    key("parallelism", Kind::Table(&LayoutRequest::SECTION), "how it is spread over GPUs"),
    key("framework", Kind::Table(&Framework::SECTION), "what the training stack does"),
    key("collectives", Kind::Table(&Collectives::SECTION), "the algorithms of collectives"),
    key("technique", Kind::Table(&Technique::SECTION), "training techniques that change the step"),
];

/// Their names.
pub(crate) const TABLES: [&str; 6] =
    [JOB[0].name, JOB[1].name, JOB[2].name, JOB[3].name, JOB[4].name, JOB[5].name];

/// `[[workload]]`.
pub(super) const WORKLOAD: Section = Section {
    doc: "one of several models that share the cluster's time; tables of the top level hold for \
          all that do not state the same keys",
    keys: &[
        key("name", Kind::Text, "name for reports").with_default_words("the model's"),
        key("gpus", GPUS, "GPUs of its own: a part of the cluster on a product of its own choice")
            .with_default_words("all workloads share the cluster"),
        key("share", Kind::Number { min: 0.0001, max: 1.0 }, "part of the cluster's time")
            .with_default_words("an equal part of what the others leave"),
        JOB[0],
        JOB[1],
        JOB[2],
        JOB[3],
        JOB[4],
        JOB[5],
        key(
            "unforwardable",
            Kind::Number { min: 0.0, max: 1.0 },
            "part of the bytes between domains that has to cross rails and that no GPU of the job \
             can forward, as with jobs on parts of domains",
        )
        .default("0"),
        key(
            "max_slowdown",
            Kind::Number { min: 1.0, max: 1000.0 },
            "longest step over that of the same machines on a full-bisection Clos, in the fastest \
             layout, rank order and placement that are open",
        )
        .with_default_words("objective.max_slowdown"),
        key(
            "days",
            Kind::Number { min: 0.001, max: 100_000.0 },
            "length of the run in days, the time that others have the cluster included",
        )
        .with_default_words("limits.days"),
        key("step_time", Kind::Quantity(Unit::Time), "length of one step")
            .with_default_words("limits.step_time"),
    ],
};
