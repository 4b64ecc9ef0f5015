//! Conditions on layouts, as users write them: `tensor<=8`, `recompute=none,selective`. They
//! narrow the lists of a space, so that what they leave out is never looked at.

use std::fmt;
use std::str::FromStr;

use super::space::Space;
use crate::parallel::{Order, Schedule};
use crate::workload::Recompute;

/// A condition that every layout of a search has to meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    key: Key,
    relation: Relation,
    values: Vec<Value>, // Invariant: at least one; one alone for a relation of size.
}

/// What a condition is about, by its name in a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Tensor,
    Pipeline,
    Data,
    Context,
    Expert,
    ExpertTensor,
    Interleave,
    MicroBatch,
    Zero,
    SequenceParallel,
    Recompute,
    Schedule,
    Order,
}

const KEYS: [(&str, Key); 13] = [
    ("tensor", Key::Tensor),
    ("pipeline", Key::Pipeline),
    ("data", Key::Data),
    ("context", Key::Context),
    ("expert", Key::Expert),
    ("expert_tensor", Key::ExpertTensor),
    ("interleave", Key::Interleave),
    ("micro_batch", Key::MicroBatch),
    ("zero", Key::Zero),
    ("sequence_parallel", Key::SequenceParallel),
    ("recompute", Key::Recompute),
    ("schedule", Key::Schedule),
    ("order", Key::Order),
];

/// Tables of a spec that the keys stand in; may be written, and add nothing.
const TABLES: [&str; 2] = ["parallelism.", "training."];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Below,
    AtMost,
    Equal,
    Unequal,
    AtLeast,
    Above,
}

/// Longer signs first, as the shorter ones begin them.
const RELATIONS: [(&str, Relation); 7] = [
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("!=", Relation::Unequal),
    ("==", Relation::Equal),
    ("<", Relation::Below),
    (">", Relation::Above),
    ("=", Relation::Equal),
];

/// One setting of a layout, comparable within its key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Number(u64),
    Word(String),
}

/// Why a condition can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterProblem {
    /// No sign of a relation.
    NoRelation,
    /// No layout has such a key.
    Key(String),
    /// The key has no such value.
    Value { key: &'static str, value: String },
    /// Words are not larger or smaller than each other.
    Unordered(&'static str),
}

impl FromStr for Filter {
    type Err = FilterProblem;

    fn from_str(text: &str) -> Result<Self, FilterProblem> {
        let place = text.find(['<', '>', '!', '=']).ok_or(FilterProblem::NoRelation)?;
        let (name, rest) = text.split_at(place);
        let (sign, relation) = RELATIONS
            .into_iter()
            .find(|(sign, _)| rest.starts_with(sign))
            .ok_or(FilterProblem::NoRelation)?;
        let name = name.trim();
        let short = TABLES.iter().find_map(|table| name.strip_prefix(table)).unwrap_or(name);
        let (name, key) = KEYS
            .into_iter()
            .find(|(known, _)| *known == short)
            .ok_or_else(|| FilterProblem::Key(name.to_owned()))?;
        let values = rest[sign.len()..]
            .split(',')
            .map(|value| {
                key.parse_value(value.trim()).ok_or_else(|| key.value_problem(name, value))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let sized = !matches!(relation, Relation::Equal | Relation::Unequal);
        if sized && (values.len() > 1 || matches!(values[0], Value::Word(_))) {
            return Err(FilterProblem::Unordered(name));
        }
        Ok(Self { key, relation, values })
    }
}

impl Key {
    /// The value that a text stands for.
    fn parse_value(self, text: &str) -> Option<Value> {
        let known = |names: &[&str]| names.contains(&text).then(|| Value::Word(text.to_owned()));
        match self {
            Self::SequenceParallel => known(&["true", "false"]),
            Self::Recompute => known(&Recompute::ALL.map(Recompute::name)),
            Self::Schedule => known(&Schedule::ALL.map(Schedule::name)),
            Self::Order => Order::parse(text).map(|order| Value::Word(order.to_string())),
            _ => text.parse().ok().map(Value::Number),
        }
    }

    fn value_problem(self, key: &'static str, value: &str) -> FilterProblem {
        FilterProblem::Value { key, value: value.trim().to_owned() }
    }
}

impl Filter {
    fn is_met_by(&self, value: &Value) -> bool {
        let first = &self.values[0];
        match self.relation {
            Relation::Equal => self.values.contains(value),
            Relation::Unequal => !self.values.contains(value),
            Relation::Below => value < first,
            Relation::AtMost => value <= first,
            Relation::AtLeast => value >= first,
            Relation::Above => value > first,
        }
    }

    fn retain_numbers<T: Copy + Into<u64>>(&self, list: &mut Vec<T>) {
        list.retain(|value| self.is_met_by(&Value::Number((*value).into())));
    }

    fn retain_words<T>(&self, list: &mut Vec<T>, name: impl Fn(&T) -> String) {
        list.retain(|value| self.is_met_by(&Value::Word(name(value))));
    }
}

impl Space {
    /// Leaves out every layout that does not meet the condition.
    pub fn narrow_by_filter(&mut self, filter: &Filter) {
        match filter.key {
            Key::Tensor => filter.retain_numbers(&mut self.tensor),
            Key::Pipeline => filter.retain_numbers(&mut self.pipeline),
            Key::Data => filter.retain_numbers(&mut self.data),
            Key::Context => filter.retain_numbers(&mut self.context),
            Key::Expert => filter.retain_numbers(&mut self.expert),
            Key::ExpertTensor => filter.retain_numbers(&mut self.expert_tensor),
            Key::Interleave => filter.retain_numbers(&mut self.interleave),
            Key::MicroBatch => filter.retain_numbers(&mut self.micro_batch),
            Key::Zero => {
                self.zero
                    .retain(|zero| filter.is_met_by(&Value::Number(zero.stage_number().into())));
            }
            Key::SequenceParallel => {
                filter.retain_words(&mut self.sequence_parallel, bool::to_string)
            }
            Key::Recompute => {
                filter.retain_words(&mut self.recompute, |recompute| recompute.name().to_owned())
            }
            Key::Schedule => {
                filter.retain_words(&mut self.schedule, |schedule| schedule.name().to_owned())
            }
            Key::Order => filter.retain_words(&mut self.order, Order::to_string),
        }
    }
}

impl fmt::Display for FilterProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRelation => {
                f.write_str("write a relation, as in `tensor<=8` or `recompute=none,selective`")
            }
            Self::Key(key) => {
                let known = KEYS.map(|(name, _)| name).join(", ");
                write!(f, "`{key}` is no key of a layout: take one of {known}")
            }
            Self::Value { key, value } => {
                write!(f, "`{value}` is no value of `{key}`: take ")?;
                match *key {
                    "sequence_parallel" => f.write_str("true or false"),
                    "recompute" => f.write_str(&Recompute::ALL.map(Recompute::name).join(", ")),
                    "schedule" => f.write_str(&Schedule::ALL.map(Schedule::name).join(", ")),
                    "order" => f.write_str("an order as `tp-cp-ep-dp-pp`"),
                    _ => f.write_str("a whole number"),
                }
            }
            Self::Unordered(key) => {
                write!(f, "`{key}` is compared with one number, or by = and != with a list")
            }
        }
    }
}

