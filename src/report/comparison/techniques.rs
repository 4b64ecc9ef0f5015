//! The report of `planner compare --with`: the same spec with techniques and without, side by
//! side, and what has to be known of them.

use super::technique_screen::technique_screen;
use crate::compare::{
    DemoExchange, FewerNics, Freed, TechniqueCase, TechniqueStudies, TechniqueStudy,
};
use crate::cost::{Role, paid_for_roles};
use crate::design::{Infeasible, Plan, StepPlan};
use crate::report::command::multi_cluster::{self, ClusterReport, Figure};
use crate::report::document::{Document, Section};
use crate::report::format::RenderOptions;
use crate::report::picture::{Bar, Bars, Ink, Picture};
use crate::report::section::{machines, proof};
use crate::report::sheet::{ClusterSheets, case_name as name};
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number, words};
use crate::step::TrafficKind;
use crate::units::{Bytes, Usd};
use crate::workload::Technique;

/// The studies of every cluster in the wanted format, with a line break at its end.
#[must_use]
pub fn render_techniques(
    name: &str,
    studies: &TechniqueStudies,
    look: RenderOptions<'_>,
) -> String {
    let each = studies.each.iter().map(|(name, study)| (name, study)).collect();
    let whole = || (technique_costs_section(studies), json::technique_cases_json(studies));
    let told = ClusterReport {
        document: &|study: &&TechniqueStudy| technique_document(study),
        json: &|study: &&TechniqueStudy| json::technique_study_json(study),
        beside: &|study: &&TechniqueStudy| technique_side_by_side(study),
        whole: Some(&whole),
    };
    multi_cluster::report_each_cluster(&ClusterSheets { name, each }, look, &told)
}

/// The step of a cluster in every case, on a network that never blocks.
fn technique_side_by_side(study: &TechniqueStudy) -> Vec<Figure> {
    let case = |case: &TechniqueCase| {
        let name = name(case);
        let key = format!("{}_step_s", name.replace(", ", "_").replace(['-', ' '], "_"));
        let step = case.step.as_ref().map(|plan| plan.step.time.total_time());
        (
            Column::numbers(&format!("step {name}"), &key),
            step.map_or_else(Cell::no_value, Cell::time),
        )
    };
    study.cases.iter().map(case).collect()
}

/// What every case costs in all.
fn technique_costs_section(studies: &TechniqueStudies) -> Section {
    let mut table = Table::new(vec![
        Column::words("case", "case"),
        Column::numbers("switches and optics", "network_capex_usd"),
        Column::numbers("capex", "capex_usd"),
    ]);
    let cases = studies.each.first().map_or(&[][..], |(_, study)| &study.cases);
    let mut section = Section::new("ALL CLUSTERS", "one network, one limit for each job");
    for (case, whole) in cases.iter().zip(&studies.whole) {
        let money = |read: fn(&Plan) -> Usd| {
            whole.plan.as_ref().map_or_else(|_| Cell::no_value(), |plan| Cell::money(read(plan)))
        };
        table.push_row(vec![
            Cell::words(name(case)),
            money(|plan| plan.cost.network_capex),
            money(|plan| plan.cost.capex),
        ]);
        if let Err(reason) = &whole.plan {
            section = section.add_line(format!("{}: no network: {reason}", name(case)));
        }
    }
    let lines = std::mem::take(&mut section.parts);
    section = section.add_table(table);
    section.parts.extend(lines);
    section
}

fn technique_document(study: &TechniqueStudy) -> Document {
    let mut sections = Vec::new();
    if let Some(step) = study.cases.first().and_then(|case| case.step.as_ref()) {
        sections.push(Section::new("", "").add_line(machines::machines_alone(&step.nodes)));
        sections.push(machines::layout_section(&step.layout, &step.step));
    }
    let lead = match study.limit {
        Some((limit, says)) => format!("no step longer than {} ({says})", number::time(limit)),
        None if study.cases.first().is_some_and(|technique_case| technique_case.step.is_some()) => {
            "each the cheapest per token".to_owned()
        }
        None => "any step time: without the techniques nothing runs".to_owned(),
    };
    let (without, others) = study.cases.split_at(study.cases.len().min(1));
    let mut with = Section::new("TECHNIQUES", lead);
    for some in others.chunks(BESIDE) {
        with =
            with.add_table(technique_cases_table(&without.iter().chain(some).collect::<Vec<_>>()));
    }
    for case in study.cases.iter().filter(|case| case.freed.is_nearest()) {
        with = with.add_line(format!(
            "{}: not allowed or too large in the stated layout, so in the nearest one that fits: {}",
            name(case),
            match case.freed {
                Freed::Sharding => "ZeRO and its groups are searched",
                Freed::Memory => "ZeRO, stages, micro-batches and recomputation are searched",
                _ => "the whole layout is searched",
            }
        ));
    }
    for case in &study.cases {
        if let Err(reason) = &case.plan {
            with = with.add_line(format!(
                "{}: no network: {}",
                name(case),
                infeasible_reason(reason, case, study)
            ));
        }
    }
    if let (Some(case), Some(fewer)) = (study.cases.last(), &study.fewer_nics) {
        with = with.add_line(format!("{}: {}", name(case), fewer_nics(fewer, case)));
    }
    sections.push(with.add_pictures_on_top(technique_pictures(&study.cases)));
    sections.extend(study.demo.as_ref().map(demo_exchange_section));
    if study.notes.iter().any(|assumption| !assumption.default) {
        sections.push(proof::assumptions_section(&study.notes));
    }
    let sheet = technique_cases_table(&study.cases.iter().collect::<Vec<_>>());
    let screen = Some(technique_screen(study));
    Document { title: study.name.clone(), sections, screen, sheet }
}

