//! What each command hands to words and JSON.

use crate::cost::{BillLine, HbCost};
use crate::design::{InstalledPlan, Plan, StepPlan};
use crate::explain::{Explanation, InputOrigin};
use crate::fabric::{Bisection, Counts, FabricGraph, HbCounts};
use crate::gate::{CheckReport, Snapshot};
use crate::hardware::{DomainInside, Price};
use crate::quantity::{Quantity, all_quantities};
use crate::scenario::{Assumption, ClusterName, Objective};
use crate::search::{Breadth, Layouts};
use crate::traffic::{Distribution, TrafficMatrix, Uncounted};
use crate::units::{Bandwidth, Bytes, Usd, Watts};
use crate::validate::MovedConstant;
use crate::workload::{Framework, Parameters};

/// The bill of a design.
#[derive(Clone, Copy, Debug)]
pub struct BillSheet<'a> {
    pub plan: &'a Plan,
    /// Years of operation, their value, and power from the wall over that of the machines.
    pub objective: &'a Objective,
    /// The design in its hall; `None` where the spec has none, or the bill has not its cables.
    pub installed: Option<&'a InstalledPlan>,
    /// Price of a kWh; `None` where the book has none.
    pub kilowatt_hour: Option<&'a Price>,
}

/// The table of a set as a spec has it, each constant with the measured `rows` that it moves; empty
/// where no constant moved.
pub(in crate::report) fn calibration_lines(
    set: &str,
    constants: &[MovedConstant],
    rows: &str,
) -> Vec<String> {
    if constants.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("[hardware.calibrations.{set}]")];
    for constant in constants {
        let value = &constant.written;
        let value = if constant.unit.is_empty() { value.clone() } else { format!("\"{value}\"") };
        lines.push(format!("{} = {value} # {} {rows}", constant.key, constant.rows));
    }
    lines
}

/// A check and the names of what it compares.
#[derive(Clone, Copy, Debug)]
pub struct CheckSheet<'a> {
    pub report: &'a CheckReport,
    /// Name of the old side: a file.
    pub old: &'a str,
    /// Name of the new side.
    pub new: &'a str,
    /// It is a `diff`, which has no rules unless some are given.
    pub is_diff: bool,
}

/// A sheet for each cluster.
#[derive(Clone, Debug)]
pub struct ClusterSheets<'a, T> {
    pub name: &'a str,
    /// At least one.
    pub each: Vec<(&'a ClusterName, T)>,
}

impl<T> ClusterSheets<'_, T> {
    /// The sheet of the only cluster; `None` where there are several.
    pub(in crate::report) fn single_sheet(&self) -> Option<&T> {
        match self.each.as_slice() {
            [(_, only)] => Some(only),
            _ => None,
        }
    }

    /// Whether the clusters are stages of one.
    pub(in crate::report) fn is_staged(&self) -> bool {
        self.each.iter().any(|(name, _)| matches!(name, ClusterName::Stage { .. }))
    }
}

/// An entry of what ships that rests on little, as far as a report needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubtful {
    pub kind: String,
    pub name: String,
    pub doubts: Vec<&'static str>,
    pub date: String,
    /// What is said of it.
    pub note: String,
}

/// What `planner explain` shows.
#[derive(Clone, Copy, Debug)]
pub struct ExplainSheet<'a> {
    pub name: &'a str,
    pub explanations: &'a [Explanation],
    /// Presets that inputs may come from, for their sources and dates.
    pub presets: &'a [Preset],
}

/// Where a value comes from, as a sentence.
pub(in crate::report) fn input_origin_text(origin: &InputOrigin, presets: &[Preset]) -> String {
    match origin {
        InputOrigin::Spec(key) => format!("spec: `{key}`"),
        InputOrigin::Chosen(key) => format!("chosen by the planner: `{key}` is open"),
        InputOrigin::Preset { kind, name, entry } => {
            match presets.iter().find(|preset| preset.kind == *kind && preset.name == *name) {
                Some(preset) => {
                    let dated: Vec<&str> = [preset.source.as_str(), preset.date.as_str()]
                        .into_iter()
                        .filter(|text| !text.is_empty())
                        .collect();
                    let dated = dated.join(", ");
                    let open = if dated.is_empty() { String::new() } else { format!(" ({dated})") };
                    format!("{kind} preset `{name}`, `{entry}`, unless the spec says else{open}")
                }
                None => format!("spec: `{entry}` of the {kind} `{name}`"),
            }
        }
        InputOrigin::Priced(price) => {
            format!("{} price of {}: {}", price.basis.name(), price.date, price.source)
        }
        InputOrigin::Quantity(key) => format!("see `planner explain {key}`"),
        InputOrigin::Assumed(why) => format!("assumed: {why}"),
        InputOrigin::Found(words)
        | InputOrigin::Constant(words)
        | InputOrigin::Published(words) => (*words).to_owned(),
    }
}