impl std::error::Error for FilterProblem {}

#[cfg(test)]
mod tests {
    use super::{Filter, FilterProblem};
    use crate::parallel::{Order, Schedule, Zero};
    use crate::search::Space;
    use crate::workload::{Model, Precision, Recompute, Training};

    fn space() -> Space {
        let model = Model {
            name: String::new(),
            layers: 8,
            hidden: 64,
            heads: 16,
            kv_heads: 16,
            head_dim: 4,
            ffn: 256,
            gated_ffn: false,
            vocab: 128,
            sequence: 64,
            tied_embeddings: true,
            moe: None,
            latent_attention: None,
            window: None,
            attention_sinks: false,
            parallel_blocks: false,
            pattern: None,
            attention_gate: false,
            mamba: None,
            delta: None,
            mtp_layers: 0,
        };
        let training = Training {
            global_batch: 16,
            tokens: None,
            precision: Precision::Bf16,
            offload_layers: 0,
            recompute_modules: None,
        };
        Space::all_layouts(&model, &training, 16)
    }

    #[track_caller]
    fn left<T: PartialEq + std::fmt::Debug>(text: &str, read: fn(Space) -> Vec<T>, expected: &[T]) {
        let mut space = space();
        space.narrow_by_filter(
            &text.parse::<Filter>().unwrap_or_else(|problem| panic!("{problem}")),
        );
        assert_eq!(read(space), expected, "{text}");
    }

    #[test]
    fn conditions_narrow_what_they_name() {
        left("tensor<=4", |space| space.tensor, &[1, 2, 4]);
        left("tensor < 4", |space| space.tensor, &[1, 2]);
        left("parallelism.tensor>4", |space| space.tensor, &[8, 16]);
        left("data>=8", |space| space.data, &[8, 16]);
        left("micro_batch=1,4", |space| space.micro_batch, &[1, 4]);
        left("training.micro_batch != 1,2,4", |space| space.micro_batch, &[8, 16]);
        left("zero==3", |space| space.zero, &[Zero::Parameters]);
        left("recompute!=full", |space| space.recompute, &[Recompute::None, Recompute::Selective]);
        left("sequence_parallel=true", |space| space.sequence_parallel, &[true]);
        left("schedule=1f1b", |space| space.schedule, &[Schedule::OneFOneB]);
        left("order=tp-cp", |space| space.order, &[Order::DP_INSIDE_PP]);
    }

    #[test]
    fn what_can_not_be_read_is_told() {
        let problem = |text: &str| text.parse::<Filter>().err();
        assert_eq!(problem("tensor"), Some(FilterProblem::NoRelation));
        assert_eq!(problem("tensr=1"), Some(FilterProblem::Key("tensr".into())));
        assert_eq!(problem("recompute<full"), Some(FilterProblem::Unordered("recompute")));
        assert_eq!(problem("tensor<1,2"), Some(FilterProblem::Unordered("tensor")));
        let value = |key, value: &str| Some(FilterProblem::Value { key, value: value.into() });
        assert_eq!(problem("tensor=many"), value("tensor", "many"));
        assert_eq!(problem("tensor="), value("tensor", ""));
        assert_eq!(problem("recompute=some"), value("recompute", "some"));
        assert_eq!(problem("order=tp-tp"), value("order", "tp-tp"));
    }
}