/// What half of the interfaces would save a case, and the key that states them.
fn fewer_nics(fewer: &FewerNics, case: &TechniqueCase) -> String {
    let machines = format!(
        "machines with {} (`--set hardware.nodes.{}.nics={}`) at the price of those with all",
        number::count_with_noun(fewer.nics, "NIC", "NICs"),
        fewer.node,
        fewer.nics
    );
    let (plan, whole) = match (&fewer.plan, &case.plan) {
        (Ok(plan), Ok(whole)) => (plan, whole),
        (Err(reason), _) | (_, Err(reason)) => {
            return format!("{machines} have no network: {reason}");
        }
    };
    let saved = whole.cost.capex - plan.cost.capex;
    let capex = if saved >= Usd::ZERO {
        format!("{} less", number::money(saved))
    } else {
        format!("{} more", number::money(Usd::ZERO - saved))
    };
    let step = number::time(plan.step.time.total_time());
    let tokens = plan
        .cost
        .usd_per_million_tokens
        .map_or_else(String::new, |usd| format!(", {} per million tokens", number::money(usd)));
    format!("{machines} make a cluster that costs {capex}: step {step}{tokens}")
}

/// Why nothing can be built; a step that is too slow is shown against the limit.
fn infeasible_reason(reason: &Infeasible, case: &TechniqueCase, study: &TechniqueStudy) -> String {
    let (Infeasible::Slow { best, .. }, Some((limit, _))) = (reason, study.limit) else {
        return reason.to_string();
    };
    let over = *best / limit - 1.0;
    let exposed = case.step.as_ref().map_or_else(String::new, |step| {
        let time = &step.step.time;
        format!(
            "; on a perfect network it waits {} for data traffic, and the optimizer step takes {}",
            number::time(time.exposed.time_of_kind(TrafficKind::Data)),
            number::time(time.optimizer)
        )
    });
    format!(
        "the fastest takes {} per step, {} too long{exposed}",
        number::time(*best),
        number::percent(over)
    )
}

fn demo_exchange_section(exchange: &DemoExchange) -> Section {
    let lead = format!(
        "{} replicas; saves traffic below {} replicas only",
        number::count(exchange.replicas),
        number::large_count(exchange.break_even)
    );
    Section::new("DEMO", lead).add_line(format!(
        "own payload {} per step on the fullest stage; each replica receives {}, of a ring \
         all-reduce of its gradients {}",
        number::volume(exchange.payload),
        number::volume(exchange.received),
        number::volume(exchange.ring)
    ))
}

/// Most cases beside the first in one table: more would break their headings.
const BESIDE: usize = 3;

/// Heading of what hosts need beyond what they ship with.
const BOUGHT: &str = "host memory bought for it";

/// A quantity of a step on a network that never blocks.
type OfStep = fn(&StepPlan) -> Cell;
/// A quantity of a design.
type OfPlan = fn(&Plan) -> Cell;

