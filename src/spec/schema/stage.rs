//! Keys of what a cluster grows to. Its tables are those of the top level, laid over them.

use super::workload::JOB;
use crate::keys::{GPUS, Kind, Section, key};
use crate::scenario::Limits;

/// `[[stage]]`.
pub(super) const STAGE: Section = Section {
    doc: "what the cluster grows to from a year on, on the same machines and with the parts that it \
          has; tables of the top level hold for all that do not state the same keys",
    keys: &[
        key("gpus", GPUS, "GPUs of the cluster from then on").required(),
        key("year", Kind::Number { min: 0.01, max: 100.0 }, "years after the first stage")
            .required(),
        key(
            "price_change",
            Kind::Number { min: -0.99, max: 0.0 },
            "change of the price of parts since the first stage: -0.2 is a fifth less",
        )
        .with_default_words("that of the stage before"),
        JOB[0],
        JOB[1],
        JOB[2],
        JOB[3],
        JOB[4],
        JOB[5],
        key("limits", Kind::Table(&Limits::SECTION), "what no design may exceed at this stage"),
    ],
};