/// One fabric without any model.
#[derive(Clone, Debug)]
pub struct FabricSheet<'a> {
    /// The fabric, counted.
    pub counts: &'a Counts,
    /// NICs that were asked for; some families come in steps and have more.
    pub asked: u64,
    /// Switches and transceivers at their prices, and their sum; `None` where the switch is known
    /// by its ports alone.
    pub bill: Option<(&'a [BillLine], Usd)>,
    /// HB domains on it, where they were asked for.
    pub domains: &'a [DomainSheet],
    /// The fabric, wired; `None` where it was not asked for or can't be.
    pub graph: Option<&'a FabricGraph>,
    /// What is known of its minimum cut.
    pub bisection: Bisection,
}

/// Alike HB domains on a fabric.
#[derive(Clone, Debug)]
pub struct DomainSheet {
    pub count: u64,
    /// The product; `None` where only its NICs are known.
    pub product: Option<String>,
    /// NICs of each.
    pub nics: u32,
    /// How many of those are on one rail.
    pub nics_a_rail: u32,
    /// What joins its GPUs; `None` where nobody stated it.
    pub inside: Option<DomainInside>,
}

/// One HB domain without any model.
#[derive(Clone, Debug)]
pub struct HbSheet<'a> {
    /// The family; `None` where links and ports were given instead.
    pub family: Option<&'a str>,
    /// The domain, counted.
    pub counts: HbCounts,
    /// Chips of a tray; 0 where nobody said.
    pub tray_chips: u32,
    /// Rate of a GPU into the domain, one way, over all its links; `None` where no rate of a link
    /// is known.
    pub rate: Option<Bandwidth>,
    /// Power of the whole domain; `None` where no family says.
    pub power: Option<Watts>,
    /// What joins its GPUs costs; `None` where a part is without a price.
    pub cost: Option<HbCost>,
}

/// What `planner search` shows.
#[derive(Clone, Copy, Debug)]
pub struct LayoutSheet<'a> {
    pub name: &'a str,
    pub gpus: u32,
    pub found: &'a Layouts,
    /// How much was asked to be searched.
    pub asked: Breadth,
}

/// One preset, as far as a report needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What it describes, such as `node`.
    pub kind: &'static str,
    pub name: String,
    /// Where its numbers come from; may be empty.
    pub source: String,
    /// When they held; may be empty.
    pub date: String,
    /// How large it is, where it is a model.
    pub parameters: Option<Parameters>,
    /// Its text as it ships.
    pub text: String,
}

/// Figures shown beside those that `compare` has of baselines, in their place in the table of
/// figures.
const TOO: [&str; 12] = [
    "cluster.gpus",
    "cluster.node",
    "cluster.hb_domains",
    "cluster.nic",
    "cluster.planes",
    "model.parameters",
    "layout.tensor",
    "layout.pipeline",
    "layout.data",
    "fabric.kind",
    "step.mfu",
    "cost.tco_usd",
];

/// What `planner compare` of several files shows.
#[derive(Clone, Debug)]
pub struct SideBySide<'a> {
    /// Each file, with its design.
    pub all: Vec<(&'a str, &'a Snapshot)>,
}

impl<'a> SideBySide<'a> {
    /// Names of the designs; of their files where two have one name.
    pub(in crate::report) fn design_names(&self) -> Vec<&'a str> {
        let own: Vec<&str> = self.all.iter().map(|(_, snapshot)| snapshot.name.as_str()).collect();
        let twice = own.iter().any(|name| own.iter().filter(|text| *text == name).count() > 1);
        if twice { self.all.iter().map(|(file, _)| *file).collect() } else { own }
    }

    /// The rows of which any of the designs has something.
    pub(in crate::report) fn figure_rows(&self) -> impl Iterator<Item = &'static Quantity> {
        let shown = |row: &&Quantity| row.compared || TOO.contains(&row.key);
        let has = |snapshot: &Snapshot, key: &str| {
            snapshot.figures.contains_key(key) || snapshot.words.contains_key(key)
        };
        let there =
            move |row: &&Quantity| self.all.iter().any(|(_, snapshot)| has(snapshot, row.key));
        all_quantities().filter(shown).filter(there)
    }
}

/// What `planner step` shows: the layout as given, on the machines as given.
#[derive(Clone, Copy, Debug)]
pub struct StepSheet<'a> {
    pub name: &'a str,
    /// The step on its machines.
    pub step: &'a StepPlan,
    /// Settings of the training stack: what runs beside what.
    pub framework: &'a Framework,
}

/// Shares of the busy pairs whose volume the others do not exceed, with their names.
pub(in crate::report) const PERCENTILES: [(&str, f64); 4] =
    [("10 %", 0.1), ("50 %", 0.5), ("90 %", 0.9), ("99 %", 0.99)];

/// What `planner traffic` shows.
#[derive(Clone, Copy, Debug)]
pub struct TrafficSheet<'a> {
    pub name: &'a str,
    /// The step that sends it, with the sums over the matrix.
    pub step: &'a StepPlan,
    /// How many pairs carry how much.
    pub distribution: &'a Distribution,
    /// The matrix itself, for the heat map of a page; no other format shows it.
    pub matrix: Option<&'a TrafficMatrix>,
    /// What has to be known of the techniques that are on, and of the algorithms.
    pub notes: &'a [Assumption],
    /// What the matrix leaves out, and the bytes a step of each where they are known.
    pub uncounted: &'a [(Uncounted, Option<Bytes>)],
}