/// Rows are quantities, columns are cases.
fn technique_cases_table(cases: &[&TechniqueCase]) -> Table {
    let mut columns = vec![Column::words("", "quantity")];
    columns.extend(cases.iter().map(|case| {
        let name = name(case);
        Column::numbers(&name, &name.replace(", ", "_").replace(['-', ' '], "_"))
    }));
    let mut table = Table::new(columns);
    let mut of_step = |label: &str, cell: &dyn Fn(&StepPlan) -> Cell| {
        let mut row = vec![Cell::words(label)];
        row.extend(cases.iter().map(|case| case.step.as_ref().map_or_else(Cell::no_value, cell)));
        table.push_row(row);
    };
    of_step("tensor x pipeline x data", &|step| {
        let layout = &step.layout;
        Cell::words(format!("{} x {} x {}", layout.tensor, layout.pipeline, layout.data))
    });
    if cases.iter().any(|case| case.freed.is_nearest()) {
        of_step("ZeRO", &|step| Cell::count(step.layout.zero.stage_number()));
    }
    for kind in TrafficKind::ALL {
        let any = |case: &&TechniqueCase| {
            case.step.as_ref().is_some_and(|step| !step.traffic.bytes_of_kind(kind).is_zero())
        };
        if cases.iter().any(any) {
            let cell = |step: &StepPlan| Cell::volume(step.traffic.bytes_of_kind(kind));
            of_step(&format!("{} traffic per step", kind.name()), &cell);
        }
    }
    let of_memory: [(&str, OfStep); 5] = [
        ("memory of the fullest GPU", |step| memory_cell(step.memory.total_on_gpu())),
        ("memory of the host for it", |step| memory_cell(step.memory.host)),
        ("step on a perfect network", |step| Cell::time(step.step.time.total_time())),
        ("  waiting for data traffic", |step| {
            Cell::time(step.step.time.exposed.time_of_kind(TrafficKind::Data))
        }),
        ("  optimizer step", |step| Cell::time(step.step.time.optimizer)),
    ];
    for (label, cell) in of_memory {
        of_step(label, &cell);
    }
    let of_design: [(&str, OfPlan); 13] = [
        ("cheapest network", |plan| Cell::words(plan.fabric.kind.to_string())),
        ("  machine", |plan| Cell::words(&plan.nodes.node.name)),
        ("  NIC", |plan| Cell::words(&plan.nodes.nic.name)),
        ("  NICs per GPU", |plan| {
            let share = f64::from(plan.nodes.node.nics) / f64::from(plan.nodes.node.gpus.max(1));
            Cell::with_text_and_value(words::rounded_number(share), share)
        }),
        ("  switches", |plan| Cell::count(plan.fabric.switch_count())),
        ("  machines", |plan| paid_for(plan, |role| role == Role::Node)),
        ("  NICs", |plan| paid_for(plan, |role| role == Role::Nic)),
        ("  switches and optics", |plan| Cell::money(plan.cost.network_capex)),
        (BOUGHT, |plan| {
            let line = plan.bill.iter().find(|line| line.role == Role::Memory);
            line.filter(|line| line.unit.is_some())
                .map_or_else(Cell::no_value, |line| Cell::money(line.total))
        }),
        ("price of the cluster", |plan| Cell::money(plan.cost.capex)),
        ("step on it", |plan| Cell::time(plan.step.time.total_time())),
        ("days of the run", |plan| {
            plan.cost.training_days.map_or_else(Cell::no_value, |days| {
                Cell::with_text_and_value(number::large_count(days), days)
            })
        }),
        ("per million tokens", |plan| {
            plan.cost.usd_per_million_tokens.map_or_else(Cell::no_value, Cell::money)
        }),
    ];
    for (label, cell) in of_design {
        let cells: Vec<Cell> = cases
            .iter()
            .map(|case| case.plan.as_ref().map_or_else(|_| Cell::no_value(), cell))
            .collect();
        // Memory is bought for few; all else is told of every design.
        if label != BOUGHT || cells.iter().any(|cell| *cell != Cell::no_value()) {
            table.push_row(std::iter::once(Cell::words(label)).chain(cells).collect());
        }
    }
    table
}

/// What a bill has for lines of some roles.
fn paid_for(plan: &Plan, read: fn(Role) -> bool) -> Cell {
    if plan.bill.iter().any(|line| read(line.role) && line.unit.is_some()) {
        Cell::money(paid_for_roles(&plan.bill, read))
    } else {
        Cell::no_value()
    }
}

/// What each case costs and how long it takes, of those that have a network.
fn technique_pictures(cases: &[TechniqueCase]) -> [Option<Picture>; 3] {
    let bars = |amount: &dyn Fn(&Plan) -> f64, reads: &dyn Fn(&Plan) -> String, title| {
        let designed = cases.iter().filter_map(|case| Some((case, case.plan.as_ref().ok()?)));
        let bars = designed.map(|(case, plan)| {
            Bar::with_single_ink(name(case), reads(plan), amount(plan), Ink::Blue)
        });
        Bars { bars: bars.collect(), ..Bars::default() }.picture(title)
    };
    let tokens = |plan: &Plan| plan.cost.usd_per_million_tokens.unwrap_or(Usd::ZERO);
    [
        bars(
            &|plan| plan.step.time.total_time().get(),
            &|plan| number::time(plan.step.time.total_time()),
            "How long a step takes",
        ),
        bars(
            &|plan| plan.cost.network_capex.get(),
            &|plan| number::money(plan.cost.network_capex),
            "What the network costs",
        ),
        bars(
            &|plan| tokens(plan).get(),
            &|plan| number::money(tokens(plan)),
            "What a million trained tokens cost",
        ),
    ]
}

/// Memory; a dash where there is none.
fn memory_cell(value: Bytes) -> Cell {
    if value.is_zero() {
        Cell::no_value()
    } else {
        Cell { text: number::memory(value), raw: value.count().to_string() }
    }
}

/// Names of techniques as the command line takes them.
#[must_use]
pub fn technique_names() -> Vec<String> {
    Technique::ALL.iter().map(|technique| technique.key().replace('_', "-")).collect()
}
