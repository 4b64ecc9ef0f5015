//! Top tables, workload, stage, gate, defaults.

use super::hardware::{HARDWARE, PRICING};
use crate::keys::{GPUS, Key, KeyDefault, Kind, PIECES, Section, key};
use crate::parallel::LayoutRequest;
use crate::reliability::Failures;
use crate::scenario::{Cluster, Hall, Installation, Limits, Networks, Objective, Robust, Spares};
use crate::spec::document::{SpannedValue, SpecValue, TextPlace};
use crate::spec::value;
use crate::units::Unit;
use crate::workload::{Collectives, Framework, Model, Technique, Training};

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

/// Tables of a job: of the top level, and laid over those in a workload or a stage.
const JOB: [Key; 6] = [
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
const WORKLOAD: Section = Section {
    doc: "one of several models that share the cluster's time; tables of the top level hold for \
          all that do not state the same keys",
    keys: &[
        key("name", Kind::Text, "name for reports").with_default_words("the model's"),
        key("gpus", GPUS, "GPUs of its own: a part of the cluster on a machine of its own choice")
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

/// `[[stage]]`.
const STAGE: Section = Section {
    doc: "what the cluster grows to from a year on, on the same machines and with the parts that it \
          has; other tables as for `[[workload]]`",
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
        key("warn_on", RULES, "changes only told"),
        key("allow", RULES, "of a policy: what may change: `training.*`"),
    ],
};

impl Key {
    /// The value that holds where it is left out; `None` where that is no value.
    pub(crate) fn default_item(&self) -> Option<SpannedValue> {
        let KeyDefault::Value(text) = self.default else { return None };
        let value = match self.kind.innermost_kind() {
            _ if text == "auto" => SpecValue::Text(text.to_owned()),
            Kind::Count { .. } => SpecValue::Integer(text.parse().ok()?),
            Kind::Number { .. } => SpecValue::Float(text.parse().ok()?),
            Kind::Flag => SpecValue::Flag(text.parse().ok()?),
            _ => SpecValue::Text(text.to_owned()),
        };
        Some(SpannedValue { place: TextPlace::from_spec_range(0, 0), value })
    }

    /// Why what is declared as its default is none: a value that its kind refuses, or words that
    /// could stand in a spec.
    #[must_use]
    pub fn default_problem(&self) -> Option<String> {
        let problem = |item: &SpannedValue| value::value_problem(item, &self.kind);
        match self.default {
            KeyDefault::Nothing => None,
            KeyDefault::Value(text) => match self.default_item() {
                None => Some(format!("`{text}` can't be read as its kind")),
                Some(item) => problem(&item).map(|kind| format!("`{text}` is refused: {kind:?}")),
            },
            KeyDefault::Words(text) => {
                let as_value = Self { default: KeyDefault::Value(text), ..*self };
                let item = as_value.default_item()?;
                let any_text =
                    matches!(self.kind.innermost_kind(), Kind::Text | Kind::Name | Kind::Table(_));
                let would_do = !any_text && problem(&item).is_none();
                would_do.then(|| format!("`{text}` is a value, and is not declared as one"))
            }
        }
    }
}
